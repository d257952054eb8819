// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device's time of CUDA events, in the clock of samples and activity records. Layer: sample.
#ifndef GPUPROF_SAMPLE_DEVICE_CLOCK_HPP
#define GPUPROF_SAMPLE_DEVICE_CLOCK_HPP

#include <atomic>   // what the device writes
#include <cstddef>  // std::size_t
#include <cstdint>  // times
#include <optional> // a difference or none
#include <utility>  // std::exchange

#include "../core/result.hpp"
#include "../detail/builtin.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/status.hpp"

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

// Of one thread. The first writes the time of the device, %globaltimer; the second one as often as the host asks for it: it
// raises the number at `talk`, and the answers are behind that. Unasked for 5 ms, it ends.
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

// One event whose time is known in nanoseconds of CUPTI's clock, which samples and activity records have; those of others follow
// by cuEventElapsedTime, one after the other: a float holds the microseconds between neighbours to a fraction of a
// nanosecond, and the seconds since a start only to some.
//
// CUPTI's clock is the host's. It is not the device's timer, that events and %globaltimer have: on an H200 they were 80 us
// apart, and 2 us more half a second later. So a kernel of one thread tells the device's time when the host asks, between two
// readings of cuptiGetTimestamp, and another tells it between two events. (CUPTI's own times of events are no way: that of
// an event in an idle stream came 4 us late, and to ask for them while the device was sampled locked cuEventRecord up.) On the embedded
// GPU, which has one clock and runs a kernel while the host waits, and where the kernels cannot be loaded, two readings around the
// event itself do.
GPUPROF_LAZY class basic_device_clock {
public:
    // Errors: what the driver says of a stream and an event.
    [[nodiscard]] static result<basic_device_clock> try_create(device const& gpu) {
        basic_device_clock made{gpu};
        current_context const here{gpu};
        if (here.status()) return hw::explain("cuCtxPushCurrent", here.status());
        // Its own: what the program has in its streams is not waited for.
        // Before other work that waits for a place on the device; numbers below the least are taken as the least.
        if (auto const status =
                made.driver_->StreamCreateWithPriority(&made.stream_, abi::CU_STREAM_NON_BLOCKING, -1000))
            return hw::explain("cuStreamCreateWithPriority", status);
        for (abi::CUevent& each : made.events_)
            if (auto const status = made.driver_->EventCreate(&each, abi::CU_EVENT_DEFAULT))
                return hw::explain("cuEventCreate", status);
        return result<basic_device_clock>{std::move(made)};
    }
    basic_device_clock(basic_device_clock&& other) noexcept
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
    basic_device_clock& operator=(basic_device_clock&&) = delete;
    ~basic_device_clock() {
        if (stream_ == nullptr) return;
        current_context const here{*gpu_};
        for (abi::CUevent const each : events_)
            if (each != nullptr) static_cast<void>(driver_->EventDestroy(each));
        static_cast<void>(driver_->StreamSynchronize(stream_)); // a kernel may still wait for a question
        if (talk_ != nullptr) static_cast<void>(driver_->MemFreeHost(talk_));
        if (module_ != nullptr) static_cast<void>(driver_->ModuleUnload(module_));
        static_cast<void>(driver_->StreamDestroy(stream_));
    }
    // Takes the time of the reference anew. Errors: what the driver and CUPTI say. Cost: 0.3 ms on an
    // H200, if the device is free.
    [[nodiscard]] result<void> try_set() {
        current_context const here{*gpu_};
        if (here.status()) return hw::explain("cuCtxPushCurrent", here.status());
        bool const by_kernels = gpu_->source() == device_source::hardware && load_kernels();
        auto set = by_kernels ? try_set_by_kernels() : try_set_by_readings();
        if (!set && by_kernels) set = try_set_by_readings(); // the device was busy for too long
        if (!set) return set;
        anchor_ = events_[0];
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
    // How far CUPTI's clock is ahead of the device's now: by how much that grows, they drift apart (H200: 3 us a second). Nothing
    // on the embedded GPU, which has one clock, and where it cannot be told. Cost: 0.1 ms, if the device is free.
    [[nodiscard]] std::optional<double> drift_mark() {
        if (gpu_->source() == device_source::embedded) return std::nullopt;
        current_context const here{*gpu_};
        if (here.status() || !load_kernels()) return std::nullopt;
        auto const ahead = try_ask(2'000'000);
        if (!ahead) return std::nullopt;
        if (!first_ahead_) first_ahead_ = ahead->nanoseconds;
        return static_cast<double>(ahead->nanoseconds - *first_ahead_);
    }
    // How far times may be off together, in nanoseconds: a standard deviation.
    [[nodiscard]] double deviation() const noexcept { return deviation_; }

private:
    explicit basic_device_clock(device const& gpu) noexcept : gpu_{&gpu}, driver_{&gpu.driver()} {}

    static constexpr std::size_t rounds = 16; // questions, and launches between events

    // False: there are readings alone.
    [[nodiscard]] bool load_kernels() noexcept {
        if (talk_ != nullptr || refused_) return !refused_;
        void* memory = nullptr; // which the device can address, too
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
        double const one = ahead->width / 3.4641, other = before->width / 3.4641; // anywhere between the two alike
        deviation_ = square_root(one * one + other * other + clock_resolution * clock_resolution);
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
    // How far CUPTI's clock is ahead of the device's. Of all questions, the one that was answered the soonest.
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
                    at(0).store(rounds); // it ends as soon as it runs
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
    // The time of the first event, after the device's time that talk_[1] holds then. Each launch says: the device's time was
    // this after the event before it, and before the event behind it.
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
        for (int i = 0; i < 8; ++i) { // the reference is the last of them: its readings must be good enough
            std::uint64_t before = 0, after = 0;
            if (auto const status = now(&before)) return hw::explain("cuptiGetTimestamp", status);
            if (auto const status = driver_->EventRecord(events_[0], stream_))
                return hw::explain("cuEventRecord", status);
            if (auto const status = driver_->StreamSynchronize(stream_))
                return hw::explain("cuStreamSynchronize", status);
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
using device_clock = basic_device_clock<>;

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_DEVICE_CLOCK_HPP
