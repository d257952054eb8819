// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The source of kernels on the page of an explanation.
#ifndef GPUPROF_IO_SOURCE_PART_HPP
#define GPUPROF_IO_SOURCE_PART_HPP

#include <cstddef>
#include <string>

#include "../detail/config.hpp"
#include "../explain/finding_lines.hpp"
#include "page.hpp"
#include "source_view.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// For page_options::parts: below each range, the hottest lines of its kernel, by html_rows(). @pre `of` lives until the page is
// made
[[nodiscard]] inline page_part source_part(explain::source_view const& of) {
    constexpr std::size_t most_lines = 60;
    return {"source", "Source",
            [](void const* view, explain::explanation const& why, std::size_t range) {
                return html_rows(explain::lines_of_range(*static_cast<explain::source_view const*>(view), why.report(),
                                                         why.ranges()[range].range),
                                 most_lines);
            },
            &of};
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_SOURCE_PART_HPP
