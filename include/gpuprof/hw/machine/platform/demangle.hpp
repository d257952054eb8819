// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Demangles names.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_DEMANGLE_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_DEMANGLE_HPP

#include <cstddef>
#include <cstdlib>
#include <string>

#include "../../../detail/config.hpp"
#include "platform.hpp"

#if __has_include(<cxxabi.h>)
// As in <cxxabi.h>, which also has a namespace abi: where a file says `using namespace gpuprof`,
// that would be ambiguous with gpuprof::abi.
namespace __cxxabiv1 {
extern "C" char* __cxa_demangle(char const* mangled, char* buffer, std::size_t* length, int* status);
}
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// Returns "void fill<float>(float*, float)" for "_Z4fillIfEvPT_S0_"; a name that is not mangled
// stays. So does every name where the C++ runtime is Microsoft's, which cannot demangle these
// names: kernels have them on every system. Allocates.
[[nodiscard]] inline std::string demangled(std::string const& name) {
#if __has_include(<cxxabi.h>)
    int status = 0;
    char* const text =
        name.starts_with("_Z") ? ::__cxxabiv1::__cxa_demangle(name.c_str(), nullptr, nullptr, &status) : nullptr;
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
