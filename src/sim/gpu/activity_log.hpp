// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The activity records of the embedded GPU (CUPTI 12.0, 2.3): what is recorded, and where records
// go.
#ifndef GPUPROF_SRC_SIM_GPU_ACTIVITY_LOG_HPP
#define GPUPROF_SRC_SIM_GPU_ACTIVITY_LOG_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include <gpuprof/detail/config.hpp>

#include "activity_buffers.hpp"
#include "activity_encoder.hpp"
#include "activity_switches.hpp"
#include "activity_time.hpp"
#include "call_trace.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Thread-safe. While nothing is recorded, is_on() is all that it costs: one relaxed load.
class activity_log {
public:
    [[nodiscard]] static bool is_on() noexcept {
        return (listeners.load(std::memory_order_relaxed) & static_cast<unsigned>(listener::activity)) != 0;
    }

    activity_switches switches;
    activity_buffers buffers;
    activity_time time;
    std::atomic<activity::cuda_release> release{activity::release(13, 0)}; // whose layouts are written
    std::atomic<bool> latency_timestamps{false};
    std::atomic<bool> event_timestamps{false};
    std::atomic<abi::CUpti_ActivityThreadIdType> thread_ids{abi::CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT};

    // Call it after each change of the switches.
    void apply_switches() noexcept;
    // As cuptiFinalize does: gives all buffers back and forgets the tool.
    void clear();

    // Writes a record if its kind is recorded for the context. Calls the tool: hold no lock.
    template <class Record>
    void write(abi::CUpti_ActivityKind kind, abi::CUcontext context, Record const& record) noexcept {
        if (switches.records(kind, context)) write_always(kind, record);
    }
    template <class Record>
    void write_always(abi::CUpti_ActivityKind kind, Record const& record) noexcept {
        constexpr std::size_t most = 512; // bytes of the largest record
        alignas(8) std::byte bytes[most];
        auto const layout = release.load(std::memory_order_relaxed);
        std::size_t const size = record_size(kind, layout);
        if (size == 0 || size > most) return;
        encode(record, kind, layout, bytes);
        buffers.write(bytes, size);
    }

    // Returns a copy of the name that lives as long as the process: tools may keep names of
    // kernels.
    [[nodiscard]] char const* keep(std::string_view name);

    [[nodiscard]] std::uint32_t this_thread() const noexcept;

private:
    static std::uint64_t begin_call(abi::CUpti_CallbackId id, std::uint32_t correlation) noexcept;
    static void end_call(abi::CUpti_CallbackId id, std::uint32_t correlation, std::uint64_t began,
                         abi::CUresult status) noexcept;
    void write_external_ids(std::uint32_t correlation) noexcept;

    std::mutex names_mutex_;
    std::set<std::string, std::less<>> names_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_ACTIVITY_LOG_HPP
