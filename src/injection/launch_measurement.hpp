// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What measurements of an unchanged program have in common: which launches are measured, on which context, and that the counters
// run from a launching call's entry to its exit.
#ifndef GPUPROF_INJECTION_LAUNCH_MEASUREMENT_HPP
#define GPUPROF_INJECTION_LAUNCH_MEASUREMENT_HPP

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/core/counted.hpp>
#include <gpuprof/hw/callbacks/launch_watch.hpp>
#include <gpuprof/hw/callbacks/subscription.hpp>
#include <gpuprof/hw/counters/registry.hpp>
#include <gpuprof/hw/counters/replay_modes.hpp>
#include <gpuprof/hw/machine/callback_place.hpp>
#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/hw/machine/platform/demangle.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/hw/machine/platform/process_number.hpp>
#include <gpuprof/measure/launch_log.hpp>
#include <gpuprof/measure/metric_columns.hpp>
#include <gpuprof/measure/uncounted_values.hpp>

#include "contained.hpp"
#include "measuring_settings.hpp"
#include "until_exit.hpp"

namespace gpuprof::injection {

// Whether this thread is between the entry and the exit of a launching call.
inline thread_local bool is_launching = false;

class launch_measurement : public measurement {
public:
    [[nodiscard]] result<void> try_begin() {
        hw::callback_id const ends[]{
            {abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING}};
        auto contexts = hw::subscription::try_begin(machine_, ends, &context_ends, this);
        if (!contexts) return std::move(contexts).error();
        contexts_.emplace(*std::move(contexts));
        return watch_.try_begin(machine_, nullptr, &launched, this, &launches);
    }

    void end() override {
        if (platform::process_number() != process_) return; // the file is the parent's
        // A kernel that does not end must not hold up the exit.
        if (!mutex_.try_lock_for(std::chrono::seconds{20})) return say("a kernel still runs: it is not measured");
        contain([&] { end_context(); });
        is_over_ = true;
        mutex_.unlock();
        watch_.end();
        contexts_.reset();
        if (measured() != 0 && platform::trusted_variable("GPUPROF_RANK").empty())
            say(gpuprof::detail::grouped_number(static_cast<double>(measured())) + " of " +
                gpuprof::detail::grouped_number(static_cast<double>(seen_)) +
                (seen_ == 1 ? " launch measured" : " launches measured"));
    }

protected:
    launch_measurement(launch_choice which, range_mode ranges, hw::machine const& on)
        : choice_{std::move(which)}, ranges_{ranges}, machine_{on}, process_{platform::process_number()} {}

    // ---- what kinds of measurements differ in; with the mutex held -------------------------------

    [[nodiscard]] virtual result<std::vector<metric_info>> try_choose_metrics(device const& gpu) = 0;
    // Before the first launch that is measured, when plan_ is there.
    [[nodiscard]] virtual result<void> try_prepare() { return {}; }
    // Anything is about to be launched in the context that is measured.
    [[nodiscard]] virtual result<void> try_go_on() { return {}; }
    // Whether the launch is measured that is about to begin. Errors end the measurement.
    [[nodiscard]] virtual result<bool> try_enter(hw::launch_event const& launch) = 0;
    // It has returned. @pre try_enter() was true
    virtual void leave(hw::launch_event const& launch) = 0;
    // The context ends, and then the process, or that alone: the hardware is given back, and the file is
    // written. Not the context: it is in a call that ends it. Also after fail().
    virtual void finish() = 0;
    // Launches.
    [[nodiscard]] virtual std::size_t measured() const = 0;

    // ---------------------------------------------------------------------------------------------

    void fail(error const& why) {
        is_over_ = true;
        session_.reset();
        say("the program runs on unmeasured: " + why.message());
    }

    [[nodiscard]] result<void> try_plan_counters() {
        if (columns_.counters.empty()) return {}; // the launches alone say it all
        auto plan = hw::try_plan_counters(*gpu_, columns_.counters, ranges_);
        if (!plan) return std::move(plan).error();
        plan_ = *std::move(plan);
        return {};
    }
    [[nodiscard]] result<void> try_open_session() {
        if (session_ || !plan_) return {};
        auto opened = plan_->try_open(*gpu_);
        if (!opened) return std::move(opened).error();
        session_ = *std::move(opened);
        return {};
    }

    // What was asked for and is not there. @param room_remedy what makes room for more launches
    [[nodiscard]] std::vector<error> missing(char const* room_remedy) const {
        std::vector<error> list;
        auto const add = [&](std::size_t number, errc code, char const* why, char const* remedy) {
            if (number == 0) return;
            list.push_back({code, 0,
                            gpuprof::detail::so_many(number, "launch was not measured", "launches were not measured"),
                            why, remedy});
        };
        add(left_out_, errc::too_many_ranges, "there is room for no more", room_remedy);
        for (auto const& [obstacle, of] : obstacles_) {
            obstacle_rule const& rule = rule_of(obstacle);
            bool const is_measured = rule.instead == instead_of_replay::one_pass;
            std::string names, pattern;
            for (std::string const& each : of.kernels) {
                names += (names.empty() ? ": " : ", ") + each;
                pattern += (pattern.empty() ? "" : "|") + each;
            }
            list.push_back(
                {errc::not_collected, 0,
                 gpuprof::detail::so_many(
                     of.launches,
                     is_measured ? "launch was measured in one pass, not replayed" : "launch was not measured",
                     is_measured ? "launches were measured in one pass, not replayed" : "launches were not measured"),
                 std::string{rule.cause} + names +
                     (is_measured ? "; metrics that need another pass have no value" : ""),
                 is_measured ? "gpuprof replay --kernels-wait --kernels '" + pattern +
                                   "' measures them by running the program once a pass"
                             : "measure another launch of these kernels: --launch"});
        }
        add(elsewhere_, errc::not_collected, "a measurement is of one context, that of the program's first launch",
            "let the program use one GPU");
        add(graphs_, errc::not_collected, "each launched a graph, whose kernels are not measured",
            "measure them with nodes that are launched one by one");
        return list;
    }

    launch_choice choice_;
    range_mode ranges_;
    hw::machine const& machine_;
    std::optional<device> gpu_;
    std::vector<metric_info> metrics_;
    gpuprof::detail::metric_columns columns_;
    gpuprof::detail::owned<hw::counter_plan> plan_; // none where no metric needs a counter
    gpuprof::detail::owned<hw::counter_session> session_;
    gpuprof::detail::launch_log launches_;
    std::size_t at_ = 0; // which launch of its kernel is measured
    std::size_t left_out_ = 0;

    // Notes a launch that is not replayed.
    void note(replay_obstacle why, std::string const& name) {
        not_replayed& of = obstacles_[why];
        ++of.launches;
        if (of.kernels.size() < 4) of.kernels.insert(name);
    }

private:
    // ---- what CUPTI tells -----------------------------------------------------------------------

    // The mutex is held from a launching call's entry to its exit: a kernel of another thread would be counted, too.
    static void launches(void* self, hw::launch_event const& launch) {
        auto& here = *static_cast<launch_measurement*>(self);
        if (is_launching) return;
        here.mutex_.lock();
        if (here.is_over_) return here.mutex_.unlock();
        is_launching = true;
        here.contain([&] { here.consider(launch); });
    }
    static void launched(void* self, hw::launch_event const& launch) {
        auto& here = *static_cast<launch_measurement*>(self);
        if (!is_launching) return; // its entry was not heard
        if (std::exchange(here.is_measuring_, false)) here.contain([&] { here.leave(launch); });
        is_launching = false;
        here.mutex_.unlock();
    }
    static void context_ends(void* self, hw::callback_id, void const* data) {
        auto& here = *static_cast<launch_measurement*>(self);
        if (is_launching) return;
        std::unique_lock const held{here.mutex_};
        if (static_cast<abi::CUpti_ResourceData const*>(data)->context != here.context_) return;
        here.contain([&] { here.end_context(); });
    }

    // ---- with the mutex held --------------------------------------------------------------------

    template <class F>
    void contain(F&& f) noexcept {
        hw::callback_leave const left;
        if (!contained("the measurement", f)) is_over_ = true;
    }

    void consider(hw::launch_event const& launch) {
        if (launch.context == context_ && !is_gone_)
            if (auto gone_on = try_go_on(); !gone_on) return fail(gone_on.error());
        if (launch.graph) return ++graphs_, void();
        ++seen_;
        if (context_ == nullptr) {
            context_ = launch.context;
            if (auto planned = try_plan(); !planned) return fail(planned.error());
        }
        if (!is_wanted(launch)) return;
        if (launch.context != context_ || is_gone_) return ++elsewhere_, void();
        if (auto begun = try_enter(launch)) is_measuring_ = *begun;
        else fail(begun.error());
    }

    [[nodiscard]] bool is_wanted(hw::launch_event const& launch) {
        std::string const symbol = launch.symbol != nullptr ? launch.symbol : "";
        auto const [place, is_new] = kernels_.try_emplace(symbol);
        kernel& of = place->second;
        if (is_new) of.is_wanted = choice_.kernels.matches(platform::demangled(symbol));
        ++of.launches;
        at_ = of.launches;
        return of.is_wanted && (choice_.launch == every_launch || choice_.launch == of.launches);
    }

    [[nodiscard]] result<void> try_plan() {
        auto gpu = device::try_open(machine_, context_);
        if (!gpu) return std::move(gpu).error();
        gpu_.emplace(*std::move(gpu));
        auto metrics = try_choose_metrics(*gpu_);
        if (!metrics) return std::move(metrics).error();
        metrics_ = *std::move(metrics);
        auto columns = gpuprof::detail::plan_columns(metrics_);
        if (!columns) return std::move(columns).error();
        columns_ = *std::move(columns);
        columns_.uncounted = &gpuprof::detail::all_uncounted_values;
        if (auto planned = try_plan_counters(); !planned) return planned;
        return try_prepare();
    }

    void end_context() {
        is_gone_ = true;
        finish();
    }

    struct not_replayed {
        std::size_t launches = 0;
        std::set<std::string> kernels; // a few of them
    };
    struct kernel {
        bool is_wanted = false;
        std::size_t launches = 0;
    };

    decltype(platform::process_number()) process_;
    std::timed_mutex mutex_;
    bool is_over_ = false;
    bool is_measuring_ = false;
    bool is_gone_ = false;                  // the context
    abi::CUcontext context_ = nullptr;      // of the first launch
    std::map<std::string, kernel> kernels_; // by symbol
    std::map<replay_obstacle, not_replayed> obstacles_;
    std::size_t seen_ = 0, elsewhere_ = 0, graphs_ = 0;
    std::optional<hw::subscription> contexts_;
    hw::launch_watch watch_;
};

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_LAUNCH_MEASUREMENT_HPP
