// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognises libraries by their file names, and finds those that the process already has.
#ifndef GPUPROF_HW_MACHINE_LIBRARY_HPP
#define GPUPROF_HW_MACHINE_LIBRARY_HPP

#include <string>
#include <string_view>

#include "../../detail/any_case.hpp"
#include "../../detail/config.hpp"
#include "library_files.hpp"
#include "library_report.hpp"
#include "platform/library.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The last component of a path.
[[nodiscard]] constexpr std::string_view file_name(std::string_view path) noexcept {
    return path.substr(platform::file_name_begin(path));
}

// Whether a Windows file name is that of the library, in letters of any case: "nvcuda.dll",
// "cupti64_2025.3.1.dll".
[[nodiscard]] constexpr bool is_named_dll(std::string_view file, std::string_view stem) noexcept {
    constexpr std::string_view ending = ".dll";
    if (file.size() < stem.size() + ending.size() ||
        !gpuprof::detail::same_letters(file.substr(0, stem.size()), stem) ||
        !gpuprof::detail::same_letters(file.substr(file.size() - ending.size()), ending))
        return false;
    char const next = file[stem.size()];
    return next == '_' || next == '.' || next == '-';
}

// Whether an ELF file name is that of the library: "libcupti.so", "libcupti.so.13", or
// "libcupti-1a2b3c4d.so.12" as wheels repackage it.
[[nodiscard]] constexpr bool is_named_so(std::string_view file, std::string_view stem) noexcept {
    if (!file.starts_with(stem)) return false;
    std::string_view const rest = file.substr(stem.size());
    return rest.starts_with(".so") || (rest.starts_with("-") && rest.find(".so") != std::string_view::npos);
}

// Whether a file name of this system is that of the library.
[[nodiscard]] constexpr bool is_named(std::string_view file, std::string_view stem) noexcept {
    return platform::is_windows ? is_named_dll(file, stem) : is_named_so(file, stem);
}

// A handle to a library of that stem that the process already has, or null. Also finds one that is
// linked into the program or another library under any name, by a globally visible symbol.
[[nodiscard]] inline void* open_mapped(std::string_view stem, char const* symbol) {
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
