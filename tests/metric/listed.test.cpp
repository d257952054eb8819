// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of all chips' base metrics, which the check of names reads.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include <gpuprof/metric/catalogue/all.hpp>
#include <gpuprof/metric/listed.hpp>
#include <gpuprof/metric/metric.hpp>
#include <gpuprof/metric/parse_name.hpp>

namespace listed_test {

using namespace gpuprof;
using detail::is_listed;
using detail::nearest_listed;

TEST_CASE("every base metric of every chip is listed, and with a letter less, more or another it is not") {
    std::size_t seen = 0;
    for (catalogue const& chip : all_catalogues) {
        for (base_metric const& each : chip) {
            ++seen;
            if (!is_listed(each.name)) FAIL_CHECK(std::string{each.name});
            std::string const longer = std::string{each.name} + 'q';
            if (is_listed(longer)) FAIL_CHECK(longer);
            std::string other{each.name};
            other.back() = 'Q';
            if (is_listed(other)) FAIL_CHECK(other);
        }
    }
    CHECK(seen > 29 * 1000);
    for (std::string_view const none : {"", "sm", "sm__", "zzz__inst_executed", "AAA", "smsp__inst_exceuted"}) {
        CAPTURE(std::string{none});
        CHECK_FALSE(is_listed(none));
    }
}

TEST_CASE("the list has no name that no chip has") {
    std::size_t names = 0;
    for (char const* row : detail::listed_names) {
        while (*row != '\0') {
            std::string_view const name{row + 2, detail::listed_length(row)};
            row += 2 + name.size();
            ++names;
            bool found = false;
            for (catalogue const& chip : all_catalogues) found = found || chip.find(name).has_value();
            if (!found) FAIL_CHECK(std::string{name});
        }
    }
    CHECK(names > 6000);
}

TEST_CASE("the nearest name differs in the shortest stretch") {
    CHECK(nearest_listed("smsp__inst_exceuted") == "smsp__inst_executed"); // exchanged
    CHECK(nearest_listed("sm__inst_execute") == "sm__inst_executed");      // one less
    CHECK(nearest_listed("smm__inst_executed") == "");                     // no such unit
    CHECK(nearest_listed("dram__bytes_reed") == "dram__bytes_read");       // one other
    CHECK(nearest_listed("lts__t_sector") == "lts__t_sectors");
    CHECK(nearest_listed("l1tex__t_sectors_pipe_lsu_mem_globl_op_ld") == "l1tex__t_sectors_pipe_lsu_mem_global_op_ld");
    CHECK(nearest_listed("sm__") != "");
    CHECK(nearest_listed("nothing") == "");
    CHECK(nearest_listed("") == "");
}

TEST_CASE("a compiler can find the nearest name in the largest unit") {
    constexpr std::string_view meant = nearest_listed("lts__t_sectors_op_reed");
    CHECK(meant == "lts__t_sectors_op_read");
}

TEST_CASE("a name of no known chip is one of a newer chip when that is said, and the very metric") {
    constexpr auto fresh = metric<"smsp__inst_exceuted.sum", newer_chip>;
    CHECK(fresh.name() == "smsp__inst_exceuted.sum");
    CHECK(metric<"smsp__inst_executed.sum", newer_chip> == metric<"smsp__inst_executed.sum">);
    CHECK(metric<"sm__inst_executed.sum.per_cycle_in_region", newer_chip>.unit() ==
          metric<"sm__inst_executed.sum.per_cycle_active">.unit());
}

TEST_CASE("the sub-metrics of a region or frame are those that the grammar has and no kind of metric") {
    // The grammar's words against what CUPTI 13.0 lists for each kind.
    for (metric_kind const kind : {metric_kind::counter, metric_kind::throughput}) {
        std::string const base = kind == metric_kind::counter ? "sm__inst_executed" : "sm__throughput";
        for (suffix const& each : suffixes) {
            if (each.roll != rollup::none) continue;
            for (std::string const& rest :
                 {std::string{".sum."} + each.word, std::string{".sum."} + each.word + ".per_second"}) {
                metric_name const parts = parse_metric_name(base + rest);
                if (!parts.valid()) continue;
                bool has = false;
                for (std::string_view const sub : sub_metrics(kind)) has = has || sub == rest;
                CAPTURE(rest);
                CHECK(has == !is_of_no_chip(parts.submetric()));
            }
        }
    }
}

} // namespace listed_test
