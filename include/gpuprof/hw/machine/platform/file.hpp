// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole files: read, written, removed. Layer: hw, lowest.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_FILE_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_FILE_HPP

#include <cerrno>      // EINTR
#include <cstddef>     // std::size_t
#include <cstdio>      // std::rename, std::remove
#include <cstdlib>     // mkostemp
#include <optional>    // a file that may not be there
#include <string>      // paths, contents
#include <string_view> // contents

#include <fcntl.h>        // open
#include <sys/resource.h> // getrlimit
#include <sys/stat.h>     // fstat
#include <unistd.h>       // read, write, close

#include "../../../detail/config.hpp"
#include "platform.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// A file of the system that is open for a block.
class [[nodiscard]] file_descriptor {
public:
    explicit file_descriptor(int descriptor) noexcept : descriptor_{descriptor} {}
    ~file_descriptor() { static_cast<void>(close()); }
    file_descriptor(file_descriptor const&) = delete;
    file_descriptor& operator=(file_descriptor const&) = delete;

    [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

    // Reads or writes what it can of `size` bytes, whatever signals come: their number, 0 at the end, less on failure.
    [[nodiscard]] long read(char* to, std::size_t size) const noexcept {
        long count = 0;
        do count = ::read(descriptor_, to, size);
        while (count < 0 && errno == EINTR);
        return count;
    }
    [[nodiscard]] long write(char const* from, std::size_t size) const noexcept {
        long count = 0;
        do count = ::write(descriptor_, from, size);
        while (count < 0 && errno == EINTR);
        return count;
    }
    // False if what was written may be lost.
    [[nodiscard]] bool close() noexcept {
        int const open = descriptor_;
        descriptor_ = -1;
        return open >= 0 && ::close(open) == 0;
    }

private:
    int descriptor_;
};

// Whose files are read. this_user: no other user owns the file or may write it, and its name is no symbolic link.
enum class file_owner : bool { anyone, this_user };

// All bytes of a regular file; nothing if there is none, if it has more than `limit` bytes, or if it is not the `owner`'s.
// Never waits: a pipe in the place of a file is not read. Reads to the end, whatever size the system says the file has: those
// of /proc say 0.
GPUPROF_LAZY [[nodiscard]] std::optional<std::string>
read_file(std::string const& path, std::size_t limit = std::string::npos, file_owner owner = file_owner::anyone) {
    bool const own = owner == file_owner::this_user;
    file_descriptor const in{
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (own ? O_NOFOLLOW : 0))};
    struct stat info = {};
    if (!in.is_open() || ::fstat(in.descriptor(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
    if (own && (info.st_uid != ::geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0)) return {};
    std::string content;
    char part[4096];
    for (long n; content.size() <= limit && (n = in.read(part, sizeof part)) > 0;)
        content.append(part, static_cast<std::size_t>(n));
    if (content.size() > limit) return {};
    return content;
}

// Writes beside the file and renames over it, so that a reader sees all of the content or what was there before. Only this
// user can read the file. False, with nothing left behind, if that fails.
GPUPROF_LAZY bool write_file(std::string const& path, std::string_view content) {
    rlimit room = {}; // more than that ends the process by SIGXFSZ
    if (::getrlimit(RLIMIT_FSIZE, &room) == 0 && room.rlim_cur != RLIM_INFINITY && content.size() > room.rlim_cur)
        return false;
    std::string beside = path + ".XXXXXX"; // a process id is not unique where containers share the directory
    file_descriptor out{::mkostemp(beside.data(), O_CLOEXEC)};
    if (!out.is_open()) return false;
    while (!content.empty()) {
        long const n = out.write(content.data(), content.size());
        if (n <= 0) break;
        content.remove_prefix(static_cast<std::size_t>(n));
    }
    bool const whole = out.close() && content.empty();
    if (whole && std::rename(beside.c_str(), path.c_str()) == 0) return true;
    std::remove(beside.c_str());
    return false;
}

// False if there is no such file, or it may not be removed.
GPUPROF_LAZY bool remove_file(std::string const& path) { return std::remove(path.c_str()) == 0; }

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_FILE_HPP
