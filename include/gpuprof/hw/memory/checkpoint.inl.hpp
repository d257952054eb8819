// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of checkpoint.hpp.
#ifndef GPUPROF_HW_MEMORY_CHECKPOINT_INL_HPP
#define GPUPROF_HW_MEMORY_CHECKPOINT_INL_HPP

#include <cstddef>
#include <utility>

#include "../machine/in_context.hpp"
#include "../machine/status.hpp"
#include "checkpoint.hpp"
#include "checkpoint_calls.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
// The library counts in units of 2^20 bytes.
[[nodiscard]] constexpr std::size_t in_mebibytes(std::size_t bytes) noexcept {
    if (bytes == checkpoint_options::all) return bytes;
    return (bytes >> 20) + ((bytes & 0xfffff) != 0 ? 1 : 0);
}
} // namespace detail

GPUPROF_INLINE result<checkpoint> checkpoint::try_save(device const& gpu, checkpoint_options const& options) {
    auto calls = hw::try_checkpoint_calls(gpu.machine());
    if (!calls) return std::move(calls).error();
    checkpoint made{gpu, *calls};
    auto& as = made.saved_.make();
    as.ctx = gpu.context();
    as.reserveDeviceMB = detail::in_mebibytes(options.keep_free_on_device);
    as.reserveHostMB = detail::in_mebibytes(options.keep_free_on_host);
    as.allowOverwrite = 1;
    as.optimizations = options.only_changes ? abi::CUPTI_CHECKPOINT_OPT_TRANSFER : abi::CUPTI_CHECKPOINT_OPT_NONE;
    if (auto saved = made.try_save_again(); !saved) {
        made.saved_.reset(); // nothing to free
        return std::move(saved).error();
    }
    return result<checkpoint>{std::move(made)};
}

GPUPROF_INLINE checkpoint::~checkpoint() {
    if (!saved_) return;
    static_cast<void>(hw::in_context(*driver_, saved_->ctx, [this]() -> result<void> {
        static_cast<void>(calls_.Free(&*saved_));
        return {};
    }));
}

GPUPROF_INLINE result<void> checkpoint::try_call(abi::CUptiResult (*call)(abi::CUpti_Checkpoint*), char const* name) {
    if (!saved_)
        return error{errc::invalid_state, 0, "this checkpoint was moved from", "", "use the one it was moved to"};
    return hw::in_context(*driver_, saved_->ctx, [&]() -> result<void> {
        auto ready = hw::try_wait_for_context(*driver_, "the memory of the context was neither saved nor restored",
                                              "do it before the capture begins, or after it ends");
        if (!ready) return ready;
        if (auto const status = call(&*saved_)) return hw::explain(name, status);
        return {};
    });
}

GPUPROF_INLINE result<void> checkpoint::try_restore() { return try_call(calls_.Restore, "cuptiCheckpointRestore"); }
GPUPROF_INLINE result<void> checkpoint::try_save_again() { return try_call(calls_.Save, "cuptiCheckpointSave"); }

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MEMORY_CHECKPOINT_INL_HPP
