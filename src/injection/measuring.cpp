// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures one launch at a time by the hardware's own replay, so that all others run as they would without gpuprof.
#include "measuring.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <gpuprof/explain/explanation.hpp>
#include <gpuprof/explain/measurable.hpp>
#include <gpuprof/hw/callbacks/waiting_kernel.hpp>
#include <gpuprof/io/progress.hpp>
#include <gpuprof/measure/launch_problems.hpp>
#include <gpuprof/measure/report_writer.hpp>
#include <gpuprof/recording/saved_report.hpp>

#include "contained.hpp"
#include "launch_measurement.hpp"
#include "measured_launches.hpp"
#include "measuring_settings.hpp"

namespace gpuprof::injection {
namespace {

using clock = std::chrono::steady_clock;

class measuring final : public launch_measurement {
public:
    measuring(measuring_settings with, hw::machine const& on)
        : launch_measurement{std::move(with.which), range_mode::auto_range, on}, settings_{std::move(with)} {}

private:
    [[nodiscard]] result<std::vector<metric_info>> try_choose_metrics(device const& gpu) override {
        return explain::try_measurable(gpu, explain::metric_names_of(*settings_.sections), ranges_);
    }

    [[nodiscard]] result<bool> try_enter(hw::launch_event const& launch) override {
        if (launch.symbol != nullptr && hw::waits_for_other_gpus(launch.symbol)) {
            ++waiting_;
            return false;
        }
        if (kept_.launches() >= settings_.most) {
            ++left_out_;
            return false;
        }
        line_.show(kept_.launches());
        launches_.reset(true, columns_.needs_launches());
        launches_.on(*gpu_);
        launches_.begin_pass();
        if (auto begun = try_start(); !begun) return std::move(begun).error();
        return true;
    }

    [[nodiscard]] result<void> try_start() {
        auto started = try_start_planned();
        if (started || !plan_ || !plan_->remembered() || kept_.launches() != 0) return started;
        if (started.error().code == errc::busy || started.error().code == errc::permission) return started;
        session_.reset(); // an older configuration may be what the hardware refused
        plan_->forget();
        if (auto planned = try_plan_counters(); !planned) return planned;
        return try_start_planned();
    }
    [[nodiscard]] result<void> try_start_planned() {
        if (auto opened = try_open_session(); !opened) return opened;
        if (!session_) return {};
        if (auto ready = session_->try_prepare({1, 1, options_.ranges, options_.replay, false}); !ready) return ready;
        return session_->try_begin_replay_pass();
    }

    // The hardware has replayed it.
    void leave(hw::launch_event const& launch) override {
        std::vector<hw::range_values> values;
        if (session_) {
            auto ended = session_->try_end_replay_pass();
            if (!ended) return fail(ended.error());
            auto read = session_->try_read();
            if (!read) return fail(read.error());
            values = *std::move(read);
        }
        gpuprof::detail::launch_log::heard(&launches_, launch);
        launches_.end_pass();
        completeness state;
        state.passes_needed = plan_ ? plan_->passes() : 0;
        state.replay_passes = 1;
        kept_.add(gpuprof::detail::write_report({*gpu_, plan_ ? plan_->hardware() : std::string_view{"no counters"},
                                                 metrics_, columns_, no_scopes_, launches_, values, options_, 1,
                                                 no_failure_, false, false, not_compared_},
                                                std::move(state)),
                  at_);
        line_.clear();
        // A program that is killed leaves what was measured until a second before.
        if (auto const now = clock::now(); !saved_ || now - *saved_ >= std::chrono::seconds{1}) save();
    }

    void save() {
        if (kept_.launches() == 0) return;
        auto const whole = kept_.whole(missing("raise GPUPROF_EXPLAIN_MOST, or name the kernels"));
        if (auto saved = try_save(whole, settings_.file); !saved)
            say("the measurement is lost: " + saved.error().message());
        saved_ = clock::now();
    }

    void finish() override {
        session_.reset();
        save();
    }
    [[nodiscard]] std::size_t measured() const override { return kept_.launches(); }

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
    profiler_options options_ = kernel_by_kernel();
    gpuprof::detail::range_log no_scopes_{};
    std::optional<error> no_failure_{};
    gpuprof::detail::memory_comparison not_compared_{};
    measured_launches kept_;
    std::optional<clock::time_point> saved_;
    progress_line line_;
};

} // namespace

void begin_measuring() { measure_until_exit<measuring>(try_read_measuring_settings()); }

} // namespace gpuprof::injection
