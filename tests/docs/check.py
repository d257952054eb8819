#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a document as a stranger would, and does what it says: its code, its commands, its tables, its links.

    check.py DOCUMENT [--program NAME=PATH]... [--nvcc PATH] [--scratch DIR]
    check.py DOCUMENT... --links         links and what a page must name, alone: runs and compiles nothing, in a second
    check.py DOCUMENT --update           writes what the programs print today into the document
    check.py DOCUMENT --plant KIND       plants a mistake first: table, link, variable, error, layer, room, header, cost (the canaries)

A fenced block must say what it is by an HTML comment above it, or by its language:

    ```sh                     every command runs, in a folder that looks like the repository's root and has the programs
                              that the build made; a command of NOT_RUN does not, for the reason that stands there
    <!-- output: COMMAND -->  the block is what COMMAND prints; a line "…" stands for any lines, "…" in a line for anything
    <!-- output -->           the block is what the ```sh block above it prints
    <!-- wrapped -->          beside output: line breaks and runs of spaces are the document's own
    <!-- file: NAME -->       the block is that file of the reader's; commands that follow find it
    <!-- compile -->          the block compiles; "compile: fragment" means inside a function that has gpu and prof
    <!-- run: TARGET -->      the block is extracted, compiled and run by another test, which is named
    <!-- shown: REASON -->    nothing is done with it, because REASON
    <!-- unless: LIBRARY -->  beside output: not compared on a machine where that library can be loaded
    <!-- needs: PROGRAM -->   anywhere: the whole document is skipped on a machine without it

Exit: 0, 1 with one line a fault, or 77 if skipped.
"""
import argparse
import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include" / "gpuprof"
SKIPPED = 77

# Commands that documents show and this test does not run: how they begin, and why.
NOT_RUN = {
    "./run ": "builds a whole preset; .ci/run runs it",
    ".ci/run": "is what runs this test",
    "cmake --preset": "the build that runs this test is made by it",
    "cmake --build": "would compile everything a second time",
    "ctest": "is what runs this test",
    "python3 tests/headers/layers.py": "the test headers/layers runs it",
    "git ": "changes the repository",
    "clang-format-14": "a leg of .ci/run of its own",
    "python3 single_include/generate.py --release": "writes into the repository; a release does it",
    "python3 tests/docs/reference.py": "the test docs/reference runs it",
    "tests/kernels/regenerate.sh": "writes into the repository",
    "tests/hardware/run_all.sh": "needs a GPU",
    "tests/hardware/cold_cache.sh": "needs a GPU",
    "tests/hardware/trace_all.sh": "needs a GPU",
    "build/test/tests/catalogue_regenerate/generate_catalogues": "writes into the repository; a test of its own compares",
    "build/test/tests/test_": "a test program, which CTest runs",
    "build/bench/": "a measurement, which must not share the machine with other tests",
}

FRAGMENT = """#include <cassert>
#include <iostream>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/legacy.hpp>
#include <gpuprof/saved.hpp>
#include <gpuprof/sim.hpp>
namespace metrics = gpuprof::metrics;
void launch();
[[maybe_unused]] static void fragment([[maybe_unused]] gpuprof::device const& gpu, [[maybe_unused]] gpuprof::profiler& prof) {
    { // a block of its own, which may have another gpu
%s
    }
}
"""
DIRECTIVE = re.compile(r"<!--\s*([a-z]+)(?::\s*(.*?))?\s*-->")


class Block:
    def __init__(self, language, line, directives, text, previous):
        self.language, self.line, self.directives, self.text, self.previous = language, line, directives, text, previous
        self.printed = None  # what a ```sh block printed


def read_blocks(text):
    blocks, directives, lines = [], {}, text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        if fence := re.match(r"( *)```(\w*)", line):
            begin = at + 1
            at = next(i for i in range(begin, len(lines)) if lines[i].strip() == "```")
            body = "\n".join(each[len(fence[1]):] for each in lines[begin:at]) + "\n"
            blocks.append(Block(fence[2], begin, directives, body, blocks[-1] if blocks else None))
            directives = {}
        elif found := DIRECTIVE.findall(line):
            directives.update(dict(found))
        elif line.strip():
            directives = {}
        at += 1
    return blocks


def fits(expected, actual, wrapped):
    if wrapped:
        expected, actual = " ".join(expected.split()), " ".join(actual.split())
    pattern = ""
    for line in expected.rstrip("\n").split("\n"):
        if line == "…":
            pattern += r"(?:.*\n)*"
        else:
            pattern += "".join(".*" if part == "…" else re.escape(part) for part in re.split("(…)", line.rstrip())) + r"\n"
    return re.fullmatch(pattern, "\n".join(line.rstrip() for line in actual.rstrip("\n").split("\n")) + "\n") is not None


class Check:
    def __init__(self, document, text, programs, nvcc, scratch):
        self.document, self.text, self.scratch = document, text, scratch
        self.faults, self.counts = [], {}
        self.replacements = []
        for entry in ("include", "examples", "tests", "single_include", "src", "CMakeLists.txt", "cmake", "LICENSE"):
            (scratch / entry).symlink_to(ROOT / entry)
        for name, path in programs.items():
            examples = {each.stem for each in ROOT.glob("examples/*.cpp")}
            place = scratch / "build" / ("demo" if name == "gpuprof" else "demo/examples" if name in examples else "docs") / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(Path(path).resolve())
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("GPUPROF_")}
        self.environment["LC_ALL"] = "C.UTF-8"
        self.environment["TMPDIR"] = str(self.scratch)  # other programs leave files in /tmp that the doctor tells of
        self.environment.setdefault("CMAKE_GENERATOR", "Ninja" if shutil.which("ninja") else "Unix Makefiles")
        if nvcc:
            self.environment["PATH"] += os.pathsep + os.path.dirname(nvcc)

    def fault(self, line, text):
        self.faults.append(f"{self.document}:{line}: {text}")

    def done(self, what, by=1):
        self.counts[what] = self.counts.get(what, 0) + by

    def run(self, command, line):
        try:
            done = subprocess.run(["sh", "-ec", command], cwd=self.scratch, env=self.environment, text=True, timeout=300,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        except subprocess.TimeoutExpired:
            self.fault(line, f"`{command}` did not end in 300 s")
            return None
        self.done("commands run")
        if done.returncode != 0:
            self.fault(line, f"`{command}` ended with {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}")
            return None
        return done.stdout

    def commands(self, block):
        block.printed = ""
        for command in re.sub(r"\\\n\s*", "", block.text).splitlines():
            command = re.sub(r"(^|\s)#.*", "", command).strip()
            if not command:
                continue
            if reason := next((why for start, why in NOT_RUN.items() if (command + " ").startswith(start)), None):
                self.done("commands not run")
                print(f"not run: {command} ({reason})")
                continue
            block.printed += self.run(command, block.line) or ""

    def output(self, block):
        if (library := block.directives.get("unless")) and loadable(library):
            print(f"not compared: {self.document}:{block.line}, because {library} can be loaded here")
            return
        if command := block.directives["output"]:
            printed = self.run(command, block.line)
        else:
            printed = block.previous.printed if block.previous else None
        if printed is None:
            return self.fault(block.line, "nothing was printed that the block could be compared with")
        self.done("printed tables compared")
        if not fits(block.text, printed, "wrapped" in block.directives):
            self.fault(block.line, "the document does not show what is printed. It is:\n" + printed)
            self.replacements.append((block, printed))

    def compile(self, block):
        code = FRAGMENT % block.text if block.directives["compile"] == "fragment" else block.text
        # Declarations are enough: every header's definitions are compiled by the tests of headers, with more warnings.
        done = subprocess.run([os.environ.get("CXX", "g++"), "-std=c++20", "-Wall", "-Wextra", "-fsyntax-only", "-DGPUPROF_HEADER_ONLY=0",
                               "-I", ROOT / "include", "-x", "c++", "-"],
                              input=code, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.done("blocks compiled")
        if done.returncode != 0:
            self.fault(block.line, "does not compile:\n" + done.stderr[:2000])

    def blocks(self):
        for block in read_blocks(self.text):
            if "shown" in block.directives:
                if not block.directives["shown"]:
                    self.fault(block.line, "shown needs a reason")
            elif "file" in block.directives:
                path = self.scratch / block.directives["file"]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text, encoding="utf-8")
                self.done("files of the reader's")
            elif "output" in block.directives:
                self.output(block)
            elif "compile" in block.directives:
                self.compile(block)
            elif "run" in block.directives:
                self.done("blocks run by another test")
            elif block.language == "sh":
                self.commands(block)
            else:
                self.fault(block.line, "a block that says neither what it is nor why it is not tested")

    def links(self):
        prose = re.sub(r"^( *)```.*?^ *```$", "", self.text, flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", prose):
            if re.match(r"\w+:", target):
                continue
            path, _, anchor = target.partition("#")
            place = (ROOT / self.document).parent / path if path else ROOT / self.document
            self.done("links")
            line = self.text[: self.text.index(f"]({target})")].count("\n") + 1
            if not place.exists():
                self.fault(line, f"there is no {target}")
            elif anchor and anchor not in headings_as_anchors(place.read_text(encoding="utf-8") if path else self.text):
                self.fault(line, f"there is no heading for {target}")


def loadable(library):
    try:
        ctypes.CDLL(library)
        return True
    except OSError:
        return False


def headings(text, level="#+"):
    return re.findall(rf"^(?:{level}) (.+)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)


def headings_as_anchors(text):
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings(text)}


def names_in_headings(text):
    return [each[1:-1] for each in headings(text, "###") if re.fullmatch(r"`\w+`", each)]


def compare_names(check, page, code, what):
    for name in sorted(code - set(page)):
        check.fault(1, f"{what} {name} has no heading on this page")
    for name in sorted(set(page) - code):
        check.fault(1, f"the page has a heading for {name}, which is no {what}")
    check.done(f"{what}s compared", len(code))


# docs/environment.md: a heading for each variable that the headers and the injection library read, and for no other.
def environment_page(check):
    read, words, macros = set(), set(), set()
    for source in [*INCLUDE.rglob("*.hpp"), *(ROOT / "src").rglob("*.?pp")]:
        text = re.sub(r"//.*", "", source.read_text(encoding="utf-8"))
        read.update(re.findall(r'\b(?:trusted_)?variable(?:_or_empty)?\("(\w+)"\)', text))
        words.update(re.findall(r'"((?:GPUPROF|CUDA|CONDA|NVTX)_[A-Z0-9_]+)"', text))
        macros.update(re.findall(r"#\s*define (GPUPROF_\w+)", text))
    read |= words - macros  # names of macros are words of messages; what is read is a variable, whatever macro is called so
    compare_names(check, names_in_headings(check.text), read, "environment variable")
    own, _, others = check.text.partition("## Variables that other programs read")
    for name in sorted(set(re.findall(r"`((?:GPUPROF|CUDA|CONDA|NVTX)_[A-Z0-9_]+)", own)) - read):
        check.fault(1, f"the page speaks of {name}, which the headers do not read")
    if not others:
        check.fault(1, "the section on variables that other programs read is missing")


# docs/errors.md: a heading for each enumerator of errc.
def errors_page(check):
    text = (INCLUDE / "core/error.hpp").read_text(encoding="utf-8")
    body = re.sub(r"//.*", "", re.search(r"enum class errc[^{]*\{(.*?)\};", text, re.DOTALL)[1])
    compare_names(check, names_in_headings(check.text), set(re.findall(r"\w+", body)), "errc")


# docs/architecture.md: the picture has the folders that there are, in the order that tests/headers/layers.py holds.
def architecture_page(check):
    sys.path.insert(0, str(ROOT / "tests/headers"))
    from layers import ORDER  # noqa: PLC0415
    expected = [each for each in ORDER if each and (INCLUDE / each).is_dir()]
    picture = next((block for block in read_blocks(check.text) if block.directives.get("shown", "").startswith("the picture")), None)
    if picture is None:
        return check.fault(1, "the picture of the layers is missing")
    shown = [each.rstrip("/") for each in re.findall(r"(?<![\w/.])(?:[a-z_]+/)+(?=\s|$)", picture.text)]
    shown.reverse()  # the picture has the lowest at the bottom
    for each in expected:
        if each not in shown:
            check.fault(picture.line, f"the picture lacks the folder {each}/")
    for each in shown:
        if each not in ORDER:
            check.fault(picture.line, f"the picture has {each}/, which tests/headers/layers.py does not have")
    level = {each: line for line, names in enumerate(picture.text.splitlines()) for each in names.split()}
    known = [each for each in shown if each in ORDER]
    for low, high in zip(known, known[1:]):
        if ORDER.index(low) > ORDER.index(high) and level.get(low + "/") != level.get(high + "/"):
            check.fault(picture.line, f"the picture has {high}/ above {low}/; tests/headers/layers.py has it below")
    check.done("layers compared", len(expected))
    rooms_of_sim(check)
    for path in sorted(set(re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.hpp)?)`", check.text))):
        if (INCLUDE / path).exists() or (ROOT / path).exists():
            check.done("paths found")
        elif path != "io/csv.hpp":
            check.fault(1, f"there is no {path}")


def rooms_of_sim(check):
    """The second picture: the folders of src/sim/, in the order that tests/headers/layers.py holds."""
    from layers import SIM_ORDER  # noqa: PLC0415
    picture = next((block for block in read_blocks(check.text) if block.directives.get("shown", "").startswith("the rooms of")), None)
    if picture is None:
        return check.fault(1, "the picture of the embedded GPU's rooms is missing")
    lines = [re.findall(r"(?<!\S)([a-z]+)/(?=\s)", line) for line in reversed(picture.text.splitlines())]
    shown = [each for line in lines for each in line]
    for each in sorted(set(SIM_ORDER) - {""} - set(shown)):
        check.fault(picture.line, f"the picture lacks the room src/sim/{each}/")
    for each in sorted(set(shown) - set(SIM_ORDER)):
        check.fault(picture.line, f"the picture has src/sim/{each}/, which tests/headers/layers.py does not have")
    places = [[SIM_ORDER.index(each) for each in line if each in SIM_ORDER] for line in lines]
    places = [each for each in places if each]
    for low, high in zip(places, places[1:]):
        if max(low) > min(high):
            check.fault(picture.line, f"the picture has src/sim/{SIM_ORDER[max(low)]}/ below src/sim/{SIM_ORDER[min(high)]}/")
    check.done("rooms compared", len(shown))


# The costs of compiling stand in the README and in docs/compiled-library.md: a row of the one is a row of the other.
COSTS = "<!-- compile costs:"


def cost_rows(text):
    if COSTS not in text:
        return None
    table = text.split(COSTS, 1)[1].split("-->", 1)[1].strip().split("\n\n")[0]
    return [row.strip() for row in table.splitlines() if row.startswith("|")]


def readme_page(check):
    own, all_rows = cost_rows(check.text), cost_rows((ROOT / "docs/compiled-library.md").read_text(encoding="utf-8"))
    if own is None or all_rows is None:
        return check.fault(1, f"the line {COSTS} … --> is missing, here or in docs/compiled-library.md")
    for row in own:
        if row not in all_rows:
            check.fault(check.text[: check.text.index(row)].count("\n") + 1, f"docs/compiled-library.md does not have the row {row}")
    check.done("rows of costs compared", len(own))


# CHANGELOG.md: a header that moved is where the table says, and no longer where it was.
def changelog_page(check):
    moved = 0
    for line, row in enumerate(check.text.splitlines(), 1):
        cells = [re.findall(r"`([\w/]+(?:\.hpp|/))`", cell) for cell in row.strip("|").split("|")]
        if len(cells) != 2 or not cells[1]:
            continue
        was, now = ([each for each in cell if each.endswith(".hpp")] for cell in cells)
        if not was:
            continue
        if "the same name in" in row:
            now = [cells[1][0] + each.rsplit("/", 1)[-1] for each in was]
        for old, new in zip(was, now, strict=True):
            moved += 1
            if (INCLUDE / old).exists():
                check.fault(line, f"{old} is still there")
            if not (INCLUDE / new).is_file():
                check.fault(line, f"there is no {new}")
    if moved == 0:
        check.fault(1, "the table of headers that moved is missing")
    check.done("headers that moved", moved)


PAGES = {"docs/environment.md": environment_page, "docs/errors.md": errors_page, "docs/architecture.md": architecture_page,
         "CHANGELOG.md": changelog_page, "README.md": readme_page}

PLANTS = {  # (what is searched, what it becomes)
    "table": (r"2,097,152  instruction", "2,097,153  instruction"),
    "link": (r"\Z", "\n[a file that is not there](no/such/file.md)\n"),
    "variable": (r"### `GPUPROF_DEVICE`", "### `GPUPROF_DEVISE`"),
    "error": (r"### `permission`", "### `permit`"),
    "layer": (r"(?m)^legacy/ .*\n", ""),
    "room": (r"(?m)^  model/ .*\n", ""),
    "cost": (r"(<!-- compile costs:.*-->\n)", r"\1\n| planted | 1 s |\n"),
    "header": (r"metric/named_metrics\.hpp", "metric/short_metrics.hpp"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="+", metavar="DOCUMENT", help="relative to the repository's root")
    parser.add_argument("--program", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--nvcc")
    parser.add_argument("--scratch")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--links", action="store_true")
    parser.add_argument("--plant", choices=PLANTS)
    arguments = parser.parse_args()
    faults = 0
    for arguments.document in arguments.documents:
        faults += check_document(arguments)
    sys.exit(1 if faults else 0)


def check_document(arguments):
    text = (ROOT / arguments.document).read_text(encoding="utf-8")
    if arguments.plant:
        planted = re.sub(PLANTS[arguments.plant][0], PLANTS[arguments.plant][1], text, count=1)
        if planted == text:
            sys.exit(f"{arguments.document} has nothing to plant '{arguments.plant}' at")
        text = planted
    scratch = Path(arguments.scratch) if arguments.scratch else Path(tempfile.mkdtemp(prefix="gpuprof-docs-"))
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    check = Check(arguments.document, text, dict(each.split("=", 1) for each in arguments.program), arguments.nvcc, scratch)
    try:
        for program in re.findall(r"<!-- needs: (\S+) -->", text):
            if not arguments.links and shutil.which(program, path=check.environment["PATH"]) is None:
                print(f"skipped: {arguments.document} needs {program}, which is not here")
                sys.exit(SKIPPED)
        check.links()
        if page := PAGES.get(arguments.document):
            page(check)
        if not arguments.links:
            check.blocks()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if arguments.update:
        lines = text.split("\n")
        for block, printed in reversed(check.replacements):
            if "…" in block.text:
                continue
            if "wrapped" in block.directives:
                printed = "\n".join(textwrap.fill(each, 124, break_long_words=False, break_on_hyphens=False) for each in printed.splitlines())
            lines[block.line : block.line + block.text.count("\n")] = printed.rstrip("\n").split("\n")
        (ROOT / arguments.document).write_text("\n".join(lines), encoding="utf-8")
    for each in check.faults:
        print(each)
    print(f"{arguments.document}: " + ", ".join(f"{count} {what}" for what, count in check.counts.items()) + f"; {len(check.faults)} faults")
    return len(check.faults)


if __name__ == "__main__":
    main()
