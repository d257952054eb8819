// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a file that grows while a program runs.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_OUTPUT_FILE_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_OUTPUT_FILE_HPP

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "../../../detail/config.hpp"
#include "file.hpp"
#include "platform.hpp"

#if !GPUPROF_WINDOWS
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

#if GPUPROF_WINDOWS
[[nodiscard]] inline std::string reason_of(int number) { return inner::words_of(static_cast<unsigned long>(number)); }

class [[nodiscard]] output_file {
public:
    output_file() noexcept : handle_{inner::no_handle()} {}
    output_file(output_file&& other) noexcept
        : handle_{std::exchange(other.handle_, inner::no_handle())},
          position_{other.position_},
          goes_back_{other.goes_back_} {}
    output_file& operator=(output_file&& other) noexcept {
        std::swap(handle_, other.handle_);
        position_ = other.position_;
        goes_back_ = other.goes_back_;
        return *this;
    }
    ~output_file() { static_cast<void>(close()); }

    [[nodiscard]] int open(std::string const& path) {
        static_cast<void>(close());
        handle_ = inner::file_handle::open(path, inner::file_handle::replacing);
        if (!is_open()) return last_error();
        position_ = 0;
        goes_back_ = ::GetFileType(handle_) == 1;
        return 0;
    }
    [[nodiscard]] bool is_open() const noexcept { return handle_ != inner::no_handle(); }
    [[nodiscard]] bool goes_back() const noexcept { return goes_back_; }

    [[nodiscard]] int append(std::string_view text) noexcept {
        std::uint64_t const at = position_;
        position_ += text.size();
        return write_at(at, text);
    }
    [[nodiscard]] int append_for_now(std::string_view text) noexcept { return write_at(position_, text); }
    [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
    [[nodiscard]] int end_at(std::uint64_t position, std::string_view text) noexcept {
        int const problem = write_at(position, text);
        std::uint64_t const end = position + text.size();
        long high = static_cast<long>(end >> 32);
        constexpr unsigned long failed = 0xffffffff, from_begin = 0;
        auto const low = static_cast<long>(static_cast<unsigned long>(end & 0xffffffff));
        if (::SetFilePointer(handle_, low, &high, from_begin) == failed && ::GetLastError() != 0) return last_error();
        if (::SetEndOfFile(handle_) == 0) return last_error();
        position_ = position;
        return problem;
    }

    [[nodiscard]] int close() noexcept {
        void* const open = std::exchange(handle_, inner::no_handle());
        return open != inner::no_handle() && ::CloseHandle(open) == 0 ? last_error() : 0;
    }

private:
    [[nodiscard]] static int last_error() noexcept {
        constexpr int failed_somehow = 31; // ERROR_GEN_FAILURE
        int const number = static_cast<int>(::GetLastError());
        return number == 0 ? failed_somehow : number;
    }
    [[nodiscard]] int write_at(std::uint64_t at, std::string_view text) const noexcept {
        constexpr int invalid_handle = 6;
        if (!is_open()) return invalid_handle;
        while (!text.empty()) {
            struct place { // an OVERLAPPED
                std::uint64_t internal[2];
                std::uint64_t offset;
                void* event;
            } where{{0, 0}, at, nullptr};
            constexpr std::size_t most = std::size_t{1} << 30;
            unsigned long const part = static_cast<unsigned long>(text.size() < most ? text.size() : most);
            unsigned long count = 0;
            auto* const from = goes_back_ ? reinterpret_cast<_OVERLAPPED*>(&where) : nullptr;
            if (::WriteFile(handle_, text.data(), part, &count, from) == 0 || count == 0) return last_error();
            text.remove_prefix(count);
            at += count;
        }
        return 0;
    }

    void* handle_;
    std::uint64_t position_ = 0;
    bool goes_back_ = false;
};
#else
// The system's text for an error number: "No space left on device".
[[nodiscard]] inline std::string reason_of(int number) {
    char text[128] = {};
    return ::strerror_r(number, text, sizeof text); // GNU's: the text may be outside the buffer
}

// A new file that is written from its beginning to its end. Functions return 0 or the system's
// error number; after an error the file ends somewhere after the last successful append. One thread
// at a time.
class [[nodiscard]] output_file {
public:
    output_file() noexcept = default;
    output_file(output_file&& other) noexcept
        : descriptor_{std::exchange(other.descriptor_, -1)}, position_{other.position_}, goes_back_{other.goes_back_} {}
    output_file& operator=(output_file&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        position_ = other.position_;
        goes_back_ = other.goes_back_;
        return *this;
    }
    ~output_file() { static_cast<void>(close()); }

    // Opens the file; replaces an existing one. Writes to a pipe or device as it is.
    [[nodiscard]] int open(std::string const& path) noexcept {
        static_cast<void>(close());
        descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
        if (descriptor_ < 0) return errno;
        position_ = 0;
        goes_back_ = ::lseek(descriptor_, 0, SEEK_SET) == 0;
        return 0;
    }
    [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }
    // Whether append() can write an ending that the next one overwrites: a file can, a pipe cannot.
    [[nodiscard]] bool goes_back() const noexcept { return goes_back_; }

    // Appends to the file.
    [[nodiscard]] int append(std::string_view text) noexcept {
        std::uint64_t const at = position_;
        position_ += text.size();
        return write_at(at, text);
    }
    // Appends text that the next append overwrites. @pre goes_back()
    [[nodiscard]] int append_for_now(std::string_view text) noexcept { return write_at(position_, text); }
    // Where the next append begins.
    [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
    // Goes back: the file is what it was when the next append began there, and ends with that text, which was there then.
    // Works where the disk is full: the text is written over what the file has, and the rest is cut. @pre goes_back()
    [[nodiscard]] int end_at(std::uint64_t position, std::string_view text) noexcept {
        int const problem = write_at(position, text);
        if (::ftruncate(descriptor_, static_cast<off_t>(position + text.size())) != 0) return errno;
        position_ = position;
        return problem;
    }

    // Closes the file. Not 0: written data may be lost.
    [[nodiscard]] int close() noexcept {
        int const open = std::exchange(descriptor_, -1);
        return open >= 0 && ::close(open) != 0 ? errno : 0;
    }

private:
    [[nodiscard]] int write_at(std::uint64_t at, std::string_view text) const noexcept {
        if (descriptor_ < 0) return EBADF;
        rlimit room = {}; // a larger file ends the process by SIGXFSZ
        if (goes_back_ && ::getrlimit(RLIMIT_FSIZE, &room) == 0 && room.rlim_cur != RLIM_INFINITY &&
            at + text.size() > room.rlim_cur)
            return EFBIG;
        while (!text.empty()) {
            auto const count = goes_back_ ? ::pwrite(descriptor_, text.data(), text.size(), static_cast<off_t>(at))
                                          : ::write(descriptor_, text.data(), text.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) return errno;
            if (count == 0) return EIO;
            text.remove_prefix(static_cast<std::size_t>(count));
            at += static_cast<std::uint64_t>(count);
        }
        return 0;
    }

    int descriptor_ = -1;
    std::uint64_t position_ = 0;
    bool goes_back_ = false;
};
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_OUTPUT_FILE_HPP
