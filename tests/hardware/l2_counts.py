#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What L2 counts for the kernels of l2_counts.cu, on a GPU by Nsight Compute and on the embedded GPU, side by side.

    l2_counts.py FOLDER     counts what can be counted here, and makes FOLDER/l2_counts.txt, which becomes last_l2_counts.txt
    l2_counts.py FOLDER --build   only makes the program, BUILD/l2_counts

FOLDER gets cold.csv and warm.csv of Nsight Compute, with their .cases, and machine.txt; where they are already, or there is no GPU,
they are kept. Without them, the GPU's side of a FOLDER/l2_counts.txt that is there is taken: a copy of last_l2_counts.txt, to see it with
a changed embedded GPU. BUILD: a folder with the program, or for it. GPUPROF: the command, for the embedded side; none leaves that out.

Cold: all caches are flushed before each pass of Nsight Compute, and before each launch here. Warm: each case is launched twice, and
the second launch counts; but Nsight Compute's first pass finds the caches as its own work left them, and counts device memory then,
so that warm values are only shown. Half of the kernels, chosen by a hash of their names, were not looked at when the model was made
("held back"): the first line of the summary judges it. Exit status 0 if each side that ran has every case."""
import csv
import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import ncu_table

HERE = Path(__file__).resolve().parent
CUDA = Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))
TIMES = ["cold", "warm"]
L2 = ["lts__t_sectors", "lts__t_sectors_op_read", "lts__t_sectors_op_write", "lts__t_sectors_op_atom", "lts__t_sectors_op_red",
      "lts__t_sectors_lookup_hit", "lts__t_sectors_lookup_miss", "lts__t_requests", "lts__t_sectors_srcunit_tex",
      "lts__t_sectors_srcunit_tex_op_read", "lts__t_sectors_srcunit_tex_op_write", "lts__t_sectors_srcunit_tex_lookup_hit",
      "lts__t_sectors_srcunit_tex_lookup_miss", "lts__t_requests_srcunit_tex", "lts__t_sectors_op_read_lookup_miss",
      "lts__t_sectors_op_write_lookup_miss"]
L1 = ["l1tex__t_sectors_pipe_lsu_lookup_hit", "l1tex__t_sectors_pipe_lsu_lookup_miss", "l1tex__m_xbar2l1tex_read_sectors",
      "l1tex__m_l1tex2xbar_write_sectors", "l1tex__t_requests_pipe_lsu_mem_global_op_atom",
      "l1tex__t_requests_pipe_lsu_mem_global_op_red", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_red"]
SHARED = ["smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared"]
MEMORY = ["dram__bytes_read", "dram__bytes_write"]
GROUPS = {"L2": L2, "L1": L1, "shared memory": SHARED, "device memory": MEMORY}
# Where sectors of L2 come from; only a GPU counts them all.
CAUSES = ["lts__t_sectors_op_membar", "lts__t_requests_op_membar", "lts__t_sectors_srcunit_gcc", "lts__t_sectors_srcunit_gcc_lookup_miss",
          "lts__t_sectors_srcunit_l1", "lts__t_sectors_srcunit_ltcfabric", "lts__t_sectors_srcunit_ltcfabric_lookup_hit",
          "lts__t_sectors_srcunit_ltcfabric_lookup_miss", "lts__t_sectors_srcunit_ltcfabric_op_read",
          "lts__t_sectors_srcunit_ltcfabric_op_write", "lts__t_sectors_srcnode_gpc", "lts__t_sectors_srcunit_tex_op_membar",
          "lts__t_sectors_lookup_miss_data_promoted", "lts__d_sectors_fill_device", "gcc__cache_requests_type_instruction",
          "gcc__cache_requests_type_instruction_lookup_hit", "gcc__cache_requests_type_constant", "gcc__cache_requests_type_tsheader",
          "gcc__xbar2gcc_sectors", "idc__requests", "idc__requests_lookup_miss", "smsp__inst_executed"]
NEAR = 0.10


def metrics_of(names):
    return [name + ".sum" for name in names]


def is_held_back(case):
    return zlib.crc32(case.split()[0].encode()) % 2 == 1


def build(program):
    program.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([shutil.which("nvcc") or CUDA / "bin" / "nvcc", "-std=c++20", "-O3", "-cudart", "shared", "-gencode",
                    "arch=compute_90,code=[sm_90,compute_90]", "-o", program, HERE / "l2_counts.cu"], check=True)


def count_on_gpu(folder, program, time):
    """Nsight Compute's table and the names of its rows, in two files."""
    ncu = shutil.which("ncu") or CUDA / "bin" / "ncu"
    environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(filter(None, [os.environ.get("LD_LIBRARY_PATH"), f"{CUDA}/lib64"]))}
    known = subprocess.run([ncu, "--query-metrics", "--chip", "gh100"], capture_output=True, text=True, check=True).stdout
    known = {words[0] for words in map(str.split, known.splitlines()) if words}
    wanted = [name for names in [*GROUPS.values(), CAUSES] for name in names]
    unknown = {name for name in wanted if name not in known} if L2[0] in known else set()
    for name in unknown:
        print(f"Nsight Compute has no {name}", file=sys.stderr)
    done = subprocess.run([ncu, "--csv", "--print-units", "base", "--profile-from-start", "off", "--cache-control",
                           "all" if time == "cold" else "none", "--clock-control", "none", "--metrics",
                           ",".join(metrics_of(name for name in wanted if name not in unknown)), "--page", "raw", "--log-file",
                           folder / f"{time}.csv.new", program, *([] if time == "cold" else ["--warm"])],
                          capture_output=True, text=True, env=environment, check=False)
    cases = [line for line in done.stdout.splitlines() if " x " in line]
    (folder / f"{time}.cases").write_text("\n".join(cases) + "\n", encoding="utf-8")
    if done.returncode != 0:
        print(f"Nsight Compute, {time}: status {done.returncode}: {(done.stdout + done.stderr)[-500:]}", file=sys.stderr)
    os.replace(folder / f"{time}.csv.new", folder / f"{time}.csv")


def read_gpu(folder, time):
    """{case: {metric: value}}"""
    table, cases = folder / f"{time}.csv", folder / f"{time}.cases"
    if not table.exists() or not cases.exists():
        return {}
    counted = ncu_table.read(table.read_text(encoding="utf-8"))
    names = cases.read_text(encoding="utf-8").splitlines()
    return {case: {metric: ncu_table.number(cell) for metric, cell in row.items() if metric and metric.endswith(".sum")}
            for case, row in zip(names, counted.rows if counted else [])}


def read_table(text):
    """The GPU's side of a table that this script wrote: {time: {case: {metric: value}}}, and its machine."""
    counted = {time: {} for time in TIMES}
    lines = text.splitlines()
    for line in lines:
        words = line.split()
        if words and words[0] in TIMES and " x " in line and "%" not in line:
            values = counted[words[0]].setdefault(line.split(None, 1)[1], {})
        elif line.startswith("  ") and words[0].endswith(".sum") and ncu_table.number(words[1]) is not None:
            values[words[0]] = ncu_table.number(words[1])
    return counted, lines[0].split(" on ", 1)[1].split(":")[0] if lines else "no GPU"


def count_here(folder, program, gpuprof, time):
    """{case: {metric: value}}"""
    output = folder / f"{time}_embedded.csv"
    done = subprocess.run([gpuprof, "run", "--chip", "gh100", "--rows", "launches", "--caches", "flush" if time == "cold" else "leave",
                           "--kernels", "csv", "--output", output, "--metrics",
                           ",".join(metrics_of(name for names in GROUPS.values() for name in names)), "--", program,
                           *([] if time == "cold" else ["--warm"])], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"the embedded GPU, {time}: status {done.returncode}: {(done.stdout + done.stderr)[-500:]}")
    cases = [line for line in done.stdout.splitlines() if " x " in line]
    rows = list(csv.DictReader(output.read_text(encoding="utf-8").splitlines()))
    output.unlink()
    each = len(rows) // len(cases)
    return {case: {metric.split(" [")[0]: ncu_table.number(cell) for metric, cell in row.items()}
            for case, row in zip(cases, rows[each - 1::each])}


def off(there, here):
    return (here - there) / there if there else float("inf")


def summary(hardware, model):
    """Lines: of each time, group and half, how many cells are near."""
    lines = [f"{'caches':6} {'kernels':10} {'counters':14} {'cells':>5} {'equal':>6} {f'in {NEAR:.0%}':>6} {'median error':>13}"]
    for time in TIMES:
        for held_back in (True, False):
            for group, names in GROUPS.items():
                errors = sorted(abs(off(there, here)) for case in hardware[time] if is_held_back(case) == held_back
                                for metric in metrics_of(names)
                                for there, here in [(hardware[time][case].get(metric), model[time].get(case, {}).get(metric))]
                                if there is not None and here is not None and (there or here))
                if errors:
                    lines.append(f"{time:6} {'held back' if held_back else 'looked at':10} {group:14} {len(errors):5} "
                                 f"{sum(error == 0 for error in errors) / len(errors):6.0%} "
                                 f"{sum(error <= NEAR for error in errors) / len(errors):6.0%} {errors[len(errors) // 2]:13.1%}")
    return lines


def shown(value):
    return "-" if value is None else f"{value:,.0f}"


def table(hardware, model):
    lines = []
    for time in TIMES:
        for case in hardware[time] or model[time]:
            real, own = hardware[time].get(case, {}), model[time].get(case, {})
            lines.append(f"{time} {case}")
            for metric in metrics_of(name for names in [*GROUPS.values(), CAUSES] for name in names):
                there, here = real.get(metric), own.get(metric)
                if there or here:
                    error = "" if there is None or here is None or there == here else f" {off(there, here):+9.1%}"
                    lines.append(f"  {metric:56} {shown(there):>14} {shown(here):>14}{error}")
    return lines


def main():
    folder = Path(sys.argv[1])
    program = (Path(os.environ.get("BUILD", folder)) / "l2_counts").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if "--build" in sys.argv or not program.exists():
        build(program)
    if "--build" in sys.argv:
        return 0
    try:
        machine = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True,
                                 text=True, check=True).stdout.strip()
        (folder / "machine.txt").write_text(machine + "\n", encoding="utf-8")
        for time in TIMES:
            if not (folder / f"{time}.csv").exists():
                count_on_gpu(folder, program, time)
    except (OSError, subprocess.CalledProcessError):
        print("no GPU here", file=sys.stderr)
    gpuprof = os.environ.get("GPUPROF", "gpuprof")
    hardware, machine = {time: read_gpu(folder, time) for time in TIMES}, "no GPU"
    if (folder / "machine.txt").exists():
        machine = (folder / "machine.txt").read_text(encoding="utf-8").strip()
    elif (folder / "l2_counts.txt").exists():
        hardware, machine = read_table((folder / "l2_counts.txt").read_text(encoding="utf-8"))
    model = {time: {} if gpuprof == "none" else count_here(folder, program, gpuprof, time) for time in TIMES}
    lines = [f"tests/hardware/l2_counts.py on {machine}: Nsight Compute on the left, the embedded GPU on the right.",
             "Counters that are 0 on both sides are left out; - is not counted.", "", *summary(hardware, model), "", *table(hardware, model)]
    (folder / "l2_counts.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines[:lines.index("", 3)]))
    missing = [f"{time} {case}" for time in TIMES for case in model[time] if hardware[time] and case not in hardware[time]]
    print("\n".join(f"not on the GPU: {each}" for each in missing), end="\n" if missing else "")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
