// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which file names a library of the machine has, and whether the process has it already. Layer: hw.
#ifndef GPUPROF_HW_MACHINE_LIBRARY_HPP
#define GPUPROF_HW_MACHINE_LIBRARY_HPP

#include <string>      // paths
#include <string_view> // names

#include "../../detail/config.hpp"
#include "library_report.hpp"
#include "platform/library.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The last component of a path.
[[nodiscard]] constexpr std::string_view file_name(std::string_view path) noexcept {
    auto const slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// Whether a file name is that of the library: "libcupti.so", "libcupti.so.13", and "libcupti-1a2b3c4d.so.12" as
// repackaged in wheels.
[[nodiscard]] constexpr bool is_named(std::string_view file, std::string_view stem) noexcept {
    if (!file.starts_with(stem)) return false;
    std::string_view const rest = file.substr(stem.size());
    return rest.starts_with(".so") || (rest.starts_with("-") && rest.find(".so") != std::string_view::npos);
}

// A handle to a library of that stem that the process has already, or null. It also finds one linked into the program or
// another library under any name, by a symbol of it that is globally visible.
GPUPROF_LAZY [[nodiscard]] void* open_mapped(std::string_view stem, char const* symbol) {
    std::string path =
        platform::find_mapped_library([stem](std::string_view each) { return is_named(file_name(each), stem); });
    if (path.empty()) {
        void* const address = platform::find_visible_symbol(symbol);
        if (address == nullptr) return nullptr;
        path = platform::library_path_at(address);
    }
    if (void* const handle = platform::open_mapped_library(path.c_str())) return handle;
    bool const linked_in = platform::find_visible_symbol(symbol) != nullptr; // into the program itself
    return linked_in ? platform::open_program() : nullptr;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_LIBRARY_HPP
