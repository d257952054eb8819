#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare.py, without a GPU: stand-ins for ncu, conformance and hot_loop print what the real ones print."""
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare

KERNELS = ["saxpy", "gather"]

NCU = '''==PROF== Connected to process 1234 (/tmp/conformance_app)
==PROF== Profiling "saxpy" - 0: 0%....50%....100% - 3 passes
a line of the program, with "quotes"
==PROF== Disconnected from process 1234
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","device__attribute_architecture","a__bytes.sum","b__count.sum","gpu__time_duration.sum"
"","","","","","","","","","","","","Kbyte","inst","us"
"0","1234","app","127.0.0.1","warm","1","7","(256, 1, 1)","(4096, 1, 1)","0","9.0","384","1","9","1"
"1","1234","app","127.0.0.1","saxpy","1","7","(256, 1, 1)","(4096, 1, 1)","0","9.0","384","1.5","16,777,216","2.5"
"2","1234","app","127.0.0.1","gather(float const*, float*)","1","7","(256, 1, 1)","(4096, 1, 1)","0","9.0","384","2","n/a","3"
'''

STAND_IN = '''#!{python}
import random, sys
# One value a kernel and metric, the same in every program; `ncu` and the others differ in how they print it.
metrics = {metrics!r}
kernels = ["saxpy", "gather", *(f"kernel{{i}}" for i in range(22))]
def value(kernel, metric):
    if "warps_launched" in metric: return 32768
    base = 1000003 * (1 + kernels.index(kernel)) + len(metric)
    return base + random.randrange(100) if metric in {spread!r} else base
'''


class ReadsWhatNcuPrints(unittest.TestCase):
    def test_table_between_other_lines_with_units_and_separators(self):
        rows = compare.read_ncu(NCU, KERNELS, 1)
        self.assertEqual(rows[0]["b__count.sum"], 16777216)
        self.assertEqual(rows[0]["a__bytes.sum"], 1500)
        self.assertEqual(rows[0]["gpu__time_duration.sum"], 2500)
        self.assertEqual(rows[1]["a__bytes.sum"], 2000)
        self.assertNotIn("b__count.sum", rows[1])

    def test_refuses_other_kernels_and_too_few(self):
        with self.assertRaisesRegex(compare.Failure, "profiled gather where other"):
            compare.read_ncu(NCU, ["saxpy", "other"], 1)
        with self.assertRaisesRegex(compare.Failure, "3 kernels of 4"):
            compare.read_ncu(NCU, KERNELS, 2)
        with self.assertRaisesRegex(compare.Failure, "no table.*\n.*ERR_NVGPUCTRPERM"):
            compare.read_ncu("==ERROR== ERR_NVGPUCTRPERM - no permission\n", KERNELS, 1)


class JudgesSpread(unittest.TestCase):
    def test_within_is_the_extremes_and_their_distance(self):
        self.assertTrue(compare.within(89, [100, 110, 104], 0) is False and compare.within(90, [100, 110, 104], 0))
        self.assertTrue(compare.within(132, [100, 100, 100], 32) and not compare.within(133, [100, 100, 100], 32))

    def test_share_leaves_a_run_out_in_turn(self):
        runs = [[10], [11], [12], [13], [30]]
        self.assertEqual(compare.share_within(runs, runs, 0), 4 / 5)  # 30 is far from the others
        self.assertEqual(compare.share_within([[12]], runs, 0), 1)
        self.assertEqual(compare.share_within([[-1000]], runs, 0), 0)


class ComparesPrograms(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.build = pathlib.Path(self.folder.name)
        groups = compare.read_groups(compare.HERE / "metrics.txt")
        self.metrics = {kind: [m for g in groups if g.kind == kind for m in g.metrics] for kind in ("exact", "report", "spread", "cold")}

    def program(self, name, body):
        path = self.build / name
        path.write_text(STAND_IN.format(python=sys.executable, metrics=self.metrics, spread=self.metrics["spread"]) + body)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def stand_ins(self, spoil="value(kernel, metric)"):
        self.program("conformance_app", "")
        self.program("hot_loop", '''
print("NVIDIA Fake (GF00), range profiler: 2 metrics, 1 pass, 2 rounds")
s, g = value("saxpy", "smsp__inst_executed.sum"), value("gather", "smsp__inst_executed.sum")
print("range     count  metric                        value  unit")
print(f"frame         1  smsp__warps_launched.sum  {4 * 32768:,}  warp")
print(f"                 smsp__inst_executed.sum   {3 * s + g:,}  instruction")
print(f"  saxpy       3  smsp__inst_executed.sum   {3 * s:,}  instruction")
print(f"                 gpu__time_duration.sum    5,120.5  ns")
print(f"  gather      1  smsp__inst_executed.sum   {g:,}  instruction")
print("frame/saxpy: 4 sectors/request, coalesced")''')
        self.program("conformance", '''
kinds = sys.argv[sys.argv.index("--kinds") + 1].split(",")
print("about,device,NVIDIA Fake")
for kernel in kernels: print(f"kernel,{kernel},32768")
for kind in kinds:
    for metric in metrics[kind]:
        for mode in ("user", "kernel"):
            for kernel in kernels: print("value", mode, 0, kernel, metric, "%%.17g" %% (%s), sep=",")
            print(f"value,{mode},0,suite,{metric},{sum(value(kernel, metric) for kernel in kernels):.17g}")
''' % spoil)
        return self.program("ncu", '''
if "--version" in sys.argv: print("Version 1.2.3"); sys.exit()
names = sys.argv[sys.argv.index("--metrics") + 1].split(",")
repeat = int(sys.argv[sys.argv.index("--repeat") + 1])
cold = "--evict" not in sys.argv and set(names) <= set(metrics["cold"])
if sys.argv[sys.argv.index("--cache-control") + 1] != ("all" if cold else "none"): sys.exit("caches?")
print("==PROF== Connected")
print(",".join(f'"{word}"' for word in ["ID", "Kernel Name", *names]))
print(",".join('""' for _ in range(2 + len(names))))
for i in range(repeat * len(kernels)):
    kernel = kernels[i % len(kernels)]
    print(",".join(f'"{word}"' for word in [i, kernel, *(f"{value(kernel, m):,}" for m in names)]))
''')

    def compare(self, ncu, environment=None, more=()):
        out = self.build / "report.txt"
        done = subprocess.run([sys.executable, compare.HERE / "compare.py", "--build", self.build, "--out", out, "--ncu", ncu, *more],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, env=environment)
        return done, out.read_text() if out.exists() else ""

    def test_equal_counters_pass(self):
        done, text = self.compare(self.stand_ins())
        self.assertEqual(done.returncode, 0, done.stderr + text)
        self.assertIn(f"{24 * len(self.metrics['exact'])} cells equal", text)
        self.assertIn("hot_loop: 4 values equal, 0 different", text)
        self.assertRegex(text, r"PASSED: \d+ equal, 0 different, 0 without a value, 0 unstable, 0 problems")
        for metric in self.metrics["spread"]:
            self.assertRegex(text, re.escape(metric) + r": ncu's own runs \d+%, kernel ranges \d+% ")

    def test_one_more_in_one_kernel_fails_and_is_named(self):
        spoil = 'value(kernel, metric) + (mode == "kernel" and kernel == "gather" and metric == "smsp__inst_executed.sum")'
        done, text = self.compare(self.stand_ins(spoil))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(text, r"gather  smsp__inst_executed.sum: ncu 2,000,029, gpuprof user ranges 2,000,029, kernel ranges 2,000,030")
        self.assertIn("FAILED: ", text)

    def test_bytes_elsewhere_than_ncu_are_named(self):
        spoil = 'value(kernel, metric) + (100000 if metric == "dram__bytes_read.sum" else 0)'
        _, text = self.compare(self.stand_ins(spoil))
        self.assertRegex(text, r"dram__bytes_read.sum: ncu's own runs \d+%, kernel ranges 0% \(NOT as ncu; ")

    def test_cold_caches_are_compared_by_user_ranges_with_an_ncu_that_flushes(self):
        done, text = self.compare(self.stand_ins(), more=["--cold"])
        self.assertEqual(done.returncode, 0, done.stderr + text)
        self.assertIn(f"PASSED: {len(self.metrics['cold'])} as ncu, 0 not, 0 problems", text)
        self.assertRegex(text, r"dram__bytes_write.sum: ncu's own runs \d+%, user ranges \d+% \(as ncu; ")
        spoil = 'value(kernel, metric) + (100000 if metric == "dram__bytes_write.sum" else 0)'
        done, text = self.compare(self.stand_ins(spoil), more=["--cold"])
        self.assertEqual(done.returncode, 1)
        self.assertRegex(text, r"dram__bytes_write.sum: ncu's own runs \d+%, user ranges 0% \(NOT as ncu; ")
        self.assertIn(f"FAILED: {len(self.metrics['cold']) - 1} as ncu, 1 not", text)

    def test_ncu_without_a_table_fails_with_its_last_words(self):
        self.stand_ins()
        ncu = self.program("ncu", 'print("==ERROR== ERR_NVGPUCTRPERM"); sys.exit(1)')
        done, _ = self.compare(ncu)
        self.assertEqual(done.returncode, 1)
        self.assertIn("ERR_NVGPUCTRPERM", done.stderr)

    def test_no_ncu_is_skipped(self):
        self.stand_ins()
        done, _ = self.compare(self.build / "no_such_ncu")
        self.assertEqual((done.returncode, done.stdout[:8]), (compare.SKIPPED, "skipped:"))


if __name__ == "__main__":
    unittest.main()
