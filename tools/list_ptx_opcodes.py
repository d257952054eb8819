#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the opcodes of PTX that ptxas knows, beside what the embedded GPU does with them: docs/ptx-opcodes.md.

Every word in ptxas that may be an opcode is assembled for sm_90a and for sm_100a, and those are kept that it does not
call unknown. What the embedded GPU executes has a row in instruction_set.hpp; what it refuses is in other_opcodes there.

usage: list_ptx_opcodes.py [--check] [PTXAS]       writes the document; --check compares, and fails where they differ
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "ptx-opcodes.md"
INSTRUCTION_SET = ROOT / "src" / "sim" / "ptx" / "instruction_set.hpp"
# Opcodes that ptxas takes only with a modifier, so that the word alone finds nothing.
WITH_MODIFIER = ["wgmma.fence", "tcgen05.fence", "setmaxnreg.inc", "griddepcontrol.wait", "clusterlaunchcontrol.try_cancel",
                 "multimem.ld_reduce", "tensormap.replace", "barrier.cluster", "fence.proxy", "mbarrier.init"]
REASON = {
    "alloca": "the stack of a thread is laid out when the kernel is loaded",
    "clusterlaunchcontrol": "of capability 10.0",
    "istypep": "texture references are not there",
    "multimem": "there are no multicast objects of several devices",
    "spcompress": "sparse products, not documented",
    "stackrestore": "as alloca",
    "stacksave": "as alloca",
    "sured": "reductions on surfaces are not there",
    "tcgen05": "of capability 10.0",
}


def words_of(ptxas: pathlib.Path) -> list[str]:
    text = ptxas.read_bytes()
    found = set(re.findall(rb"(?<![\x21-\x7e])([a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*)(?=\x00)", text))
    words = {word.decode() for word in found if len(word) <= 40} | set(WITH_MODIFIER)
    return sorted(words)


def known_to(ptxas: pathlib.Path, target: str, words: list[str]) -> set[str]:
    """Those that are no unknown instruction to ptxas. It stops at a word that is another part of the language, which is
    no opcode by itself; then it is asked again without it."""
    head = f".version 9.0\n.target {target}\n.address_size 64\n.visible .entry k() {{\n"
    left, known = list(words), set()
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "words.ptx"
        while left:
            source.write_text(head + "".join(f"{word};\n" for word in left) + "ret; }\n")
            said = subprocess.run([ptxas, f"-arch={target}", source, "-o", source.with_suffix(".cubin")],
                                  capture_output=True, text=True, check=False).stderr
            wrong = [(int(match[1]) - 5, match[2]) for match in re.finditer(r"line (\d+); (.*)", said)]
            unknown = {at for at, text in wrong if "Not a name of any known instruction" in text}
            stops = [at for at, text in wrong if "Parsing error" in text or "syntax error" in text]
            end = min(stops, default=len(left))
            known |= {left[at] for at in range(end) if at not in unknown}
            left = left[end + 1:]
    return known


def named_in_source() -> tuple[set[str], set[str]]:
    text = INSTRUCTION_SET.read_text()
    rows = set(re.findall(r'^    \{"([a-z0-9]+)",', text, re.MULTILINE))
    others = text[text.index("other_opcodes = "):]
    return rows, set(re.findall(r'"([a-z0-9]+)"', others[:others.index("});")]))


def main() -> int:
    checks = "--check" in sys.argv
    places = [word for word in sys.argv[1:] if word != "--check"]
    ptxas = pathlib.Path(places[0] if places else "/usr/local/cuda/bin/ptxas")
    if not ptxas.exists():
        print(f"skipped: there is no {ptxas}")
        return 0
    executed, refused = named_in_source()
    words = sorted({*words_of(ptxas), *executed, *refused})
    by_target = {target: {word.split(".")[0] for word in known_to(ptxas, target, words)} for target in ("sm_90a", "sm_100a")}
    release = re.search(r"release ([\d.]+)", subprocess.run([ptxas, "--version"], capture_output=True, text=True, check=True).stdout)
    lines = [
        "# Opcodes of PTX", "",
        "What the embedded GPU does with each opcode that ptxas knows. Not every form of an opcode is there: a kernel with a form that is",
        "not is refused when it is launched, and [the message names it](embedded-gpu.md#malformed-ptx-and-ptx-that-is-not-supported).", "",
        f"Written by [list_ptx_opcodes.py](../tools/list_ptx_opcodes.py), from ptxas of CUDA {release[1]}.", "",
        "| opcode | ptxas knows it for | embedded GPU |", "|---|---|---|"]
    everything = sorted(executed | refused | by_target["sm_90a"] | by_target["sm_100a"])
    unnamed = []
    for opcode in everything:
        targets = [target for target, known in by_target.items() if opcode in known]
        if opcode in executed:
            what = "executed"
        elif opcode in refused:
            what = "refused: " + REASON[opcode]
        else:
            what = "unknown: a module with it is refused"
            unnamed.append(opcode)
        lines.append(f"| `{opcode}` | {', '.join(targets) or 'neither'} | {what} |")
    text = "\n".join(lines) + "\n"
    forms = "\n## Forms that"  # written by tests/program/ptx_headers.py
    before = DOCUMENT.read_text() if DOCUMENT.exists() else ""
    text += before[before.index(forms):] if forms in before else ""
    if unnamed:
        print("without a row and not in other_opcodes:", *unnamed)
    if checks and DOCUMENT.read_text() != text:
        print(f"{DOCUMENT} is not what {pathlib.Path(__file__).name} writes")
        return 1
    if not checks:
        DOCUMENT.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
