// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's PC sampling on one context. Layer: hw.
#ifndef GPUPROF_HW_PC_PC_SESSION_HPP
#define GPUPROF_HW_PC_PC_SESSION_HPP

#include <atomic>      // buffers that are kept
#include <cstddef>     // std::size_t
#include <cstdint>     // numbers
#include <memory>      // buffers that CUPTI knows the address of
#include <string_view> // calls
#include <utility>     // std::exchange
#include <vector>      // buffers

#include "../../core/result.hpp"
#include "../abi/cupti.hpp"
#include "../machine/device.hpp"
#include "../session_registry.hpp"
#include "pc_samples.hpp"
#include "pc_sampling_options.hpp"
#include "stall_reason.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Room for records, as CUPTI wants it: each with room for all reasons. The names of functions that come with records are CUPTI's
// and may be shared with its activity records, so they are never freed.
class pc_buffer {
public:
    pc_buffer(std::size_t records, std::size_t reasons)
        : reasons_{reasons}, stalls_(records * reasons), records_(records) {
        data_.collectNumPcs = records;
        data_.pPcData = records_.data();
        clear();
    }
    pc_buffer(pc_buffer const&) = delete;
    pc_buffer& operator=(pc_buffer const&) = delete;

    void clear() noexcept {
        for (std::size_t i = 0; i < records_.size(); ++i) {
            records_[i].stallReason = stalls_.data() + i * reasons_;
            records_[i].stallReasonCount = reasons_;
        }
        data_.totalSamples = data_.droppedSamples = data_.nonUsrKernelsTotalSamples = 0;
        data_.totalNumPcs = data_.remainingNumPcs = 0;
        data_.hardwareBufferFull = 0;
    }
    [[nodiscard]] abi::CUpti_PCSamplingData& data() noexcept { return data_; }
    [[nodiscard]] abi::CUpti_PCSamplingData const& data() const noexcept { return data_; }
    // What there is for an instruction: no more than the buffer has room for.
    [[nodiscard]] std::size_t stalls(abi::CUpti_PCSamplingPCData const& of) const noexcept {
        return of.stallReasonCount < reasons_ ? of.stallReasonCount : reasons_;
    }

    // Keeps a buffer as long as the process lives: CUPTI has its address, and may write there.
    static void keep(std::unique_ptr<pc_buffer> buffer) noexcept {
        static std::atomic<pc_buffer*> kept{nullptr};
        pc_buffer* const last = buffer.release();
        last->next_ = kept.load();
        while (!kept.compare_exchange_weak(last->next_, last)) {}
    }

private:
    std::size_t reasons_;
    std::vector<abi::CUpti_PCSamplingStallReason> stalls_;
    std::vector<abi::CUpti_PCSamplingPCData> records_;
    abi::CUpti_PCSamplingData data_;
    pc_buffer* next_ = nullptr; // of those that are kept
};

// PC sampling of a context, from try_open to destruction (CUPTI 12.0, 2.10). One thread at a time. Move-only.
class pc_session {
public:
    // Errors: unavailable below capability 7.0 and where CUPTI lacks the calls; invalid_argument for a period out of 5 to 31,
    // room for nothing, and a reason that the chip lacks; busy if this process has a session on the context; what CUPTI says.
    GPUPROF_DECLARE [[nodiscard]] static result<pc_session> try_open(device const& gpu,
                                                                     pc_sampling_options const& options);

    pc_session(pc_session&& other) noexcept
        : lease_{std::move(other.lease_)},
          driver_{other.driver_},
          cupti_{other.cupti_},
          options_{std::move(other.options_)},
          configuration_{other.configuration_},
          names_{std::move(other.names_)},
          chip_reasons_{std::move(other.chip_reasons_)},
          fetched_{std::move(other.fetched_)},
          last_{std::move(other.last_)},
          enabled_{std::exchange(other.enabled_, false)},
          started_{std::exchange(other.started_, false)} {}
    pc_session& operator=(pc_session&&) = delete;
    // The context may be lost: there is no more to do then.
    ~pc_session() {
        if (enabled_) static_cast<void>(disable());
    }

    // Begins and ends a range. Errors: invalid_state unless options.ranges, or if the range is open, or not; what CUPTI says.
    GPUPROF_DECLARE [[nodiscard]] result<void> try_start();
    GPUPROF_DECLARE [[nodiscard]] result<void> try_stop();
    [[nodiscard]] bool started() const noexcept { return started_; }

    // Adds what CUPTI has. It has what its threads have taken out of the hardware, which may lack the last moments of kernels
    // that run; nothing is synchronised. A full hardware buffer is counted in `into`, and is no error.
    GPUPROF_DECLARE [[nodiscard]] result<void> try_take(pc_samples& into);
    // Ends sampling and adds the rest.
    GPUPROF_DECLARE [[nodiscard]] result<void> try_close(pc_samples& into);
    [[nodiscard]] bool open() const noexcept { return enabled_; }

    [[nodiscard]] pc_sampling_configuration const& configuration() const noexcept { return configuration_; }
    [[nodiscard]] std::vector<sampled_reason> const& reasons() const noexcept { return chip_reasons_; }

private:
    // What a number of CUPTI's stands for.
    struct numbered_name {
        std::uint32_t number = 0;
        sampled_name::kind what = sampled_name::kind::other;
        std::uint16_t reason = 0; // of chip_reasons_
    };

    pc_session(device const& gpu, pc_sampling_options const& options, session_lease lease)
        : lease_{std::move(lease)}, driver_{&gpu.driver()}, cupti_{&gpu.cupti()}, options_{options} {}

    GPUPROF_DECLARE [[nodiscard]] static result<void> check(device const& gpu, pc_sampling_options const& options);
    GPUPROF_DECLARE [[nodiscard]] result<void> try_enable();
    GPUPROF_DECLARE [[nodiscard]] result<void> try_read_reasons();
    GPUPROF_DECLARE [[nodiscard]] result<void> try_configure();
    GPUPROF_DECLARE void read_configuration();
    GPUPROF_DECLARE void append(pc_buffer const& from, pc_samples& into);
    [[nodiscard]] abi::CUptiResult disable() noexcept {
        enabled_ = started_ = false;
        abi::CUpti_PCSamplingDisableParams p;
        p.ctx = lease_.context();
        auto const status = cupti_->PCSamplingDisable(&p);
        if (status != abi::CUPTI_SUCCESS && last_) pc_buffer::keep(std::move(last_)); // sampling may go on
        return status;
    }
    GPUPROF_DECLARE [[nodiscard]] error failed(std::string_view call, abi::CUptiResult status) const;

    session_lease lease_; // the context's; given back last
    abi::driver_table const* driver_;
    abi::cupti_table const* cupti_;
    pc_sampling_options options_;
    pc_sampling_configuration configuration_{};
    std::vector<numbered_name> names_{};
    std::vector<sampled_reason> chip_reasons_{};
    std::unique_ptr<pc_buffer> fetched_{};
    std::unique_ptr<pc_buffer> last_{}; // what CUPTI fills by itself: at the end, and when modules change
    bool enabled_ = false;
    bool started_ = false; // in a range
};

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "pc_session.inl.hpp"
#endif

#endif // GPUPROF_HW_PC_PC_SESSION_HPP
