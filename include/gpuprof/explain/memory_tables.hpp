// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory tables: what went through shared memory, L1, L2 and device memory, by kind of access. Pure data. Nsight Compute
// guide, chapter 10.
#ifndef GPUPROF_EXPLAIN_MEMORY_TABLES_HPP
#define GPUPROF_EXPLAIN_MEMORY_TABLES_HPP

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "../core/compute_capability.hpp"
#include "../core/unit.hpp"
#include "../detail/config.hpp"
#include "section.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// A column. The cells of a plain one name metrics. Those of a calculated one are factor * column `of` / column `over`, of
// the same row.
struct table_column {
    std::string_view title;
    gpuprof::unit unit{}; // of its numbers
    int of = -1;          // a column's number; negative: cells are metrics
    int over = -1;        // negative: nothing
    double factor = 1;
    bool per_second = false; // over the time that the range took
    bool shown = true;       // false: only others are calculated from it
};

// What a row has in a plain column if it is no metric: nothing (null), or this, if the number in the row above is of both.
inline constexpr char const* above = "^";

// A row: an access type, or the sum of others.
struct table_row {
    std::string_view title;
    char const* cells[10]{}; // of the plain columns, in their order
    unsigned sum_of = 0;     // bits of rows: what has no metric in `cells` is the sum of these
    compute_capability least{7, 0};
    bool of_fabric = false; // only on chips whose L2 is of two partitions

    [[nodiscard]] constexpr bool is_for(compute_capability chip) const noexcept {
        return least <= chip && (!of_fabric || has_fabric(chip));
    }
    [[nodiscard]] static constexpr bool has_fabric(compute_capability chip) noexcept {
        return chip == compute_capability{8, 0} || chip == compute_capability{9, 0} || chip.generation == 10;
    }
};

// A table: its columns, and a row for each kind of access.
struct memory_table {
    std::string_view id; // "l1": stable, for programs
    std::string_view title;
    std::span<table_column const> columns;
    std::span<table_row const> rows;
    compute_capability least{7, 0}; // chips before it do not have the table
};

namespace memory_tables {
namespace detail {
// The bits of the first rows.
[[nodiscard]] constexpr unsigned rows_up_to(unsigned count) noexcept { return (1u << count) - 1; }

inline constexpr unit instructions = unit_of(dimension::instruction);
inline constexpr unit requests = unit_of(dimension::request);
inline constexpr unit wavefronts = unit_of(dimension::wavefront);
inline constexpr unit sectors = unit_of(dimension::sector);
inline constexpr unit bytes = unit_of(dimension::byte);
inline constexpr unit bytes_per_second = bytes / unit_of(dimension::second);
inline constexpr unit cycles = unit_of(dimension::cycle_gpc);
inline constexpr double sector_size = 32;

namespace columns {
// clang-format off
inline constexpr table_column shared_memory[]{
    {"Instructions", instructions}, {"Requests", instructions}, {"Wavefronts", wavefronts}, {"% Peak", percent_unit},
    {"Bank conflicts", unit_of(dimension::bank_conflict)},
};
inline constexpr table_column l1[]{
    {"Instructions", instructions}, {"Requests", requests}, {"Wavefronts", wavefronts},
    {"Wavefronts, % peak", percent_unit}, {"Sectors", sectors}, {"Hits", sectors, -1, -1, 1, false, false},
    {"Sectors/request", sectors / requests, 4, 1}, {"Hit rate", percent_unit, 5, 4, 100},
    {"Bytes", bytes, 4, -1, sector_size}, {"Sectors missed to L2", sectors}, {"% peak to L2", percent_unit},
    {"Returns to SM", cycles}, {"% peak to SM", percent_unit},
};
inline constexpr table_column l2[]{
    {"Requests", requests}, {"Sectors", sectors}, {"Sectors/request", sectors / requests, 1, 0}, {"% Peak", percent_unit},
    {"Hits", sectors, -1, -1, 1, false, false}, {"Hit rate", percent_unit, 4, 1, 100}, {"Bytes", bytes, 1, -1, sector_size},
    {"Throughput", bytes_per_second, 1, -1, sector_size, true}, {"Missed to device", sectors}, {"Missed to system", sectors},
    {"Missed to peer", sectors},
};
inline constexpr table_column l2_eviction[]{
    {"First", sectors}, {"Hits", sectors, -1, -1, 1, false, false}, {"Hit rate, first", percent_unit, 1, 0, 100},
    {"Last", sectors}, {"Hits", sectors, -1, -1, 1, false, false}, {"Hit rate, last", percent_unit, 4, 3, 100},
    {"Normal", sectors}, {"Hits", sectors, -1, -1, 1, false, false}, {"Hit rate, normal", percent_unit, 7, 6, 100},
    {"Normal demote", sectors}, {"Hits", sectors, -1, -1, 1, false, false}, {"Hit rate, demote", percent_unit, 10, 9, 100},
};
inline constexpr table_column device_memory[]{
    {"Sectors", sectors}, {"% Peak", percent_unit}, {"Bytes", bytes}, {"Throughput", bytes_per_second, 2, -1, 1, true},
};
// clang-format on
} // namespace columns

namespace rows {
// clang-format off
inline constexpr table_row shared_memory[]{
    {"Load",
     {"smsp__sass_inst_executed_op_shared_ld.sum",
      "smsp__inst_executed_op_shared_ld.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum.pct_of_peak_sustained_elapsed",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"}},
    {"Load of a matrix",
     {"smsp__sass_inst_executed_op_ldsm.sum",
      "smsp__inst_executed_op_ldsm.sum",
      above,
      above,
      above},
     0, {7, 5}},
    {"Store",
     {"smsp__sass_inst_executed_op_shared_st.sum",
      "smsp__inst_executed_op_shared_st.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum.pct_of_peak_sustained_elapsed",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}},
    {"Atomic",
     {"smsp__sass_inst_executed_op_shared_atom.sum",
      "smsp__inst_executed_op_shared_atom.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum.pct_of_peak_sustained_elapsed",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"}},
    {"Other",
     {nullptr,
      nullptr,
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_misc.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_misc.sum.pct_of_peak_sustained_elapsed",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_misc.sum"},
     0, {9, 0}},
    {"Total",
     {"smsp__sass_inst_executed_op_shared.sum",
      nullptr,
      "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed",
      "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"},
     rows_up_to(5)},
};
inline constexpr table_row l1[]{
    {"Local load",
     {"smsp__inst_executed_op_local_ld.sum",
      "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
      "l1tex__t_output_wavefronts_pipe_lsu_mem_local_op_ld.sum",
      "l1tex__t_output_wavefronts_pipe_lsu_mem_local_op_ld.sum.pct_of_peak_sustained_elapsed",
      "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
      "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum",
      "l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld.sum",
      nullptr,
      "l1tex__lsu_writeback_active.sum",
      "l1tex__lsu_writeback_active.sum.pct_of_peak_sustained_elapsed"}},
    {"Global load",
     {"smsp__inst_executed_op_global_ld.sum",
      "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
      "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum",
      "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld.sum.pct_of_peak_sustained_elapsed",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
      above,
      nullptr,
      above,
      above}},
    {"Surface load",
     {"smsp__inst_executed_op_surface_ld.sum",
      "l1tex__t_requests_pipe_tex_mem_surface_op_ld.sum",
      "l1tex__t_output_wavefronts_pipe_tex_mem_surface_op_ld.sum",
      "l1tex__t_output_wavefronts_pipe_tex_mem_surface_op_ld.sum.pct_of_peak_sustained_elapsed",
      "l1tex__t_sectors_pipe_tex_mem_surface_op_ld.sum",
      "l1tex__t_sectors_pipe_tex_mem_surface_op_ld_lookup_hit.sum",
      "l1tex__m_xbar2l1tex_read_sectors_mem_surface_op_ld.sum",
      nullptr,
      "l1tex__tex_writeback_active.sum",
      "l1tex__tex_writeback_active.sum.pct_of_peak_sustained_elapsed"}},
    {"Texture load",
     {"smsp__inst_executed_op_texture.sum",
      "l1tex__t_requests_pipe_tex_mem_texture.sum",
      "l1tex__t_output_wavefronts_pipe_tex_mem_texture.sum",
      "l1tex__t_output_wavefronts_pipe_tex_mem_texture.sum.pct_of_peak_sustained_elapsed",
      "l1tex__t_sectors_pipe_tex_mem_texture.sum",
      "l1tex__t_sectors_pipe_tex_mem_texture_lookup_hit.sum",
      "l1tex__m_xbar2l1tex_read_sectors_mem_texture.sum",
      nullptr,
      above,
      above}},
    {"Global store",
     {"smsp__inst_executed_op_global_st.sum",
      "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
      "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_st.sum",
      "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_st.sum.pct_of_peak_sustained_elapsed",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum",
      "l1tex__m_l1tex2xbar_write_sectors_mem_lg_op_st.sum",
      "l1tex__m_l1tex2xbar_write_sectors_mem_lg_op_st.sum.pct_of_peak_sustained_elapsed"}},
    {"Local store",
     {"smsp__inst_executed_op_local_st.sum",
      "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
      "l1tex__t_output_wavefronts_pipe_lsu_mem_local_op_st.sum",
      "l1tex__t_output_wavefronts_pipe_lsu_mem_local_op_st.sum.pct_of_peak_sustained_elapsed",
      "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
      "l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum",
      above,
      above}},
    {"Surface store",
     {"smsp__inst_executed_op_surface_st.sum",
      "l1tex__t_requests_pipe_tex_mem_surface_op_st.sum",
      "l1tex__t_output_wavefronts_pipe_tex_mem_surface_op_st.sum",
      "l1tex__t_output_wavefronts_pipe_tex_mem_surface_op_st.sum.pct_of_peak_sustained_elapsed",
      "l1tex__t_sectors_pipe_tex_mem_surface_op_st.sum",
      "l1tex__t_sectors_pipe_tex_mem_surface_op_st_lookup_hit.sum",
      "l1tex__m_l1tex2xbar_write_sectors_mem_surface_op_st.sum",
      "l1tex__m_l1tex2xbar_write_sectors_mem_surface_op_st.sum.pct_of_peak_sustained_elapsed"}},
    {"Global reduction",
     {"smsp__inst_executed_op_global_red.sum",
      "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
      "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_red.sum",
      "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_red.sum.pct_of_peak_sustained_elapsed",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_red_lookup_hit.sum",
      "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_red.sum",
      "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_red.sum.pct_of_peak_sustained_elapsed"}},
    {"Surface reduction",
     {"smsp__inst_executed_op_surface_red.sum",
      "l1tex__t_requests_pipe_tex_mem_surface_op_red.sum",
      "l1tex__t_output_wavefronts_pipe_tex_mem_surface_op_red.sum",
      "l1tex__t_output_wavefronts_pipe_tex_mem_surface_op_red.sum.pct_of_peak_sustained_elapsed",
      "l1tex__t_sectors_pipe_tex_mem_surface_op_red.sum",
      "l1tex__t_sectors_pipe_tex_mem_surface_op_red_lookup_hit.sum",
      "l1tex__m_l1tex2xbar_write_sectors_mem_surface_op_red.sum",
      "l1tex__m_l1tex2xbar_write_sectors_mem_surface_op_red.sum.pct_of_peak_sustained_elapsed"}},
    {"Global atomic, ALU",
     {"smsp__inst_executed_op_generic_atom_dot_alu.sum",
      "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
      "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_atom.sum",
      "l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_atom.sum.pct_of_peak_sustained_elapsed",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_atom_lookup_hit.sum",
      "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_atom.sum",
      "l1tex__m_l1tex2xbar_write_sectors_mem_global_op_atom.sum.pct_of_peak_sustained_elapsed",
      above,
      above}},
    {"Global atomic, CAS",
     {"smsp__inst_executed_op_generic_atom_dot_cas.sum",
      above,
      above,
      above,
      above,
      above,
      above,
      above,
      above,
      above}},
    {"Surface atomic, ALU",
     {"smsp__inst_executed_op_surface_atom_dot_alu.sum",
      "l1tex__t_requests_pipe_tex_mem_surface_op_atom.sum",
      "l1tex__t_output_wavefronts_pipe_tex_mem_surface_op_atom.sum",
      "l1tex__t_output_wavefronts_pipe_tex_mem_surface_op_atom.sum.pct_of_peak_sustained_elapsed",
      "l1tex__t_sectors_pipe_tex_mem_surface_op_atom.sum",
      "l1tex__t_sectors_pipe_tex_mem_surface_op_atom_lookup_hit.sum",
      "l1tex__m_l1tex2xbar_write_sectors_mem_surface_op_atom.sum",
      "l1tex__m_l1tex2xbar_write_sectors_mem_surface_op_atom.sum.pct_of_peak_sustained_elapsed",
      above,
      above}},
    {"Surface atomic, CAS",
     {"smsp__inst_executed_op_surface_atom_dot_cas.sum",
      above,
      above,
      above,
      above,
      above,
      above,
      above,
      above,
      above}},
    {"Loads",
     {},
     rows_up_to(4)},
    {"Stores",
     {},
     rows_up_to(7) & ~rows_up_to(4)},
    {"Total",
     {nullptr,
      "l1tex__t_requests.sum",
      "l1tex__t_output_wavefronts.sum",
      "l1tex__t_output_wavefronts.sum.pct_of_peak_sustained_elapsed",
      "l1tex__t_sectors.sum",
      "l1tex__t_sectors_lookup_hit.sum",
      nullptr,
      "l1tex__m_l1tex2xbar_req_cycles_active.sum.pct_of_peak_sustained_elapsed"},
     rows_up_to(13)},
};
inline constexpr table_row l2[]{
    {"L1/TEX load",
     {"lts__t_requests_srcunit_tex_op_read.sum",
      "lts__t_sectors_srcunit_tex_op_read.sum",
      "lts__t_sectors_srcunit_tex_op_read.sum.pct_of_peak_sustained_elapsed",
      "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_aperture_device_op_read_lookup_miss.sum",
      "lts__t_sectors_srcunit_tex_aperture_sysmem_op_read_lookup_miss.sum",
      "lts__t_sectors_srcunit_tex_aperture_peer_op_read_lookup_miss.sum"}},
    {"L1/TEX store",
     {"lts__t_requests_srcunit_tex_op_write.sum",
      "lts__t_sectors_srcunit_tex_op_write.sum",
      "lts__t_sectors_srcunit_tex_op_write.sum.pct_of_peak_sustained_elapsed",
      "lts__t_sectors_srcunit_tex_op_write_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_aperture_device_op_write_lookup_miss.sum",
      "lts__t_sectors_srcunit_tex_aperture_sysmem_op_write_lookup_miss.sum",
      "lts__t_sectors_srcunit_tex_aperture_peer_op_write_lookup_miss.sum"}},
    {"L1/TEX atomic, ALU",
     {"lts__t_requests_srcunit_tex_op_atom_dot_alu.sum",
      "lts__t_sectors_srcunit_tex_op_atom_dot_alu.sum",
      "lts__t_sectors_srcunit_tex_op_atom_dot_alu.sum.pct_of_peak_sustained_elapsed",
      "lts__t_sectors_srcunit_tex_op_atom_dot_alu_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_aperture_device_op_atom_dot_alu_lookup_miss.sum",
      "lts__t_sectors_srcunit_tex_aperture_sysmem_op_atom_dot_alu_lookup_miss.sum",
      "lts__t_sectors_srcunit_tex_aperture_peer_op_atom_dot_alu_lookup_miss.sum"}},
    {"L1/TEX atomic, CAS",
     {"lts__t_requests_srcunit_tex_op_atom_dot_cas.sum",
      "lts__t_sectors_srcunit_tex_op_atom_dot_cas.sum",
      "lts__t_sectors_srcunit_tex_op_atom_dot_cas.sum.pct_of_peak_sustained_elapsed",
      "lts__t_sectors_srcunit_tex_op_atom_dot_cas_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_aperture_device_op_atom_dot_cas_lookup_miss.sum",
      "lts__t_sectors_srcunit_tex_aperture_sysmem_op_atom_dot_cas_lookup_miss.sum",
      "lts__t_sectors_srcunit_tex_aperture_peer_op_atom_dot_cas_lookup_miss.sum"}},
    {"L1/TEX reduction",
     {"lts__t_requests_srcunit_tex_op_red.sum",
      "lts__t_sectors_srcunit_tex_op_red.sum",
      "lts__t_sectors_srcunit_tex_op_red.sum.pct_of_peak_sustained_elapsed",
      "lts__t_sectors_srcunit_tex_op_red_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_aperture_device_op_red_lookup_miss.sum",
      "lts__t_sectors_srcunit_tex_aperture_sysmem_op_red_lookup_miss.sum",
      "lts__t_sectors_srcunit_tex_aperture_peer_op_red_lookup_miss.sum"}},
    {"L1/TEX total",
     {"lts__t_requests_srcunit_tex.sum",
      "lts__t_sectors_srcunit_tex.sum",
      "lts__t_sectors_srcunit_tex.sum.pct_of_peak_sustained_elapsed",
      "lts__t_sectors_srcunit_tex_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_aperture_device_lookup_miss.sum",
      "lts__t_sectors_srcunit_tex_aperture_sysmem_lookup_miss.sum",
      "lts__t_sectors_srcunit_tex_aperture_peer_lookup_miss.sum"}},
    {"ECC total",
     {nullptr,
      "lts__t_sectors_data_ecc.sum",
      "lts__t_sectors_data_ecc.sum.pct_of_peak_sustained_elapsed"}},
    {"L2 fabric total",
     {"lts__t_requests_srcunit_ltcfabric.sum",
      "lts__t_sectors_srcunit_ltcfabric.sum",
      "lts__t_sectors_srcunit_ltcfabric.sum.pct_of_peak_sustained_elapsed",
      "lts__t_sectors_srcunit_ltcfabric_lookup_hit.sum",
      "lts__t_sectors_srcunit_ltcfabric_aperture_device_lookup_miss.sum",
      "lts__t_sectors_srcunit_ltcfabric_aperture_sysmem_lookup_miss.sum",
      "lts__t_sectors_srcunit_ltcfabric_aperture_peer_lookup_miss.sum"},
     0, {8, 0}, true},
    {"GPU total",
     {"lts__t_requests.sum",
      "lts__t_sectors.sum",
      "lts__t_sectors.sum.pct_of_peak_sustained_elapsed",
      "lts__t_sectors_lookup_hit.sum",
      "lts__t_sectors_aperture_device_lookup_miss.sum",
      "lts__t_sectors_aperture_sysmem_lookup_miss.sum",
      "lts__t_sectors_aperture_peer_lookup_miss.sum"}},
};
inline constexpr table_row l2_eviction[]{
    {"L1/TEX load",
     {"lts__t_sectors_srcunit_tex_op_read_evict_first.sum",
      "lts__t_sectors_srcunit_tex_op_read_evict_first_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_op_read_evict_last.sum",
      "lts__t_sectors_srcunit_tex_op_read_evict_last_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_op_read_evict_normal.sum",
      "lts__t_sectors_srcunit_tex_op_read_evict_normal_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_op_read_evict_normal_demote.sum",
      "lts__t_sectors_srcunit_tex_op_read_evict_normal_demote_lookup_hit.sum"}},
    {"L1/TEX store",
     {"lts__t_sectors_srcunit_tex_op_write_evict_first.sum",
      "lts__t_sectors_srcunit_tex_op_write_evict_first_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_op_write_evict_last.sum",
      "lts__t_sectors_srcunit_tex_op_write_evict_last_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_op_write_evict_normal.sum",
      "lts__t_sectors_srcunit_tex_op_write_evict_normal_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_op_write_evict_normal_demote.sum",
      "lts__t_sectors_srcunit_tex_op_write_evict_normal_demote_lookup_hit.sum"}},
    {"L1/TEX atomic",
     {"lts__t_sectors_srcunit_tex_op_atom_evict_first.sum",
      "lts__t_sectors_srcunit_tex_op_atom_evict_first_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_op_atom_evict_last.sum",
      "lts__t_sectors_srcunit_tex_op_atom_evict_last_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_op_atom_evict_normal.sum",
      "lts__t_sectors_srcunit_tex_op_atom_evict_normal_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_op_atom_evict_normal_demote.sum",
      "lts__t_sectors_srcunit_tex_op_atom_evict_normal_demote_lookup_hit.sum"}},
    {"L1/TEX total",
     {"lts__t_sectors_srcunit_tex_evict_first.sum",
      "lts__t_sectors_srcunit_tex_evict_first_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_evict_last.sum",
      "lts__t_sectors_srcunit_tex_evict_last_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_evict_normal.sum",
      "lts__t_sectors_srcunit_tex_evict_normal_lookup_hit.sum",
      "lts__t_sectors_srcunit_tex_evict_normal_demote.sum",
      "lts__t_sectors_srcunit_tex_evict_normal_demote_lookup_hit.sum"}},
    {"L2 fabric total",
     {"lts__t_sectors_srcunit_ltcfabric_evict_first.sum",
      "lts__t_sectors_srcunit_ltcfabric_evict_first_lookup_hit.sum",
      "lts__t_sectors_srcunit_ltcfabric_evict_last.sum",
      "lts__t_sectors_srcunit_ltcfabric_evict_last_lookup_hit.sum",
      "lts__t_sectors_srcunit_ltcfabric_evict_normal.sum",
      "lts__t_sectors_srcunit_ltcfabric_evict_normal_lookup_hit.sum",
      "lts__t_sectors_srcunit_ltcfabric_evict_normal_demote.sum",
      "lts__t_sectors_srcunit_ltcfabric_evict_normal_demote_lookup_hit.sum"},
     0, {8, 0}, true},
    {"GPU total",
     {"lts__t_sectors_evict_first.sum",
      "lts__t_sectors_evict_first_lookup_hit.sum",
      "lts__t_sectors_evict_last.sum",
      "lts__t_sectors_evict_last_lookup_hit.sum",
      "lts__t_sectors_evict_normal.sum",
      "lts__t_sectors_evict_normal_lookup_hit.sum",
      "lts__t_sectors_evict_normal_demote.sum",
      "lts__t_sectors_evict_normal_demote_lookup_hit.sum"}},
};
inline constexpr table_row device_memory[]{
    {"Load",
     {"dram__sectors_read.sum",
      "dram__bytes_read.sum.pct_of_peak_sustained_elapsed",
      "dram__bytes_read.sum"}},
    {"Store",
     {"dram__sectors_write.sum",
      "dram__bytes_write.sum.pct_of_peak_sustained_elapsed",
      "dram__bytes_write.sum"}},
    {"Total",
     {"dram__sectors.sum",
      "dram__bytes.sum.pct_of_peak_sustained_elapsed",
      "dram__bytes.sum"}},
};
// clang-format on
} // namespace rows
} // namespace detail

// Shared memory, by kind of access.
inline constexpr memory_table shared_memory{"shared", "Shared memory", detail::columns::shared_memory,
                                            detail::rows::shared_memory};
// What a load of global memory returns is not told apart from what one of local memory returns, nor what atomics return; the
// same holds for the sectors that miss. CUPTI counts the instructions of global atomics with the generic ones.
inline constexpr memory_table l1{"l1", "L1/TEX cache", detail::columns::l1, detail::rows::l1};
inline constexpr memory_table l2{"l2", "L2 cache", detail::columns::l2, detail::rows::l2};
// Reductions have no counters of their own here.
inline constexpr memory_table l2_eviction{
    "l2_eviction", "L2 cache, eviction policies", detail::columns::l2_eviction, detail::rows::l2_eviction, {8, 0}};
inline constexpr memory_table device_memory{"device", "Device memory", detail::columns::device_memory,
                                            detail::rows::device_memory};

// Every table, from the SM to device memory.
inline constexpr memory_table const* all[]{&shared_memory, &l1, &l2, &l2_eviction, &device_memory};

namespace detail {
[[nodiscard]] constexpr bool is_metric(char const* cell) noexcept { return cell != nullptr && *cell != *above; }
[[nodiscard]] constexpr std::size_t metric_count() noexcept {
    std::size_t count = 0;
    for (memory_table const* const table : all)
        for (table_row const& row : table->rows)
            for (char const* const cell : row.cells) count += is_metric(cell);
    return count;
}
} // namespace detail

// The metrics of all cells and the time, as the rows of a section. No metric stands in two cells.
inline constexpr auto section_rows = [] {
    std::array<section_row, detail::metric_count() + 1> made{};
    std::size_t size = 0;
    made[size++] = {"Duration", "gpu__time_duration.sum"};
    for (memory_table const* const table : all)
        for (table_row const& row : table->rows)
            for (char const* const cell : row.cells)
                if (detail::is_metric(cell)) made[size++] = {cell, cell};
    return made;
}();
} // namespace memory_tables

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_MEMORY_TABLES_HPP
