// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The source's spelling of a mangled name. Layer: hw, lowest.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_DEMANGLE_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_DEMANGLE_HPP

#include <cstdlib> // std::free
#include <string>  // names

#if __has_include(<cxxabi.h>)
#include <cxxabi.h> // of the C++ runtime, which every program has
#endif

#include "../../../detail/config.hpp"
#include "platform.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// "_Z4fillIfEvPT_S0_" is "void fill<float>(float*, float)"; a name that is not mangled is itself. So is every name where the
// C++ runtime is Microsoft's, which cannot read these: kernels have them on every system. Allocates.
[[nodiscard]] inline std::string demangled(std::string const& name) {
#if __has_include(<cxxabi.h>)
    int status = 0;
    char* const text =
        name.starts_with("_Z") ? ::abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status) : nullptr;
    if (text == nullptr) return name;
    std::string spelled{text};
    std::free(text);
    return spelled;
#else
    return name;
#endif
}

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_DEMANGLE_HPP
