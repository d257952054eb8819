// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/memory_table_text.hpp: the text of a table, to the character.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>

#include <gpuprof/explain/sections.hpp>
#include <gpuprof/io/memory_table_text.hpp>

#include "support/paper_report.hpp"

namespace memory_table_text_test {

namespace explain = gpuprof::explain;
using test::paper_report;

TEST_CASE("memory table text: numbers, what an access does not have, and why others are missing") {
    auto const range = paper_report{}
                           .set("gpu__time_duration.sum", 3)
                           .set("dram__sectors_read.sum", 1234567)
                           .set("dram__bytes_read.sum.pct_of_peak_sustained_elapsed", 15.4249)
                           .set("dram__bytes_read.sum", 600)
                           .set("dram__sectors_write.sum", 0)
                           .set("dram__bytes_write.sum.pct_of_peak_sustained_elapsed", 0)
                           .set("dram__bytes_write.sum", 0)
                           .set("dram__sectors.sum", 1234567)
                           .set("dram__bytes.sum.pct_of_peak_sustained_elapsed", 15.4251)
                           .range();
    CHECK(gpuprof::io::table(explain::values_of(explain::memory_tables::device_memory, range)) ==
          "Device memory\n"
          "         Sectors  % Peak  Bytes       Throughput\n"
          "Load   1,234,567   15.42    600  200,000,000,000\n"
          "Store          0       0      0                0\n"
          "Total  1,234,567   15.43    n/a              n/a\n"
          "2 cells are n/a, the first because not collected: dram__bytes.sum; because it was not measured, or\n"
          "  this chip does not have it\n");
    CHECK(gpuprof::io::table(explain::values_of(explain::memory_tables::l2_eviction, paper_report{"GV100"}.range())) ==
          "L2 cache, eviction policies\nn/a: this chip does not have it\n");
}

TEST_CASE("memory table text: columns that do not fit stand below, and no line is wider") {
    paper_report paper;
    for (explain::section_row const& row : explain::sections::memory_tables.rows)
        paper.set(row.metric, row.metric.find("pct") == row.metric.npos ? 123456789 : 12.25);
    for (explain::memory_table const* const each : explain::memory_tables::all) {
        std::string const text = gpuprof::io::table(explain::values_of(*each, paper.range()));
        std::size_t begin = 0;
        for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
            CHECK(end - begin <= 100);
            begin = end + 1;
        }
        for (explain::table_column const& column : each->columns)
            if (column.shown) CHECK_MESSAGE(text.find(column.title) != std::string::npos, column.title);
    }
}

} // namespace memory_table_text_test
