#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""compare_sections.py, without a GPU."""
import collections
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import compare_sections
from compare_sections import Row, Sections

KERNELS = ["saxpy", "gather", *(f"kernel{i}" for i in range(22))]
COUNT = Row("speed", "a__count.sum", "", "Count")
RATE = Row("speed", "b__rate.avg", "", "Rate")
QUOTIENT = Row("speed", "a__count.sum", "b__rate.avg", "Count per rate")


def own(index, value):
    run = Sections("")
    for kernel in KERNELS:
        run.values[kernel, index].append(value(kernel))
    return run


def ncu(**metrics):
    found = collections.defaultdict(list)
    for kernel in KERNELS:
        for metric, value in metrics.items():
            found[kernel, metric.replace("_DOT_", ".")].append(value(kernel))
    return found


def judged(row, ncu_values, own_values):
    metric = row.metric.replace(".", "_DOT_")
    return compare_sections.judge(row, 0, KERNELS, [ncu(**{metric: each}) for each in ncu_values], [own(0, each) for each in own_values])


class Judges(unittest.TestCase):
    def test_counts_to_the_unit(self):
        same = judged(COUNT, [lambda k: 1000] * 3, [lambda k: 1000] * 2)
        self.assertEqual(same[:3], ("equal", 24, 24))
        other = judged(COUNT, [lambda k: 1000] * 3, [lambda k: 1001 if k == "gather" else 1000] * 2)
        self.assertEqual(other[:3], ("as ncu", 24, 23))
        self.assertEqual(judged(COUNT, [lambda k: 1000] * 3, [lambda k: 1001 if k.startswith("kernel1") else 1000] * 2)[0], "NOT as ncu")
        self.assertEqual(other[5], ["gather: ncu 1,000, gpuprof 1,001"])

    def test_rates_within_the_spread(self):
        spread = [lambda k: 10.5, lambda k: 11.25, lambda k: 12.75]
        self.assertEqual(judged(RATE, spread, [lambda k: 11, lambda k: 12])[0], "as ncu")
        self.assertEqual(judged(RATE, spread, [lambda k: 20, lambda k: 21])[0], "NOT as ncu")

    def test_quotients_are_of_both_metrics_of_one_run(self):
        runs = [ncu(a__count_DOT_sum=lambda k: 30, b__rate_DOT_avg=lambda k: 10) for _ in range(3)]
        self.assertEqual(compare_sections.judge(QUOTIENT, 0, KERNELS, runs, [own(0, lambda k: 3)])[0], "as ncu")
        self.assertEqual(compare_sections.judge(QUOTIENT, 0, KERNELS, runs, [own(0, lambda k: 4)])[0], "NOT as ncu")

    def test_what_one_lacks_is_not_compared(self):
        self.assertEqual(judged(COUNT, [lambda k: 1] * 3, [])[0], "not compared")


class Reads(unittest.TestCase):
    def test_lines_of_sections(self):
        read = Sections("about,chip,GH100\nkernel,saxpy,5\nset,full,441,30\nrow,0,speed,a__count.sum,,Count\n"
                        "value,0,saxpy,0,7\nvalue,1,saxpy,0,8\nmissing,saxpy,1,none\nproblem,,pass 2 failed\n")
        self.assertEqual((read.kernels, read.rows, read.sets), (["saxpy"], [COUNT], {"full": (441, 30)}))
        self.assertEqual((read.values["saxpy", 0], read.missing["saxpy", 1], read.problems), ([7, 8], "none", [" pass 2 failed"]))


if __name__ == "__main__":
    unittest.main()
