// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes explanations and findings as text for people.
#ifndef GPUPROF_IO_FINDINGS_HPP
#define GPUPROF_IO_FINDINGS_HPP

#include <cstddef>
#include <iosfwd>
#include <string>

#include "../detail/config.hpp"
#include "../explain/explanation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

struct text_options {
    std::size_t columns = 100; // of a line; fewer than 80 are taken for 80
    bool colour = false;       // escape sequences of terminals: the caller knows whether it is one
    std::size_t findings = 20; // that are written: those that save the most, and as many that say what is to know
    std::size_t ranges = 8;    // whose sections are written, the longest first; the summary has all ranges
    bool silences = false;     // each rule that could not judge, and which range; else a line for each reason
};

// One finding in a few lines: what it is, how much it costs, what the numbers mean, what to do, and what it rests on.
[[nodiscard]] std::string text(explain::finding const& of, text_options const& options = {});

// A line for each range, the longest first, with what bounds it and what all its findings together would save; the findings,
// those that save the most first; the values of sections as tables; and why rules could not judge. Numbers have four
// significant digits, names of kernels are shortened where they do not differ: json() and csv() have all of both.
[[nodiscard]] std::string table(explain::explanation const& of, text_options const& options = {});

#if !GPUPROF_ENABLED
inline std::string text(explain::finding const&, text_options const&) { return {}; }
inline std::string table(explain::explanation const&, text_options const&) { return {}; }
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
