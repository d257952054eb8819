// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What copies of boxes need to know of arrays.
#ifndef GPUPROF_SRC_LIBCUDART_TEXTURE_HPP
#define GPUPROF_SRC_LIBCUDART_TEXTURE_HPP

#include "../libcuda/node_parameters.hpp"
#include "runtime.hpp"

namespace gpuprof::runtime {

// The driver's words for a copy of a box that arrays may have a part in. Errors: those of cuArray3DGetDescriptor.
// @pre a context is current
[[nodiscard]] cuda_error box_of(memcpy_3d_parameters const& from, driver_library::copy_node_parameters& box);

} // namespace gpuprof::runtime

#endif // GPUPROF_SRC_LIBCUDART_TEXTURE_HPP
