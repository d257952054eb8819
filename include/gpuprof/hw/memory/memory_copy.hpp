// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Room for a copy of device memory: on the device, on the host where the device has none to spare, or
// in a file.
#ifndef GPUPROF_HW_MEMORY_MEMORY_COPY_HPP
#define GPUPROF_HW_MEMORY_MEMORY_COPY_HPP

#include <cstddef>
#include <utility>

#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "../abi/driver.hpp"
#include "../machine/platform/scratch_file.hpp"
#include "copy_limits.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// What copies may take, and what they take at the moment. Outlives its copies.
struct copy_room {
    copy_limits limits{};
    std::size_t on_device = 0; // bytes
    std::size_t on_host = 0;
    std::size_t in_file = 0;
};

// So many bytes of a context's device memory, of the host's, or of a file. @pre of all calls, the
// destructor among them: the context is current. Move-only. Not thread-safe.
class memory_copy {
public:
    // On the device where an eighth of its memory stays free for the application, else on the host,
    // the same way.
    // Errors: not_collected where the host has no room either.
    [[nodiscard]] static result<memory_copy> try_create(abi::driver_table const& driver, std::size_t bytes) {
        return try_create(driver, bytes, nullptr);
    }
    // The same within limits, and in a file where they name a folder. Errors: not_collected where no
    // place has room, with what kept it from the file.
    [[nodiscard]] static result<memory_copy> try_create(abi::driver_table const& driver, std::size_t bytes,
                                                        copy_room& within) {
        return try_create(driver, bytes, &within);
    }

    memory_copy(memory_copy&& other) noexcept
        : driver_{other.driver_},
          bytes_{std::exchange(other.bytes_, 0)},
          device_{std::exchange(other.device_, 0)},
          host_{std::exchange(other.host_, nullptr)},
          file_{std::move(other.file_)},
          taken_{std::exchange(other.taken_, nullptr)} {}
    memory_copy& operator=(memory_copy&&) = delete;
    ~memory_copy() {
        if (device_ != 0) static_cast<void>(driver_->MemFree(device_));
        delete[] host_;
        if (taken_ != nullptr) *taken_ -= bytes_;
    }

    // Bytes that a copy may have to be there: an eighth of the memory stays free on both.
    [[nodiscard]] static std::size_t room_on_device(abi::driver_table const& driver, copy_room const& within);
    [[nodiscard]] static std::size_t room_on_host(copy_room const& within);

    [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
    [[nodiscard]] abi::CUdeviceptr on_device() const noexcept { return device_; } // 0: elsewhere
    [[nodiscard]] unsigned char const* on_host() const noexcept { return host_; } // null: elsewhere
    [[nodiscard]] bool in_file() const noexcept { return file_.is_open(); }

    // Copies into the room, from `offset` on; may return before the copy is made, as cuMemcpyDtoD.
    // Errors: what the driver says; io where the file cannot be written.
    [[nodiscard]] result<void> try_fill(std::size_t offset, abi::CUdeviceptr from, std::size_t bytes);
    [[nodiscard]] result<void> try_fill(std::size_t offset, memory_copy const& from, std::size_t from_offset,
                                        std::size_t bytes);
    // Copies from the room, `offset` on, to device memory. The same.
    [[nodiscard]] result<void> try_put_back(std::size_t offset, abi::CUdeviceptr to, std::size_t bytes) const;
    // To memory of the host. The same.
    [[nodiscard]] result<void> try_read(std::size_t offset, unsigned char* to, std::size_t bytes) const;

private:
    memory_copy(abi::driver_table const& driver, std::size_t bytes) noexcept : driver_{&driver}, bytes_{bytes} {}
    [[nodiscard]] static result<memory_copy> try_create(abi::driver_table const& driver, std::size_t bytes,
                                                        copy_room* within);
    [[nodiscard]] result<void> try_fill_from_host(std::size_t offset, unsigned char const* from, std::size_t bytes);

    abi::driver_table const* driver_;
    std::size_t bytes_;
    abi::CUdeviceptr device_ = 0;
    unsigned char* host_ = nullptr;
    platform::scratch_file file_;
    std::size_t* taken_ = nullptr; // of the room, the place where the copy is
};

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "memory_copy.inl.hpp"
#endif

#endif // GPUPROF_HW_MEMORY_MEMORY_COPY_HPP
