// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes PM samples on a thread beside the frames.
#ifndef GPUPROF_FRAMES_FRAME_SAMPLE_READER_HPP
#define GPUPROF_FRAMES_FRAME_SAMPLE_READER_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/platform/condition.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "../hw/samplers/pm_session.hpp"
#include "../sample/device_clock.hpp"
#include "../sample/sample_decoding.hpp"
#include "../sample/sampling_losses.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Decodes PM samples on its own thread: decoding takes 0.6 ms a sample (H200), a frame may take 50
// us. The thread decodes as often as samples are due and puts them into a ring of `room` samples,
// from which frames take them; samples over the room are counted as lost. Every ten seconds it
// looks how far the clocks of samples and of frames have drifted apart since the beginning, and
// corrects the samples' times by that. A second thread empties images for it. The session belongs
// to the threads from the constructor to the destructor.
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
        if (auto clock = device_clock::try_create(gpu_)) clock_.emplace(*std::move(clock));
        measure_drift(); // the first time loads a kernel
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

    // Begins to sample and returns when the decoding has caught up; the first call takes 40 ms on
    // an H200. Samples until then are forgotten. @pre first call. Errors: the session's.
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

    struct counts {
        std::size_t samples = 0;
        std::size_t lost = 0;
    };
    // Calls f(begin, end, values) for the samples in the ring, `most` at most, the oldest first.
    // Errors: what ended the thread.
    template <class F>
    [[nodiscard]] result<counts> try_take(std::size_t most, F&& f) {
        platform::lock const held{mutex_};
        counts taken;
        for (; most > taken.samples && begin_ != end_; ++taken.samples, ++begin_) {
            std::size_t const at = begin_ % room;
            f(times_[at].begin, times_[at].end, std::span<double const>{values_.data() + at * width_, width_});
        }
        taken.lost = std::exchange(lost_, 0);
        if (taken.samples == 0 && taken.lost == 0 && failure_) return *failure_;
        return taken;
    }

private:
    struct interval {
        std::uint64_t begin = 0, end = 0;
    };

    void run() {
        for (bool more = false;;) {
            if (platform::monotonic_nanoseconds() - drift_measured_at_ > 10'000'000'000) measure_drift();
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
    // Empties full images. After a failure the decoding thread empties them itself and finds the
    // error.
    void clean() {
        for (;;) {
            std::optional<hw::pm_session::image> image;
            {
                platform::lock const held{mutex_};
                while (!ending_ && !full_) ended_.wait(mutex_);
                if (ending_) return;
                image = std::exchange(full_, std::nullopt);
            }
            bool const emptied = static_cast<bool>(session_.try_empty(*image));
            platform::lock const held{mutex_};
            if (emptied) empty_ = *std::move(image);
        }
    }
    void measure_drift() {
        drift_measured_at_ = platform::monotonic_nanoseconds();
        if (!clock_) return;
        if (auto const drift = clock_->drift_mark()) drift_ns_ = *drift;
    }
    [[nodiscard]] result<hw::pm_decoded> decode() {
        sampling_losses lost;
        auto const keep = [&](std::uint64_t begin, std::uint64_t end, std::span<double const> values) {
            platform::lock const held{mutex_};
            if (end_ - begin_ == room) {
                ++lost_;
                return;
            }
            std::size_t const at = end_++ % room;
            auto const drift = static_cast<std::uint64_t>(static_cast<std::int64_t>(drift_ns_));
            times_[at] = {begin - drift, end - drift};
            for (std::size_t i = 0; i < width_; ++i) values_[at * width_ + i] = values[i];
        };
        auto decoded = try_decode_samples(session_, decoding::a_call, sequence_, lost, keep);
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
    double drift_ns_ = 0;
    std::uint64_t drift_measured_at_ = 0;
    platform::mutex mutex_; // guards all that follows
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

#endif // GPUPROF_FRAMES_FRAME_SAMPLE_READER_HPP
