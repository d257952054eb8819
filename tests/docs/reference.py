#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists public names of the headers that have no comment, as Doxygen sees them by docs/Doxyfile and tools/doxygen/filter.py.

    reference.py DOXYGEN WORK [--plant] [--update] [--list]
    reference.py DOXYGEN WORK --html     writes the reference for people, WORK/html/index.html, and nothing else

Public is what a program reaches by gpuprof::, in a header that docs/Doxyfile reads, and that is not private by its name or place:
namespaces detail and inner, the C tables of hw/abi, the operating system's calls of hw/machine/platform, names that end in _,
and what a class does not have as public. Namespaces, classes, concepts, functions, variables, aliases and enumerations need a
comment each. A member needs none: the comment of its class speaks for it, as that of an enumeration does for its values. An
overload, an operator or a specialization shares the comment of another. Rows of tables (ROWS: events, metrics, formulas, families
of functions) are described by their name and the comment of their namespace.

tests/docs/undocumented.txt has the headers in which names lack one, and how many. A number may only go down: exit 1 if there are
more, or fewer, of which --update writes the new number. --plant adds an undocumented name first (the canary). --list names all.
"""
import argparse
import collections
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/doxygen"))
from filter import Header  # noqa: E402

ALLOWED = ROOT / "tests/docs/undocumented.txt"
HEAD = """# Headers in which public names have no comment yet, and how many (tests/docs/reference.py). A number may only go down.
"""
PLANTED = ("core/compute_capability.hpp", "GPUPROF_NAMESPACE_END", "inline int planted_name() { return 0; }\n\nGPUPROF_NAMESPACE_END")
ROWS = re.compile(r"gpuprof::(legacy::(events|metrics|range_\w+|formulas\w*|mapping_parts)|properties|driver_calls|runtime_calls)\b")
PRIVATE = {"detail", "inner", "abi", "platform"}
FEWEST = 900  # a reader that finds less reads something else


def read(work, plant):
    """A copy of the headers with Doxygen's comments: to start the filter for each file would take a minute."""
    shutil.rmtree(work, ignore_errors=True)
    for path in (ROOT / "include/gpuprof").rglob("*.hpp"):
        name = path.relative_to(ROOT / "include/gpuprof").as_posix()
        text = path.read_text(encoding="utf-8")
        if plant and name == PLANTED[0]:
            text = text.replace(*PLANTED[1:])
        into = work / "include/gpuprof" / name
        into.parent.mkdir(parents=True, exist_ok=True)
        into.write_text(Header(text).filtered(), encoding="utf-8")


def generate(doxygen, work, html):
    settings = [f"@INCLUDE = {ROOT / 'docs/Doxyfile'}", "FILTER_PATTERNS =", "OUTPUT_DIRECTORY = ."]
    if html:
        settings += [f"INPUT = include/gpuprof {ROOT / 'README.md'} {ROOT / 'docs'}", f"USE_MDFILE_AS_MAINPAGE = {ROOT / 'README.md'}",
                     f"STRIP_FROM_PATH = include {ROOT}"]
    else:
        settings += ["INPUT = include/gpuprof", "USE_MDFILE_AS_MAINPAGE =", "GENERATE_HTML = NO", "GENERATE_XML = YES",
                     "XML_PROGRAMLISTING = NO"]
    (work / "Doxyfile").write_text("\n".join(settings) + "\n", encoding="utf-8")
    subprocess.run([doxygen, "Doxyfile"], cwd=work, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def documented(element):
    return any("".join(part.itertext()).strip() for name in ("briefdescription", "detaileddescription", "inbodydescription")
               for part in element.findall(name))


def is_public(name):
    parts = re.sub(r"<.*", "", name).split("::")
    return parts[0] == "gpuprof" and not PRIVATE & set(parts) and not any(part.endswith("_") for part in parts)


def names(work):
    """(header, kind, name, whether it has a comment) of each public one."""
    compounds = [ElementTree.parse(path).getroot().find("compounddef") for path in sorted((work / "xml").glob("*.xml"))
                 if path.name.startswith(("class", "struct", "union", "namespace", "concept"))]
    classes = {each.findtext("compoundname") for each in compounds if each.get("kind") in ("class", "struct", "union")}
    for compound in compounds:
        scope, kind = compound.findtext("compoundname"), compound.get("kind")
        if not is_public(scope) or ROWS.match(scope):
            continue
        if kind == "namespace":
            for member in compound.iter("memberdef"):
                name = f"{scope}::{member.findtext('name')}"
                special = re.search(r"operator\W|<", member.findtext("name"))
                if is_public(name) and not special and member.get("kind") != "friend":
                    yield member.find("location").get("file"), member.get("kind"), name, documented(member)
        elif "<" not in scope and scope.rpartition("::")[0] not in classes:
            yield compound.find("location").get("file"), kind, scope, documented(compound)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("doxygen")
    parser.add_argument("work")
    for option in ("--plant", "--update", "--list", "--html"):
        parser.add_argument(option, action="store_true")
    arguments = parser.parse_args()
    if shutil.which(arguments.doxygen) is None:
        print("skipped: there is no doxygen")
        return 77
    work = Path(arguments.work)
    read(work, arguments.plant)
    generate(arguments.doxygen, work, arguments.html)
    if arguments.html:
        print(f"written: {work / 'html/index.html'}")
        return 0
    found = {}  # name: (header, kind, has a comment); overloads share one
    for header, kind, name, has in names(work):
        header = header.split("gpuprof/", 1)[-1]
        before = found.get(name)
        found[name] = (before[0], before[1], before[2] or has) if before else (header, kind, has)
    missing = collections.defaultdict(list)
    for name, (header, kind, has) in sorted(found.items()):
        if not has:
            missing[header].append(f"{kind} {name}")
    if arguments.update:
        ALLOWED.write_text(HEAD + "".join(f"{len(each)} {header}\n" for header, each in sorted(missing.items())), encoding="utf-8")
    allowed = {line.split()[1]: int(line.split()[0]) for line in ALLOWED.read_text(encoding="utf-8").splitlines() if line[:1].isdigit()}
    wrong = 0
    for header in sorted(set(missing) | set(allowed)):
        have, may = len(missing[header]), allowed.get(header, 0)
        if have > may:
            print(f"{header}: {have} public names have no comment, {may} may: " + ", ".join(missing[header]))
        elif have < may:
            print(f"{header}: only {have} public names have no comment, no longer {may}: write that into tests/docs/undocumented.txt")
        wrong += have != may
    if arguments.list:
        for header in sorted(missing):
            for each in missing[header]:
                print(f"{header}: {each}")
    total = sum(len(each) for each in missing.values())
    print(f"{len(found)} public names read, {total} without a comment in {len([each for each in missing.values() if each])} headers, {wrong} headers wrong")
    return 1 if wrong or len(found) < FEWEST else 0


sys.exit(main())
