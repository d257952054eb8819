// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a throughput is made of, as a set of metrics, for one chip at compile time.
#ifndef GPUPROF_METRIC_BREAKDOWN_HPP
#define GPUPROF_METRIC_BREAKDOWN_HPP

#include <cstddef>
#include <string_view>
#include <utility>

#include "../core/chip.hpp"
#include "../detail/config.hpp"
#include "../detail/fixed_string.hpp"
#include "metric.hpp"
#include "metric_sets.hpp"
#include "spelled.hpp"
#include "throughput_constituents.hpp"
#include "throughput_row.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {

// The chip's throughput whose name shares the longest beginning with `base`, for a compiler's message.
[[nodiscard]] constexpr std::string_view neighbour_throughput(chip on, std::string_view base) noexcept {
    std::string_view best;
    std::size_t most = 0;
    for (throughput_row const& row : throughput_rows) {
        if (!row.is_on(on)) continue;
        std::string_view const name = row.name;
        std::size_t shared = 0;
        while (shared < name.size() && shared < base.size() && name[shared] == base[shared]) ++shared;
        if (best.empty() || shared > most) {
            best = name;
            most = shared;
        }
    }
    return best;
}

enum class breakdown_fault : unsigned char {
    none,
    malformed,     // the descriptor's to refuse
    not_on_chip,   // another chip has this throughput; the closest that this one has is shown
    no_parts_known // CUPTI does not tell what it is made of
};

// A throughput's full name with the prefix, which the asker may leave out.
template <fixed_string Name>
[[nodiscard]] consteval auto with_breakdown_prefix() noexcept {
    if constexpr (Name.view().starts_with(breakdown_prefix)) {
        return Name;
    } else {
        fixed_string<breakdown_prefix.size() + Name.size()> text;
        for (std::size_t i = 0; i < breakdown_prefix.size(); ++i) text.data_[i] = breakdown_prefix[i];
        for (std::size_t i = 0; i < Name.size(); ++i) text.data_[breakdown_prefix.size() + i] = Name.view()[i];
        return text;
    }
}

// @tparam Name with the prefix
template <chip Chip, fixed_string Name>
[[nodiscard]] consteval breakdown_fault breakdown_fault_on() noexcept {
    if (fault_of(parts_of<Name>, metric_origin::listed_chip) != name_fault::none) return breakdown_fault::malformed;
    throughput_row const* const row = find_throughput(Chip, parts_of<Name>.listed_base());
    if (row == nullptr) return breakdown_fault::not_on_chip;
    return *row->parts == '\0' ? breakdown_fault::no_parts_known : breakdown_fault::none;
}

template <chip Chip, fixed_string Name>
struct shown_of_breakdown {
    [[nodiscard]] static consteval std::string_view text() noexcept {
        return neighbour_throughput(Chip, parts_of<Name>.listed_base());
    }
};

template <chip Chip, breakdown_fault Fault, class Shown>
struct refused_breakdown {};
template <breakdown_fault Fault>
struct breakdown_verdict_of {
    template <chip Chip, fixed_string Name>
    using type = refused_breakdown<Chip, Fault, spelled<shown_of_breakdown<Chip, Name>>>;
};
template <>
struct breakdown_verdict_of<breakdown_fault::none> {
    template <chip, fixed_string>
    using type = accepted;
};
template <>
struct breakdown_verdict_of<breakdown_fault::malformed> {
    template <chip, fixed_string Name>
    using type = verdict<Name, metric_origin::listed_chip>;
};
template <chip Chip, fixed_string Name>
using breakdown_verdict = typename breakdown_verdict_of<breakdown_fault_on<Chip, Name>()>::template type<Chip, Name>;

template <class Set, chip Chip, breakdown_fault Fault, class Shown>
struct check<Set, refused_breakdown<Chip, Fault, Shown>> {
    static_assert(Fault != breakdown_fault::not_on_chip,
                  "gpuprof: this chip has no throughput of this name; the closest that it has stands beside");
    static_assert(Fault != breakdown_fault::no_parts_known,
                  "gpuprof: CUPTI does not tell what this throughput is made of");
    using type = Set;
};

// The full names of the constituents. @tparam Name with the prefix
template <chip Chip, fixed_string Name, breakdown_depth Depth>
struct breakdown_names {
    static constexpr constituent_list list = constituents_of(Chip, parts_of<Name>.listed_base(), Depth);
    // What follows the throughput's base name, and so its constituents': ".avg.pct_of_peak_sustained_elapsed".
    static constexpr std::string_view suffix = parts_of<Name>.bare().substr(parts_of<Name>.listed_base().size());

    template <std::size_t Length>
    [[nodiscard]] static consteval fixed_string<Length> joined(std::string_view base) noexcept {
        fixed_string<Length> text;
        for (std::size_t i = 0; i < Length; ++i) text.data_[i] = i < base.size() ? base[i] : suffix[i - base.size()];
        return text;
    }
    template <std::size_t At>
    static constexpr auto name = joined<list.bases[At].size() + suffix.size()>(list.bases[At]);
};

template <class Names, class Places>
struct breakdown_set;
template <class Names, std::size_t... At>
struct breakdown_set<Names, std::index_sequence<At...>> {
    using type = metric_set<metric_descriptor<Names::template name<At>>...>;
};
template <class Names>
using breakdown_set_of = typename breakdown_set<Names, std::make_index_sequence<Names::list.count>>::type;

} // namespace detail

// The constituents of a throughput on a chip, with the throughput's roll-up and sub-metric, as CUPTI 13.0 has them (Nsight
// Compute guide 2023.3, 3.2: the throughput is the highest of them). A set of metrics, so that one profiler collects them:
//
//     constexpr auto parts = breakdown_on<chip::gh100, "sm__throughput.avg.pct_of_peak_sustained_elapsed">;
//     profiler each{gpu, parts};
//
// "breakdown:" may stand in front of the name. What is no throughput of the chip does not compile, and the message shows the
// closest name that the chip has. Nothing at run time. No catalogue need be included. (A fourth argument is not for users.)
// For names and chips known at run time see try_breakdown.
#if defined(__clang__) // as metric<…>
template <chip Chip, fixed_string Name, breakdown_depth Depth = breakdown_depth::one_level,
          class Verdict = detail::breakdown_verdict<Chip, detail::with_breakdown_prefix<Name>()>>
    requires(detail::is_accepted<Verdict>) // which fault: see breakdown_fault above, or name_fault in metric/name.hpp
inline constexpr detail::breakdown_set_of<detail::breakdown_names<Chip, detail::with_breakdown_prefix<Name>(), Depth>>
    breakdown_on{};
#else
template <chip Chip, fixed_string Name, breakdown_depth Depth = breakdown_depth::one_level,
          class Verdict = detail::breakdown_verdict<Chip, detail::with_breakdown_prefix<Name>()>>
inline constexpr auto breakdown_on = typename detail::check<
    detail::breakdown_set_of<detail::breakdown_names<Chip, detail::with_breakdown_prefix<Name>(), Depth>>,
    Verdict>::type{};
#endif

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_BREAKDOWN_HPP
