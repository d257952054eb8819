#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Microbenchmarks of time on a GPU beside the embedded GPU's model: see time.sh.

    time_table.py FOLDER    with hardware.csv and model.csv, as time/main.cu prints them, and machine.txt. One of the two may be missing

The hardware's value is that of its clock where a benchmark reads it, else that by events; the model's is that by events. `off` is
model / hardware - 1, in per cent. A mechanism is what a name says before its first "_". Rows are in the order of the benchmarks.
Exit status 0 if each side that is there has every benchmark of the other: those that read only clocks of the device have none
on the model's side."""
import csv
import os
import statistics
import sys

NONE = "not measured yet"
CLOSE = 15  # per cent


def read_rows(text):
    """{name: row} in their order; a number that is not there is None."""
    rows = {}
    for row in csv.DictReader(text.splitlines()):
        if row["name"] in rows:
            raise ValueError("twice: " + row["name"])
        for column in ("by_events", "by_clock", "spread"):
            row[column] = float(row[column]) if row[column] else None
        rows[row["name"]] = row
    return rows


def of_hardware(row):
    return row["by_clock"] if row["by_clock"] is not None else row["by_events"]


def off(hardware, model):
    """Per cent; None where there is nothing to compare, or nothing to divide by."""
    if hardware is None or model is None or hardware == 0:
        return None
    return 100 * (model / hardware - 1)


def shown(value):
    return "-" if value is None else f"{value:.5g}"


def in_order(first, second):
    """The names of both, in the order of the longer one; what only the other has comes last."""
    long, short = (first, second) if len(first) >= len(second) else (second, first)
    return list(long) + [name for name in short if name not in long]


def table(hardware, model):
    """The lines of the table. Either side may be {}."""
    lines = ["benchmark | unit | hardware | spread | model | off [%] | parameters"]
    errors = {}
    for name in in_order(hardware, model):
        real, modelled = hardware.get(name), model.get(name)
        row = real or modelled
        value = of_hardware(real) if real else None
        estimate = modelled["by_events"] if modelled else None
        error = off(value, estimate)
        if error is not None:
            errors.setdefault(name.split("_")[0], []).append(error)
        cells = [name, row["unit"], shown(value) if real else NONE, f"{100 * real['spread']:.1f} %" if real else "-", shown(estimate),
                 "-" if error is None else f"{error:+.0f}", row["parameters"]]
        lines.append(" | ".join(cells))
    if errors:
        lines += ["", "mechanism | rows | median of |off| [%] | worst | in 15 %"]
        for mechanism, each in list(errors.items()) + [("all", [error for each in errors.values() for error in each])]:
            sizes = [abs(error) for error in each]
            lines.append(f"{mechanism} | {len(each)} | {statistics.median(sizes):.0f} | {max(each, key=abs):+.0f} | "
                         f"{sum(size <= CLOSE for size in sizes)}")
    return lines


def missing(hardware, model):
    """What a side that is there lacks."""
    if not hardware or not model:
        return []
    return ([f"not on the hardware: {name}" for name in model if name not in hardware] +
            [f"not in the model: {name}" for name, row in hardware.items() if name not in model and row["by_events"] is not None])


def main(folder):
    def text(name):
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8") as file:
            return file.read()
    hardware, model = read_rows(text("hardware.csv")), read_rows(text("model.csv"))
    print(text("machine.txt").strip() or "hardware: " + NONE)
    print("\n".join(table(hardware, model)))
    lacks = missing(hardware, model)
    print("\n".join(lacks + [f"{len(in_order(hardware, model))} benchmarks"]))
    return 1 if lacks or not (hardware or model) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
