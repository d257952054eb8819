// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts events of each kernel instruction, by CUPTI's SASS metrics.
#ifndef GPUPROF_HW_SAMPLERS_SASS_COUNTER_HPP
#define GPUPROF_HW_SAMPLERS_SASS_COUNTER_HPP

#include "../../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../core/result.hpp"
#include "../abi/cupti.hpp"
#include "../machine/device.hpp"
#include "../machine/output_line.hpp"
#include "../machine/session_registry.hpp"
#include "sass_counts.hpp"

GPUPROF_NAMESPACE_BEGIN

// Counts in one context from try_open to destruction. CUPTI patches each kernel at its first launch
// (about 1.4 ms on an H200), which makes it slower; nothing is replayed. Capability 7.5 and later;
// CUPTI 12.6 and later, except 13.0, which counts only the first kernel and does not report it.
//
//     gpuprof::sass_counter counter = gpuprof::sass_counter::try_open(gpu, {"smsp__sass_inst_executed"}).value();
//     run();                                                      // any number of kernels
//     gpuprof::sass_counts counts = counter.try_finish().value(); // each instruction's, and functions()
//
// One list of metrics for each GPU and process: CUPTI configures a GPU once (12.6 to 13.5 tried),
// so that later counters must name the same metrics. Holds the context's counters: a profiler on
// the same context gets "busy" meanwhile. One thread at a time, while others launch. Move-only.
class sass_counter {
public:
    // The metrics of a GPU. Errors: unavailable if CUPTI or the GPU has none; version_mismatch with
    // CUPTI 13.0.
    [[nodiscard]] static result<std::vector<sass_metric>> try_list(device const& gpu);

    // Errors: those of try_list; unknown_metric, with the nearest ones; invalid_argument for an
    // empty list or a repeated metric; busy if this process has a session on the context;
    // invalid_state if the GPU was configured for other metrics; what CUPTI says; of a recorded device,
    // not_collected where it was not recorded, or by other metrics.
    [[nodiscard]] static result<sass_counter> try_open(device const& gpu, std::vector<std::string> metrics);

    sass_counter(sass_counter&& other) noexcept
        : lease_{std::move(other.lease_)},
          driver_{other.driver_},
          cupti_{other.cupti_},
          shape_{std::move(other.shape_)},
          ids_{std::move(other.ids_)},
          line_{std::move(other.line_)},
          enabled_{std::exchange(other.enabled_, false)} {}
    sass_counter& operator=(sass_counter&&) = delete;
    // Ignores errors: the context may be lost.
    ~sass_counter() {
        if (enabled_) static_cast<void>(disable());
    }

    // The counts since the last take. Waits for the context's kernels first. Errors: invalid_state
    // after try_finish(); device_lost; what CUPTI says; of a recorded device, not_collected and
    // replay_mismatch for what was not recorded so. Cost: 32 bytes for each metric of each
    // instruction.
    [[nodiscard]] result<sass_counts> try_take();
    // The same; ends counting.
    [[nodiscard]] result<sass_counts> try_finish();

    [[nodiscard]] std::vector<std::string> const& metrics() const noexcept { return shape_.metrics; }

private:
    sass_counter(device const& gpu, hw::session_lease lease)
        : lease_{std::move(lease)}, driver_{&gpu.driver()}, cupti_{&gpu.cupti()} {
        shape_.device = gpu.name();
        shape_.chip = gpu.chip();
        shape_.source = gpu.source();
        shape_.how = gpu.source() == device_source::hardware ? fidelity::exact : fidelity::estimated;
    }
    [[nodiscard]] result<void> try_configure(device const& gpu);
    [[nodiscard]] result<void> try_begin(device const& gpu);
    [[nodiscard]] result<void> wait() const;
    [[nodiscard]] result<void> fetch(sass_counts& counts) const;
    [[nodiscard]] result<sass_counts> try_take(bool finishes);
    [[nodiscard]] bool is_played() const noexcept { return line_ && line_->plays(); }
    [[nodiscard]] error failed(std::string_view call, abi::CUptiResult status) const;
    [[nodiscard]] abi::CUptiResult disable(std::uint64_t* dropped = nullptr) noexcept {
        enabled_ = false;
        if (is_played()) return abi::CUPTI_SUCCESS;
        abi::CUpti_SassMetricsDisable_Params p;
        p.ctx = lease_.context();
        auto const status = cupti_->SassMetricsDisable(&p);
        if (dropped != nullptr) *dropped += p.numOfDroppedRecords;
        return status;
    }

    hw::session_lease lease_; // first, so that it is given back last
    abi::driver_table const* driver_;
    abi::cupti_table const* cupti_;
    sass_counts shape_{};                   // without records
    std::vector<std::uint64_t> ids_{};      // of shape_.metrics
    detail::owned<hw::output_line> line_{}; // null: nothing is recorded or played
    bool enabled_ = false;
};

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "sass_counter.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_HW_SAMPLERS_SASS_COUNTER_HPP
