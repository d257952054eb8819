// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes explanations as one HTML file.
#ifndef GPUPROF_IO_PAGE_HPP
#define GPUPROF_IO_PAGE_HPP

#include <string>
#include <utility>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../explain/explanation.hpp"
#include "page_options.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// The explanation as a page for a browser, everything in it: it loads nothing from anywhere, and its own script only sorts
// tables, compares, and draws what is opened. Without JavaScript, summary and findings are there, the values of sections are
// not. It follows light and dark, fits a phone, prints, and has names and tables for screen readers. docs/explain.md.
// 100 ranges with set full and six findings each are 1.7 MB, in 20 to 30 ms (g++ 12, -O2). Thread-safe.
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
