// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks a file that processes of several users share.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_FILE_LOCK_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_FILE_LOCK_HPP

#include <cerrno>
#include <cstdint>
#include <string>

#include "../../../detail/config.hpp"
#include "clock.hpp"
#include "platform.hpp"
#include "windows_api.hpp"
#include "windows_text.hpp"

#if !GPUPROF_WINDOWS
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// What became of an attempt to lock a file. late: another process kept the lock for all of the
// wait. no_locks: the file system has none. not_a_file: the name is a link, a directory, a pipe.
enum class file_lock_state : unsigned char { none, held, late, not_allowed, no_directory, not_a_file, no_locks };

// Holds the lock of a file, which is made where it is not there, writable by all users, and stays
// there. A process that dies loses the lock. The lock belongs to the object: a second object of
// this process waits, too.
//
// Linux has two kinds of locks that do not know each other, flock() and record locks of fcntl().
// This holds both, over the whole file, so that a program that takes either one waits. Windows has
// one, LockFile().
class [[nodiscard]] file_lock {
public:
    file_lock() noexcept = default;
    ~file_lock() { release(); }
    file_lock(file_lock const&) = delete;
    file_lock& operator=(file_lock const&) = delete;

    // Waits for at most so many milliseconds. @pre it holds nothing
    [[nodiscard]] inline file_lock_state acquire(std::string const& path, unsigned longest_wait_ms);
    inline void release() noexcept;
    // The system's number of the last failure; 0 if there was none.
    [[nodiscard]] int system_error() const noexcept { return system_error_; }
    // Leaves the lock to the parent of this process, whose object was copied by fork().
    inline void leave_to_parent() noexcept;

private:
    int system_error_ = 0;
#if GPUPROF_WINDOWS
    void* handle_ = inner::no_handle();
#else
    [[nodiscard]] inline file_lock_state open(std::string const& path);
    // Whether both locks were had; errno says why not.
    [[nodiscard]] inline bool try_lock() noexcept;

    int descriptor_ = -1;
    bool writable_ = false;
#endif
};

#if GPUPROF_WINDOWS
inline file_lock_state file_lock::acquire(std::string const& path, unsigned longest_wait_ms) {
    constexpr unsigned long read_write = 0xc000'0000, shared_by_all = 7, open_always = 4, normal = 0x80;
    constexpr unsigned long access_denied = 5, path_not_found = 3, lock_violation = 33, step_ms = 5;
    handle_ =
        ::CreateFileW(inner::wide(path).c_str(), read_write, shared_by_all, nullptr, open_always, normal, nullptr);
    if (handle_ == inner::no_handle()) {
        system_error_ = static_cast<int>(::GetLastError());
        return system_error_ == int{path_not_found} ? file_lock_state::no_directory : file_lock_state::not_allowed;
    }
    using lock_file = int(void*, unsigned long, unsigned long, unsigned long, unsigned long);
    auto* const lock = inner::system_function<lock_file>(L"kernel32.dll", "LockFile");
    constexpr unsigned long all = ~0ul;
    for (unsigned waited = 0; lock == nullptr || lock(handle_, 0, 0, all, all) == 0; waited += step_ms) {
        system_error_ = lock == nullptr ? 0 : static_cast<int>(::GetLastError());
        bool const taken = system_error_ == int{lock_violation};
        if (!taken || waited >= longest_wait_ms) {
            ::CloseHandle(handle_);
            handle_ = inner::no_handle();
            if (taken) return file_lock_state::late;
            return system_error_ == int{access_denied} ? file_lock_state::not_allowed : file_lock_state::no_locks;
        }
        ::Sleep(step_ms);
    }
    system_error_ = 0;
    return file_lock_state::held;
}
inline void file_lock::release() noexcept {
    if (handle_ != inner::no_handle()) ::CloseHandle(handle_); // unlocks
    handle_ = inner::no_handle();
}
inline void file_lock::leave_to_parent() noexcept {} // there is no fork
#else
// A file that is there is opened without O_CREAT: with it, fs.protected_regular refuses files of
// other users in /tmp. A file that may only be read can be locked as well.
inline file_lock_state file_lock::open(std::string const& path) {
    constexpr int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    for (int tries = 0; tries < 2; ++tries) { // the second where another process made it meanwhile
        descriptor_ = ::open(path.c_str(), O_RDWR | flags);
        writable_ = descriptor_ >= 0;
        if (descriptor_ < 0 && errno == ENOENT) {
            descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | flags, 0666);
            writable_ = descriptor_ >= 0;
            if (writable_) static_cast<void>(::fchmod(descriptor_, 0666)); // whatever the umask
            else if (errno == EEXIST) continue;
        } else if (descriptor_ < 0 && (errno == EACCES || errno == EROFS)) {
            descriptor_ = ::open(path.c_str(), O_RDONLY | flags);
        }
        break;
    }
    system_error_ = errno;
    if (descriptor_ < 0) {
        if (system_error_ == ENOENT || system_error_ == ENOTDIR) return file_lock_state::no_directory;
        if (system_error_ == ELOOP || system_error_ == EISDIR || system_error_ == ENXIO)
            return file_lock_state::not_a_file;
        return file_lock_state::not_allowed;
    }
    struct stat info = {};
    if (::fstat(descriptor_, &info) != 0 || !S_ISREG(info.st_mode)) return file_lock_state::not_a_file;
    return file_lock_state::held;
}

// A lock of an open file (F_OFD_SETLK) meets those of processes (F_SETLK), and unlike them it does
// not end when the process closes another descriptor of the file.
inline bool file_lock::try_lock() noexcept {
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) return false;
    struct flock record = {}; // from 0 to the end, however long the file gets
    record.l_type = static_cast<short>(writable_ ? F_WRLCK : F_RDLCK);
    record.l_whence = SEEK_SET;
    if (::fcntl(descriptor_, F_OFD_SETLK, &record) == 0) return true;
    int const why = errno;
    ::flock(descriptor_, LOCK_UN);
    errno = why == EACCES ? EWOULDBLOCK : why;
    return false;
}

inline file_lock_state file_lock::acquire(std::string const& path, unsigned longest_wait_ms) {
    file_lock_state const opened = open(path);
    if (opened != file_lock_state::held) {
        release();
        return opened;
    }
    constexpr unsigned step_ms = 5;
    std::uint64_t const end = monotonic_nanoseconds() + std::uint64_t{longest_wait_ms} * 1'000'000;
    while (!try_lock()) {
        system_error_ = errno;
        if (system_error_ == EINTR) continue;
        bool const taken = system_error_ == EWOULDBLOCK;
        if (!taken || monotonic_nanoseconds() >= end) {
            release();
            return taken ? file_lock_state::late : file_lock_state::no_locks;
        }
        ::usleep(step_ms * 1000);
    }
    system_error_ = 0;
    return file_lock_state::held;
}

// Unlocks before it closes: a child that was forked meanwhile has a copy of the descriptor.
inline void file_lock::release() noexcept {
    if (descriptor_ < 0) return;
    struct flock record = {};
    record.l_type = F_UNLCK;
    record.l_whence = SEEK_SET;
    static_cast<void>(::fcntl(descriptor_, F_OFD_SETLK, &record));
    static_cast<void>(::flock(descriptor_, LOCK_UN));
    leave_to_parent();
}
inline void file_lock::leave_to_parent() noexcept {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
}
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_FILE_LOCK_HPP
