// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes of device memory, a chunk at a time, computed on the device.
#ifndef GPUPROF_HW_MEMORY_MEMORY_HASH_HPP
#define GPUPROF_HW_MEMORY_MEMORY_HASH_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../../core/result.hpp"
#include "../abi/driver.hpp"
#include "../machine/device.hpp"
#include "reached_memory.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

inline constexpr std::size_t hashed_chunk = 4096; // bytes

// The hash of a chunk that lies in host memory, as memory_hasher computes it: equal bytes have equal
// hashes, other bytes other ones but for one case of 2^64.
[[nodiscard]] std::uint64_t hash_of_chunk(unsigned char const* bytes, std::size_t size) noexcept;

// A kernel that hashes device memory, with its module. A hash takes 8 bytes of device memory a chunk
// while it is made, reads all of the span at about the speed of memory, and leaves the span's data in
// the caches. On the embedded GPU the host hashes, for its kernels are slow. The context must outlive
// the hasher, or be lost. Move-only. Calls may come from any thread, one at a time.
class memory_hasher {
public:
    // Errors: what the driver says.
    [[nodiscard]] static result<memory_hasher> try_create(device const& gpu) {
        return try_create(gpu, gpu.source() == device_source::embedded);
    }
    // @param on_host the device's memory is copied to the host, which hashes it
    [[nodiscard]] static result<memory_hasher> try_create(device const& gpu, bool on_host);

    memory_hasher(memory_hasher&& other) noexcept
        : driver_{other.driver_},
          context_{other.context_},
          module_{std::exchange(other.module_, nullptr)},
          kernel_{other.kernel_} {}
    memory_hasher& operator=(memory_hasher&&) = delete;
    ~memory_hasher();

    // Waits for the context; then one hash for each chunk of the span, the last one of what is left.
    // @pre the span begins at a multiple of 16, as allocations do; no range is open
    // Errors: invalid_state while a stream is being captured; what the driver says.
    [[nodiscard]] result<std::vector<std::uint64_t>> try_hash(memory_span const& span);

    // The same of a copy, 32 MiB at a time: memory that another thread frees meanwhile is an error of the
    // driver, where a kernel that reads it would end the context. Takes 32 MiB of device memory, and
    // twice as long. Nothing if it is not done by then. @param until of platform::monotonic_nanoseconds()
    [[nodiscard]] result<std::optional<std::vector<std::uint64_t>>> try_hash_copied(memory_span const& span,
                                                                                    std::uint64_t until);

private:
    explicit memory_hasher(device const& gpu) noexcept : driver_{&gpu.driver()}, context_{gpu.context()} {}
    [[nodiscard]] result<void> try_hash_on_device(memory_span const& span, std::vector<std::uint64_t>& hashes);
    // @param sums device memory for the hashes
    [[nodiscard]] result<void> try_hash_on_device(memory_span const& span, std::vector<std::uint64_t>& hashes,
                                                  abi::CUdeviceptr sums);
    [[nodiscard]] result<void> try_hash_on_host(memory_span const& span, std::size_t from,
                                                std::vector<std::uint64_t>& hashes);

    abi::driver_table const* driver_;
    abi::CUcontext context_;
    abi::CUmodule module_ = nullptr; // null: the host hashes
    abi::CUfunction kernel_ = nullptr;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "memory_hash.inl.hpp"
#endif

#endif // GPUPROF_HW_MEMORY_MEMORY_HASH_HPP
