// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures one launch at a time by the hardware's own replay, so that all others run as they would without gpuprof.
#include "measuring.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/io/progress.hpp>
#include <gpuprof/measure/launch_problems.hpp>
#include <gpuprof/measure/report_writer.hpp>
#include <gpuprof/recording/saved_report.hpp>

#include "contained.hpp"
#include "kernel_word.hpp"
#include "launch_measurement.hpp"
#include "measured_launches.hpp"
#include "measured_metrics.hpp"
#include "measuring_settings.hpp"
#include "repeating.hpp"
#include "replay_obstacle.hpp"
#include "watchdog.hpp"

namespace gpuprof::injection {
namespace {

using clock = std::chrono::steady_clock;

class measuring final : public launch_measurement {
public:
    measuring(measuring_settings with, hw::machine const& on)
        : launch_measurement{std::move(with.which), range_mode::auto_range, on}, settings_{std::move(with)} {}

private:
    [[nodiscard]] result<std::vector<metric_info>> try_choose_metrics(device const& gpu) override {
        return try_metrics_of(settings_.metrics, *settings_.sections, gpu, ranges_);
    }

    [[nodiscard]] result<void> try_prepare() override {
        bool const is_embedded = gpu_->source() == device_source::embedded; // runs a kernel once, however slowly
        longest_ = std::chrono::seconds{settings_.longest.value_or(is_embedded ? 0 : usual_longest)};
        return {};
    }

    [[nodiscard]] result<bool> try_enter(hw::launch_event const& launch) override {
        std::string const name = platform::demangled(launch.symbol != nullptr ? launch.symbol : "");
        argument_places const places = places_of_arguments(launch, *gpu_);
        auto const obstacle = settings_.one_pass && settings_.one_pass->matches(name)
                                  ? replay_obstacle::asked_for
                                  : obstacle_of(launch, places, gpu_->driver());
        instead_of_replay const how = rule_of(obstacle).instead;
        if (how == instead_of_replay::nothing) {
            note(obstacle, kernel_word(name));
            return false;
        }
        if (kept_.launches() >= settings_.most) {
            ++left_out_;
            return false;
        }
        if (how == instead_of_replay::one_pass) note(obstacle, kernel_word(name));
        name_ = kernel_word(name);
        reaches_host_ = places.host;
        in_one_pass_ = how == instead_of_replay::one_pass;
        line_.show(kept_.launches());
        watchdog::watched deadline{watchdog_, name_, longest_};
        launches_.reset(true, columns_.needs_launches());
        launches_.on(*gpu_);
        launches_.begin_pass();
        auto begun = in_one_pass_ ? try_start_one_pass() : try_start();
        if (!begun) return std::move(begun).error();
        deadline.keep(); // until leave()
        return true;
    }

    // ---- one pass: a range from a launch that is not replayed to the next one --------------------

    [[nodiscard]] result<void> try_start_one_pass() {
        session_.reset(); // a context has one
        if (!std::exchange(has_chosen_, true)) choose_counters();
        if (one_pass_plan_) {
            auto opened = one_pass_plan_->try_open(*gpu_);
            if (!opened) return std::move(opened).error();
            session_ = *std::move(opened);
            hw::session_shape const shape{1, 1, range_mode::user_range, replay_mode::user, false};
            if (auto ready = session_->try_prepare(shape); !ready) return ready;
            if (auto begun = session_->try_begin_replay_pass(); !begun) return begun;
            if (auto pushed = session_->try_push(0); !pushed) return pushed;
        }
        is_open_ = true;
        open_launch_ = at_;
        return {};
    }
    // Of the counters those of sections that fit one pass together, the first sections first; none that patches the program, which
    // makes a launching call wait for its kernel.
    void choose_counters() {
        std::vector<std::string> chosen;
        auto const add = [&](std::vector<std::string> const& names) {
            std::vector<std::string> all = chosen;
            for (std::string const& each : names) {
                bool const is_counter = std::ranges::find(columns_.counters, each) != columns_.counters.end();
                if (is_counter && each.find("sass") == each.npos && std::ranges::find(all, each) == all.end())
                    all.push_back(each);
            }
            if (all.size() == chosen.size()) return;
            auto plan = hw::try_plan_counters(*gpu_, all, range_mode::user_range);
            if (!plan || (*plan)->passes() > 1) return;
            one_pass_plan_ = *std::move(plan);
            chosen = std::move(all);
        };
        add({"gpu__time_duration.sum"});
        for (explain::section const* const section : settings_.sections->sections) {
            std::vector<std::string> names;
            for (explain::section_row const& row : section->rows) {
                names.emplace_back(row.metric);
                if (!row.over.empty()) names.emplace_back(row.over);
            }
            add(names);
        }
        for (std::string const& each : chosen)
            counter_of_.push_back(
                static_cast<std::size_t>(std::ranges::find(columns_.counters, each) - columns_.counters.begin()));
    }

    [[nodiscard]] result<void> try_go_on() override {
        if (!is_open_) return {};
        if (one_pass_plan_ && !session_) return is_open_ = false, result<void>{}; // the measurement failed
        auto values = [&] {
            watchdog::watched const deadline{watchdog_, name_, longest_};
            return try_end_one_pass();
        }();
        session_.reset();
        if (!values) return std::move(values).error();
        keep(*values, open_launch_, nothing_failed_);
        return {};
    }
    [[nodiscard]] result<std::vector<hw::range_values>> try_end_one_pass() {
        is_open_ = false;
        std::vector<hw::range_values> values(1);
        values[0].values.assign(columns_.counters.size(), gpuprof::detail::quiet_nan);
        if (!session_) return values;
        if (auto popped = session_->try_pop(); !popped) return std::move(popped).error();
        if (auto ended = session_->try_end_replay_pass(); !ended) return std::move(ended).error();
        auto read = session_->try_read();
        if (!read) return std::move(read).error();
        for (hw::range_values const& each : *read)
            for (std::size_t i = 0; i < counter_of_.size() && i < each.values.size(); ++i)
                values[0].values[counter_of_[i]] = each.values[i];
        return values;
    }

    // ---- replay ---------------------------------------------------------------------------------

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

    // The hardware has replayed it, or it runs.
    void leave(hw::launch_event const& launch) override {
        std::vector<hw::range_values> values;
        watchdog_.end();
        if (in_one_pass_) {
            gpuprof::detail::launch_log::heard(&launches_, launch);
            launches_.end_pass();
            line_.clear();
            if (launch.status == abi::CUDA_SUCCESS) return;
            is_open_ = false;
            session_.reset();
            return keep({}, at_, no_failure_);
        }
        if (session_) {
            auto ended = session_->try_end_replay_pass();
            if (!ended) return fail(ended.error());
            auto read = session_->try_read();
            if (!read) return fail(read.error());
            values = *std::move(read);
        }
        gpuprof::detail::launch_log::heard(&launches_, launch);
        launches_.end_pass();
        keep(values, at_, no_failure_);
    }

    // @param why an error without a text: what has no value is told of by missing()
    void keep(std::vector<hw::range_values> const& values, std::size_t launch, std::optional<error> const& why) {
        completeness state;
        state.passes_needed = plan_ ? plan_->passes() : 0;
        state.replay_passes = 1;
        kept_.add(gpuprof::detail::write_report({*gpu_, plan_ ? plan_->hardware() : std::string_view{"no counters"},
                                                 metrics_, columns_, no_scopes_, launches_, values, options_, 1, why,
                                                 false, false, not_compared_},
                                                std::move(state)),
                  launch);
        line_.clear();
        // A program that is killed leaves what was measured until a second before.
        if (auto const now = clock::now(); !saved_ || now - *saved_ >= std::chrono::seconds{1}) save();
    }

    void save(std::optional<error> const& late = {}) {
        if (kept_.launches() == 0) return;
        auto problems = missing("raise GPUPROF_EXPLAIN_MOST, or name the kernels");
        if (late) problems.insert(problems.begin(), *late);
        auto const whole = kept_.whole(problems);
        if (auto saved = try_save(whole, settings_.file); !saved)
            say("the measurement is lost: " + saved.error().message());
        saved_ = clock::now();
    }

    void finish() override {
        if (auto gone_on = try_go_on(); !gone_on) say("a launch is not measured: " + gone_on.error().message());
        session_.reset();
        save();
    }

    // On the watchdog's thread, while the launching thread waits in CUPTI or in the driver, which nothing ends but the process's
    // end. What was measured before is not touched meanwhile.
    [[noreturn]] void end_late(std::string const& name) {
        bool const again = in_one_pass_;
        std::string const way =
            again ? "let --kernels leave it out, or measure it by gpuprof replay --kernels-wait --kernels '" + name +
                        "', which runs the program once a pass"
                  : "gpuprof explain --one-pass '" + name +
                        "' measures it without replay, gpuprof replay --kernels-wait --kernels '" + name +
                        "' by running the program once a pass; --longest-kernel gives it more time";
        error const why{errc::not_collected, 0,
                        name + " did not end in " + std::to_string(longest_.count()) + " s while it was " +
                            (again ? "measured in one pass" : "replayed") + ", and the program was ended",
                        reaches_host_ ? "it reaches memory of the host, and may wait for what the program writes there"
                                      : "it may wait for the program, or for a kernel that runs beside it",
                        way};
        contained("the measurement", [&] { save(why); });
        say(why.message());
        std::_Exit(late_status);
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

    static constexpr std::size_t usual_longest = 120; // seconds, on a GPU
    static constexpr int late_status = 124;           // as timeout's

    measuring_settings settings_;
    std::chrono::seconds longest_{0};
    std::string name_;          // of the kernel that is measured
    bool reaches_host_ = false; // by an argument
    bool in_one_pass_ = false;
    bool is_open_ = false; // its range, until the next launch
    bool has_chosen_ = false;
    std::size_t open_launch_ = 0;                            // which of its kernel it is
    gpuprof::detail::owned<hw::counter_plan> one_pass_plan_; // none where no counter fits
    std::vector<std::size_t> counter_of_;                    // of the plan's, in columns_.counters
    std::optional<error> nothing_failed_{error{}};
    watchdog watchdog_{[this](std::string const& name) { end_late(name); }};
    profiler_options options_ = kernel_by_kernel();
    gpuprof::detail::range_log no_scopes_{};
    std::optional<error> no_failure_{};
    gpuprof::detail::memory_comparison not_compared_{};
    measured_launches kept_;
    std::optional<clock::time_point> saved_;
    progress_line line_;
};

} // namespace

void begin_measuring() {
    auto with = try_read_measuring_settings();
    if (with && with->repeated != repeats::kernels) return begin_repeating(std::move(with));
    measure_until_exit<measuring>(std::move(with));
}

} // namespace gpuprof::injection
