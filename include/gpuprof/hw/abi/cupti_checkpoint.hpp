// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls and the parameter of libcheckpoint, the library beside CUPTI that saves and restores a
// context's memory. Layouts are those of CUPTI 11.8 to 13.5.
#ifndef GPUPROF_HW_ABI_CUPTI_CHECKPOINT_HPP
#define GPUPROF_HW_ABI_CUPTI_CHECKPOINT_HPP

#include <cstddef>
#include <cstdint>

#include "../../detail/config.hpp"
#include "results.hpp"
#include "types.hpp"

// One row a call, X(member, exported symbol, (parameters)).
// clang-format off
#define GPUPROF_ABI_CHECKPOINT(X) \
    X(Save, cuptiCheckpointSave, (CUpti_Checkpoint* checkpoint)) \
    X(Restore, cuptiCheckpointRestore, (CUpti_Checkpoint* checkpoint)) \
    X(Free, cuptiCheckpointFree, (CUpti_Checkpoint* checkpoint))
// clang-format on

GPUPROF_NAMESPACE_BEGIN
namespace abi {

enum CUpti_CheckpointOptimizations : unsigned int {
    CUPTI_CHECKPOINT_OPT_NONE = 0,
    CUPTI_CHECKPOINT_OPT_TRANSFER = 1 // a restore copies what has changed; all restores at one place of the program
};

// A checkpoint. Its options are read by the first save, and not again until it is freed.
struct CUpti_Checkpoint {
    std::size_t structSize = GPUPROF_STRUCT_SIZE(CUpti_Checkpoint, pPriv);
    CUcontext ctx = nullptr;         // null: the current one
    std::size_t reserveDeviceMB = 0; // of the device's memory, which stay free; all bits set: none is used
    std::size_t reserveHostMB = 0;   // of the host's
    std::uint8_t allowOverwrite = 0; // a second save replaces the first
    std::uint8_t optimizations = CUPTI_CHECKPOINT_OPT_NONE;
    void* pPriv = nullptr;
};

// Null where the library lacks a call.
struct checkpoint_table {
#define GPUPROF_ABI_MEMBER(member, symbol, parameters) CUptiResult(*member) parameters = nullptr;
    GPUPROF_ABI_CHECKPOINT(GPUPROF_ABI_MEMBER)
#undef GPUPROF_ABI_MEMBER
};

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_CHECKPOINT_HPP
