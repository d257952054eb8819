#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares every row of every section of set full with Nsight Compute, kernel by kernel.

Runs `sections`, which uses gpuprof, and `ncu` on conformance_app, by turns. Both replay each kernel as often as they need
and restore its memory in between; caches are left as that leaves them, or flushed with --cold; clocks are left. Writes a table. Exit status: 0 all rows are as ncu's, 1 one is
not or could not be compared, 77 there is no GPU or no ncu (skipped).
"""
import argparse
import collections
import datetime
import pathlib
import shutil
import statistics
import subprocess
import sys

import compare
from compare import HERE, SKIPPED, Failure, run, shown, span

# Metrics with a value for each block size, number of registers and so on, of which ncu prints the sum.
INSTANCED = "launch__occupancy_per_"
# ncu prints two digits after the point.
HALF_A_DIGIT = 0.005000001

RULE = """A count is a row whose value was the same in every run of ncu and is whole: it must be the same in every run of gpuprof. Any other
value lies within ncu's if it is between the least and the greatest of ncu's runs, give or take the distance between those
two, one tick of the clock (32 ns) for times, or half of the last digit that ncu prints. The share of gpuprof's values that do,
over all kernels, runs of ncu but one in turn, is held against ncu's own: each run of ncu against the others. A row is "as ncu" if gpuprof's share is
no more than three standard deviations (of a share of as many kernels) under ncu's own.
"""

Row = collections.namedtuple("Row", "section metric over label")


class Sections:
    """What `sections` wrote: values[kernel, row] is a list, one value a repetition."""

    def __init__(self, text):
        self.about, self.sets, self.kernels, self.rows, self.problems = {}, {}, [], [], []
        self.values = collections.defaultdict(list)
        self.missing, self.texts = {}, {}
        for line in text.splitlines():
            what, *rest = line.split(",")
            if what == "about":
                self.about[rest[0]] = rest[1]
            elif what == "kernel":
                self.kernels.append(rest[0])
            elif what == "set":
                self.sets[rest[0]] = (int(rest[1]), int(rest[2]))
            elif what == "row":
                self.rows.append(Row(*rest[1:5]))
            elif what == "value":
                self.values[rest[1], int(rest[2])].append(float(rest[3]))
            elif what == "text":
                self.texts[rest[0], int(rest[1])] = rest[2]
            elif what == "missing":
                self.missing[rest[0], int(rest[1])] = rest[2]
            elif what == "problem":
                self.problems.append(" ".join(rest))


def of_row(row, values):
    """ncu's values of a row: one a repetition, quotients made of both metrics of the same one."""
    first = values.get(row.metric, [])
    if not row.over:
        return first
    return [a / b for a, b in zip(first, values.get(row.over, [])) if b != 0]


def slack_of(row, ncu):
    """What rounding alone can move."""
    tick = compare.TIME_TICK if row.metric.startswith("gpu__time_duration") and not row.over else 0
    if row.over:  # both parts are rounded; what a quotient moves by is not known from it alone: a part in 200
        return max(HALF_A_DIGIT, *(abs(value) / 200 for value in ncu))
    return max(tick, HALF_A_DIGIT)


def judge(row, index, kernels, ncu_runs, own_runs):
    """(verdict, cells compared, cells equal, ncu's share, gpuprof's share, [what differs])"""
    counts = equal = 0
    if row.metric.startswith(INSTANCED):
        return "not compared", 0, 0, 0, 0, []
    differs, shares = [], {"ncu": [], "gpuprof": []}
    for kernel in kernels:
        ncu = [of_row(row, {metric: each[kernel, metric] for metric in (row.metric, row.over)}) for each in ncu_runs]
        own = [each.values.get((kernel, index), []) for each in own_runs]
        if not ncu or not own or not all(ncu) or not all(own):
            continue
        flat = [value for each in ncu for value in each]
        mine = [value for each in own for value in each]
        counts += 1
        where = f"{kernel}: ncu {span(flat)}, gpuprof {span(mine)}"
        slack = slack_of(row, flat)
        if min(flat) == max(flat) and flat[0] == int(flat[0]) and not row.over:
            if all(abs(value - flat[0]) <= HALF_A_DIGIT for value in mine):
                equal += 1
            else:
                differs.append(where)
            shares["ncu"].append(1)
            shares["gpuprof"].append(sum(abs(value - flat[0]) <= HALF_A_DIGIT for value in mine) / len(mine))
            continue
        shares["ncu"].append(compare.share_within(ncu, ncu, slack))
        share = compare.share_within(own, ncu, slack)
        shares["gpuprof"].append(share)
        if share < 1:
            differs.append(where)
    if not counts:
        return "not compared", 0, 0, 0, 0, []
    mean = {who: statistics.mean(values) for who, values in shares.items()}
    p = min(max(mean["ncu"], 1 / counts), 1 - 1 / counts)
    least = mean["ncu"] - 3 * (p * (1 - p) / counts) ** 0.5
    if equal == counts:
        verdict = "equal"
    elif mean["gpuprof"] >= least:
        verdict = "as ncu"
    else:
        verdict = "NOT as ncu"
    return verdict, counts, equal, mean["ncu"], mean["gpuprof"], differs


def compare_all(arguments):
    build, ncu = arguments.build, arguments.ncu
    own_runs, ncu_runs = [], []
    for turn in range(max(arguments.runs, arguments.own_runs)):
        pad = ["--pad", 38 * turn]
        if turn < arguments.own_runs:
            done = run([build / "sections", HERE, *(["--cold"] if arguments.cold else []), "--repeat", arguments.repeat, *pad], allowed=(0, 1, SKIPPED))
            if done.returncode == SKIPPED:
                print(done.stdout.strip())
                return SKIPPED
            own_runs.append(Sections(done.stdout))
        if turn >= arguments.runs:
            continue
        rows, kernels = own_runs[-1].rows, own_runs[-1].kernels
        names = sorted({name for row in rows for name in (row.metric, row.over) if name})
        ncu_runs.append(compare.profile(ncu, build, kernels, names, repeat=arguments.repeat, more=pad, caches="all" if arguments.cold else "none"))
    about = {**own_runs[0].about, "ncu": run([ncu, "--version"]).stdout.strip().splitlines()[-1],
             "date": datetime.date.today().isoformat()}
    if shutil.which("nvidia-smi"):
        smi = run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"], allowed=range(256))
        about["driver"] = smi.stdout.strip().splitlines()[0] if smi.returncode == 0 and smi.stdout.strip() else "?"

    table = [["row", "verdict", "kernels", "equal", "within: ncu", "gpuprof"]]
    details, tally, cells = [], collections.Counter(), collections.Counter()
    by_section = collections.OrderedDict()
    for index, row in enumerate(rows):
        verdict, counts, equal, own_share, share, differs = judge(row, index, kernels, ncu_runs, own_runs)
        if verdict == "not compared":
            why = next((own_runs[0].missing[kernel, index] for kernel in kernels if (kernel, index) in own_runs[0].missing), "")
            if row.metric.startswith(INSTANCED):
                verdict, why = "a list", "last_provided.txt compares its instances"
            elif any(own_runs[0].values.get((kernel, index)) for kernel in kernels):
                verdict, why = "not in ncu", "ncu has no metric of this name"
            elif (kernels[0], index) in own_runs[0].texts:
                verdict, why = "a text", own_runs[0].texts[kernels[0], index]
            else:
                verdict = "n/a"
            details.append(f"{row.section}  {row.label}  {row.metric}{' / ' + row.over if row.over else ''}: {verdict}: {why[:110]}")
        elif verdict == "NOT as ncu" or (verdict == "as ncu" and equal and differs):
            details.append(f"{row.section}  {row.label}  {row.metric}{' / ' + row.over if row.over else ''}:")
            details += [f"    {line}" for line in differs]
        tally[verdict] += 1
        by_section.setdefault(row.section, collections.Counter())[verdict] += 1
        name = row.metric + (f" / {row.over}" if row.over else "")
        shares = [str(counts), str(equal), f"{own_share:.0%}", f"{share:.0%}"] if counts else ["-"] * 4
        table.append([f"{row.section}  {name}", verdict, *shares])

        cells["compared"] += counts
        cells["equal"] += equal
    problems = [p for each in own_runs for p in each.problems]
    compared = tally["equal"] + tally["as ncu"] + tally["NOT as ncu"]
    failed = bool(problems) or compared == 0 or tally["NOT as ncu"] > 0
    verdicts = ["equal", "as ncu", "NOT as ncu", "not in ncu", "a list", "a text", "n/a"]
    out = ["Rows of sections, gpuprof (explain::set::full) and Nsight Compute\n" + "".join(f"  {k}: {v}\n" for k, v in about.items())
           + "".join(f"  set {name}: {metrics} metrics, {passes} passes\n" for name, (metrics, passes) in own_runs[0].sets.items()),
           f"{len(kernels)} kernels, {arguments.runs} runs of ncu and {arguments.own_runs} of gpuprof, rounds a run: {arguments.repeat}.\n" + RULE,
           compare.grid([["section", *verdicts]] + [[name, *(str(each[v]) for v in verdicts)] for name, each in by_section.items()]
                        + [["all", *(str(tally[v]) for v in verdicts)]])]
    if problems:
        out.append("Problems gpuprof reported:\n" + "".join(f"  {line}\n" for line in sorted(set(problems))))
    if details:
        out.append("Not as ncu, or not compared\n" + "".join(f"  {line}\n" for line in details))
    out.append(compare.grid(table))
    out.append(f"{'FAILED' if failed else 'PASSED'}: of {compared} rows compared {tally['equal']} are equal, {tally['as ncu']} as ncu's, "
               f"{tally['NOT as ncu']} not; {cells['equal']} of {cells['compared']} cells to the unit; {len(problems)} problems\n")
    arguments.out.write_text("\n".join(out))
    print(out[0] + out[2] + out[-1], end="")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="folder with sections and conformance_app")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="file to write")
    parser.add_argument("--ncu", default=shutil.which("ncu") or "/usr/local/cuda/bin/ncu")
    parser.add_argument("--runs", type=int, default=3, help="runs of ncu; of gpuprof by turns with them")
    parser.add_argument("--own-runs", type=int, default=2, help="runs of gpuprof")
    parser.add_argument("--cold", action="store_true", help="flush the caches before each pass; launches are repeated by gpuprof")
    parser.add_argument("--repeat", type=int, default=1, help="rounds a run")
    arguments = parser.parse_args()
    if not shutil.which(arguments.ncu):
        print("skipped: there is no ncu (Nsight Compute) on this machine")
        return SKIPPED
    try:
        return compare_all(arguments)
    except (Failure, subprocess.TimeoutExpired) as why:
        print(f"compare_sections.py: {why}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
