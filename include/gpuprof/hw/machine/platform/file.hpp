// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads, writes and removes whole files.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_FILE_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_FILE_HPP

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "../../../detail/builtin.hpp"
#include "../../../detail/config.hpp"
#include "platform.hpp"
#include "windows_api.hpp"
#include "windows_security.hpp"
#include "windows_text.hpp"

#if GPUPROF_WINDOWS
#include "clock.hpp" // for unique names
#else
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// Who may read a file that is written. as_usual: those of the file that was there; of a new one,
// those whom the process's umask lets read.
enum class file_readers : bool { as_usual, this_user };

// synced: the content is on the disk before the name is, so that a machine that loses power has the
// old content or the new one. Costs milliseconds, or what the disk needs.
enum class file_storage : bool { as_usual, synced };

// The owners whose files are read. this_user: no other user owns the file or may write it, and its
// name is no symbolic link.
enum class file_owner : bool { anyone, this_user };

#if GPUPROF_WINDOWS
namespace inner {

// An open file; closes it at the end of a block.
class [[nodiscard]] file_handle {
public:
    enum purpose { reading, reading_no_link, making, replacing };

    [[nodiscard]] static void* open(std::string const& path, purpose why, _SECURITY_ATTRIBUTES* access = nullptr) {
        constexpr unsigned long read = 0x8000'0000, write = 0x4000'0000, shared_by_all = 7;
        constexpr unsigned long create_new = 1, create_always = 2, open_existing = 3;
        constexpr unsigned long normal = 0x80, link_itself = 0x20'0000;
        std::wstring const name = wide(path);
        if (name.empty()) return no_handle();
        bool const reads = why == reading || why == reading_no_link;
        // A reader lets others do everything, as elsewhere; a writer lets them read.
        return ::CreateFileW(name.c_str(), reads ? read : write, reads ? shared_by_all : 1, access,
                             reads           ? open_existing
                             : why == making ? create_new
                                             : create_always,
                             why == reading_no_link ? normal | link_itself : normal, nullptr);
    }

    file_handle(std::string const& path, purpose why, _SECURITY_ATTRIBUTES* access = nullptr)
        : handle_{open(path, why, access)} {}
    ~file_handle() { static_cast<void>(close()); }
    file_handle(file_handle const&) = delete;
    file_handle& operator=(file_handle const&) = delete;

    [[nodiscard]] bool is_open() const noexcept { return handle_ != no_handle(); }
    [[nodiscard]] void* handle() const noexcept { return handle_; }
    // Whether it is no console, pipe or device.
    [[nodiscard]] bool is_regular() const noexcept { return ::GetFileType(handle_) == 1; }

    // The rest of the file; nothing if that is more than `limit` bytes.
    [[nodiscard]] std::optional<std::string> read_all(std::size_t limit) const {
        std::string content;
        char part[4096];
        unsigned long count = 0;
        while (content.size() <= limit && ::ReadFile(handle_, part, sizeof part, &count, nullptr) != 0 && count > 0)
            content.append(part, count);
        if (content.size() > limit) return {};
        return content;
    }
    // False if not all of it was written.
    [[nodiscard]] bool write_all(std::string_view content) const noexcept {
        while (!content.empty()) {
            constexpr std::size_t most = std::size_t{1} << 30;
            unsigned long const part = static_cast<unsigned long>(content.size() < most ? content.size() : most);
            unsigned long count = 0;
            if (::WriteFile(handle_, content.data(), part, &count, nullptr) == 0 || count == 0) return false;
            content.remove_prefix(count);
        }
        return true;
    }
    // False if written data may be lost.
    [[nodiscard]] bool close() noexcept {
        void* const open = handle_;
        handle_ = no_handle();
        return open != no_handle() && ::CloseHandle(open) != 0;
    }

private:
    void* handle_;
};

inline constinit unsigned files_made = 0;

} // namespace inner

[[nodiscard]] inline std::optional<std::string>
read_file(std::string const& path, std::size_t limit = std::string::npos, file_owner owner = file_owner::anyone) {
    bool const own = owner == file_owner::this_user;
    constexpr unsigned long absent = ~0ul, link = 0x400;
    if (own) {
        unsigned long const attributes = ::GetFileAttributesW(inner::wide(path).c_str());
        if (attributes == absent || (attributes & link) != 0) return {};
    }
    inner::file_handle const in{path, own ? inner::file_handle::reading_no_link : inner::file_handle::reading};
    if (!in.is_open() || !in.is_regular() || (own && !inner::only_this_user_writes(in.handle()))) return {};
    return in.read_all(limit);
}

inline bool write_file(std::string const& path, std::string_view content, file_readers readers = file_readers::as_usual,
                       file_storage storage = file_storage::as_usual) {
    unsigned long const replace = storage == file_storage::synced ? 1 | 8 : 1; // 8: writes through
    // If another process's thread uses the same name, creating the file fails.
    std::string const beside = path + '.' + std::to_string(::GetCurrentProcessId()) + '.' +
                               std::to_string(monotonic_nanoseconds()) + '.' +
                               std::to_string(gpuprof::detail::add_relaxed(inner::files_made, 1u));
    inner::private_access access;
    inner::file_handle out{beside, inner::file_handle::making,
                           readers == file_readers::this_user ? access.attributes() : nullptr};
    if (!out.is_open()) return false;
    bool const whole = out.write_all(content);
    if (out.close() && whole && ::MoveFileExW(inner::wide(beside).c_str(), inner::wide(path).c_str(), replace) != 0)
        return true;
    ::DeleteFileW(inner::wide(beside).c_str());
    return false;
}

inline bool remove_file(std::string const& path) { return ::DeleteFileW(inner::wide(path).c_str()) != 0; }
inline bool is_there(std::string const& path) {
    constexpr unsigned long absent = ~0ul;
    return ::GetFileAttributesW(inner::wide(path).c_str()) != absent;
}
#else
// An open file; closes it at the end of a block.
class [[nodiscard]] file_descriptor {
public:
    explicit file_descriptor(int descriptor) noexcept : descriptor_{descriptor} {}
    ~file_descriptor() { static_cast<void>(close()); }
    file_descriptor(file_descriptor const&) = delete;
    file_descriptor& operator=(file_descriptor const&) = delete;

    [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

    // Reads or writes up to `size` bytes, despite signals. Returns their number, 0 at the end, less
    // on failure.
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
    // False if written data may be lost.
    [[nodiscard]] bool close() noexcept {
        int const open = descriptor_;
        descriptor_ = -1;
        return open >= 0 && ::close(open) == 0;
    }

private:
    int descriptor_;
};

// All bytes of a regular file; nothing if there is none, if it has more than `limit` bytes, or if
// it is not the `owner`'s. Never waits: does not read pipes. Reads to the end, whatever size the
// system reports: files of /proc report 0.
[[nodiscard]] inline std::optional<std::string>
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

namespace inner {
// A new file beside that of the path, open for writing, less than 0 if there can be none, and its name.
[[nodiscard]] inline int open_beside(std::string const& path, file_readers readers, std::string& name) {
    name = path + ".XXXXXX"; // a process id is not unique where containers share the directory
    if (readers == file_readers::this_user) return ::mkostemp(name.data(), O_CLOEXEC);
    struct stat old = {};
    bool const replaces = ::stat(path.c_str(), &old) == 0;
    int const unique = ::mkostemp(name.data(), O_CLOEXEC);
    if (unique < 0) return unique;
    if (replaces) {
        static_cast<void>(::fchmod(unique, old.st_mode & 0777)); // the user may not: then it stays this user's
        return unique;
    }
    // Only a file that open() creates gets its mode from the umask, which cannot be read otherwise
    // without changing it for other threads.
    ::close(unique);
    ::unlink(name.c_str());
    return ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}
} // namespace inner

// Writes a new file and renames it over the old one, so that readers see all of the content or the
// old content. A symbolic link stays, and the file that it names is replaced, unless the file is
// for this user alone. False, with nothing left behind, if that fails; a process that is killed
// meanwhile leaves a file of that name and six more characters.
inline bool write_file(std::string const& path, std::string_view content, file_readers readers = file_readers::as_usual,
                       file_storage storage = file_storage::as_usual) {
    rlimit room = {}; // a larger file ends the process by SIGXFSZ
    if (::getrlimit(RLIMIT_FSIZE, &room) == 0 && room.rlim_cur != RLIM_INFINITY && content.size() > room.rlim_cur)
        return false;
    std::string place = path;
    if (readers == file_readers::as_usual)
        if (char* const real = ::realpath(path.c_str(), nullptr)) {
            place = real;
            std::free(real);
        }
    std::string beside;
    file_descriptor out{inner::open_beside(place, readers, beside)};
    if (!out.is_open()) return false;
    while (!content.empty()) {
        long const n = out.write(content.data(), content.size());
        if (n <= 0) break;
        content.remove_prefix(static_cast<std::size_t>(n));
    }
    bool const stored = storage == file_storage::as_usual || ::fsync(out.descriptor()) == 0;
    bool const whole = out.close() && content.empty() && stored;
    if (whole && std::rename(beside.c_str(), place.c_str()) == 0) return true;
    std::remove(beside.c_str());
    return false;
}

// Removes a file. False if it does not exist or may not be removed.
inline bool remove_file(std::string const& path) { return std::remove(path.c_str()) == 0; }

// Whether anything has that name: a file, a link to nothing, a pipe. True where nobody can tell.
inline bool is_there(std::string const& path) {
    struct stat info = {};
    return ::lstat(path.c_str(), &info) == 0 || (errno != ENOENT && errno != ENOTDIR);
}
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_FILE_HPP
