// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory chart: units, and the links between them with their metrics. Pure data. Nsight Compute guide, chapter 9.
#ifndef GPUPROF_EXPLAIN_MEMORY_CHART_METRICS_HPP
#define GPUPROF_EXPLAIN_MEMORY_CHART_METRICS_HPP

#include <array>
#include <cstddef>
#include <string_view>

#include "../core/unit.hpp"
#include "../detail/config.hpp"
#include "section.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// Logical units are what a program speaks of, physical ones what the GPU has.
enum class chart_unit : unsigned char {
    kernel,
    global,
    local,
    texture,
    surface,
    global_to_shared,
    shared,
    l1,
    shared_memory,
    l2,
    compression,
    system,
    device,
    peer
};

// What is shown of a unit.
struct chart_unit_row {
    chart_unit unit;
    std::string_view title;
    bool logical;
    char const* value = nullptr; // of the unit as a whole, in per cent
    std::string_view value_title{};
    char const* port = nullptr; // how near the data port that its links share came to its peak
};

// What goes from one unit to another: the sum of some metrics, times `each`.
struct chart_link_row {
    chart_unit from;
    chart_unit to;
    std::string_view what; // "instructions"
    gpuprof::unit unit;
    char const* metrics[5];
    double each = 1;
    char const* of_peak = nullptr; // how near the path came to its peak
};

namespace memory_chart_metrics {
// clang-format off
inline constexpr chart_unit_row units[]{
    {chart_unit::kernel, "Kernel", true},
    {chart_unit::global, "Global", true},
    {chart_unit::local, "Local", true},
    {chart_unit::texture, "Texture", true},
    {chart_unit::surface, "Surface", true},
    {chart_unit::global_to_shared, "Global to shared", true},
    {chart_unit::shared, "Shared", true},
    {chart_unit::l1, "L1/TEX cache", false, "l1tex__t_sector_hit_rate.pct", "hits", "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"},
    {chart_unit::shared_memory, "Shared memory", false, nullptr, {}, "l1tex__data_pipe_lsu_wavefronts.sum.pct_of_peak_sustained_elapsed"},
    {chart_unit::l2, "L2 cache", false, "lts__t_sector_hit_rate.pct", "hits", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {chart_unit::compression, "L2 compression", false, "lts__average_gcomp_input_sector_success_rate.pct", "success"},
    {chart_unit::system, "System memory", false, nullptr, {}, "pcie__throughput.avg.pct_of_peak_sustained_elapsed"},
    {chart_unit::device, "Device memory", false, nullptr, {}, "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    {chart_unit::peer, "Peer memory", false},
};

// What goes over links, as units.
inline constexpr unit instructions = unit_of(dimension::instruction);
// Of requests.
inline constexpr unit requests = unit_of(dimension::request);
// Of bytes.
inline constexpr unit bytes = unit_of(dimension::byte);

// Links to the kernel are loads, links from it all other accesses; so on each way down.
inline constexpr chart_link_row links[]{
    {chart_unit::kernel, chart_unit::global, "instructions", instructions,
     {"smsp__inst_executed_op_global_ld.sum", "smsp__inst_executed_op_global_st.sum", "smsp__inst_executed_op_global_red.sum",
      "smsp__inst_executed_op_generic_atom_dot_alu.sum", "smsp__inst_executed_op_generic_atom_dot_cas.sum"}},
    {chart_unit::kernel, chart_unit::local, "instructions", instructions,
     {"smsp__inst_executed_op_local_ld.sum", "smsp__inst_executed_op_local_st.sum"}},
    {chart_unit::kernel, chart_unit::texture, "instructions", instructions, {"smsp__inst_executed_op_texture.sum"}},
    {chart_unit::kernel, chart_unit::surface, "instructions", instructions,
     {"smsp__inst_executed_op_surface_ld.sum", "smsp__inst_executed_op_surface_st.sum", "smsp__inst_executed_op_surface_red.sum",
      "smsp__inst_executed_op_surface_atom.sum"}},
    {chart_unit::kernel, chart_unit::global_to_shared, "instructions", instructions, {"smsp__inst_executed_op_ldgsts.sum"}},
    {chart_unit::kernel, chart_unit::shared, "instructions", instructions,
     {"smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_ldsm.sum", "smsp__inst_executed_op_shared_st.sum",
      "smsp__inst_executed_op_shared_atom.sum"}},
    {chart_unit::l1, chart_unit::global, "requests", requests, {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"}, 1,
     "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum.pct_of_peak_sustained_elapsed"},
    {chart_unit::global, chart_unit::l1, "requests", requests,
     {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
      "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"}, 1,
     "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_st.sum.pct_of_peak_sustained_elapsed"},
    {chart_unit::l1, chart_unit::local, "requests", requests, {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum"}, 1,
     "l1tex__t_output_wavefronts_pipe_lsu_mem_local_op_ld.sum.pct_of_peak_sustained_elapsed"},
    {chart_unit::local, chart_unit::l1, "requests", requests, {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum"}, 1,
     "l1tex__t_output_wavefronts_pipe_lsu_mem_local_op_st.sum.pct_of_peak_sustained_elapsed"},
    {chart_unit::l1, chart_unit::texture, "requests", requests, {"l1tex__t_requests_pipe_tex_mem_texture.sum"}, 1,
     "l1tex__t_output_wavefronts_pipe_tex_mem_texture.sum.pct_of_peak_sustained_elapsed"},
    {chart_unit::l1, chart_unit::surface, "requests", requests, {"l1tex__t_requests_pipe_tex_mem_surface_op_ld.sum"}, 1,
     "l1tex__t_output_wavefronts_pipe_tex_mem_surface_op_ld.sum.pct_of_peak_sustained_elapsed"},
    {chart_unit::surface, chart_unit::l1, "requests", requests,
     {"l1tex__t_requests_pipe_tex_mem_surface_op_st.sum", "l1tex__t_requests_pipe_tex_mem_surface_op_red.sum",
      "l1tex__t_requests_pipe_tex_mem_surface_op_atom.sum"}, 1,
     "l1tex__t_output_wavefronts_pipe_tex_mem_surface_op_st.sum.pct_of_peak_sustained_elapsed"},
    {chart_unit::l1, chart_unit::global_to_shared, "requests", requests,
     {"l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts_cache_access.sum"}},
    {chart_unit::shared_memory, chart_unit::shared, "wavefronts", unit_of(dimension::wavefront),
     {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"}, 1,
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum.pct_of_peak_sustained_elapsed"},
    {chart_unit::shared, chart_unit::shared_memory, "wavefronts", unit_of(dimension::wavefront),
     {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"}, 1,
     "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum.pct_of_peak_sustained_elapsed"},
    {chart_unit::l2, chart_unit::l1, "bytes", bytes, {"l1tex__m_xbar2l1tex_read_bytes.sum"}, 1,
     "l1tex__m_xbar2l1tex_read_bytes.sum.pct_of_peak_sustained_elapsed"},
    {chart_unit::l1, chart_unit::l2, "bytes", bytes, {"l1tex__m_l1tex2xbar_write_bytes.sum"}, 1,
     "l1tex__m_l1tex2xbar_write_bytes.sum.pct_of_peak_sustained_elapsed"},
    {chart_unit::system, chart_unit::l2, "bytes", bytes, {"lts__t_sectors_aperture_sysmem_op_read.sum"}, 32},
    {chart_unit::l2, chart_unit::system, "bytes", bytes, {"lts__t_sectors_aperture_sysmem_op_write.sum"}, 32},
    {chart_unit::device, chart_unit::l2, "bytes", bytes, {"dram__bytes_read.sum"}, 1,
     "dram__bytes_read.sum.pct_of_peak_sustained_elapsed"},
    {chart_unit::l2, chart_unit::device, "bytes", bytes, {"dram__bytes_write.sum"}, 1,
     "dram__bytes_write.sum.pct_of_peak_sustained_elapsed"},
    {chart_unit::peer, chart_unit::l2, "bytes", bytes, {"lts__t_sectors_aperture_peer_op_read.sum"}, 32},
    {chart_unit::l2, chart_unit::peer, "bytes", bytes, {"lts__t_sectors_aperture_peer_op_write.sum"}, 32},
};
// clang-format on

namespace detail {
[[nodiscard]] constexpr std::size_t metric_count() noexcept {
    std::size_t count = 0;
    for (chart_unit_row const& each : units) count += (each.value != nullptr) + std::size_t{each.port != nullptr};
    for (chart_link_row const& each : links) {
        for (char const* const metric : each.metrics) count += metric != nullptr;
        count += each.of_peak != nullptr;
    }
    return count;
}
} // namespace detail

// The metrics of the chart as the rows of a section. No metric stands in two places.
inline constexpr auto section_rows = [] {
    std::array<section_row, detail::metric_count()> made{};
    std::size_t size = 0;
    auto const add = [&](char const* metric) {
        if (metric != nullptr) {
            made[size].label = metric;
            made[size++].metric = metric;
        }
    };
    for (chart_unit_row const& each : units) {
        add(each.value);
        add(each.port);
    }
    for (chart_link_row const& each : links) {
        for (char const* const metric : each.metrics) add(metric);
        add(each.of_peak);
    }
    return made;
}();
} // namespace memory_chart_metrics

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_MEMORY_CHART_METRICS_HPP
