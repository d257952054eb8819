// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The roofline model of one range: how much it calculated for each byte it moved, and what that allows at most.
#ifndef GPUPROF_EXPLAIN_ROOFLINE_HPP
#define GPUPROF_EXPLAIN_ROOFLINE_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../detail/config.hpp"
#include "../measure/report.hpp"
#include "explanation.hpp"
#include "roofline_metrics.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// A peak that was measured, by a program that does nothing else: it stands for the theoretical one.
struct measured_peak {
    std::string_view id;   // of a work or a level: "single", "dram"
    double per_second = 0; // operations, or bytes
};

// On which side of the ridge a point lies. Nsight Compute guide, 8.2.
enum class roof_side : unsigned char { memory, compute };
[[nodiscard]] constexpr std::string_view name(roof_side side) noexcept {
    return side == roof_side::memory ? "memory" : "compute";
}

// One level of memory, seen from the arithmetic of one roofline.
struct roof {
    roofline_level const* level = nullptr;
    row_value bandwidth{}; // at most, bytes per second: the slope
    bool measured = false; // the slope; else it is theoretical
    row_value traffic{};   // achieved, bytes per second

    std::optional<double> intensity{};  // operations per byte of the range: where its point is
    std::optional<double> ridge{};      // from which intensity on arithmetic is the limit
    std::optional<double> attainable{}; // operations per second that both limits allow at this intensity
    std::optional<roof_side> side{};
    std::optional<double> reached{}; // achieved / attainable, 1 at the roof
};

// The roofline of one kind of arithmetic in one range. A value.
struct roofline {
    std::string label{}; // of the range: "saxpy", or the name of a baseline
    roofline_work const* work = nullptr;
    row_value peak{};      // operations per second: the flat part
    bool measured = false; // the peak; else it is theoretical
    row_value achieved{};  // operations per second
    std::vector<roof> roofs{};

    [[nodiscard]] roof const* find(std::string_view level) const noexcept {
        for (roof const& each : roofs)
            if (each.level->id == level) return &each;
        return nullptr;
    }
    // Whether the range did any arithmetic of this kind, so that it has a point.
    [[nodiscard]] bool has_point() const noexcept { return achieved.number && *achieved.number > 0; }
};

// The roofline of one kind of arithmetic, with the roofs of DRAM, L2 and L1. What the device lacks has no number, and says why.
// The metrics are those of sections::roofline. @param peaks that stand for the theoretical ones
[[nodiscard]] roofline roofline_of(roofline_work const& work, range_view const& range,
                                   std::span<measured_peak const> peaks = {});

// The rooflines of the kinds of arithmetic that a range did; if it did none, those of single and double precision.
[[nodiscard]] std::vector<roofline> rooflines_of(range_view const& range, std::span<measured_peak const> peaks = {});

// The kind of arithmetic of that id; null if there is none.
[[nodiscard]] constexpr roofline_work const* find_work(std::string_view id) noexcept {
    for (roofline_work const& each : roofline_metrics::works)
        if (each.id == id) return &each;
    return nullptr;
}

#if !GPUPROF_ENABLED
inline roofline roofline_of(roofline_work const& work, range_view const&, std::span<measured_peak const>) {
    roofline none;
    none.work = &work;
    return none;
}
inline std::vector<roofline> rooflines_of(range_view const&, std::span<measured_peak const>) { return {}; }
#endif

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "roofline.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_ROOFLINE_HPP
