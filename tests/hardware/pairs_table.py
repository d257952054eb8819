#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What profilers advise for the pairs of kernels in pairs/, beside the gain that the mended kernel achieved: see pairs.sh.

    pairs_table.py FOLDER    with list.csv and time.csv; ncu_rules.csv, ncu_raw.csv and gpuprof.json if they are there

A gain is 1 - mended / bad of the times, in per cent. An estimate is what a rule says could be gained, in per cent of the time;
"local" ones are of a part of the GPU only. gpuprof.json has the third source:
    {"KERNEL": [{"id": "thread_divergence", "estimate": [LOW, HIGH]}, …], …}
with ids as in pairs/findings.hpp, LOW and HIGH in per cent, or one number, or null. This form is preliminary.
Exit status 0 if every kernel was timed and, if ncu was asked, every kernel has been profiled exactly once."""
import csv
import json
import os
import re
import statistics
import sys

LOUD = 15  # per cent: an estimate that a reader would follow


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
        kernel = row["Kernel Name"].split("(")[0]
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


def bounds(estimate):
    """(low, high) of an estimate of gpuprof, or None."""
    if estimate is None:
        return None
    return tuple(estimate) if isinstance(estimate, list) else (estimate, estimate)


def shown(value, digits=0):
    return "-" if value is None else f"{value:.{digits}f}"


def shown_rule(rule):
    return "-" if rule is None else f"{rule[0]} {rule[3]:.0f}{' local' if rule[4] == 'local' else ''}"


class Judgement:
    """How well one profiler did on some pairs."""

    def __init__(self):
        self.pairs = self.named = self.largest = self.clean = self.false = 0
        self.errors = []

    def add(self, named, estimate, largest_is_planted, achieved, mended_is_loud):
        self.pairs += 1
        self.named += named
        self.largest += largest_is_planted
        self.false += mended_is_loud
        if estimate is not None:
            self.errors.append(abs(estimate - achieved))

    def add_clean(self, loud):
        self.clean += 1
        self.false += loud

    def text(self):
        text = f"{self.named} of {self.pairs} flaws named, {self.largest} of them with the largest estimate; "
        if self.errors:
            text += (f"estimate off by {statistics.median(self.errors):.0f} points in the median, {max(self.errors):.0f} at worst "
                     f"(of {len(self.errors)}); ")
        return text + f"{self.false} of {self.pairs + self.clean} mended or clean kernels with an estimate of {LOUD} or more"


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
    halves = {"tune": (Judgement(), Judgement()), "judge": (Judgement(), Judgement())}
    for row in listed:
        name, bad, mended = row["name"], row["bad_kernel"], row["mended_kernel"]
        half = "judge" if row["held_back"] == "1" else "tune"
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
            if not bad:
                by_ncu.add_clean(loud)
            elif achieved is not None:
                by_ncu.add(bool(named), estimate, largest in named, achieved, loud)
        if own is not None:
            found = [(each["id"], bounds(each.get("estimate"))) for each in own.get(bad, [])] if bad else []
            found_mended = [(each["id"], bounds(each.get("estimate"))) for each in own.get(mended, [])]
            middle = lambda each: -1 if each[1] is None else sum(each[1]) / 2
            planted = max((each for each in found if each[0] == row["expected"]), key=middle, default=None)
            largest = max(found, key=middle, default=None)
            on_mended = max(found_mended, key=middle, default=None)
            loud = on_mended is not None and middle(on_mended) >= LOUD
            interval = lambda each: "-" if each is None or each[1] is None else "%.0f to %.0f" % each[1]
            cells += ["yes" if planted else "no", interval(planted), "-" if largest is None else f"{largest[0]} {interval(largest)}",
                      "-" if on_mended is None else f"{on_mended[0]} {interval(on_mended)}"]
            if not bad:
                by_own.add_clean(loud)
            elif achieved is not None:
                by_own.add(planted is not None, middle(planted) if planted and planted[1] else None,
                           planted is not None and largest == planted, achieved, loud)
        lines.append(" | ".join(cells))
    for half, (by_ncu, by_own) in halves.items():
        if rules is not None:
            lines.append(f"ncu, {half}: {by_ncu.text()}")
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
