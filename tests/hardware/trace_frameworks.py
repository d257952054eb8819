#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the trace of a program that the injection library wrote with what the program says of its kernels itself.

    trace_frameworks.py NAME EXPECTED TRACE.json SAID.txt

EXPECTED: torch.profiler's trace (.json), or lines `kernel MANGLED_NAME`. SAID: what program and library printed. Prints rows
`program | what | its own | gpuprof | equal`; exit status 0 if names and numbers of kernels, copies and sets are equal, every
call that launches has its kernel, and nothing was lost."""
import json
import re
import subprocess
import sys
from collections import Counter

LAUNCH = re.compile(r"^(?:__)?(?:cuda|cu)LaunchKernel|^(?:cuda|cu)LaunchCooperativeKernel")


def demangled(names):
    """Names as c++filt has them, without blanks: tools differ in those."""
    names = list(names)
    try:
        text = subprocess.run(["c++filt"], input="\n".join(names) + "\n", capture_output=True, text=True,
                              check=True).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        text = names
    return {name: plain.replace(" ", "") for name, plain in zip(names, text)}


def of_torch(trace):
    """Kernels by name, copies and sets, as torch.profiler has them."""
    counts = {"kernel": Counter(), "copy": 0, "set": 0}
    for event in trace["traceEvents"]:
        category = event.get("cat", "").lower()
        if event.get("ph") != "X":
            continue
        if category == "kernel":
            counts["kernel"][event["name"]] += 1
        elif category == "gpu_memcpy":
            counts["copy"] += 1
        elif category == "gpu_memset":
            counts["set"] += 1
    return counts


def of_lines(text):
    return {"kernel": Counter(re.findall(r"^kernel (.*)$", text, re.M)), "copy": None, "set": None}


def of_gpuprof(trace):
    counts = {"kernel": Counter(), "copy": 0, "set": 0}
    launched, launches = set(), {}
    for event in trace["traceEvents"]:
        category, arguments = event.get("cat", ""), event.get("args", {})
        if event.get("ph") != "X":
            continue
        if category == "kernel":
            counts["kernel"][arguments.get("mangled", event["name"])] += 1
            launched.add(arguments.get("correlation"))
        elif category in ("copy", "set"):
            counts[category] += 1
        elif LAUNCH.match(event["name"]):
            launches[arguments.get("correlation")] = event["name"]
    without = [f"{name} {correlation}" for correlation, name in launches.items() if correlation not in launched]
    return counts, len(launches), without


def compare(name, expected, trace, said):
    rows, good = [], True

    def row(what, left, right, equal):
        nonlocal good
        good = good and equal is not False
        rows.append([name, what, str(left), str(right), {True: "yes", False: "NO", None: "not compared"}[equal]])

    counts, launches, without = of_gpuprof(trace)
    plain = demangled(set(expected["kernel"]) | set(counts["kernel"]))
    left, right = Counter(), Counter()
    for kernel, number in expected["kernel"].items():
        left[plain[kernel]] += number
    for kernel, number in counts["kernel"].items():
        right[plain[kernel]] += number
    row("kernels", sum(left.values()), sum(right.values()), left == right and sum(left.values()) > 0)
    row("names of kernels", len(left), len(right), set(left) == set(right))
    for kernel in sorted(set(left) | set(right)):
        if left[kernel] != right[kernel]:
            row(kernel[:120], left[kernel], right[kernel], False)
    for kind in ("copy", "set"):
        if expected[kind] is not None:
            row({"copy": "copies", "set": "sets"}[kind], expected[kind], counts[kind], expected[kind] == counts[kind])
    row("launches with a kernel", launches, launches - len(without), launches > 0 and not without)
    for each in without[:10]:
        row("no kernel of " + each, 1, 0, False)
    lost = re.search(r"gpuprof: wrote \d+ \w+ to [^\s;]+(.*)$", said, re.M)
    row("lost", "nothing", lost.group(1).strip("; ") or "nothing" if lost else "no word of the library",
        bool(lost) and " lost " not in lost.group(1))
    row("runs to its end", "ends well", "ends well" if "ends well" in said else said[-200:].strip(), "ends well" in said)
    return rows, good


def main(name, expected, trace, said):
    text = open(expected, errors="replace").read()
    own = of_torch(json.loads(text)) if expected.endswith(".json") else of_lines(text)
    try:
        ours = json.load(open(trace))
    except (OSError, ValueError) as problem:
        print(f"{name} | trace | - | {problem} | NO")
        return 1
    rows, good = compare(name, own, ours, open(said, errors="replace").read())
    for row in rows:
        print(" | ".join(row))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
