// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks a directory against other processes that change files in it.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_DIRECTORY_LOCK_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_DIRECTORY_LOCK_HPP

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../../../detail/config.hpp"
#include "platform.hpp"
#include "windows_api.hpp"
#include "windows_text.hpp"

#if !GPUPROF_WINDOWS
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

#if GPUPROF_WINDOWS
namespace inner {

// The name of the mutex for a directory: from the directory's number on its volume, which does not
// depend on how its path is written. Empty if there is no such directory. Windows locks parts of
// files, not directories.
[[nodiscard]] inline std::wstring mutex_of(std::string const& directory) {
    constexpr unsigned long nothing_but_facts = 0, shared_by_all = 7, open_existing = 3, of_directories = 0x200'0000;
    void* const open = ::CreateFileW(wide(directory).c_str(), nothing_but_facts, shared_by_all, nullptr, open_existing,
                                     of_directories, nullptr);
    if (open == no_handle()) return {};
    struct facts { // a BY_HANDLE_FILE_INFORMATION
        std::uint32_t attributes, times[6], volume, size[2], links, number_high, number_low;
    } of{};
    bool const known = ::GetFileInformationByHandle(open, reinterpret_cast<_BY_HANDLE_FILE_INFORMATION*>(&of)) != 0;
    ::CloseHandle(open);
    if (!known) return {};
    return L"Global\\gpuprof-" + std::to_wstring(of.volume) + L'-' +
           std::to_wstring(std::uint64_t{of.number_high} << 32 | of.number_low);
}

} // namespace inner

class [[nodiscard]] directory_lock {
public:
    explicit directory_lock(std::string const& file, unsigned longest_wait_ms = 5000) {
        std::size_t const slash = file.find_last_of("/\\");
        std::wstring const name = inner::mutex_of(slash == std::string::npos ? "." : file.substr(0, slash + 1));
        if (name.empty()) return;
        mutex_ = ::CreateMutexW(nullptr, 0, name.c_str());
        constexpr unsigned long timed_out = 0x102;
        // Acquired even if the process that held it died.
        late_ = mutex_ != nullptr && ::WaitForSingleObject(mutex_, longest_wait_ms) == timed_out;
    }
    ~directory_lock() {
        if (mutex_ == nullptr) return;
        if (!late_) ::ReleaseMutex(mutex_);
        ::CloseHandle(mutex_);
    }
    [[nodiscard]] bool late() const noexcept { return late_; }
    directory_lock(directory_lock const&) = delete;
    directory_lock& operator=(directory_lock const&) = delete;

private:
    void* mutex_ = nullptr;
    bool late_ = false;
};
#else
// Holds the lock of a file's directory for a block; other processes that lock it wait. Leaves
// nothing behind. Where the file system has no locks, nobody waits; nor do, on Windows, other users
// and other machines. Whoever may read the directory can hold its lock, so that nobody waits for
// longer than is said: late() tells that the lock was not had.
class [[nodiscard]] directory_lock {
public:
    explicit directory_lock(std::string const& file, unsigned longest_wait_ms = 5000) {
        std::size_t const slash = file.rfind('/');
        std::string const directory = slash == std::string::npos ? "." : slash == 0 ? "/" : file.substr(0, slash);
        descriptor_ = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (descriptor_ < 0) return;
        constexpr unsigned step_ms = 5;
        for (unsigned waited = 0; ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0; waited += step_ms) {
            if (errno == EINTR) continue;
            if (errno != EWOULDBLOCK) return;
            if (waited >= longest_wait_ms) {
                late_ = true;
                return;
            }
            ::usleep(step_ms * 1000);
        }
    }
    ~directory_lock() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    [[nodiscard]] bool late() const noexcept { return late_; }
    directory_lock(directory_lock const&) = delete;
    directory_lock& operator=(directory_lock const&) = delete;

private:
    int descriptor_ = -1;
    bool late_ = false;
};
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_DIRECTORY_LOCK_HPP
