// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws occupancy curves.
#ifndef GPUPROF_IO_OCCUPANCY_SVG_HPP
#define GPUPROF_IO_OCCUPANCY_SVG_HPP

#include <cstddef>
#include <string>

#include "../detail/config.hpp"
#include "../explain/occupancy_curves.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// The three curves, one above the other, with the launch's point on each, as an <svg> element that scales to the width it is
// given. A curve without points says why. Colours: --gp-accent, --gp-series-2, --gp-background.
[[nodiscard]] std::string svg(explain::occupancy_curves const& of);

// The same in a few lines: the occupancy, and for each property of the launch the next amounts at which it would change.
[[nodiscard]] std::string text(explain::occupancy_curves const& of, std::size_t columns = 100);

#if !GPUPROF_ENABLED
inline std::string svg(explain::occupancy_curves const&) { return {}; }
inline std::string text(explain::occupancy_curves const&, std::size_t) { return {}; }
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "occupancy_svg.inl.hpp"
#endif

#endif // GPUPROF_IO_OCCUPANCY_SVG_HPP
