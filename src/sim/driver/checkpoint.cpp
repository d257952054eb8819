// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checkpoint.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

using namespace abi;

// What pPriv points to.
struct saved_memory {
    struct piece {
        std::uint64_t begin = 0;
        std::vector<std::byte> bytes{};
    };
    CUcontext context = nullptr;
    bool may_overwrite = false;
    std::vector<piece> pieces{};
};

[[nodiscard]] static bool is_checkpoint(CUpti_Checkpoint const* given) {
    return given != nullptr && given->structSize == CUpti_Checkpoint{}.structSize;
}

// What was saved of a checkpoint; null if nothing was.
[[nodiscard]] static saved_memory* saved_of(CUpti_Checkpoint const& of) { return static_cast<saved_memory*>(of.pPriv); }

[[nodiscard]] static std::vector<saved_memory::piece> copy_of(device_memory const& memory) {
    std::vector<saved_memory::piece> pieces;
    for (auto const& extent : memory.extents())
        pieces.push_back({extent.begin, {extent.host, extent.host + (extent.end - extent.begin)}});
    return pieces;
}

static CUptiResult save(CUpti_Checkpoint* checkpoint) {
    if (!is_checkpoint(checkpoint)) return CUPTI_ERROR_INVALID_PARAMETER;
    saved_memory* earlier = saved_of(*checkpoint);
    if (earlier != nullptr && !earlier->may_overwrite) return CUPTI_ERROR_INVALID_OPERATION;
    CUcontext const wanted = earlier != nullptr           ? earlier->context
                             : checkpoint->ctx != nullptr ? checkpoint->ctx
                                                          : gpu_registry::current();
    auto& all = process_state();
    std::lock_guard const held{all.mutex};
    context_state const* const context = all.contexts.find(wanted);
    if (context == nullptr || context->lost != CUDA_SUCCESS) return CUPTI_ERROR_INVALID_CONTEXT;
    auto pieces = copy_of(context->memory);
    if (earlier == nullptr) {
        auto fresh = std::make_unique<saved_memory>();
        fresh->context = wanted;
        fresh->may_overwrite = checkpoint->allowOverwrite != 0;
        checkpoint->pPriv = earlier = fresh.release();
    }
    earlier->pieces.swap(pieces);
    return CUPTI_SUCCESS;
}

// What runs at the boundary to C: running out of memory is a status.
static CUptiResult try_save(CUpti_Checkpoint* checkpoint) {
#if GPUPROF_EXCEPTIONS
    try {
        return save(checkpoint);
    } catch (std::bad_alloc const&) {
        return CUPTI_ERROR_OUT_OF_MEMORY;
    }
#else
    return save(checkpoint);
#endif
}

static CUptiResult restore(CUpti_Checkpoint* checkpoint) {
    if (!is_checkpoint(checkpoint)) return CUPTI_ERROR_INVALID_PARAMETER;
    saved_memory const* const saved = saved_of(*checkpoint);
    if (saved == nullptr) return CUPTI_ERROR_NOT_INITIALIZED;
    auto& all = process_state();
    std::lock_guard const held{all.mutex};
    context_state const* const context = all.contexts.find(saved->context);
    if (context == nullptr || context->lost != CUDA_SUCCESS) return CUPTI_ERROR_INVALID_CONTEXT;
    for (auto const& piece : saved->pieces) {
        auto const* const extent = context->memory.find(piece.begin);
        if (extent == nullptr || extent->begin != piece.begin || extent->end - extent->begin != piece.bytes.size())
            continue;
        std::memcpy(extent->host, piece.bytes.data(), piece.bytes.size());
    }
    return CUPTI_SUCCESS;
}

static CUptiResult free(CUpti_Checkpoint* checkpoint) {
    if (!is_checkpoint(checkpoint) || checkpoint->pPriv == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    delete saved_of(*checkpoint);
    checkpoint->pPriv = nullptr;
    return CUPTI_SUCCESS;
}

checkpoint_table const& checkpoint_calls() noexcept {
    static constexpr checkpoint_table calls{&try_save, &restore, &free};
    return calls;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
