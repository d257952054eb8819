// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of source_view.hpp.
#ifndef GPUPROF_EXPLAIN_SOURCE_VIEW_INL_HPP
#define GPUPROF_EXPLAIN_SOURCE_VIEW_INL_HPP

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "../hw/samplers/code_text.hpp"
#include "../sample/source_lines.hpp"
#include "source_view.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

GPUPROF_INLINE source_counts& source_counts::operator+=(source_counts const& more) {
    for (source_metric const& each : source_metrics) this->*each.counts += more.*each.counts;
    samples += more.samples;
    latency_samples += more.latency_samples;
    gpuprof::detail::add_stalls(stalls, more.stalls);
    gpuprof::detail::most_first(stalls);
    return *this;
}

namespace detail {

struct instruction_place {
    std::uint64_t module = 0;
    std::string function{};
    std::uint64_t pc_offset = 0;

    friend bool operator<(instruction_place const& a, instruction_place const& b) {
        return std::tie(a.module, a.function, a.pc_offset) < std::tie(b.module, b.function, b.pc_offset);
    }
};
using counted_places = std::map<instruction_place, source_counts>;

[[nodiscard]] inline counted_places counts_by_place(sass_counts const* counts, pc_samples const* samples) {
    counted_places places;
    if (counts != nullptr)
        for (sass_record const& record : counts->records) {
            source_counts& to = places[{record.module, record.function, record.pc_offset}];
            for (source_metric const& each : source_metrics)
                for (std::size_t m = 0; m < counts->metrics.size() && m < record.values.size(); ++m)
                    if (counts->metrics[m] == each.name) to.*each.counts += record.values[m];
        }
    if (samples != nullptr)
        for (pc_record const& record : samples->records) {
            source_counts& to = places[{record.module, record.function, record.pc_offset}];
            to.samples += record.samples();
            to.latency_samples += record.latency_samples();
            gpuprof::detail::add_stalls(to.stalls, record.stalls);
            gpuprof::detail::most_first(to.stalls);
        }
    return places;
}

// The texts of the instructions of all modules. Looks at one module after the other: the embedded GPU's CUPTI keeps one.
[[nodiscard]] inline std::map<instruction_place, instruction_text>
texts_of(counted_places const& places, module_code const& code, std::optional<error>& missing) {
    std::map<instruction_place, instruction_text> texts;
    for (auto at = places.begin(); at != places.end();) {
        std::uint64_t const module = at->first.module;
        std::string_view const image = code.find(module);
        bool const is_ptx = image.find(".version") != image.npos && image.find(".target") != image.npos &&
                            !image.starts_with("\x7f"
                                               "ELF");
        if (is_ptx) {
            ptx_text const ptx{image.substr(0, image.find('\0'))};
            for (; at != places.end() && at->first.module == module; ++at)
                if (auto const place =
                        code.try_locate_in(ptx.without_locations(), at->first.function, at->first.pc_offset))
                    texts.emplace(at->first, ptx.at(place->line));
            continue;
        }
        auto listing =
            image.empty()
                ? result<code_text>{error{errc::not_collected, 0, "the text of instructions",
                                          "the module's code was not seen: it was loaded before, or elsewhere",
                                          "begin to keep code before the program's first kernel"}}
                : try_disassemble(image);
        if (!listing && !missing) missing = listing.error();
        for (; at != places.end() && at->first.module == module; ++at) {
            if (!listing) continue;
            auto const function = listing->find(at->first.function);
            if (function == listing->end()) continue;
            auto const found = function->second.find(at->first.pc_offset);
            if (found != function->second.end()) texts.emplace(at->first, found->second);
        }
    }
    return texts;
}

struct lines_of_file {
    std::map<std::uint32_t, source_line> lines{};
    std::uint64_t module = 0; // that has lines of it
};

[[nodiscard]] inline source_file file_of(std::string path, lines_of_file&& found, module_code const& code,
                                         source_view_options const& options) {
    source_file file;
    std::string const content = gpuprof::detail::source_text(path, code, found.module, options.largest_file);
    std::vector<std::string_view> const texts = gpuprof::detail::lines_of_text(content);
    file.path = std::move(path);
    file.could_be_read = !content.empty();
    for (auto& [number, line] : found.lines) {
        line.line = number;
        if (number <= texts.size()) line.text = texts[number - 1];
        file.lines.push_back(std::move(line));
    }
    return file;
}

} // namespace detail

GPUPROF_INLINE source_view view_source(result<sass_counts> const& counts, result<pc_samples> const& samples,
                                       module_code const& code, source_view_options const& options) {
    source_view view;
    if (counts) {
        view.device = counts->device;
        view.chip = counts->chip;
        view.source = counts->source;
        view.how = counts->how;
        view.metrics = counts->metrics;
        view.complete = counts->dropped == 0;
    } else {
        view.no_counts = counts.error();
    }
    if (samples) {
        view.device = samples->device;
        view.chip = samples->chip;
        view.source = samples->source;
        view.how = std::max(view.how, samples->how);
        view.reasons = samples->reasons;
        view.complete = view.complete && samples->complete();
    } else {
        view.no_samples = samples.error();
    }
    detail::counted_places const places =
        detail::counts_by_place(counts ? &*counts : nullptr, samples ? &*samples : nullptr);
    std::map<detail::instruction_place, instruction_text> texts;
    if (options.with_text) texts = detail::texts_of(places, code, view.no_text);
    std::map<std::string, detail::lines_of_file> files;
    for (auto const& [at, counted] : places) {
        auto const place = code.try_locate(at.module, at.function, at.pc_offset);
        if (!place) {
            auto found = view.unplaced.begin();
            while (found != view.unplaced.end() &&
                   (found->function != at.function || found->why != place.error().cause))
                ++found;
            if (found == view.unplaced.end())
                found = view.unplaced.insert(found, {at.function, place.error().cause, {}});
            found->counts += counted;
            continue;
        }
        detail::lines_of_file& file = files[place->path()];
        file.module = at.module;
        source_line& line = file.lines[place->line];
        source_instruction instruction{at.function, at.module, at.pc_offset, {}, {}, counted};
        if (auto const text = texts.find(at); text != texts.end()) {
            instruction.text = std::move(text->second.text);
            instruction.inlined_at = std::move(text->second.inlined_at);
        }
        line.instructions.push_back(std::move(instruction));
    }
    for (auto& [path, found] : files) view.files.push_back(detail::file_of(path, std::move(found), code, options));
    view.add_up();
    return view;
}

GPUPROF_INLINE void source_view::add_up() {
    counts = {};
    hottest = 0;
    for (source_file& file : files) {
        file.counts = {};
        std::erase_if(file.lines, [](source_line const& line) { return line.instructions.empty(); });
        for (source_line& line : file.lines) {
            line.counts = {};
            for (source_instruction const& each : line.instructions) line.counts += each.counts;
            file.counts += line.counts;
        }
        counts += file.counts;
    }
    std::erase_if(files, [](source_file const& file) { return file.lines.empty(); });
    for (unplaced_counts const& each : unplaced) counts += each.counts;
    source_column const& heat = heat_column();
    for (source_file const& file : files)
        for (source_line const& line : file.lines) hottest = std::max(hottest, heat.of(line.counts));
    std::stable_sort(files.begin(), files.end(),
                     [&](source_file const& a, source_file const& b) { return heat.of(a.counts) > heat.of(b.counts); });
}

namespace detail {
// The item of a list that is the same as another one but for its counts; else that one, added.
template <class Item, class Same>
[[nodiscard]] Item& same_or_added(std::vector<Item>& list, Item other, Same is_same) {
    for (Item& each : list)
        if (is_same(each, other)) return each;
    return list.emplace_back(std::move(other));
}
} // namespace detail

GPUPROF_INLINE result<void> source_view::try_merge(source_view const& other) {
    if (chip != other.chip || source != other.source)
        return error{errc::invalid_argument, 0, "lines of different GPUs cannot be added", "chip or source differ",
                     "look at them one by one"};
    std::vector<std::uint16_t> reason_here;
    for (sampled_reason const& each : other.reasons) {
        auto const found = std::find(reasons.begin(), reasons.end(), each);
        reason_here.push_back(static_cast<std::uint16_t>(found - reasons.begin()));
        if (found == reasons.end()) reasons.push_back(each);
    }
    auto const add = [&](source_counts& to, source_counts more) {
        for (stall_count& each : more.stalls) each.reason = reason_here[each.reason];
        to += more;
    };
    for (std::string const& each : other.metrics)
        if (std::find(metrics.begin(), metrics.end(), each) == metrics.end()) metrics.push_back(each);
    how = std::max(how, other.how);
    complete = complete && other.complete;
    if (!other.no_counts) no_counts.reset();
    if (!other.no_samples) no_samples.reset();
    if (!no_text) no_text = other.no_text;
    for (source_file const& file : other.files) {
        source_file& here = detail::same_or_added(files, {file.path, file.could_be_read, {}, {}},
                                                  [](auto const& a, auto const& b) { return a.path == b.path; });
        for (source_line const& line : file.lines) {
            source_line& to = detail::same_or_added(here.lines, {line.line, line.text, {}, {}},
                                                    [](auto const& a, auto const& b) { return a.line == b.line; });
            for (source_instruction bare : line.instructions) {
                source_counts const more = std::exchange(bare.counts, {});
                add(detail::same_or_added(to.instructions, std::move(bare),
                                          [](auto const& a, auto const& b) {
                                              return a.pc_offset == b.pc_offset && a.module == b.module &&
                                                     a.function == b.function;
                                          })
                        .counts,
                    more);
            }
        }
        std::sort(here.lines.begin(), here.lines.end(),
                  [](source_line const& a, source_line const& b) { return a.line < b.line; });
    }
    for (unplaced_counts const& each : other.unplaced)
        add(detail::same_or_added(
                unplaced, {each.function, each.why, {}},
                [](auto const& a, auto const& b) { return a.function == b.function && a.why == b.why; })
                .counts,
            each.counts);
    add_up();
    return {};
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_SOURCE_VIEW_INL_HPP
