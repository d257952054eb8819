// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole files: read, written, removed. Layer: hw, lowest.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_FILE_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_FILE_HPP

#include <cstddef>     // std::size_t
#include <cstdio>      // std::FILE, std::rename
#include <cstdlib>     // mkstemp
#include <optional>    // a file that may not be there
#include <string>      // paths, contents
#include <string_view> // contents

#include <unistd.h> // close

#include "../../../detail/config.hpp"
#include "platform.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// All bytes of a file; nothing if it cannot be opened or has more than `limit` bytes. Reads to the end, whatever size the
// system says the file has: those of /proc say 0. What cannot be read (a directory) is empty.
GPUPROF_LAZY [[nodiscard]] std::optional<std::string> read_file(std::string const& path,
                                                                std::size_t limit = std::string::npos) {
    std::FILE* const in = std::fopen(path.c_str(), "rb");
    if (in == nullptr) return {};
    std::string content;
    char part[4096];
    for (std::size_t n; content.size() <= limit && (n = std::fread(part, 1, sizeof part, in)) > 0;)
        content.append(part, n);
    std::fclose(in);
    if (content.size() > limit) return {};
    return content;
}

// Writes beside the file and renames over it, so that a reader sees all of the content or what was there before. Only this
// user can read the file. False, with nothing left behind, if that fails.
GPUPROF_LAZY bool write_file(std::string const& path, std::string_view content) {
    std::string beside = path + ".XXXXXX"; // a process id is not unique where containers share the directory
    int const descriptor = ::mkstemp(beside.data());
    if (descriptor < 0) return false;
    bool whole = false;
    if (std::FILE* const out = ::fdopen(descriptor, "wb")) {
        whole = std::fwrite(content.data(), 1, content.size(), out) == content.size();
        whole = (std::fclose(out) == 0) & whole;
    } else {
        ::close(descriptor);
    }
    if (whole && std::rename(beside.c_str(), path.c_str()) == 0) return true;
    std::remove(beside.c_str());
    return false;
}

// False if there is no such file, or it may not be removed.
GPUPROF_LAZY bool remove_file(std::string const& path) { return std::remove(path.c_str()) == 0; }

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_FILE_HPP
