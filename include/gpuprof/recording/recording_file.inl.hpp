// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of recording_file.hpp.
#ifndef GPUPROF_RECORDING_RECORDING_FILE_INL_HPP
#define GPUPROF_RECORDING_RECORDING_FILE_INL_HPP

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/unit_text.hpp"
#include "../metric/device_attributes.hpp"
#include "../text/json_value.hpp"
#include "file_reader.hpp"
#include "file_writer.hpp"
#include "output_text.hpp"
#include "recording_file.hpp"
#include "../text/sealed_text.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::replay {

// ---- writing ------------------------------------------------------------------------------------

// Puts a recording into words.
class recording_writer : public gpuprof::detail::file_writer {
public:
    void write(recording const& of) {
        to_ += "{\n  \"gpuprof_recording\": ";
        to_ += std::to_string(of.outputs.empty() ? 1 : recording::format);
        to_ += ",\n  \"device\": {";
        member("\n    ", "name", of.device.name);
        member(",\n    ", "chip", of.device.chip);
        member(",\n    ", "source", gpuprof::name(of.device.source));
        list(",\n    ", "capability");
        number(of.device.capability.generation);
        to_ += ", ";
        number(of.device.capability.revision);
        to_ += ']';
        member(",\n    ", "driver", of.device.driver);
        member(",\n    ", "cupti", of.device.cupti);
        member(",\n    ", "memory", static_cast<double>(of.device.memory));
        name(",\n    ", "attributes");
        to_ += '{';
        bool first = true;
        for (auto const& [which, value] : of.device.attributes)
            for (device_attribute const& each : gpuprof::detail::attributes::table)
                if (each.number == which) {
                    member(first ? "\n      " : ",\n      ", each.name, value);
                    first = false;
                    break;
                }
        to_ += "\n    }\n  }";
        list(",\n  ", "collections");
        for (std::size_t i = 0; i < of.collections.size(); ++i) {
            to_ += i == 0 ? "\n    {" : ",\n    {";
            write(of.collections[i]);
            to_ += "\n    }";
        }
        to_ += of.collections.empty() ? "]" : "\n  ]";
        list(",\n  ", "traces");
        for (std::size_t i = 0; i < of.traces.size(); ++i) {
            to_ += i == 0 ? "\n    {" : ",\n    {";
            write(of.traces[i]);
            to_ += "\n    }";
        }
        to_ += of.traces.empty() ? "]" : "\n  ]";
        if (of.outputs.empty()) return;
        list(",\n  ", "outputs");
        for (std::size_t i = 0; i < of.outputs.size(); ++i) {
            to_ += i == 0 ? "\n    {" : ",\n    {";
            write(of.outputs[i]);
            to_ += "\n    }";
        }
        to_ += "\n  ]";
    }

private:
    using file_writer::write;

    void write(recorded_collection const& of) {
        member("\n      ", "label", of.label);
        member(",\n      ", "hardware", of.hardware);
        flag(",\n      ", "kernels", of.kernels);
        count(",\n      ", "passes_needed", of.passes_needed);
        count(",\n      ", "replay_passes", of.replay_passes);
        count(",\n      ", "other_threads", of.other_threads);
        count(",\n      ", "cache_flushes", of.cache_flushes);
        list(",\n      ", "problems");
        for (std::size_t i = 0; i < of.problems.size(); ++i) {
            to_ += i == 0 ? "\n        " : ",\n        ";
            write(of.problems[i]);
        }
        to_ += of.problems.empty() ? "]" : "\n      ]";
        name(",\n      ", "unwatched");
        write(of.unwatched);
        name(",\n      ", "metrics");
        to_ += '{';
        for (std::size_t i = 0; i < of.metrics.size(); ++i)
            member(i == 0 ? "\n        " : ",\n        ", of.metrics[i].first, gpuprof::name(of.metrics[i].second));
        to_ += "\n      }";
        list(",\n      ", "ranges");
        for (std::size_t i = 0; i < of.ranges.size(); ++i) {
            to_ += i == 0 ? "\n        {" : ",\n        {";
            write(of.ranges[i], of);
            to_ += "\n        }";
        }
        to_ += of.ranges.empty() ? "]" : "\n      ]";
    }
    void write(recorded_trace const& of) {
        member("\n      ", "label", of.label);
        count(",\n      ", "calls", of.calls);
        list(",\n      ", "found");
        for (std::size_t i = 0; i < of.found.size(); ++i) {
            traced_calls const& each = of.found[i];
            member(i == 0 ? "\n        {" : ",\n        {", "effect", gpuprof::name(each.effect));
            member(", ", "name", each.name);
            member(", ", "what", each.what);
            count(", ", "times", each.times);
            to_ += '}';
        }
        to_ += of.found.empty() ? "]" : "\n      ]";
        name(",\n      ", "missing");
        write(of.missing);
    }
    void write(recorded_outputs const& of) {
        member("\n      ", "label", of.label);
        member(",\n      ", "what", of.what);
        list(",\n      ", "asked");
        for (std::size_t i = 0; i < of.asked.size(); ++i) {
            if (i != 0) to_ += ", ";
            string(of.asked[i]);
        }
        to_ += ']';
        list(",\n      ", "outputs");
        for (std::size_t i = 0; i < of.outputs.size(); ++i) {
            name(i == 0 ? "\n        {" : ",\n        {", "launches");
            write_launches(of.outputs[i].launches);
            name(", ", "output");
            to_ += of.outputs[i].text;
            to_ += '}';
        }
        to_ += of.outputs.empty() ? "]" : "\n      ]";
    }
    void write(recorded_range const& range, recorded_collection const& of) {
        list("\n          ", "path");
        for (std::size_t i = 0; i < range.path.size(); ++i) {
            if (i != 0) to_ += ", ";
            string(range.path[i]);
        }
        to_ += ']';
        count(",\n          ", "count", range.count);
        name(",\n          ", "launches");
        write_launches(range.launches);
        name(",\n          ", "values");
        to_ += '{';
        for (std::size_t i = 0; i < range.values.size(); ++i) {
            list(i == 0 ? "\n            " : ",\n            ", of.metrics[i].first);
            for (std::size_t k = 0; k < range.values[i].size(); ++k) {
                if (k != 0) to_ += ", ";
                number(range.values[i][k]);
            }
            to_ += ']';
        }
        to_ += "\n          }";
        list(",\n          ", "notes");
        for (std::size_t i = 0; i < range.notes.size(); ++i) {
            to_ += i == 0 ? "\n            " : ",\n            ";
            write(range.notes[i], of);
        }
        to_ += range.notes.empty() ? "]" : "\n          ]";
    }
    void write(recorded_note const& note, recorded_collection const& of) {
        member("{", "metric", of.metrics[note.metric].first);
        place(", ", "repetition", note.repetition, recorded_note::every_repetition);
        write_value(note.value, note.missing);
        to_ += '}';
    }
};

// ---- reading ------------------------------------------------------------------------------------

// Takes a recording from JSON. The first thing that is not as it was written ends it.
class recording_reader : public gpuprof::detail::file_reader {
public:
    [[nodiscard]] bool read(json_value const& from, recording& into) {
        bool const has_outputs = from.find("outputs") != nullptr;
        bool const good =
            has_outputs
                ? has(from, {"gpuprof_recording", "device", "collections", "traces", "outputs", "digest"},
                      "the recording")
                : has(from, {"gpuprof_recording", "device", "collections", "traces", "digest"}, "the recording");
        if (!good) return false;
        if (from.items[0].number != (has_outputs ? 2 : 1)) return fail("its format is not that of its members");
        if (!read(from.items[1], into.device)) return false;
        json_value const& all = from.items[2];
        if (all.is != kind::list) return fail("its collections are no list");
        into.collections.reserve(all.items.size());
        for (json_value const& each : all.items)
            if (!read(each, into.collections.emplace_back())) return false;
        if (from.items[3].is != kind::list) return fail("its traces are no list");
        into.traces.reserve(from.items[3].items.size());
        for (json_value const& each : from.items[3].items)
            if (!read(each, into.traces.emplace_back())) return false;
        if (!has_outputs) return true;
        if (from.items[4].is != kind::list) return fail("its outputs are no list");
        into.outputs.reserve(from.items[4].items.size());
        for (json_value const& each : from.items[4].items)
            if (!read(each, into.outputs.emplace_back())) return false;
        return true;
    }

private:
    // Whether it is an object of these members, in this order.
    [[nodiscard]] bool has(json_value const& of, std::initializer_list<std::string_view> names, std::string_view what) {
        bool same = of.is == kind::object && of.names.size() == names.size();
        for (std::size_t i = 0; same && i < names.size(); ++i) same = of.names[i] == names.begin()[i];
        return same || fail(gpuprof::detail::joined({what, " has other members than it is to have"}));
    }
    [[nodiscard]] bool read(json_value const& from, recorded_device& into) {
        if (!has(from, {"name", "chip", "source", "capability", "driver", "cupti", "memory", "attributes"},
                 "the device"))
            return false;
        std::string source;
        if (!text(from.items[0], into.name) || !text(from.items[1], into.chip) || !text(from.items[2], source))
            return false;
        if (!find_named(source, into.source)) return fail("the device's source is neither hardware nor embedded");
        json_value const& capability = from.items[3];
        if (capability.is != kind::list || capability.items.size() != 2) return fail("the device has no capability");
        if (!whole(capability.items[0], into.capability.generation, 0, 1000) ||
            !whole(capability.items[1], into.capability.revision, 0, 1000) || !integer(from.items[4], into.driver) ||
            !integer(from.items[5], into.cupti) || !count(from.items[6], into.memory))
            return false;
        json_value const& attributes = from.items[7];
        if (attributes.is != kind::object) return fail("the device has no attributes");
        for (std::size_t i = 0; i < attributes.names.size(); ++i) {
            auto const* const known = find_device_attribute(attributes.names[i]);
            int value = 0;
            if (known == nullptr) return fail("the device has an attribute that is not known");
            if (!integer(attributes.items[i], value)) return false;
            into.attributes.emplace_back(known->number, value);
        }
        return true;
    }
    using file_reader::read;

    [[nodiscard]] bool read(json_value const& from, recorded_collection& into) {
        if (!has(from,
                 {"label", "hardware", "kernels", "passes_needed", "replay_passes", "other_threads", "cache_flushes",
                  "problems", "unwatched", "metrics", "ranges"},
                 "a collection"))
            return false;
        if (!text(from.items[0], into.label) || !text(from.items[1], into.hardware) ||
            !flag(from.items[2], into.kernels) || !count(from.items[3], into.passes_needed) ||
            !count(from.items[4], into.replay_passes) || !count(from.items[5], into.other_threads) ||
            !count(from.items[6], into.cache_flushes))
            return false;
        if (from.items[7].is != kind::list) return fail("problems are no list");
        for (json_value const& each : from.items[7].items)
            if (!read(each, into.problems.emplace_back())) return false;
        if (!read(from.items[8], into.unwatched)) return false;
        json_value const& metrics = from.items[9];
        if (metrics.is != kind::object) return fail("a collection has no metrics");
        for (std::size_t i = 0; i < metrics.names.size(); ++i) {
            std::string how;
            if (!text(metrics.items[i], how)) return false;
            auto& made = into.metrics.emplace_back(metrics.names[i], fidelity::exact);
            if (!find_named(how, made.second)) return fail("a metric does not say its fidelity");
        }
        if (from.items[10].is != kind::list) return fail("ranges are no list");
        into.ranges.reserve(from.items[10].items.size());
        for (json_value const& each : from.items[10].items)
            if (!read(each, into, into.ranges.emplace_back())) return false;
        return true;
    }
    [[nodiscard]] bool read(json_value const& from, recorded_trace& into) {
        if (!has(from, {"label", "calls", "found", "missing"}, "a trace")) return false;
        if (!text(from.items[0], into.label) || !count(from.items[1], into.calls)) return false;
        if (from.items[2].is != kind::list) return fail("the calls of a trace are no list");
        for (json_value const& each : from.items[2].items) {
            if (!has(each, {"effect", "name", "what", "times"}, "a call of a trace")) return false;
            traced_calls& made = into.found.emplace_back();
            std::string effect;
            if (!text(each.items[0], effect) || !text(each.items[1], made.name) || !text(each.items[2], made.what) ||
                !count(each.items[3], made.times))
                return false;
            if (!find_named(effect, made.effect)) return fail("a call of a trace has an effect that is not known");
        }
        return read(from.items[3], into.missing);
    }
    [[nodiscard]] bool read(json_value const& from, recorded_outputs& into) {
        if (!has(from, {"label", "what", "asked", "outputs"}, "the outputs of a tracer or sampler")) return false;
        if (!text(from.items[0], into.label) || !text(from.items[1], into.what)) return false;
        if (from.items[2].is != kind::list || from.items[3].is != kind::list) return fail("outputs are no list");
        for (json_value const& each : from.items[2].items)
            if (!text(each, into.asked.emplace_back())) return false;
        for (json_value const& each : from.items[3].items) {
            recorded_output& made = into.outputs.emplace_back();
            if (!has(each, {"launches", "output"}, "an output") || !read_all_launches(each.items[0], made.launches))
                return false;
            if (each.items[1].is != kind::object) return fail("an output is no object");
            made.text = output_copier{}.text_of(each.items[1]);
        }
        return true;
    }
    [[nodiscard]] bool read_all_launches(json_value const& from, recorded_launches& into) {
        return has(from, {"heard", "kernels", "graphs", "refused", "alike", "kernel"},
                   "the launches of a range or output") &&
               read_launches(from, into);
    }
    [[nodiscard]] bool read(json_value const& from, recorded_collection const& of, recorded_range& into) {
        if (!has(from, {"path", "count", "launches", "values", "notes"}, "a range")) return false;
        if (from.items[0].is != kind::list || from.items[0].items.empty()) return fail("a range has no path");
        for (json_value const& each : from.items[0].items)
            if (!text(each, into.path.emplace_back())) return false;
        if (!count(from.items[1], into.count)) return false;
        if (!read_all_launches(from.items[2], into.launches)) return false;
        json_value const& values = from.items[3];
        bool same = values.is == kind::object && values.names.size() == of.metrics.size();
        for (std::size_t i = 0; same && i < values.names.size(); ++i) same = values.names[i] == of.metrics[i].first;
        if (!same) return fail("a range has other metrics than its collection");
        into.values.resize(values.items.size());
        for (std::size_t i = 0; i < values.items.size(); ++i) {
            if (values.items[i].is != kind::list || values.items[i].items.size() != values.items[0].items.size())
                return fail("the metrics of a range have different numbers of repetitions");
            for (json_value const& each : values.items[i].items)
                if (!number(each, into.values[i].emplace_back())) return false;
        }
        if (from.items[4].is != kind::list) return fail("notes are no list");
        for (json_value const& each : from.items[4].items)
            if (!read(each, of, into.values.empty() ? 0 : into.values[0].size(), into.notes.emplace_back()))
                return false;
        return true;
    }
    [[nodiscard]] bool read(json_value const& from, recorded_collection const& of, std::size_t repetitions,
                            recorded_note& into) {
        if (!has(from, {"metric", "repetition", "number", "text", "instances", "missing"}, "a note")) return false;
        std::string metric;
        if (!text(from.items[0], metric)) return false;
        while (into.metric < of.metrics.size() && of.metrics[into.metric].first != metric) ++into.metric;
        if (into.metric == of.metrics.size()) return fail("a note is of no metric");
        if (from.items[1].is != kind::null) {
            if (!count(from.items[1], into.repetition)) return false;
            if (into.repetition >= repetitions) return fail("a note is of no repetition");
        }
        return read_value(from, into.value, into.missing);
    }
};

[[nodiscard]] inline error no_recording(std::string_view why) {
    return {errc::invalid_argument, 0, "this is no recording of gpuprof, or a damaged one", why,
            "record it anew with GPUPROF_RECORD"};
}

} // namespace hw::replay

namespace hw {

GPUPROF_INLINE std::string to_text(recording const& of) {
    replay::recording_writer writer;
    writer.write(of);
    std::string text = writer.take();
    return text += gpuprof::detail::seal_of(text);
}

GPUPROF_INLINE result<recording> try_parse_recording(std::string_view text) {
    if (text.size() > most_recording_bytes) return replay::no_recording("it has more than 64 MiB");
    auto const json = try_read_json(text);
    if (!json) {
        std::string const where = json.error().message();
        return replay::no_recording(where);
    }
    json_value const* const version = json->find("gpuprof_recording");
    if (version == nullptr || version->is != json_value::type::number)
        return replay::no_recording("it does not say \"gpuprof_recording\"");
    if (version->number != 1 && version->number != recording::format) {
        error const why{
            errc::version_mismatch, 0,
            gpuprof::detail::joined({"a recording of format ", gpuprof::detail::number_text(version->number)}),
            gpuprof::detail::joined({"this gpuprof reads formats 1 and ", std::to_string(recording::format)}),
            "use the gpuprof that wrote it or a newer one, or record it anew with GPUPROF_RECORD"};
        return why;
    }
    if (!gpuprof::detail::is_sealed(text))
        return replay::no_recording("its digest is not that of its text: it was changed after it was written");
    recording made;
    replay::recording_reader reader;
    if (!reader.read(*json, made)) return replay::no_recording(reader.why());
    return made;
}

GPUPROF_INLINE result<recording> try_read_recording(std::string const& path) {
    return gpuprof::detail::try_parse_file(path, "recording", most_recording_bytes, "write it with GPUPROF_RECORD",
                                           &try_parse_recording);
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RECORDING_RECORDING_FILE_INL_HPP
