#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cutlass.py, without a GPU and without CUTLASS: its tables, and a stand-in for gpuprof that runs stand-ins for programs."""
import argparse
import json
import pathlib
import re
import struct
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import cutlass

# Does as `gpuprof run` does: the table of launches goes to --output, the program's output and status are its own.
GPUPROF = '''#!{python}
import json, pathlib, subprocess, sys
program = sys.argv[sys.argv.index("--") + 1:]
if "--output" in sys.argv:
    world = json.loads(pathlib.Path({world!r}).read_text())[pathlib.Path(program[0]).name]
    metrics = sys.argv[sys.argv.index("--metrics") + 1].split(",")
    ranges = [{{"name": name, "values": {{metric: world.get("values", {{}}).get(metric, 7) for metric in metrics}}}} for name in world["launches"]]
    pathlib.Path(sys.argv[sys.argv.index("--output") + 1]).write_text(json.dumps({{"ranges": ranges}}))
sys.exit(subprocess.run(program).returncode)
'''
# Googletest's list and what it says of one test.
PROGRAM = '''#!{python}
import pathlib, sys, time
tests = {tests!r}
if sys.argv[1] == "--gtest_list_tests":
    print("Running main() from here\\nSuite.")
    print("\\n".join("  " + name for name in tests))
else:
    how = tests[sys.argv[1].split("Suite.")[1]]
    if how.startswith("gpuprof: "):
        print(how, file=sys.stderr)
        how = "hangs" if how.endswith("hangs") else "passes"
    if how == "hangs": time.sleep(100)
    print("[  " + ("PASSED" if how == "passes" else "SKIPPED" if how == "skips" else "FAILED") + "  ] 1 test.")
    if how == "fails": print("gemm.cu:7: Failure")
    sys.exit(how == "fails")
'''
LAUNCH = "void f<int>(int)<<<(4, 1, 1), (32, 1, 1)>>>"


class RunsTests(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.world, self.names = {}, []
        self.write("gpuprof", GPUPROF, world=str(self.folder / "world.json"))

    def write(self, name, text, **words):
        path = self.folder / name
        path.write_text(text.format(python=sys.executable, **words), encoding="utf-8")
        path.chmod(0o755)

    def program(self, name, tests, launches=(LAUNCH,), **more):
        self.write(name, PROGRAM, tests=tests)
        self.world[name] = {"launches": list(launches), **more}
        self.names.append(name)
        (self.folder / "world.json").write_text(json.dumps(self.world), encoding="utf-8")
        (self.folder / "programs.txt").write_text("".join(f"{each} 3\n" for each in self.names), encoding="utf-8")

    def run_all(self, **changed):
        options = argparse.Namespace(folder=self.folder, names=[], results="ran.json", jobs=2, tests=2, seconds_each=2, wait=False, check="",
                                     gpuprof=self.folder / "gpuprof", end=time.monotonic() + 60)
        vars(options).update(changed)
        cutlass.run(options)
        return {name: {test: each["ended"] for test, each in told["ran"].items()} for name, told in cutlass.read_json(self.folder / "ran.json").items()}

    def test_a_test_has_passed_if_googletest_says_so_and_a_kernel_ran(self):
        self.program("one", {"a": "passes", "b": "fails", "c": "passes"})
        self.program("two", {"a": "passes"}, launches=[])
        self.program("three", {"a": "skips", "b": "hangs"})
        self.assertEqual(self.run_all(), {"one": {"Suite.a": "passed", "Suite.b": "failed (status 1): gemm.cu:7: Failure"},
                                          "two": {"Suite.a": "launched no kernel"},
                                          "three": {"Suite.a": "skipped itself", "Suite.b": "not finished"}})

    def test_a_second_run_goes_on_where_the_first_was(self):
        self.program("one", {"a": "passes", "b": "passes", "c": "passes"})
        self.run_all(tests=1)
        first = cutlass.read_json(self.folder / "ran.json")["one"]["ran"]["Suite.a"]
        self.run_all(tests=3)
        told = cutlass.read_json(self.folder / "ran.json")["one"]
        self.assertEqual(told["ran"]["Suite.a"], first)
        self.assertEqual(sorted(told["ran"]), ["Suite.a", "Suite.b", "Suite.c"])

    def test_a_program_that_was_not_run_or_failed_once_has_not_passed(self):
        told = {"one": {"tests": ["a", "b", "c"], "ran": {"a": {"ended": "passed", "seconds": 1}, "b": {"ended": "passed", "seconds": 1}}},
                "two": {"tests": ["a", "b"], "ran": {"a": {"ended": "passed", "seconds": 1}, "b": {"ended": "failed (status 1): x", "seconds": 2}}}}
        lines, met = cutlass.tests_table(told, {"one": 3, "two": 2, "three": 1}, "here")
        self.assertIn("1 of 3 programs passed, 33.3% (at least 90%): MISSED", lines)
        self.assertIn("3 of 4 tests passed; 1 failed", lines)
        self.assertFalse(met)
        self.assertTrue(cutlass.tests_table(told, {"one": 3}, "here")[1])


    def test_checks_take_the_first_test_alone_and_keep_what_was_found_before_it_was_stopped(self):
        finding = lambda end: f"gpuprof: race: kernel f<a, b::c>, CTA (0, 0, 0), thread (1, 0, 0), PTX line 9, /a/copy.hpp:5: read{end}"
        self.program("one", {"a": finding("; and CTA (0, 0, 0), thread (0, 0, 0), PTX line 7, fill.hpp:3: write"), "b": "fails"})
        self.program("two", {"a": finding(": hangs")})
        self.program("three", {"a": "passes"})
        options = argparse.Namespace(folder=self.folder, names=[], jobs=2, seconds_each=2, wait=False, check="", gpuprof=self.folder / "gpuprof",
                                     end=time.monotonic() + 60)
        cutlass.check(options)
        told = {name: [[each["ended"], each["found"]] for each in of["ran"].values()]
                for name, of in cutlass.read_json(self.folder / "checked.json").items()}
        self.assertEqual(told, {"one": [["passed", [["race", "copy.hpp:5", "fill.hpp:3", 1]]]],
                                "two": [["not finished", [["race", "copy.hpp:5", "", 1]]]], "three": [["passed", []]]})


class JudgesFindings(unittest.TestCase):
    KNOWN = [("p.*", "race", "copy.hpp", "fill.hpp:7", "gemm.cu:3", "no barrier"), ("q", "illegal address", "copy.hpp", "", "load.cu:4", "too small")]

    def table(self, found, ended="passed", **more):
        told = {name: {"ran": {"a": {"ended": ended, "found": findings, **more}}} for name, findings in found.items()}
        lines, met = cutlass.checks_table(told, {"p1": 3, "q": 1, "r": 1}, self.KNOWN, "here")
        return "\n".join(lines), met

    def test_what_the_list_says_is_so(self):
        text, met = self.table({"p1": [["race", "copy.hpp:5", "fill.hpp:7", 4]], "q": [["illegal address", "copy.hpp:1", "", 1]], "r": []})
        self.assertTrue(met)
        self.assertIn("3 programs, 2 with findings; 5 of 5 findings are so, 0 false or not judged: met", text)
        self.assertIn("    so, gemm.cu:3: no barrier", text)
        self.assertIn("4 race (passed)", text)
        self.assertIn("nothing found (passed)", text)

    def test_another_program_kind_or_place_is_not_judged(self):
        for name, finding in (("r", ["race", "copy.hpp:5", "fill.hpp:7", 1]), ("p1", ["barrier", "copy.hpp:5", "fill.hpp:7", 1]),
                              ("p1", ["race", "copy.hpp:5", "fill.hpp:8", 1]), ("p1", ["race", "gemm.cu:5", "fill.hpp:7", 1]),
                              ("p1", ["race", "", "", 1])):
            text, met = self.table({name: [finding, ["illegal address", "copy.hpp:1", "", 1]] if name == "q" else [finding]})
            self.assertFalse(met)
            self.assertIn("0 of 1 findings are so, 1 false or not judged: MISSED", text)
            self.assertIn(f"    NOT JUDGED: {finding[0]}", text)

    def test_programs_that_were_not_run_are_not_counted(self):
        text, met = self.table({"p1": []}, ended="not finished", limit=250)
        self.assertTrue(met)
        self.assertIn("1 of 3 programs were run, 1 of them not to the end", text)
        self.assertIn("nothing found (not finished in 250 s)", text)
        self.assertEqual(text.count("not run"), 2)
        self.assertFalse(self.table({})[1])

    def test_the_list_has_what_a_judgement_needs(self):
        known = cutlass.judgements(HERE / "cutlass_findings.txt")
        self.assertTrue(known)
        for each in known:
            self.assertEqual(len(each), 6, each)
            re.compile(each[0])
            self.assertTrue(each[2] and each[4] and each[5], each)


class ComparesCounters(unittest.TestCase):
    def table(self, here, there, launches=1, kernels=40):
        names = [f"f{number}" for number in range(kernels)]
        values = lambda changed: {metric: changed.get(metric, 5) for metric in cutlass.METRICS}
        place = "<<<(4, 1, 1), (32, 1, 1)>>>"
        told = {"p": {"counted": {name + place: values(here) for name in names}}}
        profiled = {"device": "a GPU", "programs": {"p": {"test": "a", "launches": [[name, place, values(there)] for name in names] * launches}}}
        return cutlass.counters_table(told, profiled, ["p"])

    def test_equal_counters_meet_every_target(self):
        lines, met = self.table({}, {})
        self.assertTrue(met)
        self.assertIn("40 kernels (at least 30): met", lines)
        self.assertFalse(self.table({}, {}, kernels=29)[1])

    def test_a_product_or_a_copy_more_misses_whatever_else_is_equal(self):
        for metric in (cutlass.PRODUCTS[0], cutlass.COPIES[0]):
            lines, met = self.table({metric: 6}, {metric: 5})
            self.assertFalse(met)
            self.assertTrue(any(metric in line and line.split()[-2:] == ["5", "6"] for line in lines))

    def test_cells_in_which_both_sides_count_nothing_are_none(self):
        zero = dict.fromkeys(cutlass.EXACT, 0)
        self.assertTrue(any(line.startswith("exact group: 0 of 0 cells") for line in self.table(zero, zero)[0]))
        self.assertFalse(self.table(zero, zero)[1])

    def test_a_launch_is_found_by_its_name_or_as_the_only_one_alike(self):
        counted = {"void f<(A)1>(int)<<<g>>>": 1, "void h<1>(int)<<<g>>>": 2, "void h<2>(int)<<<g>>>": 3}
        self.assertEqual(cutlass.alike("void f<A::b>(int)", "<<<g>>>", counted), 1)
        self.assertEqual(cutlass.alike("void h<2>(int)", "<<<g>>>", counted), 3)
        self.assertIsNone(cutlass.alike("void h<3>(int)", "<<<g>>>", counted))
        self.assertIsNone(cutlass.alike("void f<A::b>(int)", "<<<k>>>", counted))


class Packs(unittest.TestCase):
    def test_only_machine_code_is_taken_out(self):
        entry = lambda kind, payload: struct.pack("<HHIQ", kind, 0x101, 64, len(payload)) + bytes(48) + payload
        images = entry(1, b"ptx text") + entry(2, b"machine code8888")
        program = b"ELF" + struct.pack("<IHHQ", 0xba55ed50, 1, 16, len(images)) + images + b"the rest"
        expected = program.replace(b"machine code8888", bytes(16)).replace(struct.pack("<HHIQ", 2, 0x101, 64, 16), struct.pack("<HHIQ", 0, 0x101, 64, 16))
        self.assertEqual(cutlass.without_machine_code(program), expected)


if __name__ == "__main__":
    unittest.main()
