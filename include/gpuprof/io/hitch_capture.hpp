// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the trace of the last frames when one took too long.
#ifndef GPUPROF_IO_HITCH_CAPTURE_HPP
#define GPUPROF_IO_HITCH_CAPTURE_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../frames/compiled_out.hpp"
#include "../frames/hitch_options.hpp"

GPUPROF_NAMESPACE_BEGIN

// Writes nothing.
template <class Kinds, class Clock = frame_clock>
class hitch_capture {
public:
    template <class Tracer>
    [[nodiscard]] static result<std::unique_ptr<hitch_capture>> try_begin(basic_frame_sampler<Clock>&, Tracer&,
                                                                          hitch_options const& = {}) {
        return std::make_unique<hitch_capture>();
    }
    void frame_ended() noexcept {}
    [[nodiscard]] std::uint64_t hitches() const { return 0; }
    [[nodiscard]] std::vector<std::string> files() const { return {}; }
    [[nodiscard]] std::optional<error> problem() const { return detail::compiled_out(); }
};

template <class Clock, class Tracer>
[[nodiscard]] result<std::unique_ptr<hitch_capture<Tracer, Clock>>>
try_capture_hitches(basic_frame_sampler<Clock>& frames, Tracer& recorded, hitch_options const& options = {}) {
    return hitch_capture<Tracer, Clock>::try_begin(frames, recorded, options);
}

GPUPROF_NAMESPACE_END

#else

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../frames/frame_sampler.hpp"
#include "../frames/hitch_options.hpp"
#include "../frames/record_pump.hpp"
#include "../hw/activity/timestamp.hpp"
#include "../detail/builtin.hpp"
#include "../hw/machine/platform/fork.hpp"
#include "../hw/machine/platform/identity.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "../trace/traced_scope.hpp"
#include "../trace/tracer.hpp"
#include "file_sink.hpp"
#include "kept_records.hpp"
#include "trace_event.hpp"

GPUPROF_NAMESPACE_BEGIN

// Keeps a tracer's last records, and writes those of the last frames into a file for
// ui.perfetto.dev when a frame took longer than a threshold. The program tells it of frames:
//
//     auto captured = gpuprof::try_capture_hitches(frames, tracer, {.threshold_us = 20'000, .path = "hitch-%n.json"});
//     while (running) {
//         frames.begin_frame(); ... frames.end_frame();
//         (*captured)->frame_ended();
//     }
//
// A thread reads the tracer every 20 ms, keeps the records in a ring of fixed size, gives them to the
// sampler (frame_records::given), and writes the files. The file has the kept records (docs/trace.md),
// a slice "frame N" for each frame and their host times as a curve. Scopes are those of the tracer.
// Nobody else may take the tracer's records meanwhile. Its end writes what is to be written. In the
// child of a fork it does nothing.
// Cost: frame_ended() compares two numbers under a lock that is held for some of them; what the tracer
// costs a launch is in docs/tracing.md.
template <class Kinds, class Clock = frame_clock>
class hitch_capture {
public:
    // @pre the sampler and the tracer outlive it, and do not move
    // Errors: invalid_argument for options; unavailable without a thread.
    [[nodiscard]] static result<std::unique_ptr<hitch_capture>>
    try_begin(basic_frame_sampler<Clock>& frames, tracer<Kinds>& recorded, hitch_options options = {}) {
        constexpr std::size_t most = std::size_t{1} << 22;
        if (!(options.threshold_us > 0) || options.frames == 0 || options.files == 0 || options.records == 0 ||
            options.records > most || options.frames > most || options.path.empty())
            return error{errc::invalid_argument, 0, "options of a capture of hitches",
                         "a number is 0 or too large, or there is no path", "leave what is not known as it is"};
        std::unique_ptr<hitch_capture> capture{new hitch_capture{frames, recorded, std::move(options)}};
        auto pumped = pump::try_begin(recorded, period_ns, {capture.get()});
        if (!pumped) return std::move(pumped).error();
        capture->pump_ = *std::move(pumped);
        return result<std::unique_ptr<hitch_capture>>{std::move(capture)};
    }
    hitch_capture(hitch_capture const&) = delete;
    hitch_capture& operator=(hitch_capture const&) = delete;

    // After each end_frame(), on the thread of the frames. Allocates nothing.
    void frame_ended() noexcept {
        std::uint64_t const frame = frames_->frames();
        auto const when = frames_->when(frame);
        if (!when || forks_ != platform::forks_so_far()) return;
        if (detail::load_relaxed(thread_) == 0) detail::store_relaxed(thread_, platform::system_thread_number());
        bool const is_hitch = static_cast<double>(when->end - when->begin) > options_.threshold_us * 1000;
        platform::lock const held{mutex_};
        times_.push(frame, *when);
        if (!is_hitch) return;
        ++hitches_;
        if (!hitch_) hitch_ = frame; // of several at once the first one
    }

    // Frames over the threshold so far, and the files that were written: of hitches that follow each
    // other within the time of a read, one is written. Thread-safe.
    [[nodiscard]] std::uint64_t hitches() const {
        platform::lock const held{mutex_};
        return hitches_;
    }
    [[nodiscard]] std::vector<std::string> files() const {
        platform::lock const held{mutex_};
        return files_;
    }
    // Why a file could not be written; none if all could.
    [[nodiscard]] std::optional<error> problem() const {
        platform::lock const held{mutex_};
        return problem_;
    }

private:
    static constexpr std::uint64_t period_ns = 20'000'000;
    static constexpr std::size_t most_behind = 4096; // frames until a hitch is written

    struct reader {
        hitch_capture* capture;
        void operator()(trace_batch<Kinds> const& batch, bool last) const { capture->read(batch, last); }
    };
    using pump = detail::record_pump<Kinds, reader>;

    hitch_capture(basic_frame_sampler<Clock>& frames, tracer<Kinds>& recorded, hitch_options options)
        : frames_{&frames},
          tracer_{&recorded},
          options_{std::move(options)},
          kept_{options_.records},
          forks_{platform::forks_so_far()},
          times_{options_.frames + most_behind} {}

    // On the thread of the pump.
    void read(trace_batch<Kinds> const& batch, bool last) {
        kept_.add(batch);
        frames_->add(batch);
        // A hitch's records come with the flush after it at the latest if the GPU is done by then.
        std::optional<std::uint64_t> const due = std::exchange(waiting_, {});
        {
            platform::lock const held{mutex_};
            waiting_ = std::exchange(hitch_, {});
        }
        if (due) write(*due);
        if (waiting_ && last) write(*std::exchange(waiting_, {}));
    }

    void write(std::uint64_t hitch) {
        std::vector<std::pair<std::uint64_t, frame_times>> frames;
        {
            platform::lock const held{mutex_};
            if (files_.size() == options_.files) return;
            std::uint64_t const first = hitch > options_.frames ? hitch - options_.frames + 1 : 1;
            for (std::uint64_t frame = first; frame <= hitch; ++frame)
                if (auto const when = times_.find(frame)) frames.emplace_back(frame, *when);
        }
        if (frames.empty()) return; // so many frames since then that its time is forgotten
        std::string path = options_.path;
        if (auto const at = path.find("%n"); at != path.npos) path.replace(at, 2, std::to_string(hitch));
        auto written = try_write(path, frames);
        platform::lock const held{mutex_};
        if (!written) problem_ = std::move(written).error();
        else files_.push_back(std::move(path));
    }
    [[nodiscard]] result<void> try_write(std::string const& path,
                                         std::vector<std::pair<std::uint64_t, frame_times>> const& frames) {
        auto file = io::file_sink::try_open(path);
        if (!file) return std::move(file).error();
        io::trace_event_writer to{file->sink()};
        std::uint64_t const ahead = frames_->record_time(0);
        std::uint32_t const thread = detail::load_relaxed(thread_);
        std::vector<std::string> names;
        std::vector<traced_scope> slices;
        for (auto const& [frame, when] : frames) {
            activity::interval const time{{when.begin + ahead}, {when.end + ahead}};
            names.push_back("frame " + std::to_string(frame));
            slices.push_back({0, 0, {}, time, thread});
            to.counter("frame.host_time", time.start, static_cast<double>(when.end - when.begin));
        }
        for (std::size_t i = 0; i < names.size(); ++i) slices[i].name = names[i];
        auto const path_of = [this](std::uint64_t number) { return tracer_->scope_path(number); };
        using view = io::detail::kept_records::view<decltype(path_of)>;
        to.write(view{kept_, frames.front().second.begin + ahead, std::move(slices), path_of});
        if (auto ended = to.finish(); !ended) return ended;
        return file->close();
    }

    basic_frame_sampler<Clock>* frames_;
    tracer<Kinds>* tracer_;
    hitch_options options_;
    io::detail::kept_records kept_;
    std::optional<std::uint64_t> waiting_{}; // a hitch whose last records may come with the next read
    unsigned forks_;
    std::uint32_t thread_ = 0;      // of the frames
    mutable platform::mutex mutex_; // guards what follows
    detail::frame_times_log times_;
    std::optional<std::uint64_t> hitch_{};
    std::uint64_t hitches_ = 0;
    std::vector<std::string> files_{};
    std::optional<error> problem_{};
    std::unique_ptr<pump> pump_{}; // last: its thread ends first
};

// hitch_capture::try_begin(), with the types of its arguments.
template <class Kinds, class Clock>
[[nodiscard]] result<std::unique_ptr<hitch_capture<Kinds, Clock>>>
try_capture_hitches(basic_frame_sampler<Clock>& frames, tracer<Kinds>& recorded, hitch_options options = {}) {
    return hitch_capture<Kinds, Clock>::try_begin(frames, recorded, std::move(options));
}

GPUPROF_NAMESPACE_END

#endif

#endif // GPUPROF_IO_HITCH_CAPTURE_HPP
