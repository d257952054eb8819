#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUTLASS's own tests for compute capability 9.0 on the embedded GPU, and their first launches beside a GPU's.

    cutlass.py build FOLDER --cutlass CUTLASS [--flash-attention FLASH] [--googletest GOOGLETEST] [--code ptx] [--tests 3] [NAME...]
    cutlass.py run FOLDER --gpuprof GPUPROF [--seconds-each 300] [NAME...]   # without a GPU
    cutlass.py check FOLDER --gpuprof GPUPROF [--seconds-each 300] [NAME...]             # without one
    cutlass.py count FOLDER --gpuprof GPUPROF [NAME...]                                  # without one
    cutlass.py profile FOLDER [NAME...]                                                  # with one, and Nsight Compute
    cutlass.py tables FOLDER --out TABLE --counters TABLE --checks TABLE
    cutlass.py pack FOLDER

CUTLASS is a checkout of github.com/NVIDIA/cutlass, FLASH one of github.com/Dao-AILab/flash-attention, whose forward
kernels flash_attention.cu checks, GOOGLETEST the sources of googletest (on Debian /usr/src/googletest/googletest).
A program is a source of PROGRAMS, built for sm_90a, with its first --tests tests alone (first_tests): kernels of all would take hours of
nvcc. --code ptx leaves the machine code away, which takes less time. FOLDER gets the programs, and what was found in ran.json,
checked.json, counted.json and profiled.json: `run`, `check` and `profile` go on where they were stopped. With --wait they take programs as `build` makes
them beside them.

What is run: the first test of each program, then the second of each, up to --tests, in the order of the sources, each in a process of
its own with one host thread and --seconds-each. A test has passed if googletest says so and it launched a kernel. The tutorials have no
check of their own and take sizes (TUTORIAL): they must end well.
What is checked: the first test of each program with all checks of the embedded GPU. A finding is so if a line of cutlass_findings.txt
says it; any other is one that nobody has judged, or a false one. Judging wants programs that were built with --lines.
What is counted: the first LAUNCHES launches of a program's first test, by Nsight Compute's kernel replay with cold caches, as programs.py
does; on the embedded GPU with --caches flush.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import ncu_table
import programs

PROGRAMS = ["examples/cute/tutorial/hopper/*.cu", "test/unit/cute/hopper/*.cu", "test/unit/cluster_launch/*.cu", "test/unit/pipeline/*.cu",
            "test/unit/transform/device/sm90_*.cu", "test/unit/conv/device_3x/*/sm90_*.cu", "test/unit/gemm/device/sm90_*.cu"]
LEFT_OUT = "blackwell"
TUTORIAL = ["256", "256", "256"]
FLASH = "flash_attention"
FLASH_CASES = ["half64", "causal64", "cluster128", "bfloat128", "bytes128"]
FLASH_FLAGS = ["--use_fast_math", "--expt-extended-lambda", "-DCUTE_SM90_EXTENDED_MMA_SHAPES_ENABLED", "-DCUTLASS_ENABLE_GDC_FOR_SM90",
               "-DCUTLASS_DEBUG_TRACE_LEVEL=0", "-DNDEBUG"] # as its setup.py has them
LAUNCHES = 4
FLAGS = ["-std=c++17", "-O2", "-w", "--expt-relaxed-constexpr", "-cudart", "shared", "--no-compress", "-DCUTLASS_TEST_LEVEL=0",
         '-DCUTLASS_TARGET_NAME="cutlass"']
CODE = {"ptx": "compute_90a", "both": "[compute_90a,sm_90a]"}
PRODUCTS = ["sm__inst_executed_pipe_tensor_op_gmma.sum", "sm__ops_path_tensor_src_fp16.sum", "sm__ops_path_tensor_src_bf16_dst_fp32.sum",
            "sm__ops_path_tensor_src_tf32_dst_fp32.sum", "sm__ops_path_tensor_src_fp8.sum", "sm__ops_path_tensor_src_int8.sum"]
COPIES = ["sm__sass_inst_executed_op_tma_ld.sum", "sm__sass_inst_executed_op_tma_st.sum", "sm__sass_inst_executed_op_tma_red.sum"]
EXACT = [*programs.EXACT, *PRODUCTS, *COPIES]
METRICS = [*EXACT, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_gmma.sum", "sm__inst_executed_pipe_tma.sum", *programs.CACHES,
           *programs.OTHERS]
PRINTS = "its kernel prints, and what printf accesses is not counted here"
LEFT_OUT_OF_COUNTERS = {"pipeline.sequence_barrier": PRINTS, "cute_hopper.tma_mcast_load": PRINTS}
KERNELS, EXACT_TARGET, PASSED_TARGET = 30, 0.99, 0.90


def name_of(path):
    """`conv_fprop.sm90_conv1d_…`: the folders that tell programs apart, and the file's name."""
    folders = [part for part in path.parts[:-1] if part not in ("examples", "test", "unit", "device", "device_3x")]
    return "_".join(folders) + "." + path.stem


def sources(cutlass):
    """{name: path below cutlass}"""
    paths = [path.relative_to(cutlass) for pattern in PROGRAMS for path in sorted(cutlass.glob(pattern)) if LEFT_OUT not in path.name]
    return {name_of(path): path for path in paths}


def lines_of_tests(source):
    """The number of the line of each test."""
    lines = source.read_text(encoding="utf-8").splitlines()
    return [number for number, line in enumerate(lines, 1) if re.match(r"\s*(TEST|CUTLASS_TEST_L0)\(", line)]


def first_tests(source, count):
    """The source's text without the tests after the first `count` and what is between them, up to the end of the #if that they are in."""
    lines = source.read_text(encoding="utf-8").splitlines()
    starts = lines_of_tests(source)
    if len(starts) <= count:
        return "\n".join(lines) + "\n"
    begin, depth, end = starts[count] - 1, 0, len(lines)
    for number in range(begin, len(lines)):
        directive = re.match(r"\s*#\s*(if|endif)", lines[number])
        depth += 0 if directive is None else 1 if directive[1] == "if" else -1
        if depth < 0:
            end = number
            break
    return "\n".join([*lines[:begin], "#if 0", *lines[begin:end], "#endif", *lines[end:]]) + "\n"


def is_tutorial(name):
    return name.startswith("cute_tutorial")


def chosen(names, options):
    return [name for name in names if not options.names or any(re.search(name_asked, name) for name_asked in options.names)]


def build(options):
    folder, cutlass, googletest = options.folder, options.cutlass.resolve(), options.googletest.resolve()
    end = time.monotonic() + options.seconds
    folders = [*(cutlass / each for each in ("include", "tools/util/include", "examples/common", "test/unit", "test/unit/common")),
               googletest / "include"]
    nvcc = [shutil.which("nvcc") or programs.CUDA / "bin" / "nvcc", *FLAGS, "-gencode", f"arch=compute_90a,code={CODE[options.code]}",
            *(f"-I{each}" for each in folders)]
    objects = [folder / "build" / f"{each}.o" for each in ("gtest-all", "test_unit", "filter_architecture")]
    (folder / "build").mkdir(parents=True, exist_ok=True)
    places = [googletest / "src/gtest-all.cc", cutlass / "test/unit/test_unit.cpp", cutlass / "test/unit/common/filter_architecture.cpp"]
    compilers = [subprocess.Popen([*nvcc, "-I", googletest, "-c", "-o", to, place]) for place, to in zip(places, objects)
                 if not to.exists()]
    if any([each.wait() for each in compilers]):
        return 1
    found = sources(cutlass)
    if options.flash_attention:
        found[FLASH] = HERE / "flash_attention.cu"
    (folder / "programs.txt").write_text("".join(f"{name} {len(lines_of_tests(cutlass / path))}\n" for name, path in found.items()),
                                         encoding="utf-8")

    def build_one(name):
        beside, began = folder / "build" / name, time.monotonic()
        if (folder / name).exists():
            return f"{name}: is there"
        own = [*FLASH_FLAGS, "-I", options.flash_attention.resolve() / "hopper"] if name == FLASH else []
        own += ["-lineinfo"] if options.lines else []
        source = cutlass / found[name]
        tests = lines_of_tests(source)
        if tests:
            shorter = log(folder, name) / source.name
            shorter.write_text(first_tests(source, options.tests), encoding="utf-8")
            own += ["-I", source.parent]
        words = [*nvcc, *own, "-o", beside, shorter if tests else source, *(objects if tests else []), "-lcuda"]
        try:
            status, _, said, _ = programs.run(words, end - began, log(folder, name))
        except programs.Failed as why:
            return f"{name}: {why}"
        if status != 0:
            return f"{name} does not build: {said}"
        subprocess.run(["strip", beside], check=True)
        beside.rename(folder / name)
        return f"{name}: {time.monotonic() - began:.0f} s"

    longest_first = sorted(chosen(found, options), key=lambda name: "stream_k" not in name) # its tests have ten times as many launches
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in concurrent.futures.as_completed([pool.submit(build_one, name) for name in longest_first]):
            say(done.result())
    (folder / "built").touch()


def log(folder, name):
    place = folder / "build" / f"{name}.d"
    place.mkdir(parents=True, exist_ok=True)
    return place


def say(line):
    print(line, file=sys.stderr, flush=True)


def arriving(options):
    """The names of programs, in the list's order, as they are there; with --wait also those that are built later."""
    seen = set()
    while True:
        last = not options.wait or (options.folder / "built").exists()
        for name in chosen(counts_of_tests(options.folder), options):
            if name not in seen and (options.folder / name).exists():
                seen.add(name)
                yield name
        if last or time.monotonic() > options.end:
            return
        time.sleep(1)


def counts_of_tests(folder):
    """{name: tests in the source}, of all programs, also those that were not built."""
    path = folder / "programs.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {name: int(count) for name, count in map(str.split, lines)}


def read_json(path):
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def tests_of(command, environment, folder):
    """The names of a program's tests, as googletest lists them."""
    if is_tutorial(command[-1].name) or command[-1].name == FLASH:
        return FLASH_CASES if command[-1].name == FLASH else [" ".join(TUTORIAL)]
    _, text, _, _ = programs.run([*command, "--gtest_list_tests"], 60, folder, environment)
    suite, found = "", []
    for line in text.splitlines():
        if re.match(r"\S+\.$", line):
            suite = line
        elif suite and line.startswith("  "):
            found.append(suite + line.split("#")[0].strip())
    return found


def arguments(name, test):
    return test.split() if is_tutorial(name) or name == FLASH else [f"--gtest_filter={test}"]


def verdict(name, status, text, said, kernels):
    if status != 0:
        wrong = next((line.strip() for line in (text + said).splitlines() if re.search("^gpuprof: |error:|Failure", line)), said)
        return f"failed (status {status}): {wrong[:200]}"
    if kernels == 0:
        return "launched no kernel"
    if is_tutorial(name):
        return "ended, without a check of its own"
    return "passed" if name == FLASH or re.search(r"^\[  PASSED  \] 1 test\.", text, re.MULTILINE) else "skipped itself"


def run_test(options, name, test):
    """How a test ended on the embedded GPU, its seconds and its launches."""
    place = log(options.folder, f"{name}.{re.sub('[^A-Za-z0-9]+', '_', test)}")
    output = place / "launches.json"
    output.unlink(missing_ok=True)
    began = time.monotonic()
    command = embedded(options, output, ["smsp__warps_launched.sum"], *(["--check", options.check] if options.check else []))
    try:
        status, text, said, used = programs.run([*command, options.folder / name, *arguments(name, test)],
                                                min(options.seconds_each, options.end - began), place, {"GPUPROF_SIM_THREADS": "1"})
        ended = {"ended": verdict(name, status, text, said, launches := len(launches_in(output))), "seconds": used, "launches": launches}
    except programs.Failed:
        ended = {"ended": "not finished", "seconds": time.monotonic() - began, "limit": options.seconds_each}
    if options.check:
        ended["found"] = findings_in((place / "errors").read_text(encoding="utf-8", errors="replace"))
    return ended


def findings_in(text):
    """[[kind, place, other place, findings]...] of what gpuprof wrote; a place is the file and line that the accessing instruction is of."""
    found = Counter()
    for kind, rest in re.findall(r"^gpuprof: ([a-z ]+): (kernel .*)", text, re.MULTILINE):
        places = re.findall(r", PTX line \d+(?:, (?:[^ ]*/)?([^/ ]+:\d+))?", rest)[:2]
        found[kind, *places, *[""] * (2 - len(places))] += 1
    return [[*finding, count] for finding, count in found.items()]


def check(options):
    options.check, options.tests, options.results = options.check or "all", 1, "checked.json"
    run(options)


def embedded(options, output, metrics, *more):
    return [options.gpuprof, "run", "--chip", "gh100", "--rows", "launches", "--caches", "flush", "--kernels", "json", "--output", output,
            "--metrics", ",".join(metrics), *more, "--"]


def launches_in(output):
    return read_json(output)["ranges"] if output.exists() and output.read_text(encoding="utf-8")[:1] == "{" else []


def count(options):
    """What the embedded GPU counts of each program's first test; it ends when it has waited for its first launches (stop_after.cpp)."""
    path = options.folder / "counted.json"
    told = read_json(path)
    library = options.folder / "build" / "stop_after.so"
    library.parent.mkdir(exist_ok=True)
    subprocess.run(["c++", "-shared", "-fPIC", "-o", library, HERE / "stop_after.cpp", "-ldl"], check=True)
    for name in arriving(options):
        place = log(options.folder, f"{name}.count")
        output = place / "launches.json"
        output.unlink(missing_ok=True)
        test = tests_of([options.gpuprof, "run", "--kernels", "none", "--", options.folder / name], {}, place)[0]
        environment = {"GPUPROF_SIM_THREADS": "1", "LD_PRELOAD": str(library), "STOP_AFTER": str(LAUNCHES)}
        try:
            programs.run([*embedded(options, output, METRICS), options.folder / name, *arguments(name, test)], options.seconds_each, place,
                         environment)
        except programs.Failed as why:
            say(f"{name}: {why}")
            continue
        first = {}
        for each in launches_in(output):
            first.setdefault(each["name"], each["values"])
        told[name] = {"test": test, "counted": first}
        say(f"{name}: {len(first)} launches counted")
        programs.write(path, json.dumps(told))


def run(options):
    path = options.folder / options.results
    told = read_json(path)
    pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
    pending, listed = {}, {}

    def start(name, number):
        tests = listed[name]
        if number < min(len(tests), options.tests) and tests[number] not in told[name]["ran"]:
            pending[pool.submit(run_test, options, name, tests[number])] = (name, tests[number])

    def take(wait):
        done, _ = concurrent.futures.wait(pending, timeout=wait, return_when=concurrent.futures.FIRST_COMPLETED)
        for each in done:
            name, test = pending.pop(each)
            try:
                result = each.result()
            except (OSError, ValueError, KeyError) as why:
                result = {"ended": f"failed: {type(why).__name__}: {why}", "seconds": 0}
            if not (result["ended"] == "not finished" and time.monotonic() > options.end): # it was not given its time
                told[name]["ran"][test] = result
                programs.write(path, json.dumps(told))
            say(f"{name} {test}: {result['ended']}, {result['seconds']:.0f} s")

    for name in arriving(options):
        place = log(options.folder, name)
        listed[name] = tests_of([options.gpuprof, "run", "--kernels", "none", "--", options.folder / name], {}, place)
        told.setdefault(name, {"ran": {}})["tests"] = listed[name]
        start(name, 0)
        take(0)
    for number in range(1, max(map(len, listed.values()), default=0)):
        for name in listed:
            start(name, number)
    while pending and time.monotonic() < options.end:
        take(1)
    pool.shutdown(cancel_futures=True)
    programs.write(path, json.dumps(told))


def profile(options):
    """What Nsight Compute counts of each program's first test."""
    path = options.folder / "profiled.json"
    told = read_json(path) or {"device": programs.device_text(), "programs": {}}
    environment = {"LD_LIBRARY_PATH": ":".join(filter(None, [os.environ.get("LD_LIBRARY_PATH"), f"{programs.CUDA}/lib64"]))}
    for name in arriving(options):
        if "launches" in told["programs"].get(name, {}) or time.monotonic() > options.end:
            continue
        place = log(options.folder, f"{name}.ncu")
        try:
            tests = tests_of([options.folder / name], environment, place)
            bound = min(options.seconds_each, options.end - time.monotonic())
            command = [options.ncu, "--metrics", ",".join(METRICS), "--csv", "--page", "raw", "--print-units", "base", "--print-kernel-base",
                       "mangled", "--launch-count", str(LAUNCHES), "--kill", "yes",
                       "--clock-control", "none", "--cache-control", "all", "--replay-mode", "kernel", options.folder / name,
                       *arguments(name, tests[0])]
            _, text, said, _ = programs.run(command, bound, place, environment)
            told["programs"][name] = {"test": tests[0], "launches": launches_of(text, said)}
            say(f"{name}: {len(told['programs'][name]['launches'])} launches profiled")
        except (programs.Failed, IndexError) as why:
            told["programs"][name] = {"failed": str(why)}
            say(f"{name}: {why}")
        programs.write(path, json.dumps(told))


def launches_of(text, said):
    """[[kernel, grid and block, {metric: value}]...] of Nsight Compute's table."""
    table = ncu_table.read(text)
    if table is None:
        raise programs.Failed(f"ncu has no table: {said}")
    names = programs.demangled({row["Kernel Name"] for row in table.rows})
    launches = {}
    for row in table.rows:
        values = {metric: value for metric in METRICS if (value := ncu_table.number(row.get(metric))) is not None and value == value}
        launches.setdefault((names[row["Kernel Name"]], f"<<<{row['Grid Size']}, {row['Block Size']}>>>"), values)
    return [[kernel, place, values] for (kernel, place), values in launches.items() if values]


def tests_table(told, counts, device):
    """The lines of the table of tests, and whether enough have passed. A program has passed if all of its tests that were run have."""
    lines, ended, passed, seconds, good = [], Counter(), 0, 0.0, 0
    for name, count in counts.items():
        tests, ran = told.get(name, {}).get("tests", []), told.get(name, {}).get("ran", {})
        ran = {test: ran[test] for test in sorted(ran, key=tests.index)}
        kinds = Counter(re.match(r"passed|failed|ended|not finished|.*", each["ended"]).group() for each in ran.values())
        ended += kinds
        fine = kinds["passed"] + kinds["ended"]
        good += bool(ran) and fine == len(ran)
        passed += kinds["passed"]
        seconds += sum(each["seconds"] for each in ran.values())
        lines.append(f"{name:96} " + (f"{kinds['passed']:3} of {len(ran):2} passed, of {count or 1:2} in the source" if ran else "not run"))
        lines += [f"    {test}: {each['ended']}" + (f" in {each['limit']:.0f} s" if "limit" in each else "") for test, each in ran.items()
                  if each["ended"] != "passed"]
    tried = sum(ended.values())
    share = good / len(counts) if counts else 0
    tried_programs = sum(bool(told.get(name, {}).get("ran")) for name in counts)
    return [f"tests/hardware/cutlass.py, {device}: CUTLASS's own tests for sm_90a on the embedded GPU; the script says what is run.", "",
            f"{tried_programs} of {len(counts)} programs were run",
            f"{good} of {len(counts)} programs passed, {share:.1%} (at least {PASSED_TARGET:.0%}): {'met' if share >= PASSED_TARGET else 'MISSED'}",
            f"{passed} of {tried} tests passed; " + ", ".join(f"{many} {kind}" for kind, many in sorted(ended.items()) if kind != "passed"),
            f"{seconds:,.0f} s of one processor", "", *lines], share >= PASSED_TARGET


def judgements(path):
    """[(pattern of programs, kind, place, other place, where in CUTLASS, why)...] of a list of findings that are so."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    return [tuple(each.strip() for each in line.split("|", 5)) for line in lines if line and not line.startswith("#")]


def judged(name, finding, known):
    """The judgement of a finding that is so; None of any other. Its places begin as those of the list do."""
    kind, place, other, _ = finding
    return next((each for each in known if re.fullmatch(each[0], name) and kind == each[1] and
                 all(mine and mine.startswith(theirs) for mine, theirs in zip((place, other), each[2:4]) if theirs)), None)


def checks_table(told, counts, known, device):
    """The lines of the table of checks, and whether programs were run and each finding is so."""
    lines, ran, found_in, true, others, unfinished = [], 0, 0, 0, 0, 0
    for name in counts:
        result = next((each for each in told.get(name, {}).get("ran", {}).values() if "found" in each), None)
        if result is None:
            lines.append(f"{name:96} not run")
            continue
        kinds = Counter()
        told_of = []
        for finding in result["found"]:
            kinds[finding[0]] += finding[3]
            why = judged(name, finding, known)
            true, others = true + (finding[3] if why else 0), others + (0 if why else finding[3])
            told_of.append(f"    so, {why[4]}: {why[5]}" if why else f"    NOT JUDGED: {finding[0]} at {finding[1]}, {finding[2]}")
        ran, found_in, unfinished = ran + 1, found_in + bool(kinds), unfinished + (result["ended"] == "not finished")
        ended = result["ended"].split(":")[0] + (f" in {result['limit']:.0f} s" if "limit" in result else "")
        said = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "nothing found"
        lines += [f"{name:96} {said} ({ended})", *dict.fromkeys(told_of)]
    met = ran > 0 and others == 0
    return [f"tests/hardware/cutlass.py, {device}: what the embedded GPU's checks find in the first test of each program; "
            "cutlass_findings.txt says which findings are so.", "",
            f"{ran} of {len(counts)} programs were run, {unfinished} of them not to the end",
            f"{ran} programs, {found_in} with findings; {true} of {true + others} findings are so, {others} false or not judged: "
            f"{'met' if met else 'MISSED'}", "", *lines], met


def alike(kernel, place, counted):
    """The launch on the embedded GPU with this name and configuration; else, since names of templates can be written in several ways,
    the only one in this configuration that begins alike."""
    if kernel + place in counted:
        return counted[kernel + place]
    begins = lambda text: re.split(r"[<(]", text.removeprefix("void "), maxsplit=1)[0]
    found = [values for launch, values in counted.items() if launch.endswith(place) and begins(launch) == begins(kernel)]
    return found[0] if len(found) == 1 else None


def counters_table(told, profiled, names):
    """The lines of the table of counters, and whether every target is met."""
    groups = {"exact group": EXACT, "of them wgmma": PRODUCTS, "of them TMA": COPIES}
    cells, kernels, lines, failures = defaultdict(list), set(), [], []
    for name in names:
        real = profiled["programs"].get(name)
        if name in LEFT_OUT_OF_COUNTERS:
            failures.append(f"{name}: {LEFT_OUT_OF_COUNTERS[name]}")
            continue
        if real is None or "failed" in real:
            failures.append(f"{name}: " + (real["failed"] if real else "not profiled"))
            continue
        counted = told.get(name, {}).get("counted", {})
        differ, equal, rows = [], 0, 0
        for number, (kernel, place, there) in enumerate(real["launches"]):
            here = alike(kernel, place, counted)
            if here is None:
                failures.append(f"{name}: launch {number + 1} {place}: not on the embedded GPU")
                continue
            rows += 1
            kernels.add((name, kernel))
            for metric in METRICS:
                mine, theirs = here.get(metric), there.get(metric)
                if mine is None or theirs is None:
                    failures.append(f"{name}: {metric}: not on the {'GPU' if theirs is None else 'embedded GPU'}")
                elif mine != 0 or theirs != 0:
                    cells[metric].append((mine - theirs) / theirs if theirs else float("inf"))
                    equal += metric in EXACT and mine == theirs
                    if metric in EXACT and mine != theirs:
                        differ.append(f"    launch {number + 1} {place} {metric:52} {theirs:14,.0f} {mine:14,.0f}")
        lines += [f"{name}, {real['test']}: {rows} launches, {equal} of {equal + len(differ)} cells equal", *differ]
    summary = [f"{'counter':54} {'cells':>5} {'equal':>6} {'in 5%':>6} {'median error':>13} {'worst':>9}"]
    for metric in METRICS:
        sizes = sorted(abs(error) for error in cells[metric])
        if sizes:
            summary.append(f"{metric:54} {len(sizes):5} {sum(size == 0 for size in sizes):6} {sum(size <= programs.NEAR for size in sizes):6} "
                           f"{sizes[len(sizes) // 2]:13.2%} {sizes[-1]:9.0%}")
    met = len(kernels) >= KERNELS
    verdicts = [f"{len(kernels)} kernels (at least {KERNELS}): {'met' if met else 'MISSED'}"]
    for group, metrics in groups.items():
        errors = [error for metric in metrics for error in cells[metric]]
        equal, target = sum(error == 0 for error in errors), EXACT_TARGET if metrics is EXACT else 1
        fine = bool(errors) and equal >= target * len(errors)
        met = met and fine
        share = f", {equal / len(errors):.2%}" if errors else ""
        verdicts.append(f"{group}: {equal} of {len(errors)} cells equal{share} (at least {target:.0%}): {'met' if fine else 'MISSED'}")
    return [f"tests/hardware/cutlass.py on {profiled['device']}: Nsight Compute on the left, the embedded GPU on the right.",
            "Of each program the first launches of its first test, with cold caches; cells that differ are shown, of the exact group.", "",
            *summary, "", *verdicts, *(f"not compared: {each}" for each in sorted(set(failures))), "", *lines], met


def tables(options):
    counts = counts_of_tests(options.folder)
    names = chosen(counts, options)
    told, met = read_json(options.folder / options.results), True
    if options.out:
        lines, met = tests_table(told, {name: counts[name] for name in names}, f"one processor, {programs.processor_text()}")
        programs.write(options.out, "\n".join(lines) + "\n")
    if options.checks:
        lines, checks_met = checks_table(read_json(options.folder / "checked.json"), {name: counts[name] for name in names},
                                         judgements(HERE / "cutlass_findings.txt"), f"one processor, {programs.processor_text()}")
        programs.write(options.checks, "\n".join(lines) + "\n")
        met = met and checks_met
    if options.counters:
        lines, counters_met = counters_table(read_json(options.folder / "counted.json"), read_json(options.folder / "profiled.json"), names)
        programs.write(options.counters, "\n".join(lines) + "\n")
        met = met and counters_met
    return 0 if met else 1


def without_machine_code(image):
    """A program with only the PTX of its fat binaries: other images are zeros, of a kind that readers pass over."""
    image, at = bytearray(image), 0
    while (at := image.find(b"\x50\xed\x55\xba\x01\x00", at)) >= 0:
        header, size = struct.unpack_from("<HQ", image, at + 6)
        entry, end = at + header, at + header + size
        at += 1
        while entry + 16 <= min(end, len(image)):
            kind, _, head, payload = struct.unpack_from("<HHIQ", image, entry)
            if kind == 2:
                image[entry:entry + 2] = b"\0\0"
                image[entry + head:entry + head + payload] = bytes(payload)
            entry += head + payload
    return bytes(image)


def pack(options):
    """Programs without their machine code, and what was found, in FOLDER/packed: small enough to be carried to another machine."""
    to = options.folder / "packed"
    to.mkdir(exist_ok=True)
    for name in arriving(options):
        (to / name).write_bytes(without_machine_code((options.folder / name).read_bytes()))
        (to / name).chmod(0o755)
    for name in ("programs.txt", "ran.json", "checked.json", "counted.json", "profiled.json"):
        if (options.folder / name).exists():
            shutil.copy(options.folder / name, to)


COMMANDS = {"build": build, "run": run, "check": check, "count": count, "profile": profile, "tables": tables, "pack": pack}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=COMMANDS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="regular expressions of programs' names; without any, all")
    parser.add_argument("--cutlass", type=Path)
    parser.add_argument("--flash-attention", type=Path)
    parser.add_argument("--googletest", type=Path, default=Path("/usr/src/googletest/googletest"))
    parser.add_argument("--code", choices=CODE, default="both")
    parser.add_argument("--lines", action="store_true", help="with -lineinfo, so that findings name lines of the sources")
    parser.add_argument("--gpuprof", type=Path, help="the command of a build tree")
    parser.add_argument("--check", default="", help="checks of gpuprof run, such as all")
    parser.add_argument("--results", default="ran.json", help="what `run` writes, in FOLDER")
    parser.add_argument("--ncu", default=shutil.which("ncu") or programs.CUDA / "bin" / "ncu")
    parser.add_argument("--tests", type=int, default=3, help="how many tests of each program are built and run at most")
    parser.add_argument("--seconds", type=float, default=1e6, help="after which everything ends")
    parser.add_argument("--seconds-each", type=float, default=300, help="for a test")
    parser.add_argument("--jobs", type=int, default=max(1, len(os.sched_getaffinity(0)) - 1))
    parser.add_argument("--wait", action="store_true", help="until `build` has ended")
    parser.add_argument("--out", type=Path, help="the table of tests")
    parser.add_argument("--counters", type=Path, help="the table of counters")
    parser.add_argument("--checks", type=Path, help="the table of what checks find")
    options = parser.parse_intermixed_args()
    options.folder = options.folder.resolve()
    options.end = time.monotonic() + options.seconds
    if options.gpuprof:
        options.gpuprof = options.gpuprof.resolve()
    return COMMANDS[options.what](options)


if __name__ == "__main__":
    sys.exit(main())
