// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A session of CUPTI's PC sampling on one context.
#ifndef GPUPROF_HW_SAMPLERS_PC_SESSION_HPP
#define GPUPROF_HW_SAMPLERS_PC_SESSION_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "../../core/result.hpp"
#include "../abi/cupti.hpp"
#include "../machine/device.hpp"
#include "../machine/session_registry.hpp"
#include "pc_samples.hpp"
#include "pc_sampling_options.hpp"
#include "stall_reason.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {
class output_fields;
}
namespace detail {
// What a recording keeps of samples, and of the sampler that they are of.
void describe_output(hw::output_fields& fields, pc_samples& samples);
void describe_output(hw::output_fields& fields, pc_sampling_configuration& configuration,
                     std::vector<sampled_reason>& reasons);
} // namespace detail

namespace hw {

// How a release of CUPTI lays out records: those before 12.4 lack the launch, and what holds the records of 11.8 to 12.1,
// which share a version, may lack hardwareBufferFull.
struct pc_layout {
    std::size_t record_bytes = sizeof(abi::CUpti_PCSamplingPCData);
    std::size_t data_bytes = sizeof(abi::CUpti_PCSamplingData);

    [[nodiscard]] static pc_layout of(abi::cupti_table const& cupti) {
        pc_layout made;
        std::uint32_t version = 0;
        if (cupti.GetVersion == nullptr || cupti.GetVersion(&version) != abi::CUPTI_SUCCESS) return made;
        if (version < 22) made.record_bytes = offsetof(abi::CUpti_PCSamplingPCData, correlationId);
        if (version < 20) made.data_bytes = offsetof(abi::CUpti_PCSamplingData, hardwareBufferFull);
        return made;
    }
    [[nodiscard]] bool has_launches() const noexcept { return record_bytes == sizeof(abi::CUpti_PCSamplingPCData); }
};

// A buffer of records in CUPTI's layout, each with room for all reasons. Function names in the
// records are CUPTI's and may be shared with its activity records, so they are never freed.
class pc_buffer {
public:
    pc_buffer(std::size_t records, std::size_t reasons, pc_layout layout)
        : layout_{layout},
          reasons_{reasons},
          stalls_(records * reasons),
          records_(records * layout.record_bytes / sizeof(std::uint64_t)) {
        data_.size = layout.data_bytes;
        data_.collectNumPcs = records;
        data_.pPcData = reinterpret_cast<abi::CUpti_PCSamplingPCData*>(records_.data());
        clear();
    }
    pc_buffer(pc_buffer const&) = delete;
    pc_buffer& operator=(pc_buffer const&) = delete;

    void clear() noexcept {
        abi::CUpti_PCSamplingPCData empty;
        empty.size = layout_.record_bytes;
        empty.stallReasonCount = reasons_;
        for (std::size_t i = 0; i < data_.collectNumPcs; ++i) {
            empty.stallReason = stalls_.data() + i * reasons_;
            std::memcpy(record_bytes() + i * layout_.record_bytes, &empty, layout_.record_bytes);
        }
        data_.totalSamples = data_.droppedSamples = data_.nonUsrKernelsTotalSamples = 0;
        data_.totalNumPcs = data_.remainingNumPcs = 0;
        data_.hardwareBufferFull = 0;
    }
    [[nodiscard]] abi::CUpti_PCSamplingData& data() noexcept { return data_; }
    [[nodiscard]] abi::CUpti_PCSamplingData const& data() const noexcept { return data_; }
    // @pre index < data().collectNumPcs
    [[nodiscard]] abi::CUpti_PCSamplingPCData record(std::size_t index) const noexcept {
        abi::CUpti_PCSamplingPCData read;
        std::memcpy(&read, record_bytes() + index * layout_.record_bytes, layout_.record_bytes);
        return read;
    }
    // The stalls of an instruction, at most as many as the buffer has room for.
    [[nodiscard]] std::size_t stalls(abi::CUpti_PCSamplingPCData const& of) const noexcept {
        return of.stallReasonCount < reasons_ ? of.stallReasonCount : reasons_;
    }

    // Keeps a buffer until the process ends: CUPTI has its address and may write to it.
    static void keep(std::unique_ptr<pc_buffer> buffer) noexcept {
        static std::atomic<pc_buffer*> kept{nullptr};
        pc_buffer* const last = buffer.release();
        last->next_ = kept.load();
        while (!kept.compare_exchange_weak(last->next_, last)) {}
    }

private:
    [[nodiscard]] std::byte* record_bytes() noexcept { return reinterpret_cast<std::byte*>(records_.data()); }
    [[nodiscard]] std::byte const* record_bytes() const noexcept {
        return reinterpret_cast<std::byte const*>(records_.data());
    }

    pc_layout layout_;
    std::size_t reasons_;
    std::vector<abi::CUpti_PCSamplingStallReason> stalls_;
    std::vector<std::uint64_t> records_; // of the layout's size
    abi::CUpti_PCSamplingData data_;
    pc_buffer* next_ = nullptr; // the next buffer that is kept
};

// PC sampling of a context, from try_open to destruction (CUPTI 12.0, 2.10). One thread at a time.
// Move-only.
class pc_session {
public:
    // Errors: unavailable below capability 7.0 and where CUPTI lacks the calls; invalid_argument
    // for a period out of 5 to 31, empty buffers, or a reason that the chip lacks; busy if this
    // process has a session on the context; what CUPTI says.
    [[nodiscard]] static result<pc_session> try_open(device const& gpu, pc_sampling_options const& options);

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
          started_{std::exchange(other.started_, false)},
          profiled_before_{other.profiled_before_} {}
    pc_session& operator=(pc_session&&) = delete;
    // Ignores errors: the context may be lost.
    ~pc_session() {
        if (enabled_) static_cast<void>(disable());
    }

    // Begins and ends a range. Errors: invalid_state without options.ranges, or in the wrong order;
    // what CUPTI says.
    [[nodiscard]] result<void> try_start();
    [[nodiscard]] result<void> try_stop();
    [[nodiscard]] bool started() const noexcept { return started_; }

    // Adds the samples that CUPTI's threads have fetched from the hardware, which may lack the last
    // moments of running kernels; synchronises nothing. A full hardware buffer is counted in
    // `samples` and is no error.
    [[nodiscard]] result<void> try_take(pc_samples& samples);
    // Ends sampling and adds the remaining samples.
    [[nodiscard]] result<void> try_close(pc_samples& samples);
    [[nodiscard]] bool open() const noexcept { return enabled_; }

    [[nodiscard]] pc_sampling_configuration const& configuration() const noexcept { return configuration_; }
    [[nodiscard]] std::vector<sampled_reason> const& reasons() const noexcept { return chip_reasons_; }

private:
    // The meaning of one of CUPTI's numbers.
    struct numbered_name {
        std::uint32_t number = 0;
        sampled_name::kind kind = sampled_name::kind::other;
        std::uint16_t reason = 0; // index of chip_reasons_
    };

    pc_session(device const& gpu, pc_sampling_options const& options, session_lease lease)
        : lease_{std::move(lease)}, driver_{&gpu.driver()}, cupti_{&gpu.cupti()}, options_{options} {}

    [[nodiscard]] static result<void> check(device const& gpu, pc_sampling_options const& options);
    [[nodiscard]] result<void> try_enable();
    [[nodiscard]] result<void> try_read_reasons();
    [[nodiscard]] result<void> try_configure();
    void read_configuration();
    void append(pc_buffer const& from, pc_samples& samples);
    [[nodiscard]] abi::CUptiResult disable() noexcept {
        enabled_ = started_ = false;
        abi::CUpti_PCSamplingDisableParams p;
        p.ctx = lease_.context();
        auto const status = cupti_->PCSamplingDisable(&p);
        if (status != abi::CUPTI_SUCCESS && last_) pc_buffer::keep(std::move(last_)); // CUPTI may still write to it
        return status;
    }
    [[nodiscard]] error failed(std::string_view call, abi::CUptiResult status) const;

    session_lease lease_; // first, so that it is given back last
    abi::driver_table const* driver_;
    abi::cupti_table const* cupti_;
    pc_sampling_options options_;
    pc_sampling_configuration configuration_{};
    std::vector<numbered_name> names_{};
    std::vector<sampled_reason> chip_reasons_{};
    std::unique_ptr<pc_buffer> fetched_{};
    std::unique_ptr<pc_buffer> last_{}; // filled by CUPTI at the end, and when modules change
    bool enabled_ = false;
    bool started_ = false; // a range is open
    bool profiled_before_ = false;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "pc_session.inl.hpp"
#endif

#endif // GPUPROF_HW_SAMPLERS_PC_SESSION_HPP
