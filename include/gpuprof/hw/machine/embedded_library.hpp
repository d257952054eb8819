// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a driver library that is the embedded GPU, and not hardware, makes itself known to programs that load it. Layer: hw.
#ifndef GPUPROF_HW_MACHINE_EMBEDDED_LIBRARY_HPP
#define GPUPROF_HW_MACHINE_EMBEDDED_LIBRARY_HPP

#include <cstddef>     // std::size_t
#include <string>      // texts
#include <string_view> // names

#include "../../core/fidelity.hpp"
#include "../abi/types.hpp"
#include "machine.hpp"
#include "platform/library.hpp"

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

// Those of the driver library that this process has loaded; null: it is hardware's.
inline embedded_services const* loaded_services = nullptr;

// Marks the machine as embedded if its driver library is. @pre `handle` is the driver's
GPUPROF_LAZY void adopt_services(hw::machine& into, void* handle) {
    auto const find = reinterpret_cast<embedded_services_call>(platform::find_symbol(handle, embedded_services_symbol));
    embedded_services const* const found = find == nullptr ? nullptr : find();
    if (found == nullptr || found->bytes < sizeof(embedded_services)) return;
    loaded_services = found;
    into.is_embedded = true;
    into.last_fault = [](abi::CUcontext context) {
        char text[2048] = {};
        loaded_services->last_fault(context, text, sizeof text);
        return std::string{text};
    };
    into.fidelity_of = [](std::string_view chip, std::string_view metric) {
        unsigned char const number =
            loaded_services->fidelity_of(std::string{chip}.c_str(), std::string{metric}.c_str());
        return number <= static_cast<unsigned char>(fidelity::always_zero) ? static_cast<fidelity>(number)
                                                                           : fidelity::estimated;
    };
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_EMBEDDED_LIBRARY_HPP
