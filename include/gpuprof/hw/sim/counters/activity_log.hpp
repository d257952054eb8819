// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the records of what the embedded GPU does (CUPTI 12.0, 2.3). Layer: hw/sim; between the driver table, which tells of
// it, and the CUPTI table, through which tools switch it on and get buffers of records.
#ifndef GPUPROF_HW_SIM_COUNTERS_ACTIVITY_LOG_HPP
#define GPUPROF_HW_SIM_COUNTERS_ACTIVITY_LOG_HPP

#include <atomic>      // settings
#include <cstddef>     // std::byte
#include <cstdint>     // correlation ids
#include <functional>  // std::less<>
#include <mutex>       // names
#include <set>         // names
#include <string>      // names
#include <string_view> // names

#include "../../../detail/config.hpp"
#include "../../machine/platform/identity.hpp"
#include "activity_buffers.hpp"
#include "activity_encoder.hpp"
#include "activity_switches.hpp"
#include "activity_time.hpp"
#include "call_trace.hpp"
#include "external_ids.hpp"
#include "gpu_registry.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// One a process, never destroyed. Thread-safe. While nothing is recorded, recorder_of_calls is null: one relaxed load, by
// which the driver table asks, is all that it costs.
class activity_log {
public:
    [[nodiscard]] static activity_log& instance() {
        static auto* const one = new activity_log;
        return *one;
    }
    [[nodiscard]] static bool is_on() noexcept { return recorder_of_calls.load(std::memory_order_relaxed) != nullptr; }

    activity_switches switches;
    activity_buffers buffers;
    activity_time time;
    std::atomic<activity::cuda_release> release{activity::release(13, 0)}; // whose layouts are written
    std::atomic<bool> latency_timestamps{false};
    std::atomic<bool> event_timestamps{false};
    std::atomic<abi::CUpti_ActivityThreadIdType> thread_ids{abi::CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT};

    // Call it after each change of the switches.
    void apply_switches() noexcept { record_calls(switches.any() ? &recorder() : nullptr); }
    // As cuptiFinalize does: gives all buffers back and forgets the tool.
    void clear() {
        switches.clear();
        apply_switches();
        buffers.clear();
        time.use(nullptr);
        external_ids::clear_all();
        latency_timestamps = event_timestamps = false;
        thread_ids = abi::CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT;
    }

    // Writes a record if its kind is recorded for the context. Calls the tool: hold no lock.
    template <class Record>
    void write(abi::CUpti_ActivityKind kind, abi::CUcontext context, Record const& record) noexcept {
        if (switches.records(kind, context)) write_always(kind, record);
    }
    template <class Record>
    void write_always(abi::CUpti_ActivityKind kind, Record const& record) noexcept {
        constexpr std::size_t most = 512; // bytes of the largest record
        alignas(8) std::byte bytes[most];
        auto const of = release.load(std::memory_order_relaxed);
        std::size_t const size = record_size(kind, of);
        if (size == 0 || size > most) return;
        encode(record, kind, of, bytes);
        buffers.write(bytes, size);
    }

    // The text, for the life of the process: tools may keep names of kernels.
    [[nodiscard]] char const* keep(std::string_view name) {
        std::lock_guard const held{names_mutex_};
        auto const known = names_.find(name);
        return (known != names_.end() ? known : names_.emplace(name).first)->c_str();
    }

    [[nodiscard]] std::uint32_t this_thread() const noexcept {
        bool const system = thread_ids.load(std::memory_order_relaxed) == abi::CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM;
        return system ? platform::system_thread_number() : platform::library_thread_number();
    }

private:
    activity_log() = default;

    // A call's ids from outside come before all that it does; its own record comes last.
    static std::uint64_t begin(abi::CUpti_CallbackId id, std::uint32_t correlation) noexcept {
        activity_log& log = instance();
        if (log.switches.records_call(id, gpu_registry::current())) log.write_external_ids(correlation);
        return log.time.now().ticks;
    }
    static void end(abi::CUpti_CallbackId id, std::uint32_t correlation, std::uint64_t began,
                    abi::CUresult status) noexcept {
        activity_log& log = instance();
        activity::api_call call;
        host_clock::pass(call_nanoseconds);
        call.time = {{began}, log.time.now()};
        if (!log.switches.records_call(id, gpu_registry::current())) return;
        call.callback = id;
        call.process = platform::process_number();
        call.thread = log.this_thread();
        call.correlation = correlation;
        call.status = static_cast<std::uint32_t>(status);
        log.write_always(abi::CUPTI_ACTIVITY_KIND_DRIVER, call);
    }
    [[nodiscard]] static call_recorder const& recorder() noexcept {
        static constexpr call_recorder functions{begin, end};
        return functions;
    }

    void write_external_ids(std::uint32_t correlation) noexcept {
        if (!switches.records(abi::CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, gpu_registry::current())) return;
        external_ids const* const stacks = external_ids::mine();
        if (stacks == nullptr) return;
        stacks->for_each_last([&](abi::CUpti_ExternalCorrelationKind kind, std::uint64_t id) {
            write_always(abi::CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
                         activity::external_correlation{kind, id, correlation});
        });
    }

    std::mutex names_mutex_;
    std::set<std::string, std::less<>> names_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_ACTIVITY_LOG_HPP
