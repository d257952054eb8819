// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples the instructions of running kernels, and what their warps wait for.
#ifndef GPUPROF_SAMPLE_PC_SAMPLER_HPP
#define GPUPROF_SAMPLE_PC_SAMPLER_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <optional>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
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
    // Errors: those of hw::pc_session::try_open. Cost: that of CUPTI's buffers, such as
    // options.hardware_bytes on the device.
    [[nodiscard]] static result<pc_sampler> try_open(device const& gpu, pc_sampling_options const& options = {}) {
        auto session = hw::pc_session::try_open(gpu, options);
        if (!session) return std::move(session).error();
        return result<pc_sampler>{pc_sampler{gpu, options.mode, *std::move(session)}};
    }

    pc_sampler(pc_sampler&&) = default;
    pc_sampler& operator=(pc_sampler&&) = delete;
    ~pc_sampler() = default;

    // Begins and ends a sampled range, with options.ranges. Fetch after each range, before the next
    // one. Errors: invalid_state without options.ranges, or in the wrong order; what CUPTI says.
    [[nodiscard]] result<void> try_start() { return session_.try_start(); }
    [[nodiscard]] result<void> try_stop() { return session_.try_stop(); }

    // The samples since the last take. Waits for the context's kernels first, so that their samples
    // are complete. With serialised kernels, take after each kernel; else now and then, and after a
    // module was unloaded and another one loaded (CUPTI 12.0, 2.10.4). Errors: invalid_state after
    // try_finish(); device_lost; what CUPTI says.
    [[nodiscard]] result<pc_samples> try_take() {
        pc_samples taken = none();
        if (auto waited = wait(); !waited) return std::move(waited).error();
        if (auto done = session_.try_take(taken); !done) return std::move(done).error();
        return taken;
    }
    // The same without waiting: the samples that CUPTI's threads have fetched so far.
    [[nodiscard]] result<pc_samples> try_take_at_hand() {
        pc_samples taken = none();
        if (auto done = session_.try_take(taken); !done) return std::move(done).error();
        return taken;
    }
    // Ends sampling and an open range, and returns the samples since the last take.
    [[nodiscard]] result<pc_samples> try_finish() {
        pc_samples rest = none();
        if (auto waited = wait(); !waited) return std::move(waited).error();
        if (auto done = session_.try_close(rest); !done) return std::move(done).error();
        return rest;
    }

    // The same without waiting, for a context whose work has ended, or that is about to end.
    [[nodiscard]] result<pc_samples> try_finish_at_hand() {
        pc_samples rest = none();
        if (auto done = session_.try_close(rest); !done) return std::move(done).error();
        return rest;
    }

    // The configuration that CUPTI reports, with the period that it chose.
    [[nodiscard]] pc_sampling_configuration const& configuration() const noexcept { return session_.configuration(); }
    // The stall reasons of this chip.
    [[nodiscard]] std::vector<sampled_reason> const& reasons() const noexcept { return session_.reasons(); }
    // An empty collection of this sampler's kind.
    [[nodiscard]] pc_samples none() const {
        pc_samples empty = shape_;
        empty.reasons = session_.reasons();
        return empty;
    }

private:
    pc_sampler(device const& gpu, pc_sampling_mode mode, hw::pc_session session)
        : driver_{&gpu.driver()}, context_{gpu.context()}, session_{std::move(session)} {
        shape_.device = gpu.name();
        shape_.chip = gpu.chip();
        shape_.source = gpu.source();
        shape_.how = gpu.source() == device_source::hardware ? fidelity::exact : fidelity::estimated;
        shape_.mode = mode;
        shape_.period = session_.configuration().period.value_or(0);
    }
    [[nodiscard]] result<void> wait() const {
        if (!session_.open()) return {}; // later calls report it
        if (auto const status = driver_->CtxPushCurrent(context_)) return hw::explain("cuCtxPushCurrent", status);
        auto const synchronised = driver_->CtxSynchronize();
        abi::CUcontext popped = nullptr;
        static_cast<void>(driver_->CtxPopCurrent(&popped));
        if (synchronised) return hw::explain("cuCtxSynchronize", synchronised);
        return {};
    }

    abi::driver_table const* driver_;
    abi::CUcontext context_;
    hw::pc_session session_;
    pc_samples shape_{};
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_SAMPLE_PC_SAMPLER_HPP
