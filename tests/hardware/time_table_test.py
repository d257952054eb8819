#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""time_table.py on files written here."""
import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import time_table

HARDWARE = """name,unit,by_events,by_clock,spread,parameters
latency_ffma,cycles,4.5,4.0,0.0100,"one warp, a chain"
latency_lds,cycles,30,30,0.0000,"a load, no conflict"
dispatch_block_32,CTAs/ns,2.0,,0.0500,"empty CTAs"
ramp_full,ns,,600,0.1000,"by a clock"
idle,us,0,,0.0000,"nothing"
"""
MODEL = """name,unit,by_events,by_clock,spread,parameters
latency_ffma,cycles,5.0,,0.0000,"one warp, a chain"
latency_lds,cycles,24,,0.0000,"a load, no conflict"
dispatch_block_32,CTAs/ns,300,,0.0000,"empty CTAs"
idle,us,1,,0.0000,"nothing"
"""


class Tables(unittest.TestCase):
    def setUp(self):
        self.hardware = time_table.read_rows(HARDWARE)
        self.model = time_table.read_rows(MODEL)

    def test_clock_is_taken_before_events_and_the_model_by_events(self):
        lines = time_table.table(self.hardware, self.model)
        self.assertEqual(lines[1], "latency_ffma | cycles | 4 | 1.0 % | 5 | +25 | one warp, a chain")
        self.assertEqual(lines[2], "latency_lds | cycles | 30 | 0.0 % | 24 | -20 | a load, no conflict")
        self.assertEqual(lines[3], "dispatch_block_32 | CTAs/ns | 2 | 5.0 % | 300 | +14900 | empty CTAs")
        self.assertEqual(lines[4], "ramp_full | ns | 600 | 10.0 % | - | - | by a clock")
        self.assertEqual(lines[5], "idle | us | 0 | 0.0 % | 1 | - | nothing")  # nothing to divide by

    def test_mechanisms_are_summed_up(self):
        lines = time_table.table(self.hardware, self.model)
        self.assertEqual(lines[6:], ["", "mechanism | rows | median of |off| [%] | worst | in 15 %", "latency | 2 | 22 | +25 | 0",
                                     "dispatch | 1 | 14900 | +14900 | 0", "all | 3 | 25 | +14900 | 0"])

    def test_without_hardware_the_column_says_so(self):
        lines = time_table.table({}, self.model)
        self.assertEqual(lines[1], "latency_ffma | cycles | not measured yet | - | 5 | - | one warp, a chain")
        self.assertEqual(len(lines), 5)

    def test_what_a_side_lacks_is_told(self):
        self.assertEqual(time_table.missing(self.hardware, self.model), [])  # ramp_full has only a clock
        del self.model["latency_lds"]
        del self.hardware["idle"]
        self.assertEqual(time_table.missing(self.hardware, self.model), ["not on the hardware: idle", "not in the model: latency_lds"])
        self.assertEqual(time_table.missing({}, self.model), [])

    def test_a_name_that_stands_twice_is_refused(self):
        with self.assertRaises(ValueError):
            time_table.read_rows(MODEL + 'idle,us,1,,0.0000,"nothing"\n')

    def test_status(self):
        def run(**files):
            with tempfile.TemporaryDirectory() as folder:
                for name, text in files.items():
                    with open(os.path.join(folder, name + ".csv"), "w", encoding="utf-8") as file:
                        file.write(text)
                with contextlib.redirect_stdout(io.StringIO()) as told:
                    return time_table.main(folder), told.getvalue()
        self.assertEqual(run(hardware=HARDWARE, model=MODEL)[0], 0)
        status, told = run(model=MODEL)
        self.assertEqual(status, 0)
        self.assertTrue(told.startswith("hardware: not measured yet\n"))
        self.assertTrue(told.endswith("4 benchmarks\n"))
        self.assertEqual(run(hardware=HARDWARE.replace("idle", "busy"), model=MODEL)[0], 1)
        self.assertEqual(run()[0], 1)


if __name__ == "__main__":
    unittest.main()
