#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether `using namespace gpuprof;` leaves every name of gpuprof's usable: none is also a name of the system headers that
gpuprof includes, or that programs commonly include beside it. One compiler reads the definitions, and what they include; others
declarations.

  ambiguous.py INCLUDE CLANGXX COMPILER...    names as clang lists them, each used once by every compiler
  ambiguous.py ... --plant                    names of gpuprof.hpp alone, beside <cxxabi.h>, which declares a namespace abi; must fail

Exit: 0, or 1 with one line a name."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

OURS = ["gpuprof", "bottleneck", "call_replay", "explain", "explain_lines", "frames", "judge", "legacy", "ranks", "replay", "sampling",
        "saved", "sim", "trace"]
THEIRS = ["cmath", "cstdlib", "ctime", "fcntl.h", "math.h", "pthread.h", "signal.h", "stdio.h", "stdlib.h", "string.h", "strings.h",
          "sys/mman.h", "sys/stat.h", "sys/time.h", "sys/types.h", "time.h", "unistd.h"]
CUDA = ["cuda.h", "cuda_runtime.h"]


def top_level(include, clang, ours):
    text = "".join(f"#include <gpuprof/{each}.hpp>\n" for each in ours)
    listed = subprocess.run([clang, "-std=c++20", "-fsyntax-only", "-DGPUPROF_HEADER_ONLY=0", f"-I{include}", "-x", "c++", "-",
                             "-Xclang", "-ast-list"], input=text, capture_output=True, text=True, check=True).stdout
    return sorted(set(re.findall(r"^gpuprof::([a-z_]\w*)$", listed, re.MULTILINE)))


def main():
    arguments = [each for each in sys.argv[1:] if each != "--plant"]
    include, clang, *compilers = arguments
    ours = OURS[:1] if "--plant" in sys.argv else OURS
    names = top_level(include, clang, ours)
    there = [each for each in CUDA if Path("/usr/local/cuda/include", each).is_file()]
    # After gpuprof's headers: what those declare is what counts.
    headers = [f"gpuprof/{each}.hpp" for each in ours] + THEIRS + there + (["cxxabi.h"] if "--plant" in sys.argv else [])
    text = "".join(f"#include <{each}>\n" for each in headers) + "using namespace gpuprof;\n"
    text += "".join(f"namespace use_of_{name} {{ auto here = {name}; }}\n" for name in names)
    wrong = set()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "uses.cpp")
        file.write_text(text, encoding="utf-8")
        for compiler in compilers:
            form = [] if compiler == compilers[0] else ["-DGPUPROF_HEADER_ONLY=0"]
            limit = "-ferror-limit=0" if "clang" in Path(compiler).name else "-fmax-errors=0"
            said = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-w", limit, *form, f"-I{include}", "-isystem/usr/local/cuda/include",
                                   str(file)], capture_output=True, text=True, check=False).stderr
            if "no such file" in said.lower() or said == "":
                sys.exit(said or "not every name is a value: the compiler should say so")
            wrong |= {(name, compiler) for name in re.findall(r"reference to ['‘](\w+)['’] is ambiguous", said)}
    for name, compiler in sorted(wrong):
        print(f"{name} is ambiguous after `using namespace gpuprof;` ({Path(compiler).name})")
    print(f"{len(names)} names used beside {len(headers) - len(ours)} headers, {len(wrong)} ambiguous")
    sys.exit(1 if wrong or len(names) < 300 else 0)


main()
