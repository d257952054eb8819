// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activity_batch.hpp"

#include <atomic>
#include <cstddef>
#include <cstring>

#include "activity_log.hpp"
#include "gpu_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

activity_batch::record_room activity_batch::reserve(abi::CUpti_ActivityKind kind, abi::CUcontext context,
                                                    abi::CUpti_ActivityKind with) noexcept {
    activity_log& log = shared().activity;
    if (!log.switches.records(with, context)) return {};
    auto const release = log.release.load(std::memory_order_relaxed);
    std::size_t const size = record_size(kind, release);
    if (size == 0 || !grow(sizeof size + size)) return {};
    std::byte* const bytes = bytes_.data() + bytes_.size() - size;
    std::memcpy(bytes - sizeof size, &size, sizeof size);
    return {bytes, release};
}

bool activity_batch::grow(std::size_t size) noexcept {
#if GPUPROF_EXCEPTIONS
    try {
        bytes_.resize(bytes_.size() + size);
        return true;
    } catch (...) {
        shared().activity.buffers.drop();
        return false;
    }
#else
    bytes_.resize(bytes_.size() + size);
    return true;
#endif
}

void activity_batch::write() noexcept {
    for (std::size_t at = 0; at < bytes_.size();) {
        std::size_t size = 0;
        std::memcpy(&size, bytes_.data() + at, sizeof size);
        shared().activity.buffers.write(bytes_.data() + at + sizeof size, size);
        at += sizeof size + size;
    }
}

} // namespace sim
GPUPROF_NAMESPACE_END
