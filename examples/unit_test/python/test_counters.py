# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counters in pytest: a program measured and wrote a baseline (gpuprof::baseline::try_write); this asserts on it.

    GPUPROF_BASELINE=saxpy.GH100.embedded.json pytest test_counters.py
"""
import json
import os

import pytest


@pytest.fixture(scope="session")
def counters():
    path = os.environ.get("GPUPROF_BASELINE", "saxpy.json")
    if not os.path.exists(path):
        pytest.skip(f"nothing was measured: there is no {path}")
    with open(path, encoding="utf-8") as file:
        recorded = json.load(file)
    assert recorded["gpuprof_baseline"] == 1, "a format that this test does not know"
    return recorded["ranges"]


def value(counters, name, metric):
    if name not in counters or metric not in counters[name]:
        pytest.skip(f"inconclusive: {metric} of {name} was not collected")
    return counters[name][metric]["value"]


def test_saxpy_loads_are_coalesced(counters):
    sectors = value(counters, "saxpy", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")
    requests = value(counters, "saxpy", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum")
    assert sectors / requests <= 4
