#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast the embedded GPU is on one thread of the host and on many: thread instructions a second of whole processes. Needs no GPU.

    host_threads.py FOLDER --list tests/hardware/held_back.txt --out TABLE [--threads 16] [--judging SALT] [NAME...]

FOLDER is what build_programs.py made. On one thread, speed is by processor time, as with programs.py --embedded-only; what threads gain
is by the clock: seconds on one thread, over seconds on --threads. Both hold the program's own work and its start. Only programs that
execute at least 30 M thread instructions are judged: of the others, a process's start is most. With --judging, a third of the programs,
chosen by a hash of SALT and the name, is only shown in totals.

Runs on one thread are made --beside at a time, those on many one after the other; a program that does not end in --seconds-each is
left out, and the table says so. Goals, each a line "goal:": one thread executes 500 M a second in the median and 200 M in the worst
tenth; 16 threads are 8 times as fast in the median, and no program is slower.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import sys
import time
from pathlib import Path

import programs

HERE = Path(__file__).resolve().parent
MEDIAN, TENTH, GAIN, LEAST_GAIN = 500, 200, 8, 1  # goals: M a second, and times


def measure(options, words, threads):
    """(thread instructions, seconds of processor time, seconds by the clock)"""
    with programs.Place(options.folder) as place:
        output = place / "launches.json"
        began = time.monotonic()
        status, _, end, used = programs.run(
            [options.folder / "gpuprof", "run", "--chip", "gh100", "--rows", "launches", "--kernels", "json", "--output", output,
             "--metrics", programs.THREAD_INSTRUCTIONS, "--", options.folder / words[0], *words[1:]],
            options.seconds_each, place, {"GPUPROF_SIM_THREADS": str(threads)})
        clock = time.monotonic() - began
        text = output.read_text(encoding="utf-8") if output.exists() else ""
    if not text.startswith("{") or status != 0:
        raise programs.Failed(f"status {status}: {end}")
    instructions = sum(each["values"].get(programs.THREAD_INSTRUCTIONS) or 0 for each in json.loads(text)["ranges"])
    return instructions, used, clock


def is_judging(salt, name):
    return salt is not None and int(hashlib.sha256(f"{salt} {name}".encode()).hexdigest(), 16) % 3 == 0


def quantile(values, part):
    """The survey's: of ten values, the second is the end of the worst tenth."""
    return sorted(values)[int(len(values) * part)]


def verdicts(what, rows):
    """Lines of goals. @param rows (M a second on one thread, times as fast on many)"""
    if not rows:
        return [f"{what}: no programs"]
    speeds, gains = [row[0] for row in rows], [row[1] for row in rows]
    said = lambda value, goal: "met" if value >= goal else "not met"
    goals = [("M/s on one thread, median", quantile(speeds, 0.5), MEDIAN), ("M/s on one thread, worst tenth", quantile(speeds, 0.1), TENTH),
             ("times as fast on many threads, median", quantile(gains, 0.5), GAIN),
             ("times as fast on many threads, least", min(gains), LEAST_GAIN)]
    return [f"{what}, {len(rows)} programs:", *(f"goal: {text}: {value:.2f} (goal {goal}): {said(value, goal)}" for text, value, goal in goals)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="of programs; without any, all of the list")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--list", type=Path, default=HERE / "programs.txt")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--judging", metavar="SALT", help="shows a third of the programs in totals alone")
    parser.add_argument("--beside", type=int, default=max(1, len(os.sched_getaffinity(0)) // 4), help="runs on one thread at a time")
    parser.add_argument("--seconds-each", type=float, default=15, help="for one run")
    options = parser.parse_intermixed_args()
    options.folder = options.folder.resolve()
    listed = programs.read_list(options.list, options.names)
    every, judging, left_out = [], [], 0
    with open(options.out, "w", encoding="utf-8") as out, concurrent.futures.ThreadPoolExecutor(options.beside) as pool:
        say = lambda line: [print(line, file=file, flush=True) for file in (out, sys.stderr)]
        say(f"tests/hardware/host_threads.py on {os.cpu_count()} processors, {programs.processor_text()}: million thread instructions a "
            f"second on one thread, seconds on one thread and on {options.threads}, how many times as fast")
        alone = {name: pool.submit(measure, options, words, 1) for name, words in listed}
        concurrent.futures.wait(alone.values())
        for name, words in listed:
            is_shown = not is_judging(options.judging, words[0])
            try:
                instructions, used, clock = alone[name].result()
                if instructions < programs.MANY:
                    continue
                with_many = measure(options, words, options.threads)[2]
            except (programs.Failed, OSError, ValueError) as reason:
                left_out += 1
                if is_shown:
                    say(f"left out: {name}: {reason}")
                continue
            row = (instructions / used / 1e6, clock / with_many)
            every.append(row)
            if not is_shown:
                judging.append(row)
            else:
                say(f"{row[0]:6.0f} M/s {clock:7.2f} s {with_many:7.2f} s {row[1]:6.2f}  {name}")
        for line in [f"left out: {left_out} programs", *verdicts("all", every), *(verdicts("judging", judging) if options.judging else [])]:
            say(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
