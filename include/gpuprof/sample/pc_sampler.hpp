// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples the instructions of running kernels, and what their warps wait for.
#ifndef GPUPROF_SAMPLE_PC_SAMPLER_HPP
#define GPUPROF_SAMPLE_PC_SAMPLER_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/output_fields.hpp"
#include "../hw/machine/output_line.hpp"
#include "../hw/machine/status.hpp"
#include "../hw/samplers/pc_samples.hpp"
#include "../hw/samplers/pc_sampling_options.hpp"
#include "../hw/samplers/pc_session.hpp"

GPUPROF_NAMESPACE_BEGIN

// Samples instructions in one context from try_open to destruction (CUPTI 12.0, 2.10). The hardware
// looks at a warp of each sub-partition of each SM once a period, and notes the warp's instruction
// and what it waits for. Kernels run as without sampling (kernel_serialized: one at a time). One
// context of a GPU at a time; capability 7.0 and later.
//
//     gpuprof::pc_sampler sampler = gpuprof::pc_sampler::try_open(gpu).value();
//     run();                                             // any number of kernels, on any threads
//     gpuprof::pc_samples samples = sampler.try_finish().value();
//     std::cout << gpuprof::io::stall_table(samples);
//
// In continuous mode samples do not name their launch, so a take covers whole runs; pc_scopes has a
// table for each scope. Holds the context's counters: a profiler on the same context gets "busy"
// meanwhile. One thread at a time, while others launch. Move-only.
class pc_sampler {
public:
    // Errors: those of hw::pc_session::try_open; of a recorded device, not_collected where it was not
    // recorded, or with other options. Cost: that of CUPTI's buffers, such as options.hardware_bytes on the device.
    [[nodiscard]] static result<pc_sampler> try_open(device const& gpu, pc_sampling_options const& options = {}) {
        hw::output_request request{"samples of instructions", {std::string{name(options.mode)}}};
        if (options.ranges) request.asked.emplace_back("ranges");
        if (options.period) request.asked.push_back("period " + std::to_string(*options.period));
        for (stall_reason const each : options.reasons) request.asked.emplace_back(name(each));
        auto line = hw::try_begin_outputs(gpu, std::move(request));
        if (!line) return std::move(line).error();
        pc_sampler sampler{gpu, options.mode, *std::move(line)};
        if (!sampler.is_played()) {
            auto session = hw::pc_session::try_open(gpu, options);
            if (!session) return std::move(session).error();
            sampler.session_.emplace(*std::move(session));
            sampler.configuration_ = sampler.session_->configuration();
            sampler.shape_.reasons = sampler.session_->reasons();
        }
        auto begun = sampler.pass([&](hw::output_fields& fields) {
            detail::describe_output(fields, sampler.configuration_, sampler.shape_.reasons);
        });
        if (!begun) return std::move(begun).error();
        sampler.shape_.period = sampler.configuration_.period.value_or(0);
        sampler.shape_.buffer_bytes = sampler.configuration_.hardware_bytes.value_or(0);
        return result<pc_sampler>{std::move(sampler)};
    }

    pc_sampler(pc_sampler&& other) noexcept
        : driver_{other.driver_},
          context_{other.context_},
          session_{std::move(other.session_)},
          line_{std::move(other.line_)},
          configuration_{other.configuration_},
          shape_{std::move(other.shape_)},
          is_open_{std::exchange(other.is_open_, false)} {}
    pc_sampler& operator=(pc_sampler&&) = delete;
    ~pc_sampler() = default;

    // Begins and ends a sampled range, with options.ranges. Fetch after each range, before the next
    // one. Errors: invalid_state without options.ranges, or in the wrong order; what CUPTI says.
    [[nodiscard]] result<void> try_start() { return session_ ? session_->try_start() : result<void>{}; }
    [[nodiscard]] result<void> try_stop() { return session_ ? session_->try_stop() : result<void>{}; }

    // The samples since the last take. Waits for the context's kernels first, so that their samples
    // are complete. With serialised kernels, take after each kernel; else now and then, and after a
    // module was unloaded and another one loaded (CUPTI 12.0, 2.10.4). Errors: invalid_state after
    // try_finish(); device_lost; what CUPTI says; of a recorded device, not_collected and
    // replay_mismatch for what was not recorded so.
    [[nodiscard]] result<pc_samples> try_take() { return try_take(true, &hw::pc_session::try_take); }
    // The same without waiting: the samples that CUPTI's threads have fetched so far.
    [[nodiscard]] result<pc_samples> try_take_at_hand() { return try_take(false, &hw::pc_session::try_take); }
    // Ends sampling and an open range, and returns the samples since the last take.
    [[nodiscard]] result<pc_samples> try_finish() { return try_end(true); }
    // The same without waiting, for a context whose work has ended, or that is about to end.
    [[nodiscard]] result<pc_samples> try_finish_at_hand() { return try_end(false); }

    // The configuration that CUPTI reports, with the period that it chose.
    [[nodiscard]] pc_sampling_configuration const& configuration() const noexcept { return configuration_; }
    // The stall reasons of this chip.
    [[nodiscard]] std::vector<sampled_reason> const& reasons() const noexcept { return shape_.reasons; }
    // An empty collection of this sampler's kind.
    [[nodiscard]] pc_samples none() const { return shape_; }

private:
    pc_sampler(device const& gpu, pc_sampling_mode mode, detail::owned<hw::output_line> line)
        : driver_{&gpu.driver()}, context_{gpu.context()}, line_{std::move(line)} {
        shape_.device = gpu.name();
        shape_.chip = gpu.chip();
        shape_.source = gpu.source();
        shape_.how = gpu.source() == device_source::hardware ? fidelity::exact : fidelity::estimated;
        shape_.mode = mode;
    }
    [[nodiscard]] bool is_played() const noexcept { return line_ && line_->plays(); }
    template <class F>
    [[nodiscard]] result<void> pass(F&& describe) {
        return line_ ? line_->pass(describe) : result<void>{};
    }
    [[nodiscard]] result<pc_samples> try_take(bool waits, result<void> (hw::pc_session::*fetch)(pc_samples&)) {
        pc_samples taken = none();
        if (waits)
            if (auto waited = wait(); !waited) return std::move(waited).error();
        if (is_played() && !is_open_)
            return error{errc::invalid_state, 0, "fetching samples", "sampling has ended", "fetch before the end"};
        if (session_)
            if (auto done = ((*session_).*fetch)(taken); !done) return std::move(done).error();
        auto passed = pass([&](hw::output_fields& fields) { detail::describe_output(fields, taken); });
        if (!passed) return std::move(passed).error();
        return taken;
    }
    [[nodiscard]] result<pc_samples> try_end(bool waits) {
        auto rest = try_take(waits, &hw::pc_session::try_close);
        if (rest) is_open_ = false;
        return rest;
    }
    [[nodiscard]] result<void> wait() const {
        if (session_ ? !session_->open() : !is_open_) return {}; // later calls report it
        if (auto const status = driver_->CtxPushCurrent(context_)) return hw::explain("cuCtxPushCurrent", status);
        auto const synchronised = driver_->CtxSynchronize();
        abi::CUcontext popped = nullptr;
        static_cast<void>(driver_->CtxPopCurrent(&popped));
        if (synchronised) return hw::explain("cuCtxSynchronize", synchronised);
        return {};
    }

    abi::driver_table const* driver_;
    abi::CUcontext context_;
    std::optional<hw::pc_session> session_{}; // none on a recorded device
    detail::owned<hw::output_line> line_;     // null: nothing is recorded or played
    pc_sampling_configuration configuration_{};
    pc_samples shape_{};
    bool is_open_ = true;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_SAMPLE_PC_SAMPLER_HPP
