// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Empties the caches of a device of the application's data and code.
#ifndef GPUPROF_HW_COUNTERS_CACHE_FLUSHER_HPP
#define GPUPROF_HW_COUNTERS_CACHE_FLUSHER_HPP

#include <utility>

#include "../../core/result.hpp"
#include "../abi/driver.hpp"
#include "../machine/device.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Device memory of twice the size of L2 and a kernel that reads it. What has been read displaces
// what was there: lines that were written to go to device memory, and lines that were only read
// take their place, which nobody has to write back. A fill would displace, too, but leave its own
// dirty lines to whoever comes next. The memory is read twice, since hardware need not displace the
// oldest line first; the embedded GPU does, and reads it once. L1 is not asked about: it is
// invalidated between kernels. Code leaves the multiprocessors' instruction caches when a module is
// loaded and unloaded (H200: a warp then waits for instructions as in ncu's runs, else a quarter of
// that). Constants that lie in smaller caches stay, and so do lines that an access policy window
// keeps in L2.
//
// Cost: memory of twice L2 (120 MB on an H200) and one module; a flush waits for the context,
// reads that memory, and takes 0.6 ms more for the code (H200). The context must outlive the
// flusher, or be lost. Move-only. Calls may come from any thread, one at a time.
class cache_flusher {
public:
    // Errors: what the driver says, out_of_memory among it; unavailable where the driver knows no
    // size of L2.
    [[nodiscard]] static result<cache_flusher> try_create(device const& gpu);

    cache_flusher(cache_flusher&& other) noexcept
        : driver_{other.driver_},
          context_{other.context_},
          buffer_{std::exchange(other.buffer_, 0)},
          module_{std::exchange(other.module_, nullptr)},
          kernel_{other.kernel_},
          blocks_{other.blocks_},
          turns_{other.turns_} {}
    cache_flusher& operator=(cache_flusher&&) = delete;
    ~cache_flusher();

    // Waits for all work of the context, flushes, and waits for that. @pre no range is open: its
    // kernel would count
    // Errors: invalid_state while a stream of the context captures; what the driver says.
    [[nodiscard]] result<void> try_flush();

private:
    explicit cache_flusher(device const& gpu) noexcept : driver_{&gpu.driver()}, context_{gpu.context()} {}

    abi::driver_table const* driver_;
    abi::CUcontext context_;
    abi::CUdeviceptr buffer_ = 0;
    abi::CUmodule module_ = nullptr;
    abi::CUfunction kernel_ = nullptr;
    unsigned blocks_ = 0;
    unsigned turns_ = 1; // how often the buffer is read
};

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "cache_flusher.inl.hpp"
#endif

#endif // GPUPROF_HW_COUNTERS_CACHE_FLUSHER_HPP
