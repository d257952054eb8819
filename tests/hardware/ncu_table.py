# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table that Nsight Compute prints with `--csv --page raw`, for the scripts beside this one."""
import csv
import typing


class Table(typing.NamedTuple):
    before: list[str]           # lines above the table
    units: dict[str, str]       # by column; empty if the table has none
    rows: list[dict[str, str]]  # a kernel each; numbers may have thousands separators


def read(text):
    """The Table in what ncu printed, or None. Lines of the program and of ncu itself may stand around it and between its rows."""
    lines = text.splitlines()
    begin = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if begin is None:
        return None
    rows = list(csv.DictReader(line for line in lines[begin:] if line.startswith('"')))
    return Table(lines[:begin], next((row for row in rows if not row["ID"]), {}), [row for row in rows if row["ID"]])


def number(cell):
    """None for what is no number, such as n/a."""
    try:
        return float((cell or "").replace(",", ""))
    except ValueError:
        return None
