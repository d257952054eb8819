// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of source_view_json.hpp.
#ifndef GPUPROF_IO_SOURCE_VIEW_JSON_INL_HPP
#define GPUPROF_IO_SOURCE_VIEW_JSON_INL_HPP

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "../hw/machine/platform/file.hpp"
#include "../recording/file_reader.hpp"
#include "../text/json_value.hpp"
#include "source_view_json.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

// The members of source_counts that columns have as they are; other columns follow from these.
struct read_column {
    std::string_view id;
    explain::source_count_member counts;
};
inline constexpr read_column read_columns[]{
    {"samples", &explain::source_counts::samples},
    {"latency_samples", &explain::source_counts::latency_samples},
    {"instructions", &explain::source_counts::instructions},
    {"threads", &explain::source_counts::threads},
    {"threads_on", &explain::source_counts::threads_on},
    {"divergent_branches", &explain::source_counts::divergent_branches},
    {"global_instructions", &explain::source_counts::global_instructions},
    {"global_atomics", &explain::source_counts::global_atomics},
    {"global_sectors", &explain::source_counts::global_sectors},
    {"global_ideal_sectors", &explain::source_counts::global_ideal},
    {"shared_wavefronts", &explain::source_counts::shared_wavefronts},
    {"shared_ideal_wavefronts", &explain::source_counts::shared_ideal},
    {"local_sectors", &explain::source_counts::local_sectors},
};

class source_view_reader : public gpuprof::detail::file_reader {
public:
    [[nodiscard]] bool read_view(json_value const& from, explain::source_view& into) {
        bool is_hardware = false;
        std::string how;
        if (!text(member(from, "device"), into.device) || !text(member(from, "chip"), into.chip) ||
            !flag(member(from, "hardware"), is_hardware) || !text(member(from, "fidelity"), how) ||
            !flag(member(from, "complete"), into.complete))
            return false;
        into.source = is_hardware ? device_source::hardware : device_source::embedded;
        for (fidelity const each : {fidelity::exact, fidelity::modelled, fidelity::estimated})
            if (how == name(each)) into.how = each;
        if (!list(from, "columns", [&](json_value const& each) { return read_column_id(each, into); }) ||
            !list(from, "reasons", [&](json_value const& each) {
                if (into.reasons.size() >= 0xffff) return fail("there are too many");
                gpuprof::sampled_reason& reason = into.reasons.emplace_back();
                if (!text(each, reason.name)) return false;
                reason.reason = find_stall_reason(reason.name);
                return true;
            }))
            return false;
        reasons_ = into.reasons.size();
        return read(member(from, "no_counts"), into.no_counts) && read(member(from, "no_samples"), into.no_samples) &&
               read(member(from, "no_text"), into.no_text) &&
               list(from, "files",
                    [&](json_value const& each) { return read_file(each, into.files.emplace_back()); }) &&
               list(from, "unplaced", [&](json_value const& each) {
                   explain::unplaced_counts& to = into.unplaced.emplace_back();
                   return text(member(each, "function"), to.function) && text(member(each, "why"), to.why) &&
                          read_counts(each, to.counts);
               });
    }

private:
    // Reads each item of a list.
    template <class Read>
    [[nodiscard]] bool list(json_value const& of, std::string_view name, Read&& read_item) {
        json_value const& items = member(of, name);
        if (items.is != kind::list) return fail("a list is missing") || fail_in(name);
        for (std::size_t i = 0; i < items.items.size(); ++i)
            if (!read_item(items.items[i])) return fail_in(name, i);
        return true;
    }
    // Columns that are not known are skipped: a later gpuprof has more of them.
    [[nodiscard]] bool read_column_id(json_value const& from, explain::source_view& into) {
        std::string id;
        if (!text(from, id)) return false;
        explain::source_count_member to = nullptr;
        for (read_column const& each : read_columns)
            if (each.id == id) to = each.counts;
        columns_.push_back(to);
        explain::source_column const* const known = explain::find_source_column(id);
        if (known == nullptr || known->metric.empty()) return true;
        for (std::string const& each : into.metrics)
            if (each == known->metric) return true;
        into.metrics.emplace_back(known->metric);
        return true;
    }
    [[nodiscard]] bool read_counts(json_value const& from, explain::source_counts& into) {
        std::size_t at = 0;
        return list(from, "counts",
                    [&](json_value const& each) {
                        std::uint64_t value = 0;
                        if (at == columns_.size() || !whole(each, value, 0, 9007199254740992.0))
                            return fail("it has no column");
                        if (columns_[at] != nullptr) into.*columns_[at] = value;
                        ++at;
                        return true;
                    }) &&
               (at == columns_.size() || fail("counts are missing")) &&
               list(from, "stalls", [&](json_value const& each) {
                   std::size_t reason = 0;
                   stall_count& to = into.stalls.emplace_back();
                   if (each.is != kind::list || each.items.size() != 3)
                       return fail("a stall has other than three parts");
                   if (!index(each.items[0], reason, reasons_) || !count(each.items[1], to.samples) ||
                       !count(each.items[2], to.latency_samples))
                       return false;
                   to.reason = static_cast<std::uint16_t>(reason);
                   return true;
               });
    }
    [[nodiscard]] bool read_file(json_value const& from, explain::source_file& into) {
        return text(member(from, "path"), into.path) && flag(member(from, "could_be_read"), into.could_be_read) &&
               list(from, "lines", [&](json_value const& each) { return read_line(each, into.lines.emplace_back()); });
    }
    [[nodiscard]] bool read_line(json_value const& from, explain::source_line& into) {
        return whole(member(from, "line"), into.line, 0, 4294967295.0) && text(member(from, "text"), into.text) &&
               list(from, "instructions",
                    [&](json_value const& each) { return read_instruction(each, into.instructions.emplace_back()); });
    }
    [[nodiscard]] bool read_instruction(json_value const& from, explain::source_instruction& into) {
        std::string module;
        if (!text(member(from, "function"), into.function) || !text(member(from, "module"), module) ||
            !whole(member(from, "pc_offset"), into.pc_offset, 0, 9007199254740992.0) ||
            !text(member(from, "text"), into.text))
            return false;
        char const* const end = module.data() + module.size();
        auto const read_to = std::from_chars(module.data(), end, into.module, 16);
        if (module.empty() || read_to.ec != std::errc{} || read_to.ptr != end) return fail("a module has no number");
        return list(from, "inlined_at",
                    [&](json_value const& each) {
                        source_location& to = into.inlined_at.emplace_back();
                        return text(member(each, "path"), to.file) &&
                               whole(member(each, "line"), to.line, 0, 4294967295.0);
                    }) &&
               read_counts(from, into.counts);
    }

    std::vector<explain::source_count_member> columns_{}; // null: not known, or it follows from others
    std::size_t reasons_ = 0;
};

} // namespace detail

GPUPROF_INLINE result<explain::source_view> try_parse_source_view(std::string_view text) {
    auto const file = try_read_json(text);
    if (!file) return file.error();
    double const version = file->number_of("gpuprof_source_view", 0);
    if (version > 1)
        return error{errc::version_mismatch, 0, "reading lines of source", "a later gpuprof wrote them",
                     "read them with that, or a later one"};
    explain::source_view view;
    detail::source_view_reader reader;
    if (version != 1 || !reader.read_view(*file, view))
        return error{errc::invalid_argument, 0, "reading lines of source",
                     version != 1 ? "it has no \"gpuprof_source_view\": 1" : reader.why(),
                     "read a file that gpuprof wrote"};
    view.add_up();
    return result<explain::source_view>{std::move(view)};
}

GPUPROF_INLINE result<explain::source_view> try_read_source_view(std::string const& path) {
    auto const text = platform::read_file(path);
    if (!text)
        return error{errc::io, 0, gpuprof::detail::joined({"reading ", path}),
                     "there is no such file, or it may not be read", "check the path"};
    return try_parse_source_view(*text);
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_SOURCE_VIEW_JSON_INL_HPP
