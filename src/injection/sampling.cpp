// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples, or counts, the instructions of one context, from its first launch to its end or the process's.
#include "sampling.hpp"

#include <chrono>
#include <cstdio>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/explain/measure_lines.hpp>
#include <gpuprof/explain/source_view.hpp>
#include <gpuprof/hw/callbacks/launch_watch.hpp>
#include <gpuprof/hw/callbacks/subscription.hpp>
#include <gpuprof/hw/machine/callback_place.hpp>
#include <gpuprof/hw/machine/platform/demangle.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/hw/machine/platform/process_number.hpp>
#include <gpuprof/hw/machine/session_registry.hpp>
#include <gpuprof/hw/samplers/module_code.hpp>
#include <gpuprof/hw/samplers/sass_counter.hpp>
#include <gpuprof/io/annotated_source.hpp>
#include <gpuprof/io/pc_samples_json.hpp>
#include <gpuprof/io/source_view.hpp>
#include <gpuprof/io/stall_table.hpp>
#include <gpuprof/sample/pc_sampler.hpp>
#include <gpuprof/sample/source_table.hpp>

#include "contained.hpp"
#include "sampling_settings.hpp"
#include "until_exit.hpp"

namespace gpuprof::injection {
namespace {

class sampling final : public measurement {
public:
    sampling(sampling_settings with, hw::machine const& on)
        : settings_{std::move(with)}, machine_{on}, process_{platform::process_number()} {}

    [[nodiscard]] result<void> try_begin() {
        auto code = module_code::try_watch(machine_); // before the first module is loaded
        if (!code) return std::move(code).error();
        code_.emplace(*std::move(code));
        hw::callback_id const events[]{
            {abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING},
            {abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING}};
        auto heard = hw::subscription::try_begin(machine_, events, &resource, this);
        if (!heard) return std::move(heard).error();
        resources_.emplace(*std::move(heard));
        return watch_.try_begin(machine_, nullptr, &launched, this, &launches);
    }

    void end() override {
        if (platform::process_number() != process_) return; // the file is the parent's
        // A kernel that does not end must not hold up the exit.
        if (!mutex_.try_lock_for(std::chrono::seconds{20})) return say("a kernel still runs: its samples are lost");
        if (sampler_) finish(sampler_->try_finish());
        finish_counting();
        mutex_.unlock();
        watch_.end();
        resources_.reset();
        contained("the samples", [this] { report(); });
    }

private:
    // ---- what CUPTI tells -----------------------------------------------------------------------

    // CUPTI may be enabled for a context as a call that launches begins.
    static void launches(void* self, hw::launch_event const& launch) {
        auto& here = *static_cast<sampling*>(self);
        std::unique_lock const held{here.mutex_};
        if (here.context_ == nullptr) {
            here.context_ = launch.context;
            here.contain([&] { here.open(); });
        }
        if (launch.context != here.context_) here.has_other_contexts_ = true;
        if (here.settings_.kernels && launch.symbol != nullptr) here.contain([&] { here.note(launch.symbol); });
    }
    // With one kernel at a time, samples are taken after each (CUPTI 12.0, 2.10.4).
    static void launched(void* self, hw::launch_event const&) {
        auto& here = *static_cast<sampling*>(self);
        if (here.settings_.how.mode != pc_sampling_mode::kernel_serialized) return;
        std::unique_lock const held{here.mutex_};
        here.contain([&] { here.take(); });
    }
    // A place in the code means another instruction once another module was loaded (CUPTI 12.0, 2.10.4).
    static void resource(void* self, hw::callback_id id, void const* data) {
        auto& here = *static_cast<sampling*>(self);
        std::unique_lock const held{here.mutex_};
        if (static_cast<abi::CUpti_ResourceData const*>(data)->context != here.context_) return;
        bool const goes_on = id.number == abi::CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING;
        here.contain([&] {
            if (goes_on) here.take();
            else if (here.sampler_) here.finish(here.sampler_->try_finish_at_hand());
            if (!goes_on) here.finish_counting();
            else if (here.counter_) here.add(here.counter_->try_take());
        });
    }

    // ---- with the mutex held --------------------------------------------------------------------

    template <class F>
    void contain(F&& f) noexcept {
        hw::callback_leave const left;
        if (!contained("the sampling", f)) sampler_.reset();
    }
    void open() {
        auto gpu = device::try_open(machine_, context_);
        if (!gpu) return fail(gpu.error());
        gpu_.emplace(*std::move(gpu));
        if (settings_.samples()) open_sampler();
        if (settings_.counts()) open_counter();
        share();
    }
    void open_sampler() {
        auto sampler = pc_sampler::try_open(*gpu_, settings_.how);
        if (!sampler) return fail(no_samples_.emplace(sampler.error()));
        samples_.emplace(sampler->none());
        sampler_.emplace(*std::move(sampler));
    }
    void open_counter() {
        share();
        auto metrics = explain::try_source_metrics(*gpu_);
        if (!metrics) return fail(no_counts_.emplace(metrics.error()));
        auto counter = sass_counter::try_open(*gpu_, *std::move(metrics));
        if (!counter) return fail(no_counts_.emplace(counter.error()));
        counter_.emplace(*std::move(counter));
    }
    // Lets others count on the context, too, as the embedded GPU can.
    void share() const {
        if (settings_.told == told_of_instructions::both && gpu_->source() == device_source::embedded)
            hw::session_registry::give(context_);
    }
    void note(std::string const& symbol) {
        if (!settings_.kernels->matches(platform::demangled(symbol))) other_kernels_.insert(symbol);
    }
    void take() {
        if (!sampler_) return;
        if (auto taken = sampler_->try_take_at_hand(); !taken) problem_ = taken.error();
        else add(*taken);
    }
    void finish(result<pc_samples> const& rest) {
        if (!rest) problem_ = rest.error();
        else add(*rest);
        sampler_.reset();
    }
    void add(pc_samples const& more) {
        if (auto merged = samples_->try_merge(more); !merged) problem_ = merged.error();
    }
    void add(result<sass_counts> more) {
        if (!more) problem_ = more.error();
        else if (!counts_) counts_.emplace(*std::move(more));
        else if (auto merged = counts_->try_merge(*more); !merged) problem_ = merged.error();
    }
    void finish_counting() {
        if (counter_) add(counter_->try_finish());
        counter_.reset();
    }
    void fail(error const& why) {
        if (settings_.format == sample_format::lines) return; // the file says why
        say("the program runs on without being sampled: " + why.message());
    }

    // ---- at the end -----------------------------------------------------------------------------

    [[nodiscard]] error why_no_counts() const {
        if (no_counts_) return *no_counts_;
        if (settings_.format == sample_format::lines)
            if (auto const can_count = explain::try_source_metrics(*gpu_); !can_count) return can_count.error();
        return {errc::not_collected, 0, "counts of instructions", "a run with PC sampling has samples alone",
                "gpuprof explain --lines counted counts them"};
    }
    [[nodiscard]] error why_no_samples() const {
        if (no_samples_) return *no_samples_;
        return {errc::not_collected, 0, "samples of warps", "a run that counts instructions has no samples",
                "gpuprof explain --lines sampled has them"};
    }
    [[nodiscard]] explain::source_view view() const {
        auto const counts = counts_ ? result<sass_counts>{*counts_} : result<sass_counts>{why_no_counts()};
        auto const samples = samples_ ? result<pc_samples>{*samples_} : result<pc_samples>{why_no_samples()};
        explain::source_view lines = explain::view_source(counts, samples, *code_);
        lines.device = gpu_->name();
        lines.chip = gpu_->chip();
        lines.source = gpu_->source();
        if (other_kernels_.empty()) return lines;
        auto const is_other = [&](auto const& each) { return other_kernels_.contains(each.function); };
        std::erase_if(lines.unplaced, is_other);
        for (explain::source_file& file : lines.files)
            for (explain::source_line& line : file.lines) std::erase_if(line.instructions, is_other);
        lines.add_up();
        return lines;
    }
    void report_lines() const {
        if (!gpu_) return; // nothing was launched
        if (problem_) say("counts of lines are lost: " + problem_->message());
        if (!platform::write_file(settings_.file, io::json(view()))) say("the lines are lost: " + settings_.file);
    }
    [[nodiscard]] result<void> try_write_file() const {
        switch (settings_.format) {
            case sample_format::json: return io::try_write(*samples_, settings_.file);
            case sample_format::html: return io::try_write_html(lines_of(*samples_, *code_), settings_.file);
            case sample_format::csv:
            case sample_format::lines: break;
        }
        if (platform::write_file(settings_.file, io::csv(view()))) return {};
        return error{errc::io, 0, "write " + settings_.file, "the file cannot be written", "name another one"};
    }
    void report() const {
        if (settings_.format == sample_format::lines) return report_lines();
        if (!samples_) return; // nothing was launched, or it was said why there are none
        if (settings_.table) {
            explain::source_view lines = view();
            lines.no_counts.reset(); // nobody asked for them
            static_cast<void>(
                std::fprintf(stderr, "\n%s\n%s\n", io::table(*samples_).c_str(), io::table(lines).c_str()));
        }
        if (problem_) say("samples are lost: " + problem_->message());
        if (has_other_contexts_) say("one context was sampled, that of the first launch; there were others");
        if (auto written = try_write_file(); !written) say("the samples are lost: " + written.error().message());
        else say("wrote " + std::to_string(samples_->samples()) + " samples to " + settings_.file);
    }

    sampling_settings settings_;
    hw::machine const& machine_;
    decltype(platform::process_number()) process_;
    std::timed_mutex mutex_;
    abi::CUcontext context_ = nullptr; // of the first launch
    bool has_other_contexts_ = false;
    std::optional<module_code> code_;
    std::optional<device> gpu_;
    std::optional<pc_sampler> sampler_;
    std::optional<pc_samples> samples_;
    std::optional<sass_counter> counter_;
    std::optional<sass_counts> counts_;
    std::optional<error> no_samples_, no_counts_; // why, where it was tried
    std::set<std::string> other_kernels_;         // that were launched, and are none of settings_.kernels
    std::optional<error> problem_;
    std::optional<hw::subscription> resources_;
    hw::launch_watch watch_;
};

} // namespace

void begin_sampling() { measure_until_exit<sampling>(try_read_sampling_settings()); }

} // namespace gpuprof::injection
