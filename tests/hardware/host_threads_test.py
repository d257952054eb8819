#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""host_threads.py, without programs: a stand-in for gpuprof takes as long as a file says, by the number of threads."""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import host_threads

GPUPROF = '''#!{python}
import json, os, pathlib, sys, time
what = json.loads(pathlib.Path({world!r}).read_text())[pathlib.Path(sys.argv[-1]).name]
end = time.monotonic() + what["seconds"] / (int(os.environ["GPUPROF_SIM_THREADS"]) if what["scales"] else 1)
while time.monotonic() < end:
    pass
pathlib.Path(sys.argv[sys.argv.index("--output") + 1]).write_text(json.dumps(
    {{"ranges": [{{"values": {{"smsp__thread_inst_executed.sum": what["instructions"] / 2}}}}] * 2}}))
sys.exit(what.get("status", 0))
'''


class HostThreads(unittest.TestCase):
    def test_quantiles_are_the_survey_s(self):
        self.assertEqual(host_threads.quantile([4, 1, 3, 2], 0.5), 3)
        self.assertEqual(host_threads.quantile(range(20, 0, -1), 0.1), 3)

    def test_goals_are_judged_one_by_one(self):
        lines = host_threads.verdicts("all", [(500, 9), (501, 8), (199, 0.5)])
        self.assertEqual([line.rsplit(": ", 1)[1] for line in lines[1:]], ["met", "not met", "met", "not met"])

    def test_a_third_judges_and_is_not_shown(self):
        names = [f"hecbench/p{i}" for i in range(300)]
        self.assertTrue(70 < sum(host_threads.is_judging("salt", name) for name in names) < 130)
        self.assertFalse(any(host_threads.is_judging(None, name) for name in names))

    def test_programs_are_run_on_one_thread_and_on_many(self):
        shown = next(f"p{i}" for i in range(99) if not host_threads.is_judging("salt", f"p{i}"))
        judging = next(f"p{i}" for i in range(99) if host_threads.is_judging("salt", f"p{i}"))
        world = {shown: {"seconds": 0.8, "scales": True, "instructions": 160e6}, judging: {"seconds": 0.4, "scales": False, "instructions": 80e6},
                 "little": {"seconds": 0, "scales": True, "instructions": 1e6}, "broken": {"seconds": 0, "scales": True, "instructions": 1e9, "status": 3}}
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "world.json").write_text(json.dumps(world))
            (folder / "gpuprof").write_text(GPUPROF.format(python=sys.executable, world=str(folder / "world.json")))
            (folder / "gpuprof").chmod(0o755)
            (folder / "list.txt").write_text("\n".join(world))
            sys.argv = ["host_threads.py", str(folder), "--list", str(folder / "list.txt"), "--out", str(folder / "table.txt"), "--threads", "4",
                        "--judging", "salt", "--beside", "1"]
            with contextlib.redirect_stderr(io.StringIO()):
                self.assertEqual(host_threads.main(), 0)
            table = (folder / "table.txt").read_text()
        rows = [line for line in table.splitlines() if "M/s " in line and " s " in line]
        self.assertEqual([row.split()[-1] for row in rows], [shown])
        self.assertGreater(float(rows[0].split()[-2]), 1.5)
        self.assertIn("left out: 1 programs", table)
        self.assertIn("all, 2 programs:", table)
        self.assertIn("judging, 1 programs:", table)
        self.assertNotIn(f"  {judging}", table)


if __name__ == "__main__":
    unittest.main()
