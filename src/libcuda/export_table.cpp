// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuGetExportTable: where NVIDIA's own runtime asks whether the driver is NVIDIA's. It is not, and does not pretend to be.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include <dlfcn.h>

#include "call.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;

// NVIDIA's libraries of kernels. Each has a runtime of its own inside, and its kernels are machine code.
constexpr std::string_view kernel_libraries[]{"libcublas",   "libcudnn",    "libcufft", "libcurand", "libcusolver",
                                              "libcusparse", "libcutensor", "libnccl",  "libnpp",    "libnvjpeg"};

// Libraries that compile. They ask, and go on without.
constexpr std::string_view compilers[]{"libnvrtc", "libnvJitLink"};

// The file name of the program or library that an address lies in; empty if there is none.
std::string_view file_of(void const* address) noexcept {
    Dl_info info{};
    if (address == nullptr || ::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
    std::string_view const path{info.dli_fname};
    return path.substr(path.rfind('/') + 1);
}

std::string text_for(std::string_view caller) {
    for (std::string_view const library : kernel_libraries)
        if (caller.starts_with(library))
            return "this program uses " + std::string{caller} +
                   ", a library of NVIDIA's. Its kernels are machine code, and it asks for internal tables of NVIDIA's "
                   "driver; the "
                   "embedded GPU has neither: run the program without that library, or on a GPU";
    std::string const who = caller.empty() ? "this program" : std::string{caller};
    return who + " asks for internal tables of NVIDIA's driver, which the embedded GPU does not have. If CUDA's "
                 "runtime is linked "
                 "into it statically, as nvcc does by default: build it with nvcc -cudart shared (or set "
                 "NVCC_APPEND_FLAGS='-cudart shared' while it is built)";
}

CUresult refuse(void const* caller) {
    std::string_view const name = file_of(caller);
    auto const is_caller = [=](std::string_view library) { return name.starts_with(library); };
    if (std::none_of(std::begin(compilers), std::end(compilers), is_caller)) tell_once(text_for(name));
    return CUDA_ERROR_NOT_SUPPORTED;
}

// The exported symbol is a jump to here, so the return address is the caller's.
CUresult get_export_table(void const**, CUuuid const*) {
    return program::boundary<&refuse>::in_any_process(__builtin_return_address(0));
}

} // namespace

std::span<call const> export_table_calls() {
    static void* const address = reinterpret_cast<void*>(&get_export_table); // no boundary around it: see above
    static call const calls[]{{"cuGetExportTable", address, address}};
    return calls;
}

} // namespace gpuprof::driver_library
