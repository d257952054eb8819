// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a throughput is made of, for a chip and a name that are known at run time.
#ifndef GPUPROF_METRIC_BREAKDOWN_LOOKUP_HPP
#define GPUPROF_METRIC_BREAKDOWN_LOOKUP_HPP

#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/chip.hpp"
#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../text/printable.hpp"
#include "base_metric.hpp"
#include "base_name.hpp"
#include "listed_throughputs.hpp"
#include "info.hpp"
#include "listed.hpp"
#include "name.hpp"
#include "nearest.hpp"
#include "throughput_constituents.hpp"
#include "throughput_row.hpp"

GPUPROF_NAMESPACE_BEGIN

// The throughputs of a chip by their base names, in the order of these.
[[nodiscard]] inline std::vector<std::string_view> throughputs_of(chip on) {
    std::vector<std::string_view> names;
    for (detail::throughput_row const& row : detail::throughput_rows)
        if (row.is_on(on)) names.emplace_back(row.name);
    return names;
}

// The constituents of a throughput on a chip, with the throughput's roll-up and sub-metric, as CUPTI 13.0 has them (Nsight
// Compute guide 2023.3, 3.2: the throughput is the highest of them), to be given to profiler::try_create.
// throughput: "sm__throughput.avg.pct_of_peak_sustained_elapsed", or the same after "breakdown:".
// Errors: unknown_metric for what is no throughput of the chip, with the nearest names that it has; unavailable for one of
// which CUPTI tells no constituents. Any input is fine. Cost: microseconds; on failure that of `nearest`. Thread-safe.
[[nodiscard]] inline result<std::vector<metric_info>>
try_breakdown(chip on, std::string_view throughput, breakdown_depth depth = breakdown_depth::one_level) {
    std::string_view const bare =
        throughput.starts_with(breakdown_prefix) ? throughput.substr(breakdown_prefix.size()) : throughput;
    metric_name const parts = parse_metric_name(bare);
    std::string_view const base = base_name(bare);
    bool const of_hardware = parts.source() == metric_source::hardware || parts.source() == metric_source::sass;
    if (parts.valid() && parts.kind() != metric_kind::throughput && (!of_hardware || detail::is_listed(base)))
        return unknown_name(bare, describe(name_fault::breakdown_of_no_throughput), throughputs_of(on),
                            "ask for that of a throughput, such as sm__throughput.avg.pct_of_peak_sustained_elapsed");
    std::string_view const suffix = bare.substr(base.size());
    if (detail::find_throughput(on, base) == nullptr || !parts.valid())
        return unknown_metric(bare, name(on), throughputs_of(on), sub_metrics(metric_kind::throughput));
    std::vector<metric_info> made_of;
    for (std::string_view const each : detail::constituents_of(on, base, depth)) {
        auto part = try_metric(detail::joined({each, suffix}));
        if (!part) return std::move(part).error();
        made_of.push_back(*std::move(part));
    }
    if (made_of.empty())
        return error{errc::unavailable, 0, detail::joined({"the breakdown of ", bare}),
                     "CUPTI does not tell what this throughput is made of", "ask for the throughput itself"};
    return made_of;
}

// The same for a chip by name, "GH100" in letters of any case, as device::chip() gives it. Errors: also unavailable for a
// chip that gpuprof has no list of, with those nearest.
[[nodiscard]] inline result<std::vector<metric_info>>
try_breakdown(std::string_view chip_name, std::string_view throughput,
              breakdown_depth depth = breakdown_depth::one_level) {
    if (auto const known = find_chip(chip_name)) return try_breakdown(*known, throughput, depth);
    std::vector<std::string_view> names;
    names.reserve(std::size(all_chips));
    for (chip const each : all_chips) names.push_back(name(each));
    std::string capital{chip_name};
    for (char& c : capital)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    std::string remedy = detail::perhaps(capital, names);
    if (remedy.empty()) remedy = "all_chips has the chips that there are lists of";
    return error{errc::unavailable, 0, detail::joined({"the breakdown of ", detail::printable(throughput)}),
                 detail::joined({"there is no list of throughputs for a chip \"", detail::printable(chip_name), "\""}),
                 remedy};
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_BREAKDOWN_LOOKUP_HPP
