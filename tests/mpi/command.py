#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs `gpuprof run` and `gpuprof explain` as four ranks of MPI: command.py MPIRUN GPUPROF PROGRAM. Exit: 0, or 1 with a line a fault.

One table and one page of all ranks; values that equal those of a rank that runs by itself; the rank with more work is named; a rank that
fails is named, and mpirun fails.
"""
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

METRICS = ["smsp__warps_launched.sum", "smsp__inst_executed.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]
mpirun, gpuprof, program = sys.argv[1:]
faults = []


def check(holds, what):
    if not holds:
        faults.append(what)


def run(folder, ranks, *words):
    return subprocess.run([mpirun, "-n", str(ranks), gpuprof, *words], cwd=folder, capture_output=True, text=True, timeout=120, check=False)


with tempfile.TemporaryDirectory() as place:
    folder = Path(place)
    measured = ["run", "--metrics", ",".join(METRICS)]

    one = run(folder, 1, *measured, "--kernels", "csv", "--output", "one.csv", "--", program)
    check(one.returncode == 0, f"one rank by itself: {one}")
    alone = next(csv.DictReader((folder / "one.csv").open(encoding="utf-8")))
    alone = {metric: float(next(text for name, text in alone.items() if name.startswith(metric))) for metric in METRICS}
    check(alone["smsp__warps_launched.sum"] == 8, f"four blocks of two warps: {alone}")

    all_ranks = run(folder, 4, *measured, "--", program)
    check(all_ranks.returncode == 0 and "4 ranks ran" in all_ranks.stdout, f"four ranks: {all_ranks}")
    check(all_ranks.stderr.count("4 ranks, which did the same work") == 1, f"one table: {all_ranks.stderr}")
    check("outlier: rank" not in all_ranks.stderr, f"ranks that are alike: {all_ranks.stderr}")

    uneven = run(folder, 4, *measured, "--kernels", "json", "--output", "uneven.json", "--", program, "uneven")
    check(uneven.returncode == 0 and uneven.stderr == "", f"four uneven ranks: {uneven}")
    report = json.loads((folder / "uneven.json").read_text(encoding="utf-8"))
    check(report["heard"] == 4 and report["problems"] == [] and len(report["rows"]) == 3, f"rows: {report}")
    for row in report["rows"]:
        check(row["least"] == row["median"] == alone[row["metric"]], f"{row} differs from one rank alone: {alone}")
    warps = report["rows"][0]
    check(warps["highest"] == 16 and [each["rank"] for each in warps["outliers"]] == [3], f"eight blocks on rank 3: {warps}")

    why = run(folder, 4, "explain", "--on", "embedded", "--page", "why.html", "--json", "why.json", "--", program, "uneven")
    check(why.returncode == 0, f"explain: {why}")
    check(why.stderr.count("Findings on ranks") == 1, f"one answer: {why.stderr}")
    check("[small_grid] on all 4 ranks" in " ".join(why.stderr.split()), f"findings of ranks: {why.stderr}")
    check((folder / "why.html").read_text(encoding="utf-8").count("<h2 id=\"ranks\">") == 1, "one page of ranks")
    check(len(list(folder.glob("why*"))) == 2, "one page and one JSON file")
    found = json.loads((folder / "why.json").read_text(encoding="utf-8"))
    times = [row for row in found["ranks"]["rows"] if row["metric"] == "gpu__time_duration.sum"]
    check(len(times) == 1 and times[0]["ranks"] == 4, f"durations of ranks: {times}")

    fails = run(folder, 4, *measured, "--ranks-wait", "2", "--", program, "fail")
    check(fails.returncode != 0, f"the status of the rank that failed: {fails}") # which of several, mpirun chooses
    check("gpuprof: rank 1: " in fails.stderr and "exit status 3" in fails.stderr, f"its name: {fails.stderr}")
    check("4 ranks" in fails.stderr, f"the others' table: {fails.stderr}")

for each in faults:
    print(each)
print(f"{len(faults)} faults")
sys.exit(1 if faults else 0)
