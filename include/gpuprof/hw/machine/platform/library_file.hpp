// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks whether a file may be opened as a shared library: ELF, and PE on Windows.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_LIBRARY_FILE_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_LIBRARY_FILE_HPP

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "../../../detail/config.hpp"
#include "platform.hpp"

#if GPUPROF_WINDOWS
#include "file.hpp"
#else
#include <elf.h>
#include <sys/stat.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

inline constexpr std::string_view library_is_truncated = "it is truncated";

#if GPUPROF_WINDOWS
// Windows refuses a truncated file, but with the same message as for other defects. A file begins
// with the DOS header, which says where the PE header is; the sections follow it: where each begins
// in the file, and its length there.
[[nodiscard]] inline std::string library_defect(std::string const& path) {
    if (path.empty()) return "the path is empty";
    if (path.find('\0') != std::string::npos) return "the path contains a NUL character";
    constexpr unsigned long absent = ~0ul, directory = 0x10;
    unsigned long const attributes = ::GetFileAttributesW(inner::wide(path).c_str());
    if (attributes != absent && (attributes & directory) != 0) return "it is a directory without such a library";
    inner::file_handle const file{path, inner::file_handle::reading};
    if (!file.is_open()) return attributes == absent ? "no such file, or not accessible" : "it cannot be read";
    if (!file.is_regular()) return "it is not a regular file";
    std::string const bytes = file.read_all(std::string::npos).value_or(std::string{});
    auto const number = [&bytes](std::size_t at, std::size_t size) {
        std::size_t value = 0;
        if (at + size <= bytes.size()) std::memcpy(&value, bytes.data() + at, size);
        return value;
    };
    constexpr std::size_t pe_signature = 0x4550, file_header = 24, section_size = 40, pe_of_64_bits = 0x20b;
    constexpr char const* not_a_library = "it is not a shared library";
    std::size_t const header = number(0x3c, 4);
    if (!bytes.starts_with("MZ") || bytes.size() < 64) return not_a_library;
    if (header + file_header + 2 > bytes.size()) return std::string{library_is_truncated};
    if (number(header, 4) != pe_signature) return not_a_library;
    if (number(header + file_header, 2) != pe_of_64_bits) return "it is not a 64-bit shared library";
    std::size_t const sections = header + file_header + number(header + 20, 2);
    for (std::size_t i = 0; i < number(header + 6, 2); ++i) {
        std::size_t const section = sections + i * section_size;
        if (section + section_size > bytes.size() || number(section + 20, 4) + number(section + 16, 4) > bytes.size())
            return std::string{library_is_truncated};
    }
    return {};
}
#else
// Why the file cannot be opened as a library; empty if it can. The dynamic linker maps a truncated
// file and dies of SIGBUS on the missing part, so the segments are first compared with the file's
// size.
[[nodiscard]] inline std::string library_defect(std::string const& path) {
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
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_LIBRARY_FILE_HPP
