#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the folder that programs.py compares programs of: it can be carried to a machine that has a GPU and no sources.

    build_programs.py FOLDER --build BUILD [--samples SAMPLES] [--rodinia RODINIA] [--hecbench HECBENCH] [--list LIST] [NAME...]

BUILD is a Release build with the targets gpuprof_runtime and gpuprof_injection, SAMPLES a checkout of github.com/NVIDIA/cuda-samples,
RODINIA one of github.com/yuhc/gpu-rodinia, HECBENCH one of github.com/zjin-lcf/HeCBench; each is needed if LIST has programs of it. FOLDER
gets the programs of LIST, programs.txt (samples/, rodinia/, own/) or held_back.txt (hecbench/), one nvcc at a time, their data (data/),
gpuprof with its libraries, and the injection library. What is there is not built again. Fails if something does
not build, or if FOLDER is larger than 64 MiB. Needs nvcc, strip.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "program" / "rodinia"))
import programs
import rodinia

MOST_BYTES = 64 << 20
NVCC = ["nvcc", "-cudart", "shared", "-arch=compute_80", "-std=c++17", "-O2", "-w"]


def rodinia_name(key):
    """As it stands in programs.txt: `particlefilter (naive)` is particlefilter_naive."""
    return key.replace(" ", "_").replace("(", "").replace(")", "")


def command_for(words, options):
    """nvcc's words but for the output, and the folder with the program's data or None."""
    kind, name = words[0].split("/", 1)
    if kind == "own":
        source = HERE / f"{name}.cu"
        asked = re.findall(r"^// (-arch=\w+)$", source.read_text(), re.MULTILINE) # in the place of NVCC's
        return [*(asked[0] if asked and word.startswith("-arch=") else word for word in NVCC), source], None
    if kind == "samples":
        place = next(path for path in sorted(options.samples.glob(f"**/[0-6]_*/{name}")) if path.is_dir())
        sources = sorted(path for pattern in ("*.cu", "*.cpp", "*/*.cu", "*/*.cpp") for path in place.glob(pattern))
        return [*NVCC, "--extended-lambda", "-I", options.samples / "Common", "-I", place, "-I", place / "inc", *sources], place / "data"
    if kind == "hecbench":
        place = options.hecbench / "src" / f"{name}-cuda"
        makefile = (place / "Makefile").read_text().replace("\\\n", " ")
        sources = re.search(r"^source\s*=(.*)$", makefile, re.MULTILINE)[1].split()
        return [*NVCC, "-O3", "-Xcompiler", "-fopenmp", "-I", place, *(place / source for source in sources)], None
    program = next(each for key, each in rodinia.PROGRAMS.items() if rodinia_name(key) == name)
    source = options.rodinia / "cuda" / program.folder
    flags = [flag.replace("{rodinia}", str(options.rodinia)) for flag in program.flags]
    header = HERE.parent / "program" / "rodinia" / "removed.h"
    words = [word for word in NVCC if not word.startswith("-std")]
    return [*words, "-include", header, *flags, *(source / each for each in program.sources), "-lm"], None


def write_data(data):
    """What programs of Rodinia read: by rodinia.py, in sizes for some hundred blocks."""
    rodinia.numbers_of_tree(data)
    rodinia.graph(data, 32768)
    rodinia.picture(data / "dwt2d/picture", 256, 256)
    rodinia.temperatures(data, 128 * 128 * 8)
    rodinia.letters(data / "huffman/text", 262144)
    rodinia.grey_picture(data)
    rodinia.cell(data)
    rodinia.film(data)
    (data / "nn").mkdir(exist_ok=True)
    rodinia.hurricanes(data, data / "nn", 40000)
    (data / "nn/filelist").write_text("../../data/nn/cane\n")


def copy_gpuprof(build, folder):
    shutil.copy(build / "gpuprof", folder)
    libraries = folder / "embedded-cuda"
    libraries.mkdir(exist_ok=True)
    for name in ("libcuda.so.1", "libcudart.so.13"):
        strip(build / "embedded-cuda" / name, libraries / name)
    strip(build / "src" / "libgpuprof_injection.so", folder / "libgpuprof_injection.so")


def strip(source, to):
    subprocess.run(["strip", "-o", to, source], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--samples", type=pathlib.Path)
    parser.add_argument("--rodinia", type=pathlib.Path)
    parser.add_argument("--hecbench", type=pathlib.Path)
    parser.add_argument("--list", type=pathlib.Path, default=HERE / "programs.txt")
    parser.add_argument("names", nargs="*")
    options = parser.parse_intermixed_args()
    folder = options.folder.resolve()
    data = folder / "data"
    data.mkdir(parents=True, exist_ok=True)
    failed = []
    for words in {words[0]: words for _, words in programs.read_list(options.list, options.names)}.values():
        program = folder / words[0]
        program.parent.mkdir(exist_ok=True)
        command, reads = command_for(words, options)
        if reads and reads.exists():
            shutil.copytree(reads, data, dirs_exist_ok=True)
        if program.exists():
            continue
        print(words[0], flush=True)
        done = subprocess.run([*command, "-o", program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode == 0:
            strip(program, program)
        else:
            failed.append(f"{words[0]} does not build: {done.stdout.strip()[-300:]}")
    if not (data / "nn").exists():
        write_data(data)
    copy_gpuprof(options.build.resolve(), folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{folder}: {size / (1 << 20):.1f} MiB")
    if size > MOST_BYTES:
        failed.append("larger than 64 MiB")
    print("\n".join(failed), end="\n" if failed else "")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
