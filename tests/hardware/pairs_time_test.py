#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pairs_time.py on files written here."""
import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pairs_time

LIST = """name,expected,held_back,bad_kernel,mended_kernel,ncu,gpuprof
near,tail_effect,4,bad_near,mended_near,"",
other,tail_effect,5,bad_other,mended_other,"",
elsewhere,tail_effect,0,bad_elsewhere,mended_elsewhere,"",
fill,none,8,,clean_fill,"",
"""
METRICS = ",".join(pairs_time.METRICS)
VALUES = f"""kernel,{METRICS}
bad_near,10000,50,1000,480000,0
mended_near,5000,80,1000,4800000,0
bad_other,10000,50,1000,0,0
mended_other,10000,50,1000,0,0
bad_elsewhere,10000,50,1000,0,0
clean_fill,1000,20,1000,0,4800000
"""
MODEL = f"""kernel,caches,low,high,bound,{METRICS}
bad_near,left,6000,18000,L2,11000,55,1000,0,0
bad_near,empty,9000,30000,DRAM,20000,60,1000,4800000,0
mended_near,left,1000,4000,L2,2000,40,1000,0,0
mended_near,empty,3000,9000,DRAM,6000,84,1050,4800000,0
bad_other,left,5000,17000,issue,10000,50,2000,0,0
clean_fill,empty,500,1800,DRAM,1000,10,1000,0,4800000
"""
VALUES_HERE = ", ".join(f'"{metric}": {value}' for metric, value in zip(pairs_time.METRICS, (7000, 80, 1000, 4800000, 0)))
# In place of the command: a JSON file of the pair's mended kernel, nothing for the pair "other".
COMMAND = """#!/bin/sh
for each; do test "$each" = other && exit 1; done
while test "$1" != --output; do shift; done
cat > "$2" <<EOF
{"ranges": [{"name": "mended_near<<<(1, 1, 1), (32, 1, 1)>>>", "values": {%s}}, {"name": "warm_up<<<1, 1>>>", "values": {}}],
"times": [{"name": "mended_near<<<(1, 1, 1), (32, 1, 1)>>>", "low": 1, "high": 2, "bound": "issue"}, {"name": "warm_up<<<1, 1>>>", "low": 1, "high": 2, "bound": "launch"}]}
EOF
""".replace("%s", VALUES_HERE)


class PairsTime(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.list, self.values, self.model = (self.write(*each) for each in (("l", LIST), ("v", VALUES), ("m", MODEL)))

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def lines(self, *arguments, status=0):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            self.assertEqual(pairs_time.main(self.list, self.values, *arguments), status)
        return said.getvalue().splitlines()

    def test_takes_the_run_that_moves_as_many_bytes(self):
        lines = self.lines(self.model)
        self.assertIn("bad_near | left | L2 | yes | 10.00 | 11.00 | +10% | yes | 50.0 | 55.0 | +10%", lines)
        self.assertIn("mended_near | empty | DRAM | yes | 5.00 | 6.00 | +20% | yes | 80.0 | 84.0 | +5%", lines)

    def test_says_whose_counts_are_not_the_gpus(self):
        self.assertIn("bad_other | left | issue | no | 10.00 | 10.00 | +0% | yes | 50.0 | 50.0 | +0%", self.lines(self.model))

    def test_leaves_out_what_another_gpu_measured(self):
        self.assertFalse([line for line in self.lines(self.model) if "elsewhere" in line])

    def test_adds_up_both_parts(self):
        totals = [line for line in self.lines(self.model) if "mean error" in line]
        count = lambda part: sum(int(line.split(": ")[1].split()[0]) for line in totals if line.startswith(f"{part}:"))
        self.assertEqual(count("two thirds") + count("the other third"), 4)
        kept_back = sum(pairs_time.is_kept_back(name) * size for name, size in (("near", 2), ("other", 1), ("fill", 1)))
        self.assertEqual(count("the other third"), kept_back)

    def test_runs_what_is_missing(self):
        command = self.write("command", COMMAND)
        os.chmod(command, 0o755)
        model = os.path.join(self.folder.name, "new")
        self.assertIn("mended_near | left | issue | yes | 5.00 | 7.00 | +40% | NO | 80.0 | 80.0 | +0%", self.lines(model, command, "pairs"))
        with open(model, encoding="utf-8") as file:
            rows = file.read().splitlines()
        self.assertEqual([row.split(",")[:2] for row in rows[1:]], [["mended_near", "left"], ["mended_near", "empty"]])

    def test_fails_if_nothing_was_compared(self):
        self.lines(self.write("empty", MODEL.splitlines()[0] + "\n"), status=1)


if __name__ == "__main__":
    unittest.main()
