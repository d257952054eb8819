// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A metric's name checked against one chip at compile time. Layer: vocabulary; includes no CUDA header.
#ifndef GPUPROF_METRIC_ON_CHIP_HPP
#define GPUPROF_METRIC_ON_CHIP_HPP

#include <cstddef>     // std::size_t
#include <string_view> // slices of names
#include <utility>     // std::index_sequence

#include "catalogue.hpp"
#include "base_name.hpp"
#include "../core/chip.hpp"
#include "../detail/config.hpp"
#include "../detail/fixed_string.hpp"
#include "metric.hpp"

GPUPROF_NAMESPACE_BEGIN

// Whether the chip can evaluate exactly this name. Include the chip's catalogue first: <gpuprof/metric/catalogue/gh100.hpp>. Costs
// the compiler a binary search.
template <chip Chip, fixed_string Name>
inline constexpr bool has_metric = catalogue_of<Chip>.contains(Name.view());

namespace detail {
// A text as the diagnostic shows it: by its characters, because not every compiler spells out a string among template
// arguments.
template <char... Characters>
struct spelled {};

template <fixed_string Text, std::size_t... At>
spelled<Text.data_[At]...> spell(std::index_sequence<At...>);

template <std::size_t Length>
consteval fixed_string<Length> fixed_slice(std::string_view text) {
    fixed_string<Length> slice;
    for (std::size_t i = 0; i < Length; ++i) slice.data_[i] = text[i];
    return slice;
}

template <chip Chip, class UnknownBase, class DidYouMean>
consteval void refuse_base() {
    static_assert(Chip != Chip,
                  "gpuprof: this chip's catalogue has no counter, ratio or throughput of this name (its "
                  "characters, and those of the closest name that the chip has, stand beside this message)");
}
template <chip Chip, class Base, class UnknownRest>
consteval void refuse_rest() {
    static_assert(Chip != Chip,
                  "gpuprof: this chip has the metric, but not with this roll-up or sub-metric (its characters "
                  "stand beside this message)");
}

template <fixed_string Text>
using spelling = decltype(spell<Text>(std::make_index_sequence<Text.size()>{}));

// A name that is malformed is the descriptor's to refuse; here a well-formed one is looked up.
template <chip Chip, fixed_string Name>
consteval metric_descriptor<Name> checked_on() {
    if constexpr (metric_descriptor<Name>::parts().valid() && !has_metric<Chip, Name>) {
        constexpr std::string_view base = base_name(Name.view());
        constexpr std::string_view rest = Name.view().substr(base.size());
        if constexpr (catalogue_of<Chip>.find(base)) {
            refuse_rest<Chip, spelling<fixed_slice<base.size()>(base)>, spelling<fixed_slice<rest.size()>(rest)>>();
        } else if constexpr (constexpr std::string_view meant = catalogue_of<Chip>.neighbour(base).name;
                             !meant.empty()) {
            refuse_base<Chip, spelling<fixed_slice<base.size()>(base)>, spelling<fixed_slice<meant.size()>(meant)>>();
        }
    }
    return {};
}
} // namespace detail

// `metric<Name>`, known to exist on `Chip`: `metric_on<chip::gh100, "sm__inst_executed.sum">`. Otherwise it does not
// compile, and the message shows the part at fault and the closest name that the chip has. Include the chip's catalogue
// first: <gpuprof/metric/catalogue/gh100.hpp>. The same type and value as metric<Name>; no cost at run time.
template <chip Chip, fixed_string Name>
inline constexpr metric_descriptor<Name> metric_on = detail::checked_on<Chip, Name>();

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_ON_CHIP_HPP
