// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "table_file.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fstream>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuprof::driver_library {
namespace {

// All of it, or an error number.
int write_all(int file, std::string_view text) noexcept {
    while (!text.empty()) {
        auto const count = ::write(file, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count < 0 ? errno : EIO;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

// Whether the process may write a file as long as that: else the system ends it by a signal.
bool may_write(std::uint64_t size) noexcept {
    rlimit room = {};
    return ::getrlimit(RLIMIT_FSIZE, &room) != 0 || room.rlim_cur == RLIM_INFINITY || size <= room.rlim_cur;
}

} // namespace

int write_table(std::string const& path, std::string_view text, bool appends) noexcept {
    int const file =
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | (appends ? O_APPEND : O_TRUNC), 0666);
    if (file < 0) return errno;
    struct stat before = {};
    bool const is_regular = ::fstat(file, &before) == 0 && S_ISREG(before.st_mode);
    std::uint64_t const size = static_cast<std::uint64_t>(before.st_size) + text.size();
    int problem = is_regular && !may_write(size) ? EFBIG : write_all(file, text);
    if (problem != 0 && is_regular && ::ftruncate(file, before.st_size) != 0) problem = errno;
    if (::close(file) != 0 && problem == 0) problem = errno; // a network's disk may be full only now
    return problem;
}

bool begins_with_line(std::string const& path, std::string_view line) {
    struct stat is = {};
    if (::stat(path.c_str(), &is) != 0 || !S_ISREG(is.st_mode)) return false; // to read a pipe would wait
    std::ifstream file{path};
    std::string first;
    return std::getline(file, first) && first == line;
}

} // namespace gpuprof::driver_library
