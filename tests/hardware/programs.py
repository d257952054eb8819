#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same programs on a GPU and on the embedded GPU: each counter of each kernel, side by side.

    programs.py FOLDER --out TABLE [NAME...]

FOLDER is what build_programs.py made: programs, their data, gpuprof's command and its injection library. On a machine with a GPU
and Nsight Compute, of the carried folder build/gpu/programs, with at most nine minutes:

    python3 tests/hardware/programs.py build/gpu/programs --out $OUT/last_programs.txt --seconds 540

A row is the first launch of a kernel. More launches would weigh programs that repeat themselves, and take Nsight Compute minutes.

How each side counts
- Nsight Compute, one run of the program: --kernel-id :::1 profiles the first launch of each kernel in each configuration, by
  mangled name, so that instances of a template are kernels of their own; --launch-count bounds it. Kernel replay, with the caches
  flushed before each pass, its default. So every pass finds the same, a kernel's values do not depend on what ran before, and
  counters of caches need no run of the whole program for each pass (application replay: what took too long). What a kernel finds in
  the caches from earlier kernels is not shown by this.
- `gpuprof run --rows launches --caches flush`: a row a launch, its caches as cold.
- Launches are counted without Nsight Compute, by gpuprof's injection library, in a run of the program of its own.

What is judged
- Equal, to the unit, in 99 % of the cells: launches, warps, requests and sectors of global memory by operation, wavefronts of shared
  memory at the instruction. The last are the bank conflicts without those that arbitration between warps adds: a kernel's
  instructions have as many wavefronts without conflicts on both sides.
- Within 5 % in 80 % of the cells: sectors that hit in L1, sectors from L1 that hit in L2, bytes of device memory. The bytes are read
  and written together: a kernel that begins with cold caches and fits into L2 writes nothing back, and what is counted then is of
  others. Both are in the table.
- A cell in which both sides count 0 is none. A counter is also said to be "near" if it is off by no more than what the kernel `empty`
  counts on the GPU; that is not judged by.
- Sectors of L2, instructions, operations, occupancy and time have goals, each a line "goal:" of the summary. They do not decide the
  exit status.
Exit status 0 if all targets are met and nothing failed.

TABLE is written after each program, short programs first (the list's order), and TABLE.json has what the GPU counted.
--recorded TABLE.json takes that in place of a GPU, to see the table of a changed embedded GPU; programs that it lacks are counted, so
that a table that was cut off can be gone on with. Bounds: --seconds for all, --seconds-each for one run. --embedded-only runs only the
embedded side, and TABLE says how long each program takes.
"""
import argparse
import concurrent.futures
import csv
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

import ncu_table

HERE = Path(__file__).resolve().parent
CUDA = Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"))
GLOBAL = [f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum" for what in ("requests", "sectors") for op in ("ld", "st", "atom", "red")]
EXACT = ["smsp__warps_launched.sum", *GLOBAL, "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum"]
CACHES = ["l1tex__t_sectors_pipe_lsu_lookup_hit.sum", "lts__t_sectors_srcunit_tex_lookup_hit.sum", "dram__bytes.sum"]
OTHERS = ["dram__bytes_read.sum", "dram__bytes_write.sum", "l1tex__t_sectors_pipe_lsu_lookup_miss.sum",
          "lts__t_sectors_srcunit_tex.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "smsp__inst_executed.sum",
          "gpu__time_duration.sum"]
# What has a goal of its own, and does not decide the exit status.
L2 = ["lts__t_sectors.sum", "lts__t_sectors_op_read.sum", "lts__t_sectors_op_write.sum", "lts__t_sectors_lookup_hit.sum",
      "lts__t_sectors_lookup_miss.sum", "lts__t_requests.sum"]
TIME = "gpu__time_duration.sum"
OCCUPANCY = ["sm__warps_active.avg.pct_of_peak_sustained_active"]
OPERATIONS = [f"smsp__sass_thread_inst_executed_op_{op}_pred_on.sum" for op in ("fadd", "fmul", "ffma", "dadd", "dmul", "dfma")]
METRICS = [*EXACT, *CACHES, *OTHERS, *L2, *OCCUPANCY, *OPERATIONS]
GOALS = [("L2", [*L2, "lts__t_sectors_srcunit_tex.sum", "lts__t_sectors_srcunit_tex_lookup_hit.sum"], 0.10, 0.80),
         ("instructions", ["smsp__inst_executed.sum"], 0.05, 0.80), ("operations", OPERATIONS, 0, 0.90),
         ("achieved occupancy", OCCUPANCY, 0.10, 0.90), ("time", [TIME], 0.15, 0.80), ("time", [TIME], 0.25, 0.90)]
MEAN_OF_TIMES = 0.12
THREAD_INSTRUCTIONS = "smsp__thread_inst_executed.sum"
MANY = 30e6  # thread instructions, of whose time a process's start is little
NEAR = 0.05
KERNELS, EXACT_TARGET, CACHE_TARGET = 60, 0.99, 0.80
EMPTY = "empty()"


class Failed(Exception):
    """Why a program is not compared, for the table."""


def is_judging(salt, name):
    """Whether the program is of the third that is shown in totals alone."""
    return salt is not None and int(hashlib.sha256(f"{salt} {name}".encode()).hexdigest(), 16) % 3 == 0


def run(command, seconds, folder, environment=None):
    """(status, standard output, end of all output, seconds of processor time). It and what it started end after `seconds`."""
    with open(Path(folder, "said"), "w+b") as said, open(Path(folder, "errors"), "w+b") as errors:
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=said, stderr=errors, cwd=folder,
                                   env={**os.environ, **(environment or {})}, start_new_session=True)
        end = time.monotonic() + seconds
        while (ended := os.wait4(process.pid, os.WNOHANG))[0] == 0:
            if time.monotonic() > end:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                raise Failed(f"{Path(str(command[0])).name} does not end in {seconds:.0f} s")
            time.sleep(0.01)
        process.returncode = os.waitstatus_to_exitcode(ended[1])
        said.seek(0)
        errors.seek(0)
        text, wrong = (file.read().decode(errors="replace") for file in (said, errors))
    used = ended[2].ru_utime + ended[2].ru_stime
    return process.returncode, text, (text + wrong).strip()[-300:].replace("\n", " | "), used


class Place:
    """A folder of its own for a run, from which the data are ./data, ../../data and ../../../data: as the programs ask."""

    def __init__(self, programs):
        self.data = programs / "data"

    def __enter__(self):
        self.root = tempfile.TemporaryDirectory()
        folder = Path(self.root.name, "x", "y", "z")
        folder.mkdir(parents=True)
        if self.data.exists():
            for above in (folder, *list(folder.parents)[:3]):
                (above / "data").symlink_to(self.data)
        return folder

    def __exit__(self, *_):
        self.root.cleanup()


def write(path, text):
    """All of it or nothing: who is cut off leaves what was there."""
    beside = Path(f"{path}.new")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)


def demangled(names):
    names = list(names)
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.splitlines()))


def of_kernel(launch):
    return launch[:launch.rindex("<<<(")]


class Gpu:
    def __init__(self, options):
        self.options = options
        self.environment = {"LD_LIBRARY_PATH": ":".join(filter(None, [os.environ.get("LD_LIBRARY_PATH"), f"{CUDA}/lib64"]))}

    def bound(self):
        return min(self.options.seconds_each, self.options.end - time.monotonic())

    def count_launches(self, program):
        """{kernel: launches}"""
        with Place(self.options.folder) as place:
            trace = place / "trace.csv"
            environment = {**self.environment, "CUDA_INJECTION64_PATH": str(self.options.injection), "GPUPROF_TRACE_FILE": str(trace),
                           "GPUPROF_TRACE_KINDS": "kernel", "GPUPROF_TRACE_TABLE": "0"}
            status, _, end, _ = run(program, self.bound(), place, environment)
            table = place / "trace.kernel.csv"
            if not table.exists():
                raise Failed(f"no trace (status {status}): {end}")
            with open(table, newline="", encoding="utf-8") as file:
                counted = Counter(row["name"] for row in csv.DictReader(file))
        names = demangled(counted)
        return {names[name]: count for name, count in counted.items()}

    def profile(self, program):
        """{launch: {metric: value}}, the first of each kernel and configuration: "saxpy<<<(4, 1, 1), (256, 1, 1)>>>". """
        command = [self.options.ncu, "--metrics", ",".join(METRICS), "--csv", "--page", "raw", "--print-units", "base",
                   "--print-kernel-base", "mangled", "--kernel-name-base", "mangled", "--kernel-id", self.options.kernel_id,
                   "--launch-count", self.options.launch_count, "--clock-control", "none", "--cache-control", "all", "--replay-mode",
                   "kernel", *program]
        with Place(self.options.folder) as place:
            status, text, end, _ = run(command, self.bound(), place, self.environment)
        table = ncu_table.read(text)
        if table is None:
            raise Failed(f"ncu has no table (status {status}): {end}")
        launches = {}
        names = demangled({row["Kernel Name"] for row in table.rows})
        for row in table.rows:
            launch = f"{names[row['Kernel Name']]}<<<{row['Grid Size']}, {row['Block Size']}>>>"
            launches.setdefault(launch, {metric: value for metric in METRICS if (value := ncu_table.number(row.get(metric))) is not None})
        return launches

    def answer(self, program):
        try:
            launches, reason = self.count_launches(program), None
        except Failed as why:
            launches, reason = None, str(why)
        return {"launches": launches, "not counted": reason, "profiled": self.profile(program)}


def on_the_embedded_gpu(options, program, caches="flush"):
    """{"launches": {kernel: launches}, "first": {kernel: [(launch, {metric: value})...]}: of each configuration the first"""
    began = time.monotonic()
    machine_code = [] if options.machine_code == "estimate" else ["--machine-code", options.machine_code]
    with Place(options.folder) as place:
        output = place / "launches.json"
        status, _, end, seconds = run([options.gpuprof, "run", "--chip", "gh100", "--rows", "launches", "--caches", caches, "--kernels", "json", *machine_code,
                              "--output", output, "--metrics", ",".join([*METRICS, THREAD_INSTRUCTIONS]), "--", *program],
                             min(options.seconds_embedded, options.end - began), place, {"GPUPROF_SIM_THREADS": "1"})
        text = output.read_text(encoding="utf-8") if output.exists() else ""
    if not text.startswith("{") or status != 0:
        raise Failed(f"the embedded GPU: status {status}: {end}")
    launches, first, instructions = Counter(), defaultdict(dict), 0
    for each in json.loads(text)["ranges"]:
        instructions += each["values"].get(THREAD_INSTRUCTIONS) or 0
        kernel = of_kernel(each["name"])
        launches[kernel] += 1
        first[kernel].setdefault(each["name"], each["values"])
    return {"launches": launches, "first": first, "seconds": seconds, "instructions": instructions}


class Table:
    """Both sides of each program, and the errors of each counter."""

    def __init__(self, device, left_out=(), asked=METRICS):
        self.device = device
        self.asked = asked  # of the GPU: an older recording lacks what was added since
        self.left_out = left_out  # (regular expression of kernels, why)
        self.lines, self.failures, self.kernels = [], [], set()
        self.programs = 0
        self.errors = defaultdict(list)  # metric: (kernel, GPU's value, relative error)
        self.background = {}

    def add(self, name, words, own, real):
        rows, lines = [], []
        if real["launches"] is None:
            self.failures.append(f"{name}: its launches: {real['not counted']}")
        is_left_out = lambda kernel: any(re.search(pattern, kernel) for pattern, _ in self.left_out)
        for kernel, counted in own["first"].items():
            if is_left_out(kernel):
                continue
            alike = next((launch for launch in counted if launch in real["profiled"]), None)
            if alike:
                rows.append((kernel, alike, counted[alike], real["profiled"][alike]))
            elif any(of_kernel(launch) == kernel for launch in real["profiled"]):
                self.failures.append(f"{name}: {kernel}: no launch in the same configuration")
            else:
                self.failures.append(f"{name}: {kernel}: only on the embedded GPU")
        for kernel in sorted({of_kernel(launch) for launch in real["profiled"]} - own["first"].keys()):
            if is_left_out(kernel):
                continue
            self.failures.append(f"{name}: {kernel}: only on the GPU")
        for kernel, launch, here, there in rows:
            if kernel == EMPTY:
                self.background = there
            self.kernels.add((Path(words[0]).name, kernel))
            lines.append(f"  {launch}")
            here, there = dict(here), dict(there)
            if real["launches"] is not None:
                here["launches"], there["launches"] = own["launches"][kernel], real["launches"].get(kernel, 0)
            for metric in [*(["launches"] if "launches" in here else []), *(each for each in METRICS if each in self.asked)]:
                mine, theirs = here.get(metric), there.get(metric)
                if mine is None or theirs is None:
                    self.failures.append(f"{name}: {kernel}: {metric}: not on the {'GPU' if theirs is None else 'embedded GPU'}")
                elif mine != 0 or theirs != 0:
                    error = (mine - theirs) / theirs if theirs else float("inf")
                    self.errors[metric].append((kernel, theirs, mine, error))
                    lines.append(f"    {metric:52} {theirs:16,.0f} {mine:16,.0f}" + ("" if mine == theirs else f" {error:+9.2%}"))
        self.programs += 1
        self.lines += [" ".join(words), *lines]

    def fail(self, name, reason):
        self.failures.append(f"{name}: {reason}")

    def is_near(self, metric, theirs, mine, error):
        return abs(error) <= NEAR or abs(mine - theirs) <= self.background.get(metric, 0)

    def summary(self):
        """Its lines, and whether every target is met."""
        lines = [f"{'counter':54} {'cells':>5} {'equal':>6} {'in 5%':>6} {'near':>5} {'median error':>13} {'worst':>9}"]
        for metric in ["launches", *METRICS]:
            cells = self.errors[metric]
            sizes = sorted(abs(error) for *_, error in cells)
            if cells:
                lines.append(f"{metric:54} {len(cells):5} {sum(size == 0 for size in sizes):6} {sum(size <= NEAR for size in sizes):6} "
                             f"{sum(self.is_near(metric, *cell[1:]) for cell in cells):5} {sizes[len(sizes) // 2]:13.2%} {sizes[-1]:9.0%}")
        exact = self.exact()
        caches = [error for metric in CACHES for *_, error in self.errors[metric]]
        equal, within = sum(error == 0 for error in exact), sum(abs(error) <= NEAR for error in caches)
        met = [len(self.kernels) >= KERNELS, bool(exact) and equal >= EXACT_TARGET * len(exact),
               bool(caches) and within >= CACHE_TARGET * len(caches)]
        said = ["met" if each else "MISSED" for each in met]
        share = lambda part, of: f"{part / len(of):.1%}" if of else "-"
        lines += ["", f"{len(self.kernels)} kernels of {self.programs} programs (at least {KERNELS}): {said[0]}",
                  f"equal: {equal} of {len(exact)} cells, {share(equal, exact)} (at least {EXACT_TARGET:.0%}): {said[1]}",
                  f"within {NEAR:.0%}: {within} of {len(caches)} cells of caches and device memory, {share(within, caches)} "
                  f"(at least {CACHE_TARGET:.0%}): {said[2]}", *(f"not compared: {each}" for each in self.failures),
                  *(f"left out by the list: kernels like {pattern}: {why}" for pattern, why in self.left_out)]
        lines += ["", *self.goals()]
        return lines, all(met)

    def exact(self):
        return [error for metric in ["launches", *EXACT] for *_, error in self.errors[metric]]

    def judged(self):
        """What is said of programs that are shown in totals alone."""
        exact = self.exact()
        return [f"{len(self.kernels)} kernels of {self.programs} programs; {len(self.failures)} times not compared",
                f"equal: {sum(error == 0 for error in exact)} of {len(exact)} cells, "
                f"{sum(error == 0 for error in exact) / max(len(exact), 1):.1%}", *self.goals()]

    def goals(self):
        """A line for each goal that the exit status does not depend on."""
        lines = []
        for what, metrics, near, target in GOALS:
            sizes = [abs(error) for metric in metrics for *_, error in self.errors[metric]]
            if sizes:
                within = sum(size <= near for size in sizes)
                lines.append(f"goal: {what} {f'within {near:.0%}' if near else 'equal'}: {within} of {len(sizes)} cells, "
                             f"{within / len(sizes):.1%} (goal {target:.0%}): {'met' if within >= target * len(sizes) else 'not met'}")
        for what, metric, target in (("times", TIME, MEAN_OF_TIMES), ("achieved occupancy", OCCUPANCY[0], None)):
            sizes = sorted(abs(error) for *_, error in self.errors[metric])
            if sizes:
                mean = sum(sizes) / len(sizes)
                said = f" (goal {target:.0%}): {'met' if mean <= target else 'not met'}" if target else ""
                lines.append(f"goal: mean error of {what} {mean:.1%}, median {sizes[len(sizes) // 2]:.1%}{said}")
        return lines

    def write(self, path, judging=None):
        closed = ["", "The third that is shown in totals alone:", *judging.judged()] if judging else []
        lines = [f"tests/hardware/programs.py on {self.device}: Nsight Compute on the left, the embedded GPU on the right.",
                 "Of each kernel the first launch, with cold caches; programs.py says how each side counts and what is judged.", "",
                 *self.summary()[0], *closed, "", *self.lines]
        write(path, "\n".join(lines) + "\n")


def read_list(path, chosen):
    """[(name, [program, arguments...])]; a name is what the line says."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    programs = [(line, shlex.split(line)) for line in lines if line and line[0] not in "#!"]
    return [(name, words) for name, words in programs if not chosen or words[0] in chosen or Path(words[0]).name in chosen]


def read_left_out(path):
    """[(regular expression, why)] of lines `!EXPRESSION why`."""
    return [tuple(line[1:].split(None, 1)) for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("!")]


def device_text():
    try:
        asked = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True, text=True,
                               timeout=30, check=False)
        return asked.stdout.strip() or "no GPU"
    except (OSError, subprocess.TimeoutExpired):
        return "no GPU"


def processor_text():
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "of unknown name")


def compare(options, programs):
    answers = json.loads(options.recorded.read_text(encoding="utf-8")) if options.recorded else {"device": device_text(), "programs": {}}
    recorded = {metric for answer in answers["programs"].values() for launch in answer["profiled"].values() for metric in launch}
    table, judging = (Table(answers["device"], read_left_out(options.list), recorded or METRICS) for _ in range(2))
    gpu = Gpu(options)
    began = time.monotonic()
    left = lambda: options.end - time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        commands = {name: [options.folder / words[0], *words[1:]] for name, words in programs}
        owns = {name: pool.submit(on_the_embedded_gpu, options, command) for name, command in commands.items()}
        for name, words in programs:
            its = judging if is_judging(options.judging, words[0]) else table
            try:
                if left() <= 0:
                    raise Failed("no time was left")
                if name not in answers["programs"]:
                    answers["programs"][name] = gpu.answer(commands[name])
                real = answers["programs"][name]
                try:
                    own = owns[name].result(max(0.1, left()))
                except concurrent.futures.TimeoutError:
                    raise Failed("the embedded GPU had no time left") from None
                its.add(name, words, own, real)
            except (Failed, OSError, KeyError, ValueError, subprocess.SubprocessError) as reason:
                its.fail(name, f"{type(reason).__name__ + ': ' if not isinstance(reason, Failed) else ''}{reason}")
            table.write(options.out, judging if options.judging else None)
            write(f"{options.out}.json", json.dumps(answers))
            print(f"{time.monotonic() - began:6.0f} s  {name}", file=sys.stderr, flush=True)
        for own in owns.values():
            own.cancel()
    lines, met = table.summary()
    print("\n".join(lines + (["", "judging:", *judging.judged()] if options.judging else [])))
    return 0 if met and not table.failures else 1


def survey(options, programs):
    """Only the embedded side: a line a program with its seconds of processor time, thread instructions a second, kernels and
    launches, or why it failed. The speed is that of the whole process: the program's own work and its start count, too. Caches are
    left as they are, as they are unless one says otherwise."""
    failed = kernels = 0
    speeds = []
    used = 0.0
    say = lambda line: [print(line, file=file, flush=True) for file in (out, sys.stderr)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, open(options.out, "w", encoding="utf-8") as out:
        say(f"tests/hardware/programs.py --embedded-only, on one of {os.cpu_count()} processors, {processor_text()}: seconds of processor "
            "time, million thread instructions a second, kernels and launches of each program")
        commands = [[options.folder / words[0], *words[1:]] for _, words in programs]
        for (name, _), own in zip(programs, [pool.submit(on_the_embedded_gpu, options, command, "leave") for command in commands]):
            try:
                told = own.result()
                kernels += len(told["first"])
                used += told["seconds"]
                speed = told["instructions"] / told["seconds"] / 1e6
                if told["instructions"] >= MANY:
                    speeds.append(speed)
                say(f"{told['seconds']:6.1f} s {speed:6.0f} M/s {len(told['first']):3} kernels {sum(told['launches'].values()):5} launches  {name}")
            except (Failed, OSError, ValueError) as reason:
                failed += 1
                say(f"FAILED {name}: {reason}")
        say(f"{used:6.1f} s {kernels:3} kernels of {len(programs) - failed} programs; {failed} failed")
        if speeds:
            speeds.sort()
            say(f"of {len(speeds)} programs that execute at least {MANY / 1e6:.0f} M: median {speeds[len(speeds) // 2]:.0f} M/s, worst tenth up to "
                f"{speeds[len(speeds) // 10]:.0f} M/s")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="of programs; without any, all of the list")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--list", type=Path, default=HERE / "programs.txt")
    parser.add_argument("--gpuprof", type=Path, help="the command; FOLDER's")
    parser.add_argument("--injection", type=Path, help="the library; FOLDER's")
    parser.add_argument("--ncu", default=shutil.which("ncu") or CUDA / "bin" / "ncu")
    parser.add_argument("--kernel-id", default=":::1")
    parser.add_argument("--launch-count", default="64", help="how many launches of a program are profiled at most")
    parser.add_argument("--seconds", type=float, default=1e6, help="after which everything ends")
    parser.add_argument("--seconds-each", type=float, default=40, help="for a run of a program on the GPU")
    parser.add_argument("--seconds-embedded", type=float, default=300, help="for a run of a program on the embedded GPU")
    parser.add_argument("--jobs", type=int, default=max(1, len(os.sched_getaffinity(0)) - 2), help="embedded runs beside each other")
    parser.add_argument("--recorded", type=Path, help="TABLE.json of a run, in place of a GPU")
    parser.add_argument("--judging", metavar="SALT", help="shows a third of the programs, chosen by its hash, in totals alone")
    parser.add_argument("--machine-code", default="estimate", help="gpuprof run's option of the same name")
    parser.add_argument("--embedded-only", action="store_true", help="no GPU: only how long each program takes on the embedded one")
    options = parser.parse_intermixed_args()
    options.folder, options.out = options.folder.resolve(), options.out.resolve()
    options.gpuprof = (options.gpuprof or options.folder / "gpuprof").resolve()
    options.injection = (options.injection or options.folder / "libgpuprof_injection.so").resolve()
    options.end = time.monotonic() + options.seconds
    programs = read_list(options.list, options.names)
    return survey(options, programs) if options.embedded_only else compare(options, programs)


if __name__ == "__main__":
    sys.exit(main())
