// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file without a name, for bytes that need not outlive the process.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_SCRATCH_FILE_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_SCRATCH_FILE_HPP

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "../../../core/error.hpp"
#include "../../../core/result.hpp"
#include "../../../detail/builtin.hpp"
#include "../../../detail/config.hpp"
#include "platform.hpp"
#include "windows_api.hpp"
#include "windows_text.hpp"

#if GPUPROF_WINDOWS
#include "clock.hpp"
#else
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// Its name is gone before the first byte is written, on Windows when it is closed: a process that
// crashes leaves nothing. Readable by this user alone. Move-only; not thread-safe.
class scratch_file {
public:
    // With room for so many bytes: a full disk is an error here, not when bytes are written (where the
    // file system can reserve room). Errors: io with what the system said.
    [[nodiscard]] static result<scratch_file> try_create(std::string const& folder, std::size_t bytes);

    scratch_file() = default;
    scratch_file(scratch_file&& other) noexcept : handle_{std::exchange(other.handle_, none())} {}
    scratch_file& operator=(scratch_file&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~scratch_file();

    [[nodiscard]] bool is_open() const noexcept { return handle_ != none(); }
    // All bytes from `offset` on, or false.
    [[nodiscard]] bool write(std::size_t offset, unsigned char const* from, std::size_t bytes) const noexcept;
    [[nodiscard]] bool read(std::size_t offset, unsigned char* to, std::size_t bytes) const noexcept;

private:
    [[nodiscard]] static error refused(std::string const& folder, std::size_t bytes, int status) {
        return {
            errc::io, status,
            gpuprof::detail::joined({"no file for a copy of ", std::to_string(bytes), " bytes in \"", folder, "\""}),
            "the folder does not exist or may not be written, or the disk is full",
            "name another one in copy_limits::folder"};
    }
#if GPUPROF_WINDOWS
    using handle = void*;
    [[nodiscard]] static handle none() noexcept { return inner::no_handle(); }
#else
    using handle = int;
    [[nodiscard]] static constexpr handle none() noexcept { return -1; }
#endif
    handle handle_ = none();
};

#if GPUPROF_WINDOWS
namespace inner {
inline constinit unsigned scratch_files_made = 0;
}

inline result<scratch_file> scratch_file::try_create(std::string const& folder, std::size_t bytes) {
    constexpr unsigned long read_write = 0xc000'0000, create_new = 1, temporary = 0x100, delete_on_close = 0x0400'0000;
    std::string const name = gpuprof::detail::joined(
        {folder, "\\gpuprof.", std::to_string(::GetCurrentProcessId()), ".", std::to_string(monotonic_nanoseconds()),
         ".", std::to_string(gpuprof::detail::add_relaxed(inner::scratch_files_made, 1u)), ".tmp"});
    scratch_file made;
    made.handle_ = ::CreateFileW(inner::wide(name).c_str(), read_write, 0, nullptr, create_new,
                                 temporary | delete_on_close, nullptr);
    if (!made.is_open()) return refused(folder, bytes, static_cast<int>(::GetLastError()));
    return result<scratch_file>{std::move(made)};
}
inline scratch_file::~scratch_file() {
    if (is_open()) static_cast<void>(::CloseHandle(handle_));
}
namespace inner {
[[nodiscard]] inline bool go_to(void* file, std::size_t offset) noexcept {
    constexpr unsigned long failed = 0xffff'ffff, from_begin = 0;
    unsigned long const low = static_cast<unsigned long>(offset & failed);
    long high = static_cast<long>(std::uint64_t{offset} >> 32);
    return ::SetFilePointer(file, static_cast<long>(low), &high, from_begin) != failed || ::GetLastError() == 0;
}
// A call moves at most so many bytes.
inline constexpr std::size_t most_at_once = std::size_t{1} << 30;
} // namespace inner
inline bool scratch_file::write(std::size_t offset, unsigned char const* from, std::size_t bytes) const noexcept {
    for (unsigned long count = 0; bytes != 0; offset += count, from += count, bytes -= count) {
        std::size_t const part = bytes < inner::most_at_once ? bytes : inner::most_at_once;
        if (!inner::go_to(handle_, offset) ||
            ::WriteFile(handle_, from, static_cast<unsigned long>(part), &count, nullptr) == 0 || count == 0)
            return false;
    }
    return true;
}
inline bool scratch_file::read(std::size_t offset, unsigned char* to, std::size_t bytes) const noexcept {
    for (unsigned long count = 0; bytes != 0; offset += count, to += count, bytes -= count) {
        std::size_t const part = bytes < inner::most_at_once ? bytes : inner::most_at_once;
        if (!inner::go_to(handle_, offset) ||
            ::ReadFile(handle_, to, static_cast<unsigned long>(part), &count, nullptr) == 0 || count == 0)
            return false;
    }
    return true;
}
#else
inline result<scratch_file> scratch_file::try_create(std::string const& folder, std::size_t bytes) {
    scratch_file made;
    if (folder.empty()) return refused(folder, bytes, ENOENT);
    rlimit most{}; // beyond it the system ends the process
    if (::getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY && bytes > most.rlim_cur)
        return refused(folder, bytes, EFBIG);
#ifdef O_TMPFILE // the file never has a name
    made.handle_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
    if (!made.is_open()) { // the file system cannot do without
        std::string name = folder + "/gpuprof.XXXXXX";
        made.handle_ = ::mkostemp(name.data(), O_CLOEXEC);
        if (made.is_open()) static_cast<void>(::unlink(name.c_str()));
    }
    if (!made.is_open()) return refused(folder, bytes, errno);
    int const reserved = ::posix_fallocate(made.handle_, 0, static_cast<off_t>(bytes));
    if (bytes != 0 && reserved != 0 && reserved != EOPNOTSUPP && reserved != EINVAL)
        return refused(folder, bytes, reserved);
    return result<scratch_file>{std::move(made)};
}
inline scratch_file::~scratch_file() {
    if (is_open()) static_cast<void>(::close(handle_));
}
inline bool scratch_file::write(std::size_t offset, unsigned char const* from, std::size_t bytes) const noexcept {
    while (bytes != 0) {
        auto const count = ::pwrite(handle_, from, bytes, static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        auto const written = static_cast<std::size_t>(count);
        offset += written;
        from += written;
        bytes -= written;
    }
    return true;
}
inline bool scratch_file::read(std::size_t offset, unsigned char* to, std::size_t bytes) const noexcept {
    while (bytes != 0) {
        auto const count = ::pread(handle_, to, bytes, static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        auto const got = static_cast<std::size_t>(count);
        offset += got;
        to += got;
        bytes -= got;
    }
    return true;
}
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_SCRATCH_FILE_HPP
