#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares gpuprof's declarations with the headers of all releases of CUPTI on PyPI, and writes a table.

    tests/setup/fetch_cupti_wheels.sh WHEELS every
    python3 tests/abi/all_releases.py --compiler g++ --include include --wheels WHEELS --work FOLDER > tests/abi/last_releases.txt

One line a folder of WHEELS that is named after a package's version: what compare.py, activity.py and functions.py compared and what
differs. Exit: 0, or 1 if something differs.
"""
import argparse
import datetime
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def run(script, release, options, names):
    words = [sys.executable, str(HERE / script), "--release", release]
    for name in names:
        words += ["--" + name, getattr(options, name)]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return done.returncode, done.stdout


def numbers(pattern, text):
    found = re.search(pattern, text)
    return found.groups() if found else ("?",) * re.compile(pattern).groups


def main():
    arguments = argparse.ArgumentParser()
    for name in ("compiler", "include", "wheels", "work"):
        arguments.add_argument("--" + name, required=True)
    options = arguments.parse_args()
    releases = sorted((each.name for each in pathlib.Path(options.wheels).iterdir() if re.fullmatch(r"\d+\.\d+\.\d+", each.name)),
                      key=lambda name: [int(part) for part in name.split(".")])
    compiler = subprocess.run([options.compiler, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[0]
    print(f"tests/abi/all_releases.py, {compiler}, {datetime.date.today()}")
    print("package | cuda.h | cuptiGetVersion | declarations compared | different | layouts and members of records compared | different "
          "| functions compared | different | verdict")
    failed = 0
    for release in releases:
        if not list(pathlib.Path(options.wheels, release).glob("nvidia/*/include/cupti_version.h")):
            print(f"{release} | the package has no headers of CUPTI")
            continue
        all_names = ("compiler", "include", "wheels", "work")
        declarations = run("compare.py", release, options, all_names)
        records = run("activity.py", release, options, all_names)
        functions = run("functions.py", release, options, ("include", "wheels"))
        cuda, cupti = numbers(r"CUDA (\d+), CUPTI (\d+)", declarations[1])
        compared, different = numbers(r"compared (\d+), different (\d+)", declarations[1])
        layouts, members, other = numbers(r"compared (\d+) layouts, (\d+) members decoded, \d+ absent, different (\d+)", records[1])
        listed, problems = numbers(r"compared (\d+) functions, (\d+) problems", functions[1])
        bad = [name for name, (code, _) in (("declarations", declarations), ("records", records), ("functions", functions)) if code != 0]
        failed += bool(bad)
        print(" | ".join([release, cuda, cupti, compared, different, f"{layouts} and {members}", other, listed, problems,
                          "agrees" if not bad else "DIFFERS: " + ", ".join(bad)]), flush=True)
    print(f"{len(releases)} releases, {failed} that differ")
    return 1 if failed or not releases else 0


if __name__ == "__main__":
    sys.exit(main())
