// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A metric's name taken apart, or the part of it that is wrong.
#ifndef GPUPROF_METRIC_NAME_HPP
#define GPUPROF_METRIC_NAME_HPP

#include <cstddef>
#include <string_view>

#include "decoder.hpp"
#include "kind.hpp"
#include "../core/unit.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
class name_parser;
}

// Why a text is not the name of something that can be evaluated.
enum class name_fault : unsigned char {
    none,
    empty,
    too_long,                     // more than metric_name::max_size characters
    embedded_nul,                 // a NUL inside: CUPTI would read another name
    bad_character,                // anything but letters, digits, '_', '.', ':'
    malformed_base,               // no "unit__quantity" in it, or one side of it is empty
    unknown_unit,                 // what precedes the "__" is no unit of the GPU and no other provider
    unknown_provider_metric,      // the provider (launch__, nvlink__, …) has no metric of that name
    missing_rollup,               // a counter or throughput without .sum, .avg, .min or .max
    missing_ratio_submetric,      // a ratio without .pct, .ratio or .max_rate
    missing_throughput_submetric, // a throughput without .pct_of_peak_sustained_…
    unknown_rollup,
    unknown_submetric,
    withdrawn_burst,            // .peak_burst and .pct_of_peak_burst_… exist no more since CUPTI 11.3
    submetric_not_of_this_kind, // .pct of a counter, .sum of a ratio, .per_second of a throughput
    breakdown_of_no_throughput, // breakdown: before something else than a throughput
    // Not of the grammar: what metric<…> refuses, since no chip of CUPTI 13.0 has it, unless told that a newer one does.
    unlisted_base,     // smsp__inst_exceuted
    unlisted_submetric // of a region or a frame
};

// A name's parts. Trivially copyable; the slices look into the text that was parsed, which must outlive them, and are
// empty for what is absent. An invalid name has a fault and the slice at fault; its other parts mean nothing.
// Grammar: CUPTI 12.0, 2.8.1; Nsight Compute guide 3.2.
class metric_name {
public:
    static constexpr std::size_t max_size = 512;

    // The slices. Of "SM_A.TriageCompute.l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld.sum.per_second" they are, in
    // order: all of it, "SM_A.TriageCompute" (the trigger group), "l1tex" (or another provider: "launch"),
    // "l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld", "" (where in the unit, unless stage or interface), "m",
    // "xbar2l1tex" (sender to receiver), "read_sectors" (with the words that belong to it), "mem_lg_op_ld".
    // A prefix goes before all of that: "breakdown" (of a throughput: the metrics that it is the highest of) or "pmsampling"
    // (the metric over time); `bare` is what follows its colon, or the whole text.
    [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }
    [[nodiscard]] constexpr std::string_view prefix() const noexcept { return slice(prefix_); }
    [[nodiscard]] constexpr std::string_view bare() const noexcept { return text_.substr(bare_begin()); }
    // As a catalogue has it: trigger group and base.
    [[nodiscard]] constexpr std::string_view listed_base() const noexcept {
        return {text_.data() + bare_begin(), base_.end - bare_begin()};
    }
    [[nodiscard]] constexpr std::string_view trigger() const noexcept { return slice(trigger_); }
    [[nodiscard]] constexpr std::string_view hw_unit() const noexcept { return slice(hw_unit_); }
    [[nodiscard]] constexpr std::string_view base() const noexcept { return slice(base_); }
    [[nodiscard]] constexpr std::string_view subunit() const noexcept { return slice(subunit_); }
    [[nodiscard]] constexpr std::string_view stage() const noexcept { return slice(stage_); }
    [[nodiscard]] constexpr std::string_view interface_a2b() const noexcept { return slice(interface_); }
    [[nodiscard]] constexpr std::string_view quantity() const noexcept { return slice(quantity_); }
    [[nodiscard]] constexpr std::string_view qualifiers() const noexcept { return slice(qualifiers_); }

    [[nodiscard]] constexpr gpuprof::rollup rollup() const noexcept { return rollup_; }
    [[nodiscard]] constexpr gpuprof::submetric submetric() const noexcept { return submetric_; }
    [[nodiscard]] constexpr metric_kind kind() const noexcept { return kind_; }
    [[nodiscard]] constexpr metric_source source() const noexcept { return source_; }

    // The unit of the counter or ratio, before any sub-metric.
    [[nodiscard]] constexpr unit base_unit() const noexcept { return base_unit_; }
    // The unit of the value that this name evaluates to.
    [[nodiscard]] constexpr unit value_unit() const noexcept {
        using enum gpuprof::submetric;
        switch (submetric_) {
            case none:
            case ratio:
            case max_rate: return base_unit_;
            case pct:
            case pct_of_peak_sustained_active:
            case pct_of_peak_sustained_elapsed:
            case pct_of_peak_sustained_region:
            case pct_of_peak_sustained_frame: return percent_unit;
            case per_second:
            case peak_sustained_active_per_second:
            case peak_sustained_elapsed_per_second:
            case peak_sustained_region_per_second:
            case peak_sustained_frame_per_second: return base_unit_ / unit_of(dimension::second);
            default: return base_unit_ / unit_of(clock_);
        }
    }
    // How values of several executions become one.
    [[nodiscard]] constexpr gpuprof::aggregation aggregation() const noexcept {
        if (kind_ == metric_kind::number) return counts_ ? aggregation::sum : aggregation::mean;
        if (kind_ != metric_kind::counter || submetric_ != submetric::none) return aggregation::mean;
        if (rollup_ == rollup::min) return aggregation::minimum;
        return rollup_ == rollup::max ? aggregation::maximum : aggregation::sum;
    }
    // Whether the value is a number (of value_unit), not a text and not several metrics.
    [[nodiscard]] constexpr bool is_number() const noexcept {
        return kind_ != metric_kind::text && kind_ != metric_kind::group;
    }

    [[nodiscard]] constexpr bool valid() const noexcept { return fault_ == name_fault::none; }
    [[nodiscard]] constexpr name_fault fault() const noexcept { return fault_; }
    [[nodiscard]] constexpr std::string_view fault_part() const noexcept {
        return text_.substr(fault_begin_, fault_end_ - fault_begin_);
    }

private:
    friend class detail::name_parser;

    // Positions instead of string_views: cheaper to make while compiling.
    struct range {
        unsigned short begin = 0;
        unsigned short end = 0;
    };
    [[nodiscard]] constexpr std::size_t bare_begin() const noexcept {
        return prefix_.end != 0 ? prefix_.end + std::size_t{1} : 0;
    }
    [[nodiscard]] constexpr std::string_view slice(range of) const noexcept {
        return {text_.data() + of.begin, static_cast<std::size_t>(of.end - of.begin)};
    }

    std::string_view text_;
    range prefix_, trigger_, hw_unit_, base_, subunit_, stage_, interface_, quantity_, qualifiers_;
    gpuprof::rollup rollup_ = gpuprof::rollup::none;
    gpuprof::submetric submetric_ = gpuprof::submetric::none;
    metric_kind kind_ = metric_kind::counter;
    metric_source source_ = metric_source::hardware;
    dimension clock_ = dimension::none; // the cycle of the unit's clock
    bool counts_ = false;               // another provider's number that adds up
    name_fault fault_ = name_fault::none;
    unit base_unit_;
    std::size_t fault_begin_ = 0;
    std::size_t fault_end_ = 0;
};

// Takes a name apart in one pass. Never fails: look at `fault`. No allocation; usable in constant expressions;
// thread-safe. Checks the grammar, the unit, the roll-up and the sub-metric; whether a chip has such a counter is the
// catalogue's business.
[[nodiscard]] constexpr metric_name parse_metric_name(std::string_view text) noexcept;

// What is wrong, for people: "the roll-up is not one of .sum, .avg, .min, .max". Empty for name_fault::none.
[[nodiscard]] constexpr std::string_view describe(name_fault fault) noexcept {
    switch (fault) {
        case name_fault::none: return "";
        case name_fault::empty: return "the name is empty";
        case name_fault::too_long: return "the name has more than 512 characters";
        case name_fault::embedded_nul: return "the name has a NUL character in it";
        case name_fault::bad_character: return "the name has a character that no metric name has";
        case name_fault::malformed_base: return "the name is not of the form unit__quantity.rollup";
        case name_fault::unknown_unit: return "what stands before the double underscore is no unit of the GPU";
        case name_fault::unknown_provider_metric: return "this provider has no metric of that name";
        case name_fault::missing_rollup: return "a counter or throughput needs a roll-up: .sum, .avg, .min or .max";
        case name_fault::missing_ratio_submetric: return "a ratio needs .pct, .ratio or .max_rate";
        case name_fault::missing_throughput_submetric:
            return "a throughput needs .avg.pct_of_peak_sustained_elapsed or one of its relatives";
        case name_fault::unknown_rollup: return "the roll-up is not one of .sum, .avg, .min, .max";
        case name_fault::unknown_submetric: return "there is no such sub-metric";
        case name_fault::withdrawn_burst: return "burst sub-metrics were withdrawn; use the sustained ones";
        case name_fault::submetric_not_of_this_kind: return "counters, ratios and throughputs do not have this one";
        case name_fault::breakdown_of_no_throughput: return "only a throughput has a breakdown";
        case name_fault::unlisted_base: return "no known chip has this metric";
        case name_fault::unlisted_submetric: return "no known chip has the sub-metrics of a region or frame";
    }
    return "unknown fault";
}

GPUPROF_NAMESPACE_END

#include "parse_name.hpp" // parse_metric_name

#endif // GPUPROF_METRIC_NAME_HPP
