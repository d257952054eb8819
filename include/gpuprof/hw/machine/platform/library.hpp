// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared libraries: opened, found among those of this process, asked for symbols. Layer: hw, lowest. A handle is what the
// dynamic linker gave; it is never closed.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_LIBRARY_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_LIBRARY_HPP

#include <concepts>    // std::predicate
#include <cstddef>     // std::size_t
#include <string>      // paths
#include <string_view> // paths

#include <dlfcn.h> // dlopen, dlsym, dlinfo
#include <link.h>  // dl_iterate_phdr, link_map

#include "../../../detail/config.hpp"
#include "platform.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

struct opened_library {
    void* handle = nullptr;
    std::string refusal; // the dynamic linker's words, where there is no handle
};

// Opens a library by its path or, where the name has no slash, by the dynamic linker's own search. All its symbols are
// resolved now, and none is seen by other libraries. @pre a path has no library_defect(): the linker may end the process
GPUPROF_LAZY [[nodiscard]] opened_library open_library(std::string const& name) {
    if (void* const handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return {handle, {}};
    char const* const text = ::dlerror();
    return {nullptr, text == nullptr ? "the dynamic linker refused it" : text};
}

// A handle to a library that this process has mapped already, by its path or name; else null.
GPUPROF_LAZY [[nodiscard]] void* open_mapped_library(char const* name) {
    return ::dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
}

// A handle to the program itself and all that it was linked with.
GPUPROF_LAZY [[nodiscard]] void* open_program() { return ::dlopen(nullptr, RTLD_NOW); }

// The path of the first library mapped in this process that accept(std::string_view path) takes; empty if there is none.
template <std::predicate<std::string_view> Accept>
[[nodiscard]] std::string find_mapped_library(Accept accept) {
    struct search {
        Accept& accept;
        std::string path;
    } wanted{accept, {}};
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto& found = *static_cast<search*>(data);
            if (info->dlpi_name == nullptr || !found.accept(std::string_view{info->dlpi_name})) return 0;
            found.path = info->dlpi_name;
            return 1;
        },
        &wanted);
    return wanted.path;
}

// The file a handle stands for; empty if the linker does not say.
GPUPROF_LAZY [[nodiscard]] std::string library_path(void* handle) {
    link_map* map = nullptr;
    if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || map->l_name == nullptr) return {};
    return map->l_name;
}

// The file that an address of this process was mapped from; empty if the linker does not say.
GPUPROF_LAZY [[nodiscard]] std::string library_path_at(void const* address) {
    Dl_info info = {};
    if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
    return info.dli_fname;
}

// Where a symbol of a library lies, function or object; null if the library has none of that name.
GPUPROF_LAZY [[nodiscard]] void* find_symbol(void* handle, char const* name) { return ::dlsym(handle, name); }

// The same among all that is globally visible in this process.
GPUPROF_LAZY [[nodiscard]] void* find_visible_symbol(char const* name) { return ::dlsym(RTLD_DEFAULT, name); }

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_LIBRARY_HPP
