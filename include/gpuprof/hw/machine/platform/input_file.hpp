// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a file that is too large for memory, part by part.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_INPUT_FILE_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_INPUT_FILE_HPP

#include <cstddef>
#include <string>

#include "../../../detail/config.hpp"
#include "file.hpp"
#include "platform.hpp"

#if !GPUPROF_WINDOWS
#include <fcntl.h>
#include <unistd.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// From the begin on. Closes the file at the end of a block. One thread at a time.
class [[nodiscard]] input_file {
public:
#if GPUPROF_WINDOWS
    explicit input_file(std::string const& path) : file_{path, inner::file_handle::reading} {}
    // Up to so many bytes; fewer at the end of the file or on failure, 0 after it.
    [[nodiscard]] std::size_t read(char* to, std::size_t size) const noexcept {
        std::size_t all = 0;
        for (unsigned long count = 1; all < size && count != 0; all += count) {
            std::size_t const left = size - all, most = std::size_t{1} << 30;
            if (::ReadFile(file_.handle(), to + all, static_cast<unsigned long>(left < most ? left : most), &count,
                           nullptr) == 0)
                break;
        }
        return all;
    }
#else
    explicit input_file(std::string const& path) : file_{::open(path.c_str(), O_RDONLY | O_CLOEXEC)} {}
    // Up to so many bytes; fewer at the end of the file or on failure, 0 after it.
    [[nodiscard]] std::size_t read(char* to, std::size_t size) const noexcept {
        std::size_t all = 0;
        for (long count = 1; all < size && count > 0; all += count > 0 ? static_cast<std::size_t>(count) : 0)
            count = file_.read(to + all, size - all);
        return all;
    }
#endif
    [[nodiscard]] bool is_open() const noexcept { return file_.is_open(); }

private:
#if GPUPROF_WINDOWS
    inner::file_handle file_;
#else
    file_descriptor file_;
#endif
};

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_INPUT_FILE_HPP
