// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sinks: the destinations of written bytes.
#ifndef GPUPROF_IO_SINK_HPP
#define GPUPROF_IO_SINK_HPP

#include <string>
#include <string_view>

#include "../core/result.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A destination for bytes: a function and its argument, which must live as long as a writer uses
// the sink. Writers hand over blocks of many kilobytes, so the indirect call costs nothing
// measurable.
//
// `put` appends bytes. `ending` is the text that would make the file complete if nothing followed:
// a sink that can go back writes it after the bytes, and the next call overwrites it, so that the
// file is readable even if the program dies; other sinks ignore it. After an error a writer does
// not call `put` again.
struct sink {
    result<void> (*put)(void* to, std::string_view bytes, std::string_view ending) = nullptr;
    void* to = nullptr;
};

// A sink that appends to a string.
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
