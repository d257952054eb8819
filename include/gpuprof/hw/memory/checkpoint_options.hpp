// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the copy of a checkpoint may go.
#ifndef GPUPROF_HW_MEMORY_CHECKPOINT_OPTIONS_HPP
#define GPUPROF_HW_MEMORY_CHECKPOINT_OPTIONS_HPP

#include <cstddef>

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// Read once, by the save. CUPTI 12.0, 2.11.1.
struct checkpoint_options {
    static constexpr std::size_t all = static_cast<std::size_t>(-1);

    // Bytes, rounded up to 2^20, that stay free for the application; all: the copy is elsewhere.
    std::size_t keep_free_on_device = 0;
    std::size_t keep_free_on_host = 0;
    // A restore copies only what has changed, and remembers what that is: @pre all restores are at
    // one place of the program. Pays where much memory stays as it is.
    bool only_changes = false;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MEMORY_CHECKPOINT_OPTIONS_HPP
