// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Room for a copy of device memory: on the device, or on the host where the device has none to spare.
#ifndef GPUPROF_HW_MEMORY_MEMORY_COPY_HPP
#define GPUPROF_HW_MEMORY_MEMORY_COPY_HPP

#include <cstddef>
#include <utility>

#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "../abi/driver.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// So many bytes of a context's device memory, or of the host's. @pre of all calls, the destructor
// among them: the context is current. Move-only. Not thread-safe.
class memory_copy {
public:
    // On the device where an eighth of its memory stays free for the application.
    // Errors: not_collected where the host has no room either.
    [[nodiscard]] static result<memory_copy> try_create(abi::driver_table const& driver, std::size_t bytes);

    memory_copy(memory_copy&& other) noexcept
        : driver_{other.driver_},
          bytes_{std::exchange(other.bytes_, 0)},
          device_{std::exchange(other.device_, 0)},
          host_{std::exchange(other.host_, nullptr)} {}
    memory_copy& operator=(memory_copy&&) = delete;
    ~memory_copy() {
        if (device_ != 0) static_cast<void>(driver_->MemFree(device_));
        delete[] host_;
    }

    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
    [[nodiscard]] abi::CUdeviceptr on_device() const noexcept { return device_; } // 0: on the host
    [[nodiscard]] unsigned char const* on_host() const noexcept { return host_; } // null: on the device

    // Copies into the room, from `offset` on; may return before the copy is made, as cuMemcpyDtoD.
    // Errors: what the driver says.
    [[nodiscard]] result<void> try_fill(std::size_t offset, abi::CUdeviceptr from, std::size_t bytes);
    [[nodiscard]] result<void> try_fill(std::size_t offset, memory_copy const& from, std::size_t from_offset,
                                        std::size_t bytes);
    // Copies from the room, `offset` on, to device memory. The same.
    [[nodiscard]] result<void> try_put_back(std::size_t offset, abi::CUdeviceptr to, std::size_t bytes) const;

private:
    memory_copy(abi::driver_table const& driver, std::size_t bytes) noexcept : driver_{&driver}, bytes_{bytes} {}

    abi::driver_table const* driver_;
    std::size_t bytes_;
    abi::CUdeviceptr device_ = 0;
    unsigned char* host_ = nullptr;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "memory_copy.inl.hpp"
#endif

#endif // GPUPROF_HW_MEMORY_MEMORY_COPY_HPP
