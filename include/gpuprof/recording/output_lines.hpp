// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tracers and samplers hand out, on the way into a recording and out of one.
#ifndef GPUPROF_RECORDING_OUTPUT_LINES_HPP
#define GPUPROF_RECORDING_OUTPUT_LINES_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../hw/callbacks/launch_watch.hpp"
#include "../hw/machine/platform/demangle.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "../hw/machine/output_line.hpp"
#include "../measure/launch_log.hpp"
#include "../text/json_text.hpp"
#include "../text/json_value.hpp"
#include "../text/printable.hpp"
#include "output_text.hpp"
#include "playback.hpp"
#include "recorded_data.hpp"
#include "recording_file.hpp"
#include "replay_session.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::replay {

// Counts what the program launches in any context between two outputs.
class launch_counter {
public:
    // Where another tool hears of the launches, nothing is known of them.
    void begin(machine const& on) {
        launches_.heard = static_cast<bool>(watch_.try_begin(on, nullptr, &launch_counter::heard, this, nullptr));
    }
    [[nodiscard]] recorded_launches take() {
        platform::lock const held{mutex_};
        recorded_launches now = std::exchange(launches_, {});
        launches_.heard = now.heard;
        return now;
    }
    [[nodiscard]] bool has_any() {
        platform::lock const held{mutex_};
        return launches_.kernels + launches_.graphs + launches_.refused != 0;
    }

private:
    static void heard(void* self, launch_event const& launch) {
#if GPUPROF_EXCEPTIONS
        try {
            static_cast<launch_counter*>(self)->add(launch);
        } catch (...) {} // no memory for a name
#else
        static_cast<launch_counter*>(self)->add(launch);
#endif
    }
    void add(launch_event const& launch) {
        platform::lock const held{mutex_};
        if (launch.status != abi::CUDA_SUCCESS) ++launches_.refused;
        else if (launch.graph) ++launches_.graphs;
        else if (launches_.kernels++ == 0) {
            first_ = as_launched(launch);
            kernel_launch named = first_;
            named.kernel = platform::demangled(named.kernel);
            launches_.kernel = gpuprof::detail::valid_utf8(gpuprof::detail::launch_text(named));
        } else if (std::string_view{launch.symbol != nullptr ? launch.symbol : ""} != first_.kernel ||
                   launch.grid != first_.grid || launch.block != first_.block ||
                   launch.dynamic_shared != first_.dynamic_shared) {
            launches_.alike = false;
        }
    }

    platform::mutex mutex_;
    recorded_launches launches_{};
    kernel_launch first_{};
    launch_watch watch_; // last: nothing is heard after it
};

// Keeps outputs, and adds them to the recordings in progress when its tracer or sampler ends.
class kept_line final : public output_line {
public:
    using taker = void (*)(device const& gpu, recorded_outputs outputs);

    kept_line(device gpu, recorded_outputs of, bool hears_launches, taker take)
        : output_line{false}, gpu_{std::move(gpu)}, outputs_{std::move(of)}, take_{take} {
        if (hears_launches) launches_.begin(gpu_.machine());
    }
    ~kept_line() override {
#if GPUPROF_EXCEPTIONS
        try {
            take_(gpu_, std::move(outputs_));
        } catch (...) {} // no memory: not recorded
#else
        take_(gpu_, std::move(outputs_));
#endif
    }

    [[nodiscard]] result<void> pass(description describe, void* output) override {
        recorded_output& kept = outputs_.outputs.emplace_back();
        kept.launches = launches_.take();
        // What is too much for a file fails when it is written. Until then it needs no more memory.
        if (bytes_ > most_recording_bytes) return {};
        output_writer writer;
        describe(writer, output);
        kept.text = writer.take();
        bytes_ += kept.text.size();
        return {};
    }
    void look_ahead(description, void*) override {}
    [[nodiscard]] std::size_t left() const noexcept override { return 0; }
    [[nodiscard]] std::string file() const override { return {}; }

private:
    device gpu_; // holds the context on its own
    recorded_outputs outputs_;
    taker take_;
    launch_counter launches_;
    std::size_t bytes_ = 0;
};

// Plays outputs of a recording, which lives as long as the process.
class played_line final : public output_line {
public:
    played_line(replay_session& from, recorded_outputs const& outputs, bool compares_launches)
        : output_line{true}, from_{from}, outputs_{outputs} {
        if (compares_launches) launches_.begin(from.machine);
    }

    [[nodiscard]] result<void> pass(description describe, void* output) override {
        if (left() == 0) return no_more();
        recorded_output const& next = outputs_.outputs[at_];
        launched_ = launched_ || launches_.has_any();
        recorded_launches const now = launches_.take();
        if (launched_ && !gpuprof::detail::is_work_of(next.launches, now))
            return unlike_recording(gpuprof::detail::joined(
                {number_words(), " comes after ", gpuprof::detail::words_of(now), ", where the recording \"",
                 gpuprof::detail::printable_path(from_.file), "\" has ", gpuprof::detail::words_of(next.launches)}));
        ++at_;
        return read(next, describe, output);
    }
    void look_ahead(description describe, void* output) override {
        for (std::size_t i = at_; i < outputs_.outputs.size(); ++i)
            if (!read(outputs_.outputs[i], describe, output)) return; // pass() will say why
    }
    [[nodiscard]] std::size_t left() const noexcept override { return outputs_.outputs.size() - at_; }
    [[nodiscard]] std::string file() const override { return from_.file; }

private:
    [[nodiscard]] std::string number_words() const {
        return gpuprof::detail::joined({"output ", std::to_string(at_ + 1), " of ",
                                        gpuprof::detail::words_of_outputs(outputs_.what, outputs_.label)});
    }
    [[nodiscard]] error no_more() const {
        return {errc::not_collected, 0,
                gpuprof::detail::joined(
                    {number_words(), " is not in the recording \"", gpuprof::detail::printable_path(from_.file), "\""}),
                gpuprof::detail::joined({"it has ", std::to_string(outputs_.outputs.size()), " of them"}),
                gpuprof::detail::playback::again};
    }
    [[nodiscard]] result<void> read(recorded_output const& from, description describe, void* output) {
        auto const json = try_read_json(from.text);
        std::string why = json ? std::string{} : json.error().message();
        if (json) {
            auto const release = activity::release_of_cupti(static_cast<std::uint32_t>(from_.contents.device.cupti));
            output_reader reader{
                *json, release,
                [](void* self, std::string const& text) { return static_cast<replay_session*>(self)->keep(text); },
                &from_};
            describe(reader, output);
            why = reader.why();
            from_.keep(reader.take_records());
        }
        if (why.empty()) return {};
        return error{errc::invalid_argument, 0,
                     gpuprof::detail::joined({number_words(), " in the recording \"",
                                              gpuprof::detail::printable_path(from_.file), "\" cannot be read"}),
                     gpuprof::detail::joined({"a member is missing, or is not what it is to be: ", why}),
                     gpuprof::detail::playback::again};
    }

    replay_session& from_;
    recorded_outputs const& outputs_;
    launch_counter launches_;
    std::size_t at_ = 0;
    bool launched_ = false; // the program launches kernels on the recorded device
};

// The recorded outputs for this visit of the label. Errors: not_collected, which names what the recording lacks.
[[nodiscard]] inline result<gpuprof::detail::owned<output_line>>
try_play_outputs(replay_session& from, std::string const& label, output_request const& request) {
    std::size_t const visit = from.next_visit(gpuprof::detail::joined({label, "\noutputs ", request.what}));
    std::size_t seen = 0;
    std::string const of = gpuprof::detail::words_of_outputs(request.what, label);
    for (recorded_outputs const& each : from.contents.outputs) {
        if (each.label != label || each.what != request.what || seen++ != visit) continue;
        for (std::string const& asked : request.asked) {
            std::string known;
            bool found = false;
            for (std::string const& one : each.asked) {
                found = found || one == asked;
                known += (known.empty() ? "" : ", ") + one;
            }
            if (!found)
                return error{errc::not_collected, 0,
                             gpuprof::detail::joined({"the recording \"", gpuprof::detail::printable_path(from.file),
                                                      "\" has ", of, " without ", asked}),
                             gpuprof::detail::joined({"it was recorded with: ", known}),
                             gpuprof::detail::playback::again};
        }
        if (each.outputs.empty())
            return error{errc::not_collected, 0,
                         gpuprof::detail::joined({"the recording \"", gpuprof::detail::printable_path(from.file),
                                                  "\" has ", of, " without outputs"}),
                         "they did not begin, or nothing was taken from them, when they were recorded",
                         gpuprof::detail::playback::again};
        return gpuprof::detail::owned<output_line>{new played_line{from, each, request.compares_launches}};
    }
    return error{errc::not_collected, 0,
                 gpuprof::detail::joined({"the recording \"", gpuprof::detail::printable_path(from.file), "\" has no ",
                                          seen == 0 ? "" : "more ", of}),
                 seen == 0 ? "it was recorded by a program that did not ask for them there"
                           : "the program asks for them more often than it did when it was recorded",
                 gpuprof::detail::playback::again};
}

} // namespace hw::replay
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RECORDING_OUTPUT_LINES_HPP
