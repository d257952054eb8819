// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parser of metric names.
#ifndef GPUPROF_METRIC_PARSE_NAME_HPP
#define GPUPROF_METRIC_PARSE_NAME_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "decoder.hpp"
#include "device_attributes.hpp"
#include "name.hpp"
#include "provider_metrics.hpp"
#include "measured_unit.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {

// Names are parsed by the thousand while compiling, so the loops work on characters and running hashes, in local
// variables: constant evaluation pays for every call, member access and character comparison.
class name_parser {
public:
    constexpr explicit name_parser(std::string_view text) noexcept : p_{text.data()}, end_{text.size()} {
        name_.text_ = text;
    }

    constexpr metric_name const& parse() noexcept {
        if (end_ == 0) return fail(name_fault::empty, 0, 0);
        if (end_ > metric_name::max_size) return fail(name_fault::too_long, metric_name::max_size, end_);
        std::size_t const body = parse_unit(parse_prefix());
        if (body == 0) return name_;
        std::size_t const dot = parse_base(body);
        if (name_.valid()) parse_suffixes(dot);
        if (name_.valid() && name_.prefix_.end != 0) apply_prefix();
        return name_;
    }

private:
    constexpr metric_name const& fail(name_fault fault, std::size_t begin, std::size_t end) noexcept {
        name_.fault_ = fault;
        name_.fault_begin_ = begin;
        name_.fault_end_ = end;
        return name_;
    }
    static constexpr metric_name::range range(std::size_t begin, std::size_t end) noexcept {
        return {static_cast<unsigned short>(begin), static_cast<unsigned short>(end)};
    }
    // Refuses what no name contains.
    constexpr bool accept(std::size_t at) noexcept {
        char const c = p_[at];
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == ':' || c == '_')
            return true;
        fail(c == '\0' ? name_fault::embedded_nul : name_fault::bad_character, at, at + 1);
        return false;
    }

    // Where the metric begins: behind "breakdown:" or "pmsampling:", if the text begins so.
    constexpr std::size_t parse_prefix() noexcept {
        for (std::string_view const prefix : {std::string_view{"breakdown"}, std::string_view{"pmsampling"}}) {
            std::size_t const size = prefix.size();
            if (end_ <= size || p_[size] != ':' || p_[0] != prefix[0] || !name_.text_.starts_with(prefix)) continue;
            name_.prefix_ = range(0, size);
            return size + 1;
        }
        return 0;
    }
    constexpr void apply_prefix() noexcept {
        if (p_[0] == 'p') {
            name_.source_ = metric_source::pm_sampling;
        } else if (name_.kind_ == metric_kind::throughput) {
            name_.source_ = metric_source::named_set;
            name_.kind_ = metric_kind::group;
        } else {
            fail(name_fault::breakdown_of_no_throughput, name_.base_.begin, end_);
        }
    }

    // Finds "unit__", with or without a trigger group before it, and returns where the base goes on; 0 if the name is
    // dealt with already, because it is wrong or another provider's. The metric begins at `start`.
    constexpr std::size_t parse_unit(std::size_t const start) noexcept {
        std::size_t begin = start;
        std::uint32_t hash = hash_seed;
        for (std::size_t i = start; i < end_; ++i) {
            char const c = p_[i];
            if (c >= 'a' && c <= 'z') {
                hash = (hash ^ static_cast<unsigned char>(c)) * hash_prime;
            } else if (c == '.') {
                begin = i + 1;
                hash = hash_seed;
            } else if (c == '_' && i + 1 < end_ && p_[i + 1] == '_') {
                term const* const unit = term_of_hash(hash);
                if (unit == nullptr || unit->kind != term_kind::hw_unit) return parse_provider_metric(begin, i);
                name_.clock_ = unit->of;
                name_.hw_unit_ = range(begin, i);
                if (begin > start) name_.trigger_ = range(start, begin - 1);
                return i + 2;
            } else {
                if (!accept(i)) return 0;
                hash = (hash ^ static_cast<unsigned char>(c)) * hash_prime;
            }
        }
        return parse_provider_metric(begin, end_);
    }

    // A name that does not begin with a unit of the GPU; [begin, end) is what stands in that place.
    constexpr std::size_t parse_provider_metric(std::size_t begin, std::size_t end) noexcept {
        for (std::size_t i = end; i < end_; ++i) {
            if (p_[i] != '.' && !accept(i)) return 0;
        }
        std::string_view const text = name_.text_;
        std::string_view const prefix = text.substr(0, end);
        name_.base_ = range(0, end_);
        if (provider_metric const* const row = find_provider_metric(text)) {
            if (end < end_) name_.hw_unit_ = range(0, end);
            take(*row);
        } else if (device_attribute const* const attribute = device_attribute_of(text)) {
            name_.hw_unit_ = range(0, end);
            take({"", metric_source::device, metric_kind::number, unit_of_measure(attribute->measure), "", ""});
        } else if (is_open_family(text, "profiler__pmsampler_ctxsw_")) {
            name_.hw_unit_ = range(0, end);
            take({"", metric_source::profiler, metric_kind::number, one, "", ""});
        } else if (end == end_ || end == begin) {
            fail(name_fault::malformed_base, 0, end_);
        } else if (is_provider(prefix)) {
            fail(name_fault::unknown_provider_metric, end + 2, end_);
        } else {
            fail(name_fault::unknown_unit, begin, end);
        }
        return 0;
    }
    static constexpr bool is_open_family(std::string_view text, std::string_view prefix) noexcept {
        return text.size() > prefix.size() && text.starts_with(prefix) && text.find('.') == text.npos;
    }
    static constexpr device_attribute const* device_attribute_of(std::string_view text) noexcept {
        constexpr std::string_view prefix = "device__attribute_";
        return text.starts_with(prefix) ? find_device_attribute(text.substr(prefix.size())) : nullptr;
    }
    static constexpr bool is_provider(std::string_view prefix) noexcept {
        for (provider_metric const& row : provider_metrics) {
            std::string_view const name = row.name;
            if (name.size() > prefix.size() + 2 && name.starts_with(prefix) && name.substr(prefix.size(), 2) == "__")
                return true;
        }
        return false;
    }
    constexpr void take(provider_metric const& row) noexcept {
        name_.kind_ = row.kind;
        name_.source_ = row.source;
        name_.base_unit_ = row.of;
        // A number of something adds up over executions; an average (wavefronts per instruction) and a flag do not.
        name_.counts_ = row.of != one && !row.of.is_quotient() &&
                        (row.source == metric_source::warp_sampling || row.source == metric_source::source_counter ||
                         row.source == metric_source::opcode);
    }

    // Everything from the double underscore to the first '.' (or the end), whose index it returns.
    constexpr std::size_t parse_base(std::size_t const body) noexcept {
        std::size_t begin = body; // of the current word
        std::size_t place = body; // where the words begin that say where; they end at place_end
        std::size_t place_end = body;
        std::size_t adjectives = 0;   // where the adjectives directly before the current word begin, 0: there are none
        std::size_t quantity = 0;     // where the quantity begins, its adjectives included
        std::size_t quantity_end = 0; // 0: not found yet
        std::size_t singular = 0;     // the first singular
        std::size_t singular_end = 0;
        bool interface_found = false;
        bool a2b = false; // the current word looks like sender2receiver
        bool throughput = false;
        measured_unit measured{name_.clock_};
        term const* previous = nullptr;
        std::uint32_t hash = hash_seed;
        std::size_t i = body;
        for (;; ++i) {
            char const c = i < end_ ? p_[i] : '.';
            if (c >= 'a' && c <= 'z') {
                hash = (hash ^ static_cast<unsigned char>(c)) * hash_prime;
                continue;
            }
            if (c != '_' && c != '.') {
                if (!accept(i)) return i;
                a2b = a2b || (c == '2' && i > begin && i + 1 < end_ && is_letter(p_[i - 1]) && is_letter(p_[i + 1]));
                hash = (hash ^ static_cast<unsigned char>(c)) * hash_prime;
                continue;
            }
            if (i == begin) {
                fail(name_fault::malformed_base, name_.hw_unit_.begin, i);
                return i;
            }
            term const* const found = term_of_hash(hash);
            term_kind const kind = found != nullptr ? found->kind : term_kind::qualifier;
            if (kind != term_kind::qualifier && kind != term_kind::key) {
                measured.note(*found, previous);
                throughput = throughput || (kind == term_kind::maker && found->word[0] == 't');
            }
            if (quantity_end != 0) {
                if (begin == quantity_end + 1 && (kind == term_kind::state || kind == term_kind::level))
                    quantity_end = i;
            } else if (kind == term_kind::quantity || is_throughput_or_latency(kind, found)) {
                quantity = adjectives != 0 ? adjectives : begin;
                quantity_end = i;
            } else if (kind == term_kind::maker) { // "average" is neither place nor quantity
                if (begin == place) place = place_end = i + 1;
            } else if (kind == term_kind::adjective || kind == term_kind::singular) {
                if (adjectives == 0) adjectives = begin;
                if (kind == term_kind::singular && singular_end == 0) {
                    singular = begin;
                    singular_end = i;
                }
            } else if (a2b) {
                name_.interface_ = range(begin, i);
                interface_found = true;
            } else if (begin == place && i - begin == 1 && kind == term_kind::stage) {
                name_.stage_ = range(begin, i);
                place = place_end = i + 1;
            } else if (begin == body && i - begin == 4 && p_[begin] == 's' && p_[begin + 1] == 'a' &&
                       p_[begin + 2] == 's') {
                name_.source_ = metric_source::sass;
                place = place_end = i + 1;
            } else if (!interface_found) {
                place_end = i;
                adjectives = 0;
            }
            if (c == '.') break;
            previous = found;
            begin = i + 1;
            hash = hash_seed;
            a2b = false;
        }
        name_.base_ = range(name_.hw_unit_.begin, i);
        if (quantity_end == 0) {         // no word for what is counted: a singular (sector_hit_rate), or all of it
            if (place > i) place = body; // a lone "t" is no stage of something
            quantity = singular_end != 0 ? singular : place;
            quantity_end = singular_end != 0 ? singular_end : i;
            place_end = quantity == place ? place : quantity - 1;
        }
        if (place_end > place) name_.subunit_ = range(place, place_end);
        name_.quantity_ = range(quantity, quantity_end);
        if (quantity_end < i) name_.qualifiers_ = range(quantity_end + 1, i);
        name_.kind_ = throughput            ? metric_kind::throughput
                      : measured.is_ratio() ? metric_kind::ratio
                                            : metric_kind::counter;
        name_.base_unit_ = throughput ? percent_unit : measured.get();
        return i;
    }
    // Of the makers, these two are the quantity themselves.
    static constexpr bool is_throughput_or_latency(term_kind kind, term const* found) noexcept {
        return kind == term_kind::maker && (found->word[0] == 't' || found->word[0] == 'l');
    }
    static constexpr bool is_letter(char c) noexcept { return c >= 'a' && c <= 'z'; }

    // Everything from `dot`: roll-up and sub-metric.
    constexpr void parse_suffixes(std::size_t const dot) noexcept {
        std::size_t at = dot;
        while (at < end_) {
            std::size_t const begin = at + 1;
            std::uint32_t hash = hash_seed;
            for (at = begin; at < end_; ++at) {
                char const c = p_[at];
                if (c == '.') break;
                if (!((c >= 'a' && c <= 'z') || c == '_') && !accept(at)) return;
                hash = (hash ^ static_cast<unsigned char>(c)) * hash_prime;
            }
            suffix const* const found = suffix_of_hash(hash);
            name_fault const fault = found != nullptr ? take(*found) : not_a_suffix(begin, at);
            if (fault != name_fault::none) {
                fail(fault, begin, at);
                return;
            }
        }
        if (name_.kind_ == metric_kind::counter) {
            if (name_.rollup_ == rollup::none) parse_without_rollup(dot);
        } else if (name_.submetric_ == submetric::none) {
            fail(name_.kind_ == metric_kind::ratio ? name_fault::missing_ratio_submetric
                                                   : name_fault::missing_throughput_submetric,
                 name_.base_.begin, end_);
        }
    }

    constexpr name_fault take(suffix const& found) noexcept {
        bool const ratio = name_.kind_ == metric_kind::ratio;
        bool const rolled_up = name_.rollup_ != rollup::none;
        if (name_.submetric_ != submetric::none) { // a second one: only …peak_sustained_active.per_second and its like
            name_.submetric_ = found.of == submetric::per_second ? per_second(name_.submetric_) : submetric::none;
            return name_.submetric_ == submetric::none ? name_fault::unknown_submetric : name_fault::none;
        }
        if (found.roll != rollup::none) {
            name_.rollup_ = found.roll;
            return ratio       ? name_fault::submetric_not_of_this_kind
                   : rolled_up ? name_fault::unknown_submetric
                               : name_fault::none;
        }
        name_.submetric_ = found.of;
        bool const of_ratio = found.of >= submetric::pct;
        bool const of_throughput = !of_ratio && found.of >= submetric::pct_of_peak_sustained_active;
        if (of_ratio != ratio || (name_.kind_ == metric_kind::throughput && !of_throughput)) {
            return name_fault::submetric_not_of_this_kind;
        }
        return !of_ratio && !rolled_up ? name_fault::missing_rollup : name_fault::none;
    }

    [[nodiscard]] constexpr name_fault not_a_suffix(std::size_t begin, std::size_t end) const noexcept {
        std::string_view const part{p_ + begin, end - begin};
        if (part.starts_with("peak_burst") || part.starts_with("pct_of_peak_burst")) return name_fault::withdrawn_burst;
        bool const wants_rollup = name_.kind_ == metric_kind::counter && name_.rollup_ == rollup::none;
        return wants_rollup ? name_fault::unknown_rollup : name_fault::unknown_submetric;
    }

    static constexpr submetric per_second(submetric peak) noexcept {
        switch (peak) {
            case submetric::peak_sustained_active: return submetric::peak_sustained_active_per_second;
            case submetric::peak_sustained_elapsed: return submetric::peak_sustained_elapsed_per_second;
            case submetric::peak_sustained_region: return submetric::peak_sustained_region_per_second;
            case submetric::peak_sustained_frame: return submetric::peak_sustained_frame_per_second;
            default: return submetric::none;
        }
    }

    // Not of the counter hardware after all (smsp__pcsamp_sample_count), or incomplete.
    constexpr void parse_without_rollup(std::size_t dot) noexcept {
        if (provider_metric const* const row = find_provider_metric(name_.text_)) {
            take(*row);
        } else if (name_.text_.starts_with("smsp__pcsamp_")) {
            fail(name_fault::unknown_provider_metric, name_.hw_unit_.end + std::size_t{2}, end_);
        } else {
            fail(name_fault::missing_rollup, name_.base_.begin, dot);
        }
    }

    char const* p_;
    std::size_t end_;
    metric_name name_;
};

} // namespace detail

constexpr metric_name parse_metric_name(std::string_view text) noexcept { return detail::name_parser{text}.parse(); }

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_PARSE_NAME_HPP
