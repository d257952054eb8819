// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The abstract class through which a program records and replays, without knowing recordings.
#ifndef GPUPROF_HW_MACHINE_RECORDER_HPP
#define GPUPROF_HW_MACHINE_RECORDER_HPP

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../core/error.hpp"
#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "platform/environment.hpp"

GPUPROF_NAMESPACE_BEGIN

class device;
struct profiler_options; // of measure/, like report_contents: recorders are above both
struct report_contents;

namespace hw {

struct recorded_trace;
class output_fields;

// What one tracer or sampler hands out, in its order. On a device it is kept for a recording; on a recorded device it is
// replaced by what was recorded in its place. One thread at a time.
class output_line {
public:
    using description = void (*)(output_fields& fields, void* output);

    output_line(output_line const&) = delete;
    output_line& operator=(output_line const&) = delete;
    virtual ~output_line() = default; // hands what was kept to the recording

    // Whether outputs come from a recording: nothing is measured then.
    [[nodiscard]] bool plays() const noexcept { return plays_; }
    // Keeps the output, or fills it. Errors, of a recorded device only: not_collected where there is no more of them;
    // replay_mismatch where the program has launched other kernels than then; invalid_argument for a damaged recording.
    template <class F>
    [[nodiscard]] result<void> pass(F&& describe) {
        return pass(
            [](output_fields& fields, void* output) { (*static_cast<std::remove_reference_t<F>*>(output))(fields); },
            &describe);
    }
    [[nodiscard]] virtual result<void> pass(description describe, void* output) = 0;
    // Calls describe for each output that is still to come, which stays. Does nothing where nothing is played.
    template <class F>
    void look_ahead(F&& describe) {
        look_ahead(
            [](output_fields& fields, void* output) { (*static_cast<std::remove_reference_t<F>*>(output))(fields); },
            &describe);
    }
    virtual void look_ahead(description describe, void* output) = 0;
    // How many outputs are still to come from a recording.
    [[nodiscard]] virtual std::size_t left() const noexcept = 0;
    // The recording's file; empty where nothing is played.
    [[nodiscard]] virtual std::string file() const = 0;

protected:
    explicit output_line(bool plays) noexcept : plays_{plays} {}

private:
    bool plays_;
};

// What a tracer or sampler is asked for when it begins.
struct output_request {
    std::string what;               // "trace", "instruction counts"
    std::vector<std::string> asked; // "kernel", "memcpy": a replay may ask for some of what was recorded
    bool compares_launches = true;  // the program's kernels must be those that were recorded
};

// Opens recordings as devices, records measurements, and replaces measured values by recorded ones.
// It sees finished contents, not the calls of a session: a recording finds ranges by name and by
// what they launched, and has texts, launches and problems beside values. Thread-safe.
class recorder {
public:
    // Opens the device of a recording in a file. Errors: io, invalid_argument, version_mismatch.
    [[nodiscard]] virtual result<device> try_open(std::string_view path) const = 0;
    // Called when a collection has ended, before its contents become a report. On a recorded device
    // it fills in the recorded values; elsewhere it records the values if asked to. A failure
    // becomes a problem of the contents.
    virtual void finish_collection(device const& gpu, profiler_options const& options,
                                   report_contents& contents) const = 0;
    // The same for traced work. Errors: why it is not recorded.
    [[nodiscard]] virtual result<void> finish_trace(device const& gpu, recorded_trace& trace) const = 0;
    // Begins the outputs of a tracer or a sampler; null where nothing is recorded or played. Errors, of a recorded device:
    // not_collected if it was not recorded for the test at hand, or for fewer things.
    [[nodiscard]] virtual result<std::unique_ptr<output_line>> try_begin_outputs(device const& gpu,
                                                                                 output_request request) const = 0;
    // Whether a recorded device has that metric for the test at hand.
    [[nodiscard]] virtual bool has_metric(device const& recorded, std::string_view metric) const = 0;

protected:
    constexpr recorder() = default;
    ~recorder() = default; // recorders are static: nobody owns one
};

// Set by gpuprof/replay.hpp before main(). Null: the program has no recordings.
inline constinit recorder const* program_recorder = nullptr;

// recorder::try_begin_outputs() of the program's recorder. Null without one.
[[nodiscard]] inline result<std::unique_ptr<output_line>> try_begin_outputs(device const& gpu, output_request request) {
    if (program_recorder != nullptr) return program_recorder->try_begin_outputs(gpu, std::move(request));
    return result<std::unique_ptr<output_line>>{std::unique_ptr<output_line>{}};
}

// Checks a program without a recorder. Errors: unavailable where GPUPROF_RECORD asks for a
// recording.
[[nodiscard]] inline result<void> try_go_without_recorder() {
    if (platform::trusted_variable("GPUPROF_RECORD").empty()) return {};
    error const why{errc::unavailable, 0, "GPUPROF_RECORD is set, and nothing is recorded",
                    "this program was built without recordings", "include <gpuprof/replay.hpp>"};
    return why;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_RECORDER_HPP
