#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the umbrella headers where cuda.h's macros stand: cuMemAlloc is cuMemAlloc_v2 there, and with a default stream for
each thread cuLaunchKernel is cuLaunchKernel_ptsz.

    beside_cuda.py COMPILER INCLUDE_DIR     exit 1 if a header does not compile; says how many macros there were
"""
import re
import subprocess
import sys
from pathlib import Path

compiler, include = sys.argv[1], Path(sys.argv[2])
names = set(re.findall(r'^    \{\d+, \d+, "(cu[A-Z0-9]\w+)"\},', (include / "gpuprof/hw/abi/function_rows.hpp").read_text(), re.MULTILINE))
umbrellas = sorted(path.name for path in (include / "gpuprof").glob("*.hpp"))
failed = 0
for suffixes in (("_v2", "_v3"), ("_ptds", "_ptsz")):
    macros = [f"#define {name} {name}{suffix}" for name in sorted(names) for suffix in suffixes if name + suffix in names]
    # Of two versions the later one is meant.
    macros = list({line.split()[1]: line for line in macros}.values())
    assert len(macros) > 50, macros
    program = "\n".join(macros + [f"#include <gpuprof/{name}>" for name in umbrellas] + ["int main() {}", ""])
    done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-I", str(include), "-x", "c++", "-"], input=program, text=True)
    print(f"{len(macros)} macros {suffixes}: {'compiles' if done.returncode == 0 else 'does not compile'}")
    failed |= done.returncode
sys.exit(1 if failed else 0)
