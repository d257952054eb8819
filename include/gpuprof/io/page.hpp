// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes explanations as one HTML file.
#ifndef GPUPROF_IO_PAGE_HPP
#define GPUPROF_IO_PAGE_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../explain/explanation.hpp"

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

struct page_options {
    std::string title = "Why kernels take as long as they do";
    std::vector<std::pair<std::string, std::string>> facts{}; // more lines at the top: {"Driver", "580.95.05"}
    std::vector<page_baseline> baselines{};
    std::vector<page_part> parts{};        // beside those that every page has
    std::size_t bytes_of_parts = 1u << 20; // parts of the longest ranges only, as many as fit
};

// The explanation as a page for a browser, everything in it: it loads nothing from anywhere, and its own script only sorts
// tables, compares, and draws what is opened. Without JavaScript, summary and findings are there, the values of sections are
// not. It follows light and dark, fits a phone, prints, and has names and tables for screen readers. docs/explain.md.
// Size and cost, 100 ranges with set full: docs/explain.md. Thread-safe.
[[nodiscard]] std::string page(explain::explanation const& of, page_options const& options = {});

// Writes the page into a new file. Errors: io, with the system's reason.
[[nodiscard]] result<void> try_write_page(std::string path, explain::explanation const& of,
                                          page_options const& options = {});

#if !GPUPROF_ENABLED
inline std::string page(explain::explanation const&, page_options const&) { return {}; }
inline result<void> try_write_page(std::string, explain::explanation const&, page_options const&) { // NOLINT
    return {};
}
#endif

#if GPUPROF_EXCEPTIONS
// The same, throwing.
inline void write_page(std::string path, explain::explanation const& of, page_options const& options = {}) {
    try_write_page(std::move(path), of, options).value();
}
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "page.inl.hpp"
#endif

#endif // GPUPROF_IO_PAGE_HPP
