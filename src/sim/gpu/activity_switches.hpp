// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of activity and the driver calls that are recorded, for all contexts or for single
// ones.
#ifndef GPUPROF_SRC_SIM_GPU_ACTIVITY_SWITCHES_HPP
#define GPUPROF_SRC_SIM_GPU_ACTIVITY_SWITCHES_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti_activity.hpp>
#include <gpuprof/hw/abi/cupti_callback.hpp>
#include <gpuprof/hw/abi/types.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Thread-safe. While nothing is enabled, a question costs one load and a call.
class activity_switches {
public:
    static constexpr std::size_t driver_call_limit = 1024; // more than there are callback ids

    // For every context that has no setting of its own.
    void set(abi::CUpti_ActivityKind kind, bool on);
    // For one context; supersedes the setting for all.
    void set(abi::CUcontext context, abi::CUpti_ActivityKind kind, bool on);
    // For one driver call, until the kind DRIVER is set again. @pre id is less than
    // driver_call_limit
    void set_call(abi::CUpti_CallbackId id, bool on);
    void clear();
    void forget(abi::CUcontext context);

    // Whether anything is recorded at all.
    [[nodiscard]] bool any() const noexcept { return any_.load(std::memory_order_relaxed); }

    // For things of no context, `context` is null.
    [[nodiscard]] bool records(abi::CUpti_ActivityKind kind, abi::CUcontext context) const;
    [[nodiscard]] bool records_call(abi::CUpti_CallbackId id, abi::CUcontext context) const;
    // For any context.
    [[nodiscard]] bool records_anywhere(abi::CUpti_ActivityKind kind) const;

private:
    struct own_setting {
        std::uint64_t known = 0;
        std::uint64_t on = 0;
    };
    enum call_setting : unsigned char { by_kind, always, never };

    [[nodiscard]] static constexpr std::uint64_t bit(abi::CUpti_ActivityKind kind) noexcept {
        return std::uint64_t{1} << kind;
    }
    void update_summary();

    mutable std::mutex mutex_;
    std::atomic<bool> any_{false};
    std::atomic<bool> own_settings_{false};
    std::atomic<std::uint64_t> everywhere_{0};
    std::map<abi::CUcontext, own_setting> contexts_;
    std::array<std::atomic<call_setting>, driver_call_limit> calls_{};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_ACTIVITY_SWITCHES_HPP
