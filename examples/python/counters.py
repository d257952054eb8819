# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counters of a function, by the library that counters.cpp becomes. GPUPROF_COUNTERS names it."""
import contextlib
import csv
import ctypes
import os

_library = ctypes.CDLL(os.environ.get("GPUPROF_COUNTERS", "./build/libcounters.so"))
_body = ctypes.CFUNCTYPE(None)
_library.counters_measure.restype = ctypes.c_char_p
_library.counters_measure.argtypes = ctypes.c_char_p, _body
_library.counters_begin.argtypes = (ctypes.c_char_p,)


@contextlib.contextmanager
def scope(name):
    """A range of the report, within the function that is measured."""
    _library.counters_begin(name.encode())
    try:
        yield
    finally:
        _library.counters_end()


def measure(function, *metrics):
    """Runs the function once for each pass. Returns a list of dicts with range, metric, unit and value."""
    raised = []

    def body():
        try:
            function()
        except BaseException as why:  # ctypes would print it and go on
            raised.append(why)

    text = _library.counters_measure(",".join(metrics).encode(), _body(body)).decode()
    if raised:
        raise raised[0]
    if text.startswith("error: "):
        raise RuntimeError(text[len("error: "):])
    rows = list(csv.DictReader(text.splitlines()))
    for row in rows:
        row["value"] = float(row["value"])
    return rows
