# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of a script: functions that compare what kernels computed, each in a process of its own, as a fault ends a context."""
import subprocess
import sys
import traceback

import numpy

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def not_for(is_so, why):
    """Leaves a case out of this run: what is tested has no such thing, here or on a GPU."""
    def wrap(function):
        if is_so:
            del CASES[function.__name__]
            print(f"{function.__name__:34} left out: {why}", flush=True)
        return function

    return wrap


def close(found, expected, tolerance):
    """Compares arrays, and gives the number of elements. The tolerance is relative to the largest value that is expected."""
    found, expected = numpy.asarray(found, numpy.float64), numpy.asarray(expected, numpy.float64)
    assert found.shape == expected.shape
    worst = numpy.abs(found - expected).max()
    assert worst <= tolerance * max(numpy.abs(expected).max(), 1e-30), f"off by {worst}"
    return found.size


def random(*shape, type=numpy.float32):
    return numpy.random.default_rng(sum(shape)).standard_normal(shape).astype(type)


def _run(name):
    """The last line that a case prints, in this process."""
    try:
        compared = CASES[name]()
        assert compared > 0
        print(f"passed: {compared} values", flush=True)
        return 0
    except Exception as problem:  # of the case or of what it tests
        traceback.print_exc()
        lines = str(problem).strip().splitlines() or [""]
        print(f"FAILED: {type(problem).__name__}: {lines[0][:200]}", flush=True)
        return 1


def main(what):
    """A line for each case that the command names, or for all, and the number of those that passed. Gives the exit status."""
    names = sys.argv[1:]
    if names[:1] == ["--in-this-process"]:
        return _run(names[1])
    passed, chosen = 0, names or list(CASES)
    for name in chosen:
        command = [sys.executable, sys.argv[0], "--in-this-process", name]
        ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        passed += ended.returncode == 0
        lines = ended.stdout.strip().splitlines() or [f"FAILED: ended with status {ended.returncode}"]
        print(f"{name:34} {lines[-1]}", flush=True)
    print(f"{what}: {passed} of {len(chosen)} passed")
    return passed != len(chosen)
