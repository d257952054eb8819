// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures one launch at a time: the counters run from the entry of the launching call to its exit, so that all others run
// as they would without gpuprof.
#include "measuring.hpp"

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/core/counted.hpp>
#include <gpuprof/explain/explanation.hpp>
#include <gpuprof/explain/measurable.hpp>
#include <gpuprof/hw/callbacks/launch_watch.hpp>
#include <gpuprof/hw/callbacks/subscription.hpp>
#include <gpuprof/hw/counters/registry.hpp>
#include <gpuprof/hw/machine/callback_place.hpp>
#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/hw/machine/platform/demangle.hpp>
#include <gpuprof/hw/machine/platform/process_number.hpp>
#include <gpuprof/io/progress.hpp>
#include <gpuprof/measure/launch_log.hpp>
#include <gpuprof/measure/launch_problems.hpp>
#include <gpuprof/measure/report_writer.hpp>
#include <gpuprof/recording/saved_report.hpp>

#include "contained.hpp"
#include "measured_launches.hpp"
#include "measuring_settings.hpp"

namespace gpuprof::injection {
namespace {

using clock = std::chrono::steady_clock;

// Whether this thread is between the entry and the exit of a launching call.
thread_local bool is_launching = false;

class measuring {
public:
    measuring(measuring_settings with, hw::machine const& on)
        : settings_{std::move(with)}, machine_{on}, process_{platform::process_number()} {}

    [[nodiscard]] result<void> try_begin() {
        hw::callback_id const ends[]{
            {abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING}};
        auto contexts = hw::subscription::try_begin(machine_, ends, &context_ends, this);
        if (!contexts) return std::move(contexts).error();
        contexts_.emplace(*std::move(contexts));
        return watch_.try_begin(machine_, nullptr, &launched, this, &launches);
    }

    // At the process's exit, on the thread that exits.
    void end() {
        if (platform::process_number() != process_) return; // the file is the parent's
        // A kernel that does not end must not hold up the exit.
        if (!mutex_.try_lock_for(std::chrono::seconds{20})) return say("a kernel still runs: it is not measured");
        finish();
        is_over_ = true;
        mutex_.unlock();
        watch_.end();
        contexts_.reset();
        if (kept_.launches() != 0)
            say(gpuprof::detail::grouped_number(static_cast<double>(kept_.launches())) + " of " +
                gpuprof::detail::grouped_number(static_cast<double>(seen_)) +
                (seen_ == 1 ? " launch measured" : " launches measured"));
    }

private:
    // ---- what CUPTI tells -----------------------------------------------------------------------

    // The mutex is held from a launching call's entry to its exit: a kernel of another thread would be counted, too.
    static void launches(void* self, hw::launch_event const& launch) {
        auto& here = *static_cast<measuring*>(self);
        if (is_launching) return;
        here.mutex_.lock();
        if (here.is_over_) return here.mutex_.unlock();
        is_launching = true;
        here.contain([&] { here.consider(launch); });
    }
    static void launched(void* self, hw::launch_event const& launch) {
        auto& here = *static_cast<measuring*>(self);
        if (!is_launching) return; // its entry was not heard
        if (std::exchange(here.is_measuring_, false)) here.contain([&] { here.keep(launch); });
        is_launching = false;
        here.mutex_.unlock();
    }
    static void context_ends(void* self, hw::callback_id, void const* data) {
        auto& here = *static_cast<measuring*>(self);
        if (is_launching) return;
        std::unique_lock const held{here.mutex_};
        if (static_cast<abi::CUpti_ResourceData const*>(data)->context != here.context_) return;
        here.contain([&] { here.finish(); });
    }

    // ---- with the mutex held --------------------------------------------------------------------

    template <class F>
    void contain(F&& f) noexcept {
        hw::callback_leave const left;
        if (!contained("the measurement", f)) is_over_ = true;
    }
    void fail(error const& why) {
        is_over_ = true;
        session_.reset();
        say("the program runs on unmeasured: " + why.message());
    }

    void consider(hw::launch_event const& launch) {
        if (launch.graph) return ++graphs_, void();
        ++seen_;
        if (context_ == nullptr) {
            context_ = launch.context;
            if (auto planned = try_plan(); !planned) return fail(planned.error());
        }
        if (!is_wanted(launch)) return;
        if (launch.context != context_ || is_gone_) return ++elsewhere_, void();
        if (kept_.launches() >= settings_.most) return ++left_out_, void();
        line_.show(kept_.launches());
        launches_.reset(true, columns_.needs_launches());
        launches_.on(*gpu_);
        launches_.begin_pass();
        if (auto begun = try_start(); begun) is_measuring_ = true;
        else fail(begun.error());
    }

    [[nodiscard]] bool is_wanted(hw::launch_event const& launch) {
        std::string const symbol = launch.symbol != nullptr ? launch.symbol : "";
        auto const [place, is_new] = kernels_.try_emplace(symbol);
        kernel& of = place->second;
        if (is_new) of.is_wanted = settings_.kernels.matches(platform::demangled(symbol));
        ++of.launches;
        at_ = of.launches;
        return of.is_wanted && (settings_.launch == every_launch || settings_.launch == of.launches);
    }

    [[nodiscard]] result<void> try_plan() {
        auto gpu = device::try_open(machine_, context_);
        if (!gpu) return std::move(gpu).error();
        gpu_.emplace(*std::move(gpu));
        auto metrics = explain::try_measurable(*gpu_, explain::metric_names_of(*settings_.sections), options_.ranges);
        if (!metrics) return std::move(metrics).error();
        metrics_ = *std::move(metrics);
        auto columns = gpuprof::detail::plan_columns(metrics_);
        if (!columns) return std::move(columns).error();
        columns_ = *std::move(columns);
        columns_.uncounted = &gpuprof::detail::all_uncounted_values;
        return try_plan_counters();
    }
    [[nodiscard]] result<void> try_plan_counters() {
        auto plan = hw::try_plan_counters(*gpu_, columns_.counters, options_.ranges);
        if (!plan) return std::move(plan).error();
        plan_ = *std::move(plan);
        return {};
    }

    [[nodiscard]] result<void> try_start() {
        auto started = try_start_planned();
        if (started || !plan_->remembered() || kept_.launches() != 0) return started;
        if (started.error().code == errc::busy || started.error().code == errc::permission) return started;
        session_.reset(); // an older configuration may be what the hardware refused
        plan_->forget();
        if (auto planned = try_plan_counters(); !planned) return planned;
        return try_start_planned();
    }
    [[nodiscard]] result<void> try_start_planned() {
        if (!session_) {
            auto opened = plan_->try_open(*gpu_);
            if (!opened) return std::move(opened).error();
            session_ = *std::move(opened);
        }
        if (auto ready = session_->try_prepare({1, 1, options_.ranges, options_.replay, false}); !ready) return ready;
        return session_->try_begin_replay_pass();
    }

    // The launch has returned, and the hardware has replayed it.
    void keep(hw::launch_event const& launch) {
        auto ended = session_->try_end_replay_pass();
        if (!ended) return fail(ended.error());
        auto values = session_->try_read();
        if (!values) return fail(values.error());
        gpuprof::detail::launch_log::heard(&launches_, launch);
        launches_.end_pass();
        completeness state;
        state.passes_needed = plan_->passes();
        state.replay_passes = 1;
        kept_.add(gpuprof::detail::write_report({*gpu_, plan_->hardware(), metrics_, columns_, no_scopes_, launches_,
                                                 *values, options_, 1, no_failure_, false, false, not_compared_},
                                                std::move(state)),
                  at_);
        line_.clear();
        // A program that is killed leaves what was measured until a second before.
        if (auto const now = clock::now(); !saved_ || now - *saved_ >= std::chrono::seconds{1}) save();
    }

    void save() {
        if (kept_.launches() == 0) return;
        if (auto saved = try_save(kept_.whole(missing()), settings_.file); !saved)
            say("the measurement is lost: " + saved.error().message());
        saved_ = clock::now();
    }

    // What was asked for and is not there.
    [[nodiscard]] std::vector<error> missing() const {
        std::vector<error> list;
        auto const add = [&](std::size_t number, errc code, char const* why, char const* remedy) {
            if (number == 0) return;
            list.push_back({code, 0,
                            gpuprof::detail::so_many(number, "launch was not measured", "launches were not measured"),
                            why, remedy});
        };
        add(left_out_, errc::too_many_ranges, "there is room for no more",
            "raise GPUPROF_EXPLAIN_MOST, or name the kernels");
        add(elsewhere_, errc::not_collected, "a measurement is of one context, that of the program's first launch",
            "let the program use one GPU");
        add(graphs_, errc::not_collected, "each launched a graph, whose kernels are not measured",
            "measure them with nodes that are launched one by one");
        return list;
    }

    // The context ends, or the process: the hardware is given back. Not the context: it is in a call that ends it.
    void finish() {
        session_.reset();
        is_gone_ = true;
        save();
    }

    struct kernel {
        bool is_wanted = false;
        std::size_t launches = 0;
    };
    // On a terminal, from two seconds on, while a launch is measured.
    class progress_line {
    public:
        void show(std::size_t done) noexcept {
            if (begin_ == clock::time_point{}) begin_ = clock::now();
            if (clock::now() - begin_ >= std::chrono::seconds{2}) line_.show(done, 0);
        }
        void clear() noexcept { line_.clear(); }

    private:
        clock::time_point begin_{};
        io::progress line_{"gpuprof", "launches measured"};
    };
    [[nodiscard]] static profiler_options kernel_by_kernel() noexcept {
        profiler_options options;
        options.ranges = range_mode::auto_range;
        options.replay = replay_mode::kernel;
        return options;
    }

    measuring_settings settings_;
    hw::machine const& machine_;
    decltype(platform::process_number()) process_;
    profiler_options options_ = kernel_by_kernel();
    gpuprof::detail::range_log no_scopes_{};
    std::optional<error> no_failure_{};
    gpuprof::detail::memory_comparison not_compared_{};
    std::timed_mutex mutex_;
    bool is_over_ = false;
    bool is_measuring_ = false;
    abi::CUcontext context_ = nullptr; // of the first launch
    std::optional<device> gpu_;
    bool is_gone_ = false; // the context
    std::vector<metric_info> metrics_;
    gpuprof::detail::metric_columns columns_;
    gpuprof::detail::owned<hw::counter_plan> plan_;
    gpuprof::detail::owned<hw::counter_session> session_;
    gpuprof::detail::launch_log launches_;
    std::map<std::string, kernel> kernels_; // by symbol
    measured_launches kept_;
    std::size_t at_ = 0; // which launch of its kernel is measured
    std::size_t seen_ = 0, left_out_ = 0, elsewhere_ = 0, graphs_ = 0;
    std::optional<clock::time_point> saved_;
    progress_line line_;
    std::optional<hw::subscription> contexts_;
    hw::launch_watch watch_;
};

// Never destroyed: the program's own end must not meet a half of it.
measuring* running = nullptr;

void end_at_exit() {
    contained("the measurement", [] { running->end(); });
}

} // namespace

void begin_measuring() {
    auto with = try_read_measuring_settings();
    if (!with) return say("the program runs on unmeasured: " + with.error().message());
    auto begun = std::make_unique<measuring>(*std::move(with), hw::real_machine());
    if (auto started = begun->try_begin(); !started)
        return say("the program runs on unmeasured: " + started.error().message());
    running = begun.release();
    if (std::atexit(&end_at_exit) != 0 || std::at_quick_exit(&end_at_exit) != 0)
        say("the measurement may lack its end: atexit has no room");
}

} // namespace gpuprof::injection
