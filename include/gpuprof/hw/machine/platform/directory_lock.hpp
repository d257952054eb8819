// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps other processes from changing a file that this one changes. Layer: hw, lowest.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_DIRECTORY_LOCK_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_DIRECTORY_LOCK_HPP

#include <cerrno>  // EINTR
#include <cstddef> // std::size_t
#include <cstdint> // a file's number
#include <string>  // paths

#include "../../../detail/config.hpp"
#include "platform.hpp"

#if GPUPROF_WINDOWS
#include "windows_api.hpp"  // CreateMutexW
#include "windows_text.hpp" // paths
#else
#include <fcntl.h>    // open
#include <sys/file.h> // flock
#include <unistd.h>   // close
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

#if GPUPROF_WINDOWS
namespace inner {

// The name of the mutex that stands for a directory: by the directory's number on its volume, which is the same however its
// path is written. Empty where there is no such directory. Windows locks parts of files, not directories.
GPUPROF_LAZY [[nodiscard]] std::wstring mutex_of(std::string const& directory) {
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
    explicit directory_lock(std::string const& file) {
        std::size_t const slash = file.find_last_of("/\\");
        std::wstring const name = inner::mutex_of(slash == std::string::npos ? "." : file.substr(0, slash + 1));
        if (name.empty()) return;
        mutex_ = ::CreateMutexW(nullptr, 0, name.c_str());
        constexpr unsigned long for_ever = 0xffff'ffff;
        // It is held even if the process that held it has died.
        if (mutex_ != nullptr) static_cast<void>(::WaitForSingleObject(mutex_, for_ever));
    }
    ~directory_lock() {
        if (mutex_ == nullptr) return;
        ::ReleaseMutex(mutex_);
        ::CloseHandle(mutex_);
    }
    directory_lock(directory_lock const&) = delete;
    directory_lock& operator=(directory_lock const&) = delete;

private:
    void* mutex_ = nullptr;
};
#else
// Holds the directory of a file for a block; others that hold it this way wait. Nothing is left behind. Where the file system
// knows no locks, nobody waits; nor does another user on Windows, or another machine there.
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
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_DIRECTORY_LOCK_HPP
