// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface by which a driver library says that it is the embedded GPU, not hardware.
#ifndef GPUPROF_HW_MACHINE_EMBEDDED_LIBRARY_HPP
#define GPUPROF_HW_MACHINE_EMBEDDED_LIBRARY_HPP

#include <cstddef>
#include <cstdint>

#include "../abi/types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Services of such a library beside the driver's and CUPTI's calls. C types only: another compiler
// than the program's may have built it. Any thread may call the functions.
struct embedded_services {
    std::size_t bytes; // of this structure, which may grow at its end
    // Writes why the last launch of a context failed, cut to the buffer and ended by NUL; empty if
    // none failed.
    void (*last_fault)(abi::CUcontext context, char* text, std::size_t size);
    // The number of the fidelity of a chip's metric. Names end with NUL.
    unsigned char (*fidelity_of)(char const* chip, char const* metric);
    // The time that activity records of the host have, in nanoseconds.
    std::uint64_t (*record_time)();
};

// The exported function that returns the services.
inline constexpr char embedded_services_symbol[] = "gpuprof_embedded_services";
using embedded_services_call = embedded_services const* (*)();

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_EMBEDDED_LIBRARY_HPP
