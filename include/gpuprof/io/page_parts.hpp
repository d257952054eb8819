// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pictures and tables that the page of an explanation has beside its sections.
#ifndef GPUPROF_IO_PAGE_PARTS_HPP
#define GPUPROF_IO_PAGE_PARTS_HPP

#include <vector>

#include "../detail/config.hpp"
#include "page.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io::detail {

// A line each. They stand below the section of that id, in this order.
[[nodiscard]] inline std::vector<page_part> parts_of_every_page() {
    return {
        // {"memory_workload", "Memory", [](void const*, explain::explanation const& of, std::size_t range) { return ...; }},
    };
}

} // namespace io::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_PAGE_PARTS_HPP
