// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of pc_samples_json.hpp.
#ifndef GPUPROF_IO_PC_SAMPLES_JSON_INL_HPP
#define GPUPROF_IO_PC_SAMPLES_JSON_INL_HPP

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <system_error>
#include <utility>
#include <vector>

#include "../hw/machine/platform/file.hpp"
#include "../text/json_value.hpp"
#include "../text/json_text.hpp"
#include "pc_samples_json.hpp"
#include "../text/text_appender.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

namespace detail {

inline constexpr int pc_samples_format = 1;

[[nodiscard]] inline error no_pc_samples(std::string_view why) {
    return {errc::invalid_argument, 0, "reading samples of instructions", why, "read a file that gpuprof wrote"};
}

// Reads members and remembers the first faulty one.
struct pc_samples_reader {
    std::string fault{};

    [[nodiscard]] std::uint64_t whole(json_value const& of, std::string_view name) {
        double const value = of.number_of(name, -1);
        if (value >= 0 && value <= 9007199254740992.0 &&
            value == static_cast<double>(static_cast<std::uint64_t>(value)))
            return static_cast<std::uint64_t>(value);
        return bad(name), 0;
    }
    [[nodiscard]] std::uint64_t item(json_value const& list, std::size_t at, std::uint64_t below) {
        double const value =
            at < list.items.size() && list.items[at].is == json_value::type::number ? list.items[at].number : -1;
        if (value >= 0 && value < static_cast<double>(below) &&
            value == static_cast<double>(static_cast<std::uint64_t>(value)))
            return static_cast<std::uint64_t>(value);
        return bad("a stall"), 0;
    }
    [[nodiscard]] std::uint32_t small_number(json_value const& of, std::string_view name) {
        std::uint64_t const value = whole(of, name);
        if (value > 0xffffffffu) bad(name);
        return static_cast<std::uint32_t>(value);
    }
    [[nodiscard]] std::uint64_t hexadecimal(json_value const& of, std::string_view name) {
        std::string_view const text = of.text_of(name);
        std::uint64_t value = 0;
        auto const [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
        if (text.empty() || status != std::errc{} || end != text.data() + text.size()) bad(name);
        return value;
    }
    [[nodiscard]] std::string text(json_value const& of, std::string_view name) {
        json_value const* const found = of.find(name);
        if (found == nullptr || found->is != json_value::type::text) return bad(name), std::string{};
        return found->text;
    }
    [[nodiscard]] std::vector<json_value> const& list(json_value const& of, std::string_view name) {
        static std::vector<json_value> const none;
        json_value const* const found = of.find(name);
        if (found == nullptr || found->is != json_value::type::list) return bad(name), none;
        return found->items;
    }
    void bad(std::string_view name) {
        if (fault.empty()) fault = name;
    }
};

} // namespace detail

GPUPROF_INLINE std::string json(pc_samples const& of) {
    std::string written;
    gpuprof::detail::text_appender to{written};
    auto const number = [&](std::string_view name, std::uint64_t value) {
        written += ", \"" + std::string{name} + "\": " + std::to_string(value);
    };
    written += "{\"gpuprof_pc_samples\": " + std::to_string(detail::pc_samples_format) + ", \"device\": ";
    gpuprof::detail::write_json_string(to, of.device);
    written += ", \"chip\": ";
    gpuprof::detail::write_json_string(to, of.chip);
    written += of.source == device_source::hardware ? ", \"source\": \"hardware\"" : ", \"source\": \"embedded\"";
    written += of.how == fidelity::exact ? ", \"fidelity\": \"exact\"" : ", \"fidelity\": \"estimated\"";
    written += of.mode == pc_sampling_mode::continuous ? ", \"mode\": \"continuous\"" : ", \"mode\": \"serialised\"";
    number("period", of.period);
    number("total", of.total);
    number("dropped", of.dropped);
    number("non_user", of.non_user);
    number("unnamed", of.unnamed);
    number("buffer_full", of.buffer_full);
    number("lost_records", of.lost_records);
    written += ",\n\"reasons\": [";
    for (std::size_t i = 0; i < of.reasons.size(); ++i) {
        if (i != 0) written += ", ";
        gpuprof::detail::write_json_string(to, of.reasons[i].name);
    }
    written += "],\n\"records\": [";
    for (std::size_t i = 0; i < of.records.size(); ++i) {
        pc_record const& each = of.records[i];
        char module[24] = {};
        std::snprintf(module, sizeof module, "%llx", static_cast<unsigned long long>(each.module));
        written += i == 0 ? "\n{\"function\": " : ",\n{\"function\": ";
        gpuprof::detail::write_json_string(to, each.function);
        written += ", \"module\": \"" + std::string{module} + "\"";
        number("function_index", each.function_index);
        number("pc_offset", each.pc_offset);
        number("launch", each.launch);
        written += ", \"stalls\": [";
        for (std::size_t s = 0; s < each.stalls.size(); ++s)
            written += (s == 0 ? "[" : ", [") + std::to_string(each.stalls[s].reason) + ", " +
                       std::to_string(each.stalls[s].samples) + ", " + std::to_string(each.stalls[s].latency_samples) +
                       "]";
        written += "]}";
    }
    return written + "\n]}\n";
}

GPUPROF_INLINE result<pc_samples> try_parse_pc_samples(std::string_view text) {
    auto const file = try_read_json(text);
    if (!file) return file.error();
    double const version = file->number_of("gpuprof_pc_samples", 0);
    if (version > detail::pc_samples_format)
        return error{errc::version_mismatch, 0, "reading samples of instructions", "a later gpuprof wrote them",
                     "read them with that, or a later one"};
    if (version != detail::pc_samples_format) return detail::no_pc_samples("it has no \"gpuprof_pc_samples\": 1");
    detail::pc_samples_reader read;
    pc_samples samples;
    samples.device = read.text(*file, "device");
    samples.chip = read.text(*file, "chip");
    auto const one_of = [&](std::string_view name, std::string_view first, std::string_view second) {
        std::string const value = read.text(*file, name);
        if (value != first && value != second) read.bad(name);
        return value == first;
    };
    samples.source = one_of("source", "hardware", "embedded") ? device_source::hardware : device_source::embedded;
    samples.how = one_of("fidelity", "exact", "estimated") ? fidelity::exact : fidelity::estimated;
    samples.mode =
        one_of("mode", "continuous", "serialised") ? pc_sampling_mode::continuous : pc_sampling_mode::kernel_serialized;
    samples.period = read.small_number(*file, "period");
    if (samples.period > pc_sampling_options::longest_period) read.bad("period");
    samples.total = read.whole(*file, "total");
    samples.dropped = read.whole(*file, "dropped");
    samples.non_user = read.whole(*file, "non_user");
    if (file->find("unnamed") != nullptr) samples.unnamed = read.whole(*file, "unnamed"); // earlier files have none
    samples.buffer_full = read.whole(*file, "buffer_full");
    samples.lost_records = read.whole(*file, "lost_records");
    for (json_value const& each : read.list(*file, "reasons")) {
        if (each.is != json_value::type::text || samples.reasons.size() >= 0xffff) {
            read.bad("reasons");
            break;
        }
        samples.reasons.push_back({each.text, find_stall_reason(each.text)});
    }
    constexpr std::uint64_t most = std::uint64_t{1} << 53;
    for (json_value const& each : read.list(*file, "records")) {
        pc_record record;
        record.function = read.text(each, "function");
        record.module = read.hexadecimal(each, "module");
        record.function_index = read.small_number(each, "function_index");
        record.pc_offset = read.whole(each, "pc_offset");
        record.launch = read.small_number(each, "launch");
        for (json_value const& stall : read.list(each, "stalls"))
            record.stalls.push_back({static_cast<std::uint16_t>(read.item(stall, 0, samples.reasons.size())),
                                     read.item(stall, 1, most), read.item(stall, 2, most)});
        if (!read.fault.empty()) break;
        samples.add(std::move(record));
    }
    if (!read.fault.empty())
        return detail::no_pc_samples(gpuprof::detail::joined({read.fault, " is missing or out of range"}));
    return samples;
}

GPUPROF_INLINE result<void> try_write(pc_samples const& of, std::string const& path) {
    if (platform::write_file(path, json(of))) return {};
    return error{errc::io, 0, gpuprof::detail::joined({"writing ", path}), "the file cannot be written",
                 "check the folder, its permissions and the room on the disk"};
}

GPUPROF_INLINE result<pc_samples> try_read_pc_samples(std::string const& path) {
    auto const text = platform::read_file(path);
    if (!text)
        return error{errc::io, 0, gpuprof::detail::joined({"reading ", path}),
                     "there is no such file, or it may not be read", "check the path"};
    return try_parse_pc_samples(*text);
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_PC_SAMPLES_JSON_INL_HPP
