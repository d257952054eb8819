// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One pass of an application replay: each launch is a range of the hardware, whose name is the launch's number in the first pass.
// CUPTI finds the range of an earlier pass by that name, in whatever order the launches come. The counter data goes from process
// to process in a file.
#include "replaying.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/hw/machine/platform/program_file.hpp>
#include <gpuprof/measure/launch_problems.hpp>
#include <gpuprof/measure/replay_file.hpp>
#include <gpuprof/measure/report_writer.hpp>
#include <gpuprof/recording/saved_report.hpp>
#include <gpuprof/text/json_text.hpp>

#include "contained.hpp"
#include "launch_measurement.hpp"
#include "measured_metrics.hpp"
#include "replay_settings.hpp"

namespace gpuprof::injection {
namespace {

using gpuprof::detail::joined;
using gpuprof::detail::replay_state;
using gpuprof::detail::replayed_range;

constexpr std::size_t no_range = (std::numeric_limits<std::size_t>::max)();

class replaying final : public launch_measurement {
public:
    replaying(replay_settings with, hw::machine const& on)
        : launch_measurement{std::move(with.which), range_mode::user_range, on}, settings_{std::move(with)} {}

private:
    [[nodiscard]] result<std::vector<metric_info>> try_choose_metrics(device const& gpu) override {
        return try_metrics_of(settings_.metrics, *settings_.sections, gpu, ranges_);
    }

    // The state that is gone on with, or that of a first pass.
    [[nodiscard]] result<void> try_prepare() override {
        if (!claim()) return error{errc::io, 0, settings_.folder + " cannot be written", "", "see docs/environment.md"};
        replay_state now = begin_state();
        auto left = gpuprof::detail::try_load_state(state_file());
        if (!left) return std::move(left).error();
        if (*left) {
            if (auto same = gpuprof::detail::try_check_same(**left, now); !same) return same;
            now = **std::move(left);
        }
        state_ = std::move(now);
        for (std::size_t i = 0; i < state_.ranges.size(); ++i) numbers_[state_.ranges[i].key].push_back(i);
        launches_.reset(false, columns_.needs_launches());
        launches_.on(*gpu_);
        launches_.begin_pass();
        return {};
    }
    [[nodiscard]] replay_state begin_state() const {
        replay_state made;
        made.program = gpuprof::detail::identify_program(platform::program_file());
        made.chip = gpu_->chip();
        static_cast<void>(gpu_->driver().DriverGetVersion(&made.driver));
        made.hardware = hardware();
        for (metric_info const& each : metrics_) made.metrics.push_back(each.name);
        made.settings = {joined({"match ", match_name()}), joined({"room ", std::to_string(settings_.most)})};
        made.needed = plan_ ? plan_->passes() : 1;
        made.counters.data.source = gpu_->source();
        return made;
    }
    [[nodiscard]] std::string_view match_name() const noexcept {
        return settings_.match == launch_match::grid ? "grid" : settings_.match == launch_match::name ? "name" : "all";
    }
    [[nodiscard]] std::string_view hardware() const { return plan_ ? plan_->hardware() : "no counters"; }
    [[nodiscard]] std::string state_file() const { return state_file_of(settings_.folder, process_); }
    [[nodiscard]] std::string claim_file() const { return claim_file_of(settings_.folder, settings_.run, process_); }

    // Processes of a run have numbers in the order in which they begin to launch.
    [[nodiscard]] bool claim() {
        constexpr std::size_t most = 4096;
        for (process_ = 0; process_ < most; ++process_) {
            int const made = ::open(claim_file().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
            if (made >= 0) return ::close(made) == 0;
            if (errno != EEXIST) break;
        }
        return false;
    }

    // ---- launches -------------------------------------------------------------------------------

    [[nodiscard]] result<bool> try_enter(hw::launch_event const& launch) override {
        range_ = no_range;
        if (state_.complete) return false; // other processes of the program are not
        if (auto closed = try_close(); !closed) return std::move(closed).error();
        range_ = number_of(launch);
        if (range_ == no_range) {
            ++left_out_;
            return false;
        }
        seen_.push_back(range_);
        if (state_.ranges[range_].passes != state_.done) return false; // an earlier pass lacks it
        if (auto begun = try_begin_pass(); !begun) return std::move(begun).error();
        if (session_)
            if (auto pushed = session_->try_push(static_cast<std::uint32_t>(range_)); !pushed)
                return std::move(pushed).error();
        is_open_ = true;
        launches_.enter(static_cast<std::uint32_t>(range_));
        return true;
    }
    void leave(hw::launch_event const& launch) override {
        gpuprof::detail::launch_log::heard(&launches_, launch);
        launches_.leave();
        if (settings_.kernels_wait) return;
        if (auto closed = try_close(); !closed) fail(closed.error());
    }
    [[nodiscard]] result<void> try_close() {
        if (!std::exchange(is_open_, false) || !session_) return {};
        return session_->try_pop();
    }

    // The number of the launch in the first pass that has it; no_range where there is room for no more.
    [[nodiscard]] std::size_t number_of(hw::launch_event const& launch) {
        std::string const key = gpuprof::detail::valid_utf8(key_of(launch));
        std::vector<std::size_t>& alike = numbers_[key];
        std::size_t& next = used_[key];
        if (next < alike.size()) return alike[next++];
        if (state_.ranges.size() >= settings_.most) return no_range;
        std::string const symbol = launch.symbol != nullptr ? launch.symbol : "";
        std::string const name = symbol.empty() ? "a kernel" : platform::demangled(symbol);
        state_.ranges.push_back({gpuprof::detail::valid_utf8(name), key, 0});
        ++next;
        alike.push_back(state_.ranges.size() - 1);
        return alike.back();
    }
    [[nodiscard]] std::string key_of(hw::launch_event const& launch) {
        std::string key = launch.symbol != nullptr ? launch.symbol : "";
        if (settings_.match == launch_match::name) return key;
        auto const add = [&key](std::array<unsigned, 3> const& of) {
            for (unsigned const each : of) key += ' ' + std::to_string(each);
        };
        add(launch.grid);
        if (settings_.match == launch_match::grid) return key;
        add(launch.block);
        key += ' ' + std::to_string(launch.dynamic_shared);
        // Streams have other addresses in each process: they are told apart by the order of their first launches.
        auto const [place, is_new] = streams_.try_emplace(launch.stream, streams_.size());
        return key + " stream " + std::to_string(place->second);
    }

    // Before the first launch that is measured.
    [[nodiscard]] result<void> try_begin_pass() {
        if (std::exchange(has_begun_, true)) return {};
        auto started = try_start();
        if (started || !plan_ || !plan_->remembered() || state_.done != 0) return started;
        if (started.error().code == errc::busy || started.error().code == errc::permission) return started;
        session_.reset(); // an older configuration may be what the hardware refused
        plan_->forget();
        if (auto planned = try_plan_counters(); !planned) return planned;
        return try_start();
    }
    [[nodiscard]] result<void> try_start() {
        if (auto opened = try_open_session(); !opened) return opened;
        if (!session_) return {};
        hw::session_shape shape{settings_.most, 1, ranges_, replay_mode::application};
        if (state_.done != 0) shape.carried = &state_.counters;
        if (auto ready = session_->try_prepare(shape); !ready) return ready;
        return session_->try_begin_replay_pass();
    }

    // ---- the end --------------------------------------------------------------------------------

    void finish() override {
        // Nothing was launched that every pass before had, it is kept already, or it failed.
        if (!has_begun_ || std::exchange(is_finished_, true) || (plan_ && !session_)) return;
        if (auto ended = try_finish(); !ended) say("this pass is not measured: " + ended.error().message());
        session_.reset();
    }
    [[nodiscard]] result<void> try_finish() {
        std::size_t const before = state_.done;
        std::vector<hw::range_values> values;
        if (auto closed = try_close(); !closed) return closed;
        launches_.end_pass();
        hw::replay_progress next;
        if (session_) {
            auto ended = session_->try_end_replay_pass();
            if (!ended) return std::move(ended).error();
            next = *ended;
            auto read = session_->try_read();
            if (!read) return std::move(read).error();
            values = *std::move(read);
            auto kept = session_->try_keep();
            if (!kept) return std::move(kept).error();
            state_.counters.data = *std::move(kept);
        }
        state_.counters.next = next;
        state_.complete = next.last;
        for (std::size_t const each : seen_) ++state_.ranges[each].passes;
        ++state_.done;
        // A run that was begun after this process no longer waits for it.
        if (!platform::is_there(claim_file()))
            return error{errc::replay_mismatch, 0, "another run of the replay has begun", "",
                         "let the program's processes end before the next run"};
        if (auto saved = try_save(report_of(values), report_file_of(settings_.folder, process_)); !saved) return saved;
        return gpuprof::detail::try_save_state(state_, state_file(), before);
    }

    [[nodiscard]] report report_of(std::vector<hw::range_values> const& read) {
        completeness state;
        state.passes_needed = state_.needed;
        state.replay_passes = state_.done;
        state.problems = missing("raise --most, or name the kernels");
        add_partners_missing(state.problems);
        std::vector<hw::range_values> values;
        for (hw::range_values const& each : read)
            if (each.id < state_.ranges.size() && state_.ranges[each.id].passes == state_.done) values.push_back(each);
        std::optional<error> unfinished;
        if (!state_.complete)
            unfinished =
                error{errc::not_collected, 0,
                      joined({"pass ", std::to_string(state_.done), " of ", std::to_string(state_.needed), " is done"}),
                      "values of later passes are not there", "run the program once for each other pass"};
        gpuprof::detail::range_log log;
        log.reset(state_.ranges.size(), 1, false);
        log.begin_replay_pass();
        for (replayed_range const& each : state_.ranges) static_cast<void>(log.close(log.open(each.name).ticket));
        static_cast<void>(log.end_replay_pass());
        profiler_options options;
        options.replay = replay_mode::application;
        options.empty_ranges = true; // of launches that this pass lacks
        return gpuprof::detail::write_report({*gpu_, hardware(), metrics_, columns_, log, launches_, values, options,
                                              settings_.most, unfinished, false, false, not_compared_},
                                             std::move(state));
    }

    // By name: launches that were not in every pass.
    void add_partners_missing(std::vector<error>& list) const {
        std::map<std::pair<std::string, std::size_t>, std::size_t> incomplete;
        for (replayed_range const& each : state_.ranges)
            if (each.passes != state_.done) ++incomplete[{each.name, each.passes}];
        for (auto const& [of, launches] : incomplete)
            list.push_back({errc::replay_mismatch, 0,
                            joined({gpuprof::detail::so_many(launches, "launch", "launches"), " of ", of.first, " ",
                                    launches == 1 ? "was" : "were", " in ", std::to_string(of.second), " of ",
                                    std::to_string(state_.done), " passes: not collected"}),
                            "the program did not launch the same in every run",
                            "let it do the same work in every run, or match launches by --match name"});
    }

    [[nodiscard]] std::size_t measured() const override { return 0; } // whoever runs the program tells

    replay_settings settings_;
    std::size_t process_ = 0;
    replay_state state_;
    std::map<std::string, std::vector<std::size_t>> numbers_; // of ranges, by their key
    std::map<std::string, std::size_t> used_;                 // in this pass
    std::map<abi::CUstream, std::size_t> streams_;
    std::vector<std::size_t> seen_; // ranges of this pass
    std::size_t range_ = no_range;
    bool has_begun_ = false;
    bool is_finished_ = false;
    bool is_open_ = false;
    gpuprof::detail::memory_comparison not_compared_{};
};

} // namespace

void begin_replaying() { measure_until_exit<replaying>(try_read_replay_settings()); }

} // namespace gpuprof::injection
