// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a driver library that is the embedded GPU, and not hardware, makes itself known to programs that load it. Layer: hw.
#ifndef GPUPROF_HW_MACHINE_EMBEDDED_LIBRARY_HPP
#define GPUPROF_HW_MACHINE_EMBEDDED_LIBRARY_HPP

#include <cstddef> // std::size_t

#include "../abi/types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// What such a library tells beside the calls of driver and CUPTI; C types alone, because it may be built by another compiler
// than the program. Functions may be called by any thread.
struct embedded_services {
    std::size_t bytes; // of this structure, which may grow at its end
    // Why the last launch of a context failed, cut to the buffer and ended by a null character; empty if none did.
    void (*last_fault)(abi::CUcontext context, char* text, std::size_t size);
    // The number of the fidelity of a chip's metric. Names end by a null character.
    unsigned char (*fidelity_of)(char const* chip, char const* metric);
};

// The function that the library exports, which returns them.
inline constexpr char embedded_services_symbol[] = "gpuprof_embedded_services";
using embedded_services_call = embedded_services const* (*)();

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_EMBEDDED_LIBRARY_HPP
