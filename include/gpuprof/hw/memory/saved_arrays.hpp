// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of arrays as they were before copies wrote them.
#ifndef GPUPROF_HW_MEMORY_SAVED_ARRAYS_HPP
#define GPUPROF_HW_MEMORY_SAVED_ARRAYS_HPP

#include <cstddef>
#include <vector>

#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "../abi/driver.hpp"
#include "../machine/device.hpp"
#include "../machine/in_context.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// An array has no address, so that hw::written_memory cannot put it back. Here the part that a copy writes is copied to memory of
// the device before the copy is made, and can be put back as often as wanted. What kernels write through surface objects is not
// in it. Cost of each part: an allocation, a copy, and a wait for the context, which the host does, too.
// Not thread-safe. @pre the device outlives it; its context is current in each call, and no work of it runs that does not end
class saved_arrays {
public:
    explicit saved_arrays(device const& gpu) noexcept : gpu_{&gpu} {}
    saved_arrays(saved_arrays const&) = delete;
    saved_arrays& operator=(saved_arrays const&) = delete;
    ~saved_arrays() {
        if (parts_.empty()) return;
        static_cast<void>(in_context(gpu_->driver(), gpu_->context(), [this]() -> result<void> {
            forget();
            return {};
        }));
    }

    // Saves what the copy will write. @pre its destination is an array. Errors: invalid_state while a stream is being captured;
    // what the driver says.
    [[nodiscard]] result<void> try_save(abi::CUDA_MEMCPY3D const& copy) {
        auto const& driver = gpu_->driver();
        if (auto ready = try_wait_for_context(driver, "an array was not saved", during_capture); !ready) return ready;
        parts_.reserve(parts_.size() + 1);
        abi::CUdeviceptr kept = 0;
        if (auto status = driver.MemAlloc(&kept, copy.WidthInBytes * copy.Height * copy.Depth))
            return explain("cuMemAlloc", status);
        abi::CUDA_MEMCPY3D back = copy;
        back.srcMemoryType = abi::CU_MEMORYTYPE_DEVICE;
        back.srcHost = nullptr;
        back.srcArray = nullptr;
        back.srcDevice = kept;
        back.srcPitch = copy.WidthInBytes;
        back.srcHeight = copy.Height;
        back.srcXInBytes = back.srcY = back.srcZ = 0;
        parts_.push_back(back);
        abi::CUDA_MEMCPY3D save = copy;
        save.srcMemoryType = abi::CU_MEMORYTYPE_ARRAY;
        save.srcHost = nullptr;
        save.srcDevice = 0;
        save.srcArray = copy.dstArray;
        save.srcXInBytes = copy.dstXInBytes;
        save.srcY = copy.dstY;
        save.srcZ = copy.dstZ;
        save.dstMemoryType = abi::CU_MEMORYTYPE_DEVICE;
        save.dstArray = nullptr;
        save.dstDevice = kept;
        save.dstPitch = copy.WidthInBytes;
        save.dstHeight = copy.Height;
        save.dstXInBytes = save.dstY = save.dstZ = 0;
        if (auto status = driver.Memcpy3DAsync(&save, nullptr)) return explain("cuMemcpy3DAsync", status);
        return try_wait_for_context(driver, "an array was not saved", during_capture);
    }
    // Puts all back as it was before the first copy. Errors: as those of try_save(), after which it may be put back in part.
    [[nodiscard]] result<void> try_put_back() const {
        auto const& driver = gpu_->driver();
        for (std::size_t at = parts_.size(); at-- > 0;) // parts may overlap: the first one has the oldest bytes
            if (auto status = driver.Memcpy3DAsync(&parts_[at], nullptr)) return explain("cuMemcpy3DAsync", status);
        if (parts_.empty()) return {};
        return try_wait_for_context(driver, "arrays were not put back", during_capture);
    }
    void forget() noexcept {
        for (abi::CUDA_MEMCPY3D const& each : parts_) static_cast<void>(gpu_->driver().MemFree(each.srcDevice));
        parts_.clear();
    }

private:
    static constexpr char const* during_capture = "end the capture before the copy";

    device const* gpu_;
    std::vector<abi::CUDA_MEMCPY3D> parts_; // copies that put them back, in the order in which they were saved
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MEMORY_SAVED_ARRAYS_HPP
