#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads every #include of gpuprof's headers and fails on one that runs up the layers.

    layers.py INCLUDE_DIR     prints the arrows that run up; exit 1 if there are any
    layers.py --plant DIR     copies the headers to DIR with one upward arrow planted in core/error.hpp

The folders are the layers. Their order is written here and nowhere else: a header includes its own folder and those
above it in this list, which lie lower in the house. A folder that is not in the list is an error, too.
"""
import argparse
import os
import re
import shutil
import sys
from pathlib import Path

# Lowest first. "hw" means the files that lie in hw/ itself; "" the export lists that users include.
ORDER = """
detail
core
metric metric/catalogue
legacy
hw/abi
trace/activity
hw/machine/platform
hw/machine
hw
hw/callbacks
hw/launches hw/provided
hw/range hw/event hw/mapped hw/replay
hw/pm hw/pc
hw/sass
hw/built_in
hw/doctor
hw/sim/chip hw/sim/image hw/sim/ptx hw/sim/code hw/sim/counters hw/sim/ops hw/sim/texture hw/sim/sass hw/sim/decode hw/sim/check hw/sim/execute hw/sim/model
hw/sim/cupti hw/sim/driver
hw/sim
measure
trace
sample
explain
judge
judge/adaptor
io
""".split() + [""]

# Pairs that the order would allow and that must not be: a policy does not know another one, the models do not know who
# executes, the two C interfaces over the embedded GPU meet in hw/sim/counters alone.
FORBIDDEN = {
    ("hw/event", "hw/range"),
    ("hw/mapped", "hw/event"),
    ("hw/doctor", "hw/event"),
    ("hw/sim/execute", "hw/sim/decode"),
    ("hw/sim/model", "hw/sim/execute"),
    ("hw/sim/driver", "hw/sim/cupti"),
}
# The embedded GPU stands for the machine: of gpuprof's hw it knows the C interfaces, and how a device is opened.
SIM_KNOWS = {"detail", "core", "metric", "metric/catalogue", "legacy", "hw/abi", "trace/activity", "hw/machine/platform",
             "hw/machine"}
# What a header may say of itself, on its second line.
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<gpuprof/([^>]+)>)', re.MULTILINE)
UMBRELLA = ""


def room(header):
    return os.path.dirname(header)


def arrows(include_dir):
    base = Path(include_dir, "gpuprof")
    for path in sorted(base.rglob("*.hpp")):
        header = path.relative_to(base).as_posix()
        for own, by_name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            target = by_name or os.path.normpath(os.path.join(os.path.dirname(header), own))
            yield header, target, (base / target).is_file()


def fault(header, target, exists):
    """Why this arrow is wrong, or None."""
    if not exists:
        return "there is no such header"
    source, aim = room(header), room(target)
    for each in (source, aim):
        if each not in ORDER:
            return f"the folder {each}/ is not in the order of layers"
    if aim == source:
        return None
    if aim == UMBRELLA:
        return "export lists are for users"
    if ORDER.index(aim) > ORDER.index(source):
        return f"{aim}/ is above {source}/"
    if (source, aim) in FORBIDDEN:
        return f"{source}/ must not know {aim}/"
    if source.startswith("hw/sim") and not aim.startswith("hw/sim") and aim not in SIM_KNOWS:
        return f"the embedded GPU must not know {aim}/"
    if aim.startswith("hw/sim") and not source.startswith("hw/sim") and source != UMBRELLA:
        return "only sim.hpp knows the embedded GPU"
    return None


def plant(include_dir, into):
    shutil.rmtree(into, ignore_errors=True)
    shutil.copytree(include_dir, into)
    victim = Path(into, "gpuprof/core/error.hpp")
    text = victim.read_text(encoding="utf-8")
    victim.write_text(text.replace('#include "../detail/config.hpp"', '#include "../detail/config.hpp"\n#include "../measure/report.hpp"', 1),
                      encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("include_dir")
    parser.add_argument("--plant", metavar="DIR")
    arguments = parser.parse_args()
    if arguments.plant:
        plant(arguments.include_dir, arguments.plant)
        arguments.include_dir = arguments.plant
    count = wrong = 0
    for arrow in arrows(arguments.include_dir):
        count += 1
        if why := fault(*arrow):
            wrong += 1
            print(f"{arrow[0]} includes {arrow[1]}: {why}")
    print(f"{count} includes read, {wrong} of them wrong")
    sys.exit(1 if wrong or count == 0 else 0)


if __name__ == "__main__":
    main()
