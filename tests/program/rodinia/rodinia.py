#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the CUDA programs of Rodinia 3.1 for the embedded GPU, runs them without a GPU, and compares what they compute with
Rodinia's own OpenMP programs on the same input, with the program's own check, or with a computation here.

    rodinia.py RODINIA GPUPROF FOLDER [NAME...]

RODINIA is a checkout of github.com/yuhc/gpu-rodinia, GPUPROF the command of the build tree; FOLDER gets programs, inputs,
outputs and table.txt: a line a program with how it ended. NAMEs choose programs. SECONDS_EACH (600) bounds a run. The sources
are used as they are; removed.h is included before them. Inputs are small, and made here: Rodinia's data are an archive of
their own. Needs nvcc, g++ with OpenMP.
"""
import array
import collections
import math
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = int(os.environ.get("SECONDS_EACH", "600"))


class Failed(Exception):
    """Why a program did not pass, for the table."""


# --- inputs ---

def write_lines(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))


def numbers_of_tree(data):
    keys = list(range(1, 5001))
    random.Random(1).shuffle(keys)
    write_lines(data / "b+tree/mil.txt", [len(keys)] + keys)
    (data / "b+tree/command.txt").write_bytes(b"j 200 100\nk 300\n\0") # its reader looks for the end of a text


def graph(data, nodes=4096):
    rows, edges = [], []
    dice = random.Random(2)
    for node in range(nodes):
        targets = [dice.randrange(nodes) for _ in range(dice.randrange(2, 8))]
        rows.append((len(edges), len(targets)))
        edges += targets
    write_lines(data / "bfs/graph.txt", [nodes] + [f"{a} {b}" for a, b in rows] + ["", 0, "", len(edges)] +
                [f"{edge} 1" for edge in edges])


def mesh(data, width=16, height=12):
    """A plane of cells over a low hill, with a far field around: areas, neighbours from 1 on, normals. A neighbour of 0 is the
    hill, a negative one the far field."""
    lines = [width * height]
    for y in range(height):
        for x in range(width):
            line = [f"{1.0 + 0.01 * ((x * 7 + y * 3) % 5):.4f}"]
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                inside = 0 <= x + dx < width and 0 <= y + dy < height
                hill = y + dy < 0 and 4 <= x < 12
                slope = 0 if not hill else 0.05 if x < 8 else -0.05
                line.append(str(0 if hill else (y + dy) * width + x + dx + 1 if inside else -2))
                line += [f"{dx + slope:.2f}", f"{dy:.1f}", "0.0"]
            lines.append(" ".join(line))
    write_lines(data / "cfd/mesh", lines)


def picture(path, width, height):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes((x * 3 + y * 5 + (x * y) % 17) % 256 for y in range(height) for x in range(width)))


def letters(path, count):
    """Few kinds of bytes often, many seldom: what can be packed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    dice = random.Random(8)
    path.write_bytes(bytes(min(255, int(dice.expovariate(0.25))) for _ in range(count)))


def film(data, width=592, height=609, frames=2):
    """An uncompressed AVI of 8-bit grey frames, the second one moved by a point."""
    dice = random.Random(3)
    blocks = [[dice.randrange(256) for _ in range(80)] for _ in range(80)]

    def frame(shift):
        return bytes((blocks[y // 8][(x + shift) // 8] * 3 + (x + shift) * y) // 4 % 256
                     for y in range(height) for x in range(width))

    def chunk(tag, body):
        return tag + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)

    size = width * height
    strh = struct.pack("<4s4sIHHIIIIIIIIHHHH", b"vids", b"DIB ", 0, 0, 0, 0, 1, 25, 0, frames, size, 0, 0, 0, 0, width, height)
    strf = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 8, 0, size, 0, 0, 256, 0)
    avih = struct.pack("<14I", 40000, size * 25, 0, 0x10, frames, 0, 1, size, width, height, 0, 0, 0, 0)
    header = b"hdrl" + chunk(b"avih", avih) + chunk(b"LIST", b"strl" + chunk(b"strh", strh) + chunk(b"strf", strf))
    movie, index = b"movi", b""
    for number in range(frames):
        index += struct.pack("<4sIII", b"00db", 0x10, len(movie), size)
        movie += chunk(b"00db", frame(number))
    body = b"AVI " + chunk(b"LIST", header) + chunk(b"LIST", movie) + chunk(b"idx1", index)
    path = data / "heartwall/test.avi"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)


def temperatures(data, count):
    dice = random.Random(4)
    write_lines(data / "temp", [f"{320 + 10 * dice.random():.4f}" for _ in range(count)])
    write_lines(data / "power", [f"{0.001 * dice.random():.6f}" for _ in range(count)])


def hurricanes(data, run, count=2000):
    dice = random.Random(5)
    lines = [f"{1950 + i % 50:4d} {1 + i % 12:2d} {1 + i % 28:2d} {i % 24:2d} {i % 30:2d} {'STORM':<9s} "
             f"{7 + 63 * dice.random():5.1f} {358 * dice.random():5.1f} {10 + i % 150:4d} {900 + i % 100:4d}"
             for i in range(count)]
    write_lines(run / "cane", lines)
    write_lines(run / "filelist", ["cane"])


# A heart cell at rest (Shannon and others, 2004): elsewhere the model's equations are so stiff that rounding decides.
AT_REST = """1.405627e-3 9.867005e-1 9.915620e-1 7.175662e-6 1.000681 2.421991e-2 1.452605e-2 4.051574e-3 9.945511e-1
4.051574e-3 9.945511e-1 8.641386e-3 5.412034e-3 8.884332e-1 8.156628e-7 1.024274e-7 3.539892 7.720854e-1 8.773191e-3
1.078283e-1 1.524002e-2 2.911916e-4 1.298754e-3 1.381982e-1 2.143165e-3 9.566355e-3 1.110363e-1 7.347888e-3 7.297378e-2
1.242988 5.545201e-1 8.80329 8.80733 8.80853 135 1.737475e-4 1.031812e-4 8.597401e-5 -85.56885 0.9946 1 0 0 0 0 0""".split()


def cell(data):
    dice = random.Random(6)
    write_lines(data / "myocyte/y.txt", AT_REST + [f"{0.05 + 0.05 * dice.random():.6f}" for _ in range(45)])
    write_lines(data / "myocyte/params.txt", [f"{1 + dice.random():.6f}" for _ in range(15)] + [1000, 1.5, 1.2])


def grey_picture(data, rows=502, columns=458):
    dice = random.Random(7)
    values = [str(dice.randrange(1, 256)) for _ in range(rows * columns)]
    write_lines(data / "srad/image.pgm", ["P2", f"{columns} {rows}", "255"] +
                [" ".join(values[i:i + columns]) for i in range(0, len(values), columns)])


# --- comparisons ---

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|nan|inf)")


def numbers(text):
    return [float(word) for word in NUMBER.findall(text)]


def compare(mine, other, tolerance, least):
    """Says how far two lists of numbers are apart at most, each by its own size or by 1."""
    if len(mine) != len(other):
        raise Failed(f"{len(mine)} values, the CPU has {len(other)}")
    if len(mine) < least:
        raise Failed(f"{len(mine)} values only")
    if any(math.isnan(value) for value in mine):
        raise Failed("values that are no numbers")
    worst = max(abs(a - b) / max(1.0, abs(b)) for a, b in zip(mine, other))
    if worst > tolerance:
        raise Failed(f"differs from the CPU by {worst:.2g}")
    return f"{len(mine)} values as on the CPU" + (f" (within {worst:.1g})" if worst > 0 else "")


def same_files(*names, tolerance=0.0, least=10, pattern=".*", skipped=0):
    def check(run, cpu, _out, _cpu_out):
        read = lambda folder: [number for name in names
                               for line in re.findall(pattern, (folder / name).read_text())[skipped:]
                               for number in numbers(line)]
        return compare(read(run), read(cpu), tolerance, least)
    return check


def same_lines(pattern, tolerance, last):
    """The last lines of that kind."""
    def check(_run, _cpu, out, cpu_out):
        choose = lambda text: [n for line in re.findall(pattern, text, re.M)[-last:] for n in numbers(line)]
        return compare(choose(out), choose(cpu_out), tolerance, last)
    return check


def says(expected, never=None):
    def check(_run, _cpu, out, _cpu_out):
        if not re.search(expected, out) or (never and re.search(never, out)):
            raise Failed("its own check fails")
        return "its own check"
    return check


def weights(run, cpu, _out, _cpu_out):
    mine = array.array("f", (run / "weights").read_bytes())
    other = array.array("f", (cpu / "weights").read_bytes())
    inputs, hidden = 1024, 16
    # Row 0 is the bias, and column 0 has no unit: neither is sent through the kernels.
    kept = [k * (hidden + 1) + j for k in range(1, inputs + 1) for j in range(1, hidden + 1)]
    return compare([mine[i] for i in kept], [other[i] for i in kept], 1e-4, 10)


def hot_spots(run, _cpu, _out, _cpu_out, size=64, steps=8):
    """hotspot.cu's difference equation (the OpenMP program's step is a thousandth of it), in double precision."""
    height = width = 0.016
    thick, conductivity, heat = 0.0005, 100.0, 1.75e6
    cell_height, cell_width = height / size, width / size
    capacity = 0.5 * heat * thick * cell_width * cell_height
    rx = cell_width / (2 * conductivity * thick * cell_height)
    ry = cell_height / (2 * conductivity * thick * cell_width)
    rz = thick / (conductivity * cell_height * cell_width)
    step = 0.001 / (3.0e6 / (0.5 * thick * heat)) / capacity
    data = run.parent.parent / "data"
    t, power = ([float(line) for line in (data / name).read_text().split()] for name in ("temp", "power"))
    for _ in range(steps):
        at = lambda y, x: t[min(max(y, 0), size - 1) * size + min(max(x, 0), size - 1)]
        t = [at(y, x) + step * (power[y * size + x] + (at(y + 1, x) + at(y - 1, x) - 2 * at(y, x)) / ry +
                                (at(y, x + 1) + at(y, x - 1) - 2 * at(y, x)) / rx + (80.0 - at(y, x)) / rz)
             for y in range(size) for x in range(size)]
    mine = [float(line.split()[1]) for line in (run / "output").read_text().splitlines()]
    return compare(mine, t, 1e-5, size * size)


def solution(_run, _cpu, out, _cpu_out):
    """The matrix of gaussian.cu, create_matrix, and a right side of ones."""
    size = 64
    mine = numbers(out[out.index("The solution:"):])
    falling = [10.0 * math.exp(-0.01 * i) for i in range(size)]
    rows = [[falling[abs(i - j)] for j in range(size)] + [1.0] for i in range(size)]
    for k in range(size):
        for i in range(k + 1, size):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k])]
    x = [0.0] * size
    for i in reversed(range(size)):
        x[i] = (rows[i][size] - sum(rows[i][j] * x[j] for j in range(i + 1, size))) / rows[i][i]
    return compare(mine, x, 1e-3, size)


def accuracy(_run, _cpu, out, _cpu_out):
    worst = float(re.search(r"Accuracy: (\S+)", out).group(1))
    if not worst < 1e-3:
        raise Failed(f"its own check says {worst}")
    return f"its own check: within {worst:.1g} of its CPU version"


def nearest(run, _cpu, out, _cpu_out):
    distances = []
    for line in (run / "cane").read_text().splitlines():
        latitude, longitude = float(line[28:33]), float(line[33:38])
        distances.append(math.hypot(30 - latitude, 90 - longitude))
    mine = [float(word) for word in re.findall(r"Distance=(\S+)", out)]
    return compare(mine, sorted(distances)[:len(mine)], 1e-4, 5)


def cheapest_paths(_run, _cpu, out, _cpu_out):
    rows = [[int(word) for word in line.split()] for line in out.splitlines() if re.fullmatch(r"(\d+ )+", line)]
    wall, answer = rows[:-2], rows[-1]
    best = wall[0]
    for row in wall[1:]:
        best = [cost + min(best[max(0, j - 1):j + 2]) for j, cost in enumerate(row)]
    return compare(answer, best, 0, 100)


def wavelets(run, _cpu, _out, _cpu_out, width=64, height=48):
    """One level of the 5/3 transform of JPEG 2000 (T.800, annex F), of columns and then of rows, with C's divisions."""
    def lift(line):
        at = lambda i: out[-i if i < 0 else 2 * (len(out) - 1) - i if i >= len(out) else i]
        out = list(line)
        for i in range(1, len(out), 2):
            out[i] -= int((at(i - 1) + at(i + 1)) / 2)
        for i in range(0, len(out), 2):
            out[i] += int((at(i - 1) + at(i + 1) + 2) / 4)
        return out[0::2] + out[1::2]
    pixels = (run.parent.parent / "data/dwt2d/picture").read_bytes()
    image = [[value - 128 for value in pixels[y * width:(y + 1) * width]] for y in range(height)]
    columns = [lift([image[y][x] for y in range(height)]) for x in range(width)]
    rows = [lift([columns[x][y] for x in range(width)]) for y in range(height)]
    half_x, half_y = width // 2, height // 2 # band after band, each row by row
    bands = [rows[y0 + y][x0 + x] for y0, x0 in ((0, 0), (0, half_x), (half_y, 0), (half_y, half_x))
             for y in range(half_y) for x in range(half_x)]
    return compare(list((run / "out.lin.out").read_bytes()), [min(255, max(0, value + 128)) for value in bands], 0,
                   width * height)


def add_barrier(kernel):
    """heartwall subtracts in all threads and then sums up rows in some, with no barrier between (kernel.cu:761 and 772; the same
    a page before has one). GPUs compute the right sums as long as no warp runs ahead; here one does."""
    subtracted = kernel.rindex("d_in2_pad_cumv_sel[ei_new] - d_unique[bx].d_in2_sub_cumh[ei_new];")
    end = kernel.index("ei_new = tx;", subtracted)
    return kernel[:end] + "__syncthreads();\n" + kernel[end:]


# --- programs ---

Program = collections.namedtuple("Program", "folder sources flags arguments prepare check cpu depth change", defaults=[None, 2, None])
Cpu = collections.namedtuple("Cpu", "folder sources flags arguments")

ON_HOST = "on the host" # compared with the same source as a program of the CPU: the OpenMP version computes something else
HEARTWALL_CPU = Cpu("heartwall", ["main.c", "AVI/avilib.c", "AVI/avimod.c"],
                    ["-I", "{rodinia}/openmp/heartwall/AVI", "-DOUTPUT"], "../../data/heartwall/test.avi 2 1")
TEXTURES = "outside: texture references, which CUDA 12 removed"
PROGRAMS = {
    "b+tree": Program(
        "b+tree", ["main.c", "kernel/kernel_gpu_cuda_wrapper.cu", "kernel/kernel_gpu_cuda_wrapper_2.cu", "util/timer/timer.c",
                   "util/num/num.c", "util/cuda/cuda.cu"], [],
        "file ../../data/b+tree/mil.txt command ../../data/b+tree/command.txt", lambda d, r: numbers_of_tree(d),
        same_files("output.txt"),
        Cpu("b+tree", ["main.c", "kernel/kernel_cpu.c", "kernel/kernel_cpu_2.c", "util/timer/timer.c", "util/num/num.c"], [],
            "core 1 file ../../data/b+tree/mil.txt command ../../data/b+tree/command.txt")),
    "backprop": Program(
        "backprop", ["backprop.c", "facetrain.c", "imagenet.c", "backprop_cuda.cu"], ["-DRODINIA_BACKPROP"], "1024", None,
        weights,
        Cpu("backprop", ["backprop.c", "facetrain.c", "imagenet.c", "backprop_kernel.c", HERE / "save_weights.c"],
            ["-Wl,--wrap=bpnn_free", "-std=gnu99", "-I", "{rodinia}/openmp/backprop"], "1024")),
    "bfs": Program("bfs", ["bfs.cu"], [], "../../data/bfs/graph.txt", lambda d, r: graph(d), same_files("result.txt"),
                   Cpu("bfs", ["bfs.cpp"], [], "1 ../../data/bfs/graph.txt")),
    "cfd": Program("cfd", ["euler3d.cu"], ["-I", "{rodinia}/cuda/hybridsort"], "../../data/cfd/mesh", lambda d, r: mesh(d),
                   same_files("density", "momentum", "density_energy", tolerance=1e-2, skipped=2),
                   Cpu("cfd", ["euler3d_cpu.cpp"], ["-Dblock_length=8"], "../../data/cfd/mesh")),
    "cfd (double)": Program(
        "cfd", ["euler3d_double.cu"], ["-I", "{rodinia}/cuda/hybridsort"], "../../data/cfd/mesh", lambda d, r: mesh(d),
        same_files("density", "momentum", "density_energy", tolerance=1e-4, skipped=2),
        Cpu("cfd", ["euler3d_cpu_double.cpp"], ["-Dblock_length=8"], "../../data/cfd/mesh")),
    "dwt2d": Program(
        "dwt2d", ["main.cu", "dwt.cu", "components.cu", "dwt_cuda/fdwt53.cu", "dwt_cuda/fdwt97.cu", "dwt_cuda/common.cu",
                  "dwt_cuda/rdwt97.cu", "dwt_cuda/rdwt53.cu"], ["-I", "{rodinia}/cuda/dwt2d"],
        "picture out -d 64x48 -c 1 -f -5 -l 1", lambda d, r: picture(d / "dwt2d/picture", 64, 48), wavelets),
    "gaussian": Program("gaussian", ["gaussian.cu"], ["-DRODINIA_GAUSSIAN"], "-s 64", None, solution),
    "heartwall": Program(
        "heartwall", ["main.cu", "AVI/avilib.c", "AVI/avimod.c"], ["-I", "{rodinia}/cuda/heartwall/AVI", "-DOUTPUT"],
        "../../data/heartwall/test.avi 2", lambda d, r: film(d), same_files("result.txt"), HEARTWALL_CPU),
    "heartwall (barrier added)": Program(
        "heartwall", ["main.cu", "AVI/avilib.c", "AVI/avimod.c"], ["-I", "{rodinia}/cuda/heartwall/AVI", "-DOUTPUT"],
        "../../data/heartwall/test.avi 2", lambda d, r: film(d), same_files("result.txt"), HEARTWALL_CPU, 2,
        ("kernel.cu", add_barrier)),
    "hotspot": Program("hotspot", ["hotspot.cu"], [], "64 2 8 ../../data/temp ../../data/power output",
                       lambda d, r: temperatures(d, 64 * 64), hot_spots),
    "hotspot3D": Program("hotspot3D", ["3D.cu"], [], "64 8 10 ../../data/power ../../data/temp output",
                         lambda d, r: temperatures(d, 64 * 64 * 8), accuracy),
    "huffman": Program("huffman", ["main_test_cu.cu", "stats_logger.cpp", "vlc_kernel_sm64huff.cu", "scan.cu", "pack_kernels.cu",
                                   "cpuencode.cpp"], ["-DTESTING"], "../../data/huffman/text",
                       lambda d, r: letters(d / "huffman/text", 16384), says("PASS!", "FAIL!")),
    "hybridsort": TEXTURES,
    "kmeans": TEXTURES,
    "lavaMD": Program("lavaMD", ["main.c", "kernel/kernel_gpu_cuda_wrapper.cu", "util/num/num.c", "util/timer/timer.c",
                                 "util/device/device.cu"], ["-DOUTPUT"], "-boxes1d 2", None,
                      same_files("result.txt", tolerance=1e-3),
                      Cpu("lavaMD", ["main.c", "kernel/kernel_cpu.c", "util/num/num.c", "util/timer/timer.c"], ["-DOUTPUT"],
                          "-cores 1 -boxes1d 2")),
    "leukocyte": TEXTURES,
    "lud": Program("lud/cuda", ["lud.cu", "lud_kernel.cu", "../common/common.c"], ["-I", "{rodinia}/cuda/lud/common"],
                   "-s 128 -v", None, says(">>>Verify<<<<", "dismatch")),
    "mummergpu": TEXTURES,
    "myocyte": Program("myocyte", ["main.cu"], [], "1 1 0", lambda d, r: cell(d), same_files("output.txt", tolerance=5e-3, pattern=r"y\[.*"),
                       ON_HOST),
    "nn": Program("nn", ["nn_cuda.cu"], [], "filelist -r 10 -lat 30 -lng 90", hurricanes, nearest),
    "nw": Program("nw", ["needle.cu"], ["-DTRACEBACK"], "128 10", None, same_files("result.txt"),
                  Cpu("nw", ["needle.cpp"], [], "128 10 1")),
    "particlefilter (naive)": Program(
        "particlefilter", ["ex_particle_CUDA_naive_seq.cu"], [], "-x 64 -y 64 -z 4 -np 500", None,
        same_lines("^[XY]E:.*", 1e-4, 6),
        Cpu("particlefilter", ["ex_particle_OPENMP_seq.c"], [], "-x 64 -y 64 -z 4 -np 500")),
    "particlefilter (float)": Program(
        "particlefilter", ["ex_particle_CUDA_float_seq.cu"], [], "-x 64 -y 64 -z 4 -np 500", None,
        same_lines("^[XY]E:.*", 1e-4, 2),
        Cpu("particlefilter", ["ex_particle_OPENMP_seq.c"], [], "-x 64 -y 64 -z 4 -np 500")),
    "pathfinder": Program("pathfinder", ["pathfinder.cu"], ["-DBENCH_PRINT"], "1000 40 10", None, cheapest_paths),
    "srad_v1": Program("srad/srad_v1", ["main.cu"], [], "4 0.5 64 64", lambda d, r: grey_picture(d), same_files("image_out.pgm", tolerance=0.02),
                       Cpu("srad/srad_v1", ["main.c"], [], "4 0.5 64 64 1"), 3),
    "srad_v2": Program("srad/srad_v2", ["srad.cu"], ["-DOUTPUT"], "64 64 0 31 0 31 0.5 2", None,
                       same_lines(r"^(?:-?\d+\.\d{5} ){64}$", 1e-4, 64),
                       Cpu("srad/srad_v2", ["srad.cpp"], ["-DOUTPUT"], "64 64 0 31 0 31 1 0.5 2")),
    "srad_v2 (with room)": Program("srad/srad_v2", ["srad.cu"], ["-DOUTPUT", "-DRODINIA_ROOM"], "64 64 0 31 0 31 0.5 2", None,
                                   same_lines(r"^(?:-?\d+\.\d{5} ){64}$", 1e-4, 64),
                                   Cpu("srad/srad_v2", ["srad.cpp"], ["-DOUTPUT"], "64 64 0 31 0 31 1 0.5 2")),
    "streamcluster": Program("streamcluster", ["streamcluster_cuda_cpu.cpp", "streamcluster_cuda.cu", "streamcluster_header.cu"], [],
                             "5 10 16 512 512 100 none output.txt 1", None, same_files("output.txt", tolerance=1e-4),
                             Cpu("streamcluster", ["streamcluster_original.cpp"], ["-DENABLE_THREADS", "-pthread"],
                                 "5 10 16 512 512 100 none output.txt 1")),
}


# Said below the table of programs that do not pass.
NOTES = {
    "heartwall": "a race of its own: " + " ".join(add_barrier.__doc__.split()),
    "srad_v2": "an error of its own: srad_kernel.cu:45 reads a row before its first array, and does not use it",
}


def version(command, pattern):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    found = re.search(pattern, done.stdout.decode())
    return found.group(0) if found else "unknown"


def build(command, log, what):
    with open(log, "w") as output:
        if subprocess.run(command, stdout=output, stderr=subprocess.STDOUT).returncode != 0:
            reason = re.search(r".*\b(?:error|fatal|undefined reference)\b.*", pathlib.Path(log).read_text())
            raise Failed(f"{what} does not build: {reason.group(0).strip() if reason else log}")


def run_in(folder, command, log, old_c=False):
    folder.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise Failed(f"does not end in {SECONDS} s") from None
    out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    log.write_text(out + err)
    said = re.search(r"^gpuprof: .*", err, re.M)
    wrong = done.returncode < 0 if old_c else done.returncode != 0 # in old C, main returns anything
    if wrong or said: # also a fault that the program does not look at
        last = (err or out).strip().splitlines()[-1:] or ["nothing said"]
        raise Failed(f"status {done.returncode}: {said.group(0) if said else last[0]}")
    return out


def run(name, program, rodinia, gpuprof, folder):
    place = folder / name.replace(" ", "_")
    place.mkdir(parents=True, exist_ok=True)
    inside = pathlib.Path(*["x"] * (program.depth - 1))
    mine, cpu = place / "cuda" / inside, place / "cpu" / inside
    flags = lambda some: [flag.replace("{rodinia}", str(rodinia)) for flag in some]
    header = ["-include", str(HERE / "removed.h")]
    if not (place / "program").exists():
        source = rodinia / "cuda" / program.folder
        if program.change:
            changed, change = program.change
            source = shutil.copytree(source, place / "changed", dirs_exist_ok=True)
            (source / changed).write_text(change((source / changed).read_text("latin-1")), "latin-1")
        build(["nvcc", "-cudart", "shared", "-arch=compute_80", "-lineinfo", "-O2", "-w", *header, *flags(program.flags), "-o", place / "program",
               *(source / s for s in program.sources), "-lm"], place / "program.build", "it")
    if program.cpu and not (place / "cpu_program").exists():
        if program.cpu == ON_HOST:
            source = place / "source"
            shutil.copytree(rodinia / "cuda" / program.folder, source, dirs_exist_ok=True)
            for file in source.glob("*.cu"):
                file.write_text(re.sub(r"(\w+) *<<<(\w+), *(\w+)>>>", r"on_host(\1, \2, \3)", file.read_text("latin-1")), "latin-1")
            kind, files, flagged = ["g++", "-std=c++17", "-x", "c++"], program.sources, ["-DRODINIA_ON_HOST"]
        else:
            source = rodinia / "openmp" / program.cpu.folder
            files, flagged = program.cpu.sources, flags(program.cpu.flags)
            kind = ["g++"] if files[0].endswith("pp") else ["gcc", "-std=gnu89"]
        build([*kind, "-O2", "-fopenmp", "-fcommon", "-w", *header, *flagged, "-o", place / "cpu_program",
               *(source / s for s in files), "-lm"], place / "cpu_program.build", "the CPU's version")
    for each in (mine, cpu):
        shutil.rmtree(each, ignore_errors=True)
        each.mkdir(parents=True)
    if program.prepare:
        program.prepare(place / "data", mine)
    begin = time.time()
    out = run_in(mine, [gpuprof, "run", "--kernels", "csv", "--output", place / "kernels.csv", "--", place / "program",
                        *program.arguments.split()], place / "log")
    seconds = time.time() - begin
    cpu_arguments = program.arguments if program.cpu in (None, ON_HOST) else program.cpu.arguments
    cpu_out = run_in(cpu, [place / "cpu_program", *cpu_arguments.split()], place / "cpu_log", True) if program.cpu else ""
    return f"passed: {program.check(mine, cpu, out, cpu_out)}; {seconds:.0f} s"


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    rodinia, gpuprof, folder = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    chosen = sys.argv[4:] or PROGRAMS
    folder.mkdir(parents=True, exist_ok=True)
    commit = version(["git", "-C", rodinia, "rev-parse", "--short", "HEAD"], r"\w+")
    lines, notes, passed = [f"rodinia.py, gpu-rodinia {commit}, nvcc {version(['nvcc', '--version'], r'V[0-9.]+')}, "
                            f"{time.strftime('%Y-%m-%d')}; seconds are those of a machine with other work"], [], 0
    for name in chosen:
        program = PROGRAMS[name]
        try:
            ended = program if isinstance(program, str) else run(name, program, rodinia, gpuprof, folder)
            passed += ended.startswith("passed")
        except Failed as reason:
            ended = str(reason)
        except Exception as reason: # what a check could not read
            ended = f"no result: {reason!r:.200}"
        if not ended.startswith("passed") and name in NOTES:
            notes.append(f"{name}: {NOTES[name]}")
        lines.append(f"{name:25s} {ended.replace(str(rodinia), '…')}")
        print(lines[-1], flush=True)
    lines += [f"{passed} of {len(lines) - 1} passed", *notes]
    print("\n".join(lines[-1 - len(notes):]))
    (folder / "table.txt").write_text("".join(line + "\n" for line in lines))


if __name__ == "__main__":
    main()
