#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the cases of a framework in a process of their own and reads the framework's own report of them.

    adaptor_reports.py doctest|catch2|googletest|plain|google_benchmark|nanobench PROGRAM [--catch2-skips] [--compiled-out]

--catch2-skips: this Catch2 can skip. --compiled-out: the program was compiled with GPUPROF_ENABLED=0, and no check may pass.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

FAILED, PASSED, SKIPPED = "failed", "passed", "skipped"
TEXTS = {  # what the message of a case must say, besides its place
    "failing": ["32 <= 4", "smsp__threads_launched.sum = 384 thread", "nothing<<<(4, 1, 1), (96, 1, 1)>>>", "range: observed",
                "the embedded GPU: not hardware", "12 warps is to be near 20 warps (within 10 %: 18 to 22)"],
    "inconclusive": ["inconclusive: not collected: no kernel ran in \"observed\""],
    "required": ["32 <= 4"],
}
COMPILED_OUT = "--compiled-out" in sys.argv
if COMPILED_OUT:
    TEXTS = {case: ["inconclusive: unavailable: gpuprof is compiled out"]
             for case in ("passing", "failing", "inconclusive", "required")}


def run(program, *arguments, policy=None):
    environment = dict(os.environ, GPUPROF_CUPTI_PATH="/nonexistent")
    environment.pop("GPUPROF_INCONCLUSIVE", None)
    if policy:
        environment["GPUPROF_INCONCLUSIVE"] = policy
    return subprocess.run([program, *arguments], env=environment, capture_output=True, text=True, timeout=300)


def doctest(program, policy):
    """case: (outcome, what the report says of it, its lines)"""
    tree = xml.fromstring(run(program, "--reporters=xml", policy=policy).stdout)
    found = {}
    for case in tree.iter("TestCase"):
        counts = case.find("OverallResultsAsserts")
        said = [each for each in case.iter("Expression")]
        found[case.get("name")] = (FAILED if counts.get("test_case_success") == "false" else PASSED,
                                   "\n".join("".join(each.itertext()) for each in said),
                                   [(each.get("filename"), int(each.get("line"))) for each in said])
    return found


def catch2(program, policy):
    tree = xml.fromstring(run(program, "-r", "xml", policy=policy).stdout)
    found = {}
    for case in tree.iter("TestCase"):
        result = case.find("OverallResult")
        said = [each for kind in ("Expression", "Failure", "Warning", "Skip") for each in case.iter(kind)]
        outcome = SKIPPED if int(result.get("skips", "0")) else PASSED if result.get("success") == "true" else FAILED
        found[case.get("name")] = (outcome, "\n".join("".join(each.itertext()) for each in said),
                                   [(each.get("filename"), int(each.get("line"))) for each in said if each.get("line")])
    return found


def googletest(program, policy):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.xml")
        out = run(program, "--gtest_output=xml:" + path, policy=policy).stdout
        tree = xml.parse(path)
    found = {}
    for case in tree.iter("testcase"):
        failures, skips = case.findall("failure"), case.findall("skipped")
        text = "\n".join(each.get("message") or each.text or "" for each in failures + skips)
        if policy == "warn" and (case.get("name") == "inconclusive" or COMPILED_OUT):
            # Between the lines that say that the case begins and that it ends.
            text = re.search(r"\[ RUN +\] \S+\.%s\n(.*?)\n\[ +OK" % case.get("name"), out, re.DOTALL).group(1)
        place = text.split("\n", 1)[0].split(":")
        found[case.get("name")] = (FAILED if failures else SKIPPED if skips else PASSED, text,
                                   [(place[0], int(place[1]))] if text else [])
    return found


def plain(program, policy):
    found = {}
    for case in ("passing", "failing", "inconclusive", "required"):
        done = run(program, case, policy=policy)
        found[case] = ({0: PASSED, 1: FAILED, 77: SKIPPED}[done.returncode], done.stderr,
                       [(file, int(line)) for file, line in
                        re.findall(r"^([^:\n]+):(\d+): (?:failed|inconclusive): ", done.stderr, re.MULTILINE)])
    return found


def judge(framework, program):
    read = {"doctest": doctest, "catch2": catch2, "googletest": googletest, "plain": plain}[framework]
    for policy in (None, "skip", "fail", "warn", "a word that nobody knows"):
        found = read(program, policy)
        skips = framework in ("googletest", "plain") or (framework == "catch2" and "--catch2-skips" in sys.argv)
        inconclusive = PASSED if policy == "warn" else SKIPPED if skips and policy in (None, "skip") else FAILED
        expected = {"passing": PASSED, "failing": FAILED, "inconclusive": inconclusive, "required": FAILED}
        if COMPILED_OUT:
            expected = dict.fromkeys(expected, inconclusive)
        outcomes = {case: of[0] for case, of in found.items()}
        assert outcomes == expected, (policy, outcomes, expected)
        for case, texts in TEXTS.items():
            for text in texts:
                assert text in found[case][1], (policy, case, text, found[case][1])
            assert found[case][2], (case, "has no place")
            assert all(file.endswith("_cases.cpp") and line > 0 for file, line in found[case][2]), found[case][2]
        assert "1 == 2" not in found["required"][1] or (COMPILED_OUT and policy == "warn"), found["required"][1]
    print(framework, "reports that gpuprof is compiled out" if COMPILED_OUT else
          "reports passing, failing and inconclusive checks", "under each policy")


def google_benchmark(program):
    runs = {each["name"].split("/")[0]: each
            for each in json.loads(run(program, "--benchmark_format=json").stdout)["benchmarks"]}
    if not COMPILED_OUT:
        assert runs["with_counters"]["smsp__warps_launched.sum [warp]"] == 12, runs
        assert runs["with_counters"]["smsp__threads_launched.sum [thread]"] == 384, runs
    assert set(runs) == {"with_counters", "without_kernel"}, runs
    assert not COMPILED_OUT or not [name for name in runs["with_counters"] if name.startswith("smsp__")], runs
    assert not [name for name in runs["without_kernel"] if name.startswith("smsp__")], runs
    print("Google Benchmark has", "no counters" if COMPILED_OUT else "the counters")


def nanobench(program):
    lines = [json.loads(line) for line in run(program).stdout.splitlines()]
    assert lines == [{"warps": "12 warps"}, {"warps": "not collected"}], lines
    print("nanobench has the counters")


if __name__ == "__main__":
    kind, path = sys.argv[1:3]
    if kind in ("google_benchmark", "nanobench"):
        globals()[kind](path)
    else:
        judge(kind, path)
