// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a section is: a question about a kernel, and the values that answer it. Pure data.
#ifndef GPUPROF_EXPLAIN_SECTION_HPP
#define GPUPROF_EXPLAIN_SECTION_HPP

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "../core/compute_capability.hpp"
#include "../detail/config.hpp"
#include "../detail/fixed_string.hpp"
#include "../metric/metric.hpp"
#include "../metric/metric_sets.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// One line of a section: a value with the words that people know it by. With `over`, the value is the quotient of both.
struct section_row {
    std::string_view label;  // "Registers per thread"
    std::string_view metric; // with roll-up and sub-metric
    std::string_view over{}; // empty: `metric` alone
};

// A group of values that belong together (Nsight Compute guide, 2.2). A section of one's own is an array of rows and one
// of these:
//
//     static constexpr explain::section_row rows[]{{"Instructions", "smsp__inst_executed.sum"}};
//     static constexpr explain::section mine{"mine", "My section", "What I always look at.", rows};
struct section {
    std::string_view id; // "launch_statistics": stable, for programs
    std::string_view title;
    std::string_view description;
    std::span<section_row const> rows;
    compute_capability least{7, 0}; // chips before it do not have the section
    compute_capability most{99, 0}; // nor do those after it

    [[nodiscard]] constexpr bool is_for(compute_capability chip) const noexcept {
        return least <= chip && chip <= most;
    }
};

// A list of sections with a name.
struct set {
    std::string_view name;
    std::span<section const* const> sections;

    // What ncu's sets of these names hold; see sections.hpp. basic is for a first look, full has everything but the links
    // between GPUs.
    static const set basic, detailed, full, roofline, links;
};

namespace detail {
// The metric of a row as a descriptor.
template <std::size_t Size>
[[nodiscard]] consteval fixed_string<Size> fixed_copy(std::string_view name) noexcept {
    fixed_string<Size> copy;
    for (std::size_t i = 0; i < Size; ++i) copy.data_[i] = name[i];
    return copy;
}
template <section const& Of, std::size_t Row>
using descriptor_of = metric_descriptor<fixed_copy<Of.rows[Row].metric.size()>(Of.rows[Row].metric)>;
template <section const& Of, std::size_t... Rows>
[[nodiscard]] consteval auto metrics_of_rows(std::index_sequence<Rows...>) noexcept {
    return set_of(descriptor_of<Of, Rows>{}...);
}
} // namespace detail

// The metrics of a section's rows as descriptors, without those that rows are divided by, for profilers with typed
// values: profiler prof{gpu, explain::metrics_of<sections::occupancy>}. A row whose name is no metric does not compile.
template <section const& Of>
inline constexpr auto metrics_of = detail::metrics_of_rows<Of>(std::make_index_sequence<Of.rows.size()>{});

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_SECTION_HPP
