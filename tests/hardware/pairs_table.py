#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What profilers advise for the pairs of kernels in pairs/, beside the gain that the mended kernel achieved: see pairs.sh.

    pairs_table.py FOLDER    with list.csv and time.csv; ncu_rules.csv, ncu_raw.csv and gpuprof.json if they are there

A gain is 1 - mended / bad of the times, in per cent. An estimate is what a rule says could be gained, in per cent of the time;
"local" ones are of a part of the GPU only. gpuprof.json, by tests/explain/pair_findings.cpp, has the third source:
    {"KERNEL": [{"id": "thread_divergence", "likely": 48.7, "estimate": [36.0, 74.3]}, …], …}
in per cent; list.csv says which ids name a planted flaw. A pair whose gain is less than 3 % either way planted no flaw that
matters: it is a trap, in which no estimate of 15 or more may be made.
A pair NAME_again of the group "again" does what a finding says of mended_NAME or clean_NAME, NAME_again_2 what another one says. If
that saves what the finding says at least, the finding is confirmed, and not counted as false; of a trap, whose kernels take as long as
each other, that of bad_NAME, too. These pairs are not counted themselves.
Exit status 0 if every kernel was timed and, if ncu was asked, every kernel has been profiled exactly once."""
import csv
import json
import os
import re
import statistics
import sys

LOUD = 15  # per cent: an estimate that a reader would follow
TRAP = 3  # per cent: a gain that does not matter
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "pairs", "groups.txt"), encoding="utf-8") as listed_groups:
    HALVES = tuple(json.loads(f"[{listed_groups.read()}]"))  # by the column held_back of list.csv


def read_csv(text):
    """Rows as dictionaries; lines of a profiler (==PROF==) and blank ones are left out."""
    lines = [line for line in text.splitlines(keepends=True) if line.strip() and not line.startswith("==")]
    return list(csv.DictReader(lines))


def number(text):
    """Of 1,234.5 or nothing."""
    try:
        return float(text.replace(",", ""))
    except (AttributeError, ValueError):
        return None


def read_rules(text):
    """{kernel: [(name, type, text, estimate or None, "local" or "global" or "")]} and {kernel: number of profiles}."""
    rules, ids = {}, {}
    for row in read_csv(text):
        kernel = (row["Kernel Name"] or "").split("(")[0]
        ids.setdefault(kernel, set()).add(row["ID"])
        if row.get("Rule Name"):
            rules.setdefault(kernel, []).append((row["Rule Name"], row["Rule Type"], row["Rule Description"] or "",
                                                 number(row.get("Estimated Speedup")),
                                                 row.get("Estimated Speedup Type") or ""))
    return rules, {kernel: len(each) for kernel, each in ids.items()}


def read_durations(text):
    """{kernel: microseconds}; the row after the names has the units."""
    in_us = {"nsecond": 1e-3, "ns": 1e-3, "usecond": 1, "us": 1, "msecond": 1e3, "ms": 1e3, "second": 1e6, "s": 1e6}
    rows = read_csv(text)
    durations = {}
    scale = None
    for row in rows:
        kernel = (row.get("Kernel Name") or "").split("(")[0]
        if not kernel:
            scale = in_us.get(row.get("gpu__time_duration.sum"))
        elif scale:
            value = number(row.get("gpu__time_duration.sum"))
            if value is not None:
                durations[kernel] = value * scale
    return durations


def gain(bad, mended):
    return 100 * (1 - mended / bad)


def speaks(rule):
    """Advice or warning, not "all is well"."""
    return rule[1].upper() in ("OPT", "WRN", "WARN")


def of_ncu(pattern, rules):
    """(rules that name the planted flaw, the largest estimate of them, the rule with the largest estimate of all)."""
    said = [rule for rule in rules if speaks(rule)]
    named = [rule for rule in said if pattern and re.search(pattern, f"{rule[0]}: {rule[2]}", re.I | re.S)]
    estimates = [rule[3] for rule in named if rule[3] is not None]
    with_estimate = [rule for rule in said if rule[3] is not None]
    return named, max(estimates, default=None), max(with_estimate, key=lambda rule: rule[3], default=None)


def shown(value, digits=0):
    return "-" if value is None else f"{value:.{digits}f}"


def shown_rule(rule):
    return "-" if rule is None else f"{rule[0]} {rule[3]:.0f}{' local' if rule[4] == 'local' else ''}"


class Judgement:
    """How well one profiler did on some pairs."""

    def __init__(self):
        self.pairs = self.named = self.largest = self.others = self.false = self.right = self.intervals = self.inside = 0
        self.errors = []

    def add(self, named, estimate, largest_is_planted, achieved, interval=None):
        self.pairs += 1
        self.named += named
        self.largest += largest_is_planted
        if estimate is not None:
            self.errors.append(abs(estimate - achieved))
        if interval is not None:
            self.intervals += 1
            self.inside += interval[0] - 1 <= achieved <= interval[1] + 1  # a point is the noise of times

    def add_other(self, loud, confirmed=False):
        """A kernel that has no flaw: mended, clean, or of a trap."""
        self.others += 1
        self.false += loud and not confirmed
        self.right += loud and confirmed

    def text(self):
        text = f"{self.named} of {self.pairs} flaws named, {self.largest} of them with the largest estimate; "
        if self.errors:
            text += (f"estimate off by {statistics.median(self.errors):.1f} points in the median, {max(self.errors):.0f} at worst, "
                     f"more than 20 in {sum(error > 20 for error in self.errors)} of {len(self.errors)}; ")
        if self.intervals:
            text += f"gain within the interval in {self.inside} of {self.intervals}; "
        text += f"{self.false} of {self.others} kernels without a flaw with an estimate of {LOUD} or more"
        return text + (f", {self.right} more of which a change confirmed it" if self.right else "")


def table(listed, times, rules=None, durations=None, own=None):
    """Lines. listed: rows of list.csv; times: {name: row}; rules: {kernel: rules} of ncu; own: what gpuprof.json has."""
    heads = ["pair", "planted", "half", "bad us", "mended us", "gain"]
    if durations:
        heads.append("gain in ncu")
    if rules is not None:
        heads += ["ncu names it", "its estimate", "ncu's largest", "on the mended one"]
    if own is not None:
        heads += ["gpuprof names it", "its estimate", "gpuprof's largest", "on the mended one"]
    lines = [" | ".join(heads)]
    halves = {half: (Judgement(), Judgement()) for half in HALVES}
    whole = {half: Judgement() for half in HALVES}  # ncu by its estimates of the whole GPU alone
    again = {row["name"]: row for row in listed if HALVES[int(row["held_back"])] == "again"}

    def confirmed(name, is_said, least):
        """Whether a change of that kernel that `is_said` of its row saved `least` per cent, but for a point of noise."""
        changes = [each for each in (f"{name}_again", f"{name}_again_2") if each in again and each in times]
        return any(is_said(again[each]) and
                   gain(float(times[each]["bad_us"]), float(times[each]["mended_us"])) >= max(TRAP, least - 1)
                   for each in changes)

    def confirmed_of_ncu(name, rule):
        return rule is not None and confirmed(
            name, lambda change: bool(change["ncu"] and re.search(change["ncu"], f"{rule[0]}: {rule[2]}", re.I | re.S)), LOUD)

    def confirmed_of_own(name, found):
        return found is not None and confirmed(name, lambda change: found["id"] in change["gpuprof"].split(),
                                               found["estimate"][0])

    for row in listed:
        name, bad, mended = row["name"], row["bad_kernel"], row["mended_kernel"]
        half = HALVES[int(row["held_back"])]
        time = times.get(name)
        achieved = None
        if time is not None and bad:
            achieved = gain(float(time["bad_us"]), float(time["mended_us"]))
        cells = [name, row["expected"], half, shown(number(time["bad_us"]), 1) if time and bad else "-",
                 shown(number(time["mended_us"]), 1) if time else "-", shown(achieved)]
        if durations:
            both = bad in durations and mended in durations
            cells.append(shown(gain(durations[bad], durations[mended])) if both else "-")
        by_ncu, by_own = halves[half]
        if rules is not None:
            named, estimate, largest = of_ncu(row["ncu"], rules.get(bad, []))
            on_mended = of_ncu("", rules.get(mended, []))[2]
            loud = on_mended is not None and on_mended[3] >= LOUD
            cells += [" ".join(sorted({rule[0] for rule in named})) or "no" if row["ncu"] else "no rule", shown(estimate),
                      shown_rule(largest), shown_rule(on_mended)]
            by_ncu.add_other(loud, confirmed_of_ncu(name, on_mended))
            globally = lambda kernel: [rule for rule in rules.get(kernel, []) if rule[4] != "local" or rule[3] is None]
            named_globally, estimate_globally, largest_globally = of_ncu(row["ncu"], globally(bad))
            mended_globally = of_ncu("", globally(mended))[2]
            whole[half].add_other(mended_globally is not None and mended_globally[3] >= LOUD,
                                  confirmed_of_ncu(name, mended_globally))
            trap = achieved is not None and abs(achieved) < TRAP
            if trap:
                by_ncu.add_other(largest is not None and largest[3] >= LOUD, confirmed_of_ncu(name, largest))
                whole[half].add_other(largest_globally is not None and largest_globally[3] >= LOUD,
                                      confirmed_of_ncu(name, largest_globally))
            elif achieved is not None:
                by_ncu.add(bool(named), estimate, largest in named, achieved)
                whole[half].add(bool(named_globally), estimate_globally, largest_globally in named_globally, achieved)
        if own is not None:
            likely = lambda each: -1 if each is None else each["likely"]
            found = own.get(bad, []) if bad else []
            planted = max((each for each in found if each["id"] in row["gpuprof"].split()), key=likely, default=None)
            largest = max(found, key=likely, default=None)
            on_mended = max(own.get(mended, []), key=likely, default=None)
            says = lambda each: "-" if each is None else "%s %.0f" % (each["id"], each["likely"])
            cells += ["yes" if planted else "no" if row["gpuprof"] else "no rule",
                      "-" if planted is None else "%.0f (%.0f to %.0f)" % (planted["likely"], *planted["estimate"]),
                      says(largest), says(on_mended)]
            by_own.add_other(likely(on_mended) >= LOUD, confirmed_of_own(name, on_mended))
            if achieved is not None and abs(achieved) < TRAP:
                by_own.add_other(likely(largest) >= LOUD, confirmed_of_own(name, largest))
            elif achieved is not None:
                by_own.add(planted is not None, planted and planted["likely"], planted is not None and largest is planted,
                           achieved, planted and planted["estimate"])
        lines.append(" | ".join(cells))
    for half, (by_ncu, by_own) in halves.items():
        if half == "again" or by_ncu.others + by_own.others == 0:
            continue
        if rules is not None:
            lines.append(f"ncu, {half}: {by_ncu.text()}")
            lines.append(f"ncu without local estimates, {half}: {whole[half].text()}")
        if own is not None:
            lines.append(f"gpuprof, {half}: {by_own.text()}")
    return lines


def main(folder):
    def read(name):
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()

    listed = read_csv(read("list.csv"))
    times = {row["name"]: row for row in read_csv(read("time.csv"))}
    wrong = [f"{row['name']}: not timed" for row in listed if row["name"] not in times]
    rules, durations = None, {}
    if read("ncu_rules.csv") is not None:
        rules, profiles = read_rules(read("ncu_rules.csv"))
        durations = read_durations(read("ncu_raw.csv") or "")
        for row in listed:
            for kernel in filter(None, (row["bad_kernel"], row["mended_kernel"])):
                if profiles.get(kernel) != 1:
                    wrong.append(f"{kernel}: profiled {profiles.get(kernel, 0)} times")
    own = read("gpuprof.json")
    print("\n".join(table(listed, times, rules, durations, json.loads(own) if own else None)))
    print("\n".join(wrong) if wrong else f"all {len(listed)} entries timed" + (" and profiled" if rules is not None else ""))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
