#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the test cases of a build for another platform with those that the sources have.

    cases.py LIST BUILD_DIR ROOM...    exit 1 if a case is missing that LIST does not name, or LIST names one that is there
    cases.py LIST --filter             LIST's cases as a pattern for doctest's --test-case-exclude
    cases.py --table README COMMAND... exit 1 if a line of the table that COMMAND prints is not in README

LIST names what Linux on x86-64 has and this platform has not: a line that ends with a colon is a reason, the indented lines
under it are the cases that it is the reason for.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
CASE = re.compile(r'^\s*(TEST_CASE|TEST_CASE_TEMPLATE|TEST_CASE_FIXTURE)\(\s*(?:\w+,\s*)?((?:"(?:\\.|[^"\\])*"\s*)+)(.*)', re.MULTILINE)


def named(path):
    """{case: reason}"""
    cases, reason = {}, None
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            cases[line.strip()] = reason
        elif line.endswith(":") and not line.startswith("#"):
            reason = line[:-1]
    return cases


def room_of(source):
    for room in ("hw/sim", "hw/provided"):
        if source.startswith(room + "/"):
            return room
    return source.split("/")[0]


def of_sources(rooms):
    """(room, case) for every case that CTest runs: those that other cases run are skipped ones."""
    found = set()
    for path in sorted(TESTS.rglob("*.test.cpp")):
        source = path.relative_to(TESTS).as_posix()
        if room_of(source) not in rooms:
            continue
        for case in CASE.finditer(path.read_text(encoding="utf-8")):
            name = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', case[2])).replace('\\"', '"')
            if "doctest::skip()" not in case[3] and 'MESSAGE("skipped: there is no' not in case[3]:
                found.add((room_of(source), name))
    return found


def of_build(build, rooms):
    listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    names = [each["name"] for each in json.loads(listing.stdout)["tests"]]
    found = set()
    for name in names:
        for room in sorted(rooms, key=len, reverse=True):
            if name.startswith(room + "/"):
                found.add((room, re.sub(r"<[^<>]*>$", "", name[len(room) + 1:])))
                break
    return found


def compare(path, build, rooms):
    less = named(path)
    expected, there = of_sources(rooms), of_build(build, rooms)
    wrong = 0
    for room, case in sorted(expected - there):
        if case not in less:
            wrong += 1
            print(f"{room}: missing, and no reason is named: {case}")
    for room, case in sorted(there):
        if case in less:
            wrong += 1
            print(f"{room}: named as missing, and there: {case}")
    for case in less:
        if not any(case == name for _, name in of_sources(set(map(room_of, (p.relative_to(TESTS).as_posix() for p in TESTS.rglob("*.test.cpp")))))):
            wrong += 1
            print(f"named, and no test case: {case}")
    print(f"{'room':14} {'Linux':>6} {'here':>6} {'less':>6}")
    for room in rooms:
        count = [sum(1 for each, _ in cases if each == room) for cases in (expected, there, expected - there)]
        print(f"{room:14} {count[0]:6} {count[1]:6} {count[2]:6}")
    print(f"{'all':14} {len(expected):6} {len(there):6} {len(expected - there):6}")
    for reason in dict.fromkeys(less.values()):
        gone = sum(1 for case, why in less.items() if why == reason and any(case == name for _, name in expected))
        if gone:
            print(f"{gone:4} less: {reason}")
    return wrong == 0 and len(there) > 0


def table(document, command):
    known = set(line.rstrip() for line in Path(document).read_text(encoding="utf-8").splitlines())
    printed = subprocess.run(command, capture_output=True, text=True).stdout.replace("\r", "").splitlines()
    other = [line for line in printed if line.rstrip() not in known]
    for line in other:
        print(f"not in {document}: {line}")
    print(f"{len(printed)} lines printed, {len(printed) - len(other)} of them are in {document}")
    return len(printed) > 10 and not other


def main():
    if len(sys.argv) > 3 and sys.argv[1] == "--table":
        sys.exit(0 if table(sys.argv[2], sys.argv[3:]) else 1)
    if sys.argv[2:] == ["--filter"]:
        # doctest separates patterns by commas; a question mark stands for any character.
        print(",".join(re.sub(r"[,\\\"*]", "?", case) for case in named(sys.argv[1])))
        return
    sys.exit(0 if compare(sys.argv[1], sys.argv[2], sys.argv[3:]) else 1)


if __name__ == "__main__":
    main()
