// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A metric whose name is known only at run time.
#ifndef GPUPROF_METRIC_INFO_HPP
#define GPUPROF_METRIC_INFO_HPP

#include <string>
#include <string_view>

#include "metric.hpp"
#include "../core/result.hpp"

GPUPROF_NAMESPACE_BEGIN

// A metric_ref that owns its name; made from a descriptor, or from a string by try_metric.
struct metric_info {
    std::string name;
    unit value_unit;
    gpuprof::aggregation aggregation = gpuprof::aggregation::mean;
    metric_kind kind = metric_kind::counter;
    metric_source source = metric_source::hardware;

    metric_info() = default;
    metric_info(metric_ref const& of); // NOLINT(google-explicit-constructor): a twin
    template <metric_like Metric>
    metric_info(Metric const&) : metric_info{Metric::ref()} {} // NOLINT(google-explicit-constructor): a twin

    [[nodiscard]] metric_ref ref() const noexcept { return {name, value_unit, aggregation, kind, source}; }
};

// The metric of that name. "source:" before it says that the patched program's is meant, where an event of the event hardware
// bears the same name ("inst_executed"); without it such a name is errc::invalid_argument, and the error tells both. For
// legacy names see try_legacy_metric. Fails with errc::unknown_metric, or errc::invalid_argument for a text that no name can be
// (empty, too long, with a NUL); the error shows the part at fault. Allocates the name; thread-safe.
[[nodiscard]] result<metric_info> try_metric(std::string_view text);

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "info.inl.hpp"
#endif

#endif // GPUPROF_METRIC_INFO_HPP
