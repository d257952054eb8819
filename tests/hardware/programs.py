#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same programs on a GPU and on the embedded GPU: each counter of each kernel, side by side.

    programs.py --programs FOLDER --gpuprof COMMAND --out TABLE [--list FILE] [NAME...]

FOLDER has programs of NVIDIA's cuda-samples, built with -cudart shared -arch=compute_80; --list names them with their arguments
(default: programs.txt beside this file). Nsight Compute counts them on this machine's GPU, `gpuprof run` on the embedded one
of the same chip. Counters that a kernel's accesses decide are counted with each kernel replayed; those of caches with the whole
program replayed, so that a kernel finds in the caches what the kernels before it left. Sums over all launches of a kernel.
Exit status 1 if a program fails on either side, or a target is missed.
"""
import argparse
import concurrent.futures
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
GLOBAL = [f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum" for what in ("requests", "sectors") for op in ("ld", "st", "atom", "red")]
# Equal to the unit, or not: what the accesses of a kernel decide. Wavefronts of shared memory are counted at the instruction,
# without those that arbitration between warps adds.
EXACT = ["smsp__warps_launched.sum", *GLOBAL, "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum"]
CACHES = ["l1tex__t_sectors_pipe_lsu_lookup_hit.sum", "lts__t_sectors_srcunit_tex_lookup_hit.sum", "dram__bytes_read.sum",
          "dram__bytes_write.sum"]
ESTIMATED = ["smsp__inst_executed.sum", "gpu__time_duration.sum"]
NEAR = 0.05
EXACT_TARGET, CACHE_TARGET = 0.99, 0.80


def nsight(program, metrics, replay):
    """{kernel: {metric: sum, "launches": count}}"""
    command = ["ncu", "--metrics", ",".join(metrics), "--csv", "--page", "raw", "--print-units", "base", "--print-kernel-base",
               "mangled", "--clock-control", "none", "--cache-control", "none", "--replay-mode", replay, *program]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    lines = printed.stdout.splitlines()
    start = next((number for number, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise RuntimeError((printed.stdout + printed.stderr).strip().splitlines()[-1])
    kernels = defaultdict(lambda: defaultdict(float))
    for row in csv.DictReader(io.StringIO("\n".join(lines[start:]))):
        if not row["ID"]:  # the line of units
            continue
        kernel = kernels[row["Kernel Name"]]
        kernel["launches"] += 1
        for metric in metrics:
            kernel[metric] += float(row[metric].replace(",", ""))
    names = subprocess.run(["c++filt"], input="\n".join(kernels), capture_output=True, text=True, check=True).stdout.splitlines()
    return dict(zip(names, kernels.values()))


def embedded(gpuprof, program, metrics):
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "kernels.json")
        done = subprocess.run([gpuprof, "run", "--chip", "gh100", "--kernels", "json", "--output", str(output), "--metrics",
                               ",".join(metrics), "--", *program], capture_output=True, text=True, timeout=400, check=False)
        if not output.exists():
            raise RuntimeError((done.stdout + done.stderr).strip().splitlines()[-1])
        text = output.read_text(encoding="utf-8")
        ranges = json.loads(text[text.index("{"):])["ranges"]
        return {each["name"]: {"launches": each["count"], **each["values"]} for each in ranges}


def on_the_gpu(program):
    real = nsight(program, EXACT + ESTIMATED, "kernel")
    for kernel, values in nsight(program, CACHES, "application").items():
        real[kernel].update({metric: values[metric] for metric in CACHES})
    return real


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--gpuprof", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--list", type=Path, default=HERE / "programs.txt")
    parser.add_argument("--seconds", type=float, default=1e9, help="after which no further program is begun")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    programs = [line.split() for line in options.list.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    programs = [each for each in programs if not options.names or each[0] in options.names]
    pool = concurrent.futures.ThreadPoolExecutor(max(1, os.cpu_count() - 2))
    started = [[str(options.programs / name), *arguments] for name, *arguments in programs]
    owns = [pool.submit(embedded, options.gpuprof, program, EXACT + CACHES + ESTIMATED) for program in started]
    lines, failures = [], []
    began = time.monotonic()
    errors = defaultdict(list)  # metric: relative error of each kernel in which either side counts
    kernels = 0
    for (name, *arguments), program, own_result in zip(programs, started, owns):
        try:
            if time.monotonic() - began > options.seconds:
                raise RuntimeError("no time left")
            own = own_result.result(max(1.0, options.seconds - (time.monotonic() - began)))
            real = on_the_gpu(program)
        except (RuntimeError, subprocess.TimeoutExpired, concurrent.futures.TimeoutError, ValueError, KeyError) as reason:
            failures.append(f"{name}: {reason}")
            print(failures[-1], file=sys.stderr, flush=True)
            continue
        lines.append(" ".join([name, *arguments]))
        for kernel in sorted(real.keys() | own.keys()):
            if kernel not in real or kernel not in own:
                failures.append(f"{name}: {kernel}: only on " + ("the GPU" if kernel in real else "the embedded GPU"))
                continue
            kernels += 1
            lines.append(f"  {kernel[:118]}")
            for metric in ["launches", *EXACT, *CACHES, *ESTIMATED]:
                there, here = real[kernel][metric], own[kernel].get(metric)
                if here is None:
                    failures.append(f"{name}: {kernel}: {metric}: not on the embedded GPU")
                    continue
                if there == here == 0:
                    continue
                error = (here - there) / there if there else float("inf")
                errors[metric].append(error)
                lines.append(f"    {metric:52} {there:18,.0f} {here:18,.0f}" + ("" if there == here else f"  {error:+.2%}"))
        print(name, len(real), "kernels", file=sys.stderr, flush=True)
    summary = [f"{'counter':54} {'cells':>5} {'equal':>6} {'in 5%':>6} {'median error':>13} {'worst':>9}"]
    for metric, of in errors.items():
        sizes = sorted(abs(each) for each in of)
        summary.append(f"{metric:54} {len(of):5} {sum(each == 0 for each in of):6} {sum(each <= NEAR for each in sizes):6} "
                       f"{sizes[len(sizes) // 2]:13.2%} {sizes[-1]:9.0%}")
    exact = [each for metric in ["launches", *EXACT] for each in errors[metric]]
    caches = [each for metric in CACHES for each in errors[metric]]
    equal, near = sum(each == 0 for each in exact), sum(abs(each) <= NEAR for each in caches)
    met = [kernels >= 60, equal >= EXACT_TARGET * len(exact), near >= CACHE_TARGET * len(caches)]
    word = {True: "met", False: "MISSED"}
    summary += ["", f"{kernels} kernels of {len(programs) - len({each.split(':')[0] for each in failures})} programs (at least 60): {word[met[0]]}",
                f"equal: {equal} of {len(exact)} cells of counters that accesses decide (at least {EXACT_TARGET:.0%}): {word[met[1]]}",
                f"within {NEAR:.0%}: {near} of {len(caches)} cells of caches and device memory (at least {CACHE_TARGET:.0%}): {word[met[2]]}",
                *(f"not compared: {each}" for each in failures)]
    device = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True,
                            text=True, check=False).stdout.strip()
    head = [f"tests/hardware/programs.py on {device}: Nsight Compute on the left, the embedded GPU on the right", ""]
    Path(options.out).write_text("\n".join(head + summary + ["", *lines]) + "\n", encoding="utf-8")
    print("\n".join(summary))
    sys.stdout.flush()
    os._exit(0 if all(met) and not failures else 1)


if __name__ == "__main__":
    main()
