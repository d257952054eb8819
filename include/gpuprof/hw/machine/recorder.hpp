// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The abstract class through which a program records and replays, without knowing recordings.
#ifndef GPUPROF_HW_MACHINE_RECORDER_HPP
#define GPUPROF_HW_MACHINE_RECORDER_HPP

#include <string_view>

#include "../../core/error.hpp"
#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "platform/environment.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {
template <class T>
class owned;
}

class device;
struct profiler_options; // of measure/, like report_contents: recorders are above both
struct report_contents;

namespace hw {

struct recorded_trace;
class output_line; // output_line.hpp
struct output_request;

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
    // Begins the outputs of a tracer or a sampler; none where nothing is recorded or played. Errors, of a
    // recorded device: not_collected if it was not recorded for the test at hand, or for fewer things.
    [[nodiscard]] virtual result<gpuprof::detail::owned<output_line>>
    try_begin_outputs(device const& gpu, output_request request) const = 0;
    // Whether a recorded device has that metric for the test at hand.
    [[nodiscard]] virtual bool has_metric(device const& recorded, std::string_view metric) const = 0;

protected:
    constexpr recorder() = default;
    ~recorder() = default; // recorders are static: nobody owns one
};

// Set by gpuprof/replay.hpp before main(). Null: the program has no recordings.
inline constinit recorder const* program_recorder = nullptr;

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
