#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What whole files cost to compile, code generation included, beside a file with one scoped range of nvtx3.hpp.

  compile_cost.py [--compiler NAME]... [--tree include|single_include]... [--seconds N] [--library] [--case REGEX]
                                          tables; ratios are to the nvtx3 file of the same compiler and level
  compile_cost.py --empty-when-off COMPILER
                                          exit 1 if an object file with GPUPROF_ENABLED=0 has code of gpuprof's;
                                          nothing is measured

The ratios are of instructions that the compiler executes, counted by valgrind: they repeat to 1 %. Seconds are the
compiler's user time, the least of N (1 unless said); they spread by 20 % on a busy machine. Memory is its largest resident
size. --library measures each file of gpuprof::compiled and gpuprof::sim as well. Targets are for g++.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FILES = HERE / "compile_cost"
ROOT = HERE.parent.parent
NVTX = next((place for place in ("/usr/local/cuda/include", "/usr/include") if Path(place, "nvtx3/nvtx3.hpp").exists()), None)
ELSEWHERE = ["-DGPUPROF_HEADER_ONLY=0"]
OFF = ["-DGPUPROF_ENABLED=0"]
LEVELS = ("-O0", "-O2")
TREES = {"include": ROOT / "include", "single_include": Path(tempfile.gettempdir(), f"gpuprof_single_include_{os.getpid()}")}
# name, file, options, target at each level as a ratio to the nvtx3 file
CASES = [
    ("nvtx3 scoped range", "nvtx3_range.cpp", [], (None, None)),
    ("scope on a target", "scope_on_target.cpp", [], (0.3, 0.3)),
    ("gpuprof.hpp, nothing used", "include_only.cpp", [], (2.9, None)),
    ("profiler, header-only", "profiler.cpp", [], (9.6, 8.8)),
    ("profiler, compiled elsewhere", "profiler.cpp", ELSEWHERE, (1.7, 0.8)),
    ("  and sim.hpp", "embedded.cpp", ELSEWHERE, (2.4, 1.1)),
    ("profiler and sim.hpp, header-only", "embedded.cpp", [], (11, 11)),
    ("GPUPROF_IMPLEMENTATION, gpuprof.hpp", "implementation.cpp", ELSEWHERE, (11, 14)),
    ("GPUPROF_SIM_IMPLEMENTATION", "sim_implementation.cpp", ELSEWHERE, (None, None)),
    ("profiler, GPUPROF_ENABLED=0", "profiler.cpp", OFF, (1, 0.5)),
]
LARGEST_FILE = 25


def command(compiler, level, tree, options, file, output):
    places = [f"-I{TREES[tree]}"] + ([f"-isystem{NVTX}"] if NVTX else [])
    return [compiler, "-std=c++20", level, *places, *options, "-c", str(file), "-o", str(output)]


def seconds_of(line):
    """User seconds and MB of one compilation."""
    with subprocess.Popen(line) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit("failed: " + " ".join(line))
    return used.ru_utime, used.ru_maxrss / 1024


def instructions_of(line, folder):
    """Instructions of the compiler proper: of the largest of the processes that the driver starts."""
    for old in Path(folder).glob("count.*"):
        old.unlink()
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--branch-sim=no", "--trace-children=yes",
                           f"--cachegrind-out-file={folder}/count.%p", *line], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit("failed under valgrind: " + " ".join(line) + "\n" + done.stderr[-2000:])
    counts = [int(re.search(r"^summary: (\d+)", each.read_text(), re.M)[1]) for each in Path(folder).glob("count.*")]
    return max(counts)


def table(title, compiler, tree, cases, repetitions, counts, base=None):
    """Prints one table and returns the cost of its first case at each level, which is what ratios are to."""
    base = dict(base or {})
    print(f"\n{title}")
    print(f"{'':38}" + "".join(f"{level + ' G instr.':>14}{'ratio':>8}{'target':>14}{'s':>8}{'MB':>7}" for level in LEVELS))
    with tempfile.TemporaryDirectory() as folder:
        for name, file, options, targets in cases:
            row = f"{name:38}"
            for level, target in zip(LEVELS, targets):
                line = command(compiler, level, tree, options, file, Path(folder, "x.o"))
                seconds, memory = min(seconds_of(line) for _ in range(repetitions))
                cost = instructions_of(line, folder) if counts else seconds
                base.setdefault(level, cost)
                ratio = cost / base[level]
                aim = "" if target is None else f"{target:g} {'met' if ratio <= target else 'MISSED'}"
                row += f"{cost / 1e9 if counts else 0:14.2f}{ratio:8.2f}{aim:>14}{seconds:8.2f}{memory:7.0f}"
            print(row, flush=True)
    return base


def measure(arguments):
    if NVTX is None:
        sys.exit("nvtx3/nvtx3.hpp is not on this machine: there is nothing to compare with")
    subprocess.run([sys.executable, ROOT / "single_include/generate.py", TREES["single_include"]], check=True)
    counts = shutil.which("valgrind") is not None
    if not counts:
        print("valgrind is not on this machine: ratios are of seconds")
    for compiler in arguments.compiler or [each for each in ("g++", "clang++") if shutil.which(each)]:
        version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
        for tree in arguments.tree or list(TREES):
            cases = [(name, FILES / file, options, targets) for name, file, options, targets in CASES
                     if name == CASES[0][0] or re.search(arguments.case, name)]
            base = table(f"{version}, {tree}/", compiler, tree, cases, arguments.seconds, counts)
        if arguments.library:
            files = sorted((ROOT / "src").glob("*.cpp")) + [ROOT / "src/sim/execute/execute.cpp"]
            cases = [(str(file.relative_to(ROOT)), file, ELSEWHERE, (LARGEST_FILE, LARGEST_FILE)) for file in files]
            table(f"{version}, the library", compiler, "include", cases, arguments.seconds, counts, base)


def empty_when_off(compiler):
    """With GPUPROF_ENABLED=0 an object file has none of gpuprof's symbols. With 1 each has at least what it calls, so the look can
    fail: for that, declarations without optimization are enough."""
    with tempfile.TemporaryDirectory() as folder:
        found = {"off": [], "on": []}
        wrong = []
        for source in ("profiler.cpp", "frames.cpp", "trace.cpp", "sampling.cpp", "bottleneck.cpp"):
            for build, level, options in (("off", "-O2", OFF), ("on", "-O0", ELSEWHERE)):
                target = Path(folder, "x.o")
                seconds_of(command(compiler, level, "include", options, FILES / source, target))
                names = subprocess.run(["nm", "-C", str(target)], capture_output=True, text=True, check=True).stdout.splitlines()
                own = [name for name in names if "gpuprof" in name]
                found[build] += own
                if build == "on" and len(own) < 5:
                    wrong.append(f"{source}: only {len(own)} symbols of gpuprof's when on")
        print("\n".join(found["off"] + wrong))
        print(f"{compiler}: {len(found['off'])} symbols of gpuprof's when off, {len(found['on'])} when on")
        sys.exit(1 if found["off"] or wrong else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", action="append", default=[])
    parser.add_argument("--tree", action="append", choices=list(TREES), default=[])
    parser.add_argument("--seconds", type=int, default=1, metavar="N")
    parser.add_argument("--library", action="store_true")
    parser.add_argument("--case", default="", metavar="REGEX", help="of the first table only the cases whose name fits, and nvtx3")
    parser.add_argument("--empty-when-off", metavar="COMPILER")
    arguments = parser.parse_args()
    if arguments.empty_when_off:
        empty_when_off(arguments.empty_when_off)
    measure(arguments)


if __name__ == "__main__":
    main()
