#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a file costs to compile, code generation included, beside a file with one scoped range of nvtx3.hpp.

  compile_cost.py [--repetitions N] [--compiler NAME]...     a table; ratios to the nvtx3 file of the same command line
  compile_cost.py --empty-when-off COMPILER                  exit 1 if an object file with GPUPROF_ENABLED=0 has code of
                                                             gpuprof's; nothing is timed

Seconds are the compiler's user time, the least of the repetitions; all files take turns. Memory is its largest resident
size. Targets stand in the table and are for -O2 (g++).
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILES = HERE / "compile_cost"
INCLUDE = HERE.parent.parent / "include"
NVTX = next((place for place in ("/usr/local/cuda/include", "/usr/include") if Path(place, "nvtx3/nvtx3.hpp").exists()), None)
COMPILED = ["-DGPUPROF_HEADER_ONLY=0"]
OFF = ["-DGPUPROF_ENABLED=0"]
# name, file, options, target as a ratio to the nvtx3 file
CASES = [
    ("nvtx3 scoped range", "nvtx3_range.cpp", [], None),
    ("scope on a target", "scope_on_target.cpp", [], 0.3),
    ("profiler, header-only", "profiler.cpp", [], 3),
    ("profiler, compiled library", "profiler.cpp", COMPILED, 1.2),
    ("embedded GPU, header-only", "embedded.cpp", [], 15),
    ("embedded GPU, compiled library", "embedded.cpp", COMPILED, 1.2),
    ("profiler, GPUPROF_ENABLED=0", "profiler.cpp", OFF, 0.3),
]


def command(compiler, level, file, options, output):
    places = [f"-I{INCLUDE}"] + ([f"-isystem{NVTX}"] if NVTX else [])
    return [compiler, "-std=c++20", level, *places, *options, "-c", str(FILES / file), "-o", str(output)]


def cost(line):
    """User seconds and MB of one compilation."""
    with subprocess.Popen(line) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit("failed: " + " ".join(line))
    return used.ru_utime, used.ru_maxrss / 1024


def measure(compilers, repetitions):
    if NVTX is None:
        sys.exit("nvtx3/nvtx3.hpp is not on this machine: there is nothing to compare with")
    with tempfile.TemporaryDirectory() as folder:
        for compiler in compilers:
            version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
            for level in ("-O0", "-O2"):
                best = {}
                for _ in range(repetitions):
                    for name, file, options, _ in CASES:
                        found = cost(command(compiler, level, file, options, Path(folder, "x.o")))
                        best[name] = min(best.get(name, found), found)
                base = best[CASES[0][0]][0]
                print(f"\n{version}, {level}, least of {repetitions}")
                print(f"{'':34}{'user s':>8}{'MB':>7}{'ratio':>8}{'target':>9}")
                for name, _, _, target in CASES:
                    seconds, memory = best[name]
                    aim = "" if target is None else f"{target:g} {'met' if seconds / base <= target else 'MISSED'}"
                    print(f"{name:34}{seconds:8.2f}{memory:7.0f}{seconds / base:8.2f}{aim:>12}")


def empty_when_off(compiler):
    """With GPUPROF_ENABLED=0 an object file has none of gpuprof's symbols; with 1 it has, so the look can fail."""
    with tempfile.TemporaryDirectory() as folder:
        counts = {}
        for enabled in (0, 1):
            target = Path(folder, "x.o")
            cost(command(compiler, "-O2", "profiler.cpp", [f"-DGPUPROF_ENABLED={enabled}"], target))
            names = subprocess.run(["nm", "-C", str(target)], capture_output=True, text=True, check=True).stdout.splitlines()
            counts[enabled] = [name for name in names if "gpuprof" in name]
        print("\n".join(counts[0]))
        print(f"{compiler}: {len(counts[0])} symbols of gpuprof's when off, {len(counts[1])} when on")
        sys.exit(0 if not counts[0] and len(counts[1]) > 10 else 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--compiler", action="append", default=[])
    parser.add_argument("--empty-when-off", metavar="COMPILER")
    arguments = parser.parse_args()
    if arguments.empty_when_off:
        empty_when_off(arguments.empty_when_off)
    measure(arguments.compiler or [each for each in ("g++", "clang++") if shutil.which(each)], arguments.repetitions)


if __name__ == "__main__":
    main()
