// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor maps: cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col and cuTensorMapReplaceAddress. Im2colWide is not there.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../sim/ops/tensor_map.hpp"

#include "call.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;
using sim::tensor_map;

constexpr std::size_t map_bytes = 128, map_alignment = 64;

bool is_place_of_map(void const* map) noexcept {
    return map != nullptr && reinterpret_cast<std::uintptr_t>(map) % map_alignment == 0;
}

CUresult give(void* map, tensor_map const& made, sim::tensor_map_status status) {
    if (!is_place_of_map(map) || status == sim::tensor_map_status::invalid) return CUDA_ERROR_INVALID_VALUE;
    if (status == sim::tensor_map_status::unsupported) return CUDA_ERROR_NOT_SUPPORTED;
    std::memset(map, 0, map_bytes);
    std::memcpy(map, &made, sizeof made);
    return CUDA_SUCCESS;
}

CUresult encode_tiled(void* map, int type, unsigned rank, void* address, std::uint64_t const* sizes,
                      std::uint64_t const* strides, unsigned const* box, unsigned const* steps, int interleave,
                      int swizzle, int l2_promotion, int fill) {
    tensor_map made;
    auto const status =
        sim::encode_tiled({type, rank, static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address)), sizes,
                           strides, box, steps, interleave, swizzle, l2_promotion, fill},
                          made);
    return give(map, made, status);
}

CUresult encode_im2col(void* map, int type, unsigned rank, void* address, std::uint64_t const* sizes,
                       std::uint64_t const* strides, int const* lower, int const* upper, unsigned channels,
                       unsigned pixels, unsigned const* steps, int interleave, int swizzle, int l2_promotion,
                       int fill) {
    tensor_map made;
    auto const status =
        sim::encode_image({type, rank, static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address)), sizes,
                           strides, nullptr, steps, interleave, swizzle, l2_promotion, fill},
                          {lower, upper, channels, pixels}, made);
    return give(map, made, status);
}

CUresult replace_address(void* map, void* address) {
    tensor_map made;
    auto const to = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address));
    if (!is_place_of_map(map) || to == 0 || to % 16 != 0) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(&made, map, sizeof made);
    if (made.mark != tensor_map::made_here) return CUDA_ERROR_INVALID_VALUE;
    made.address = to;
    std::memcpy(map, &made, sizeof made);
    return CUDA_SUCCESS;
}

} // namespace

std::span<call const> tensor_map_calls() {
    static call const calls[]{call::of<&encode_tiled>("cuTensorMapEncodeTiled"),
                              call::of<&encode_im2col>("cuTensorMapEncodeIm2col"),
                              call::of<&replace_address>("cuTensorMapReplaceAddress")};
    return calls;
}

} // namespace gpuprof::driver_library
