// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of saved_report.hpp.
#ifndef GPUPROF_RECORDING_SAVED_REPORT_INL_HPP
#define GPUPROF_RECORDING_SAVED_REPORT_INL_HPP

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "../core/unit_symbol.hpp"
#include "../core/unit_text.hpp"
#include "../detail/shared.hpp"
#include "../hw/counters/counter_data.hpp"
#include "../hw/machine/platform/file.hpp"
#include "../text/base64.hpp"
#include "../text/json_value.hpp"
#include "../text/printable.hpp"
#include "file_reader.hpp"
#include "file_writer.hpp"
#include "saved_report.hpp"
#include "../text/sealed_text.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail::saved {

inline constexpr int format = 1;

// Names of enumerators in files, in their order.
inline constexpr std::string_view kinds[]{"counter", "ratio", "throughput", "number", "text", "group"};
inline constexpr std::string_view sources[]{"hardware", "sass",     "launch",        "device",
                                            "nvlink",   "numa",     "warp sampling", "source counter",
                                            "opcode",   "profiler", "named set",     "pm sampling"};
inline constexpr std::string_view aggregations[]{"sum", "minimum", "maximum", "mean"};

// ---- writing ------------------------------------------------------------------------------------

class report_writer : public file_writer {
public:
    void write_report(report_contents const& of) {
        to_ += "{\n  \"gpuprof_report\": " + std::to_string(format);
        member(",\n  ", "device", of.device);
        member(",\n  ", "chip", of.chip);
        member(",\n  ", "source", gpuprof::name(of.source));
        member(",\n  ", "hardware", of.hardware);
        member(",\n  ", "recording", of.recording);
        name(",\n  ", "completeness");
        write_completeness(of.completeness);
        name(",\n  ", "clocks");
        if (of.clocks) write_clocks(*of.clocks);
        else to_ += "null";
        write_list("metrics", of.metrics.size(), [&](std::size_t i) { write_metric(of, i); });
        write_list("ranges", of.ranges.size(), [&](std::size_t i) { write_range(of.ranges[i]); });
        write_list("rows", rows_of(of), [&](std::size_t i) { write_row(of, i); });
        write_list("notes", of.notes.size(), [&](std::size_t i) { write_note(of.notes[i]); });
        if (of.counters.get() != nullptr) write_counters(of, *of.counters.get());
    }

private:
    using file_writer::write;

    // Rows have no numbers of their own where there are no metrics.
    [[nodiscard]] static std::size_t rows_of(report_contents const& of) {
        if (!of.metrics.empty()) return of.values.size() / of.metrics.size();
        std::size_t rows = 0;
        for (report_range const& range : of.ranges)
            for (std::size_t const row : range.rows)
                if (row >= rows) rows = row + 1;
        return rows;
    }
    // A line an item.
    template <class Write>
    void write_list(std::string_view of, std::size_t size, Write write_item) {
        list(",\n  ", of);
        for (std::size_t i = 0; i < size; ++i) {
            to_ += i == 0 ? "\n    " : ",\n    ";
            write_item(i);
        }
        to_ += size == 0 ? "]" : "\n  ]";
    }
    void write_completeness(completeness const& of) {
        count("{", "passes_needed", of.passes_needed);
        count(", ", "replay_passes", of.replay_passes);
        count(", ", "other_threads", of.other_threads);
        count(", ", "bursts", of.bursts);
        count(", ", "cache_flushes", of.cache_flushes);
        if (of.memory_restores != 0) count(", ", "memory_restores", of.memory_restores);
        if (of.restored_bytes != 0) count(", ", "restored_bytes", of.restored_bytes);
        if (of.memory_compared) count(", ", "memory_compared", 1);
        list(",\n    ", "problems");
        for (std::size_t i = 0; i < of.problems.size(); ++i) {
            to_ += i == 0 ? "\n      " : ",\n      ";
            write(of.problems[i]);
        }
        name("],\n    ", "unwatched");
        write(of.unwatched);
        if (of.memory_differs) {
            name(",\n    ", "memory_differs");
            write(of.memory_differs);
        }
        if (of.replay_changed) {
            name(",\n    ", "replay_changed");
            write(of.replay_changed);
        }
        for (std::size_t i = 0; i < of.disturbances.size(); ++i) {
            if (i == 0) list(",\n    ", "disturbances");
            member(i == 0 ? "\n      {" : ",\n      {", "cause", gpuprof::name(of.disturbances[i].cause));
            member(", ", "text", of.disturbances[i].text);
            member(", ", "remedy", of.disturbances[i].remedy);
            to_ += '}';
        }
        if (!of.disturbances.empty()) to_ += ']';
        to_ += '}';
    }
    void write_clocks(clock_state const& of) {
        member("{", "before", of.before);
        member(", ", "during", of.during);
        member(", ", "after", of.after);
        member(", ", "most", of.most);
        member(", ", "memory_before", of.memory_before);
        member(", ", "memory_during", of.memory_during);
        member(", ", "memory_after", of.memory_after);
        member(", ", "limits", of.limits);
        to_ += '}';
    }
    void write_metric(report_contents const& of, std::size_t at) {
        metric_info const& metric = of.metrics[at];
        member("{", "name", metric.name);
        member(", ", "symbol", unit_symbol{metric.value_unit});
        list(", ", "unit");
        bool first = true;
        for (unit::factor const& each : metric.value_unit.factors) {
            if (each.exponent == 0) continue;
            to_ += std::exchange(first, false) ? "[" : ", [";
            string(gpuprof::name(each.of));
            to_ += ", ";
            number(each.exponent);
            to_ += ']';
        }
        member("], ", "power_of_ten", metric.value_unit.power_of_ten);
        member(", ", "aggregation", aggregations[static_cast<std::size_t>(metric.aggregation)]);
        member(", ", "kind", kinds[static_cast<std::size_t>(metric.kind)]);
        member(", ", "source", sources[static_cast<std::size_t>(metric.source)]);
        fidelity const how = at < of.fidelities.size() ? of.fidelities[at] : fidelity::exact;
        member(", ", "fidelity", gpuprof::name(how));
        to_ += '}';
    }
    void write_range(report_range const& of) {
        member("{", "name", of.name);
        place(", ", "parent", of.parent, report_range::top);
        count(", ", "count", of.count);
        list(", ", "rows");
        for (std::size_t i = 0; i < of.rows.size(); ++i) {
            if (i != 0) to_ += ", ";
            number(static_cast<double>(of.rows[i]));
        }
        name("], ", "launches");
        write_launches(of.launches);
        if (pass_times const& times = of.pass_times; times.passes != 0) {
            count(", ", "timed_passes", times.passes);
            member(", ", "shortest_pass", times.shortest.value());
            member(", ", "longest_pass", times.longest.value());
        }
        to_ += '}';
    }
    void write_numbers(std::string_view before, std::string_view of, std::vector<double> const& from, std::size_t begin,
                       std::size_t size) {
        list(before, of);
        for (std::size_t i = 0; i < size; ++i) {
            if (i != 0) to_ += ", ";
            number(from[begin + i]);
        }
        to_ += ']';
    }
    void write_row(report_contents const& of, std::size_t row) {
        std::size_t const width = of.metrics.size();
        write_numbers("{", "values", of.values, row * width, width);
        if (!of.deviations.empty() && of.deviations.size() == of.values.size())
            write_numbers(", ", "deviations", of.deviations, row * width, width);
        if (row < of.times.size()) { // texts: a double has not all nanoseconds since 1970
            list(", ", "time");
            string(std::to_string(of.times[row].start.ticks));
            to_ += ", ";
            string(std::to_string(of.times[row].end.ticks));
            to_ += ']';
        }
        to_ += '}';
    }
    void write_note(report_note const& of) {
        count("{", "metric", of.metric);
        place(", ", "row", of.row, report_note::every_row);
        write_value(of.value, of.missing);
        to_ += '}';
    }
    // Chip and source are the report's.
    void write_counters(report_contents const& of, hw::counter_data const& counters) {
        name(",\n  ", "counter_data");
        member("{", "version", counters.version);
        list(",\n    ", "counters");
        for (std::size_t i = 0; i < counters.counters.size(); ++i) {
            if (i != 0) to_ += ", ";
            string(counters.counters[i]);
        }
        list("],\n    ", "ranges");
        for (std::size_t i = 0; i < of.counter_ranges.size(); ++i) {
            if (i != 0) to_ += ", ";
            place(of.counter_ranges[i], report_contents::no_range);
        }
        name("],\n    ", "image");
        to_ += '"';
        add_base64(to_, counters.image);
        to_ += "\"}";
    }
};

// ---- reading ------------------------------------------------------------------------------------

class report_reader : public file_reader {
public:
    [[nodiscard]] bool read_report(json_value const& from, report_contents& into) {
        std::string source;
        if (!read_text(from, "device", into.device) || !read_text(from, "chip", into.chip) ||
            !read_text(from, "source", source) || !read_text(from, "hardware", into.hardware) ||
            !read_text(from, "recording", into.recording))
            return false;
        if (!find_named(source, into.source)) return fail("neither hardware nor embedded") || fail_in("source");
        if (!read_completeness(member(from, "completeness"), into.completeness)) return fail_in("completeness");
        if (json_value const& clocks = member(from, "clocks"); clocks.is != kind::null)
            if (!read_clocks(clocks, into.clocks.emplace())) return fail_in("clocks");
        return read_list(from, "metrics", [&](json_value const& each) { return read_metric(each, into); }) &&
               read_list(from, "rows", [&](json_value const& each) { return read_row(each, into); }) &&
               read_list(from, "ranges", [&](json_value const& each) { return read_range(each, into); }) &&
               read_list(from, "notes", [&](json_value const& each) { return read_note(each, into); }) &&
               (from.find("counter_data") == nullptr || read_counters(member(from, "counter_data"), into) ||
                fail_in("counter_data"));
    }

private:
    using file_reader::read;

    [[nodiscard]] bool read_text(json_value const& from, std::string_view name, std::string& into) {
        return text(member(from, name), into) || fail_in(name);
    }
    [[nodiscard]] bool read_count(json_value const& from, std::string_view name, std::size_t& into) {
        return count(member(from, name), into) || fail_in(name);
    }
    template <class Read>
    [[nodiscard]] bool read_list(json_value const& from, std::string_view name, Read read_item) {
        json_value const& list = member(from, name);
        if (list.is != kind::list) return fail("a list is missing") || fail_in(name);
        for (std::size_t i = 0; i < list.items.size(); ++i)
            if (!read_item(list.items[i])) return fail_in(name, i);
        return true;
    }
    // An enumerator by its name in files.
    template <class Value, std::size_t Size>
    [[nodiscard]] bool read_named(json_value const& from, std::string_view name, std::string_view const (&all)[Size],
                                  Value& into) {
        std::string found;
        if (!read_text(from, name, found)) return false;
        for (std::size_t i = 0; i < Size; ++i)
            if (all[i] == found) {
                into = static_cast<Value>(i);
                return true;
            }
        return fail("this value is not known") || fail_in(name);
    }

    [[nodiscard]] bool read_completeness(json_value const& from, completeness& into) {
        into.memory_compared = from.find("memory_compared") != nullptr;
        if (!read_count(from, "passes_needed", into.passes_needed) ||
            !read_count(from, "replay_passes", into.replay_passes) ||
            !read_count(from, "other_threads", into.other_threads) || !read_count(from, "bursts", into.bursts) ||
            !read_count(from, "cache_flushes", into.cache_flushes) ||
            (from.find("memory_restores") != nullptr && !read_count(from, "memory_restores", into.memory_restores)) ||
            (from.find("restored_bytes") != nullptr && !read_count(from, "restored_bytes", into.restored_bytes)))
            return false;
        return read_list(from, "problems",
                         [&](json_value const& each) { return read(each, into.problems.emplace_back()); }) &&
               (read(member(from, "unwatched"), into.unwatched) || fail_in("unwatched")) &&
               (from.find("memory_differs") == nullptr || read(member(from, "memory_differs"), into.memory_differs) ||
                fail_in("memory_differs")) &&
               (from.find("replay_changed") == nullptr || read(member(from, "replay_changed"), into.replay_changed) ||
                fail_in("replay_changed")) &&
               (from.find("disturbances") == nullptr || read_list(from, "disturbances", [&](json_value const& each) {
                    disturbance& made = into.disturbances.emplace_back();
                    return read_named(each, "cause", disturbance_names, made.cause) &&
                           read_text(each, "text", made.text) && read_text(each, "remedy", made.remedy);
                }));
    }
    [[nodiscard]] bool read_clocks(json_value const& from, clock_state& into) {
        auto const clock = [&](std::string_view name, unsigned& mhz) {
            return whole(member(from, name), mhz, 0, 4294967295.0) || fail_in(name);
        };
        auto const newer = [&](std::string_view name, unsigned& number) { // older files lack it
            return from.find(name) == nullptr || clock(name, number);
        };
        return clock("before", into.before) && clock("during", into.during) && clock("after", into.after) &&
               clock("most", into.most) && newer("memory_before", into.memory_before) &&
               newer("memory_during", into.memory_during) && newer("memory_after", into.memory_after) &&
               newer("limits", into.limits);
    }
    // Factors in canonical form, so that equal units compare equal.
    [[nodiscard]] bool read_unit(json_value const& from, unit& into) {
        std::size_t size = 0;
        auto const read_factor = [&](json_value const& each) {
            if (size == unit::max_factors || each.is != kind::list || each.items.size() != 2)
                return fail("this is no factor of a unit");
            unit::factor& made = into.factors[size++];
            std::string of;
            if (!text(each.items[0], of) || !whole(each.items[1], made.exponent, -127, 127)) return false;
            for (unsigned i = 1; i <= static_cast<unsigned>(dimension::cycle_mcc); ++i)
                if (gpuprof::name(static_cast<dimension>(i)) == of) made.of = static_cast<dimension>(i);
            bool const ascends = size == 1 || made.of > into.factors[size - 2].of;
            if (made.of == dimension::none || made.exponent == 0 || !ascends)
                return fail("dimensions are known ones, in their order");
            return true;
        };
        return read_list(from, "unit", read_factor) &&
               (whole(member(from, "power_of_ten"), into.power_of_ten, -127, 127) || fail_in("power_of_ten"));
    }
    [[nodiscard]] bool read_metric(json_value const& from, report_contents& of) {
        metric_info& into = of.metrics.emplace_back();
        std::string how;
        if (!read_text(from, "name", into.name) || !read_unit(from, into.value_unit) ||
            !read_named(from, "aggregation", aggregations, into.aggregation) ||
            !read_named(from, "kind", kinds, into.kind) || !read_named(from, "source", sources, into.source) ||
            !read_text(from, "fidelity", how))
            return false;
        return find_named(how, of.fidelities.emplace_back()) || fail("this value is not known") || fail_in("fidelity");
    }
    // So many numbers, after those that are there.
    [[nodiscard]] bool read_numbers(json_value const& from, std::string_view name, std::size_t size,
                                    std::vector<double>& into) {
        json_value const& list = member(from, name);
        if (list.is != kind::list || list.items.size() != size)
            return fail("as many numbers as metrics are missing") || fail_in(name);
        return read_list(from, name, [&](json_value const& each) { return number(each, into.emplace_back()); });
    }
    [[nodiscard]] bool read_time(json_value const& from, activity::timestamp& into) {
        if (from.is == kind::text && !from.text.empty()) {
            char const* const end = from.text.data() + from.text.size();
            auto const read = std::from_chars(from.text.data(), end, into.ticks);
            if (read.ec == std::errc{} && read.ptr == end) return true;
        }
        return fail("this is no time in nanoseconds");
    }
    // Deviations are there for all rows or for none.
    [[nodiscard]] bool read_row(json_value const& from, report_contents& of) {
        bool const first = of.values.empty();
        if (!read_numbers(from, "values", of.metrics.size(), of.values)) return false;
        bool const deviate = from.find("deviations") != nullptr;
        if (!first && deviate == of.deviations.empty() && !of.metrics.empty())
            return fail("some rows have them, others have none") || fail_in("deviations");
        if (deviate && !read_numbers(from, "deviations", of.metrics.size(), of.deviations)) return false;
        ++rows_;
        if (json_value const* const time = from.find("time"); time != nullptr) {
            of.times.resize(rows_);
            if (time->is != kind::list || time->items.size() != 2)
                return fail("a start and an end are missing") || fail_in("time");
            if (!read_time(time->items[0], of.times.back().start) || !read_time(time->items[1], of.times.back().end))
                return fail_in("time");
        }
        return true;
    }
    // Parents stand before their children.
    [[nodiscard]] bool read_range(json_value const& from, report_contents& of) {
        std::size_t const before = of.ranges.size();
        report_range& into = of.ranges.emplace_back();
        if (!read_text(from, "name", into.name)) return false;
        if (!place(member(from, "parent"), into.parent, before)) return fail_in("parent");
        if (!read_count(from, "count", into.count)) return false;
        auto const read_index = [&](json_value const& each) { return index(each, into.rows.emplace_back(), rows_); };
        return read_list(from, "rows", read_index) &&
               (read_launches(member(from, "launches"), into.launches) || fail_in("launches")) &&
               read_pass_times(from, into.pass_times);
    }
    [[nodiscard]] bool read_pass_times(json_value const& from, pass_times& into) {
        if (from.find("timed_passes") == nullptr) return true; // passes were not timed
        double shortest = 0, longest = 0;
        if (!read_count(from, "timed_passes", into.passes)) return false;
        if (!number(member(from, "shortest_pass"), shortest)) return fail_in("shortest_pass");
        if (!number(member(from, "longest_pass"), longest)) return fail_in("longest_pass");
        into.shortest = nanoseconds{shortest};
        into.longest = nanoseconds{longest};
        return true;
    }
    [[nodiscard]] bool read_note(json_value const& from, report_contents& of) {
        report_note& into = of.notes.emplace_back();
        if (!index(member(from, "metric"), into.metric, of.metrics.size())) return fail_in("metric");
        if (!place(member(from, "row"), into.row, rows_)) return fail_in("row");
        return read_value(from, into.value, into.missing);
    }
    // The number of ranges is the image's to tell.
    [[nodiscard]] bool read_counters(json_value const& from, report_contents& of) {
        hw::counter_data counters{of.chip, of.source, {}};
        auto const read_range_of_row = [&](json_value const& each) {
            std::size_t& range = of.counter_ranges.emplace_back(report_contents::no_range);
            return each.is == kind::null || count(each, range);
        };
        if (!read_text(from, "version", counters.version) ||
            !read_list(from, "counters",
                       [&](json_value const& each) { return text(each, counters.counters.emplace_back()); }) ||
            !read_list(from, "ranges", read_range_of_row))
            return false;
        if (of.counter_ranges.size() != rows_) return fail("one a row is missing") || fail_in("ranges");
        json_value const& image = member(from, "image");
        auto bytes = image.is == kind::text ? bytes_of_base64(image.text) : std::nullopt;
        if (!bytes) return fail("this is no base 64") || fail_in("image");
        counters.image = *std::move(bytes);
        of.counters = shared<hw::counter_data>::make(std::move(counters));
        return true;
    }

    std::size_t rows_ = 0;
};

[[nodiscard]] inline error no_report(std::string_view why) {
    return {errc::invalid_argument, 0, "this is no saved report of gpuprof, or a damaged one", why, "save it anew"};
}

} // namespace detail::saved

GPUPROF_INLINE std::string saved_text(report const& of) {
    detail::saved::report_writer writer;
    writer.write_report(of.whole());
    std::string text = writer.take();
    return text += detail::seal_of(text);
}

GPUPROF_INLINE result<report> try_parse_report(std::string_view text) {
    using namespace detail::saved;
    if (text.size() > most_saved_bytes) return no_report("it has more than 64 MiB");
    auto const json = try_read_json(text);
    if (!json) return no_report(json.error().message());
    json_value const* const version = json->find("gpuprof_report");
    if (version == nullptr || version->is != json_value::type::number)
        return no_report("it does not say \"gpuprof_report\"");
    if (version->number != format) {
        error const why{errc::version_mismatch, 0,
                        detail::joined({"a saved report of format ", detail::number_text(version->number)}),
                        detail::joined({"this gpuprof reads format ", std::to_string(format)}),
                        "use the gpuprof that wrote it or a newer one"};
        return why;
    }
    if (!detail::is_sealed(text))
        return no_report("its digest is not that of its text: it was changed after it was written");
    report_contents made;
    report_reader reader;
    if (!reader.read_report(*json, made)) return no_report(reader.why());
    return report{std::move(made)};
}

GPUPROF_INLINE result<void> try_save(report const& of, std::string const& path) {
    std::string const text = saved_text(of);
    std::string const shown = detail::printable_path(path);
    if (text.size() > most_saved_bytes)
        return error{errc::invalid_argument, 0, detail::joined({"the report for \"", shown, "\" is too large"}),
                     "a saved report has at most 64 MiB",
                     "measure fewer ranges or metrics at once, or without profiler_options::keep_counter_data"};
    if (!platform::write_file(path, text))
        return error{errc::io, 0, detail::joined({"the report \"", shown, "\" cannot be written"}),
                     "its folder does not exist or may not be written, or there is no room", "save it elsewhere"};
    return {};
}

GPUPROF_INLINE result<report> try_load_report(std::string const& path) {
    return detail::try_parse_file(path, "saved report", most_saved_bytes, "save it anew", &try_parse_report);
}

#if GPUPROF_EXCEPTIONS
GPUPROF_INLINE void save(report const& of, std::string const& path) { try_save(of, path).value(); }
GPUPROF_INLINE report load_report(std::string const& path) { return try_load_report(path).value(); }
#endif

GPUPROF_NAMESPACE_END

#endif // GPUPROF_RECORDING_SAVED_REPORT_INL_HPP
