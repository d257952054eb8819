// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records what CUPTI tells, in a thread of its own that writes the file, until the process exits.
#include "recording.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <pthread.h>
#include <signal.h>

#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/hw/machine/platform/process_number.hpp>
#include <gpuprof/io/activity_table.hpp>
#include <gpuprof/trace/tracer.hpp>

#include "call_name.hpp"
#include "contained.hpp"
#include "measuring.hpp"
#include "replaying.hpp"
#include "sampling.hpp"
#include "sampling_settings.hpp"
#include "settings.hpp"
#include "trace_file.hpp"

namespace gpuprof::injection {
namespace {

void say_untraced(error const& why) { say("the program runs on without a trace: " + why.message()); }

class recording {
public:
    recording(tracer<activity::kind_set> trace, std::unique_ptr<trace_file> file, settings with)
        : tracer_{std::move(trace)},
          file_{std::move(file)},
          settings_{std::move(with)},
          process_{platform::process_number()} {}

    void start_thread() {
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        contained("the trace",
                  [this] { thread_ = std::thread{[this] { contained("the trace", [this] { run(); }); }}; });
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

    [[nodiscard]] bool records(activity::kind_set any) const noexcept { return settings_.kinds.has_any(any); }

    [[nodiscard]] scope_target& scopes() noexcept { return tracer_; }

    // At the process's exit, on the thread that exits.
    void end() {
        if (platform::process_number() != process_) return; // the file is the parent's
        {
            std::unique_lock held{mutex_};
            ending_ = true;
            wake_.notify_all();
            // A thread that CUPTI holds must not hold up the exit.
            if (thread_.joinable() && !done_.wait_for(held, std::chrono::seconds{20}, [this] { return ended_; })) {
                say("the trace in " + settings_.file + " ends early: CUPTI does not hand over its records");
                thread_.detach();
                return;
            }
        }
        if (thread_.joinable()) thread_.join();
        if (auto last = tracer_.try_finish()) write(*last);
        else say("the last records are lost: " + last.error().message());
        auto const finished = file_->finish();
        if (!finished) say("the trace in " + settings_.file + " ends early: " + finished.error().message());
        report(finished.has_value());
    }

private:
    void write(tracer<activity::kind_set>::batch const& batch) {
        file_->write(batch);
        if (settings_.table) summary_.add(batch);
        lost_ += batch.losses();
    }
    void run() {
        auto const period = std::chrono::milliseconds{settings_.flush_period_ms};
        auto const pause = std::min<std::chrono::milliseconds>(period, std::chrono::milliseconds{20});
        auto next_flush = std::chrono::steady_clock::now() + period;
        std::unique_lock held{mutex_};
        while (!ending_) {
            wake_.wait_for(held, pause);
            held.unlock();
            if (std::chrono::steady_clock::now() >= next_flush) {
                if (auto batch = tracer_.try_flush()) write(*batch);
                static_cast<void>(file_->flush()); // an error is said at the end
                next_flush = std::chrono::steady_clock::now() + period;
            } else {
                write(tracer_.take());
            }
            held.lock();
        }
        ended_ = true;
        done_.notify_all();
    }

    void report(bool is_whole) const {
        std::string text;
        if (settings_.table) text = table(summary_, 20); // 20 kernels, 20 copies, and so on
        if (!text.empty()) static_cast<void>(std::fprintf(stderr, "\n%s\n", text.c_str()));
        if (!is_whole) return; // nobody knows how much of it the file has
        std::string const place = settings_.format == file_format::csv
                                      ? settings_.file.substr(0, settings_.file.size() - 3) + "*.csv"
                                      : settings_.file;
        std::string line = "wrote " + std::to_string(file_->written()) + ' ' + file_->unit() + " to " + place;
        auto const add = [&line](std::size_t number, char const* what) {
            if (number != 0) line += "; " + std::to_string(number) + ' ' + what;
        };
        add(lost_.dropped, "lost for want of buffers (GPUPROF_TRACE_BUFFERS)");
        add(lost_.without_time, "without a time");
        add(lost_.undecoded, "of a kind that is not known here");
        say(line);
    }

    tracer<activity::kind_set> tracer_;
    std::unique_ptr<trace_file> file_;
    settings settings_;
    io::activity_summary summary_{&call_name};
    trace_losses lost_;
    decltype(platform::process_number()) process_;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable wake_, done_;
    bool ending_ = false, ended_ = false;
};

// Never destroyed: the program's own end must not meet a half of it.
recording* running = nullptr;

void end_at_exit() {
    contained("the trace", [] { running->end(); });
}

// Kinds that CUPTI does not record on this machine, one after the other.
activity::kind_set refused_of(hw::machine const& on, activity::kind_set asked) {
    activity::kind_set refused;
    asked.for_each([&](abi::CUpti_ActivityKind kind) {
        if (on.cupti.ActivityEnable(kind) == abi::CUPTI_SUCCESS) static_cast<void>(on.cupti.ActivityDisable(kind));
        else refused.add(kind);
    });
    return refused;
}

result<tracer<activity::kind_set>> try_begin_tracer(hw::machine const& on, settings const& from) {
    tracer_options options;
    options.buffers = from.buffers;
    auto begun = tracer<activity::kind_set>::try_begin(on, from.kinds, options);
    if (begun || from.kinds_chosen || on.cupti.ActivityEnable == nullptr || on.cupti.ActivityDisable == nullptr)
        return begun;
    // Of the kinds that nobody asked for, those that there are.
    auto const refused = refused_of(on, from.kinds);
    auto kinds = from.kinds;
    std::string names;
    refused.for_each([&](abi::CUpti_ActivityKind kind) {
        kinds.remove(kind);
        names += (names.empty() ? "" : ", ") + std::string{activity::name_of(kind)};
    });
    if (refused.empty() || kinds.empty()) return begun;
    begun = tracer<activity::kind_set>::try_begin(on, kinds, options);
    if (begun) say("CUPTI does not record " + names + " here");
    return begun;
}

void try_begin() {
    // A program with rights that its user lacks writes no file where its user says.
    for (char const* const name : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"})
        if (platform::variable(name) && platform::trusted_variable(name).empty()) return;
    if (!platform::trusted_variable("GPUPROF_REPLAY_FOLDER").empty()) return begin_replaying();
    if (!platform::trusted_variable("GPUPROF_EXPLAIN_FILE").empty()) {
        // The embedded GPU counts instructions while it is measured; a GPU's counters do one of the two.
        if (hw::real_machine().is_embedded && wants_lines()) begin_sampling();
        return begin_measuring();
    }
    if (!platform::trusted_variable("GPUPROF_SAMPLE_FILE").empty()) return begin_sampling();
    auto with = try_read_settings();
    if (!with) return say_untraced(with.error());
    hw::machine const& on = hw::real_machine();
    // The embedded GPU's runtime is not CUPTI's, which hears nothing of it, but of the calls of the driver that it makes.
    if (on.is_embedded && !with->kinds_chosen) with->kinds.add(abi::CUPTI_ACTIVITY_KIND_DRIVER);
    auto begun = try_begin_tracer(on, *with);
    if (!begun) return say_untraced(begun.error());
    auto file = try_open_file(*with);
    if (!file) return say_untraced(file.error());
    (*file)->flush(); // a file that can be read is there from the beginning
    running = new recording{*std::move(begun), *std::move(file), *std::move(with)};
    if (std::atexit(&end_at_exit) != 0 || std::at_quick_exit(&end_at_exit) != 0)
        return say("the trace will lack its end: atexit has no room");
    running->start_thread();
}

} // namespace

enum class progress : unsigned char { not_begun, begins, records, does_not };
static constinit std::atomic<progress> state{progress::not_begun};
static thread_local bool begins_here = false;

void begin() noexcept {
    progress expected = progress::not_begun;
    if (!state.compare_exchange_strong(expected, progress::begins)) return; // also if CUPTI, in here, calls cuInit()
    begins_here = true;
    contained("what gpuprof records", &try_begin);
    begins_here = false;
    state = running != nullptr ? progress::records : progress::does_not;
    state.notify_all();
}

scope_target& scopes_of_trace() noexcept { return running->scopes(); }

bool records(activity::kind_set any) noexcept {
    if (begins_here) return false;
    state.wait(progress::begins);
    return state == progress::records && running->records(any);
}

} // namespace gpuprof::injection
