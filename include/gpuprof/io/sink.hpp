// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where written bytes go. Layer: write out.
#ifndef GPUPROF_IO_SINK_HPP
#define GPUPROF_IO_SINK_HPP

#include <string>      // a sink of its own
#include <string_view> // bytes

#include "../core/result.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A place for bytes: a function and what it is called with, which must live as long as a writer uses the sink. A writer
// hands over blocks of many kilobytes, so a call through the pointer costs nothing that can be measured.
//
// `put` takes bytes that follow those of the calls before. `ending` is what would make the file whole should nothing follow:
// a sink that can go back writes it behind the bytes and lets the next call overwrite it, so that the file can be read even
// if the program dies; other sinks ignore it. After an error a writer calls `put` no more.
struct sink {
    result<void> (*put)(void* to, std::string_view bytes, std::string_view ending) = nullptr;
    void* to = nullptr;
};

// Appends to a string.
[[nodiscard]] inline sink into(std::string& text) noexcept {
    return {[](void* to, std::string_view bytes, std::string_view) -> result<void> {
                static_cast<std::string*>(to)->append(bytes);
                return {};
            },
            &text};
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_SINK_HPP
