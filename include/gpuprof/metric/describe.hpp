// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A metric's name in words, composed from the decoder.
#ifndef GPUPROF_METRIC_DESCRIBE_HPP
#define GPUPROF_METRIC_DESCRIBE_HPP

#include <string>
#include <string_view>

#include "decoder.hpp"
#include "derived_metrics.hpp"
#include "name.hpp"
#include "provider_metrics.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {

// Cuts the next word off a slice of a name.
[[nodiscard]] inline std::string_view next_word(std::string_view& rest) {
    std::size_t const end = rest.find('_');
    std::string_view const word = rest.substr(0, end);
    rest = end == rest.npos ? std::string_view{} : rest.substr(end + 1);
    return word;
}

[[nodiscard]] inline std::string_view phrase_of(std::string_view word) {
    term const* const found = find_term(word);
    return found != nullptr && found->kind != term_kind::key ? std::string_view{found->phrase} : word;
}

[[nodiscard]] inline std::string phrases_of(std::string_view given) {
    std::string text;
    while (!given.empty()) {
        if (!text.empty()) text += ' ';
        text += phrase_of(next_word(given));
    }
    return text;
}

// Whether a qualifier ends before `word`, because that begins another or is what a ratio is about.
[[nodiscard]] inline bool begins_anew(std::string_view word, std::string_view rest) {
    term const* const found = find_term(word);
    return (found != nullptr && (found->kind == term_kind::key || found->kind == term_kind::maker)) ||
           (word == "hit" && rest.starts_with("rate"));
}

// "pipe_lsu_mem_global_op_ld" as ", of the load/store pipeline, to global memory, by load operations".
inline void append_qualifiers(std::string& text, std::string_view qualifiers) {
    while (!qualifiers.empty()) {
        std::string_view const word = next_word(qualifiers);
        term const* const key = find_term(word);
        bool const is_key = key != nullptr && key->kind == term_kind::key;
        std::string_view const pattern = is_key ? std::string_view{key->phrase} : "%";
        std::size_t const hole = pattern.find('%');
        (text += ", ") += pattern.substr(0, hole);
        if (hole == pattern.npos) continue;
        if (!is_key) text += phrase_of(word);
        bool first = is_key;
        while (!qualifiers.empty()) {
            std::string_view rest = qualifiers;
            std::string_view const part = next_word(rest);
            if (!first && begins_anew(part, rest)) break;
            if (!first) text += ' ';
            text += phrase_of(part);
            qualifiers = rest;
            first = false;
        }
        text += pattern.substr(hole + 1);
    }
}

// A sentence on what ranges have no value of; nothing if they have one.
[[nodiscard]] inline std::string not_collected(metric_source source, std::string_view name) {
    std::string_view const why = why_not_collected(source, name);
    return why.empty() ? std::string{} : " A profiler does not collect it: " + std::string{why} + '.';
}

[[nodiscard]] inline std::string_view suffix_phrase(rollup roll, submetric of) {
    for (suffix const& row : suffixes) {
        if (row.roll == roll && row.of == of) return row.phrase;
    }
    return "";
}

} // namespace detail

// What a metric is, in words: "32-byte sectors, at the tag stage of the L1/texture cache, of the load/store pipeline,
// to global memory, by load operations, summed over all instances". Words the decoder lacks are given as they are; for
// an invalid name, what is wrong with it. Allocates the text; thread-safe.
[[nodiscard]] inline std::string describe(metric_name const& name) {
    if (!name.valid()) return std::string{describe(name.fault())} + ": \"" + std::string{name.fault_part()} + '"';
    if (provider_metric const* const row = find_provider_metric(name.text())) {
        std::string text = row->meaning;
        if (derived_metric const* const derived = find_derived_metric(row->name))
            return text + " Of a range: " + derived->numerator + " / " + derived->denominator + '.';
        return text + detail::not_collected(row->source, row->name);
    }
    if (name.source() == metric_source::device) return "The CUDA driver's device attribute of that name.";
    if (name.source() == metric_source::profiler)
        return "Reported by the profiler about itself." + detail::not_collected(name.source(), name.text());

    if (name.prefix() == "breakdown") return "what this is the highest of: " + describe(parse_metric_name(name.bare()));

    std::string text{name.kind() == metric_kind::ratio ? "average " : ""};
    text += detail::phrases_of(name.quantity());
    text += name.stage().empty() ? ", in " : ", at the " + std::string{detail::phrase_of(name.stage())} + " of ";
    text += detail::phrase_of(name.hw_unit());
    detail::append_qualifiers(text, name.subunit());
    if (std::string_view const a2b = name.interface_a2b(); !a2b.empty()) {
        std::size_t const two = a2b.find_first_of('2', 2); // not the 2 of a unit's own name
        ((text += ", from ") += detail::phrase_of(a2b.substr(0, two))) += " to ";
        text += detail::phrase_of(a2b.substr(two + 1));
    }
    detail::append_qualifiers(text, name.qualifiers());
    if (name.source() == metric_source::sass) text += ", counted by the patched program";
    if (name.source() == metric_source::pm_sampling) text += ", sampled over time";
    if (name.rollup() != rollup::none) (text += ", ") += detail::suffix_phrase(name.rollup(), submetric::none);
    submetric of = name.submetric();
    bool const peak_per_second =
        of == submetric::peak_sustained_active_per_second || of == submetric::peak_sustained_elapsed_per_second ||
        of == submetric::peak_sustained_region_per_second || of == submetric::peak_sustained_frame_per_second;
    if (peak_per_second) of = static_cast<submetric>(static_cast<int>(of) - 1); // the enumerator before it
    if (of != submetric::none) (text += ", ") += detail::suffix_phrase(rollup::none, of);
    if (peak_per_second) text += ", per second";
    return text;
}

// The same of a name as text.
[[nodiscard]] inline std::string describe(std::string_view metric) { return describe(parse_metric_name(metric)); }

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_DESCRIBE_HPP
