// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of memory_copy.hpp.
#ifndef GPUPROF_HW_MEMORY_MEMORY_COPY_INL_HPP
#define GPUPROF_HW_MEMORY_MEMORY_COPY_INL_HPP

#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

#include "../machine/status.hpp"
#include "memory_copy.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

GPUPROF_INLINE result<memory_copy> memory_copy::try_create(abi::driver_table const& driver, std::size_t bytes) {
    memory_copy made{driver, bytes};
    std::size_t free = 0, total = 0;
    bool const fits = driver.MemGetInfo != nullptr && driver.MemGetInfo(&free, &total) == abi::CUDA_SUCCESS &&
                      free >= bytes && free - bytes >= total / 8;
    if (fits && driver.MemAlloc(&made.device_, bytes) == abi::CUDA_SUCCESS) return result<memory_copy>{std::move(made)};
    made.device_ = 0;
    made.host_ = new (std::nothrow) unsigned char[bytes];
    if (made.host_ == nullptr)
        return error{errc::not_collected, 0, "memory was not saved",
                     "neither the device nor the host has room for a copy", "measure over less memory"};
    return result<memory_copy>{std::move(made)};
}

GPUPROF_INLINE result<void> memory_copy::try_fill(std::size_t offset, abi::CUdeviceptr from, std::size_t bytes) {
    if (device_ != 0) {
        if (auto status = driver_->MemcpyDtoD(device_ + offset, from, bytes)) return explain("cuMemcpyDtoD", status);
    } else if (auto status = driver_->MemcpyDtoH(host_ + offset, from, bytes)) {
        return explain("cuMemcpyDtoH", status);
    }
    return {};
}

GPUPROF_INLINE result<void> memory_copy::try_fill(std::size_t offset, memory_copy const& from, std::size_t from_offset,
                                                  std::size_t bytes) {
    if (from.device_ != 0) return try_fill(offset, from.device_ + from_offset, bytes);
    if (device_ != 0) return from.try_put_back(from_offset, device_ + offset, bytes);
    std::memcpy(host_ + offset, from.host_ + from_offset, bytes);
    return {};
}

GPUPROF_INLINE result<void> memory_copy::try_put_back(std::size_t offset, abi::CUdeviceptr to,
                                                      std::size_t bytes) const {
    if (device_ != 0) {
        if (auto status = driver_->MemcpyDtoD(to, device_ + offset, bytes)) return explain("cuMemcpyDtoD", status);
    } else if (auto status = driver_->MemcpyHtoD(to, host_ + offset, bytes)) {
        return explain("cuMemcpyHtoD", status);
    }
    return {};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MEMORY_MEMORY_COPY_INL_HPP
