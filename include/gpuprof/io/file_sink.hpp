// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sink that writes to a file.
#ifndef GPUPROF_IO_FILE_SINK_HPP
#define GPUPROF_IO_FILE_SINK_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "trace_compiled_out.hpp"
#else

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "../hw/machine/platform/output_file.hpp"
#include "sink.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A file for a writer. The file is readable at any time: in a regular file every block ends with
// the text that makes it complete, which the next block overwrites. A block that does not fit on
// the disk is taken away again, so that the file ends after the block before. Without a buffer:
// writers have one. One thread at a time.
//
//     auto file = gpuprof::io::file_sink::try_open("trace.json").value();
//     gpuprof::io::trace_event_writer trace{file.sink()};
class file_sink {
public:
    // Creates or replaces the file. Errors: io, with the system's reason.
    [[nodiscard]] static result<file_sink> try_open(std::string path) {
        file_sink file{std::move(path)};
        int const number = file.file_.open(file.path_);
        if (number != 0) return failure("open", file.path_, number);
        return result<file_sink>{std::move(file)}; // nvcc needs the explicit move
    }

    // The sink of this file; invalid once the file_sink has moved or ended.
    [[nodiscard]] io::sink sink() noexcept { return {&put, this}; }
    [[nodiscard]] std::string const& path() const& noexcept { return path_; }

    // Closes the file. The destructor does it, too, but cannot report a failure. Errors: io.
    [[nodiscard]] result<void> close() {
        int const number = file_.close();
        if (number != 0) return failure("close", path_, number);
        return {};
    }

private:
    explicit file_sink(std::string path) noexcept : path_{std::move(path)} {}

    [[nodiscard]] static error failure(std::string_view action, std::string const& path, int number) {
        return {errc::io, number, gpuprof::detail::joined({action, " ", path}), platform::reason_of(number),
                "write to a place that has room and that this user may write"};
    }
    static result<void> put(void* to, std::string_view bytes, std::string_view ending) {
        auto& self = *static_cast<file_sink*>(to);
        int number = self.file_.append(bytes);
        if (number == 0 && !ending.empty() && self.file_.goes_back()) number = self.file_.append_for_now(ending);
        if (number != 0) {
            if (self.file_.goes_back()) static_cast<void>(self.file_.end_at(self.whole_size_, self.whole_ending_));
            return failure("write", self.path_, number);
        }
        // A writer of lines has no ending; a block that the size of a writer's buffer cut may end within one.
        if (!ending.empty() || (self.whole_ending_.empty() && bytes.ends_with('\n'))) {
            self.whole_size_ = self.file_.position();
            self.whole_ending_ = ending;
        }
        return {};
    }

    std::string path_;
    std::uint64_t whole_size_ = 0; // of the file when it was last complete, without its ending
    std::string whole_ending_;
    platform::output_file file_;
};

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_IO_FILE_SINK_HPP
