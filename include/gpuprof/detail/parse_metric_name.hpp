// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parser of metric names. Layer: vocabulary; includes no CUDA header.
#ifndef GPUPROF_DETAIL_PARSE_METRIC_NAME_HPP
#define GPUPROF_DETAIL_PARSE_METRIC_NAME_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // hashes
#include <string_view> // slices

#include "../metric_decoder.hpp"
#include "../metric_name.hpp"
#include "../provider_metrics.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {

// Thousands of names are parsed while compiling, so this works on characters and hashes and calls little: constant
// evaluation pays for calls, and for the library's character loops most of all.
class name_parser {
public:
    constexpr explicit name_parser(std::string_view text) noexcept : p_{text.data()}, end_{text.size()} {
        name_.text = text;
    }

    constexpr metric_name parse() noexcept {
        if (end_ == 0) return fail(name_fault::empty, 0, 0);
        if (end_ > metric_name::max_size) return fail(name_fault::too_long, metric_name::max_size, end_);
        if (!find_unit()) return name_;
        if (name_.hw_unit.empty()) return parse_provider_metric();
        std::size_t const dot = parse_base();
        if (!name_.valid()) return name_;
        parse_suffix(dot);
        if (name_.valid()) set_values();
        return name_;
    }

private:
    enum class counts_as : unsigned char { counter, ratio, throughput };

    constexpr metric_name const& fail(name_fault fault, std::size_t begin, std::size_t end) noexcept {
        name_.fault = fault;
        name_.fault_part = slice(begin, end);
        return name_;
    }
    [[nodiscard]] constexpr std::string_view slice(std::size_t begin, std::size_t end) const noexcept {
        return {p_ + begin, end - begin};
    }
    // Refuses what no name contains. Called on characters that are neither '_' nor '.'.
    constexpr bool accept(std::size_t at) noexcept {
        char const c = p_[at];
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == ':') return true;
        fail(c == '\0' ? name_fault::embedded_nul : name_fault::bad_character, at, at + 1);
        return false;
    }

    // Finds "unit__", with or without a trigger group before it. Leaves hw_unit empty for other providers' names.
    constexpr bool find_unit() noexcept {
        std::size_t begin = 0;
        std::uint32_t hash = hash_seed;
        bool bare = true; // no '.' so far
        std::size_t i = 0;
        for (;; ++i) {
            if (i == end_) {
                begin = i = end_;
                break;
            }
            char const c = p_[i];
            if (c == '.') {
                begin = i + 1;
                hash = hash_seed;
                bare = false;
                continue;
            }
            if (c == '_') {
                if (i + 1 < end_ && p_[i + 1] == '_') break;
            } else if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) && !accept(i)) {
                return false;
            }
            hash = hash_step(hash, c);
        }
        if (i == end_) {
            if (bare && find_provider_metric(name_.text) != nullptr) return true;
            fail(name_fault::malformed_base, 0, end_);
            return false;
        }
        term const* const found = find_term(hash);
        if (found != nullptr && found->kind == term_kind::hw_unit) {
            if (begin > 0) name_.trigger = slice(0, begin - 1);
            name_.hw_unit = slice(begin, i);
            clock_ = found->of;
            body_ = i + 2;
            base_ = begin;
            return true;
        }
        if (is_provider(slice(0, i))) return true;
        fail(i == begin ? name_fault::malformed_base : name_fault::unknown_unit, begin, i == begin ? end_ : i);
        return false;
    }

    static constexpr bool is_provider(std::string_view prefix) noexcept {
        return prefix == "launch" || prefix == "device" || prefix == "nvlink" || prefix == "numa" || prefix == "derived" ||
               prefix == "sass" || prefix == "profiler" || prefix == "group:memory" || prefix == "group:smsp";
    }

    constexpr metric_name const& parse_provider_metric() noexcept {
        for (std::size_t i = 0; i < end_; ++i) {
            if (p_[i] != '_' && p_[i] != '.' && !accept(i)) return name_;
        }
        std::size_t const split = name_.text.find("__");
        name_.base = name_.text;
        if (split != std::string_view::npos) name_.hw_unit = slice(0, split);
        if (provider_metric const* const row = find_provider_metric(name_.text)) return take(*row);
        constexpr std::string_view attribute = "device__attribute_";
        constexpr std::string_view context_switches = "profiler__pmsampler_ctxsw_";
        if (name_.text.starts_with(attribute) && end_ > attribute.size() && name_.text.find('.') == name_.text.npos) {
            return take({"", metric_source::device, metric_kind::number, one, "", ""});
        }
        if (name_.text.starts_with(context_switches) && end_ > context_switches.size()) {
            return take({"", metric_source::profiler, metric_kind::number, one, "", ""});
        }
        return fail(name_fault::unknown_provider_metric, split == name_.text.npos ? 0 : split + 2, end_);
    }

    constexpr metric_name const& take(provider_metric const& row) noexcept {
        bool const counts = row.source == metric_source::warp_sampling || row.source == metric_source::source_counter ||
                            row.source == metric_source::opcode;
        name_.kind = row.kind;
        name_.source = row.source;
        name_.base_unit = name_.value_unit = row.of;
        name_.aggregation = counts && row.of != one ? aggregation::sum : aggregation::mean;
        return name_;
    }

    // Everything from the double underscore to the first '.' (or the end), whose index it returns.
    constexpr std::size_t parse_base() noexcept {
        std::size_t begin = body_;       // of the current word
        std::size_t quantity = 0;        // where the quantity begins, adjectives included
        std::size_t quantity_end = 0;    // 0: none found yet
        std::size_t adjectives = 0;      // where the adjectives directly before this word begin, 0: none
        std::size_t place_end = body_;   // end of the words that say where
        std::size_t place_begin = body_; // their begin
        term const* previous = nullptr;
        std::uint32_t hash = hash_seed;
        bool a2b = false;
        std::size_t i = body_;
        for (;; ++i) {
            char const c = i < end_ ? p_[i] : '.';
            if (c != '_' && c != '.') {
                if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) && !accept(i)) return i;
                if (c == '2' && i > begin && i + 1 < end_ && is_letter(p_[i - 1]) && is_letter(p_[i + 1])) a2b = true;
                hash = hash_step(hash, c);
                continue;
            }
            if (i == begin) {
                fail(name_fault::malformed_base, base_, i);
                return i;
            }
            term const* const found = find_term(hash);
            term_kind const kind = found != nullptr ? found->kind : term_kind::qualifier;
            note(found, kind, previous);
            if (quantity_end == 0) {
                if (kind == term_kind::quantity || (found != nullptr && kind == term_kind::maker && throughput_)) {
                    quantity = adjectives != 0 ? adjectives : begin;
                    quantity_end = i;
                } else if (begin == body_ && kind == term_kind::qualifier && is_sass(found)) {
                    name_.source = metric_source::sass;
                    place_begin = place_end = i + 1;
                } else if (a2b) {
                    name_.interface_a2b = slice(begin, i);
                } else if (kind == term_kind::stage && begin == place_begin && i - begin == 1) {
                    name_.stage = slice(begin, i);
                    place_begin = place_end = i + 1;
                } else if (kind == term_kind::adjective || kind == term_kind::singular) {
                    if (adjectives == 0) adjectives = begin;
                } else if (name_.interface_a2b.empty()) {
                    place_end = i;
                    adjectives = 0;
                }
            } else if (begin == quantity_end + 1 && (kind == term_kind::state || kind == term_kind::level)) {
                quantity_end = i;
            }
            previous = found;
            if (c == '.') break;
            begin = i + 1;
            hash = hash_seed;
            a2b = false;
        }
        name_.base = slice(base_, i);
        if (quantity_end == 0) { // no word for what is counted: all of it says what
            name_.quantity = slice(place_begin, i);
            return i;
        }
        name_.quantity = slice(quantity, quantity_end);
        if (place_end > place_begin) name_.subunit = slice(place_begin, place_end);
        if (quantity_end < i) name_.qualifiers = slice(quantity_end + 1, i);
        return i;
    }

    static constexpr bool is_letter(char c) noexcept { return c >= 'a' && c <= 'z'; }
    static constexpr bool is_sass(term const* found) noexcept {
        return found != nullptr && found->word[0] == 's' && found->word[1] == 'a' && found->word[2] == 's';
    }

    // Gathers what tells kind and unit: the words that count, on either side of a "per".
    constexpr void note(term const* found, term_kind kind, term const* previous) noexcept {
        if (kind == term_kind::quantity) {
            // The first plural counts, unless a later one says more than "event": workids_granted_as_ctas.
            if (counted_ == dimension::none || counted_ == dimension::event) counted_ = refine(found->of, previous);
        } else if (kind == term_kind::singular) {
            if (single_ == dimension::none) single_ = found->of;
        } else if (kind == term_kind::level) {
            level_ = true;
        } else if (kind == term_kind::maker) {
            char const c = found->word[0];
            if (c == 't') {
                throughput_ = true;
                return;
            }
            is_ratio_ = is_ratio_ || c != 'l';
            if (c == 'l') latency_ = true;
            if (c == 'r') share_ = true;
            if (c == 'a' && found->word[1] == 'm') amortized_ = true;
            if (c == 'p') {
                numerator_ = measured();
                divided_ = true;
                counted_ = single_ = dimension::none;
                level_ = false;
            }
        }
    }

    // The words for what is counted mean different things in company.
    [[nodiscard]] constexpr dimension refine(dimension of, term const* previous) const noexcept {
        if (of == dimension::cycle_gpc) {
            return previous != nullptr && previous->kind == term_kind::hw_unit ? previous->of : clock_;
        }
        if (previous != nullptr && previous->kind == term_kind::adjective) {
            char const c = previous->word[0];
            if (of == dimension::bank_conflict && c == 's') return clock_; // set conflicts: the extra cycles they cost
            if (of == dimension::request && c == 't') return dimension::tag; // tag requests
        }
        if (of == dimension::operation && clock_ != dimension::cycle_gpc) return dimension::event; // commands
        return of;
    }

    // The unit of what was noted since the beginning or since "per". What lasts is added up on every cycle, so that
    // warps_active counts warps times cycles; a level of nothing in particular counts cycles.
    [[nodiscard]] constexpr unit measured() const noexcept {
        dimension const of = counted_ != dimension::none ? counted_ : single_;
        if (of == dimension::none) return unit_of(level_ ? clock_ : dimension::event);
        if (of == dimension::second) return unit_of(of, -9);
        bool const lasts = of == dimension::warp || of == dimension::cta || of == dimension::cluster ||
                           of == dimension::byte || of == dimension::kilobyte || of == dimension::line ||
                           of == dimension::reg || of == dimension::event;
        return level_ && lasts ? unit_of(of) * unit_of(clock_) : unit_of(of);
    }

    [[nodiscard]] constexpr unit ratio_unit() const noexcept {
        if (amortized_) return unit_of(clock_) / unit_of(dimension::warp);
        if (latency_) return unit_of(clock_);
        if (share_ || !divided_) return one;
        return numerator_ / measured();
    }

    // Everything from `dot`: roll-up and sub-metric.
    constexpr void parse_suffix(std::size_t dot) noexcept {
        name_.kind = throughput_ ? metric_kind::throughput : is_ratio_ ? metric_kind::ratio : metric_kind::counter;
        std::size_t at = dot;
        while (at < end_) {
            std::size_t const begin = at + 1;
            std::uint32_t hash = hash_seed;
            for (at = begin; at < end_ && p_[at] != '.'; ++at) {
                if (p_[at] != '_' && !accept(at)) return;
                hash = hash_step(hash, p_[at]);
            }
            if (!take_suffix(hash, begin, at)) return;
        }
        finish_suffix(dot);
    }

    constexpr bool take_suffix(std::uint32_t hash, std::size_t begin, std::size_t end) noexcept {
        gpuprof::rollup const roll = rollup_of(hash);
        gpuprof::submetric const sub = submetric_of(hash);
        if (is_burst(begin, end)) {
            fail(name_fault::withdrawn_burst, begin, end);
        } else if (name_.submetric != submetric::none) { // a second sub-metric: only …peak_sustained_X.per_second
            gpuprof::submetric const both = sub == submetric::per_second ? per_second(name_.submetric) : submetric::none;
            if (both == submetric::none) fail(name_fault::unknown_submetric, begin, end);
            name_.submetric = both;
        } else if (roll != rollup::none) {
            if (name_.kind == metric_kind::ratio) {
                fail(name_fault::submetric_not_of_this_kind, begin, end);
            } else if (name_.rollup != rollup::none) {
                fail(name_fault::unknown_submetric, begin, end);
            }
            name_.rollup = roll;
        } else if (sub == submetric::none) {
            bool const wants_rollup = name_.kind == metric_kind::counter && name_.rollup == rollup::none;
            fail(wants_rollup ? name_fault::unknown_rollup : name_fault::unknown_submetric, begin, end);
        } else {
            name_.submetric = sub;
            bool const of_ratio = sub >= submetric::pct;
            bool const of_throughput = !of_ratio && sub >= submetric::pct_of_peak_sustained_active;
            if (of_ratio != (name_.kind == metric_kind::ratio) ||
                (name_.kind == metric_kind::throughput && !of_throughput)) {
                fail(name_fault::submetric_not_of_this_kind, begin, end);
            } else if (name_.kind == metric_kind::counter && name_.rollup == rollup::none) {
                fail(name_fault::missing_rollup, begin, end);
            }
        }
        return name_.valid();
    }

    constexpr void finish_suffix(std::size_t dot) noexcept {
        if (name_.kind == metric_kind::counter && name_.rollup == rollup::none) {
            // Not of the counter hardware after all, or incomplete.
            if (provider_metric const* const row = find_provider_metric(name_.text)) {
                provider_ = true;
                take(*row);
            } else if (name_.base.starts_with("smsp__pcsamp_")) {
                fail(name_fault::unknown_provider_metric, body_, end_);
            } else {
                fail(name_fault::missing_rollup, base_, dot);
            }
        } else if (name_.kind != metric_kind::counter && name_.submetric == submetric::none) {
            fail(name_.kind == metric_kind::ratio ? name_fault::missing_ratio_submetric
                                                  : name_fault::missing_throughput_submetric,
                 base_, end_);
        }
    }

    [[nodiscard]] constexpr bool is_burst(std::size_t begin, std::size_t end) const noexcept {
        if (end - begin < 10 || p_[begin] != 'p') return false;
        std::string_view const part = slice(begin, end);
        return part.starts_with("peak_burst") || part.starts_with("pct_of_peak_burst");
    }

    static constexpr gpuprof::rollup rollup_of(std::uint32_t hash) noexcept {
        switch (hash) {
            case hash_word("sum"): return rollup::sum;
            case hash_word("avg"): return rollup::avg;
            case hash_word("min"): return rollup::min;
            case hash_word("max"): return rollup::max;
            default: return rollup::none;
        }
    }

    static constexpr gpuprof::submetric submetric_of(std::uint32_t hash) noexcept {
        switch (hash) {
            case hash_word("peak_sustained"): return submetric::peak_sustained;
            case hash_word("peak_sustained_active"): return submetric::peak_sustained_active;
            case hash_word("peak_sustained_elapsed"): return submetric::peak_sustained_elapsed;
            case hash_word("peak_sustained_region"): return submetric::peak_sustained_region;
            case hash_word("peak_sustained_frame"): return submetric::peak_sustained_frame;
            case hash_word("per_second"): return submetric::per_second;
            case hash_word("per_cycle_active"): return submetric::per_cycle_active;
            case hash_word("per_cycle_elapsed"): return submetric::per_cycle_elapsed;
            case hash_word("per_cycle_in_region"): return submetric::per_cycle_in_region;
            case hash_word("per_cycle_in_frame"): return submetric::per_cycle_in_frame;
            case hash_word("pct_of_peak_sustained_active"): return submetric::pct_of_peak_sustained_active;
            case hash_word("pct_of_peak_sustained_elapsed"): return submetric::pct_of_peak_sustained_elapsed;
            case hash_word("pct_of_peak_sustained_region"): return submetric::pct_of_peak_sustained_region;
            case hash_word("pct_of_peak_sustained_frame"): return submetric::pct_of_peak_sustained_frame;
            case hash_word("pct"): return submetric::pct;
            case hash_word("ratio"): return submetric::ratio;
            case hash_word("max_rate"): return submetric::max_rate;
            default: return submetric::none;
        }
    }

    static constexpr gpuprof::submetric per_second(gpuprof::submetric peak) noexcept {
        switch (peak) {
            case submetric::peak_sustained_active: return submetric::peak_sustained_active_per_second;
            case submetric::peak_sustained_elapsed: return submetric::peak_sustained_elapsed_per_second;
            case submetric::peak_sustained_region: return submetric::peak_sustained_region_per_second;
            case submetric::peak_sustained_frame: return submetric::peak_sustained_frame_per_second;
            default: return submetric::none;
        }
    }

    constexpr void set_values() noexcept {
        if (provider_) return;
        if (name_.kind == metric_kind::throughput) {
            name_.base_unit = name_.value_unit = percent_unit;
            return;
        }
        name_.base_unit = name_.kind == metric_kind::ratio ? ratio_unit() : measured();
        switch (name_.submetric) {
            case submetric::none:
                name_.aggregation = name_.rollup == rollup::min   ? aggregation::minimum
                                    : name_.rollup == rollup::max ? aggregation::maximum
                                                                  : aggregation::sum;
                [[fallthrough]];
            case submetric::ratio:
            case submetric::max_rate: name_.value_unit = name_.base_unit; break;
            case submetric::pct:
            case submetric::pct_of_peak_sustained_active:
            case submetric::pct_of_peak_sustained_elapsed:
            case submetric::pct_of_peak_sustained_region:
            case submetric::pct_of_peak_sustained_frame: name_.value_unit = percent_unit; break;
            case submetric::per_second:
            case submetric::peak_sustained_active_per_second:
            case submetric::peak_sustained_elapsed_per_second:
            case submetric::peak_sustained_region_per_second:
            case submetric::peak_sustained_frame_per_second:
                name_.value_unit = name_.base_unit / unit_of(dimension::second);
                break;
            default: name_.value_unit = name_.base_unit / unit_of(clock_);
        }
    }

    char const* p_;
    std::size_t end_;
    std::size_t base_ = 0; // where the base begins
    std::size_t body_ = 0; // what follows the double underscore
    dimension clock_ = dimension::none;
    dimension counted_ = dimension::none; // the first plural
    dimension single_ = dimension::none;  // the first singular, which counts where there is no plural
    unit numerator_;
    bool level_ = false;
    bool throughput_ = false;
    bool is_ratio_ = false;
    bool divided_ = false;
    bool latency_ = false;
    bool share_ = false;
    bool amortized_ = false;
    bool provider_ = false;
    metric_name name_;
};

} // namespace detail

constexpr metric_name parse_metric_name(std::string_view text) noexcept { return detail::name_parser{text}.parse(); }

GPUPROF_NAMESPACE_END

#endif // GPUPROF_DETAIL_PARSE_METRIC_NAME_HPP
