#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""short_launches.py on text written here."""
import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import short_launches


def row(launch, *values):
    return {"launch": launch, **dict(zip(short_launches.SHOWN, values))}


class Tables(unittest.TestCase):
    def test_launches_are_told_by_the_program(self):
        text = "==PROF== Connected\nlaunch,nothing,1,32\n\"ID\",\"x\"\nlaunch,code_16,132,32\n"
        self.assertEqual(short_launches.labels(text), ["nothing,1,32", "code_16,132,32"])

    def test_both_sides_stand_side_by_side(self):
        first, second, _ = short_launches.SHOWN
        lines = short_launches.table("cold", [row("nothing,1,32", "1600", "1.56", "2")], [{first: 1540.0, second: 1.56}])
        self.assertEqual(lines, ["cold | nothing,1,32 | 1600 | 1540 | -4 | 1.56 | 1.56 | +0 | 2 | - | -"])

    def test_a_launch_that_one_side_lacks_is_an_error(self):
        with self.assertRaises(ValueError):
            short_launches.table("cold", [row("nothing,1,32", "1", "1", "1")], [])

    def test_what_a_gpu_said_before_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("cold", "warm"):
                with open(os.path.join(folder, f"{name}.csv"), "w", encoding="utf-8") as file:
                    file.write("launch," + ",".join(short_launches.SHOWN) + '\n"stores,1,256",1696,11.94,3.03\n')
            if short_launches.has_gpu():
                self.skipTest("there is a GPU")
            with contextlib.redirect_stdout(io.StringIO()) as said:
                self.assertEqual(short_launches.main("no program", folder), 0)
            self.assertEqual(said.getvalue().splitlines()[1:], [
                "cold | stores,1,256 | 1696 | - | - | 11.94 | - | - | 3.03 | - | -",
                "warm | stores,1,256 | 1696 | - | - | 11.94 | - | - | 3.03 | - | -"])


if __name__ == "__main__":
    unittest.main()
