// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of memory_hash.hpp.
#ifndef GPUPROF_HW_MEMORY_MEMORY_HASH_INL_HPP
#define GPUPROF_HW_MEMORY_MEMORY_HASH_INL_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "../machine/in_context.hpp"
#include "../machine/platform/clock.hpp"
#include "memory_hash.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A block of 64 threads hashes a chunk, 4 units of 16 bytes a thread; the hashes of units are summed
// up by exclusive or. What mix_unit() does, in PTX for the oldest target, which every driver
// translates.
inline constexpr char hash_memory_ptx[] = R"(.version 3.2
.target sm_20
.address_size 64
.visible .entry gpuprof_hash_memory(.param .u64 from, .param .u64 units, .param .u64 to)
{
    .shared .align 8 .b32 sum[2];
    .reg .pred %p<4>;
    .reg .b32 %r<8>;
    .reg .b64 %a<8>;
    .reg .b64 %h<4>;
    .reg .b64 %n<3>;
    .reg .b64 %v<2>;
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, %ctaid.x;
    setp.gt.u32 %p0, %r0, 1;
    @%p0 bra cleared;
    mov.u32 %r2, sum;
    mad.lo.u32 %r2, %r0, 4, %r2;
    mov.u32 %r3, 0;
    st.shared.u32 [%r2], %r3;
cleared:
    bar.sync 0;
    ld.param.u64 %a0, [from];
    cvta.to.global.u64 %a1, %a0;
    ld.param.u64 %n0, [units];
    mul.wide.u32 %a2, %r1, 256;
    cvt.u64.u32 %a3, %r0;
    add.s64 %a2, %a2, %a3;
    add.s64 %a3, %a3, 1;
    mov.u64 %h0, 0;
    mov.u32 %r4, 0;
more:
    setp.ge.u64 %p1, %a2, %n0;
    @%p1 bra done;
    shl.b64 %a4, %a2, 4;
    add.s64 %a5, %a1, %a4;
    ld.global.v2.u64 {%v0, %v1}, [%a5];
    mul.lo.u64 %h1, %a3, 0x9e3779b97f4a7c15;
    xor.b64 %h1, %h1, %v0;
    shr.u64 %h2, %h1, 32;
    xor.b64 %h1, %h1, %h2;
    mul.lo.u64 %h1, %h1, 0xbf58476d1ce4e5b9;
    shr.u64 %h2, %h1, 29;
    xor.b64 %h1, %h1, %h2;
    add.s64 %h1, %h1, %v1;
    mul.lo.u64 %h1, %h1, 0x94d049bb133111eb;
    shr.u64 %h2, %h1, 32;
    xor.b64 %h1, %h1, %h2;
    xor.b64 %h0, %h0, %h1;
    add.s64 %a2, %a2, 64;
    add.s64 %a3, %a3, 64;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p2, %r4, 4;
    @%p2 bra more;
done:
    cvt.u32.u64 %r5, %h0;
    shr.u64 %h3, %h0, 32;
    cvt.u32.u64 %r6, %h3;
    mov.u32 %r2, sum;
    red.shared.xor.b32 [%r2], %r5;
    red.shared.xor.b32 [%r2+4], %r6;
    bar.sync 0;
    setp.ne.u32 %p3, %r0, 0;
    @%p3 bra end;
    ld.shared.u64 %h0, [%r2];
    ld.param.u64 %a6, [to];
    cvta.to.global.u64 %a7, %a6;
    mul.wide.u32 %a4, %r1, 8;
    add.s64 %a7, %a7, %a4;
    st.global.u64 [%a7], %h0;
end:
    ret;
}
)";
inline constexpr std::size_t hashed_unit = 16; // bytes
inline constexpr std::size_t copied_slice = std::size_t{32} << 20;
inline constexpr std::size_t hashing_blocks = 65'535; // that a grid of this target may have, on any GPU

[[nodiscard]] constexpr std::uint64_t mix_unit(std::uint64_t low, std::uint64_t high, std::size_t number) noexcept {
    std::uint64_t hash = low ^ ((std::uint64_t{number} + 1) * 0x9e3779b97f4a7c15);
    hash = (hash ^ (hash >> 32)) * 0xbf58476d1ce4e5b9;
    hash = ((hash ^ (hash >> 29)) + high) * 0x94d049bb133111eb;
    return hash ^ (hash >> 32);
}

} // namespace detail

namespace hw {

GPUPROF_INLINE std::uint64_t hash_of_chunk(unsigned char const* bytes, std::size_t size) noexcept {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < size; at += gpuprof::detail::hashed_unit) {
        std::uint64_t words[2]{};
        std::size_t const rest = size - at;
        std::memcpy(words, bytes + at, rest < sizeof words ? rest : sizeof words);
        sum ^= gpuprof::detail::mix_unit(words[0], words[1], at / gpuprof::detail::hashed_unit);
    }
    return sum;
}

GPUPROF_INLINE result<memory_hasher> memory_hasher::try_create(device const& gpu, bool on_host) {
    memory_hasher made{gpu};
    if (on_host) return result<memory_hasher>{std::move(made)};
    auto ready = in_context(gpu.driver(), made.context_, [&]() -> result<void> {
        if (auto status = gpu.driver().ModuleLoadData(&made.module_, gpuprof::detail::hash_memory_ptx))
            return explain("cuModuleLoadData", status);
        if (auto status = gpu.driver().ModuleGetFunction(&made.kernel_, made.module_, "gpuprof_hash_memory"))
            return explain("cuModuleGetFunction", status);
        return {};
    });
    if (!ready) return std::move(ready).error();
    return result<memory_hasher>{std::move(made)};
}

GPUPROF_INLINE memory_hasher::~memory_hasher() {
    if (module_ == nullptr) return;
    static_cast<void>(in_context(*driver_, context_, [this]() -> result<void> {
        static_cast<void>(driver_->ModuleUnload(module_));
        return {};
    }));
}

GPUPROF_INLINE result<std::vector<std::uint64_t>> memory_hasher::try_hash(memory_span const& span) {
    std::vector<std::uint64_t> hashes((span.bytes + hashed_chunk - 1) / hashed_chunk);
    auto done = in_context(*driver_, context_, [&]() -> result<void> {
        auto ready = try_wait_for_context(*driver_, "the memory that passes left was not compared",
                                          "end the capture in the loop's body");
        if (!ready) return ready;
        if (module_ == nullptr) return try_hash_on_host(span, 0, hashes);
        auto hashed = try_hash_on_device(span, hashes);
        if (!hashed || span.bytes % gpuprof::detail::hashed_unit == 0) return hashed;
        return try_hash_on_host(span, hashes.size() - 1, hashes); // the kernel reads whole units
    });
    if (!done) return std::move(done).error();
    return hashes;
}

GPUPROF_INLINE result<std::optional<std::vector<std::uint64_t>>> memory_hasher::try_hash_copied(memory_span const& span,
                                                                                                std::uint64_t until) {
    std::optional<std::vector<std::uint64_t>> hashes{std::in_place};
    if (platform::monotonic_nanoseconds() > until) hashes.reset();
    if (!hashes) return result<std::optional<std::vector<std::uint64_t>>>{std::move(hashes)};
    if (module_ == nullptr) {
        auto hashed = try_hash(span);
        if (!hashed) return std::move(hashed).error();
        hashes = *std::move(hashed);
        return result<std::optional<std::vector<std::uint64_t>>>{std::move(hashes)};
    }
    auto done = in_context(*driver_, context_, [&]() -> result<void> {
        auto ready = try_wait_for_context(*driver_, "the memory that passes left was not compared",
                                          "end the capture in the loop's body");
        if (!ready) return ready;
        abi::CUdeviceptr copy = 0;
        constexpr std::size_t most = gpuprof::detail::copied_slice;
        // The hashes stand behind the copy, at a multiple of 8.
        std::size_t const room = ((span.bytes < most ? span.bytes : most) + hashed_chunk - 1) / hashed_chunk;
        if (auto status = driver_->MemAlloc(&copy, room * (hashed_chunk + sizeof(std::uint64_t))))
            return explain("cuMemAlloc", status);
        result<void> hashed{};
        for (std::size_t at = 0; at < span.bytes && hashed && hashes; at += most) {
            std::size_t const rest = span.bytes - at;
            memory_span const slice{copy, rest < most ? rest : most};
            std::vector<std::uint64_t> some((slice.bytes + hashed_chunk - 1) / hashed_chunk);
            if (auto status = driver_->MemcpyDtoD(copy, span.begin + at, slice.bytes))
                hashed = explain("cuMemcpyDtoD", status);
            if (hashed) hashed = try_hash_on_device(slice, some, copy + room * hashed_chunk);
            if (hashed && slice.bytes % gpuprof::detail::hashed_unit != 0)
                hashed = try_hash_on_host(slice, some.size() - 1, some);
            hashes->insert(hashes->end(), some.begin(), some.end());
            if (platform::monotonic_nanoseconds() > until) hashes.reset();
        }
        static_cast<void>(driver_->MemFree(copy));
        return hashed;
    });
    if (!done) return std::move(done).error();
    return result<std::optional<std::vector<std::uint64_t>>>{std::move(hashes)};
}

GPUPROF_INLINE result<void> memory_hasher::try_hash_on_device(memory_span const& span,
                                                              std::vector<std::uint64_t>& hashes) {
    abi::CUdeviceptr sums = 0;
    if (auto status = driver_->MemAlloc(&sums, hashes.size() * sizeof hashes[0])) return explain("cuMemAlloc", status);
    auto hashed = try_hash_on_device(span, hashes, sums);
    static_cast<void>(driver_->MemFree(sums));
    return hashed;
}

GPUPROF_INLINE result<void>
memory_hasher::try_hash_on_device(memory_span const& span, std::vector<std::uint64_t>& hashes, abi::CUdeviceptr sums) {
    std::size_t const bytes = hashes.size() * sizeof hashes[0];
    char const* call = "cuLaunchKernel";
    abi::CUresult status = abi::CUDA_SUCCESS;
    for (std::size_t first = 0; first < hashes.size() && status == abi::CUDA_SUCCESS;
         first += gpuprof::detail::hashing_blocks) {
        std::size_t const rest = hashes.size() - first;
        std::size_t const blocks = rest < gpuprof::detail::hashing_blocks ? rest : gpuprof::detail::hashing_blocks;
        abi::CUdeviceptr from = span.begin + first * hashed_chunk, to = sums + first * sizeof hashes[0];
        std::uint64_t units = (span.bytes - first * hashed_chunk) / gpuprof::detail::hashed_unit;
        void* arguments[]{&from, &units, &to};
        status = driver_->LaunchKernel(kernel_, static_cast<unsigned>(blocks), 1, 1, 64, 1, 1, 0, nullptr, arguments,
                                       nullptr);
    }
    if (status == abi::CUDA_SUCCESS) {
        call = "cuMemcpyDtoH";
        status = driver_->MemcpyDtoH(hashes.data(), sums, bytes);
    }
    if (status != abi::CUDA_SUCCESS) return explain(call, status);
    return {};
}

GPUPROF_INLINE result<void> memory_hasher::try_hash_on_host(memory_span const& span, std::size_t from,
                                                            std::vector<std::uint64_t>& hashes) {
    std::size_t const begin = from * hashed_chunk;
    std::vector<unsigned char> bytes(span.bytes - begin);
    if (auto status = driver_->MemcpyDtoH(bytes.data(), span.begin + begin, bytes.size()))
        return explain("cuMemcpyDtoH", status);
    for (std::size_t at = from; at < hashes.size(); ++at) {
        std::size_t const offset = (at - from) * hashed_chunk, rest = bytes.size() - offset;
        hashes[at] = hash_of_chunk(bytes.data() + offset, rest < hashed_chunk ? rest : hashed_chunk);
    }
    return {};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MEMORY_MEMORY_HASH_INL_HPP
