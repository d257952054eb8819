#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""l2_counts.py on values written here."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import l2_counts

ALL, MISSES, BARRIERS = "lts__t_sectors.sum", "lts__t_sectors_lookup_miss.sum", "lts__t_sectors_op_membar.sum"
HARDWARE = {"cold": {"empty 1 x 32": {ALL: 4000.0, MISSES: 176.0, BARRIERS: 2954.0}, "code_4k 1 x 32": {ALL: 5000.0, MISSES: 0.0}}, "warm": {}}
MODEL = {"cold": {"empty 1 x 32": {ALL: 4392.0, MISSES: 176.0}, "code_4k 1 x 32": {ALL: 5600.0, MISSES: 0.0}}, "warm": {}}


class Tables(unittest.TestCase):
    def test_kernels_are_held_back_by_their_names(self):
        self.assertFalse(l2_counts.is_held_back("empty 1 x 32"))
        self.assertEqual(l2_counts.is_held_back("empty 1 x 32"), l2_counts.is_held_back("empty 8448 x 32"))
        self.assertTrue(l2_counts.is_held_back("code_4k 1 x 32"))

    def test_cells_are_judged_by_halves(self):
        lines = [line.split() for line in l2_counts.summary(HARDWARE, MODEL)]
        self.assertEqual(lines[1], "cold held back L2 1 0% 0% 12.0%".split())  # a cell of zeros is none
        self.assertEqual(lines[2], "cold looked at L2 2 50% 100% 9.8%".split())
        self.assertEqual(len(lines), 3)

    def test_a_table_can_be_read_again(self):
        lines = l2_counts.table(HARDWARE, MODEL)
        self.assertEqual(lines[0], "cold empty 1 x 32")
        self.assertEqual(lines[1].split(), [ALL, "4,000", "4,392", "+9.8%"])
        self.assertEqual(lines[3].split(), [BARRIERS, "2,954", "-"])
        text = "\n".join(["tests/hardware/l2_counts.py on a GPU, 1.2: Nsight Compute on the left", "", *l2_counts.summary(HARDWARE, MODEL), "", *lines])
        counted, machine = l2_counts.read_table(text)
        self.assertEqual(machine, "a GPU, 1.2")
        del HARDWARE["cold"]["code_4k 1 x 32"][MISSES]  # zeros on both sides are left out
        self.assertEqual(counted, HARDWARE)


if __name__ == "__main__":
    unittest.main()
