#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""programs.py, without a GPU: stand-ins for ncu, gpuprof and the programs print what the real ones print."""
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import programs

# A program that the injection library is in writes a trace; world.json says which kernels it launches, and how often.
PROGRAM = '''#!{python}
import json, os, pathlib, sys, time
world = json.loads(pathlib.Path({world!r}).read_text())[pathlib.Path(sys.argv[0]).name]
if "CUDA_INJECTION64_PATH" in os.environ and not world.get("untraced"):
    path = os.environ["GPUPROF_TRACE_FILE"].replace(".csv", ".kernel.csv")
    with open(path, "w") as file:
        file.write("kind,name,grid\\r\\n")
        for mangled, name, launches in world["kernels"]:
            for _ in range(world.get("traced", launches)):
                file.write(f"10,{{mangled}},4 1 1\\r\\n")
'''
# What Nsight Compute 2025.3 printed of a program on an H200: its own lines, the program's among them, a line of units.
NCU = '''#!{python}
import json, os, pathlib, subprocess, sys, time
at = next(i for i, word in enumerate(sys.argv) if word.endswith("kernel") and sys.argv[i - 1] == "--replay-mode") + 1
metrics = sys.argv[sys.argv.index("--metrics") + 1].split(",")
world = json.loads(pathlib.Path({world!r}).read_text())[pathlib.Path(sys.argv[at]).name]
assert sys.argv[sys.argv.index("--kernel-id") + 1] == ":::1" and "mangled" in sys.argv and "all" in sys.argv
print("==PROF== Connected to process 1234 (/tmp/program)")
if world.get("hangs"):
    subprocess.run(["sleep", "1000"])
if world.get("refused"):
    print("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters")
    sys.exit(1)
print('a line of the program, with "quotes"')
print("==PROF== Disconnected from process 1234")
line = lambda words: print(",".join('"' + str(word) + '"' for word in words))
line(["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device", "CC", *metrics])
line([""] * 11 + ["warp"] * len(metrics))
for number, (mangled, name, launches) in enumerate(world["kernels"]):
    if name in world.get("not profiled", []): continue
    print("the program again")
    values = [world.get("values", {{}}).get(name, {{}}).get(metric, 1000 + len(metric)) for metric in metrics]
    line([number, 1234, "program", "127.0.0.1", mangled, 1, 7, "(32, 1, 1)", world.get("grid", "(4, 1, 1)"), 0, "9.0",
          *(value if isinstance(value, str) else f"{{value:,}}" for value in values)])
'''
GPUPROF = '''#!{python}
import json, pathlib, sys
metrics = sys.argv[sys.argv.index("--metrics") + 1].split(",")
program = pathlib.Path(sys.argv[sys.argv.index("--") + 1]).name
world = json.loads(pathlib.Path({world!r}).read_text())[program]
assert sys.argv[sys.argv.index("--rows") + 1] == "launches" and sys.argv[sys.argv.index("--caches") + 1] == world.get("caches", "flush")
if world.get("faults"):
    sys.exit("gpuprof: illegal address: kernel k")
ranges = []
for mangled, name, launches in world["kernels"]:
    if name in world.get("not embedded", []): continue
    for launch in range(launches):
        values = {{metric: world.get("own", {{}}).get(name, {{}}).get(metric, 1000 + len(metric)) + 7 * launch for metric in metrics}}
        ranges.append({{"name": name + "<<<(4, 1, 1), (32, 1, 1)>>>", "count": 1, "values": values}})
pathlib.Path(sys.argv[sys.argv.index("--output") + 1]).write_text(json.dumps({{"ranges": ranges}}))
'''
WARPS, L1_HITS = "smsp__warps_launched.sum", "l1tex__t_sectors_pipe_lsu_lookup_hit.sum"


def kernels(count, launches=1, prefix="k"):
    names = [f"{prefix}{i}" for i in range(count)]
    return [[f"_Z{len(name)}{name}i", f"{name}(int)", launches] for name in names]


class ComparesPrograms(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.out = self.folder / "table.txt"
        for name, body in (("ncu", NCU), ("gpuprof", GPUPROF)):
            self.script(name, body)

    def script(self, name, body):
        path = self.folder / name
        path.write_text(body.format(python=sys.executable, world=str(self.folder / "world.json")))
        path.chmod(0o755)

    def compare(self, world, *options):
        """(exit status, the table)"""
        (self.folder / "world.json").write_text(json.dumps(world))
        for name in world:
            self.script(name, PROGRAM)
        (self.folder / "list.txt").write_text("# programs\n!^w(ai)t[0-9] it waits\n" + "".join(f"{name} -n 3\n" for name in world))
        done = subprocess.run([sys.executable, HERE / "programs.py", self.folder, "--out", self.out, "--list", self.folder / "list.txt",
                               "--ncu", self.folder / "ncu", "--seconds", "100", *options], capture_output=True, text=True, check=False)
        self.assertNotIn("Traceback", done.stderr)
        return done.returncode, self.out.read_text() if self.out.exists() else ""

    def test_equal_counters_of_enough_kernels_meet_all_targets(self):
        status, table = self.compare({"many": {"kernels": kernels(60, launches=3)}})
        self.assertIn("60 kernels of 1 programs (at least 60): met", table)
        # Launches, ten other counters and three of caches in 60 kernels; later launches have other values, and are not taken.
        self.assertIn("equal: 660 of 660 cells, 100.0% (at least 99%): met", table)
        self.assertIn("within 5%: 180 of 180 cells", table)
        self.assertIn("k7(int)<<<(4, 1, 1), (32, 1, 1)>>>", table)
        self.assertEqual(status, 0)

    def test_a_program_alone_has_too_few_kernels(self):
        status, table = self.compare({"few": {"kernels": kernels(59)}})
        self.assertIn("59 kernels of 1 programs (at least 60): MISSED", table)
        self.assertEqual(status, 1)

    def test_wrong_values_miss_the_target_and_stand_in_the_table(self):
        wrong = {f"k{i}(int)": {WARPS: 2048} for i in range(7)}  # 7 of 660 cells are more than 1 %
        status, table = self.compare({"many": {"kernels": kernels(60), "own": wrong}})
        self.assertIn("equal: 653 of 660 cells, 98.9% (at least 99%): MISSED", table)
        self.assertRegex(table, r"smsp__warps_launched.sum +1,024 +2,048 +\+100.00%")
        self.assertEqual(status, 1)

    def test_caches_may_be_off_in_a_fifth_of_the_cells(self):
        off = lambda count, value: {f"k{i}(int)": {metric: value for metric in programs.CACHES} for i in range(count)}
        status, table = self.compare({"many": {"kernels": kernels(60), "values": off(60, 1000), "own": off(60, 1050)}})
        self.assertIn("180 of 180 cells of caches and device memory, 100.0% (at least 80%): met", table)
        self.assertEqual(status, 0)
        one_more = {**off(60, 1050), **off(13, 1051)}
        status, table = self.compare({"many": {"kernels": kernels(60), "values": off(60, 1000), "own": one_more}})
        self.assertIn("141 of 180 cells of caches and device memory, 78.3% (at least 80%): MISSED", table)
        self.assertEqual(status, 1)

    def test_bytes_read_and_written_are_shown_and_not_judged(self):
        status, table = self.compare({"many": {"kernels": kernels(60), "own": {"k3(int)": {"dram__bytes_write.sum": 5}}}})
        self.assertRegex(table, r"dram__bytes_write.sum +1,021 +5 +-99.51%")
        self.assertEqual(status, 0)

    def test_goals_are_told_and_do_not_decide_the_status(self):
        own = {f"k{i}(int)": {metric: 10000 for metric in [*programs.L2, *programs.OCCUPANCY]} for i in range(15)}
        status, table = self.compare({"many": {"kernels": kernels(60), "own": own}})
        # Eight counters of L2, six of which are off in 15 kernels; all operations are equal.
        self.assertIn("goal: L2 within 10%: 390 of 480 cells, 81.2% (goal 80%): met", table)
        self.assertIn("goal: operations equal: 360 of 360 cells, 100.0% (goal 90%): met", table)
        self.assertIn("goal: achieved occupancy within 10%: 45 of 60 cells, 75.0% (goal 90%): not met", table)
        self.assertEqual(status, 0)

    def test_a_third_of_the_programs_is_shown_in_totals_alone(self):
        names = [f"p{i}" for i in range(6)]
        closed = [name for name in names if programs.is_judging("salt", name)]
        self.assertEqual(closed, ["p0", "p2"])  # by sha256sum
        wrong = {"k0(int)": {WARPS: 2048}}
        _, table = self.compare({name: {"kernels": kernels(2), "own": wrong if name == "p2" else {}} for name in names}, "--judging", "salt")
        shown, totals = table.split("The third that is shown in totals alone:\n")
        self.assertIn("equal: 88 of 88 cells, 100.0%", shown)
        self.assertIn("4 kernels of 2 programs; 0 times not compared\nequal: 43 of 44 cells, 97.7%", totals)
        self.assertEqual([name for name in names if f"\n{name} -n 3" in totals], [name for name in names if name not in closed])

    def test_kernels_of_one_side_are_told(self):
        status, table = self.compare({"many": {"kernels": kernels(62), "not profiled": ["k60(int)"], "not embedded": ["k61(int)"]}})
        self.assertIn("not compared: many -n 3: k60(int): only on the embedded GPU", table)
        self.assertIn("not compared: many -n 3: k61(int): only on the GPU", table)
        self.assertIn("60 kernels of 1 programs (at least 60): met", table)
        self.assertEqual(status, 1)

    def test_kernels_that_the_list_leaves_out_are_not_compared(self):
        own = {"wait1(int)": {WARPS: 3}}
        status, table = self.compare({"many": {"kernels": [*kernels(60), *kernels(3, prefix="wait")], "own": own,
                                               "not embedded": ["wait2(int)"]}})
        self.assertIn("60 kernels of 1 programs (at least 60): met", table)
        self.assertIn("left out by the list: kernels like ^w(ai)t[0-9]: it waits", table)
        self.assertNotIn("wait1(int)", table)
        self.assertEqual(status, 0)

    def test_another_configuration_is_not_compared(self):
        status, table = self.compare({"other": {"kernels": kernels(1), "grid": "(5, 1, 1)"}})
        self.assertIn("not compared: other -n 3: k0(int): no launch in the same configuration", table)
        self.assertIn("0 kernels of 1 programs", table)
        self.assertEqual(status, 1)

    def test_launches_are_compared_and_need_a_trace(self):
        status, table = self.compare({"more": {"kernels": kernels(60, launches=3), "traced": 4}, "untraced": {"kernels": [], "untraced": 1}})
        self.assertRegex(table, r"launches +4 +3 +-25.00%")
        self.assertIn("equal: 600 of 660 cells", table)
        self.assertIn("not compared: untraced -n 3: its launches: no trace (status 0)", table)
        self.assertEqual(status, 1)

    def test_a_program_that_hangs_or_fails_does_not_stop_the_rest(self):
        began = time.monotonic()
        status, table = self.compare({"hangs": {"kernels": kernels(1), "hangs": 1}, "faults": {"kernels": kernels(1), "faults": 1},
                                      "refused": {"kernels": kernels(1), "refused": 1}, "good": {"kernels": kernels(60)}},
                                     "--seconds-each", "8")
        self.assertLess(time.monotonic() - began, 60)
        self.assertIn("not compared: hangs -n 3: ncu does not end in 8 s", table)
        self.assertRegex(table, "not compared: faults -n 3: the embedded GPU: status 1: .*illegal address: kernel k")
        self.assertRegex(table, "not compared: refused -n 3: ncu has no table .status 1.: .*ERR_NVGPUCTRPERM")
        self.assertIn("60 kernels of 1 programs (at least 60): met", table)
        self.assertEqual(status, 1)

    def test_what_comes_after_the_time_limit_is_told(self):
        status, table = self.compare({"hangs": {"kernels": kernels(1), "hangs": 1}, "late": {"kernels": kernels(1)}},
                                     "--seconds", "3")
        self.assertIn("not compared: late -n 3: no time was left", table)
        self.assertEqual(status, 1)

    def test_numbers_that_are_none_are_told(self):
        status, table = self.compare({"many": {"kernels": kernels(60), "values": {"k1(int)": {WARPS: "n/a"}}}})
        self.assertIn(f"not compared: many -n 3: k1(int): {WARPS}: not on the GPU", table)
        self.assertIn("equal: 659 of 659 cells", table)
        self.assertEqual(status, 1)

    def test_near_is_within_what_the_empty_kernel_counts(self):
        world = {"many": {"kernels": [["_Z5emptyv", "empty()", 1], *kernels(60)],
                          "values": {"empty()": {"dram__bytes.sum": 300}, "k1(int)": {"dram__bytes.sum": 1000}},
                          "own": {"empty()": {"dram__bytes.sum": 0}, "k1(int)": {"dram__bytes.sum": 1250}}}}
        _, table = self.compare(world)
        self.assertRegex(table, r"dram__bytes.sum +61 +59 +59 +61 ")

    def test_a_recorded_gpu_gives_the_same_table(self):
        world = {"many": {"kernels": kernels(60), "own": {"k1(int)": {L1_HITS: 5}}}}
        _, table = self.compare(world)
        recorded = self.folder / "recorded.json"
        recorded.write_text(pathlib.Path(f"{self.out}.json").read_text())
        self.out.unlink()
        status, again = self.compare(world, "--recorded", recorded, "--ncu", "/no/such/ncu")
        self.assertEqual(again, table)
        self.assertEqual(status, 0)
        # A program that is not in the record is counted.
        status, longer = self.compare({**world, "more": {"kernels": kernels(2)}}, "--recorded", recorded)
        self.assertIn("62 kernels of 2 programs (at least 60): met", longer)
        status, table = self.compare({**world, "more": {"kernels": kernels(2)}}, "--recorded", recorded, "--ncu", "/no/such/ncu")
        self.assertRegex(table, "not compared: more -n 3: FileNotFoundError: .*/no/such/ncu")
        self.assertEqual(status, 1)

    def test_without_a_gpu_it_says_what_the_embedded_one_takes(self):
        status, table = self.compare({"good": {"kernels": kernels(2, launches=3), "caches": "leave"},
                                      "faults": {"kernels": kernels(1), "faults": 1, "caches": "leave"}}, "--embedded-only")
        self.assertRegex(table, r"[0-9.]+ s +[0-9]+ M/s +2 kernels +6 launches  good -n 3\n")
        self.assertRegex(table, r"FAILED faults -n 3: the embedded GPU: status 1: .*illegal address")
        self.assertRegex(table, r"[0-9.]+ s +2 kernels of 1 programs; 1 failed\n$")
        self.assertEqual(status, 1)

    def test_the_list_chooses_by_name(self):
        (self.folder / "list").write_text("# no program\n!that one\n\nsamples/scan\nsamples/sort -n=3\nown/scan 'a b'\n")
        chosen = programs.read_list(self.folder / "list", ["scan"])
        self.assertEqual(chosen, [("samples/scan", ["samples/scan"]), ("own/scan 'a b'", ["own/scan", "a b"])])
        self.assertEqual(len(programs.read_list(self.folder / "list", [])), 3)


if __name__ == "__main__":
    unittest.main()
