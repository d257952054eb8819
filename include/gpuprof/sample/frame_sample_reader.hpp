// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that decodes samples beside the frames. Layer: sample.
#ifndef GPUPROF_SAMPLE_FRAME_SAMPLE_READER_HPP
#define GPUPROF_SAMPLE_FRAME_SAMPLE_READER_HPP

#include <chrono>   // how often it looks
#include <cstddef>  // std::size_t
#include <cstdint>  // times
#include <optional> // an error or none
#include <span>     // values
#include <thread>   // itself
#include <utility>  // std::move
#include <vector>   // the ring

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/platform/condition.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "../hw/pm/pm_session.hpp"
#include "device_clock.hpp"
#include "sample_decoding.hpp"
#include "sampling_losses.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// To decode takes an H200 0.6 ms for each that was sampled, and a frame has 50 us. So a thread does it, as often as a
// sample is to be had, and puts what it finds into a ring; a frame takes them from there. A second thread empties images for the first. It also looks, each ten seconds, how far the
// clocks of samples and of frames have drifted apart since the first time, and takes that off the samples' times. From the constructor to the destructor
// the session is the thread's. The ring holds `room` samples; those over it are counted as lost.
class frame_sample_reader {
public:
    static constexpr std::size_t room = 256;

    // @param gpu its own; see device::try_share() @param session not started
    frame_sample_reader(device gpu, hw::pm_session session, sample_sequence sequence, std::uint64_t period_ns)
        : gpu_{std::move(gpu)},
          session_{std::move(session)},
          sequence_{sequence},
          width_{session_.group().metrics.size()},
          period_{period_ns / 2 < 500'000  ? std::chrono::nanoseconds{500'000}
                  : period_ns > 50'000'000 ? std::chrono::nanoseconds{50'000'000}
                                           : std::chrono::nanoseconds{period_ns / 2}},
          times_(room),
          values_(room * width_) {
        if (auto made = device_clock::try_create(gpu_)) clock_.emplace(*std::move(made));
        look_at_drift(); // the first time loads a kernel
    }
    frame_sample_reader(frame_sample_reader const&) = delete;
    frame_sample_reader& operator=(frame_sample_reader const&) = delete;
    ~frame_sample_reader() {
        if (!thread_.joinable()) return;
        {
            platform::lock const held{mutex_};
            ending_ = true;
        }
        ended_.wake_all();
        thread_.join();
        cleaner_.join();
    }

    // Begins to sample, and returns when the decoding has caught up: the first call takes 40 ms on an H200. What was sampled until
    // then is forgotten. Once. Errors: the session's.
    [[nodiscard]] result<void> try_start() {
        if (auto started = session_.try_start(); !started) return started;
        for (int calls = 0; calls < 16; ++calls) {
            std::this_thread::sleep_for(period_);
            std::size_t const before = end_;
            if (auto const decoded = decode(); !decoded) return decoded.error();
            if (calls > 0 && end_ - before <= 4) break;
        }
        auto spare = session_.try_make_image();
        if (!spare) return std::move(spare).error();
        session_.give(*std::move(spare));
        begin_ = end_;
        lost_ = 0;
        cleaner_ = std::thread{[this] { clean(); }};
        thread_ = std::thread{[this] { run(); }};
        return {};
    }

    struct found {
        std::size_t number = 0; // of samples
        std::size_t lost = 0;
    };
    // Calls f(begin, end, values) for each sample that is there, `most` at most, the oldest first. Errors: what ended the thread.
    template <class F>
    [[nodiscard]] result<found> try_take(std::size_t most, F&& f) {
        platform::lock const held{mutex_};
        found taken;
        for (; taken.number < most && begin_ != end_; ++taken.number, ++begin_) {
            std::size_t const at = begin_ % room;
            f(times_[at].begin, times_[at].end, std::span<double const>{values_.data() + at * width_, width_});
        }
        taken.lost = std::exchange(lost_, 0);
        if (taken.number == 0 && taken.lost == 0 && failure_) return *failure_;
        return taken;
    }

private:
    struct interval {
        std::uint64_t begin = 0, end = 0;
    };

    void run() {
        for (bool more = false;;) {
            if (platform::monotonic_nanoseconds() - looked_at_ > 10'000'000'000) look_at_drift();
            {
                platform::lock const held{mutex_};
                if (!more && !ending_) ended_.wait_for(mutex_, static_cast<std::uint64_t>(period_.count()));
                if (ending_ || failure_) return;
            }
            auto const decoded = decode();
            auto full = session_.take_full();
            platform::lock const held{mutex_};
            if (full) {
                full_ = std::move(full);
                ended_.wake_all();
            }
            if (empty_) session_.give(*std::exchange(empty_, std::nullopt));
            if (!decoded) {
                failure_ = decoded.error();
                return;
            }
            more = decoded->more;
        }
    }
    // A failure leaves the other thread to empty images itself, and to find the error.
    void clean() {
        for (;;) {
            std::optional<hw::pm_session::image> one;
            {
                platform::lock const held{mutex_};
                while (!ending_ && !full_) ended_.wait(mutex_);
                if (ending_) return;
                one = std::exchange(full_, std::nullopt);
            }
            bool const emptied = static_cast<bool>(session_.try_empty(*one));
            platform::lock const held{mutex_};
            if (emptied) empty_ = *std::move(one);
        }
    }
    void look_at_drift() {
        looked_at_ = platform::monotonic_nanoseconds();
        if (!clock_) return;
        if (auto const drift = clock_->drift_mark()) drift_ = *drift;
    }
    [[nodiscard]] result<hw::pm_decoded> decode() {
        sampling_losses lost;
        auto decoded = try_decode_samples(session_, decoding::a_call, sequence_, lost,
                                          [&](std::uint64_t begin, std::uint64_t end, std::span<double const> values) {
                                              platform::lock const held{mutex_};
                                              if (end_ - begin_ == room) {
                                                  ++lost_;
                                                  return;
                                              }
                                              std::size_t const at = end_++ % room;
                                              auto const drift =
                                                  static_cast<std::uint64_t>(static_cast<std::int64_t>(drift_));
                                              times_[at] = {begin - drift, end - drift};
                                              for (std::size_t i = 0; i < width_; ++i)
                                                  values_[at * width_ + i] = values[i];
                                          });
        platform::lock const held{mutex_};
        lost_ += lost.dropped + lost.overflows;
        return decoded;
    }

    device gpu_;
    hw::pm_session session_;
    sample_sequence sequence_;
    std::size_t width_;
    std::chrono::nanoseconds period_;
    std::optional<device_clock> clock_{};
    double drift_ = 0; // in nanoseconds
    std::uint64_t looked_at_ = 0;
    platform::mutex mutex_; // of all below
    platform::condition ended_;
    bool ending_ = false;
    std::vector<interval> times_;
    std::vector<double> values_; // rows of width_
    std::size_t begin_ = 0, end_ = 0;
    std::size_t lost_ = 0;
    std::optional<error> failure_;
    std::optional<hw::pm_session::image> full_, empty_;
    std::thread cleaner_, thread_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_FRAME_SAMPLE_READER_HPP
