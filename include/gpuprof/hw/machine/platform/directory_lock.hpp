// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps other processes from changing a file that this one changes. Layer: hw, lowest.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_DIRECTORY_LOCK_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_DIRECTORY_LOCK_HPP

#include <cerrno>  // EINTR
#include <cstddef> // std::size_t
#include <string>  // paths

#include <fcntl.h>    // open
#include <sys/file.h> // flock
#include <unistd.h>   // close

#include "../../../detail/config.hpp"
#include "platform.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// Holds the directory of a file for a block; others that hold it this way wait. Nothing is left behind. Where the file system
// knows no locks, nobody waits.
class [[nodiscard]] directory_lock {
public:
    explicit directory_lock(std::string const& file) {
        std::size_t const slash = file.rfind('/');
        std::string const directory = slash == std::string::npos ? "." : slash == 0 ? "/" : file.substr(0, slash);
        descriptor_ = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (descriptor_ < 0) return;
        while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {}
    }
    ~directory_lock() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    directory_lock(directory_lock const&) = delete;
    directory_lock& operator=(directory_lock const&) = delete;

private:
    int descriptor_ = -1;
};

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_DIRECTORY_LOCK_HPP
