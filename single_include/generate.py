#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes gpuprof as one file: each of its own headers expanded once, at its first use.

    single_include/generate.py FOLDER     write the files to FOLDER/gpuprof
    single_include/generate.py --release  write the committed files, as a release does; their first lines name the version
    single_include/generate.py --check    exit 1 if the committed files are of another version than the headers

The result depends on the headers' text and nothing else. A system header is included once, where it is first needed.
What stands in a branch of an #if may be skipped by the compiler, so what is included there counts as seen in that branch
only; own headers met again because of that are made harmless by their guards.
"""
import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "include" / "gpuprof"
TARGET = ROOT / "single_include" / "gpuprof"

# Each output, and the outputs it includes instead of repeating their contents.
OUTPUTS = {"scope.hpp": [], "gpuprof.hpp": [], "legacy.hpp": ["gpuprof.hpp"], "sim.hpp": ["gpuprof.hpp"],
           "trace.hpp": ["gpuprof.hpp"], "judge.hpp": ["gpuprof.hpp", "trace.hpp"],
           "replay.hpp": ["gpuprof.hpp", "judge.hpp"], "sampling.hpp": ["gpuprof.hpp"],
           "frames.hpp": ["gpuprof.hpp", "sampling.hpp", "legacy.hpp"], "bottleneck.hpp": ["gpuprof.hpp"],
           "explain.hpp": ["gpuprof.hpp", "bottleneck.hpp"],
           "explain_lines.hpp": ["gpuprof.hpp", "bottleneck.hpp", "sampling.hpp", "explain.hpp"],
           "saved.hpp": ["gpuprof.hpp", "judge.hpp"], "call_replay.hpp": ["gpuprof.hpp"],
           "ranks.hpp": ["gpuprof.hpp", "judge.hpp", "saved.hpp"],
           "mpi.hpp": ["gpuprof.hpp", "judge.hpp", "saved.hpp", "ranks.hpp"],
           "rank_trace.hpp": ["gpuprof.hpp", "trace.hpp", "judge.hpp", "saved.hpp", "ranks.hpp"],
           "judge/rank_checks.hpp": ["gpuprof.hpp", "judge.hpp", "saved.hpp", "ranks.hpp"],
           "judge/traced_work.hpp": ["gpuprof.hpp", "trace.hpp", "judge.hpp"],
           "judge/no_finding.hpp": ["gpuprof.hpp", "judge.hpp", "bottleneck.hpp", "explain.hpp"],
           **{f"judge/adaptor/{name}.hpp": ["gpuprof.hpp", "judge.hpp"]
              for name in ("doctest", "catch2", "googletest", "plain", "benchmarks")}}

# Definitions of cold functions (x.inl.hpp) stand at the end of a single file, once for both of their uses; so a header does
# not include its own there.
OWN_DEFINITIONS = re.compile(r'^#if (?:GPUPROF_ENABLED && )?GPUPROF_HEADER_ONLY\n(?:#include "[^"]+\.inl\.hpp"\n)+#endif\n', re.MULTILINE)
# The embedded GPU, wherever it lies beside sim.hpp, is a part of the single file.
SIM_LIES = re.compile(r'^#if __has_include\("([^"]+)"\)\n#include "\1"\n#else[^\n]*\n#include "[^"]+"\n#endif\n', re.MULTILINE)

LICENSE_LINE = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
OWN = re.compile(r'\s*#\s*include\s*"([^"]+)"')
OWN_BY_NAME = re.compile(r"\s*#\s*include\s*<gpuprof/([^>]+)>")
SYSTEM = re.compile(r"\s*#\s*include\s*<([^>]+)>")
IF = re.compile(r"\s*#\s*if")
ELSE = re.compile(r"\s*#\s*el")
ENDIF = re.compile(r"\s*#\s*endif")


def conditions(line):
    """What an #if asks, each part of an && by itself: gpuprof's settings do not change within a file, so that equal
    conditions are one branch."""
    asked = line.split("//")[0].strip().removeprefix("#if").strip()
    parts, depth = [""], 0
    for word in re.split(r"(&&|[()])", asked):
        depth += (word == "(") - (word == ")")
        if word == "&&" and depth == 0:
            parts.append("")
        else:
            parts[-1] += word
    return tuple(re.sub(r"^\((.*)\)$", r"\1", part.strip()) for part in parts)


def negated(asked):
    if len(asked) > 1:
        return ("not " + " && ".join(asked),)
    return (asked[0].removeprefix("!") if asked[0].startswith("!") else "!" + asked[0],)


def flat(branch):
    return tuple(part for asked in branch for part in asked)


class Expansion:
    """The text of one output, and in which branches each header has been included."""

    def __init__(self):
        self.lines = []
        self.seen = {}  # header or system header: the branches it was included in, each a tuple of #ifs around it

    def first_here(self, header, branch):
        """Whether nothing around this place has included the header yet; from now on something has."""
        known = self.seen.setdefault(header, [])
        branch = flat(branch)
        if any("!" + asked in branch for asked in branch):
            return False  # nothing comes here
        if any(set(each) <= set(branch) for each in known):
            return False
        known.append(branch)
        return True

    def add(self, header, branch=()):
        text = OWN_DEFINITIONS.sub("", header.read_text(encoding="utf-8"))
        text = SIM_LIES.sub(r'#include "\1"\n', text)
        guard = re.search(r"^#ifndef (GPUPROF_\w+_HPP)\n#define \1$", text, re.MULTILINE)
        own_guard = 1 if guard else 0
        depth = 0
        for line in text.removeprefix(LICENSE_LINE + "\n").splitlines():
            if IF.match(line):
                depth += 1
                if depth > own_guard:
                    branch += (conditions(line),)
            elif ELSE.match(line) and depth > own_guard:
                branch = branch[:-1] + (negated(branch[-1]) if line.strip() == "#else" else (line.strip(),),)
            elif ENDIF.match(line):
                if depth > own_guard:
                    branch = branch[:-1]
                else:
                    own_guard = 0  # what follows stands in branches of its own
                depth -= 1
            self.add_line(header, line, branch)

    def add_line(self, header, line, branch):
        if own := self.own_header(header, line):
            if self.first_here(own, branch):
                self.add(own, branch)
        elif system := SYSTEM.match(line):
            if self.first_here(system[1], branch):
                self.lines.append(line)
        elif line or (self.lines and self.lines[-1]):  # dropped includes leave no holes
            self.lines.append(line)

    @staticmethod
    def own_header(header, line):
        if match := OWN.match(line):
            return (header.parent / match[1]).resolve()
        if match := OWN_BY_NAME.match(line):
            return SOURCE / match[1]
        return None


def generate():
    """The text of every output by name."""
    done = {}
    texts = {}
    for name, bases in OUTPUTS.items():
        expansion = Expansion()
        for base in bases:
            expansion.lines.append(f'#include "{"../" * name.count("/")}{base}"')
            for header, branches in done[base].seen.items():
                expansion.seen.setdefault(header, []).extend(branches)
        expansion.first_here(SOURCE / name, ())
        expansion.add(SOURCE / name)
        done[name] = expansion
        head = [LICENSE_LINE, f"// gpuprof {version()}, generated by single_include/generate.py from include/gpuprof/{name}; edit that."]
        texts[name] = "\n".join(head + expansion.lines) + "\n"
    return texts


def version():
    config = (SOURCE / "detail/config.hpp").read_text(encoding="utf-8")
    return ".".join(re.search(rf"#define GPUPROF_VERSION_{part} (\d+)", config)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def committed_versions():
    """What the first lines of the committed files say."""
    return {name: re.search(r"^// gpuprof (\S+),", (TARGET / name).read_text(encoding="utf-8"), re.MULTILINE)[1]
            if (TARGET / name).exists() else "missing" for name in OUTPUTS}


def check_lists():
    """Each x.inl.hpp stands in one of the lists of definitions (gpuprof.inl.hpp and those beside it), and in no other."""
    lists = sorted(SOURCE.glob("*.inl.hpp"))
    listed = [(each.parent / name).resolve() for each in lists
              for name in re.findall(r'^#include "([^"]+/[^"]+\.inl\.hpp)"', each.read_text(encoding="utf-8"), re.MULTILINE)]
    there = {path for path in SOURCE.rglob("*.inl.hpp") if path not in lists}
    for path in sorted(there | set(listed)):
        if listed.count(path) != 1:
            print(f"{path.relative_to(SOURCE)} stands in {listed.count(path)} lists of definitions")
    return len(listed) == len(there) == len(set(listed))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("folder", nargs="?")
    what.add_argument("--release", action="store_true")
    what.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if arguments.check:
        other = {name: its for name, its in committed_versions().items() if its != version()}
        extra = {path.relative_to(TARGET).as_posix() for path in TARGET.rglob("*.hpp")} - set(OUTPUTS)
        for name, its in other.items():
            print(f"single_include/gpuprof/{name} is of version {its}, the headers are of {version()}")
        for name in sorted(extra):
            print(f"single_include/gpuprof/{name} is generated from nothing")
        sys.exit("run single_include/generate.py --release" if other or extra else 0)
    target = TARGET if arguments.release else Path(arguments.folder, "gpuprof")
    target.mkdir(parents=True, exist_ok=True)
    twice = 0
    for name, text in generate().items():
        guards = re.findall(r"^#define (GPUPROF_\w+_HPP)$", text, re.MULTILINE)
        for guard in sorted({each for each in guards if guards.count(each) > 1}):
            twice += 1
            print(f"{name}: {guard} is expanded {guards.count(guard)} times")
        file = target / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
    if not check_lists():
        sys.exit("each x.inl.hpp must stand in one list")
    if twice:
        sys.exit("a header is expanded twice: include it outside of the branches of an #if")


if __name__ == "__main__":
    main()
