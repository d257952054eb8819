#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the test cases of a build for another platform with those that the sources have.

    cases.py LIST BUILD_DIR ROOM...    exit 1 if a case is missing that LIST does not name, or LIST names one that is there
    cases.py LIST --filter             LIST's cases as a pattern for doctest's --test-case-exclude
    cases.py --run PART COMMAND...     run a test program whole, or half_1 or half_2 of it; exit 1 if not every case passes
    cases.py --table README COMMAND... exit 1 if a line of the table that COMMAND prints is not in README
    cases.py --same FILE COMMAND...    exit 1 if COMMAND prints anything else than FILE; --same-but-for-a-bit plants a mistake

LIST names what Linux on x86-64 has and this platform has not: a line that ends with a colon is a reason, the indented lines
under it are the cases that it is the reason for. "room X" is every case of a room, which is not built then.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

PARTS = ("whole", "half_1", "half_2")
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
    for room in ("hw/samplers", "hw/counters/uncounted"):
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


def listed(program):
    """The cases that a test program has and does not leave out, in its own order."""
    printed = subprocess.run([*program, "--list-test-cases", "--no-version=true"], capture_output=True, text=True, check=True).stdout
    return [line for line in printed.replace("\r", "").splitlines() if line and not line.startswith(("[doctest]", "====="))]


def of_build(build, rooms):
    listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    programs = {}
    for test in json.loads(listing.stdout)["tests"]:
        room, _, part = test["name"].rpartition("/")
        if part in PARTS and room in rooms:
            programs[room] = test["command"][test["command"].index("--run") + 2:]
    return {(room, re.sub(r"<[^<>]*>$", "", case)) for room, program in programs.items() for case in listed(program)}


def run(part, program):
    cases = len(listed(program))
    middle = cases // 2
    first, last = {"whole": (1, cases), "half_1": (1, middle), "half_2": (middle + 1, cases)}[part]
    # doctest's own summary counts what its filters let through, whatever the range is: a time is printed for each case that ran.
    done = subprocess.run([*program, f"--first={first}", f"--last={last}", "--duration=true"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    print(done.stdout)
    ran = len(re.findall(r"^\d+\.\d+ s: ", done.stdout, re.MULTILINE))
    print(f"{ran} of {last - first + 1} cases ran, {done.stdout.count('MESSAGE: skipped: ')} of them skipped by themselves")
    return done.returncode == 0 and ran == last - first + 1 > 0


def compare(path, build, rooms):
    less = named(path)
    every_room = sorted({room_of(each.relative_to(TESTS).as_posix()) for each in TESTS.rglob("*.test.cpp")})
    all_cases = of_sources(every_room)
    all_names = {name for _, name in all_cases}
    unbuilt = {name.removeprefix("room "): reason for name, reason in less.items() if name.startswith("room ")}
    less = {name: reason for name, reason in less.items() if not name.startswith("room ")}
    expected, there = {each for each in all_cases if each[0] in rooms}, of_build(build, rooms)
    wrong = []
    for room in every_room:
        if (room in rooms) == (room in unbuilt):
            wrong.append(f"{room}: " + ("named as not built, and built" if room in rooms else "not built, and no reason is named"))
    wrong += [f"{room}: no such room" for room in unbuilt if room not in every_room]
    wrong += [f"{room}: missing, and no reason is named: {case}" for room, case in sorted(expected - there) if case not in less]
    wrong += [f"{room}: named as missing, and there: {case}" for room, case in sorted(there) if case in less]
    wrong += [f"named, and no test case: {case}" for case in less if case not in all_names]
    print("\n".join(wrong + [f"{'room':14} {'Linux':>6} {'here':>6} {'less':>6}"]))
    for room in every_room:
        count = [sum(each == room for each, _ in cases) for cases in (all_cases, there)]
        print(f"{room:14} {count[0]:6} {count[1]:6} {count[0] - count[1]:6}")
    print(f"{'all':14} {len(all_cases):6} {len(there):6} {len(all_cases) - len(there):6}")
    for reason in dict.fromkeys([*less.values(), *unbuilt.values()]):
        gone = sum(less.get(name) == reason for room, name in expected)
        gone += sum(unbuilt.get(room) == reason for room, _ in all_cases)
        if gone:
            print(f"{gone:4} less: {reason}")
    return not wrong and len(there) > 0


def table(document, command):
    known = set(line.rstrip() for line in Path(document).read_text(encoding="utf-8").splitlines())
    printed = subprocess.run(command, capture_output=True, text=True).stdout.replace("\r", "").splitlines()
    other = [line for line in printed if line.rstrip() not in known]
    for line in other:
        print(f"not in {document}: {line}")
    print(f"{len(printed)} lines printed, {len(printed) - len(other)} of them are in {document}")
    return len(printed) > 10 and not other


def same(document, command, plant=False):
    expected = Path(document).read_text(encoding="utf-8").splitlines()
    if plant:
        expected[-1] = expected[-1][:-1] + f"{int(expected[-1][-1], 16) ^ 1:x}"
    printed = subprocess.run(command, capture_output=True, text=True).stdout.replace("\r", "").splitlines()
    other = [f"not in {document}: {line}" for line, known in zip(printed, expected) if line != known]
    print("\n".join(other))
    print(f"{len(other)} of {len(printed)} lines are not in {document}, which has {len(expected)}")
    return len(printed) == len(expected) > 10 and not other


def main():
    if len(sys.argv) > 3 and sys.argv[1] in ("--same", "--same-but-for-a-bit"):
        sys.exit(0 if same(sys.argv[2], sys.argv[3:], sys.argv[1] != "--same") else 1)
    if len(sys.argv) > 3 and sys.argv[1] == "--run":
        sys.exit(0 if run(sys.argv[2], sys.argv[3:]) else 1)
    if len(sys.argv) > 3 and sys.argv[1] == "--table":
        sys.exit(0 if table(sys.argv[2], sys.argv[3:]) else 1)
    if sys.argv[2:] == ["--filter"]:
        # doctest separates patterns by commas; a question mark stands for any character.
        print(",".join(re.sub(r"[,\\\"*]", "?", case) for case in named(sys.argv[1]) if not case.startswith("room ")))
        return
    sys.exit(0 if compare(sys.argv[1], sys.argv[2], sys.argv[3:]) else 1)


if __name__ == "__main__":
    main()
