// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drives a profiler of launch or range replay from inside the program's driver calls: its loop over passes() goes from the first
// driver call that has a context to the end of that context. Nsight Compute 2023.3, 2.3.3.
#include "repeating.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/call_replay.hpp>
#include <gpuprof/hw/callbacks/captured_call.hpp>
#include <gpuprof/hw/callbacks/launching_calls.hpp>
#include <gpuprof/hw/callbacks/subscription.hpp>
#include <gpuprof/hw/machine/callback_place.hpp>
#include <gpuprof/hw/machine/in_context.hpp>
#include <gpuprof/hw/machine/platform/demangle.hpp>
#include <gpuprof/hw/machine/platform/process_number.hpp>
#include <gpuprof/hw/machine/platform/thread.hpp>
#include <gpuprof/measure/launch_problems.hpp>
#include <gpuprof/measure/moved_pass.hpp>
#include <gpuprof/measure/profiler.hpp>
#include <gpuprof/measure/report_contents.hpp>
#include <gpuprof/recording/saved_report.hpp>

#include "contained.hpp"
#include "kernel_word.hpp"
#include "measured_metrics.hpp"
#include "until_exit.hpp"

namespace gpuprof::injection {
namespace {

// A range of the program.
struct program_range {
    program::nvtx::handle domain;
    std::string name;
    std::uint64_t measured = 0; // its number among the open scopes; 0: it is not measured
};
using pushed_ranges = std::vector<program_range>; // of a thread

// Scopes nest, ranges of the program need not: one that ends within another one lasts until that ends.
struct open_scope {
    open_scope(std::uint64_t of, profiler& on, std::string const& name) : range{of}, opened{on, name} {}
    std::uint64_t range;
    scope opened;
    bool is_over = false;
};

// Whether this thread makes calls of gpuprof's own.
thread_local bool works_here = false;

class repeating final : public measurement {
public:
    repeating(measuring_settings with, hw::machine const& on)
        : settings_{std::move(with)}, machine_{on}, process_{platform::process_number()} {}

    [[nodiscard]] result<void> try_begin() {
        auto ids = hw::callback_set::all_of(abi::CUPTI_CB_DOMAIN_DRIVER_API);
        ids.add({abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING});
        auto begun = hw::subscription::try_begin(machine_, ids, &heard, this, {});
        if (!begun) return std::move(begun).error();
        calls_.emplace(*std::move(begun));
        return {};
    }

    void end() override {
        if (platform::process_number() != process_) return; // the file is the parent's
        // Work that does not end must not hold up the exit.
        if (!mutex_.try_lock_for(std::chrono::seconds{20})) return say("a range still runs: nothing is measured");
        std::unique_lock const held{mutex_, std::adopt_lock};
        work([this] { finish(); });
    }

    [[nodiscard]] bool hears_nvtx() const noexcept {
        return settings_.repeated == repeats::ranges &&
               (settings_.marks == range_marks::program || settings_.marks == range_marks::nvtx);
    }
    int push(program::nvtx::handle domain, std::string const& name) {
        if (works_here) return 0; // the profiler's own, of a scope
        auto* const mine = program::nvtx::own<pushed_ranges>();
        if (mine == nullptr) return -1;
        int level = 0;
        for (program_range const& each : *mine) level += each.domain == domain ? 1 : 0;
        program_range& added = mine->emplace_back(program_range{domain, program::nvtx::full_name(domain, name)});
        std::unique_lock const held{mutex_};
        work([&] { open_pushed(added); });
        return level;
    }
    int pop(program::nvtx::handle domain) {
        if (works_here) return 0;
        auto* const mine = program::nvtx::own<pushed_ranges>();
        if (mine == nullptr) return -1;
        auto last = mine->end();
        int level = -1;
        for (auto each = mine->begin(); each != mine->end(); ++each)
            if (each->domain == domain) last = each, ++level;
        if (last == mine->end()) return level;
        std::uint64_t const measured = last->measured;
        mine->erase(last);
        std::unique_lock const held{mutex_};
        work([&] { close(measured); });
        return level;
    }
    std::uint64_t start(program::nvtx::handle domain, std::string const& name) {
        std::unique_lock const held{mutex_};
        std::uint64_t const range = ++last_started_;
        work([&] { open_started(started_[range] = {domain, program::nvtx::full_name(domain, name)}); });
        return range;
    }
    void end(std::uint64_t range) {
        std::unique_lock const held{mutex_};
        work([&] {
            auto const found = started_.find(range);
            if (found == started_.end()) return;
            close(found->second.measured);
            started_.erase(found);
        });
    }

private:
    // ---- what CUPTI tells -----------------------------------------------------------------------

    static void heard(void* self, hw::callback_id id, void const* data) {
        auto& here = *static_cast<repeating*>(self);
        if (works_here || gpuprof::detail::repeats_calls_now) return;
        if (id.domain == abi::CUPTI_CB_DOMAIN_RESOURCE) {
            std::unique_lock const held{here.mutex_};
            if (static_cast<abi::CUpti_ResourceData const*>(data)->context == here.context_)
                here.work([&] { here.finish(); });
            return;
        }
        auto const& call = *static_cast<abi::CUpti_CallbackData const*>(data);
        if (call.context == nullptr || call.functionName == nullptr) return;
        std::unique_lock const held{here.mutex_};
        here.work([&] { here.consider(id, call); });
    }

    // With the mutex held.
    template <class F>
    void work(F&& f) noexcept {
        hw::callback_leave const left;
        works_here = true;
        if (!contained("the measurement", f)) is_over_ = true;
        works_here = false;
    }

    void consider(hw::callback_id id, abi::CUpti_CallbackData const& call) {
        if (is_over_) return;
        bool const is_entry = call.callbackSite == abi::CUPTI_API_ENTER;
        if (context_ == nullptr && is_entry && is_ready(call.context)) {
            context_ = call.context;
            if (auto begun = try_measure(); !begun) {
                is_over_ = true;
                return say("the program runs on unmeasured: " + begun.error().message());
            }
        }
        hw::launch_event launch;
        bool const launches = gpuprof::detail::read_launch(id.number, call.functionParams, launch);
        if (call.context != context_) {
            elsewhere_ += is_entry && launches ? 1 : 0;
            return;
        }
        if (settings_.repeated != repeats::ranges) return;
        launches_ += is_entry && launches ? 1 : 0;
        if (settings_.marks == range_marks::waits) return follow(id, call, is_entry, launches, launch);
        if (settings_.marks == range_marks::nvtx) return;
        std::string_view const name = call.functionName;
        if (!is_entry && name == "cuProfilerStart" && !range_) range_.emplace(*profiler_, "cuProfilerStart"), ++ranges_;
        if (is_entry && name == "cuProfilerStop") range_.reset();
    }

    // Calls that make the primary context are told with it before it can be used.
    [[nodiscard]] bool is_ready(abi::CUcontext context) const {
        unsigned version = 0;
        return machine_.driver.CtxGetApiVersion(context, &version) == abi::CUDA_SUCCESS;
    }

    // Ranges without marks.
    void follow(hw::callback_id id, abi::CUpti_CallbackData const& call, bool is_entry, bool launches,
                hw::launch_event const& launch) {
        if (!range_) {
            if (!is_entry || !launches) return;
            if (platform::this_thread() != owner_) return ++by_others_, void();
            if (hw::is_capturing(gpu_->driver(), hw::stream_of(id.number, launch.stream))) return;
            std::string const symbol = call.symbolName != nullptr ? call.symbolName : "";
            std::string const name =
                "from " + (launch.graph ? std::string{"a graph"} : kernel_word(platform::demangled(symbol)));
            range_.emplace(*profiler_, name);
            ++ranges_;
            return;
        }
        if (platform::this_thread() != owner_) return;
        std::string_view const name = call.functionName;
        if (is_entry ? !hw::is_capturable(name) || hw::is_destruction(name) : hw::is_host_wait(name)) range_.reset();
    }

    // ---- the measurement ------------------------------------------------------------------------

    [[nodiscard]] result<void> try_measure() {
        auto gpu = device::try_open(machine_, context_);
        if (!gpu) return std::move(gpu).error();
        gpu_.emplace(*std::move(gpu));
        profiler_options options;
        options.max_ranges = settings_.most;
        options.nesting_levels = deepest;
        options.empty_ranges = true; // they are the program's, not the user's
        bool const is_range = settings_.repeated == repeats::ranges;
        options.ranges = is_range ? range_mode::user_range : range_mode::auto_range;
        options.replay = is_range ? replay_mode::range : replay_mode::launch;
        if (settings_.longest) options.replay_deadline_ms = static_cast<unsigned>(*settings_.longest) * 1000;
        auto metrics = try_metrics_of(settings_.metrics, *settings_.sections, *gpu_, options.ranges);
        if (!metrics) return std::move(metrics).error();
        auto made = profiler::try_create(*gpu_, options, *metrics);
        if (!made) return std::move(made).error();
        profiler_.emplace(*std::move(made));
        owner_ = platform::this_thread();
        passes_.emplace(*profiler_);
        pass_.emplace(passes_->begin());
        if (!hears_nvtx()) return {};
        // What began before there was a context.
        for (auto& [number, range] : started_) open_started(range);
        if (auto* const mine = program::nvtx::own<pushed_ranges>(); mine != nullptr)
            for (program_range& each : *mine) open_pushed(each);
        return {};
    }

    // ---- ranges of NVTX -------------------------------------------------------------------------

    [[nodiscard]] bool measures(program_range const& range) const {
        return !is_over_ && profiler_ && (!settings_.nvtx || settings_.nvtx->matches(range.name));
    }
    void open_pushed(program_range& range) {
        if (!measures(range)) return;
        if (platform::this_thread() == owner_) return open(range);
        scope const counted{*profiler_, range.name}; // by the report, as one of another thread
        ++ranges_;
    }
    void open_started(program_range& range) {
        if (!measures(range)) return;
        gpuprof::detail::moved_pass const here{*profiler_};
        open(range);
    }
    void open(program_range& range) {
        range.measured = ++ranges_;
        scopes_.emplace_back(range.measured, *profiler_, range.name);
    }
    // The thread need not be the one that opened it.
    void close(std::uint64_t measured) {
        if (measured == 0 || is_over_) return;
        for (open_scope& each : scopes_) each.is_over = each.is_over || each.range == measured;
        gpuprof::detail::moved_pass const here{*profiler_};
        while (!scopes_.empty() && scopes_.back().is_over) scopes_.pop_back();
    }

    void finish() {
        if (std::exchange(is_over_, true) || !pass_) return;
        range_.reset();
        while (*pass_ != passes_->end()) ++*pass_;
        auto made = profiler_->try_report();
        if (!made) return say("nothing is measured: " + made.error().message());
        if (settings_.repeated == repeats::ranges && ranges_ == 0 && by_others_ == 0)
            return say(launches_ == 0 ? "nothing was launched"
                                      : "no range was measured: the program marks none; --range waits measures from "
                                        "each launch to where the program waits for it");
        report_contents whole = made->whole();
        auto const tell = [&whole](std::size_t launches, char const* why, char const* remedy) {
            if (launches == 0) return;
            whole.completeness.problems.push_back(
                {errc::not_collected, 0,
                 gpuprof::detail::so_many(launches, "launch was not measured", "launches were not measured"), why,
                 remedy});
        };
        tell(elsewhere_, "a measurement is of one context, the program's first", "let the program use one GPU");
        tell(by_others_,
             "other threads made them while no range was open, and ranges are those of the thread that uses the GPU "
             "first",
             "use --mode launch, or mark ranges around the work of all threads");
        if (auto saved = try_save(report{std::move(whole)}, settings_.file); !saved)
            say("the measurement is lost: " + saved.error().message());
    }

    static constexpr std::size_t deepest = 32; // ranges that nest

    measuring_settings const settings_;
    hw::machine const& machine_;
    decltype(platform::process_number()) process_;
    std::timed_mutex mutex_;
    bool is_over_ = false;
    abi::CUcontext context_ = nullptr; // that the program uses first
    decltype(platform::this_thread()) owner_{};
    std::size_t by_others_ = 0; // launches outside of ranges without marks
    std::size_t elsewhere_ = 0; // launches in other contexts
    std::size_t launches_ = 0;
    std::size_t ranges_ = 0;
    std::optional<device> gpu_;
    std::optional<profiler> profiler_;
    std::optional<pass_sequence> passes_;
    std::optional<pass_sequence::iterator> pass_;
    std::optional<scope> range_;
    std::deque<open_scope> scopes_; // of NVTX ranges, inner ones last
    std::map<std::uint64_t, program_range> started_;
    std::uint64_t last_started_ = 0;
    std::optional<hw::subscription> calls_;
};

repeating* repeater = nullptr; // never destroyed

} // namespace

void begin_repeating(result<measuring_settings> with) {
    measure_until_exit<repeating>(std::move(with));
    repeater = static_cast<repeating*>(running_measurement);
}

bool measures_nvtx_ranges() noexcept { return repeater != nullptr && repeater->hears_nvtx(); }
int push_measured_range(program::nvtx::handle domain, std::string const& name) { return repeater->push(domain, name); }
int pop_measured_range(program::nvtx::handle domain) { return repeater->pop(domain); }
std::uint64_t start_measured_range(program::nvtx::handle domain, std::string const& name) {
    return repeater->start(domain, name);
}
void end_measured_range(std::uint64_t range) { repeater->end(range); }

} // namespace gpuprof::injection
