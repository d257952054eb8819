#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares gpuprof's lists of functions that can be listened to with one release's headers.

Every number of cupti_driver_cbid.h, cupti_runtime_cbid.h and cupti_nvtx_cbid.h must be in the list, with the name that the
header gives it as its name or as an alias, and since that release or an earlier one; and the list must have no number that is
said to be in the release and is not. A name that stands for a hidden one ("cuda531" is number 531) fits any name.
"""
import argparse
import pathlib
import re
import sys

from compare import SKIPPED, header_folders

KINDS = {"driver": r"CUPTI_DRIVER_TRACE_CBID_(\w+)\s*=\s*(\d+)", "runtime": r"CUPTI_RUNTIME_TRACE_CBID_(\w+)\s*=\s*(\d+)",
         "nvtx": r"CUPTI_CBID_NVTX_(\w+)\s*=\s*(\d+)"}
# CUPTI's headers got functions at the end of their lists in updates of a release: by the release, the version that has them all.
UPDATED = {13010: 130101, 13030: 130301}
OLDEST = 11080  # what the lists say of everything that is as old or older


def main():
    arguments = argparse.ArgumentParser()
    for name in ("include", "wheels", "release"):
        arguments.add_argument("--" + name, required=True)
    options = arguments.parse_args()
    folders = header_folders(options.release, options.wheels)
    if not folders:
        print(f"skipped: no headers of CUDA {options.release}; setup/fetch_cupti_wheels.sh fetches those of releases")
        return SKIPPED
    cuda = next(int(match.group(1)) for folder in folders if (file := pathlib.Path(folder, "cuda.h")).exists()
                if (match := re.search(r"#define CUDA_VERSION (\d+)", file.read_text())))
    cupti = next(int(match.group(1)) for folder in folders if (file := pathlib.Path(folder, "cupti_version.h")).exists()
                 if (match := re.search(r"#define CUPTI_API_VERSION (\d+)", file.read_text())))
    text = pathlib.Path(options.include, "gpuprof/hw/abi/function_rows.hpp").read_text()
    problems, compared = [], 0
    for kind, pattern in KINDS.items():
        header = next(pathlib.Path(f, f"cupti_{kind}_cbid.h") for f in folders if pathlib.Path(f, f"cupti_{kind}_cbid.h").exists())
        theirs = {int(number): name for name, number in re.findall(pattern, header.read_text())
                  if name not in ("INVALID", "SIZE", "FORCE_INT")}
        lists = {name: re.findall(r'\{(\d+), (\d+), "(\w+)"\}', body)
                 for name, body in re.findall(rf"function_row ({kind}_\w+)\[\]\{{(.*?)\n\}};", text, re.S)}
        rows = {int(number): (int(since), name) for number, since, name in lists[f"{kind}_rows"]}
        aliases = {(int(number), name) for number, _, name in lists.get(f"{kind}_aliases", [])}
        by_name = re.search(rf"{kind}_rows_by_name\[\]\{{(.*?)\}};", text, re.S).group(1)
        if [int(at) for at in re.findall(r"\d+", by_name)] != sorted(range(len(rows)), key=lambda at: list(rows.values())[at][1]):
            problems.append(f"{kind}_rows_by_name is not the order of the names")
        for number, name in theirs.items():
            compared += 1
            since, own = rows.get(number, (0, None))
            hidden = re.fullmatch(rf"cuda{number}(_v\d+)?", name)
            if own is None:
                problems.append(f"{kind} {number}: no row for {name}")
            elif own != name and (number, name) not in aliases and not hidden:
                problems.append(f"{kind} {number}: {own} is called {name}")
            elif since > cuda:
                problems.append(f"{kind} {number}: {name} is in {cuda}, not since {since}")
        for number, (since, name) in rows.items():
            later = cupti < UPDATED.get(cuda, 0) and since == cuda and number > max(theirs)
            if number not in theirs and OLDEST <= since <= cuda and not later:
                problems.append(f"{kind} {number}: {name} is not in {cuda}, said to be since {since}")
    print(f"CUDA {cuda}: compared {compared} functions, {len(problems)} problems")
    for problem in problems:
        print("PROBLEM", problem)
    return 1 if problems or compared < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
