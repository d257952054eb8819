#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ranking.py on files written here."""
import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ranking

LIST = """name,expected,held_back,bad_kernel,mended_kernel,ncu,gpuprof
half,thread_divergence,3,bad_half,mended_half,"",
worse,tail_effect,4,bad_worse,mended_worse,"",
even,tail_effect,4,bad_even,mended_even,"",
slow,tail_effect,4,bad_slow,mended_slow,"",
fill,none,4,,clean_fill,"",
"""
TIME = """name,bad_us,mended_us,bad_spread,mended_spread,samples,bad_batch,mended_batch
half,100.0,50.0,0.01,0.01,21,1,1
worse,10.0,20.0,0.01,0.01,21,6,6
even,10.5,10.0,0.01,0.01,21,6,6
slow,9.0,3.0,0.01,0.01,21,6,6
fill,20.0,20.0,0.01,0.01,21,0,1
"""
MODEL = """kernel,ns
bad_half,90000
mended_half,60000
bad_worse,12000
mended_worse,11000
bad_even,10000
mended_even,10000
bad_slow,9000
"""
# In place of the command: writes a table with twice the time for the bad kernel, and fails for one pair.
COMMAND = """#!/bin/sh
test "${11}" = worse && exit 1
printf 'range,count,gpu__time_duration.sum [ns]\\r\\nwarm_up(unsigned int*),1,1500\\r\\n' > "$7"
printf "\\"bad_${11}(float*, int)\\",1,4000\\r\\nmended_${11},1,2000\\r\\n" >> "$7"
"""


class Ranking(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.list, self.time, self.model = (self.write(*each) for each in (("l", LIST), ("t", TIME), ("m", MODEL)))

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def lines(self, *arguments, status=0):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            self.assertEqual(ranking.main(self.list, self.time, *arguments), status)
        return said.getvalue().splitlines()

    def test_the_faster_kernel_is_named_or_not(self):
        lines = self.lines(self.model)
        self.assertEqual(lines[1], "half | thread_divergence | unseen | 100.0 | 50.0 | 2.000 | 1.500 | yes | right")
        self.assertEqual(lines[2], "worse | tail_effect | blind | 10.0 | 20.0 | 0.500 | 1.091 | yes | WRONG")
        self.assertEqual(lines[3], "even | tail_effect | blind | 10.5 | 10.0 | 1.050 | 1.000 | no | WRONG")  # no difference told
        self.assertEqual(lines[4], "slow | tail_effect | blind | 9.0 | 3.0 | 3.000 | - | yes | unknown")
        self.assertEqual(lines[5:], [
            "unseen, times differ by 10 % or more: the faster one named in 1 of 1 (100 %); 0 not run",
            "blind, times differ by 10 % or more: the faster one named in 0 of 1 (0 %); 1 not run",
            "all, times differ by 10 % or more: the faster one named in 1 of 2 (50 %); 1 not run",
            "blind, times differ by less than 10 %: the faster one named in 0 of 1 (0 %); 0 not run",
            "all, times differ by less than 10 %: the faster one named in 0 of 1 (0 %); 0 not run"])

    def test_nothing_compared_is_a_failure(self):
        self.lines(self.write("none", "kernel,ns\n"), status=1)

    def test_pairs_that_are_missing_are_run(self):
        command = self.write("command", COMMAND)
        os.chmod(command, 0o755)
        model = os.path.join(self.folder.name, "new")
        lines = self.lines(model, command, "pairs", "9")
        self.assertTrue(lines[1].endswith("2.000 | 2.000 | yes | right"))
        self.assertTrue(lines[2].endswith("yes | unknown"))  # failed
        with open(self.model, "a", encoding="utf-8") as file:
            file.write("mended_slow,1000\n")
        self.assertTrue(self.lines(self.model, command, "pairs")[4].endswith("3.000 | 9.000 | yes | right"))  # what is known stays


if __name__ == "__main__":
    unittest.main()
