// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes explanations as CSV (RFC 4180).
#ifndef GPUPROF_IO_EXPLANATION_CSV_HPP
#define GPUPROF_IO_EXPLANATION_CSV_HPP

#include <string>

#include "../detail/config.hpp"
#include "../explain/explanation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Everything that an explanation says, one value a line, for spreadsheets and data frames. Columns:
//
//     kind      "range", "row", "finding" or "silence"
//     range     the place of the range in the report, from 0
//     path      of the range
//     id        of the section, or of the finding
//     label     what the value is: "duration", "share", "bound by", "launches", "gain least", "gain likely", "gain most" of a
//               range; the label of a row; "measured", "threshold", the three gains, "then bound by", "meaning", "advice",
//               "line" and "what if" of a finding
//     metric    of a row; with a divisor, "metric / metric"; all metrics of a finding's "measured", with blanks between
//     value     a number, as many digits as read back the same; empty if the value is a text or missing
//     text      a value that is a text
//     unit      of the number; gains and shares are ratios from 0 to 1
//     fidelity  how the number came about: "exact", "modelled", "estimated", "always 0"
//     missing   why there is no value
[[nodiscard]] std::string csv(explain::explanation const& of);

#if !GPUPROF_ENABLED
inline std::string csv(explain::explanation const&) { return {}; }
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "explanation_csv.inl.hpp"
#endif

#endif // GPUPROF_IO_EXPLANATION_CSV_HPP
