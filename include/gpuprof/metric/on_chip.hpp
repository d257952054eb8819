// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A metric's name checked against one chip at compile time.
#ifndef GPUPROF_METRIC_ON_CHIP_HPP
#define GPUPROF_METRIC_ON_CHIP_HPP

#include <string_view>

#include "catalogue.hpp"
#include "base_name.hpp"
#include "../core/chip.hpp"
#include "../detail/config.hpp"
#include "../detail/fixed_string.hpp"
#include "metric.hpp"
#include "spelled.hpp"

GPUPROF_NAMESPACE_BEGIN

// Whether the chip can evaluate exactly this name. Include the chip's catalogue first: <gpuprof/metric/catalogue/gh100.hpp>. Costs
// the compiler a binary search.
template <chip Chip, fixed_string Name>
inline constexpr bool has_metric = catalogue_of<Chip>.contains(Name.view());

namespace detail {

enum class chip_fault : unsigned char {
    none,
    malformed,           // the descriptor's to refuse
    no_such_base,        // no counter, ratio or throughput of this name; the closest that the chip has is shown
    not_with_this_suffix // the metric, but not with this roll-up or sub-metric, which is shown
};

template <chip Chip, fixed_string Name>
[[nodiscard]] consteval chip_fault fault_on() noexcept {
    if (has_metric<Chip, Name>) return chip_fault::none;
    if (!parts_of<Name>.valid()) return chip_fault::malformed;
    return catalogue_of<Chip>.find(base_name(Name.view())) ? chip_fault::not_with_this_suffix
                                                           : chip_fault::no_such_base;
}

template <chip Chip, fixed_string Name>
struct shown_on {
    [[nodiscard]] static consteval std::string_view text() noexcept {
        std::string_view const base = base_name(Name.view());
        if (catalogue_of<Chip>.find(base)) return Name.view().substr(base.size());
        return catalogue_of<Chip>.neighbour(base).name;
    }
};

template <chip Chip, chip_fault Fault, class Shown>
struct refused_on {};
template <chip_fault Fault>
struct verdict_on_of {
    template <chip Chip, fixed_string Name>
    using type = refused_on<Chip, Fault, spelled<shown_on<Chip, Name>>>;
};
template <>
struct verdict_on_of<chip_fault::none> {
    template <chip, fixed_string>
    using type = accepted;
};
template <>
struct verdict_on_of<chip_fault::malformed> {
    template <chip, fixed_string Name>
    using type = verdict<Name, metric_origin::newer_chip>;
};
template <chip Chip, fixed_string Name>
using verdict_on = typename verdict_on_of<fault_on<Chip, Name>()>::template type<Chip, Name>;

template <class Descriptor, chip Chip, chip_fault Fault, class Shown>
struct check<Descriptor, refused_on<Chip, Fault, Shown>> {
    static_assert(
        Fault != chip_fault::no_such_base,
        "gpuprof: this chip's catalogue has no counter, ratio or throughput of this name; the closest that it "
        "has stands beside");
    static_assert(Fault != chip_fault::not_with_this_suffix,
                  "gpuprof: this chip has the metric, but not with this roll-up or sub-metric");
    using type = Descriptor;
};

} // namespace detail

// `metric<Name>`, known to exist on `Chip`: `metric_on<chip::gh100, "sm__inst_executed.sum">`. Otherwise it does not
// compile, and the message shows the name and the closest one that the chip has. Include the chip's catalogue
// first: <gpuprof/metric/catalogue/gh100.hpp>. The same type and value as metric<Name>; no cost at run time. (A third
// argument is not for users.)
#if defined(__clang__) // as metric<…>
template <chip Chip, fixed_string Name, class Verdict = detail::verdict_on<Chip, Name>>
    requires(detail::is_accepted<Verdict>) // which fault: see chip_fault above
inline constexpr metric_descriptor<Name> metric_on{};
#else
template <chip Chip, fixed_string Name, class Verdict = detail::verdict_on<Chip, Name>>
inline constexpr metric_descriptor<Name> metric_on = typename detail::check<metric_descriptor<Name>, Verdict>::type{};
#endif

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_ON_CHIP_HPP
