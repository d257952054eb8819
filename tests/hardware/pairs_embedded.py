#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what gpuprof finds in the bad kernels of pairs/ on a GPU and on the embedded one.

    pairs_embedded.py LIST GPU SMALL [FULL...]

LIST is last_pairs_list.csv; GPU what tests/explain/pair_findings.cpp makes of last_pairs_values.csv; SMALL what this writes:
    gpuprof explain --set full --launch all --most 1000 --lines none --on embedded --json SMALL -- pairs once --scale small
with pairs built by nvcc -O3 -arch=compute_80 -cudart shared. That scale is another launch: a few blocks of a few microseconds. So
pairs that are different there are run as on the GPU, where the embedded one takes seconds and not minutes:
    gpuprof explain --set full --launch all --lines none --on embedded --kernels ^bad_ --json FULL -- pairs once NAME
What a FULL has of a kernel counts instead. A line says which scale it is of. A pair is alike if both name its flaw, or both do not. Those of the group
"again", whose bad kernels are mended ones of others, are left out."""
import csv
import json
import sys

from pairs_table import HALVES


def read_findings(path):
    """{kernel: ids of findings} and {kernel: {id: why the rule could not judge}} of a file of `gpuprof explain --json`."""
    with open(path, encoding="utf-8") as file:
        explained = json.load(file)
    name = lambda each: explained["ranges"][each["range"]]["name"]
    found = {each["name"]: set() for each in explained["ranges"]}
    silent = {kernel: {} for kernel in found}
    for each in explained["findings"]:
        if each["kind"] == "advice":
            found[name(each)].add(each["id"])
    for each in explained["silences"]:
        silent[name(each)][each["id"]] = each["why"]
    return found, silent


def main(listed, gpu, small, *full):
    with open(gpu, encoding="utf-8") as file:
        on_gpu = {kernel: {each["id"] for each in found} for kernel, found in json.load(file).items()}
    here, silent = read_findings(small)
    at_full_scale = set()
    for path in full:
        found, why = read_findings(path)
        here.update(found)
        silent.update(why)
        at_full_scale.update(found)
    alike = pairs = unjudged = few_blocks = 0
    print("pair | planted | scale | named on the GPU | named on the embedded GPU | since")
    with open(listed, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            bad = row["bad_kernel"]
            if not bad or HALVES[int(row["held_back"])] == "again":
                continue
            ids = set(row["gpuprof"].split())
            named = [bool(ids & found.get(bad, set())) for found in (on_gpu, here)]
            why = [f"n/a: {why}" for rule, why in silent.get(bad, {}).items() if rule in ids]
            small_grid = "small_grid" in here.get(bad, set()) and bad not in at_full_scale
            pairs += 1
            alike += named[0] == named[1]
            if named[0] != named[1]:
                unjudged += bool(why)
                few_blocks += small_grid and not why
                cells = ["yes" if each else "no" for each in named]
                since = why[0] if why else "fewer blocks than SMs" if small_grid else "-"
                print(" | ".join([row["name"], row["expected"], "full" if bad in at_full_scale else "small", *cells, since]))
    print(f"{alike} of {pairs} pairs alike; of the others {unjudged} say that a value is missing, and {few_blocks} have fewer blocks than the "
          f"GPU has SMs at the small scale, which is a flaw of its own")
    return 0 if pairs else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
