// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays as sides of copies of boxes: as the device memory that they are.
#ifndef GPUPROF_SRC_LIBCUDA_ARRAY_COPIES_HPP
#define GPUPROF_SRC_LIBCUDA_ARRAY_COPIES_HPP

#include <algorithm>
#include <cstddef>

#include "../sim/driver/state.hpp"

#include "node_parameters.hpp"

namespace gpuprof::driver_library {

// One side: its array, if it is one, becomes rows of device memory. False where it is none of the context's, or the box goes
// beyond it.
inline bool flatten_side(sim::driver::call const& in, copy_node_parameters const& box, abi::CUmemorytype& type,
                         abi::CUarray array, abi::CUdeviceptr& address, std::size_t& pitch, std::size_t& rows,
                         std::size_t x, std::size_t y, std::size_t z) {
    if (type != abi::CU_MEMORYTYPE_ARRAY) return true;
    sim::driver::array_state const* const found = in.driver.arrays.find(array);
    if (found == nullptr || found->context != in.context->handle) return false;
    auto const& shape = found->shape;
    std::size_t const layers = (std::max)(shape.size[2], shape.layers);
    bool const fits = x <= shape.row && box.width <= shape.row - x && y <= shape.size[1] &&
                      box.height <= shape.size[1] - y && z <= layers && box.depth <= layers - z;
    type = abi::CU_MEMORYTYPE_DEVICE;
    address = shape.address;
    pitch = static_cast<std::size_t>(shape.row);
    rows = shape.size[1];
    return fits;
}

// Both sides. CUDA_ERROR_INVALID_VALUE for what is no array of the current context, or a box beyond one.
[[nodiscard]] inline abi::CUresult flatten(sim::driver::call const& in, copy_node_parameters& box) {
    bool const good = flatten_side(in, box, box.src_type, box.src_array, box.src_device, box.src_pitch, box.src_height,
                                   box.src_x, box.src_y, box.src_z) &&
                      flatten_side(in, box, box.dst_type, box.dst_array, box.dst_device, box.dst_pitch, box.dst_height,
                                   box.dst_x, box.dst_y, box.dst_z);
    box.src_array = box.dst_array = nullptr;
    return good ? abi::CUDA_SUCCESS : abi::CUDA_ERROR_INVALID_VALUE;
}

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_ARRAY_COPIES_HPP
