// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records what this process measures, and plays it back. Opt-in: gpuprof/replay.hpp.
#ifndef GPUPROF_RECORDING_RECORDING_HPP
#define GPUPROF_RECORDING_RECORDING_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "../measure/compiled_out.hpp"
#else

#include <cstddef>
#include <string>
#include <string_view>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/output_line.hpp"
#include "../hw/machine/recorder.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
struct running_recording;

// The recorder of a program with recordings: gpuprof/replay.hpp registers it. What ends on a thread
// has the label of that thread; see recorded_as.
class file_recorder final : public hw::recorder {
public:
    [[nodiscard]] result<device> try_open(std::string_view path) const override;
    void finish_collection(device const& gpu, profiler_options const& options,
                           report_contents& contents) const override;
    [[nodiscard]] result<void> finish_trace(device const& gpu, hw::recorded_trace& trace) const override;
    [[nodiscard]] result<owned<hw::output_line>> try_begin_outputs(device const& gpu,
                                                                   hw::output_request request) const override;
    [[nodiscard]] bool has_metric(device const& recorded, std::string_view metric) const override;
};

// Values are found from the first visit on again, as in a program that begins anew. Nothing where
// values are measured.
void rewind_recording(device const& gpu);
} // namespace detail

// While it lives, every collection and every traced work (observe_trace) of this process that ends
// is recorded for a file, and what tracers and samplers hand out that begin while it lives and end
// before it does; GPUPROF_RECORD=file does the same for the whole program. The file is written by
// try_save() and by the destructor, whole or not at all: beside it, then renamed. A
// recording of the same device that is there already keeps the collections of labels that this one
// does not have, so that processes which each run a part of the tests may share a file; of another
// device, it is replaced. A file that is no recording is left alone.
//
//     gpuprof::recording session{"h200.json"};
//     measure_things();
//     if (auto saved = session.try_save(); !saved) complain(saved.error());
//
// Recorded are ranges with their values, notes, launches and problems, what traced work made the
// host wait for and the GPU copy, the records of tracers, samples, counts of instructions and
// frames, and the device. Not recorded: timelines, samples of events. Thread-safe.
class recording {
public:
    explicit recording(std::string path);
    recording(recording const&) = delete;
    recording& operator=(recording const&) = delete;
    ~recording(); // what try_save() would say is lost

    // Errors: invalid_state while nothing is recorded; io; invalid_argument and version_mismatch
    // for a file that is there and is no recording that this gpuprof reads.
    [[nodiscard]] result<void> try_save();
    [[nodiscard]] std::size_t collections() const; // and traces, and tracers and samplers that ended, together

private:
    detail::running_recording* running_;
};

// While it lives, collections that end on this thread have a label, by which a replay tells ranges
// of one name apart. The adaptors of test frameworks label by the test's name where nothing else is
// said. The inner one counts. Thread: its own.
//
//     gpuprof::recorded_as name{"gemm 1024"};
class recorded_as {
public:
    explicit recorded_as(std::string_view label);
    recorded_as(recorded_as const&) = delete;
    recorded_as& operator=(recorded_as const&) = delete;
    ~recorded_as();

    static void* operator new(std::size_t) = delete;

    [[nodiscard]] static std::string current(); // the label at hand; may be empty

private:
    std::string label_;
    recorded_as* outer_;
};

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "recording.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_RECORDING_RECORDING_HPP
