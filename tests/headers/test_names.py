#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of test cases that CTest passes on whole: it splits lists at ';' and reads '[' and ']' as parts of them, so that such
a case is looked for under half of its name, and fails.

  test_names.py TESTS            every TEST_CASE in TESTS/**/*.test.cpp
  test_names.py TESTS --plant    with one more that is wrong; must fail

Exit: 0, or 1 with one line a name."""
import re
import sys
from pathlib import Path

CASE = re.compile(r'^TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"', re.MULTILINE)


def main():
    names = [(path, name) for path in sorted(Path(sys.argv[1]).rglob("*.test.cpp")) for name in CASE.findall(path.read_text())]
    if "--plant" in sys.argv:
        names += [("planted", name) for name in CASE.findall('TEST_CASE(\n    "one; the other")')]
    wrong = [(path, name) for path, name in names if re.search(r"[;\[\]]", name)]
    for path, name in wrong:
        print(f"{path}: CTest would not find \"{name}\"")
    print(f"{len(names)} names read, {len(wrong)} of them wrong")
    return 1 if wrong or len(names) < 1000 else 0


sys.exit(main())
