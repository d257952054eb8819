// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of cache_flusher.hpp.
#ifndef GPUPROF_HW_COUNTERS_CACHE_FLUSHER_INL_HPP
#define GPUPROF_HW_COUNTERS_CACHE_FLUSHER_INL_HPP

#include <cstddef>
#include <utility>

#include "../../core/device_source.hpp"
#include "cache_flusher.hpp"
#include "../machine/in_context.hpp"
#include "../machine/status.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {

// A block of 256 threads reads 32 KiB, 16 bytes a thread and load. The memory is zero, so nothing
// is ever stored; that the sum is looked at keeps the loads. PTX for the oldest target, which every
// driver translates.
inline constexpr char read_buffer_ptx[] = R"(.version 3.2
.target sm_20
.address_size 64
.visible .entry gpuprof_read_buffer(.param .u64 buffer)
{
    .reg .pred %p<1>;
    .reg .b32 %r<2>;
    .reg .b64 %a<6>;
    .reg .b64 %v<16>;
    ld.param.u64 %a0, [buffer];
    cvta.to.global.u64 %a1, %a0;
    mov.u32 %r0, %ctaid.x;
    mul.wide.u32 %a2, %r0, 32768;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %a3, %r1, 16;
    add.s64 %a4, %a1, %a2;
    add.s64 %a5, %a4, %a3;
    ld.global.v2.u64 {%v0, %v1}, [%a5];
    ld.global.v2.u64 {%v2, %v3}, [%a5+4096];
    ld.global.v2.u64 {%v4, %v5}, [%a5+8192];
    ld.global.v2.u64 {%v6, %v7}, [%a5+12288];
    ld.global.v2.u64 {%v8, %v9}, [%a5+16384];
    ld.global.v2.u64 {%v10, %v11}, [%a5+20480];
    ld.global.v2.u64 {%v12, %v13}, [%a5+24576];
    ld.global.v2.u64 {%v14, %v15}, [%a5+28672];
    or.b64 %v0, %v0, %v1;
    or.b64 %v2, %v2, %v3;
    or.b64 %v4, %v4, %v5;
    or.b64 %v6, %v6, %v7;
    or.b64 %v8, %v8, %v9;
    or.b64 %v10, %v10, %v11;
    or.b64 %v12, %v12, %v13;
    or.b64 %v14, %v14, %v15;
    or.b64 %v0, %v0, %v2;
    or.b64 %v4, %v4, %v6;
    or.b64 %v8, %v8, %v10;
    or.b64 %v12, %v12, %v14;
    or.b64 %v0, %v0, %v4;
    or.b64 %v8, %v8, %v12;
    or.b64 %v0, %v0, %v8;
    setp.eq.s64 %p0, %v0, 0;
    @%p0 bra done;
    st.global.u64 [%a5], %v0;
done:
    ret;
}
)";
inline constexpr char some_code_ptx[] =
    ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry gpuprof_no_work() { ret; }\n";
inline constexpr std::size_t read_by_a_block = 32768;
inline constexpr unsigned threads_of_a_block = 256;

} // namespace detail

namespace hw {

GPUPROF_INLINE result<cache_flusher> cache_flusher::try_create(device const& gpu) {
    auto const cache = static_cast<std::size_t>(gpu.attribute(abi::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
    if (cache == 0)
        return error{errc::unavailable, 0, "the L2 cache of this device cannot be flushed",
                     "the driver does not know its size", "use cache_control::leave"};
    cache_flusher made{gpu};
    made.blocks_ =
        static_cast<unsigned>((2 * cache + gpuprof::detail::read_by_a_block - 1) / gpuprof::detail::read_by_a_block);
    made.turns_ = gpu.source() == device_source::embedded ? 1 : 2;
    std::size_t const bytes = made.blocks_ * gpuprof::detail::read_by_a_block;
    abi::driver_table const& driver = gpu.driver();
    auto ready = in_context(driver, made.context_, [&]() -> result<void> {
        if (auto status = driver.ModuleLoadData(&made.module_, gpuprof::detail::read_buffer_ptx))
            return explain("cuModuleLoadData", status);
        if (auto status = driver.ModuleGetFunction(&made.kernel_, made.module_, "gpuprof_read_buffer"))
            return explain("cuModuleGetFunction", status);
        if (auto status = driver.MemAlloc(&made.buffer_, bytes)) return explain("cuMemAlloc", status);
        if (auto status = driver.MemsetD8(made.buffer_, 0, bytes)) return explain("cuMemsetD8", status);
        return {};
    });
    if (!ready) return std::move(ready).error();
    return result<cache_flusher>{std::move(made)};
}

GPUPROF_INLINE cache_flusher::~cache_flusher() {
    if (module_ == nullptr && buffer_ == 0) return;
    static_cast<void>(in_context(*driver_, context_, [&]() -> result<void> {
        if (buffer_ != 0) static_cast<void>(driver_->MemFree(buffer_));
        if (module_ != nullptr) static_cast<void>(driver_->ModuleUnload(module_));
        return {};
    }));
}

GPUPROF_INLINE result<void> cache_flusher::try_flush() {
    return in_context(*driver_, context_, [&]() -> result<void> {
        if (auto ready = try_wait_for_context(*driver_, "the caches were not flushed",
                                              "open the outermost scope before the capture begins, or after it ends");
            !ready)
            return ready;
        for (unsigned turn = 0; turn < turns_; ++turn) {
            void* parameters[]{&buffer_};
            if (auto status = driver_->LaunchKernel(kernel_, blocks_, 1, 1, gpuprof::detail::threads_of_a_block, 1, 1,
                                                    0, nullptr, parameters, nullptr))
                return explain("cuLaunchKernel", status);
        }
        if (auto status = driver_->CtxSynchronize()) return explain("cuCtxSynchronize", status);
        // Where code comes and goes, the driver has the multiprocessors forget the code that they hold.
        abi::CUmodule code = nullptr;
        if (auto status = driver_->ModuleLoadData(&code, gpuprof::detail::some_code_ptx))
            return explain("cuModuleLoadData", status);
        if (auto status = driver_->ModuleUnload(code)) return explain("cuModuleUnload", status);
        return {};
    });
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_CACHE_FLUSHER_INL_HPP
