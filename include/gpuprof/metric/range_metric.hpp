// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-metrics of a region or a frame, as those of the range that is measured.
#ifndef GPUPROF_METRIC_RANGE_METRIC_HPP
#define GPUPROF_METRIC_RANGE_METRIC_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "../core/result.hpp"
#include "../detail/fixed_string.hpp"
#include "info.hpp"
#include "metric.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Where the word of a region or frame stands in a metric's name, and what has its place. Of other names `length` is 0.
struct region_words {
    std::size_t at = 0;
    std::size_t length = 0;
};
inline constexpr std::string_view elapsed_word = "_elapsed";

[[nodiscard]] constexpr region_words find_region_words(std::string_view metric) noexcept {
    for (std::string_view const word : {std::string_view{"_in_region"}, std::string_view{"_in_frame"},
                                        std::string_view{"_region"}, std::string_view{"_frame"}}) {
        for (std::size_t at = metric.rfind('.') == metric.npos ? metric.size() : metric.find('.');
             at + word.size() <= metric.size(); ++at) {
            std::size_t const end = at + word.size();
            if (metric.substr(at, word.size()) == word && (end == metric.size() || metric[end] == '.'))
                return {at, word.size()};
        }
    }
    return {};
}

template <fixed_string Name>
[[nodiscard]] consteval auto of_range() noexcept {
    constexpr region_words found = find_region_words(Name.view());
    if constexpr (found.length == 0) {
        return Name;
    } else {
        fixed_string<Name.size() - found.length + elapsed_word.size()> made;
        std::size_t to = 0;
        for (std::size_t i = 0; i < found.at; ++i) made.data_[to++] = Name.data_[i];
        for (char const c : elapsed_word) made.data_[to++] = c;
        for (std::size_t i = found.at + found.length; i < Name.size(); ++i) made.data_[to++] = Name.data_[i];
        return made;
    }
}

} // namespace detail

// The documents have sub-metrics of a user's region and of a frame, and no chip of CUPTI 13.0 has them: per_cycle_in_region,
// peak_sustained_frame, pct_of_peak_sustained_region and others (CUPTI 12.0, 2.8.1). The region that a profiler measures is its
// range, a kernel or a scope, and for it they are those of elapsed cycles:
//
//     metric_of_range<"sm__inst_executed.sum.per_cycle_in_region"> is metric<"sm__inst_executed.sum.per_cycle_elapsed">
//
// Other names are what metric<> makes of them.
template <fixed_string Name>
inline constexpr auto metric_of_range = metric<detail::of_range<Name>()>;

// The same for a name of run time. Errors: those of try_metric().
[[nodiscard]] inline result<metric_info> try_metric_of_range(std::string_view text) {
    detail::region_words const found = detail::find_region_words(text);
    if (found.length == 0) return try_metric(text);
    std::string name{text.substr(0, found.at)};
    name += detail::elapsed_word;
    name += text.substr(found.at + found.length);
    return try_metric(name);
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_RANGE_METRIC_HPP
