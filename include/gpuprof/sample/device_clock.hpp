// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device's time of CUDA events, in the clock of samples and activity records. Layer: sample.
#ifndef GPUPROF_SAMPLE_DEVICE_CLOCK_HPP
#define GPUPROF_SAMPLE_DEVICE_CLOCK_HPP

#include <cstdint>     // times
#include <type_traits> // a list of kinds
#include <utility>     // std::exchange

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/status.hpp"
#include "../trace/activity/cuda_event.hpp"
#include "../trace/activity/synchronization.hpp"
#include "../trace/overloaded.hpp"
#include "../trace/tracer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Nanoseconds from one tick of an H200's timer to the next.
inline constexpr double clock_resolution = 32;

// Makes the context of a device the current one for a block.
class current_context {
public:
    explicit current_context(device const& gpu) noexcept
        : driver_{&gpu.driver()}, status_{driver_->CtxPushCurrent(gpu.context())} {}
    current_context(current_context const&) = delete;
    current_context& operator=(current_context const&) = delete;
    ~current_context() {
        abi::CUcontext popped = nullptr;
        if (status_ == abi::CUDA_SUCCESS) static_cast<void>(driver_->CtxPopCurrent(&popped));
    }
    [[nodiscard]] abi::CUresult status() const noexcept { return status_; }

private:
    abi::driver_table const* driver_;
    abi::CUresult status_;
};

// One event whose time on the device is known in nanoseconds; those of others follow by cuEventElapsedTime, one after the other:
// a float holds the microseconds between neighbours to a fraction of a nanosecond, and the seconds since a start only to
// some. The known time comes from an activity record, which takes a tracer's place for a moment. Where another tracer has that,
// or CUPTI gives events no time (before 12.8), the event is put between two readings of cuptiGetTimestamp.
GPUPROF_LAZY class basic_device_clock {
public:
    // Errors: what the driver says of a stream and an event.
    [[nodiscard]] static result<basic_device_clock> try_create(device const& gpu) {
        basic_device_clock made{gpu};
        current_context const here{gpu};
        if (here.status()) return hw::explain("cuCtxPushCurrent", here.status());
        // Its own: what the program has in its streams is not waited for.
        if (auto const status = made.driver_->StreamCreate(&made.stream_, abi::CU_STREAM_NON_BLOCKING))
            return hw::explain("cuStreamCreate", status);
        if (auto const status = made.driver_->EventCreate(&made.reference_, abi::CU_EVENT_DEFAULT))
            return hw::explain("cuEventCreate", status);
        return result<basic_device_clock>{std::move(made)};
    }
    basic_device_clock(basic_device_clock&& other) noexcept
        : gpu_{other.gpu_},
          driver_{other.driver_},
          stream_{std::exchange(other.stream_, nullptr)},
          reference_{std::exchange(other.reference_, nullptr)},
          origin_{other.origin_},
          anchor_{other.anchor_},
          anchor_time_{other.anchor_time_},
          deviation_{other.deviation_} {}
    basic_device_clock& operator=(basic_device_clock&&) = delete;
    ~basic_device_clock() {
        if (reference_ == nullptr && stream_ == nullptr) return;
        current_context const here{*gpu_};
        if (reference_ != nullptr) static_cast<void>(driver_->EventDestroy(reference_));
        if (stream_ != nullptr) static_cast<void>(driver_->StreamDestroy(stream_));
    }
    // After the device object was moved.
    void move_to(device const& gpu) noexcept { gpu_ = &gpu; }

    // Takes the time of the reference anew. Errors: what the driver and CUPTI say. Cost: some milliseconds.
    [[nodiscard]] result<void> try_set() {
        current_context const here{*gpu_};
        if (here.status()) return hw::explain("cuCtxPushCurrent", here.status());
        auto const recorded = try_set_by_record();
        if (!recorded) return recorded.error();
        if (!*recorded)
            if (auto bracketed = try_set_by_readings(); !bracketed) return bracketed;
        anchor_ = reference_;
        anchor_time_ = 0;
        return {};
    }

    // The time of the reference, as activity records have it. Other times are doubles since then: as a double, the time since
    // 1970 would be off by 128 ns.
    [[nodiscard]] std::uint64_t origin() const noexcept { return origin_; }
    // When an event was recorded, in nanoseconds since the origin. @pre it has happened, and the last one that was asked for is still as it was
    [[nodiscard]] result<double> try_time(abi::CUevent event) {
        float milliseconds = 0;
        if (auto const status = driver_->EventElapsedTime(&milliseconds, anchor_, event))
            return hw::explain("cuEventElapsedTime", status);
        anchor_time_ += double{milliseconds} * 1e6;
        anchor_ = event;
        return anchor_time_;
    }
    // How far times may be off together, in nanoseconds: a standard deviation.
    [[nodiscard]] double deviation() const noexcept { return deviation_; }

private:
    explicit basic_device_clock(device const& gpu) noexcept : gpu_{&gpu}, driver_{&gpu.driver()} {}

    [[nodiscard]] result<void> try_record() {
        if (auto const status = driver_->EventRecord(reference_, stream_)) return hw::explain("cuEventRecord", status);
        if (auto const status = driver_->StreamSynchronize(stream_)) return hw::explain("cuStreamSynchronize", status);
        return {};
    }
    // False: there is no such record to be had.
    [[nodiscard]] result<bool> try_set_by_record() {
        tracer_options options;
        options.buffers = 2;
        options.buffer_bytes = std::size_t{64} << 10;
        options.event_times = true;
        constexpr auto wanted = activity::kinds<activity::cuda_event, activity::synchronization>; // both, or an H200 has none
        auto trace = tracer<std::remove_const_t<decltype(wanted)>>::try_begin(*gpu_, wanted, options);
        if (!trace) return false;
        if (auto done = try_record(); !done) return done.error();
        auto const batch = trace->try_finish();
        if (!batch) return false;
        origin_ = 0;
        batch->visit(overloaded{[&](activity::cuda_event const& each) {
                                    if (each.time && each.time->known()) origin_ = each.time->ticks;
                                },
                                [](activity::synchronization const&) {}});
        deviation_ = clock_resolution;
        return origin_ != 0;
    }
    [[nodiscard]] result<void> try_set_by_readings() {
        auto const now = gpu_->cupti().GetTimestamp;
        if (now == nullptr) return hw::unavailable_call(gpu_->machine(), "cuptiGetTimestamp");
        double least = 0;
        for (int i = 0; i < 8; ++i) { // the reference is the last of them: its readings must be good enough
            std::uint64_t before = 0, after = 0;
            if (auto const status = now(&before)) return hw::explain("cuptiGetTimestamp", status);
            if (auto done = try_record(); !done) return done;
            if (auto const status = now(&after)) return hw::explain("cuptiGetTimestamp", status);
            auto const apart = static_cast<double>(after - before);
            origin_ = before + (after - before) / 2;
            deviation_ = apart / 3.4641 + 1; // anywhere between the two alike
            if (i != 0 && apart <= 1.1 * least) break;
            if (i == 0 || apart < least) least = apart;
        }
        return {};
    }

    device const* gpu_;
    abi::driver_table const* driver_;
    abi::CUstream stream_ = nullptr;
    abi::CUevent reference_ = nullptr;
    std::uint64_t origin_ = 0;
    abi::CUevent anchor_ = nullptr;
    double anchor_time_ = 0;
    double deviation_ = 0;
};
using device_clock = basic_device_clock<>;

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_DEVICE_CLOCK_HPP
