#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pairs_table.py on files written here."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pairs_table

LIST = """name,expected,held_back,bad_kernel,mended_kernel,ncu,gpuprof
split,thread_divergence,0,bad_split,mended_split,"^ThreadDivergence",thread_divergence lanes
tail,tail_effect,1,bad_tail,mended_tail,"^LaunchConf.*wave",tail_effect
trap,tail_effect,1,bad_trap,mended_trap,"^LaunchConf.*wave",tail_effect
fill,none,0,,clean_fill,"",
"""
TIME = """name,bad_us,mended_us,bad_spread,mended_spread,samples,bad_batch,mended_batch
split,100.0,40.0,0.01,0.01,21,1,1
tail,10.0,9.0,0.01,0.01,21,6,6
trap,10.0,9.9,0.01,0.01,21,6,6
fill,20.0,20.0,0.01,0.01,21,0,1
"""
HEAD = ('"ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type",'
        '"Rule Description","Estimated Speedup Type","Estimated Speedup"')
RULES = "\n".join([
    "==PROF== Disconnected", HEAD,
    '"0","bad_split(float *)","Launch","Duration","ns","1,000","","","","",""',
    '"0","bad_split(float *)","Warps","","","","ThreadDivergence","OPT","lanes, off","global","50.5"',
    '"0","bad_split(float *)","Occ","","","","TheoreticalOccupancy","OPT","few warps","local","80"',
    '"0","bad_split(float *)","Occ","","","","Other","INF","all is well","","90"',
    '"1","mended_split(float *)","Occ","","","","TheoreticalOccupancy","OPT","few warps","local","20"',
    '"2","bad_tail(float *)","Launch","","","","LaunchConfiguration","OPT","a partial\nwave","global","50"',
    '"3","mended_tail(float *)","Launch","Duration","ns","1","","","","",""',
    '"4","clean_fill(float *)","Launch","","","","LaunchConfiguration","OPT","small grid","global","16"',
    '"5","bad_trap(float *)","Launch","Duration","ns","1","","","","",""',
    '"6","mended_trap(float *)","Launch","Duration","ns","1","","","","",""', ""])
RAW = """"ID","Kernel Name","gpu__time_duration.sum"
"","","ns"
"0","bad_split(float *)","2,000"
"1","mended_split(float *)","1,000"
"""


class Tables(unittest.TestCase):
    def setUp(self):
        self.listed = pairs_table.read_csv(LIST)
        self.times = {row["name"]: row for row in pairs_table.read_csv(TIME)}
        self.rules = pairs_table.read_rules(RULES)[0]

    def test_gain_and_what_ncu_says(self):
        lines = pairs_table.table(self.listed, self.times, self.rules, pairs_table.read_durations(RAW))
        self.assertEqual(lines[1], "split | thread_divergence | tune | 100.0 | 40.0 | 60 | 50 | ThreadDivergence | 50 | "
                                   "TheoreticalOccupancy 80 local | TheoreticalOccupancy 20 local")
        self.assertEqual(lines[2], "tail | tail_effect | judge | 10.0 | 9.0 | 10 | - | LaunchConfiguration | 50 | "
                                   "LaunchConfiguration 50 | -")
        self.assertEqual(lines[4], "fill | none | tune | - | 20.0 | - | - | no rule | - | - | LaunchConfiguration 16")
        self.assertEqual(lines[5], "ncu, tune: 1 of 1 flaws named, 0 of them with the largest estimate; estimate off by 9.5 points in "
                                   "the median, 10 at worst, more than 20 in 0 of 1; 2 of 2 kernels without a flaw with an "
                                   "estimate of 15 or more")
        self.assertIn("ncu without local estimates, tune: 1 of 1 flaws named, 1 of them", lines[6])
        self.assertIn("1 of 2 kernels without a flaw", lines[6])
        self.assertIn("ncu, judge: 1 of 1 flaws named, 1 of them", lines[7])
        self.assertIn("0 of 3 kernels without a flaw", lines[7])  # two mended ones and the trap

    def test_groups_have_lines_of_their_own(self):
        listed = [dict(row, held_back=group) for row, group in zip(self.listed, ("3", "5", "4", "6"))]
        lines = pairs_table.table(listed, self.times, self.rules)
        self.assertEqual([line.split(" | ")[2] for line in lines[1:5]], ["unseen", "sealed", "blind", "closed"])
        self.assertTrue(any(line.startswith("ncu, blind: 0 of 0 flaws named") for line in lines))  # a trap

    def test_a_finding_that_a_change_confirmed_is_not_false(self):
        listed = self.listed + [dict(self.listed[1], name="split_again", held_back="7", bad_kernel="bad_split_again",
                                     mended_kernel="mended_split_again")]
        own = {"mended_split": [{"id": "tail_effect", "likely": 30, "estimate": [20, 40]}]}
        for mended_us, text in (("75.0", "0 of 2 kernels without a flaw with an estimate of 15 or more, 1 more of which"),
                                ("95.0", "1 of 2 kernels without a flaw with an estimate of 15 or more")):
            times = dict(self.times, split_again=dict(self.times["split"], mended_us=mended_us))
            lines = pairs_table.table(listed, times, own=own)
            self.assertTrue(any(line.startswith("gpuprof, tune") and text in line for line in lines))
            self.assertFalse(any("again:" in line for line in lines))
        other = [dict(row, gpuprof="tiny_blocks") if row["name"] == "split_again" else row for row in listed]
        times["split_again"]["mended_us"] = "75.0"
        self.assertTrue(any("1 of 2 kernels" in line for line in pairs_table.table(other, times, own=own)))

    def test_what_ncu_says_is_confirmed_by_a_change_that_its_pattern_names(self):
        for pattern, text in (("^TheoreticalOccupancy", "1 of 2 kernels without a flaw with an estimate of 15 or more, 1 more"),
                              ("^ThreadDivergence", "2 of 2 kernels without a flaw with an estimate of 15 or more"),
                              ("", "2 of 2 kernels without a flaw with an estimate of 15 or more")):
            listed = self.listed + [dict(self.listed[1], name="split_again", held_back="7", ncu=pattern,
                                         bad_kernel="bad_split_again", mended_kernel="mended_split_again")]
            times = dict(self.times, split_again=dict(self.times["split"], mended_us="75.0"))
            lines = pairs_table.table(listed, times, self.rules)
            self.assertTrue(any(line.startswith("ncu, tune") and text in line for line in lines))

    def test_findings_of_gpuprof(self):
        said = lambda name, likely: {"id": name, "likely": likely, "estimate": [likely - 6, likely + 6]}
        own = {"bad_split": [said("other", 10), said("lanes", 56)], "bad_tail": [said("other", 3)],
               "bad_trap": [said("tail_effect", 16)], "mended_tail": [said("other", 14)]}
        lines = pairs_table.table(self.listed, self.times, own=own)
        self.assertTrue(lines[1].endswith("| yes | 56 (50 to 62) | lanes 56 | -"))
        self.assertTrue(lines[2].endswith("| no | - | other 3 | other 14"))
        self.assertEqual(lines[5], "gpuprof, tune: 1 of 1 flaws named, 1 of them with the largest estimate; estimate off by 4.0 "
                                   "points in the median, 4 at worst, more than 20 in 0 of 1; gain within the interval in 1 of 1; "
                                   "0 of 2 kernels without a flaw with an estimate of 15 or more")
        self.assertEqual(lines[6], "gpuprof, judge: 0 of 1 flaws named, 0 of them with the largest estimate; 1 of 3 kernels without "
                                   "a flaw with an estimate of 15 or more")

    def test_kernels_that_are_missing_are_told(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("list.csv", LIST), ("time.csv", TIME), ("ncu_rules.csv", RULES), ("ncu_raw.csv", RAW)):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            self.assertEqual(pairs_table.main(folder), 0)
            with open(os.path.join(folder, "ncu_rules.csv"), "w", encoding="utf-8") as file:
                file.write(RULES.replace('"4","clean_fill', '"4","clean_other'))
            self.assertEqual(pairs_table.main(folder), 1)


if __name__ == "__main__":
    unittest.main()
