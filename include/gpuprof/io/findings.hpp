// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes what rules found for people.
#ifndef GPUPROF_IO_FINDINGS_HPP
#define GPUPROF_IO_FINDINGS_HPP

#include <cstddef>
#include <iosfwd>
#include <string>

#include "../detail/config.hpp"
#include "../explain/explanation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// One finding in a few lines: what it is, how much it costs, what the numbers mean, what to do, and what it rests on.
[[nodiscard]] std::string text(explain::finding const& of, std::size_t columns = 100);

// A summary of each range, then its findings, those that save the most first, then the sections' values as tables, and which
// rules could not judge. At most `columns` wide.
[[nodiscard]] std::string table(explain::explanation const& of, std::size_t columns = 100);

#if !GPUPROF_ENABLED
inline std::string text(explain::finding const&, std::size_t) { return {}; }
inline std::string table(explain::explanation const&, std::size_t) { return {}; }
#endif

} // namespace io

namespace explain {
// Writes the text to a stream; include the stream's header.
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, finding const& of) {
    return out << io::text(of);
}
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, explanation const& of) {
    return out << io::table(of);
}
} // namespace explain

GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "findings.inl.hpp"
#endif

#endif // GPUPROF_IO_FINDINGS_HPP
