// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A saved copy of a context's memory, restored as often as needed.
#ifndef GPUPROF_HW_MEMORY_CHECKPOINT_HPP
#define GPUPROF_HW_MEMORY_CHECKPOINT_HPP

#include "../../detail/config.hpp"
#include "checkpoint_options.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <utility>

#include "../../core/result.hpp"
#include "../../detail/owned.hpp"
#include "../abi/cupti_checkpoint.hpp"
#include "../machine/device.hpp"

GPUPROF_NAMESPACE_BEGIN

// The memory of a device's context as it was at one moment: device, managed and page-locked memory,
// and variables of modules.
//
//     auto saved = checkpoint::try_save(gpu);
//     for (auto kernel : three_ways) { launch(kernel); compare(); saved->try_restore(); }
//
// Any number may exist at once; they are independent of each other. The copy goes to free memory of
// the device, then of the host, then to files. Not in it: caches, registers, what the host alone
// has. Between a save and a restore launches, copies and fills are known to be undone; memory that
// is allocated or freed there is not.
//
// Cost: a save and a restore wait for the context and copy all its memory, at the speed of the
// device's memory where the copy found room there. With NVIDIA's library (libcheckpoint.so, beside
// libcupti); the embedded GPU has its own. CUPTI 12.0, 2.11.
//
// Errors of all calls: unavailable without the library; invalid_state while a stream is being
// captured; device_lost; what the library says, out_of_memory among it. Move-only. One thread at a
// time. @pre the context outlives it, or is lost
class [[nodiscard]] checkpoint {
public:
    [[nodiscard]] static result<checkpoint> try_save(device const& gpu, checkpoint_options const& options);
    [[nodiscard]] static result<checkpoint> try_save(device const& gpu) { return try_save(gpu, checkpoint_options{}); }
#if GPUPROF_EXCEPTIONS
    // try_save(), throwing.
    explicit checkpoint(device const& gpu, checkpoint_options const& options = {})
        : checkpoint{try_save(gpu, options).value()} {}
#endif

    checkpoint(checkpoint&& other) noexcept
        : driver_{other.driver_}, calls_{other.calls_}, saved_{std::move(other.saved_)} {}
    checkpoint& operator=(checkpoint&&) = delete;
    ~checkpoint();

    // Puts the memory back as it was saved; as often as wanted. After an error the memory may have
    // been restored in part.
    [[nodiscard]] result<void> try_restore();
    // Saves what the memory is now in place of what was saved, with the options of then. After an
    // error nothing can be restored.
    [[nodiscard]] result<void> try_save_again();

private:
    checkpoint(device const& gpu, abi::checkpoint_table const& calls) noexcept
        : driver_{&gpu.driver()}, calls_{calls} {}
    [[nodiscard]] result<void> try_call(abi::CUptiResult (*call)(abi::CUpti_Checkpoint*), char const* name);

    abi::driver_table const* driver_;
    abi::checkpoint_table calls_;
    detail::owned<abi::CUpti_Checkpoint> saved_; // the library may know it by its address; none: moved from
};

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "checkpoint.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_HW_MEMORY_CHECKPOINT_HPP
