// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes explanations as JSON (RFC 8259).
#ifndef GPUPROF_IO_EXPLANATION_JSON_HPP
#define GPUPROF_IO_EXPLANATION_JSON_HPP

#include <string>

#include "../detail/config.hpp"
#include "../explain/explanation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Everything that an explanation says, as one object; docs/explain.md names each member. Shares are from 0 to 1, values are in
// their row's unit, numbers have as many digits as read back the same, and what is not known is null.
//
//     {"format": "gpuprof explanation", "version": 1, "device": ..., "chip": ..., "source": "hardware" or "embedded", ...,
//      "sections": [{"id": ..., "rows": [{"label": ..., "metric": ..., "over": ..., "unit": ..., "fidelity": ...}]}],
//      "reasons":  [{"code": ..., "what": ..., "cause": ..., "remedy": ...}],
//      "ranges":   [{"path": ..., "nanoseconds": ..., "share": ..., "bound": ..., "gain": {...},
//                    "sections": {ID: {"values": [one a row], "missing": [[row, reason]]}}}],
//      "findings": [{"id": ..., "range": place in ranges, "measured": ..., "threshold": ..., "gain": {"least": ..., ...}}],
//      "silences": [{"id": ..., "range": ..., "why": ...}]}
//
// The version changes if a member goes or changes its meaning; new members may come at any time. Cost: about half a millisecond
// a range with all sections.
[[nodiscard]] std::string json(explain::explanation const& of);

#if !GPUPROF_ENABLED
inline std::string json(explain::explanation const&) { return {}; }
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "explanation_json.inl.hpp"
#endif

#endif // GPUPROF_IO_EXPLANATION_JSON_HPP
