// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of info.hpp.
#ifndef GPUPROF_METRIC_INFO_INL_HPP
#define GPUPROF_METRIC_INFO_INL_HPP

#include <string>
#include <string_view>

#include "../text/printable.hpp"
#include "device_attributes.hpp"
#include "info.hpp"
#include "nearest.hpp"
#include "provider_metrics.hpp"

GPUPROF_NAMESPACE_BEGIN

GPUPROF_COLD GPUPROF_INLINE metric_info::metric_info(metric_ref const& of)
    : name{of.name}, value_unit{of.value_unit}, aggregation{of.aggregation}, kind{of.kind}, source{of.source} {}

GPUPROF_INLINE result<metric_info> try_metric(std::string_view text) {
    constexpr std::string_view source = "source:";
    constexpr std::string_view legacy = "legacy:";
    bool const of_source = text.starts_with(source);
    if (of_source) text.remove_prefix(source.size());
    metric_name const parts = parse_metric_name(text);
    if (of_source && parts.valid() && parts.source() != metric_source::source_counter)
        return error{errc::unknown_metric, 0, detail::printable(text),
                     "\"source:\" is for what the patched program counts at each instruction", "leave it out"};
    // Of the patched program's names, these two are also those of events (tests/legacy/named.test.cpp looks for more).
    if (!of_source && (text == "inst_executed" || text == "thread_inst_executed"))
        return error{errc::invalid_argument, 0, std::string{text},
                     "this is the name of a source metric and of a legacy event or metric",
                     "write \"source:" + std::string{text} + "\", or use try_legacy_metric"};
    if (text.starts_with(legacy))
        return error{errc::unknown_metric, 0, detail::printable(text), "this is a legacy name",
                     "use try_legacy_metric (gpuprof/legacy.hpp)"};
    if (parts.valid())
        return metric_info{metric_ref{text, parts.value_unit(), parts.aggregation(), parts.kind(), parts.source()}};
    bool const no_name = parts.fault() == name_fault::empty || parts.fault() == name_fault::too_long ||
                         parts.fault() == name_fault::embedded_nul;
    error why{no_name ? errc::invalid_argument : errc::unknown_metric, 0, "metric name",
              std::string{describe(parts.fault())}, ""};
    if (!no_name) {
        why.what += " \"" + detail::printable(text) + '"';
        why.cause += ": \"" + detail::printable(parts.fault_part()) + '"';
        constexpr std::string_view attribute = "device__attribute_";
        if (parts.fault() == name_fault::unknown_provider_metric) why.remedy = detail::perhaps(text, provider_metrics);
        if (text.starts_with(attribute))
            why.remedy = detail::perhaps(text.substr(attribute.size()), device_attributes, attribute);
    }
    return why;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_INFO_INL_HPP
