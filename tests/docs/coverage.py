#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares docs/coverage.md with the chapters of the documents that gpuprof is measured by (chapters.txt).

    coverage.py [--plant KIND]      plants a mistake first: lost, unknown, twice, file, reason, heading, proof, anchor (the canaries)

Each chapter has one line in the table of its document. A line of several is "2.11 to 2.11.3 Title". A line has a place in gpuprof
and, in the last column, a file of tests/, or a link to limits.md whose text is the beginning of a bold entry under that heading.

Exit: 0, or 1 with one line a fault.
"""
import argparse
import re
import sys
from pathlib import Path

from check import ROOT, headings_as_anchors

PAGE = ROOT / "docs" / "coverage.md"
LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")


def read_chapters():
    documents, last = {}, None
    for line in (ROOT / "tests" / "docs" / "chapters.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            last = documents.setdefault(line.strip("[]"), [])
        else:
            last.append(line)
    return documents


def number(chapter):
    return re.match(r"[\d.]*", chapter)[0]


def named(cell, chapters):
    """The chapters that the first cell of a line names; none if there is no such chapter."""
    if cell in chapters:
        return [cell]
    span = re.match(r"([\d.]+) to ([\d.]+) ", cell)
    numbers = [number(each) for each in chapters]
    if not span or span[1] not in numbers or span[2] not in numbers:
        return []
    return chapters[numbers.index(span[1]):numbers.index(span[2]) + 1]


def faults_of(text, documents, limits):
    faults, sections = [], dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    reasons = {headings_as_anchors(heading).pop(): re.findall(r"^- \*\*(.+?)\*\*", under, re.MULTILINE)
               for heading, under in re.findall(r"^(## .+?\n)(.*?)(?=^## |\Z)", limits, re.MULTILINE | re.DOTALL)}
    for document in sorted(sections.keys() - documents.keys()):
        faults.append(f"there is no document {document}")
    for document, chapters in documents.items():
        seen = {}
        for line in re.findall(r"^\| (.+) \|$", sections.get(document, ""), re.MULTILINE):
            cells = [cell.strip() for cell in line.split(" | ")]
            if cells[0] == "chapter" or len(cells) < 2:
                continue
            cells += [""] * (3 - len(cells))
            here = f"{document}, {cells[0]}"
            if not (chapters_here := named(cells[0], chapters)):
                faults.append(f"{here}: no such chapter")
            for chapter in chapters_here:
                if chapter in seen:
                    faults.append(f"{here}: {chapter} has a line already")
                seen[chapter] = True
            refused = False
            for words, target in LINK.findall(cells[1] + cells[2]):
                path, _, anchor = target.partition("#")
                place = PAGE.parent / path
                if not place.is_file():
                    faults.append(f"{here}: there is no {target}")
                elif anchor and anchor not in headings_as_anchors(place.read_text(encoding="utf-8")):
                    faults.append(f"{here}: there is no heading for {target}")
                elif path == "limits.md":
                    refused = True
                    if not any(reason.startswith(words) for reason in reasons.get(anchor, [])):
                        faults.append(f"{here}: {target} has no entry that begins with \"{words}\"")
            proof = [target for _, target in LINK.findall(cells[2])]
            if any(not target.startswith("../tests/") for target in proof):
                faults.append(f"{here}: what shows it is not in tests/")
            if not proof and not refused:
                faults.append(f"{here}: nothing shows it, and limits.md has no reason")
            if not LINK.search(cells[1]) and not re.search(r"`.+`|below", cells[1]):
                faults.append(f"{here}: it says no place")
        faults += [f"{document}, {chapter}: has no line" for chapter in chapters if chapter not in seen]
    return faults


PLANTS = {"lost": ("| 2.3.5 CUDA Graphs |", "|- 2.3.5 CUDA Graphs |"), "unknown": ("2.3.5 CUDA Graphs", "2.3.5 CUDA Groups"),
          "twice": ("| 2.3.5 CUDA Graphs |", "| 2.3.4 OpenACC |"), "file": ("trace/node_scopes.hpp", "trace/node_scape.hpp"),
          "reason": ("[OptiX]", "[OptiY]"), "heading": ("[OptiX](limits.md#what-cupti-and-the-hardware-cannot-do)",
                                                        "[OptiX](limits.md#what-is-not-there-yet)"), "proof": (" | [node_scopes.test.cpp](../tests/trace/node_scopes.test.cpp) |", " | |"),
          "anchor": ("explain.md#sections-and-sets", "explain.md#sections-and-sots")}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--plant", choices=PLANTS)
    options = arguments.parse_args()
    text, documents = PAGE.read_text(encoding="utf-8"), read_chapters()
    if options.plant:
        if PLANTS[options.plant][0] not in text:
            sys.exit(f"cannot plant: the page does not have {PLANTS[options.plant][0]}")
        text = text.replace(*PLANTS[options.plant], 1)
    faults = faults_of(text, documents, (ROOT / "docs" / "limits.md").read_text(encoding="utf-8"))
    print(*faults, sep="\n")
    print(f"{sum(map(len, documents.values()))} chapters of {len(documents)} documents, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
