#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time and occupancy of short launches on a GPU, by Nsight Compute, beside the embedded GPU's: short_launches.cu.

    short_launches.py PROGRAM FOLDER [GPUPROF EMBEDDED]

PROGRAM is short_launches.cu built for the GPU, EMBEDDED the same with PTX and the shared runtime (nvcc -O3 -arch=sm_90a, and
-arch=compute_90 -cudart shared); GPUPROF is the command. FOLDER gets cold.csv (caches flushed before each launch) and warm.csv (the
second round of launches, caches as the one before leaves them), then short_launches.txt, the table. Where there is no GPU, the two that
are there are kept. Exit status 0 if the GPU's side has every launch."""
import csv
import json
import os
import shutil
import subprocess
import sys

import ncu_table

METRICS = ["gpu__time_duration.sum", "sm__warps_active.avg.pct_of_peak_sustained_active", "sm__cycles_active.avg",
           "sm__cycles_active.max", "sm__cycles_elapsed.max", "smsp__warps_eligible.avg.per_cycle_active",
           "smsp__warps_eligible.sum", "sm__warps_active.sum", "smsp__inst_executed.sum",
           "sm__ctas_active.sum", "sm__ctas_launched.sum"]
SHOWN = METRICS[:3]


def labels(text):
    return [",".join(line.split(",")[1:]) for line in text.splitlines() if line.startswith("launch,")]


def by_ncu(program, caches):
    ncu = shutil.which("ncu") or "/usr/local/cuda/bin/ncu"
    names = labels(subprocess.run([program], capture_output=True, text=True, check=True).stdout)
    half = len(names) // 2
    command = [ncu, "--launch-skip", str(half), "--metrics", ",".join(METRICS), "--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none",
               "--cache-control", caches, "--replay-mode", "kernel", program]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    counted = ncu_table.read(text)
    rows = counted.rows if counted else []
    if len(rows) != half:
        raise SystemExit(f"{len(rows)} launches were profiled, {half} of a round made")
    return [[name, *(row[metric].replace(",", "") for metric in METRICS)] for name, row in zip(names[half:], rows)]


def write_csv(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["launch", *METRICS], *rows])


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def embedded(gpuprof, program, caches, folder):
    """[{metric: value}] of the second round."""
    output = os.path.join(folder, "embedded.json")
    subprocess.run([gpuprof, "run", "--rows", "launches", "--caches", caches, "--kernels", "json", "--output", output, "--metrics",
                    ",".join(METRICS), "--", program], check=True, stdout=subprocess.DEVNULL)
    with open(output, encoding="utf-8") as file:
        rows = json.load(file)["ranges"]
    os.remove(output)
    return [row["values"] for row in rows[len(rows) // 2:]]


def table(name, real, here):
    """Lines, of rows of a GPU and the values here, {} where there are none."""
    lines = []
    for row, values in zip(real, here, strict=True):
        cells = [name, row["launch"]]
        for metric in SHOWN:
            theirs, mine = float(row[metric]), values.get(metric)
            cells += [f"{theirs:.5g}"] + (["-", "-"] if mine is None else [f"{mine:.5g}", f"{100 * (mine / theirs - 1):+.0f}"])
        lines.append(" | ".join(cells))
    return lines


def has_gpu():
    return shutil.which("nvidia-smi") is not None and subprocess.run(["nvidia-smi", "-L"], capture_output=True, check=False).returncode == 0


def main(program, folder, gpuprof=None, embedded_program=None):
    os.makedirs(folder, exist_ok=True)
    lines = ["caches | launch, CTAs, threads of one | " + " | ".join(f"{metric} | here | off [%]" for metric in SHOWN)]
    for caches, here_caches, name in (("all", "flush", "cold"), ("none", "leave", "warm")):
        path = os.path.join(folder, f"{name}.csv")
        if has_gpu():
            write_csv(path, by_ncu(program, caches))
        real = read_csv(path)
        lines += table(name, real, embedded(gpuprof, embedded_program, here_caches, folder) if gpuprof else [{}] * len(real))
    text = "\n".join(lines) + "\n"
    with open(os.path.join(folder, "short_launches.txt"), "w", encoding="utf-8") as file:
        file.write(text)
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
