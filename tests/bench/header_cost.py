#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What it costs to include each public header, in preprocessed lines and in milliseconds of compile time.

  header_cost.py            a table: every public header, beside NVTX and the standard library, for each compiler found
  header_cost.py --source FILE...
                            the same for programs
  header_cost.py --check    compares lines with header_budget.txt and scope.hpp with nvtx3.hpp; nothing is timed.
                            Exit status 77: there was nothing to compare with

Lines are those that are not empty after preprocessing. Milliseconds are the compiler's processor time under -fsyntax-only,
the median of repetitions; all headers take turns, so that a slow minute of the machine is shared by all of them.
"""

import argparse
import fnmatch
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"
NVTX_PLACES = ["/usr/local/cuda/include", "/usr/include"]
REFERENCES = ["nvtx3/nvtx3.hpp", "nvtx3/nvToolsExt.h", "string", "vector", "variant", "span", "map", "mutex", "algorithm",
              "functional", "memory", "chrono"]
# A Tracy client header and nvtx3.hpp, measured together: 411 and 274 ms (g++ 12.2, -fsyntax-only).
TRACY_TO_NVTX = 411 / 274


def needs_nothing_before(name):
    """judge/checks.hpp is for adaptors to include."""
    return name != "gpuprof/judge/checks.hpp"


def public_headers():
    inner = ("gpuprof/detail/", "gpuprof/hw/abi/", "gpuprof/metric/catalogue/")
    found = sorted(str(path.relative_to(INCLUDE)) for path in (INCLUDE / "gpuprof").rglob("*.hpp"))
    return [name for name in found if not name.startswith(inner) and needs_nothing_before(name)] + [
        name for name in found if name in ("gpuprof/metric/catalogue/gh100.hpp", "gpuprof/metric/catalogue/all.hpp")]


def all_headers():
    found = sorted(str(path.relative_to(INCLUDE)) for path in (INCLUDE / "gpuprof").rglob("*.hpp"))
    return [name for name in found
            if needs_nothing_before(name) and not (name.count("/") == 1 and name.endswith(".inl.hpp"))] # those: as x.hpp


def options():
    places = [place for place in NVTX_PLACES if Path(place, "nvtx3/nvtx3.hpp").exists()][:1]
    # Without NVTX, so that a header's cost does not depend on what else the machine has.
    return ["-std=c++20", "-x", "c++", "-DGPUPROF_NVTX=0", f"-I{INCLUDE}", *(f"-isystem{place}" for place in places)]


def has_nvtx():
    return any(Path(place, "nvtx3/nvtx3.hpp").exists() for place in NVTX_PLACES)


def preprocessed_lines(compiler, file):
    done = subprocess.run([compiler, *options(), "-E", "-P", str(file)], capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{file}: {done.stderr.decode()}")
    return sum(1 for line in done.stdout.splitlines() if line.strip())


def processor_ms(compiler, file):
    with subprocess.Popen([compiler, *options(), "-fsyntax-only", str(file)]) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{compiler} could not compile {file}")
    return 1e3 * (used.ru_utime + used.ru_stime)


def version(compiler):
    return subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def write_units(headers, folder):
    """A program for each header that includes it and nothing else."""
    units = {}
    for header in headers:
        units[header] = Path(folder, header.replace("/", "-") + ".cpp")
        units[header].write_text(f"#include <{header}>\n")
    return units


def print_table(compiler, units, repetitions):
    lines = {name: preprocessed_lines(compiler, file) for name, file in units.items()}
    spent = {name: [] for name in units}
    for _ in range(repetitions):
        for name, file in units.items():
            spent[name].append(processor_ms(compiler, file))
    ms = {name: statistics.median(of) for name, of in spent.items()}
    print(f"\n{version(compiler)}, -fsyntax-only, median of {repetitions}")
    print(f"{'':44}{'lines':>8}{'ms':>8}{'ms less an empty file':>24}")
    for name in units:
        print(f"{name:44}{lines[name]:8}{ms[name]:8.0f}{ms[name] - ms['(empty)']:24.0f}")
    return lines, ms


def limit(what, value, most, unit):
    print(f"{what:60} {value:8.0f} {unit}, at most {most:8.0f}: {'met' if value <= most else 'MISSED'}")
    return value <= most


def measure(files, repetitions):
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder, "empty.cpp")
        empty.write_text("")
        for compiler in filter(shutil.which, ["g++", "clang++"]):
            if files:
                units = {"(empty)": empty, **{Path(file).name: Path(file) for file in files}}
                print_table(compiler, units, repetitions)
                continue
            references = [name for name in REFERENCES if has_nvtx() or not name.startswith("nvtx3/")]
            units = {"(empty)": empty, **write_units(public_headers() + references, folder)}
            lines, ms = print_table(compiler, units, repetitions)
            if has_nvtx():
                limit("scope.hpp, lines, a third of nvtx3.hpp", lines["gpuprof/scope.hpp"], lines["nvtx3/nvtx3.hpp"] / 3, "lines")
                limit("scope.hpp, a third of nvtx3.hpp", ms["gpuprof/scope.hpp"], ms["nvtx3/nvtx3.hpp"] / 3, "ms")
                limit("gpuprof.hpp, Tracy's header (1.5 nvtx3.hpp)", ms["gpuprof/gpuprof.hpp"], ms["nvtx3/nvtx3.hpp"] * TRACY_TO_NVTX, "ms")


def read_budget():
    """The compiler that the budget is for, and (pattern, lines), the first pattern that fits a header being its own."""
    rows = []
    pinned = None
    for line in (HERE / "header_budget.txt").read_text().splitlines():
        words = line.split("#")[0].split()
        if words[:1] == ["compiler"]:
            pinned = tuple(words[1:])
        elif words:
            rows.append((words[0], int(words[1])))
    return pinned, rows


def check():
    (compiler, release), budget = read_budget()
    compared = False
    well = True
    if not shutil.which(compiler):
        print(f"no {compiler}: nothing to compare")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        if has_nvtx():
            units = write_units(["gpuprof/scope.hpp", "nvtx3/nvtx3.hpp"], folder)
            scope, nvtx = (preprocessed_lines(compiler, file) for file in units.values())
            well = limit("gpuprof/scope.hpp, a third of nvtx3.hpp", scope, nvtx / 3, "lines")
            compared = True
        else:
            print("no NVTX header: scope.hpp is not compared with it")
        found = subprocess.run([compiler, "-dumpversion"], capture_output=True, text=True, check=True).stdout.split(".")[0].strip()
        if found != release:
            print(f"{compiler} {found}: the budget is for {compiler} {release}")
        else:
            compared = True
            for header, unit in write_units(all_headers(), folder).items():
                most = next((lines for pattern, lines in budget if fnmatch.fnmatch(header, pattern)), None)
                if most is None:
                    print(f"{header} has no budget in header_budget.txt")
                    well = False
                else:
                    well &= limit(header, preprocessed_lines(compiler, unit), most, "lines")
    sys.exit(0 if well and compared else 1 if not well else 77)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--source", nargs="+", default=[])
    parser.add_argument("--repetitions", type=int, default=7)
    arguments = parser.parse_args()
    if arguments.check:
        check()
    measure(arguments.source, arguments.repetitions)


if __name__ == "__main__":
    main()
