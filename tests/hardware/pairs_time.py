#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time and achieved occupancy of the kernels of pairs/: on an H200, and on the embedded GPU.

    pairs_time.py LIST VALUES MODEL [GPUPROF PAIRS [SECONDS]]

LIST is what `pairs list` prints (last_pairs_list.csv) and VALUES what measure_pairs does on a GPU (last_pairs_values.csv), of which the
groups are taken that an H200 measured. MODEL is CSV of kernels on the embedded GPU; with GPUPROF, the command, and PAIRS, the program
(built by nvcc -O3 -arch=sm_90 -cudart shared from pairs/*.cu but measure_pairs.cu), the pairs that MODEL lacks are run there at full scale
and added to it, those with the fewest warp instructions first: each once with caches as its set-up leaves them and once with empty ones,
SECONDS at most (60). A pair that takes longer stays unknown.
Of the two runs that one is compared whose kernel reads and writes more nearly as many bytes of device memory as on the GPU: what its caches hold
when a profiler repeats a kernel is not known.
Prints a line a kernel, those that are farthest off in time first, and totals: of all, of those whose executed instructions and
bytes of device memory are the GPU's, nearly (so that time and occupancy are the models' own), and of a third of the pairs, by the SHA-256 of
"third pairs/NAME", that was not looked at while the models were made. Exit status 0 if any kernel was compared."""
import csv
import hashlib
import json
import os
import subprocess
import sys
import tempfile

from pairs_table import HALVES as GROUPS
from ranking import read_csv

ON_H200 = ("unseen", "blind", "sealed", "closed", "again", "hidden", "outside")  # last_pairs.txt says on what each group was measured
TIME, OCCUPANCY, INSTRUCTIONS = "gpu__time_duration.sum", "sm__warps_active.avg.pct_of_peak_sustained_active", "smsp__inst_executed.sum"
BYTES = ["dram__bytes_read.sum", "dram__bytes_write.sum"]
METRICS = [TIME, OCCUPANCY, INSTRUCTIONS, *BYTES]
COLUMNS = ["kernel", "caches", "low", "high", "bound", *METRICS]
DEVICE_BYTES_A_NANOSECOND = 4800  # of an H200


def is_kept_back(name):
    return int(hashlib.sha256(f"third pairs/{name}".encode()).hexdigest(), 16) % 3 == 0


def on_the_embedded_gpu(gpuprof, pairs, name, caches, seconds):
    """Rows of MODEL of a pair's kernels; none if it takes too long or fails."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "kernels.json")
        command = [gpuprof, "run", "--chip", "gh100", "--rows", "launches", "--kernels", "json", "--metrics", ",".join(METRICS), "--output", output,
                   *(["--caches", "flush"] if caches == "empty" else []), "--", pairs, "once", name]
        try:
            subprocess.run(command, timeout=seconds, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
            return []
        with open(output, encoding="utf-8") as file:
            said = json.load(file)
    times = {each["name"]: each for each in said["times"]}
    return [[each["name"].split("<<<")[0].split("(")[0], caches, times[each["name"]]["low"], times[each["name"]]["high"], times[each["name"]]["bound"],
             *(each["values"].get(metric) for metric in METRICS)] for each in said["ranges"]]


def add_missing(listed, values, path, gpuprof, pairs, seconds):
    known = {(row["kernel"], row["caches"]) for row in read_csv(path)} if os.path.exists(path) else None
    with open(path, "a", encoding="utf-8", newline="") as file:
        write = csv.writer(file)
        if known is None:
            write.writerow(COLUMNS)
        size = lambda row: sum(float(values[kernel][INSTRUCTIONS]) for kernel in kernels_of(row) if kernel in values)
        for row in sorted(listed, key=size):
            for caches in ("left", "empty"):
                if (row["mended_kernel"], caches) not in (known or ()):
                    rows = on_the_embedded_gpu(gpuprof, pairs, row["name"], caches, seconds)
                    write.writerows(each for each in rows if each[0] in kernels_of(row))
                    file.flush()


def kernels_of(row):
    return [row[each] for each in ("bad_kernel", "mended_kernel") if row[each]]


def number(row, metric):
    return float(row[metric]) if row.get(metric) else None


class Kernel:
    def __init__(self, name, kept_back, real, rows):
        far = lambda row: sum(abs((number(row, metric) or 0) - (number(real, metric) or 0)) for metric in BYTES)
        mine = min(rows, key=far)
        self.name, self.kept_back, self.caches, self.bound = name, kept_back, mine["caches"], mine["bound"]
        self.time, self.occupancy = number(real, TIME), number(real, OCCUPANCY)
        self.model_time, self.model_occupancy = number(mine, TIME), number(mine, OCCUPANCY)
        self.holds = float(mine["low"]) <= self.time <= float(mine["high"])
        instructions = number(mine, INSTRUCTIONS) / number(real, INSTRUCTIONS) - 1
        self.alike = abs(instructions) <= 0.1 and far(mine) / DEVICE_BYTES_A_NANOSECOND <= 0.1 * self.time

    def errors(self):
        return self.model_time / self.time - 1, self.model_occupancy / self.occupancy - 1

    def line(self):
        time, occupancy = self.errors()
        return (f"{self.name} | {self.caches} | {self.bound} | {'yes' if self.alike else 'no'} | {self.time / 1e3:.2f} | {self.model_time / 1e3:.2f} | "
                f"{time:+.0%} | {'yes' if self.holds else 'NO'} | {self.occupancy:.1f} | {self.model_occupancy:.1f} | {occupancy:+.0%}")


def totals(what, kernels):
    if not kernels:
        return []
    times, occupancies = zip(*((abs(time), abs(occupancy)) for time, occupancy in (each.errors() for each in kernels)))
    share = lambda part: f"{sum(part) / len(kernels):.1%}"
    return [f"{what}: {len(kernels)} kernels; time: mean error {sum(times) / len(kernels):.1%}, within 25 % {share(each <= 0.25 for each in times)}, in the "
            f"interval {share(each.holds for each in kernels)}; occupancy: mean error {sum(occupancies) / len(kernels):.1%}, within 10 % "
            f"{share(each <= 0.1 for each in occupancies)}"]


def table(listed, values, model):
    """Kernels as lines, and totals. listed: rows of LIST; values: {kernel: row of VALUES}; model: {kernel: rows of MODEL}."""
    kernels = [Kernel(kernel, is_kept_back(row["name"]), values[kernel], model[kernel])
               for row in listed for kernel in kernels_of(row) if kernel in values and kernel in model]
    kernels.sort(key=lambda each: (-abs(each.errors()[0]), each.name))
    lines = ["kernel | caches | bound | counts are the GPU's | us | model | off | in the interval | occupancy [%] | model | off", *(each.line() for each in kernels)]
    for part, chosen in (("two thirds", [each for each in kernels if not each.kept_back]), ("the other third", [each for each in kernels if each.kept_back])):
        lines += totals(part, chosen) + totals(f"{part}, counts are the GPU's", [each for each in chosen if each.alike])
    return lines, len(kernels)


def main(listed, values, model, gpuprof=None, pairs=None, seconds="60"):
    listed = [row for row in read_csv(listed) if GROUPS[int(row["held_back"])] in ON_H200]
    values = {row["kernel"]: row for row in read_csv(values)}
    if gpuprof:
        add_missing(listed, values, model, gpuprof, pairs, float(seconds))
    rows = {}
    for row in read_csv(model):
        rows.setdefault(row["kernel"], []).append(row)
    lines, compared = table(listed, values, rows)
    print("\n".join(lines))
    return 0 if compared else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
