// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives records to busy times: from the program's batches, or from a tracer of the sampler's own.
#ifndef GPUPROF_FRAMES_FRAME_OWN_RECORDS_HPP
#define GPUPROF_FRAMES_FRAME_OWN_RECORDS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "../core/result.hpp"
#include "../hw/activity/record.hpp"
#include "../hw/machine/device.hpp"
#include "../trace/tracer.hpp"
#include "frame_busy.hpp"
#include "record_pump.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Records of what keeps a GPU busy.
template <class Record>
inline constexpr bool is_gpu_work =
    std::is_same_v<Record, activity::kernel> || std::is_same_v<Record, activity::memcpy> ||
    std::is_same_v<Record, activity::peer_memcpy> || std::is_same_v<Record, activity::memset> ||
    std::is_same_v<Record, activity::decompression> || std::is_same_v<Record, activity::graph_trace>;

// Gives a batch's records of one device to the frames. One thread at a time.
template <class Batch>
void add_records(frame_busy& to, Batch const& batch, std::uint32_t device) {
    batch.visit([&]<class Record>(Record const& record) {
        if constexpr (is_gpu_work<Record>)
            if (record.device == device) to.add(record.correlation, record.time.start.ticks, record.time.end.ticks);
    });
    to.settle();
}

// A tracer of kernels, copies and sets, and the thread that reads it. Not movable.
class frame_own_records {
public:
    using kinds = activity::kind_list<activity::kernel, activity::memcpy, activity::peer_memcpy, activity::memset>;

    // @pre `to` outlives this. Errors: those of tracer::try_begin; unavailable without a thread.
    [[nodiscard]] result<void> try_begin(device const& gpu, frame_busy& to) {
        tracer_options options;
        options.buffer_bytes = buffer_bytes;
        options.buffers = buffers;
        auto begun = tracer<kinds>::try_begin(gpu.machine(), kinds{}, options);
        if (!begun) return std::move(begun).error();
        tracer_.emplace(*std::move(begun));
        auto pumped = pump::try_begin(*tracer_, period_ns, {&to, static_cast<std::uint32_t>(gpu.ordinal())});
        if (!pumped) {
            tracer_.reset();
            return std::move(pumped).error();
        }
        pump_ = *std::move(pumped);
        return {};
    }

private:
    // A buffer whose records are not all complete is not handed over, so buffers are small: 320
    // kernels of CUPTI 13.0.
    static constexpr std::size_t buffer_bytes = std::size_t{1} << 16;
    static constexpr std::size_t buffers = 32;
    static constexpr std::uint64_t period_ns = 10'000'000;

    struct reader {
        frame_busy* to;
        std::uint32_t device;
        void operator()(trace_batch<kinds> const& batch, bool) const { add_records(*to, batch, device); }
    };
    using pump = record_pump<kinds, reader>;

    std::optional<tracer<kinds>> tracer_{};
    std::unique_ptr<pump> pump_{}; // ends before its tracer
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_OWN_RECORDS_HPP
