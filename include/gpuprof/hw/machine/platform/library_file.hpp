// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a file may be opened as a shared library. Layer: hw, lowest; ELF.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_LIBRARY_FILE_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_LIBRARY_FILE_HPP

#include <cstdint>     // std::uint64_t
#include <cstdio>      // reading an ELF header
#include <cstring>     // std::memcmp
#include <string>      // paths
#include <string_view> // a reason

#include <elf.h>      // Elf64_Ehdr
#include <sys/stat.h> // stat

#include "../../../detail/config.hpp"
#include "platform.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

inline constexpr std::string_view library_is_truncated = "it is truncated";

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
            why = library_is_truncated;
    }
    std::fclose(file);
    return why;
}

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_LIBRARY_FILE_HPP
