#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Groups headers so that one compilation shows of several that each compiles alone.

    chains.py INCLUDE_DIR <HEADERS      headers on standard input, one a line; prints one group a line

In a group each header includes the one before it, itself or by others: whatever was compiled before a header, the header would
have brought itself. So it fails in the group if it fails alone. Only includes count that stand before a header's first
declaration and under no condition but its guard. The groups are as few as possible: chains that cover the order "includes".
"""
import os
import re
import sys
from pathlib import Path


def first_includes(include, header):
    """What the header includes under no condition before anything else, as paths relative to `include`."""
    found, conditions, guarded = [], 0, False
    for line in re.sub(r"/\*.*?\*/", "", (include / header).read_text(encoding="utf-8"), flags=re.DOTALL).splitlines():
        line = line.strip()
        if not line or line.startswith("//"):
            continue
        directive = re.match(r"#\s*(\w+)\s*(.*)", line)
        if not directive:
            break
        word, rest = directive.groups()
        if word.startswith("if"):
            conditions += guarded or word != "ifndef"
            guarded = True
        elif word == "endif":
            conditions -= 1
        elif word == "include" and conditions == 0:
            name = re.match(r'["<]([^">]+)[">]', rest)[1]
            for place in ((include / header).parent / name, include / name):
                if place.is_file():
                    found.append(os.path.relpath(place.resolve(), include.resolve()))
                    break
    return found


def main():
    include = Path(sys.argv[1])
    headers = sys.stdin.read().split()
    below = {}

    def included(header):
        if header not in below:
            below[header] = set()  # also ends a circle
            for each in first_includes(include, header):
                below[header] |= {each} | included(each)
        return below[header]

    wanted = set(headers)
    lower = {header: sorted(included(header) & wanted, key=lambda each: (-len(included(each)), each)) for header in headers}
    above = {}  # each header's successor in its chain: the largest matching of headers with lower ones

    def find_lower(header, seen):
        for each in lower[header]:
            if each not in seen:
                seen.add(each)
                if each not in above or find_lower(above[each], seen):
                    above[each] = header
                    return True
        return False

    sys.setrecursionlimit(10 * len(headers) + 1000)
    for header in headers:
        find_lower(header, set())
    for header in sorted(set(headers) - set(above.values())):
        chain = [header]
        while chain[-1] in above:
            chain.append(above[chain[-1]])
        for under, over in zip(chain, chain[1:]):
            assert under in included(over)
        print(*chain)


main()
