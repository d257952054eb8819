#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the symbols of an object file that includes gpuprof and fails on one that a second such file would define again.

    duplicates.py NM OBJECT

A function or a variable of a header that is not inline is a strong symbol in each file that includes it, and a duplicate
for the linker. What is inline or a template is a weak one. Prints the strong symbols; main() is the file's own.
"""
import subprocess
import sys

FEWEST_WEAK = 1000  # a file without gpuprof's code shows nothing


def main():
    tool, file = sys.argv[1:]
    lines = subprocess.run([tool, "-C", "-g", "--defined-only", file], capture_output=True, text=True, check=True).stdout.splitlines()
    kinds = [line.split(maxsplit=2)[1:] for line in lines]
    weak = sum(kind in "WVu" for kind, _ in kinds)
    strong = sorted(name for kind, name in kinds if kind not in "WVu" and name != "main")
    for name in strong:
        print(f"not inline: {name}")
    print(f"{weak} symbols may be defined twice, {len(strong)} may not")
    sys.exit(1 if strong or weak < FEWEST_WEAK else 0)


if __name__ == "__main__":
    main()
