// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When the compute engine worked for a context, from a tracer's records, to filter samples by.
#ifndef GPUPROF_SAMPLE_CONTEXT_TRACE_HPP
#define GPUPROF_SAMPLE_CONTEXT_TRACE_HPP

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../detail/config.hpp"
#include "../hw/activity/context_switch.hpp"
#include "../hw/activity/timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN

// Samples count all programs on the device. Where CUPTI tells when the compute engine changed between contexts (13.1 and later,
// kind activity::context_switch), a tracer beside the sampler says which samples are of one context alone:
//
//     auto tracer = gpuprof::tracer<activity::kind_list<activity::context_switch>>::try_begin(gpu, {});
//     ...
//     gpuprof::context_trace switches;
//     switches.add(tracer->flush());
//     gpuprof::pm_series const mine = series.during(switches.active(context));
//
// The contexts are those of the records (cuptiGetContextId). Owns its data; const use is thread-safe. Nsight Compute's guide, 5.1.
class context_trace {
public:
    // Takes one record; the order does not matter.
    void add(activity::context_switch const& record) {
        if (record.time.known()) switches_.push_back(record);
    }
    // Takes the records of a tracer's batch, and passes over others.
    template <class Batch>
        requires requires(Batch const& batch) {
            batch.visit([](auto const&) {});
        }
    void add(Batch const& batch) {
        batch.visit([this]<class Record>(Record const& each) {
            if constexpr (requires { add_one(each); }) add_one(each);
        });
    }

    // No record: CUPTI has none (before 13.1, on WSL, with MIG), or no context was changed.
    [[nodiscard]] bool empty() const noexcept { return switches_.empty(); }

    // When the engine worked for the context, in the order of time. Where the records begin after the context did, or end before,
    // an interval begins at 0, or ends at the greatest time.
    [[nodiscard]] std::vector<activity::interval> active(std::uint32_t context) const {
        std::vector<activity::context_switch> of;
        for (activity::context_switch const& each : switches_)
            if (each.context == context && each.operation != activity::context_switch_operation::invalid)
                of.push_back(each);
        std::stable_sort(of.begin(), of.end(), [](auto const& a, auto const& b) { return a.time < b.time; });
        std::vector<activity::interval> times;
        bool open = false;
        for (std::size_t i = 0; i < of.size(); ++i) {
            if (of[i].operation == activity::context_switch_operation::start) {
                if (!open) times.push_back({of[i].time, {~std::uint64_t{0}}});
                open = true;
            } else if (open) {
                times.back().end = of[i].time;
                open = false;
            } else if (times.empty()) {
                times.push_back({{0}, of[i].time});
            }
        }
        return times;
    }

private:
    void add_one(activity::context_switch const& record) { add(record); }

    std::vector<activity::context_switch> switches_{};
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_CONTEXT_TRACE_HPP
