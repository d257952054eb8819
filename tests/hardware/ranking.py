#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which kernel of a pair of pairs/ is faster: by a GPU's times, and by the embedded GPU's.

    ranking.py LIST TIME MODEL [GPUPROF PAIRS [SECONDS]]

LIST and TIME are what `pairs list` and, on a GPU, `pairs time` print: last_pairs_list.csv and last_pairs_time.csv. MODEL is CSV of
kernels and nanoseconds; with GPUPROF, the command, and PAIRS, the program (built by nvcc -O3 -arch=compute_80 -cudart shared from
pairs/*.cu but measure_pairs.cu), the pairs that MODEL lacks are run on the embedded GPU at full scale and added to it: each once, 60
SECONDS at most, the caches as its set-up leaves them. A pair that takes longer stays unknown.
Prints a line a pair: bad / mended, the ratio of times of both, and whether the model names the faster one; then totals. Those of pairs
whose times on the GPU differ by 10 % or more are what counts. Exit status 0 if any pair was compared."""
import csv
import os
import subprocess
import sys
import tempfile

from pairs_table import HALVES as GROUPS

DIFFERS = 1.1  # the slower one takes so many times as long


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def modelled(gpuprof, pairs, name, seconds):
    """{kernel: nanoseconds} of a pair on the embedded GPU; {} if it takes too long or fails."""
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "kernels.csv")
        command = [gpuprof, "run", "--kernels", "csv", "--metrics", "gpu__time_duration.sum", "--output", table, "--", pairs, "once", name]
        try:
            subprocess.run(command, timeout=seconds, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
            return {}
        return {row["range"].split("(")[0]: float(row["gpu__time_duration.sum [ns]"]) for row in read_csv(table)}


def add_missing(listed, path, gpuprof, pairs, seconds):
    known = {row["kernel"] for row in read_csv(path)} if os.path.exists(path) else None
    with open(path, "a", encoding="utf-8", newline="") as file:
        write = csv.writer(file)
        if known is None:
            write.writerow(["kernel", "ns"])
        for row in listed:
            if row["bad_kernel"] and row["bad_kernel"] not in (known or ()):
                times = modelled(gpuprof, pairs, row["name"], seconds)
                for kernel in (row["bad_kernel"], row["mended_kernel"]):
                    if kernel in times:
                        write.writerow([kernel, times[kernel]])
                file.flush()


def is_right(hardware, model):
    """Of two ratios: both name the same kernel as the faster one. A model that tells no difference is wrong."""
    return (hardware > 1 and model > 1) or (hardware < 1 and model < 1)


def table(listed, times, model):
    """Lines. listed: rows of LIST; times: {name: row of TIME}; model: {kernel: time}."""
    lines = ["pair | planted | group | bad us | mended us | hardware ratio | model ratio | differs | faster one"]
    counts = {}  # (group, differs): [right, compared, unknown]
    for row in listed:
        time = times.get(row["name"])
        if not row["bad_kernel"] or time is None:
            continue
        bad, mended = float(time["bad_us"]), float(time["mended_us"])
        hardware = bad / mended
        differs = max(hardware, 1 / hardware) >= DIFFERS
        count = counts.setdefault((GROUPS[int(row["held_back"])], differs), [0, 0, 0])
        both = [model.get(row[kernel]) for kernel in ("bad_kernel", "mended_kernel")]
        shown, verdict = "-", "unknown"
        if None in both:
            count[2] += 1
        else:
            ratio = both[0] / both[1]
            right = is_right(hardware, ratio)
            count[0] += right
            count[1] += 1
            shown, verdict = f"{ratio:.3f}", "right" if right else "WRONG"
        lines.append(" | ".join([row["name"], row["expected"], GROUPS[int(row["held_back"])], f"{bad:.1f}", f"{mended:.1f}",
                                 f"{hardware:.3f}", shown, "yes" if differs else "no", verdict]))
    for differs in (True, False):
        size = "10 % or more" if differs else "less than 10 %"
        groups = {group: counts[group, differs] for group in GROUPS if (group, differs) in counts}
        groups["all"] = [sum(count[i] for count in groups.values()) for i in range(3)]
        for group, (right, compared, unknown) in groups.items():
            share = f" ({100 * right / compared:.0f} %)" if compared else ""
            lines.append(f"{group}, times differ by {size}: the faster one named in {right} of {compared}{share}; {unknown} not run")
    return lines


def main(listed, time, model, gpuprof=None, pairs=None, seconds="60"):
    listed = read_csv(listed)
    if gpuprof:
        add_missing(listed, model, gpuprof, pairs, float(seconds))
    lines = table(listed, {row["name"]: row for row in read_csv(time)}, {row["kernel"]: float(row["ns"]) for row in read_csv(model)})
    print("\n".join(lines))
    return 0 if any(line.endswith(("right", "WRONG")) for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
