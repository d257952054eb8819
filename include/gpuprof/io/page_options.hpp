// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the page of an explanation has beside the explanation.
#ifndef GPUPROF_IO_PAGE_OPTIONS_HPP
#define GPUPROF_IO_PAGE_OPTIONS_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../detail/config.hpp"
#include "../explain/explanation.hpp"
#include "page_section.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// An explanation to compare with: of a report that was saved earlier, of another GPU, of another version of a program. Ranges
// are matched by their path, else by their name; several of one name in their order.
struct page_baseline {
    std::string name; // what the page calls it: "before"
    explain::explanation what;
};

// A picture or a table of a range that sections do not have: a roofline, the source.
struct page_part {
    std::string_view section; // the id of the section that it belongs to; other ids stand below all sections
    std::string_view title;
    // Makes the HTML: an SVG with role="img", <title> and <desc>, or a table with a <caption>. Texts in it must be escaped,
    // see gpuprof::detail::append_html. Empty: there is none for this range. @param range a place in ranges()
    std::string (*html)(void const* context, explain::explanation const& of, std::size_t range);
    void const* context = nullptr; // lives until the page is made
};

// A line more of findings: of one id in the ranges of a path.
struct finding_note {
    std::string path;
    std::string_view id; // a constant
    std::string text;    // "on 3 of 4 ranks, the most on rank 3: 40 %"
};

// What a page shows beside an explanation.
struct page_options {
    std::string title = "Why kernels take as long as they do";
    std::vector<std::pair<std::string, std::string>> facts{}; // more lines at the top: {"Driver", "580.95.05"}
    std::vector<page_baseline> baselines{};
    std::vector<page_part> parts{}; // beside those that every page has
    std::vector<page_section> sections{};
    std::vector<finding_note> ranks_of_findings{}; // where many ranks were explained
    // About as many as the page may have: the parts of ranges that took less time are left out, nothing else.
    std::size_t bytes = 2'000'000;
};

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_PAGE_OPTIONS_HPP
