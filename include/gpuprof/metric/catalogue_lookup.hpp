// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A metric's name checked against a catalogue at run time.
#ifndef GPUPROF_METRIC_CATALOGUE_LOOKUP_HPP
#define GPUPROF_METRIC_CATALOGUE_LOOKUP_HPP

#include <span>
#include <string_view>

#include "catalogue.hpp"
#include "../detail/config.hpp"
#include "base_name.hpp"
#include "nearest.hpp"
#include "../core/result.hpp"

GPUPROF_NAMESPACE_BEGIN

// The base metric behind an evaluable name ("sm__inst_executed.sum" gives sm__inst_executed), or errc::unknown_metric with
// the nearest names that the chip has. Any input is fine. Cost: a binary search; on failure that of `nearest`.
[[nodiscard]] inline result<base_metric> try_find(catalogue const& in, std::string_view metric) {
    auto const base = in.find(base_name(metric));
    if (base && in.contains(metric)) return *base;
    return unknown_metric(metric, name(in.chip()), in,
                          base ? sub_metrics(base->kind) : std::span<std::string_view const>{});
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_CATALOGUE_LOOKUP_HPP
