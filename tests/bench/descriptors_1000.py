#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a translation unit with 1,000 distinct metric descriptors and the type of each one's value to stdout.

The names are taken evenly from those that CUPTI lists (include/gpuprof/metric/catalogue/base_metrics.hpp), each with one of
its kind's sub-metrics. Compile it with -fsyntax-only to see what a metric costs: the promise is 1 s for all.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROLLUPS = [".sum", ".avg", ".min", ".max"]
SUBMETRICS = {
    "counter": [r + s for r in ROLLUPS for s in ("", ".per_second", ".per_cycle_active", ".per_cycle_elapsed",
                                                 ".peak_sustained", ".peak_sustained_active.per_second",
                                                 ".pct_of_peak_sustained_elapsed")],
    "ratio": [".pct", ".ratio", ".max_rate"],
    "throughput": [r + ".pct_of_peak_sustained_elapsed" for r in ROLLUPS],
}
COUNT = 1000

text = (ROOT / "include/gpuprof/metric/catalogue/base_metrics.hpp").read_text()
bases = re.findall(r'\{"([^"]+)", metric_kind::(\w+),', text)
assert len(bases) > COUNT
chosen = bases[:: len(bases) // COUNT][:COUNT]

print('#include <gpuprof/metric/metric.hpp>')
for number, (base, kind) in enumerate(chosen):
    suffixes = SUBMETRICS[kind]
    name = base + suffixes[number % len(suffixes)]
    print(f'using value_{number} = gpuprof::metric_value<decltype(gpuprof::metric<"{name}">)>;')
