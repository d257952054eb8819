#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads every #include of gpuprof's headers and fails on one that runs up the layers.

    layers.py ROOT            prints the arrows that run up; exit 1 if there are any
    layers.py ROOT --plant DIR
                              copies the headers to DIR with two wrong arrows planted, in core/error.hpp and io/table.hpp

The folders are the layers. Their order is written here and nowhere else: a header includes its own folder and those
above it in this list, which lie lower in the house. A folder that is not in the list is an error, too.
"""
import argparse
import os
import re
import shutil
import sys
from pathlib import Path

# Lowest first. "hw" means the files that lie in hw/ itself; "" the export lists that users include. recording/ lies above
# measure/ because it reads and writes the contents of reports; what is below knows it by hw/machine/recorder.hpp.
ORDER = """
detail
core
text
metric metric/catalogue
legacy
hw/abi
hw/activity
hw/machine/platform
hw/machine
hw/callbacks
hw/memory
hw/counters hw/counters/uncounted
hw/counters/target hw/counters/range hw/counters/event hw/counters/mapped
hw/samplers
hw/doctor
sim
measure
recording
trace
sample
frames
ranks
explain
judge
judge/adaptor
io
""".split() + [""]

# The embedded GPU's rooms. It stands for the machine: of the library it knows the C interfaces and records, how a device is
# opened, and what sim.hpp declares. Nothing includes it but its own files and what is built over it.
SIM_ORDER = """
chip image ptx code counters gpu ops texture sass decode check model execute
cupti driver
""".split() + [""]
SIM_KNOWS = {"detail", "text", "core", "metric", "metric/catalogue", "legacy", "hw/abi", "hw/activity", "hw/machine/platform",
             "hw/machine", "sim"}

# Pairs that the order would allow and that must not be: a policy does not know another one, the models do not know who
# executes, the two C interfaces over the embedded GPU meet in gpu/ alone.
FORBIDDEN = {
    ("hw/counters/event", "hw/counters/range"),
    ("hw/counters/mapped", "hw/counters/event"),
    ("hw/doctor", "hw/counters/event"),
    ("src/sim/execute", "src/sim/decode"),
    ("src/sim/model", "src/sim/execute"),
    ("src/sim/driver", "src/sim/cupti"),
}
# What a header may say of itself, on its second line.
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<gpuprof/([^>]+)>)', re.MULTILINE)
UMBRELLA = ""
# What users include instead of an export list: the adaptors of test frameworks come here.
FOR_USERS = {"judge/checks.hpp", "judge/adaptor/benchmarks.hpp"}


SIM = "src/sim"
LIBRARY = "include/gpuprof"


def room(header):
    return os.path.dirname(header)


def includes(path, header, base):
    """What a file includes of the library ("core/error.hpp") and of the embedded GPU ("src/sim/open.hpp")."""
    for own, by_name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        folder = "" if header.startswith(SIM) else LIBRARY
        target = by_name or os.path.normpath(os.path.join(folder, os.path.dirname(header), own)).removeprefix(LIBRARY + "/")
        within = base if target.startswith(SIM) else base / LIBRARY
        yield header, target, (within / target).is_file()


def arrows(root):
    library = Path(root, "include/gpuprof")
    for path in sorted(library.rglob("*.hpp")):
        if path.relative_to(library).as_posix() != "sim.hpp":  # whose implementation is the embedded GPU
            yield from includes(path, path.relative_to(library).as_posix(), Path(root))
    for path in sorted(Path(root, SIM).rglob("*.[hc]pp")):
        if path.name != "sim.cpp":
            yield from includes(path, path.relative_to(root).as_posix(), Path(root))


def place(folder):
    """Where a folder stands in its house, or None."""
    if folder == SIM or folder.startswith(SIM + "/"):
        inner = folder[len(SIM) + 1:]
        return SIM_ORDER.index(inner) if inner in SIM_ORDER else None
    return ORDER.index(folder) if folder in ORDER else None


def fault(header, target, exists):
    """Why this arrow is wrong, or None."""
    if not exists:
        return "there is no such header"
    source, aim = room(header), room(target)
    for each in (source, aim):
        if place(each) is None:
            return f"the folder {each}/ is not in the order of layers"
    if aim == source:
        return None
    source_in_sim, aim_in_sim = source.startswith(SIM), aim.startswith(SIM)
    if aim_in_sim and not source_in_sim:
        return "the embedded GPU is private"
    if source_in_sim and not aim_in_sim:
        known = aim in SIM_KNOWS or (source == SIM and target == "sim.hpp")
        return None if known else f"the embedded GPU must not know {aim}/"
    if aim == UMBRELLA:
        return None if header in FOR_USERS else "export lists are for users"
    if place(aim) > place(source):
        return f"{aim}/ is above {source}/"
    if (source, aim) in FORBIDDEN:
        return f"{source}/ must not know {aim}/"
    return None


def plant(root, into):
    shutil.rmtree(into, ignore_errors=True)
    for house in ("include", SIM):
        shutil.copytree(Path(root, house), Path(into, house))
    victim = Path(into, "include/gpuprof/core/error.hpp")
    text = victim.read_text(encoding="utf-8")
    victim.write_text(text.replace('#include "../detail/config.hpp"', '#include "../detail/config.hpp"\n#include "../measure/report.hpp"', 1),
                      encoding="utf-8")
    victim = Path(into, "include/gpuprof/io/table.hpp")
    victim.write_text(victim.read_text(encoding="utf-8") + '#include "../../../src/sim/chip/chips.hpp"\n', encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root")
    parser.add_argument("--plant", metavar="DIR")
    arguments = parser.parse_args()
    if arguments.plant:
        plant(arguments.root, arguments.plant)
        arguments.root = arguments.plant
    count = wrong = 0
    for arrow in arrows(arguments.root):
        count += 1
        if why := fault(*arrow):
            wrong += 1
            print(f"{arrow[0]} includes {arrow[1]}: {why}")
    print(f"{count} includes read, {wrong} of them wrong")
    sys.exit(1 if wrong or count == 0 else 0)


if __name__ == "__main__":
    main()
