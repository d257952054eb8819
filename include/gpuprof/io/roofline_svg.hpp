// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws rooflines.
#ifndef GPUPROF_IO_ROOFLINE_SVG_HPP
#define GPUPROF_IO_ROOFLINE_SVG_HPP

#include <cstddef>
#include <span>
#include <string>

#include "../detail/config.hpp"
#include "../explain/roofline.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// One chart with logarithmic axes, as an <svg> element that scales to the width it is given. Each roofline is drawn with its
// peak and slopes, and a point for each level of memory: rooflines of several kinds of arithmetic, or of one kind in several
// ranges or baselines, which are told apart by their labels. Roofs that are the same within 0.5 % are drawn once. Colours are
// the page's: --gp-accent, --gp-series-1 to -6, --gp-background. Without a roof or a point, the chart says why.
[[nodiscard]] std::string svg(std::span<explain::roofline const> of);
[[nodiscard]] inline std::string svg(explain::roofline const& of) { return svg({&of, 1}); }

// The same in a few lines: what was achieved of what peak, and for each level on which side of the ridge it lies.
[[nodiscard]] std::string text(explain::roofline const& of, std::size_t columns = 100);

#if !GPUPROF_ENABLED
inline std::string svg(std::span<explain::roofline const>) { return {}; }
inline std::string text(explain::roofline const&, std::size_t) { return {}; }
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "roofline_svg.inl.hpp"
#endif

#endif // GPUPROF_IO_ROOFLINE_SVG_HPP
