// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain/memory_tables.hpp and memory_table_values.hpp: names against the chips' catalogues, cells by arithmetic.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/explain/memory_table_values.hpp>
#include <gpuprof/explain/sections.hpp>
#include <gpuprof/metric/catalogue/all.hpp>

#include "support/paper_report.hpp"

namespace memory_tables_test {

namespace explain = gpuprof::explain;
namespace tables = gpuprof::explain::memory_tables;
using explain::cell_kind;
using gpuprof::chip;
using test::paper_report;

namespace {

std::vector<std::string_view> cell_metrics() {
    std::vector<std::string_view> found;
    for (explain::memory_table const* const table : tables::all)
        for (explain::table_row const& row : table->rows)
            for (char const* const cell : row.cells)
                if (cell != nullptr && std::string_view{cell} != "^") found.push_back(cell);
    return found;
}

// Calls `check` with each chip that has a catalogue.
template <std::size_t... At, class Check>
void for_each_chip(std::index_sequence<At...>, Check check) {
    (check(gpuprof::catalogue_of<gpuprof::all_chips[At]>), ...);
}
template <class Check>
void for_each_chip(Check check) {
    for_each_chip(std::make_index_sequence<gpuprof::all_chips.size()>{}, check);
}

explain::table_cell const& cell(explain::memory_table_values const& of, std::string_view row, std::string_view column) {
    for (std::size_t r = 0; r < of.rows.size(); ++r)
        for (std::size_t c = 0; c < of.columns.size(); ++c)
            if (of.rows[r]->title == row && of.columns[c]->title == column) return of.at(r, c);
    FAIL("no cell ", row, ", ", column);
    return of.at(0, 0);
}
double number(explain::memory_table_values const& of, std::string_view row, std::string_view column) {
    auto const& value = cell(of, row, column).value;
    REQUIRE_MESSAGE(value.number, (value.missing ? value.missing->message() : std::string{row}));
    return *value.number;
}

} // namespace

TEST_CASE("memory tables: every metric of every cell is one of GH100 and stands once") {
    auto metrics = cell_metrics();
    CHECK(metrics.size() > 200);
    for (std::string_view const each : metrics) CHECK_MESSAGE(gpuprof::catalogue_of<chip::gh100>.contains(each), each);
    std::sort(metrics.begin(), metrics.end());
    auto const twice = std::adjacent_find(metrics.begin(), metrics.end());
    CHECK_MESSAGE(twice == metrics.end(), (twice == metrics.end() ? std::string_view{} : *twice));
}

TEST_CASE("memory tables: the section has the metrics of all cells and the time") {
    auto const& rows = explain::sections::memory_tables.rows;
    auto const metrics = cell_metrics();
    CHECK(rows.size() == metrics.size() + 1);
    for (std::string_view const each : metrics)
        CHECK_MESSAGE(std::any_of(rows.begin(), rows.end(), [&](auto const& row) { return row.metric == each; }), each);
    auto const has = [](explain::set const& of) {
        return std::find(of.sections.begin(), of.sections.end(), &explain::sections::memory_tables) !=
               of.sections.end();
    };
    CHECK(has(explain::set::full));
    CHECK_FALSE(has(explain::set::detailed));
}

TEST_CASE("memory tables: rows and tables are for the chips whose catalogues have their sectors or wavefronts") {
    for_each_chip([](gpuprof::catalogue const& of) {
        CAPTURE(gpuprof::name(of.chip()));
        auto const chip = gpuprof::capability(of.chip());
        for (explain::memory_table const* const table : tables::all) {
            bool any = false;
            for (explain::table_row const& row : table->rows) {
                CAPTURE(row.title);
                if (row.of_fabric) CHECK(row.is_for(chip) == of.contains("lts__t_sectors_srcunit_ltcfabric.sum"));
                if (row.title == "Load of a matrix") CHECK(row.is_for(chip) == of.contains(row.cells[0]));
                if (row.title == "Other") CHECK(row.is_for(chip) == of.contains(row.cells[2]));
                for (char const* const each : row.cells) any = any || (each != nullptr && of.contains(each));
            }
            if (table != &tables::device_memory) // integrated GPUs have none
                CHECK_MESSAGE(any == (table->least <= chip), table->title);
        }
    });
}

TEST_CASE("memory tables: a number a request, a share and bytes follow from the row's counts") {
    auto const range = paper_report{}
                           .set("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 100)
                           .set("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 3200)
                           .set("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", 2800)
                           .set("lts__t_sectors.sum", 5000)
                           .set("dram__bytes_read.sum", 6000)
                           .set("gpu__time_duration.sum", 2000) // ns
                           .range();
    auto const l1 = explain::values_of(tables::l1, range);
    CHECK(number(l1, "Global load", "Requests") == 100);
    CHECK(number(l1, "Global load", "Sectors/request") == 32);
    CHECK(number(l1, "Global load", "Hit rate") == doctest::Approx(87.5));
    CHECK(number(l1, "Global load", "Bytes") == 3200 * 32);
    CHECK(cell(l1, "Global load", "Hit rate").calculation ==
          "100 * l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum / "
          "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
    CHECK(number(explain::values_of(tables::l2, range), "GPU total", "Throughput") ==
          doctest::Approx(5000 * 32 / 2000e-9));
    CHECK(number(explain::values_of(tables::device_memory, range), "Load", "Throughput") ==
          doctest::Approx(6000 / 2000e-9));
}

TEST_CASE("memory tables: a sum adds the rows of its kind and lacks what one of them lacks") {
    paper_report paper;
    paper.set("smsp__inst_executed_op_local_ld.sum", 1)
        .set("smsp__inst_executed_op_global_ld.sum", 20)
        .set("smsp__inst_executed_op_surface_ld.sum", 300)
        .set("smsp__inst_executed_op_texture.sum", 4000)
        .set("smsp__inst_executed_op_global_st.sum", 5)
        .set("smsp__inst_executed_op_local_st.sum", 60);
    auto const l1 = explain::values_of(tables::l1, paper.range());
    CHECK(number(l1, "Loads", "Instructions") == 4321);
    auto const& stores = cell(l1, "Stores", "Instructions");
    CHECK_FALSE(stores.value.number);
    REQUIRE(stores.value.missing);
    CHECK(stores.value.missing->message().find("smsp__inst_executed_op_surface_st.sum") != std::string::npos);
    CHECK(cell(l1, "Stores", "Returns to SM").kind == cell_kind::unused);
    paper.set("l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld.sum", 7)
        .set("l1tex__m_xbar2l1tex_read_sectors_mem_surface_op_ld.sum", 8)
        .set("l1tex__m_xbar2l1tex_read_sectors_mem_texture.sum", 9);
    auto const more = explain::values_of(tables::l1, paper.range());
    CHECK(cell(more, "Global load", "Sectors missed to L2").kind == cell_kind::with_above);
    CHECK(number(more, "Loads", "Sectors missed to L2") == 24);
}

TEST_CASE("memory tables: nothing is divided by 0 and no share is above 100") {
    auto const range = paper_report{}
                           .set("l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", 0)
                           .set("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", 0)
                           .set("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 100)
                           .set("l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum", 150)
                           .range();
    auto const l1 = explain::values_of(tables::l1, range);
    auto const& quotient = cell(l1, "Local load", "Sectors/request").value;
    CHECK_FALSE(quotient.number);
    REQUIRE(quotient.missing);
    CHECK(quotient.missing->message().find("l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum is 0") != std::string::npos);
    auto const& share = cell(l1, "Global store", "Hit rate").value;
    CHECK_FALSE(share.number);
    REQUIRE(share.missing);
    CHECK(share.missing->message().find("150 % is impossible") != std::string::npos);
}

TEST_CASE("memory tables: a chip without eviction policies or fabric has no table and no row of them") {
    auto const old = paper_report{"GV100"}.range();
    CHECK(explain::values_of(tables::l2_eviction, old).rows.empty());
    auto const rows = [](explain::memory_table_values const& of) {
        std::vector<std::string_view> titles;
        for (auto const* each : of.rows) titles.push_back(each->title);
        return titles;
    };
    auto const has = [&](std::string_view on, explain::memory_table const& table, std::string_view row) {
        auto const titles = rows(explain::values_of(table, paper_report{on}.range()));
        return std::find(titles.begin(), titles.end(), row) != titles.end();
    };
    CHECK_FALSE(has("GV100", tables::l2, "L2 fabric total"));
    CHECK_FALSE(has("GA102", tables::l2, "L2 fabric total"));
    CHECK(has("GA100", tables::l2, "L2 fabric total"));
    CHECK(has("GA102", tables::l2_eviction, "L1/TEX load"));
    CHECK_FALSE(has("GV100", tables::shared_memory, "Load of a matrix"));
    CHECK(has("GV100", tables::shared_memory, "Total"));
}

} // namespace memory_tables_test
