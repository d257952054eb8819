// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shared library of the machine: how it was found, whether a file is one, opening it. Layer: hw; Linux (dlopen, ELF).
#ifndef GPUPROF_HW_MACHINE_LIBRARY_HPP
#define GPUPROF_HW_MACHINE_LIBRARY_HPP

#include <cstdint>     // std::uint64_t
#include <cstdio>      // reading an ELF header
#include <cstring>     // std::memcmp
#include <string>      // paths
#include <string_view> // names
#include <vector>      // attempts, missing symbols

#include <dlfcn.h>    // dlopen, dlsym, dlinfo
#include <elf.h>      // Elf64_Ehdr
#include <link.h>     // dl_iterate_phdr, link_map
#include <sys/stat.h> // stat

#include "../../detail/config.hpp"
#include "library_report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Why the file cannot be opened as a library; empty if it may. The dynamic linker maps a truncated file and dies of
// SIGBUS on the part that is not there, so the segments are compared with the size of the file first.
GPUPROF_LAZY [[nodiscard]] std::string library_defect(std::string const& path) {
    if (path.empty()) return "the path is empty";
    if (path.find('\0') != std::string::npos) return "the path contains a NUL character";
    struct stat info = {};
    if (::stat(path.c_str(), &info) != 0) return "no such file, or not accessible";
    if (S_ISDIR(info.st_mode)) return "it is a directory without such a library";
    if (!S_ISREG(info.st_mode)) return "it is not a regular file";
    std::FILE* const file = std::fopen(path.c_str(), "rbe");
    if (file == nullptr) return "it cannot be read";
    std::string why;
    Elf64_Ehdr header = {};
    auto const size = static_cast<std::uint64_t>(info.st_size);
    if (std::fread(&header, sizeof header, 1, file) != 1 || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        why = "it is not a shared library";
    else if (header.e_ident[EI_CLASS] != ELFCLASS64) why = "it is not a 64-bit shared library";
    else if (header.e_phentsize != sizeof(Elf64_Phdr) ||
             std::fseek(file, static_cast<long>(header.e_phoff), SEEK_SET) != 0)
        why = "it is not a shared library";
    for (unsigned segment = 0; why.empty() && segment < header.e_phnum; ++segment) {
        Elf64_Phdr program = {};
        if (std::fread(&program, sizeof program, 1, file) != 1 ||
            (program.p_type == PT_LOAD && (program.p_offset > size || program.p_filesz > size - program.p_offset)))
            why = "it is truncated";
    }
    std::fclose(file);
    return why;
}

// The file a handle stands for; empty if the linker does not say.
GPUPROF_LAZY [[nodiscard]] std::string path_of(void* handle) {
    link_map* map = nullptr;
    if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || map->l_name == nullptr) return {};
    return map->l_name;
}

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
    struct search {
        std::string_view stem;
        std::string path;
    } wanted{stem, {}};
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto& found = *static_cast<search*>(data);
            if (info->dlpi_name == nullptr || !is_named(file_name(info->dlpi_name), found.stem)) return 0;
            found.path = info->dlpi_name;
            return 1;
        },
        &wanted);
    if (wanted.path.empty()) {
        Dl_info info = {};
        void* const address = ::dlsym(RTLD_DEFAULT, symbol);
        if (address == nullptr || ::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return nullptr;
        wanted.path = info.dli_fname;
    }
    if (void* const handle = ::dlopen(wanted.path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD)) return handle;
    return ::dlsym(RTLD_DEFAULT, symbol) != nullptr ? ::dlopen(nullptr, RTLD_NOW) : nullptr; // linked into the program
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_LIBRARY_HPP
