#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a program in gdb with tools/gdb/gpuprof.py, and compares what gdb shows with what the program prints.

    check.py GDB PROGRAM PRINTERS [--without]     --without: do not load the printers; must fail (the canary)

Exit: 0, 1 with a line for each difference, or 77 if gdb may not run programs here.
"""
import subprocess
import sys

SKIPPED = 77


def main():
    gdb, program, printers = sys.argv[1:4]
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    expected = dict(line.split("=", 1) for line in printed.splitlines())
    commands = ["set width 0", "set print max-depth 1", "break stop_here", "run >/dev/null", "up"]
    if "--without" not in sys.argv:
        commands.insert(0, f"source {printers}")
    for name in expected:
        commands.append(f"output {name}")
        commands.append("echo \\n" + "-" * 8 + "\\n")
    line = [gdb, "-q", "-nx", "-batch"]
    for each in commands:
        line += ["-ex", each]
    done = subprocess.run([*line, program], capture_output=True, text=True, check=False)
    if "trace the inferior" in done.stderr or "ptrace" in done.stderr or "Python scripting is not supported" in done.stderr:
        print("skipped: gdb cannot run programs, or Python, here\n" + done.stderr)
        return SKIPPED
    shown = [each.strip().splitlines()[-1:] for each in done.stdout.split("-" * 8)][: len(expected)]
    wrong = 0
    for (name, text), lines in zip(expected.items(), shown, strict=True):
        if lines != [text]:
            wrong += 1
            print(f"{name}: the program says {text}, gdb shows {''.join(lines)}")
    print(f"{len(expected)} values, {wrong} shown otherwise")
    if wrong:
        print(done.stderr[-1000:])
    return 1 if wrong or len(expected) < 15 else 0


sys.exit(main())
