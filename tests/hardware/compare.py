#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares gpuprof's counters with Nsight Compute's, kernel by kernel.

Runs `ncu` several times on conformance_app, and conformance and examples/hot_loop, which use gpuprof, on the same
kernels; metrics.txt says what is compared and how strictly. Writes a report. Exit status: 0 all exact counters agree,
1 one does not or something could not be measured, 77 there is no GPU or no ncu (skipped).
"""
import argparse
import collections
import datetime
import math
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

import ncu_table

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
MODES = ("user", "kernel")  # user ranges replayed by the program; a range per kernel replayed by CUPTI
TIME_TICK = 32  # ns: gpu__time_duration counts in steps of this on every GPU seen so far
SCALE = {"us": 1e3, "usecond": 1e3, "ms": 1e6, "msecond": 1e6, "s": 1e9, "second": 1e9,
         "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}

Group = collections.namedtuple("Group", "kind name metrics")


class Failure(Exception):
    """Something that keeps the comparison from being made; the text says what."""


def read_groups(path):
    groups = []
    for line in path.read_text().splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0] != " ":
            groups.append(Group(*line.split(" ", 1), []))
        else:
            groups[-1].metrics.append(line.strip())
    return groups


def run(command, allowed=(0,)):
    print("+", " ".join(map(str, command)), file=sys.stderr, flush=True)
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", timeout=300, check=False)
    if done.returncode not in allowed:
        raise Failure(f"{pathlib.Path(str(command[0])).name} ended with {done.returncode}:\n"
                      + "\n".join((done.stdout + done.stderr).splitlines()[-15:]))
    return done


class Measured:
    """What `conformance` wrote: values[mode][kernel, metric] is a list, one value a repetition."""

    def __init__(self):
        self.about, self.kernels, self.passes, self.unavailable, self.problems = {}, {}, {}, {}, []
        self.values = {mode: collections.defaultdict(list) for mode in MODES}

    def add(self, text):
        for line in text.splitlines():
            what, *rest = line.split(",")
            if what == "about":
                self.about[rest[0]] = rest[1]
            elif what == "kernel":
                self.kernels[rest[0]] = int(rest[1])
            elif what == "passes":
                self.passes[rest[0]] = int(rest[1])
            elif what == "unavailable":
                self.unavailable[rest[0]] = rest[1]
            elif what == "problem":
                self.problems.append(" ".join(rest))
            elif what == "value":
                mode, _, kernel, metric, value = rest
                self.values[mode][kernel, metric].append(float(value))
        return self


def measure(build, arguments):
    done = run([build / "conformance", HERE, *arguments], allowed=(0, 1, SKIPPED))
    if done.returncode == SKIPPED:
        print(done.stdout.strip())
        sys.exit(SKIPPED)
    found = Measured().add(done.stdout)
    if done.returncode != 0 and not found.problems:
        found.problems.append(done.stderr.strip() or "conformance failed without saying why")
    return found


def hot_loop_values(program):
    """{range: {metric: value}} of the table that the example prints."""
    values, name = {}, None
    for line in run([program]).stdout.splitlines():
        match = re.match(r"\s*(?:(\w+)\s+\d+\s+)?(\w+__\w+(?:\.\w+)*)\s+([\d,.e+]+)\b", line)
        if match:
            name = match.group(1) or name
            values.setdefault(name, {})[match.group(2)] = float(match.group(3).replace(",", ""))
    if not values:
        raise Failure("hot_loop printed no table of values")
    return values


def read_ncu(text, kernels, repeat):
    """[{metric: value}] of the last `repeat` rounds over the kernels, in order, from what `ncu --csv --page raw` printed.

    Lines of the program and of ncu itself (==PROF==) may stand around the table; its second row has the units; numbers
    may have thousands separators."""
    table = ncu_table.read(text)
    if table is None:
        raise Failure("ncu printed no table:\n" + "\n".join(text.splitlines()[-15:]))
    rows = [row for row in table.rows if not row["Kernel Name"].startswith("evict")]
    expected = kernels * repeat
    if len(rows) < len(expected):
        raise Failure(f"ncu profiled {len(rows)} kernels of {len(expected)}:\n" + "\n".join(table.before[-15:]))
    rows = rows[len(rows) - len(expected):]
    values = []
    for row, kernel in zip(rows, expected):
        name = re.split(r"[(<]", row["Kernel Name"])[0].split(" ")[-1]
        if name != kernel:
            raise Failure(f"ncu profiled {name} where {kernel} was launched")
        found = {}
        for metric, cell in row.items():
            if metric is None or "__" not in metric or not cell:
                continue
            try:
                found[metric] = float(cell.replace(",", "")) * SCALE.get(table.units.get(metric, ""), 1)
            except ValueError:
                pass  # n/a, or a text
        values.append(found)
    return values


def profile(ncu, build, kernels, metrics, repeat=1, more=(), caches="none"):
    """One run of ncu: {(kernel, metric): [a value a repetition]}. Clocks are left as they are, and so are the caches, unless
    `caches` is "all": ncu then flushes them before each kernel."""
    options = ["--csv", "--page", "raw", "--print-units", "base", "--print-kernel-base", "function", "--clock-control", "none",
               "--cache-control", caches, "--replay-mode", "kernel", "--target-processes", "application-only"]
    command = [ncu, "--metrics", ",".join(metrics), *options, "--profile-from-start", "off", build / "conformance_app", HERE,
               "--repeat", repeat, *more]
    done = run(command, allowed=range(256))
    try:
        rows = read_ncu(done.stdout, kernels, repeat)
    except Failure as why:
        text = done.stdout + done.stderr
        named = [m for m in metrics if re.search(r"==(?:ERROR|WARNING)==.*" + re.escape(m.split(".")[0]) + r"\b", text)]
        if named and len(named) < len(metrics):
            print(f"ncu refuses {named}; once more without", file=sys.stderr)
            return profile(ncu, build, kernels, [m for m in metrics if m not in named], repeat, more, caches)
        # Once more without waiting for the program to start the profiler: the rounds before are profiled too, not read.
        print(f"{why}\nonce more from the start of the program", file=sys.stderr)
        command = [word for word in command if word not in ("--profile-from-start", "off")] + ["--warm-up", 1]
        done = run(command, allowed=range(256))
        rows = read_ncu(done.stdout + done.stderr, kernels, repeat)
    found = collections.defaultdict(list)
    for at, row in enumerate(rows):
        for metric in metrics:
            if metric in row:
                found[kernels[at % len(kernels)], metric].append(row[metric])
    return found


def shown(value):
    if value is None:
        return "-"
    return f"{value:,.0f}" if value == math.floor(value) and abs(value) < 2**53 else f"{value:,.2f}"


def span(values):
    low, high = shown(min(values)), shown(max(values))
    return low if low == high else f"{low} .. {high}"


def grid(rows):
    """Rows of texts, aligned: the first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths))).rstrip()
                     for row in rows) + "\n"


class Exact:
    """Cells (kernel, metric) of integers that must agree to the unit."""

    def __init__(self):
        self.text, self.equal, self.zero = "", 0, 0
        self.different, self.unstable, self.missing, self.absent = [], [], [], []

    def compare(self, where, ncu, own):
        """`ncu`: the values of all its runs. `own`: {what gpuprof did: value}. Returns the value, marked."""
        if not ncu or any(value is None for value in own.values()):
            self.missing.append(f"{where}: ncu {'has no value' if not ncu else span(ncu)}, gpuprof "
                                + ", ".join(f"{how} {shown(value)}" for how, value in own.items()))
            return "?"
        if min(ncu) != max(ncu):
            self.unstable.append(f"{where}: ncu {span(ncu)}, gpuprof " + ", ".join(f"{how} {shown(v)}" for how, v in own.items()))
            return shown(ncu[0]) + "~"
        if any(value != ncu[0] for value in own.values()):
            self.different.append(f"{where}: ncu {shown(ncu[0])}, gpuprof " + ", ".join(f"{how} {shown(v)}" for how, v in own.items()))
            return shown(ncu[0]) + "!"
        self.equal += 1
        self.zero += ncu[0] == 0
        return shown(ncu[0])

    def group(self, group, kernels, runs, measured):
        self.text += f"\n{group.name}, passes: {measured.passes.get(group.kind + ' ' + group.name, '?')}\n"
        metrics = []
        for metric in group.metrics:
            if metric in measured.unavailable:
                continue
            if any(run_[kernel, metric] for run_ in runs for kernel in kernels):
                metrics.append(metric)
            else:
                self.absent.append(metric)
        letters = "abcdefghijklmnopqrstuvwxyz"
        self.text += "".join(f"  {letters[i]}  {metric}\n" for i, metric in enumerate(metrics))
        rows = [["kernel", *letters[:len(metrics)]]]
        for kernel in kernels:
            row = [kernel]
            for metric in metrics:
                own = {f"{mode} ranges": next(iter(measured.values[mode][kernel, metric]), None) for mode in MODES}
                row.append(self.compare(f"{kernel}  {metric}", [v for run_ in runs for v in run_[kernel, metric]], own))
            rows.append(row)
        self.text += grid(rows)


def within(value, others, slack):
    """Whether a value lies where others lie, give or take the distance between their extremes, or `slack` if more."""
    low, high = min(others), max(others)
    slack = max(high - low, slack)
    return low - slack <= value <= high + slack


def share_within(runs, ncu_runs, slack):
    """How many of the values of `runs`, lists each, lie where those of all ncu runs but one lie, that one in turn (or the
    run itself, if it is one of ncu's)."""
    hits = []
    for i, run_ in enumerate(runs):
        for j in range(len(ncu_runs)):
            if runs is not ncu_runs or i == j:
                others = [value for k, each in enumerate(ncu_runs) if k != j for value in each]
                hits += [within(value, others, slack) for value in run_]
    return sum(hits) / len(hits)


def compare_spread(groups, kernels, ncu_runs, own_runs, text, modes=MODES, judged="kernel"):
    """Returns the summary lines and what fails: metrics of the `judged` mode. Appends the values to `text`, a list."""
    summary, failed = [], []
    for group in groups:
        for metric in group.metrics:
            if any(metric in each.unavailable for each in own_runs):
                continue
            def values_of(kernel):
                ncu = [each[kernel, metric] for each in ncu_runs if each[kernel, metric]]
                own = {mode: [each.values[mode][kernel, metric] for each in own_runs if each.values[mode][kernel, metric]]
                       for mode in modes}
                return ncu, own

            def middle(runs):
                return statistics.median(value for each in runs for value in each)

            # What a range costs by itself: the difference that the empty kernel shows.
            slack = {mode: 0 for mode in modes}
            ncu, own = values_of("empty") if "empty" in kernels else ([], {})
            for mode in modes:
                if ncu and own[mode]:
                    slack[mode] = abs(middle(own[mode]) - middle(ncu))
            tick = TIME_TICK if metric.startswith("gpu__time_duration") else 0
            rows = [["kernel", "ncu", *(f"gpuprof, {mode} ranges" for mode in modes)]]
            shares = {who: [] for who in ("ncu", *modes)}
            for kernel in kernels:
                ncu, own = values_of(kernel)
                flat = [[value for each in runs for value in each] for runs in (ncu, *own.values())]
                if len(ncu) < 3 or not all(flat):
                    rows.append([kernel, *("-" if not v else span(v) for v in flat)])
                    continue
                rows.append([kernel, *(span(v) for v in flat)])
                if kernel == "empty":
                    continue
                shares["ncu"].append(share_within(ncu, ncu, tick))
                for mode in modes:
                    shares[mode].append(share_within(own[mode], ncu, max(tick, slack[mode])))
            text.append(f"\n{metric}\n" + grid(rows))
            if not shares["ncu"]:
                summary.append(f"{metric}: no values to compare")
                continue
            mean = {who: statistics.mean(values) for who, values in shares.items()}
            count = len(shares["ncu"])
            p = min(max(mean["ncu"], 1 / count), 1 - 1 / count)
            least = mean["ncu"] - 3 * math.sqrt(p * (1 - p) / count)
            verdict = {mode: "as ncu" if mean[mode] >= least else "NOT as ncu" for mode in modes}
            if mean[judged] < least:
                failed.append(metric)
            summary.append(f"{metric}: ncu's own runs {mean['ncu']:.0%}, "
                           + "".join(f"{mode} ranges {mean[mode]:.0%} ({verdict[mode]}; an empty one costs {shown(slack[mode])}), "
                                     for mode in sorted(modes))[:-2] + f"; at least {max(least, 0):.0%} is as ncu")
    return summary, failed


SPREAD_RULE = """Before every kernel the L2 cache is filled with other data; every run has its buffers elsewhere in device memory.
A value lies within a set of runs if it is between their least and their greatest, give or take the distance between those
two, or one tick of the clock ({tick} ns), or, for gpuprof, what a range costs by itself: the difference that the empty kernel
shows between gpuprof and ncu. Each gpuprof run is held against the runs of ncu but one, in turn, each ncu run against the
other runs of ncu; a metric is "as ncu" if gpuprof's share of values within is no more than three standard deviations (of a
share of as many kernels) under ncu's own. Kernel ranges are what ncu does, and are judged. A user range runs from push to
pop, the launch and the wait for it included.
"""


COLD_RULE = """The caches are flushed before every kernel: by ncu (--cache-control all) and by gpuprof (cache_control::flush). Every run
has its buffers elsewhere in device memory. A value lies within a set of runs if it is between their least and their
greatest, give or take the distance between those two, or what a range costs by itself: the difference that the empty kernel
shows between gpuprof and ncu. Each gpuprof run is held against the runs of ncu but one, in turn, each ncu run against the
other runs of ncu; a metric is "as ncu" if gpuprof's share of values within is no more than three standard deviations (of a
share of as many kernels) under ncu's own. A user range runs from push to pop, the launch and the wait for it included.
"""


def compare_cold(arguments):
    """Cold caches: groups of kind "cold" alone, in user ranges, and ncu as it flushes by default."""
    build, ncu = arguments.build, arguments.ncu
    groups = [g for g in read_groups(HERE / "metrics.txt") if g.kind == "cold"]
    ncu_runs, own_runs, kernels = [], [], []
    for turn in range(arguments.spread_runs):  # by turns, so that a warmer chip later on is as warm for both
        pad = ["--pad", 38 * turn]
        own_runs.append(measure(build, ["--kinds", "cold", "--repeat", 3, *pad]))
        kernels = list(own_runs[-1].kernels)
        if not kernels:
            raise Failure("conformance measured nothing:\n" + "\n".join(own_runs[-1].problems))
        found = collections.defaultdict(list)
        for group in groups:  # a run each, since a group fits one pass
            have = [m for m in group.metrics if m not in own_runs[-1].unavailable]
            if have:
                found.update(profile(ncu, build, kernels, have, repeat=3, more=pad, caches="all"))
        ncu_runs.append(found)
    values = []
    summary, strayed = compare_spread(groups, kernels, ncu_runs, own_runs, values, modes=("user",), judged="user")
    problems = [p for each in own_runs for p in each.problems]
    about = {**own_runs[0].about, "ncu": run([ncu, "--version"]).stdout.strip().splitlines()[-1],
             "date": datetime.date.today().isoformat()}
    out = ["gpuprof and Nsight Compute with cold caches\n" + "".join(f"  {k}: {v}\n" for k, v in about.items()),
           f"Bytes of device memory and sectors of L2, {arguments.spread_runs} runs of each, 3 rounds a run; share of values within:\n"
           + "".join(f"  {line}\n" for line in summary) + COLD_RULE]
    if problems:
        out.append("Problems gpuprof reported:\n" + "".join(f"  {line}\n" for line in problems))
    out.append("Least and greatest of the runs\n" + "".join(values))
    failed = bool(strayed or problems) or not summary or any("no values" in line for line in summary)
    out.append(f"{'FAILED' if failed else 'PASSED'}: {len(summary) - len(strayed)} as ncu, {len(strayed)} not, {len(problems)} problems\n")
    arguments.out.write_text("\n".join(out))
    print(out[1] + out[-1], end="")
    return 1 if failed else 0


def compare(arguments):
    groups = read_groups(HERE / "metrics.txt")
    build, ncu = arguments.build, arguments.ncu
    exact = [g for g in groups if g.kind == "exact"]
    report = [g for g in groups if g.kind == "report"]
    spread = [g for g in groups if g.kind == "spread"]

    measured = measure(build, ["--kinds", "exact,report"])
    kernels = list(measured.kernels)
    if not kernels:
        raise Failure("conformance measured nothing:\n" + "\n".join(measured.problems))
    have = [m for g in exact + report for m in g.metrics if m not in measured.unavailable]
    runs = [profile(ncu, build, kernels, have) for _ in range(arguments.runs)]
    ncu_spread, own_spread = [], []
    for turn in range(arguments.spread_runs):  # by turns, so that a warmer chip later on is as warm for both
        pad = ["--pad", 38 * turn]  # MiB: of no regularity that a cache has
        own_spread.append(measure(build, ["--kinds", "spread", "--repeat", 3, *pad]))
        found = collections.defaultdict(list)
        for group in spread:  # a run each, since a group fits one pass
            have = [m for m in group.metrics if m not in own_spread[-1].unavailable]
            if have:
                found.update(profile(ncu, build, kernels, have, repeat=3, more=[*pad, "--evict"]))
        ncu_spread.append(found)

    checks = Exact()
    for group in exact:
        checks.group(group, kernels, runs, measured)

    # Relations that hold by arithmetic, whatever ncu says.
    arithmetic, wrong = 0, []

    def must(holds, text):
        nonlocal arithmetic
        arithmetic += 1
        if not holds:
            wrong.append(text)

    for kernel, warps in measured.kernels.items():
        for mode in MODES:
            for value in measured.values[mode][kernel, "smsp__warps_launched.sum"]:
                must(value == warps, f"{kernel}: {shown(value)} warps launched ({mode} ranges), its grid has {shown(warps)}")
    for group in exact:
        for metric in group.metrics:
            if measured.values["user"]["suite", metric]:
                parts = [measured.values["user"][kernel, metric] for kernel in kernels]
                total = sum(part[0] for part in parts if part)
                whole = measured.values["user"]["suite", metric][0]
                must(whole == total, f"range \"suite\"  {metric}: {shown(whole)}, its kernels together {shown(total)}")

    # The example: frame = 3 saxpy + gather.
    example = Exact()
    exact_names = {metric for group in exact for metric in group.metrics}
    rows = [["range of hot_loop", "metric", "gpuprof", "ncu"]]
    table = hot_loop_values(arguments.hot_loop or build / "hot_loop")
    for name, parts in {"frame": {"saxpy": 3, "gather": 1}, "saxpy": {"saxpy": 3}, "gather": {"gather": 1}}.items():
        must(not exact_names.isdisjoint(table.get(name, {})), f"hot_loop printed no exact counter of its range {name}")
        for metric, value in table.get(name, {}).items():
            if metric in exact_names:
                ncu_values = [sum(times * each[part, metric][0] for part, times in parts.items()) for each in runs
                              if all(each[part, metric] for part in parts)]
                rows.append([name, metric, shown(value), example.compare(f"hot_loop {name}  {metric}", ncu_values, {"hot_loop": value})])

    out = []
    about = {**measured.about, "ncu": run([ncu, "--version"]).stdout.strip().splitlines()[-1],
             "date": datetime.date.today().isoformat()}
    if shutil.which("nvidia-smi"):
        smi = run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"], allowed=range(256))
        about["driver"] = smi.stdout.strip().splitlines()[0] if smi.returncode == 0 and smi.stdout.strip() else "?"
    out.append("gpuprof and Nsight Compute on the same kernels\n" + "".join(f"  {k}: {v}\n" for k, v in about.items()))

    different = checks.different + example.different + wrong
    missing = checks.missing + example.missing
    problems = measured.problems + [p for each in own_spread for p in each.problems]
    out.append(f"Exact counters, {len(kernels)} kernels, {len(exact_names - set(measured.unavailable) - set(checks.absent))} metrics, "
               f"{arguments.runs} runs of ncu, user and kernel ranges of gpuprof:\n"
               f"  {checks.equal} cells equal to the unit ({checks.equal - checks.zero} of them not zero)\n"
               f"  {len(checks.different)} different\n"
               f"  {len(checks.unstable)} unstable: ncu's own runs differ, so these are not compared\n"
               f"  {len(checks.missing)} without a value\n"
               f"  hot_loop: {example.equal} values equal, {len(example.different)} different, {len(example.missing)} without a value\n"
               f"  by arithmetic (warps of the grid; a range is the sum of its kernels): {arithmetic - len(wrong)} hold, {len(wrong)} do not\n")
    values = []
    summary, strayed = compare_spread(spread, kernels, ncu_spread, own_spread, values)
    out.append(f"Bytes, times and cache traffic, {arguments.spread_runs} runs of each, 3 rounds a run; "
               "share of values within:\n" + "".join(f"  {line}\n" for line in summary) + SPREAD_RULE.format(tick=TIME_TICK))
    for title, lines in (("Different", different), ("Without a value", missing), ("Problems gpuprof reported", problems),
                         ("Unstable in ncu", checks.unstable),
                         ("ncu has no such metric", checks.absent),
                         ("Not on this chip", [f"{m}: {why}" for m, why in measured.unavailable.items()])):
        if lines:
            out.append(f"{title}:\n" + "".join(f"  {line}\n" for line in lines))
    out.append(grid(rows))
    out.append("Exact counters, as ncu and gpuprof both gave them (! different, ~ unstable, ? without a value)\n" + checks.text)
    reported = Exact()
    for group in report:
        reported.group(group, kernels, runs, measured)
    out.append("Moved by arbitration or by a choice of the hardware: not judged; ncu's first run stands here (! gpuprof's differ, "
               "~ ncu's own runs differ)\n" + reported.text)
    out.append("Least and greatest of the runs" + "\n" + "".join(values))
    failed = bool(different or missing or problems or strayed) or checks.equal == 0 or example.equal == 0
    out.append(f"{'FAILED' if failed else 'PASSED'}: {checks.equal + example.equal} equal, {len(different)} different, "
               f"{len(missing)} without a value, {len(checks.unstable)} unstable, {len(problems)} problems; of bytes, times and cache "
               f"traffic {len(summary) - len(strayed)} as ncu, {len(strayed)} not\n")
    arguments.out.write_text("\n".join(out))
    print(out[1] + out[2] + out[-1], end="")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="folder with conformance and conformance_app")
    parser.add_argument("--hot-loop", type=pathlib.Path, help="the example; in the build folder if not given")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="file to write")
    parser.add_argument("--ncu", default=shutil.which("ncu") or "/usr/local/cuda/bin/ncu")
    parser.add_argument("--runs", type=int, default=3, help="runs of ncu for the exact counters")
    parser.add_argument("--spread-runs", type=int, default=5, help="runs of both for bytes and times")
    parser.add_argument("--cold", action="store_true", help="compare only with cold caches: ncu and gpuprof flush them")
    arguments = parser.parse_args()
    if not shutil.which(arguments.ncu):
        print("skipped: there is no ncu (Nsight Compute) on this machine")
        return SKIPPED
    try:
        return compare_cold(arguments) if arguments.cold else compare(arguments)
    except (Failure, subprocess.TimeoutExpired) as why:
        print(f"compare.py: {why}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
