#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails unless a scope on a target that is idle costs one load and one branch, in the assembly of a compiler.

    idle_scope.py INCLUDE_DIR COMPILER [OPTION...]             prints the instructions; exit 1 if there are others
    idle_scope.py INCLUDE_DIR --two COMPILER [OPTION...]       the canary: two scopes, which are more

Reads the function up to where it goes on as if there were no scope: x86-64 and AArch64, g++ and clang. What saves registers is
counted apart: whether that waits until a scope is not idle is up to the compiler and the unwinding of its platform.
"""
import re
import subprocess
import sys

SOURCE = """
#include <gpuprof/scope.hpp>
void work();
void measured(gpuprof::scope_target& target) { gpuprof::scope const one{target, "one"}; MORE work(); }
"""
BRANCH = re.compile(r"^(?:j(?!mp)\w+|cbn?z|tbn?z|b\.\w+)$")
FRAME = re.compile(r"^(?:push|pop)|\brsp\b|\bsp\b|\bx29\b|^movq?\s+%r\w+, %r\w+$|^mov\s+x\d+, x\d+$")
LOAD = re.compile(r"^ld\w*$")


def main():
    arguments = sys.argv[2:]
    two = arguments[0] == "--two"
    source = SOURCE.replace("MORE", 'gpuprof::scope const other{target, "other"};' if two else "")
    command = [*arguments[two:], "-std=c++20", "-O2", "-fno-exceptions", "-S", "-x", "c++", "-I", sys.argv[1], "-o", "-", "-"]
    text = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    body = re.search(r"^_Z8measured\w*:(.*?)^\s+(?:jmp|b)\s+_?_Z4workv", text, re.MULTILINE | re.DOTALL)
    if body is None:
        sys.exit("the function does not go on with work() alone")
    lines = [line.split("#")[0].split("//")[0].strip() for line in body[1].splitlines()]
    code = [line for line in lines if line and not line.startswith(".") and not line.endswith(":")]
    frame = [line for line in code if FRAME.search(line)]
    code = [line.split(None, 1) for line in code if line not in frame]
    loads = [each for each in code if LOAD.match(each[0]) or "(" in each[-1]]
    branches = [each for each in code if BRANCH.match(each[0])]
    for each in code:
        print(" ".join(each))
    print(f"{len(code)} instructions, {len(loads)} of them loads, {len(branches)} branches; {len(frame)} for the function's frame")
    # Beside these two: a comparison, or an address.
    sys.exit(0 if len(loads) == 1 and len(branches) == 1 and len(code) <= 3 else 1)


if __name__ == "__main__":
    main()
