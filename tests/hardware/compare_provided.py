#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares gpuprof's metrics without counters (launch__, device__attribute_) with Nsight Compute's, kernel by kernel.

Runs `provided`, which uses gpuprof, and `ncu` on conformance_app, which launches the same kernels, and writes a report.
Exit status: 0 all values that both have agree, 1 one does not or something could not be measured, 77 there is no GPU or no
ncu (skipped).
"""
import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys

import ncu_table
from compare import Failure, SKIPPED, run

HERE = pathlib.Path(__file__).resolve().parent
# Enumerators that ncu prints by name.
NAMED = {"CachePreferNone": 0, "CachePreferShared": 1, "CachePreferL1": 2, "CachePreferEqual": 3,
         "PolicyDefault": 0, "PolicySpread": 1, "PolicyLoadBalancing": 2}
# ncu's number for the whole of these is none of occupancy: their instances are shown, not compared.
INSTANCED = "launch__occupancy_per_"


class Provided:
    """What `provided` wrote: values[kernel][metric], texts or numbers; the device's are those of kernel ""."""

    def __init__(self, text):
        self.about, self.values, self.refused, self.instances, self.driver = {}, {}, {}, {}, {}
        for line in text.splitlines():
            what, *rest = line.split(",", 3)
            if what == "about":
                self.about[rest[0]] = rest[1]
            elif what == "device":
                self.values.setdefault("", {})[rest[0]] = number_or_text(",".join(rest[1:]))
            elif what == "launch":
                self.values.setdefault(rest[0], {})[rest[1]] = number_or_text(rest[2])
            elif what == "driver":
                self.driver[rest[0]] = float(rest[1]), float(rest[2])
            elif what == "refused":
                self.refused[rest[0], rest[1]] = rest[2]
            elif what == "instances":
                self.instances[rest[0], rest[1]] = rest[2]

    def metrics(self):
        """All names, in the order of their first mention, of the device first."""
        names = dict.fromkeys(self.values.get("", {}))
        names.update(dict.fromkeys(metric for kernel, metric in self.refused if not kernel))
        for values in self.values.values():
            names.update(dict.fromkeys(values))
        names.update(dict.fromkeys(metric for _, metric in self.refused))
        return list(names)


def number_or_text(cell):
    cell = cell.strip()
    if cell in NAMED:
        return float(NAMED[cell])
    try:
        return float(cell.replace(",", ""))
    except ValueError:
        return cell


def read_ncu(text, kernels):
    """{kernel: {metric: number or text}} of what `ncu --csv --page raw` printed of one round over the kernels."""
    table = ncu_table.read(text)
    if table is None:
        raise Failure("ncu printed no table:\n" + "\n".join(text.splitlines()[-15:]))
    rows = table.rows
    if len(rows) < len(kernels):
        raise Failure(f"ncu profiled {len(rows)} kernels of {len(kernels)}")
    return {kernel: {metric: number_or_text(cell) for metric, cell in row.items()
                     if metric and "__" in metric and cell not in (None, "", "n/a")}
            for kernel, row in zip(kernels, rows[len(rows) - len(kernels):])}


def profile(ncu, build, kernels, metrics, more=()):
    command = [ncu, "--metrics", ",".join(metrics), "--csv", "--page", "raw", "--print-units", "base", "--print-kernel-base",
               "function", "--clock-control", "none", "--cache-control", "none", "--profile-from-start", "off",
               "--target-processes", "application-only", *more, build / "conformance_app", HERE]
    done = run(command, allowed=range(256))
    try:
        return read_ncu(done.stdout, kernels)
    except Failure:
        text = done.stdout + done.stderr
        named = [m for m in metrics if re.search(r"==(?:ERROR|WARNING)==.*\b" + re.escape(m) + r"\b", text)]
        if not named or len(named) == len(metrics):
            raise
        print(f"ncu refuses {named}; once more without", file=sys.stderr)
        return profile(ncu, build, kernels, [m for m in metrics if m not in named], more)


def same(own, theirs):
    if isinstance(own, float) and isinstance(theirs, float):
        return abs(own - theirs) <= 0.01 or abs(own - theirs) <= 1e-4 * abs(theirs)  # ncu rounds what it prints
    return str(own).lower() == str(theirs).lower()


def shown(value):
    return f"{value:.10g}" if isinstance(value, float) else str(value)


class Comparison:
    def __init__(self, provided, ncu):
        self.equal, self.different, self.only_ncu, self.only_own = 0, [], [], []
        first = next(iter(ncu.values()))
        for metric in provided.metrics():
            if metric.startswith(INSTANCED):
                continue
            rows = [("", first)] if not metric.startswith("launch__") else ncu.items()
            for kernel, theirs in rows:
                self.cell(provided, kernel, metric, theirs.get(metric))

    def cell(self, provided, kernel, metric, theirs):
        own = provided.values.get(kernel, {}).get(metric)
        where = f"{metric} of {kernel}" if kernel else metric
        if own is None and theirs is None:
            return
        if own is None:
            why = provided.refused.get((kernel, metric), "it gave nothing")
            self.only_ncu.append(f"{where}: ncu {shown(theirs)}; gpuprof: {why}")
        elif theirs is None:
            self.only_own.append(f"{where}: {shown(own)}")
        elif same(own, theirs):
            self.equal += 1
        else:
            self.different.append(f"{where}: gpuprof {shown(own)}, ncu {shown(theirs)}")


def listed(title, lines):
    return f"\n{title}: {len(lines)}\n" + "".join(f"  {line}\n" for line in lines)


def compare(arguments):
    done = run([arguments.build / "provided", HERE], allowed=(0, 1, SKIPPED))
    if done.returncode == SKIPPED:
        print(done.stdout.strip())
        return SKIPPED
    if done.returncode != 0:
        raise Failure(done.stderr.strip())
    provided = Provided(done.stdout)
    if provided.about.get("source") != "hardware":
        print("skipped: no GPU but the embedded one")
        return SKIPPED
    kernels = [kernel for kernel in provided.values if kernel]
    names = provided.metrics()
    theirs = collections.defaultdict(dict)
    refused = []
    # By provider: a name that this ncu does not know spoils only its own group.
    for prefix in ("launch__", "device__", "nvlink__", "numa__"):
        # Not what this driver is too old for: ncu does not know the name either.
        group = [name for name in names if name.startswith(prefix)
                 and "is of a newer one" not in provided.refused.get(("", name), "")]
        try:
            for kernel, values in profile(arguments.ncu, arguments.build, kernels, group).items():
                theirs[kernel].update(values)
        except Failure as why:
            refused.append(f"{prefix}: {why}")
    if not theirs:
        raise Failure("\n".join(refused))
    found = Comparison(provided, theirs)
    text = "gpuprof's metrics without counters beside Nsight Compute's\n"
    text += "".join(f"  {what}: {value}\n" for what, value in provided.about.items())
    text += f"  ncu: {run([arguments.ncu, '--version']).stdout.strip().splitlines()[-1]}\n"
    other = [f"{kernel}: the driver {shown(theirs)}, gpuprof {shown(own)}"
             for kernel, (theirs, own) in provided.driver.items() if abs(theirs - own) > 1e-6]
    text += f"\nblocks of an SM as the driver calculates them: {len(provided.driver) - len(other)} of {len(provided.driver)} kernels\n"
    text += "".join(f"  {line}\n" for line in other)
    text += f"\nequal: {found.equal}\n"
    text += listed("different", found.different) + listed("ncu has a value, gpuprof none", found.only_ncu)
    text += listed("gpuprof has a value, ncu none", found.only_own) + listed("groups that ncu refused", refused)
    instanced = [name for name in names if name.startswith(INSTANCED)]
    try:
        rows = profile(arguments.ncu, arguments.build, kernels, instanced, ["--print-metric-instances", "details"])
        text += listed("instances of the first kernel, as ncu prints them",
                       [f"{metric}: {shown(value)}" for metric, value in rows[kernels[0]].items()])
    except Failure as why:
        text += f"\nncu printed no instances: {why}\n"
    text += listed("instances of the first kernel, of gpuprof",
                   [f"{metric}: {value}" for (kernel, metric), value in provided.instances.items() if kernel == kernels[0]])
    text += listed("instances of the device, of gpuprof",
                   [f"{metric}: {value}" for (kernel, metric), value in provided.instances.items() if not kernel])
    arguments.out.write_text(text)
    print(f"{found.equal} equal, {len(found.different)} different, {len(found.only_ncu)} from ncu only, "
          f"{len(found.only_own)} from gpuprof only")
    return 1 if found.different or refused or other or found.equal == 0 else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="folder with provided and conformance_app")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="file to write")
    parser.add_argument("--ncu", default=shutil.which("ncu") or "/usr/local/cuda/bin/ncu")
    arguments = parser.parse_args()
    if not shutil.which(arguments.ncu):
        print("skipped: there is no ncu (Nsight Compute) on this machine")
        return SKIPPED
    try:
        return compare(arguments)
    except (Failure, subprocess.TimeoutExpired) as why:
        print(f"compare_provided.py: {why}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
