// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the reader of recordings: any text is read as it is, and once more with the digest that it should have. A refusal is
// explained; what is read is written again as it is, and a program asks the recorded device for all outputs: records, samples,
// counts and frames.
//
//   ./run fuzz [SECONDS] recording
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <gpuprof/frames.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/recording/recording_file.hpp>
#include <gpuprof/recording/recorded_records.hpp>
#include <gpuprof/recording/replay_driver.hpp>
#include <gpuprof/replay.hpp>
#include <gpuprof/sampling.hpp>
#include <gpuprof/trace.hpp>

#include "sealed_text.hpp"

namespace {

using gpuprof::hw::recording;

void must(bool holds) {
    if (!holds) std::abort();
}
template <class Result>
bool is_explained(Result const& of) {
    must(of || !of.error().what.empty());
    return static_cast<bool>(of);
}

// A device that forgets its recording: there are very many.
class played {
public:
    explicit played(recording of) : session_{"fuzzed", std::move(of)} {
        namespace replay = gpuprof::hw::replay;
        session_.machine.driver = replay::make_driver_table();
        session_.machine.cupti = replay::make_cupti_table();
        session_.machine.recorded = &session_;
        auto& sessions = replay::driver_state::instance().sessions;
        sessions.assign(1, &session_);
    }
    gpuprof::result<gpuprof::device> open() {
        return gpuprof::device::try_open(session_.machine, 0, session_.contents.device.source);
    }

private:
    gpuprof::hw::replay_session session_;
};

std::size_t sum = 0; // of what is read, so that it is read

void trace(gpuprof::device const& gpu) {
    namespace abi = gpuprof::abi;
    gpuprof::activity::kind_set const kinds{abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};
    gpuprof::tracer_options options;
    options.buffers = 2;
    options.buffer_bytes = 4096;
    auto tracer = gpuprof::tracer<gpuprof::activity::kind_set>::try_begin(gpu, kinds, options);
    if (!is_explained(tracer)) return;
    for (int i = 0; i < 2; ++i) {
        auto const batch = i == 0 ? tracer->try_flush() : tracer->try_finish();
        if (!is_explained(batch)) return;
        batch->visit([&](auto const& record) {
            if constexpr (requires { record.name.size(); }) sum += record.name.size();
        });
    }
}
// All records, of every kind, whichever scopes a program would have to open for them.
void read_outputs(gpuprof::device const& gpu, recording const& of) {
    for (auto const& each : of.outputs) {
        gpuprof::recorded_as const label{each.label};
        auto line = gpuprof::hw::try_begin_outputs(gpu, {each.what, each.asked});
        if (!is_explained(line) || !*line) continue;
        while ((*line)->left() != 0) {
            gpuprof::hw::raw_records records;
            auto passed =
                (*line)->pass([&](gpuprof::hw::output_fields& fields) { fields.records("records", records); });
            for (void const* const record : records.at) {
                std::string text;
                must(gpuprof::hw::replay::add_record(text, record, records.release));
                sum += text.size();
            }
            static_cast<void>(is_explained(passed));
        }
    }
    gpuprof::detail::rewind_recording(gpu);
}
template <class Opened, class F>
void sample(Opened opened, F take) {
    if (!is_explained(opened)) return;
    for (int i = 0; i < 3; ++i)
        if (!is_explained(take(*opened))) return;
}
void sample_all(gpuprof::device const& gpu, recording const& of) {
    for (auto const& each : of.outputs) {
        gpuprof::recorded_as const label{each.label};
        trace(gpu);
        sample(gpuprof::sass_counter::try_open(gpu, each.asked), [](auto& from) {
            auto counts = from.try_take();
            if (counts) sum += counts->functions().size();
            return counts;
        });
        sample(gpuprof::pc_sampler::try_open(gpu), [](auto& from) {
            auto samples = from.try_take();
            if (samples)
                for (auto const& record : samples->records)
                    for (auto const& stall : record.stalls) sum += samples->reasons[stall.reason].name.size();
            return samples;
        });
        gpuprof::pm_options options;
        options.several_passes = true;
        sample(gpuprof::pm_sampler::try_create(gpu, options, gpuprof::metric<"smsp__inst_executed.sum">),
               [](auto& from) {
                   auto series = from.try_take();
                   for (std::size_t i = 0; series && i < series->size(); ++i)
                       for (std::size_t k = 0; k < series->metrics().size(); ++k) sum += series->value(i, k) > 1;
                   return series;
               });
        sample(gpuprof::sampled_profiler::try_create(gpu, {}, gpuprof::metric<"smsp__inst_executed.sum">),
               [](auto& from) {
                   auto burst = from.try_start();
                   static_cast<void>(is_explained(from.try_stop()));
                   auto const report = from.try_report();
                   if (is_explained(report)) sum += gpuprof::io::table(*report).size();
                   return burst;
               });
        auto frames = gpuprof::frame_sampler::try_create(gpu, {}, gpuprof::metric<"smsp__inst_executed.sum">);
        if (!is_explained(frames)) continue;
        for (int i = 0; i < 3; ++i) frames->next();
        for (auto const& series : frames->quantities()) sum += series.history.size();
    }
}

void read(std::string const& text) {
    auto found = gpuprof::hw::try_parse_recording(text);
    if (!found) {
        must(!found.error().cause.empty());
        return;
    }
    std::string const written = gpuprof::hw::to_text(*found);
    auto const again = gpuprof::hw::try_parse_recording(written);
    must(again && gpuprof::hw::to_text(*again) == written);
    played device{*std::move(found)};
    auto const gpu = device.open();
    if (!is_explained(gpu)) return;
    read_outputs(*gpu, *again);
    sample_all(*gpu, *again);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    read_sealed(data, size, &read);
    return 0;
}
