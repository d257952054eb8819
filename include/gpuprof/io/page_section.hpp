// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A part of the page of an explanation that belongs to no range.
#ifndef GPUPROF_IO_PAGE_SECTION_HPP
#define GPUPROF_IO_PAGE_SECTION_HPP

#include <string>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// It stands between the findings and the ranges, and in the page's navigation. page_options::sections has them;
// ranks_section() of ranks.hpp makes one.
struct page_section {
    std::string id;    // of the heading, and of links: letters; none that the page has
    std::string title; // any text
    // HTML of what is below the heading: tables with a <caption>, "sorts" as their class if they sort; pictures with role="img"
    // and <title>. Texts in it must be escaped, see gpuprof::detail::append_html.
    std::string html;
};

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_PAGE_SECTION_HPP
