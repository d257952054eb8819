#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every instruction form that libcu++'s cuda/ptx headers can make, as ptxas and as the embedded GPU take it.

    ptx_headers.py LIBCUDA HEADERS PTXAS [--write DOCUMENT] [--list]

LIBCUDA is the embedded GPU's libcuda.so.1, HEADERS the folder cuda/__ptx of a toolkit. Of each asm statement there the
text and the constraints make a kernel of their own, which ptxas assembles for sm_90a. What it takes is loaded by the
embedded GPU, and launched so that the instruction is not reached: a launch is refused where a form is not there. The
table counts forms by header. Exits with 0 if all that ptxas takes is executed, but for what REASONS names.
"""
import argparse
import collections
import ctypes
import pathlib
import re
import subprocess
import sys
import tempfile

REASONS = {  # of what is refused, by opcode
    "multimem": "there are no multicast objects of several devices",
}
REGISTER = {"r": ".b32", "l": ".b64", "h": ".b16", "f": ".f32", "d": ".f64", "q": ".b128"}


def statements(text: str):
    """The argument lists of asm statements, as lists of literals and constraints: (template, outputs, inputs)."""
    for found in re.finditer(r"\basm\s*(?:volatile)?\s*\(", text):
        depth, at, parts, part = 1, found.end(), [], ""
        while depth:
            string = re.match(r'"(?:[^"\\]|\\.)*"', text[at:])
            if string:
                part += string.group()
                at += len(string.group())
                continue
            c = text[at]
            depth += (c == "(") - (c == ")")
            if c == ":" and depth == 1 and text[at + 1] != ":" and text[at - 1] != ":":
                parts.append(part)
                part = ""
            elif depth:
                part += c
            at += 1
        parts.append(part)
        literals = re.findall(r'"((?:[^"\\]|\\.)*)"', parts[0])
        template = "".join(literals).encode().decode("unicode_escape")
        constraints = [re.findall(r'"([=+]?[a-z])"', p) for p in parts[1:3]] + [[], []]
        yield template, constraints[0], constraints[1]


def kernel(number: int, template: str, outputs: list[str], inputs: list[str]) -> str:
    """One line. Immediates are 0, but sizes of tensor maps and scales of wgmma."""
    values, registers = [], []
    for i, constraint in enumerate(outputs + inputs):
        letter = constraint[-1]
        immediate = "128" if "tensormap::generic" in template else "1" if "wgmma" in template else "0"
        values.append(immediate if letter == "n" else f"%v{i}")
        if letter != "n":
            registers.append(f".reg {REGISTER[letter]} %v{i};")
    body = re.sub(r"%(\d+)", lambda m: values[int(m.group(1))], template.replace("%%", "\0")).replace("\0", "%")
    body = re.sub(r"//.*", "", body.replace("\t", " ")).replace("\n", " ")
    return (f".visible .entry f{number}(.param .u32 go) {{ .reg .u32 %go; .reg .pred %stay; {' '.join(registers)} "
            f"ld.param.u32 %go, [go]; setp.eq.u32 %stay, %go, 0; @%stay bra leave; {{ {body} }} leave: ret; }}")


HEAD = ".version 9.0\n.target sm_90a\n.address_size 64\n"


def taken_by(ptxas: str, kernels: dict[int, str]) -> set[int]:
    """The numbers of the kernels that ptxas assembles."""
    left = dict(kernels)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "forms.ptx")
        while left:
            numbers = list(left)
            source.write_text(HEAD + "\n".join(left.values()) + "\n")
            done = subprocess.run([ptxas, "-arch=sm_90a", "-O0", source, "-o", pathlib.Path(folder, "forms.cubin")],
                                  capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return set(left)
            lines = {int(line) for line in re.findall(r"line (\d+)[;:,]", done.stderr) or
                     re.findall(r"line '(\d+)'", done.stderr)}  # of warnings before a fatal error
            wrong = {numbers[line - 4] for line in lines if 4 <= line < 4 + len(numbers)}
            if not wrong:
                sys.exit(f"ptxas: {done.stderr[:2000]}")
            for number in wrong:
                del left[number]
    return set()


class embedded_gpu:
    def __init__(self, library: str):
        self.cuda = ctypes.CDLL(library)
        context = ctypes.c_void_p()
        self.must(self.cuda.cuInit(0))
        self.must(self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
        self.must(self.cuda.cuCtxSetCurrent(context))

    @staticmethod
    def must(status: int):
        if status != 0:
            sys.exit(f"the embedded GPU answers {status}")

    def takes(self, number: int, text: str) -> bool:
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        if self.cuda.cuModuleLoadData(ctypes.byref(module), (HEAD + text).encode()) != 0:
            return False
        self.must(self.cuda.cuModuleGetFunction(ctypes.byref(function), module, f"f{number}".encode()))
        go = ctypes.c_uint(0)
        arguments = (ctypes.c_void_p * 1)(ctypes.addressof(go))
        status = self.cuda.cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, None, arguments, None)
        if status == 0:
            status = self.cuda.cuCtxSynchronize()
        self.cuda.cuModuleUnload(module)
        return status == 0


def opcode_of(template: str) -> str:
    """The form's instruction without its operands."""
    text = re.sub(r"\.reg [^;]*;|[{}]|@!?%?\w+\s", " ", template)
    words = [w.split()[0] for w in text.split(";") if w.split()]
    return max(words, key=len).strip() if words else template.strip()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("libcuda")
    parser.add_argument("headers", type=pathlib.Path)
    parser.add_argument("ptxas")
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    forms, kernels = {}, {}
    for header in sorted(each for ending in ("h", "hpp", "cuh", "inl") for each in options.headers.rglob(f"*.{ending}")):
        for template, outputs, inputs in statements(header.read_text(errors="replace")):
            if any(int(i) >= len(outputs) + len(inputs) for i in re.findall(r"(?<!%)%(\d+)", template)):
                continue  # put together by macros
            number = len(forms)
            forms[number] = (header.stem, opcode_of(template))
            kernels[number] = kernel(number, template, outputs, inputs)
    taken = taken_by(options.ptxas, kernels)
    gpu = embedded_gpu(options.libcuda)
    executed = {n for n in taken if gpu.takes(n, kernels[n])}
    refused = collections.defaultdict(list)
    for n in sorted(taken - executed):
        refused[forms[n][1]].append(n)
    rows = collections.defaultdict(lambda: [0, 0, 0])
    for n, (header, _) in forms.items():
        row = rows[header]
        row[0] += 1
        row[1] += n in taken
        row[2] += n in executed
    print(f"{len(forms)} forms, {len(taken)} of sm_90a, {len(executed)} executed")
    unexplained = [form for form in refused if form.split(".")[0] not in REASONS]
    for form in sorted(refused):
        print(f"refused: {form} ({REASONS.get(form.split('.')[0], 'no reason known')})")
    if options.list:
        for n in sorted(executed):
            print("executed:", forms[n][1])
    if options.write:
        write(options.write, rows, refused)
    return 1 if unexplained else 0


def write(document: pathlib.Path, rows, refused):
    text = document.read_text()
    begin, end = "<!-- forms: written by tests/program/ptx_headers.py -->\n", "<!-- end of forms -->\n"
    table = "| header | forms | of sm_90a | executed |\n|---|---|---|---|\n"
    for header, (all_forms, taken, executed) in sorted(rows.items()):
        if taken:
            table += f"| `{header}` | {all_forms} | {taken} | {executed} |\n"
    total = [sum(row[i] for row in rows.values()) for i in range(3)]
    table += f"| all, those of other chips alone included | {total[0]} | {total[1]} | {total[2]} |\n"
    before, after = text.split(begin)[0], text.split(end)[1]
    document.write_text(before + begin + table + end + after)


if __name__ == "__main__":
    sys.exit(main())
