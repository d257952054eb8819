#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what gpuprof finds in the bad kernels of pairs/ on a GPU and on the embedded one.

    pairs_embedded.py LIST GPU EMBEDDED

LIST is last_pairs_list.csv; GPU what tests/explain/pair_findings.cpp makes of last_pairs_values.csv; EMBEDDED what this writes:
    gpuprof explain --set full --launch all --most 1000 --lines none --on embedded --json EMBEDDED -- pairs once --scale small
with pairs built by nvcc -O3 -arch=compute_80 -cudart shared. A pair is alike if both name its flaw, or both do not. Those of the group
"again", whose bad kernels are mended ones of others, are left out."""
import csv
import json
import sys

from pairs_table import HALVES


def main(listed, gpu, embedded):
    with open(gpu, encoding="utf-8") as file:
        on_gpu = {kernel: {each["id"] for each in found} for kernel, found in json.load(file).items()}
    with open(embedded, encoding="utf-8") as file:
        explained = json.load(file)
    name = lambda each: explained["ranges"][each["range"]]["name"]
    here, silent = {}, {}
    for each in explained["findings"]:
        if each["kind"] == "advice":
            here.setdefault(name(each), set()).add(each["id"])
    for each in explained["silences"]:
        silent.setdefault(name(each), {})[each["id"]] = each["why"]
    alike = pairs = unjudged = 0
    print("pair | planted | named on the GPU | named on the embedded GPU")
    with open(listed, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            bad = row["bad_kernel"]
            if not bad or HALVES[int(row["held_back"])] == "again":
                continue
            ids = set(row["gpuprof"].split())
            named = [bool(ids & found.get(bad, set())) for found in (on_gpu, here)]
            why = [why for rule, why in silent.get(bad, {}).items() if rule in ids]
            pairs += 1
            alike += named[0] == named[1]
            if named[0] != named[1]:
                unjudged += bool(why)
                cells = ["yes" if each else "no" for each in named]
                print(" | ".join([row["name"], row["expected"], cells[0], f"n/a: {why[0]}" if why else cells[1]]))
    print(f"{alike} of {pairs} pairs alike; the others are those above, of which {unjudged} say that a value is missing")
    return 0 if pairs else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
