// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The times of CUDA events on the device, in the clock of samples and activity records.
#ifndef GPUPROF_SAMPLE_DEVICE_CLOCK_HPP
#define GPUPROF_SAMPLE_DEVICE_CLOCK_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "../core/result.hpp"
#include "../detail/builtin.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The length of a tick of an H200's timer, in nanoseconds.
inline constexpr double clock_resolution = 32;

// Makes the context of a device current for a block.
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

// Kernels of one thread. The first writes the device's time, %globaltimer. The second writes it
// whenever the host asks by raising the number at `talk`; the answers follow that number. It ends
// after 5 ms without a question.
inline constexpr char clock_ptx[] = R"(
.version 6.0
.target sm_50
.address_size 64
.visible .entry gpuprof_device_time(.param .u64 to) {
    .reg .u64 %rd<3>;
    mov.u64 %rd1, %globaltimer;
    ld.param.u64 %rd2, [to];
    st.u64 [%rd2], %rd1;
    ret;
}
.visible .entry gpuprof_answer_time(.param .u64 talk, .param .u64 times) {
    .reg .u64 %rd<7>; .reg .pred %p;
    ld.param.u64 %rd1, [talk];
    ld.param.u64 %rd2, [times];
    mov.u64 %rd3, 1;
next:
    mov.u64 %rd6, %globaltimer;
wait:
    ld.volatile.u64 %rd4, [%rd1];
    mov.u64 %rd5, %globaltimer;
    setp.ge.u64 %p, %rd4, %rd3;
    @%p bra answer;
    sub.u64 %rd4, %rd5, %rd6;
    setp.lt.u64 %p, %rd4, 5000000;
    @%p bra wait;
    ret;
answer:
    shl.b64 %rd4, %rd3, 3;
    add.u64 %rd4, %rd4, %rd1;
    st.volatile.u64 [%rd4], %rd5;
    add.u64 %rd3, %rd3, 1;
    setp.le.u64 %p, %rd3, %rd2;
    @%p bra next;
    ret;
}
)";

// The time of a reference event in nanoseconds of CUPTI's clock, which samples and activity records
// have. The times of other events follow by cuEventElapsedTime, one after the other: a float holds
// the microseconds between neighbours to a fraction of a nanosecond, but the seconds since a start
// only to some nanoseconds.
//
// CUPTI's clock is the host's. It is not the device's timer, which events and %globaltimer have: on
// an H200 they were 80 us apart, and 2 us more half a second later. So a kernel of one thread tells
// the device's time when the host asks, between two readings of cuptiGetTimestamp, and another
// tells it between two events. (CUPTI's own times of events cannot be used: that of an event in an
// idle stream came 4 us late, and asking for them while the device was sampled locked cuEventRecord
// up.) On the embedded GPU, which has one clock and runs a kernel while the host waits, and where
// the kernels cannot be loaded, two readings around the event itself suffice.
class device_clock {
public:
    // Errors: what the driver says of a stream and an event.
    [[nodiscard]] static result<device_clock> try_create(device const& gpu) {
        device_clock clock{gpu};
        current_context const here{gpu};
        if (here.status()) return hw::explain("cuCtxPushCurrent", here.status());
        // Its own stream, so that it does not wait for the program's streams. Its priority is above
        // that of other work; the driver takes the highest one for numbers beyond.
        if (auto const status =
                clock.driver_->StreamCreateWithPriority(&clock.stream_, abi::CU_STREAM_NON_BLOCKING, -1000))
            return hw::explain("cuStreamCreateWithPriority", status);
        for (abi::CUevent& each : clock.events_)
            if (auto const status = clock.driver_->EventCreate(&each, abi::CU_EVENT_DEFAULT))
                return hw::explain("cuEventCreate", status);
        return result<device_clock>{std::move(clock)};
    }
    device_clock(device_clock&& other) noexcept
        : gpu_{other.gpu_},
          driver_{other.driver_},
          stream_{std::exchange(other.stream_, nullptr)},
          module_{std::exchange(other.module_, nullptr)},
          tells_{other.tells_},
          answers_{other.answers_},
          refused_{other.refused_},
          talk_{std::exchange(other.talk_, nullptr)},
          origin_{other.origin_},
          anchor_{other.anchor_},
          anchor_time_{other.anchor_time_},
          deviation_{other.deviation_},
          first_ahead_{other.first_ahead_} {
        for (std::size_t i = 0; i <= rounds; ++i) events_[i] = std::exchange(other.events_[i], nullptr);
    }
    device_clock& operator=(device_clock&&) = delete;
    ~device_clock() {
        if (stream_ == nullptr) return;
        current_context const here{*gpu_};
        for (abi::CUevent const each : events_)
            if (each != nullptr) static_cast<void>(driver_->EventDestroy(each));
        static_cast<void>(driver_->StreamSynchronize(stream_)); // a kernel may still wait for questions
        if (talk_ != nullptr) static_cast<void>(driver_->MemFreeHost(talk_));
        if (module_ != nullptr) static_cast<void>(driver_->ModuleUnload(module_));
        static_cast<void>(driver_->StreamDestroy(stream_));
    }
    // Takes the time of the reference event again. Errors: what the driver and CUPTI say. Cost: 0.3
    // ms on an H200 with a free device.
    [[nodiscard]] result<void> try_set() {
        current_context const here{*gpu_};
        if (here.status()) return hw::explain("cuCtxPushCurrent", here.status());
        bool const by_kernels = gpu_->source() == device_source::hardware && load_kernels();
        auto set = by_kernels ? try_set_by_kernels() : try_set_by_readings();
        if (!set && by_kernels) set = try_set_by_readings(); // the device was busy too long
        if (!set) return set;
        anchor_ = events_[0];
        anchor_time_ = 0;
        return {};
    }

    // The time of the reference event, in the activity records' clock. Other times are doubles
    // since then: a double of the time since 1970 would be off by 128 ns.
    [[nodiscard]] std::uint64_t origin() const noexcept { return origin_; }
    // The time of an event, in nanoseconds since the origin. @pre the event has happened, and the
    // last event that was asked for has not been recorded again
    [[nodiscard]] result<double> try_time(abi::CUevent event) {
        float milliseconds = 0;
        if (auto const status = driver_->EventElapsedTime(&milliseconds, anchor_, event))
            return hw::explain("cuEventElapsedTime", status);
        anchor_time_ += double{milliseconds} * 1e6;
        anchor_ = event;
        return anchor_time_;
    }
    // How far CUPTI's clock is ahead of the device's now; the growth of it is their drift (H200: 3
    // us a second). None on the embedded GPU, which has one clock, and where it cannot be measured.
    // Cost: 0.1 ms with a free device.
    [[nodiscard]] std::optional<double> drift_mark() {
        if (gpu_->source() == device_source::embedded) return std::nullopt;
        current_context const here{*gpu_};
        if (here.status() || !load_kernels()) return std::nullopt;
        auto const ahead = try_ask(2'000'000);
        if (!ahead) return std::nullopt;
        if (!first_ahead_) first_ahead_ = ahead->nanoseconds;
        return static_cast<double>(ahead->nanoseconds - *first_ahead_);
    }
    // The standard deviation of the common error of all times, in nanoseconds.
    [[nodiscard]] double deviation() const noexcept { return deviation_; }

private:
    explicit device_clock(device const& gpu) noexcept : gpu_{&gpu}, driver_{&gpu.driver()} {}

    static constexpr std::size_t rounds = 16; // questions, and launches between events

    // Loads the kernels. False: only readings are possible.
    [[nodiscard]] bool load_kernels() noexcept {
        if (talk_ != nullptr || refused_) return !refused_;
        void* memory = nullptr; // that the device can address
        refused_ = driver_->ModuleLoadData(&module_, clock_ptx) ||
                   driver_->ModuleGetFunction(&tells_, module_, "gpuprof_device_time") ||
                   driver_->ModuleGetFunction(&answers_, module_, "gpuprof_answer_time") ||
                   driver_->MemHostAlloc(&memory, (rounds + 1) * sizeof(std::uint64_t), 0);
        talk_ = static_cast<std::uint64_t*>(memory);
        return !refused_;
    }
    [[nodiscard]] result<void> try_set_by_kernels() {
        auto const ahead = try_ask(20'000'000);
        if (!ahead) return ahead.error();
        auto const before = try_bracket();
        if (!before) return before.error();
        origin_ = talk_[1] + static_cast<std::uint64_t>(ahead->nanoseconds + static_cast<std::int64_t>(before->middle));
        // Equally distributed between the two readings.
        double const ahead_error = ahead->width / 3.4641, before_error = before->width / 3.4641;
        deviation_ =
            square_root(ahead_error * ahead_error + before_error * before_error + clock_resolution * clock_resolution);
        return {};
    }
    struct bracket {
        double middle;
        double width;
    };
    struct lead {
        std::int64_t nanoseconds;
        double width;
    };
    // How far CUPTI's clock is ahead of the device's, by the question that was answered fastest.
    [[nodiscard]] result<lead> try_ask(std::uint64_t patience_ns) {
        if (auto const status = driver_->StreamSynchronize(stream_)) return hw::explain("cuStreamSynchronize", status);
        auto const at = [this](std::size_t i) { return std::atomic_ref<std::uint64_t>{talk_[i]}; };
        for (std::size_t i = 0; i <= rounds; ++i) at(i).store(0);
        auto talk = reinterpret_cast<abi::CUdeviceptr>(talk_);
        std::uint64_t count = rounds;
        void* parameters[]{&talk, &count};
        if (auto const status = driver_->LaunchKernel(answers_, 1, 1, 1, 1, 1, 1, 0, stream_, parameters, nullptr))
            return hw::explain("cuLaunchKernel", status);
        auto const now = gpu_->cupti().GetTimestamp;
        lead best{0, 1e18};
        std::uint64_t const give_up = platform::monotonic_nanoseconds() + patience_ns;
        for (std::size_t i = 1; i <= rounds; ++i) {
            std::uint64_t asked = 0, answered = 0, time = 0;
            if (auto const status = now(&asked)) return hw::explain("cuptiGetTimestamp", status);
            at(0).store(i);
            while ((time = at(i).load()) == 0)
                if (platform::monotonic_nanoseconds() > give_up) {
                    at(0).store(rounds); // ends as soon as it runs
                    return error{errc::busy, 0, "the time of the device", "it did not answer in time",
                                 "start sampling when the device is not busy for so long"};
                }
            if (auto const status = now(&answered)) return hw::explain("cuptiGetTimestamp", status);
            auto const width = static_cast<double>(answered - asked);
            if (width >= best.width) continue;
            best = {static_cast<std::int64_t>(asked - time + (answered - asked) / 2), width};
        }
        return best;
    }
    // The time of the first event, relative to the device's time in talk_[1]. Each launch says how
    // long after the event before it, and before the event after it, the device's time was read.
    [[nodiscard]] result<bracket> try_bracket() {
        for (std::size_t i = 0; i <= rounds; ++i) {
            if (auto const status = driver_->EventRecord(events_[i], stream_))
                return hw::explain("cuEventRecord", status);
            if (i == rounds) break;
            auto to = reinterpret_cast<abi::CUdeviceptr>(talk_ + i + 1);
            void* parameters[]{&to};
            if (auto const status = driver_->LaunchKernel(tells_, 1, 1, 1, 1, 1, 1, 0, stream_, parameters, nullptr))
                return hw::explain("cuLaunchKernel", status);
        }
        if (auto const status = driver_->StreamSynchronize(stream_)) return hw::explain("cuStreamSynchronize", status);
        double least = -1e18, most = 1e18, before = 0;
        for (std::size_t i = 0; i < rounds; ++i) {
            float milliseconds = 0;
            if (auto const status = driver_->EventElapsedTime(&milliseconds, events_[i], events_[i + 1]))
                return hw::explain("cuEventElapsedTime", status);
            double const after = before + double{milliseconds} * 1e6;
            auto const since = static_cast<double>(static_cast<std::int64_t>(talk_[i + 1] - talk_[1]));
            if (since - before < most) most = since - before;
            if (since - after > least) least = since - after;
            before = after;
        }
        return bracket{(least + most) / 2, most > least ? most - least : 0};
    }
    [[nodiscard]] result<void> try_set_by_readings() {
        auto const now = gpu_->cupti().GetTimestamp;
        if (now == nullptr) return hw::unavailable_call(gpu_->machine(), "cuptiGetTimestamp");
        double least = 0;
        for (int i = 0; i < 8; ++i) { // the reference is the last of them, so its readings must be good
            std::uint64_t before = 0, after = 0;
            if (auto const status = now(&before)) return hw::explain("cuptiGetTimestamp", status);
            if (auto const status = driver_->EventRecord(events_[0], stream_))
                return hw::explain("cuEventRecord", status);
            if (auto const status = driver_->StreamSynchronize(stream_))
                return hw::explain("cuStreamSynchronize", status);
            if (auto const status = now(&after)) return hw::explain("cuptiGetTimestamp", status);
            auto const apart = static_cast<double>(after - before);
            origin_ = before + (after - before) / 2;
            deviation_ = apart / 3.4641 + 1; // equally distributed between the two
            if (i != 0 && apart <= 1.1 * least) break;
            if (i == 0 || apart < least) least = apart;
        }
        return {};
    }

    device const* gpu_;
    abi::driver_table const* driver_;
    abi::CUstream stream_ = nullptr;
    abi::CUevent events_[rounds + 1]{}; // the first is the reference
    abi::CUmodule module_ = nullptr;
    abi::CUfunction tells_ = nullptr;
    abi::CUfunction answers_ = nullptr;
    bool refused_ = false; // the kernels
    std::uint64_t* talk_ = nullptr;
    std::uint64_t origin_ = 0;
    abi::CUevent anchor_ = nullptr;
    double anchor_time_ = 0;
    double deviation_ = 0;
    std::optional<std::int64_t> first_ahead_{};
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_DEVICE_CLOCK_HPP
