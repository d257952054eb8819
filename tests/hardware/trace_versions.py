#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A table of the numbers of records that one binary got from CUPTIs of many releases: see trace_versions.sh.

    trace_versions.py RELEASE=OUTPUT.txt ...    the last one is what the others are compared with

Exit status 0 if every release from 11.8 on gives the same numbers of what is compared, and older ones say what they cannot."""
import re
import sys

# What every release from 11.8 on must give in the same numbers. Calls of the driver are not compared: a CUPTI records those
# that it knows, and the runtime makes newer ones; overhead is CUPTI's own.
COMPARED = ["concurrent_kernel", "memcpy", "memset", "graph_nodes", "runtime"]
FULL = (11, 8)


def read(text):
    counts = {name: int(number) for name, number in re.findall(r"^count (\w+) (\d+)$", text, re.M)}
    refused = dict(re.findall(r"^kind (\w+) refused: (.*)$", text, re.M))
    whole = re.search(r"^refused: (.*)$", text, re.M)
    status = re.search(r"^exit status (\d+)$", text, re.M)
    lost = re.search(r"^lost (\d+) undecoded (\d+) without_time (\d+)$", text, re.M)
    version = re.search(r"^cupti (\d+)$", text, re.M)
    return {"counts": counts, "refused": refused, "whole": whole.group(1) if whole else None,
            "status": int(status.group(1)) if status else None, "version": version.group(1) if version else "?",
            "lost": [int(each) for each in lost.groups()] if lost else None}


def table(outputs):
    """Lines, and whether all is as it should be. outputs: pairs of a release and its text."""
    runs = [(release, read(text)) for release, text in outputs]
    names = []
    for _, run in runs:
        names += [name for name in list(run["counts"]) + list(run["refused"]) if name not in names]
    lines = ["kind | " + " | ".join(f"CUPTI {release} ({run['version']})" for release, run in runs) + " | equal"]
    newest = runs[-1][1]
    good = bool(newest["counts"])
    for name in names:
        cells = ["refused" if name in run["refused"] else str(run["counts"].get(name, "-")) for _, run in runs]
        full = [run["counts"].get(name) for release, run in runs if as_numbers(release) >= FULL]
        if name in COMPARED:
            same = len(set(full)) == 1 and full[0]
            good = good and bool(same)
            verdict = "yes, from 11.8 on" if same else "NO"
        else:
            verdict = "not compared"
        lines.append(f"{name} | " + " | ".join(cells) + " | " + verdict)
    for release, run in runs:
        if run["status"] not in (0, 3):
            lines.append(f"CUPTI {release}: exit status {run['status']}: NO")
            good = False
        if run["lost"] and (run["lost"][0] or run["lost"][1]):
            lines.append(f"CUPTI {release}: {run['lost'][0]} records lost, {run['lost'][1]} not decoded: NO")
            good = False
        for name, why in ([("everything", run["whole"])] if run["whole"] else []) + sorted(run["refused"].items()):
            lines.append(f"CUPTI {release} refuses {name}: {why}")
    return lines, good


def as_numbers(release):
    return tuple(int(part) for part in release.split("."))


def main(*arguments):
    outputs = []
    for argument in arguments:
        release, _, path = argument.partition("=")
        outputs.append((release, open(path, errors="replace").read()))
    lines, good = table(outputs)
    print("\n".join(lines))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
