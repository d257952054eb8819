// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap of device code: malloc and free of kernels.
#ifndef GPUPROF_SRC_SIM_CODE_DEVICE_HEAP_HPP
#define GPUPROF_SRC_SIM_CODE_DEVICE_HEAP_HPP

#include <cstdint>
#include <map>
#include <mutex>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Pieces of one stretch of device memory, which lives as long as its context: a kernel may use and
// free what an earlier one allocated. First fit; a piece begins at a multiple of 16 bytes.
// Thread-safe. Costs the logarithm of the number of pieces, and a walk over those in use when
// memory is scattered.
class device_heap {
public:
    device_heap(std::uint64_t begin, std::uint64_t bytes);

    // The address of a piece; 0 where there is none that large, and for zero bytes.
    [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes);

    // False for an address that allocate() did not return, or that was released already.
    [[nodiscard]] bool release(std::uint64_t address);

private:
    std::mutex mutex_;
    std::uint64_t bytes_;
    std::map<std::uint64_t, std::uint64_t> free_; // bytes by address; neighbours are one piece
    std::map<std::uint64_t, std::uint64_t> used_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CODE_DEVICE_HEAP_HPP
