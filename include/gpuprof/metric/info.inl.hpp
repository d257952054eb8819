// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of info.hpp. Layer: metric.
#ifndef GPUPROF_METRIC_INFO_INL_HPP
#define GPUPROF_METRIC_INFO_INL_HPP

#include <string>      // texts of an error
#include <string_view> // what is parsed

#include "../core/printable.hpp"
#include "device_attributes.hpp"
#include "info.hpp"
#include "nearest.hpp"
#include "provider_metrics.hpp"

GPUPROF_NAMESPACE_BEGIN

GPUPROF_COLD GPUPROF_INLINE metric_info::metric_info(metric_ref const& of)
    : name{of.name}, value_unit{of.value_unit}, aggregation{of.aggregation}, kind{of.kind}, source{of.source} {}

GPUPROF_DEFINE result<metric_info> try_metric(std::string_view text) {
    metric_name const parts = parse_metric_name(text);
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
