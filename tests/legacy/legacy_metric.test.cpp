// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// legacy_metric.hpp: descriptors and rows, and that the families' tables are complete and agree with each other.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <string_view>

#include <gpuprof/legacy/lookup.hpp>

namespace legacy_metric_test {

using gpuprof::aggregation;
using gpuprof::capability_family;
using gpuprof::capability_revisions;
using gpuprof::dimension;
using gpuprof::input_source;
using gpuprof::legacy_metric_category;
using gpuprof::legacy_metric_descriptor;
using gpuprof::legacy_metric_row;
using gpuprof::legacy_metric_scope;
using gpuprof::legacy_metric_set;
using gpuprof::unit_of;

namespace legacy = gpuprof::legacy;

namespace {

constexpr bool units_agree(capability_family family) {
    for (legacy_metric_row const& row : legacy::metrics_of(family).rows)
        if (!row.asked_of_cupti() && !(row.formula.unit() == row.metric->of)) return false;
    return true;
}

} // namespace

// One name, one unit: rows of all families refer to the same descriptors, and their formulas come out in its unit.
static_assert(units_agree(capability_family::cc_2x));
static_assert(units_agree(capability_family::cc_3x));
static_assert(units_agree(capability_family::cc_5x));
static_assert(units_agree(capability_family::cc_6x));
static_assert(units_agree(capability_family::cc_70));

TEST_CASE("a family's formulas count only events that the family has") {
    for (capability_family const family : gpuprof::all_capability_families) {
        for (legacy_metric_row const& row : legacy::metrics_of(family).rows) {
            CAPTURE(row.metric->name);
            for (auto const& input : row.formula.inputs()) {
                CAPTURE(input.name);
                CHECK(input.source != input_source::metric);
                if (input.source == input_source::event) CHECK(legacy::events_of(family).find(input.name) != nullptr);
            }
        }
    }
}

// Rows counted in CUPTI 12.0: table 4 (2.6.1.1), table 5 (2.6.1.2) and table 6 (2.6.1.3).
TEST_CASE("the families of CUPTI's tables have as many metrics as the tables have rows") {
    CHECK(legacy::metrics_5x.rows.size() == 161);
    CHECK(legacy::metrics_6x.rows.size() == 178);
    CHECK(legacy::metrics_70.rows.size() == 175);
}

// By the tables: 6.x adds 16 NVLink metrics and unique_warps_launched to 5.x; 7.0 has three more than 6.x and lacks six.
TEST_CASE("what a family adds and drops is what the tables say") {
    auto const only = [](legacy_metric_set const& a, legacy_metric_set const& b) {
        std::set<std::string> names;
        for (legacy_metric_row const& row : a.rows)
            if (b.find(row.metric->name) == nullptr) names.insert(row.metric->name);
        return names;
    };
    CHECK(only(legacy::metrics_5x, legacy::metrics_6x).empty());
    CHECK(only(legacy::metrics_6x, legacy::metrics_5x).size() == 16 + 1);
    CHECK(only(legacy::metrics_70, legacy::metrics_6x) ==
          std::set<std::string>{"stall_sleeping", "tensor_int_fu_utilization", "tensor_precision_fu_utilization"});
    CHECK(only(legacy::metrics_6x, legacy::metrics_70) ==
          std::set<std::string>{"ecc_throughput", "ecc_transactions", "l2_global_reduction_bytes",
                                "l2_surface_atomic_store_bytes", "l2_surface_reduction_bytes",
                                "unique_warps_launched"});
}

// CUPTI 12.0, tables 4 and 5: "This is available for compute capability ..." stands in 20 rows of 5.x and 27 of 6.x; in table
// 6 it stands in one, which is of 7.2.
TEST_CASE("what the tables say that only some capabilities of a family have") {
    auto const names = [](legacy_metric_set const& of, capability_revisions only) {
        std::set<std::string> found;
        for (legacy_metric_row const& row : of.rows)
            if (row.only == only) found.insert(row.metric->name);
        return found;
    };
    auto const on_50_52 = names(legacy::metrics_5x, 0b101);
    CHECK(on_50_52 == std::set<std::string>{"dram_read_bytes", "dram_read_throughput", "dram_read_transactions",
                                            "dram_write_bytes", "dram_write_throughput", "dram_write_transactions",
                                            "ecc_throughput", "ecc_transactions", "l2_tex_read_hit_rate",
                                            "l2_tex_write_hit_rate", "sysmem_read_utilization", "sysmem_utilization",
                                            "sysmem_write_utilization"});
    auto const on_53 = names(legacy::metrics_5x, 0b1000);
    CHECK(on_53 == std::set<std::string>{"flop_count_hp", "flop_count_hp_add", "flop_count_hp_fma", "flop_count_hp_mul",
                                         "flop_hp_efficiency", "half_precision_fu_utilization", "inst_fp_16"});
    auto const on_60_61 = names(legacy::metrics_6x, 0b11);
    CHECK(on_60_61 == std::set<std::string>{"dram_read_throughput", "dram_read_transactions", "dram_write_throughput",
                                            "dram_write_transactions", "l2_tex_read_hit_rate", "l2_tex_write_hit_rate",
                                            "sysmem_read_utilization", "sysmem_utilization",
                                            "sysmem_write_utilization"});
    CHECK(names(legacy::metrics_6x, 0b10) == std::set<std::string>{"ecc_throughput", "ecc_transactions"});
    auto const on_60 = names(legacy::metrics_6x, 0b01);
    CHECK(on_60.size() == 16);
    for (std::string const& each : on_60) CHECK(each.starts_with("nvlink_"));
    std::size_t stated = 0;
    for (auto const* const set : {&legacy::metrics_5x, &legacy::metrics_6x})
        for (legacy_metric_row const& row : set->rows) stated += row.only != gpuprof::any_revision;
    CHECK(stated == 47);
    CHECK(names(legacy::metrics_70, 0b100) == std::set<std::string>{"tensor_int_fu_utilization"});
}

// Each of these sentences was something else than the document's (CUPTI 12.0, tables 4 to 6).
TEST_CASE("meanings say what the tables say") {
    struct sentence {
        legacy_metric_descriptor const* metric;
        std::string_view says;
    };
    for (sentence const& each : {
             sentence{&legacy::metrics::stall_memory_dependency, "cannot start"},     // "cannot be performed"
             sentence{&legacy::metrics::flop_count_hp, "two or four"},                // "contributes 2 or 4"
             sentence{&legacy::metrics::flop_count_hp_fma, "two or four"},            // the same
             sentence{&legacy::metrics::half_precision_fu_utilization, "integers"},   // "and integer instructions"
             sentence{&legacy::metrics::issue_slot_utilization, "all cycles"},        // "averaged across all cycles"
             sentence{&legacy::metrics::sm_efficiency, "specific multiprocessor"},    // the same
             sentence{&legacy::metrics::global_hit_rate, "malloc"},                   // "maybe wrong if malloc is used"
             sentence{&legacy::metrics::inst_replay_overhead, "for each instruction"} // "for each instruction executed"
         }) {
        CAPTURE(each.metric->name);
        CHECK(std::string_view{each.metric->meaning}.find(each.says) != std::string_view::npos);
    }
    CHECK(std::string_view{legacy::metrics::stall_memory_dependency.meaning}.find("answer") == std::string_view::npos);
    for (auto const* const user :
         {&legacy::metrics::nvlink_user_nratom_data_transmitted, &legacy::metrics::nvlink_user_ratom_data_transmitted,
          &legacy::metrics::nvlink_user_response_data_received})
        CHECK(std::string_view{user->meaning}.find("header") == std::string_view::npos);
}

TEST_CASE("tables are sorted, without a name twice, and every metric belongs to a family or to the mapping") {
    std::set<legacy_metric_descriptor const*> used;
    for (capability_family const family : gpuprof::all_capability_families) {
        CAPTURE(std::string{name(family)});
        CHECK(legacy::metrics_of(family).family == family);
        std::string_view before;
        for (legacy_metric_row const& row : legacy::metrics_of(family).rows) {
            CAPTURE(row.metric->name);
            CHECK(before < std::string_view{row.metric->name});
            before = row.metric->name;
            used.insert(row.metric);
            CHECK(legacy::find_metric(row.metric->name) == row.metric);
        }
    }
    std::string_view before;
    for (legacy_metric_descriptor const* const metric : legacy::all_metrics) {
        CAPTURE(metric->name);
        CHECK(before < std::string_view{metric->name});
        before = metric->name;
        CHECK((used.count(metric) == 1 || legacy::mapping_of_metric(metric->name) != nullptr));
        CHECK(std::string_view{metric->meaning}.ends_with("."));
    }
}

TEST_CASE("CUPTI's own unit differs from the metric's by a power of ten at most") {
    for (legacy_metric_descriptor const* const metric : legacy::all_metrics) {
        CAPTURE(metric->name);
        CHECK(same_dimension(metric->of, metric->cupti));
        // CUPTI has no kind of value for hundredths and tenths but percentages and levels.
        if (metric->of == gpuprof::tenth_unit) CHECK(metric->cupti == gpuprof::tenth_unit);
    }
    CHECK(legacy::metrics::achieved_occupancy.of == gpuprof::percent_unit);
    CHECK(legacy::metrics::achieved_occupancy.cupti == gpuprof::one);
    CHECK(legacy::metrics::sm_efficiency.cupti == gpuprof::percent_unit);
}

TEST_CASE("units follow the metrics' names") {
    for (legacy_metric_descriptor const* const metric : legacy::all_metrics) {
        std::string_view const name = metric->name;
        CAPTURE(metric->name);
        if (name.ends_with("_throughput")) CHECK(metric->of == unit_of(dimension::byte) / unit_of(dimension::second));
        if (name.ends_with("_bytes") || name.find("_data_") != name.npos)
            CHECK((metric->of == unit_of(dimension::byte) || metric->of == gpuprof::percent_unit));
        if (name.ends_with("_rate") || name.ends_with("_efficiency") || name.starts_with("stall_") ||
            name.ends_with("_overhead"))
            CHECK(metric->of == gpuprof::percent_unit);
        if (name.ends_with("_utilization") && name != "issue_slot_utilization")
            CHECK(metric->of == gpuprof::tenth_unit);
        if (name.ends_with("_requests")) CHECK(metric->of == unit_of(dimension::request));
        if (name.starts_with("flop_count_")) CHECK(metric->of == unit_of(dimension::operation));
        if (name.starts_with("inst_executed")) CHECK(metric->of == unit_of(dimension::instruction));
    }
}

TEST_CASE("counts of repeated ranges add up, everything else is averaged") {
    CHECK(legacy::metrics::inst_executed.aggregation() == aggregation::sum);
    CHECK(legacy::metrics::dram_read_bytes.aggregation() == aggregation::sum);
    CHECK(legacy::metrics::shared_load_transactions.aggregation() == aggregation::sum);
    CHECK(legacy::metrics::unique_warps_launched.aggregation() == aggregation::sum);
    CHECK(legacy::metrics::ipc.aggregation() == aggregation::mean);
    CHECK(legacy::metrics::dram_read_throughput.aggregation() == aggregation::mean);
    CHECK(legacy::metrics::achieved_occupancy.aggregation() == aggregation::mean);
    CHECK(legacy::metrics::dram_utilization.aggregation() == aggregation::mean);
    CHECK(legacy::metrics::inst_per_warp.aggregation() == aggregation::mean);
    CHECK(legacy::metrics::eligible_warps_per_cycle.aggregation() == aggregation::mean); // in warps, but an average
}

TEST_CASE("scopes are the tables'") {
    auto const scope = [](legacy_metric_set const& set, std::string_view name) { return set.find(name)->scope; };
    CHECK(scope(legacy::metrics_5x, "achieved_occupancy") == legacy_metric_scope::multi_context);
    CHECK(scope(legacy::metrics_5x, "sm_efficiency") == legacy_metric_scope::multi_context_on_some);
    CHECK(scope(legacy::metrics_5x, "pcie_total_data_received") == legacy_metric_scope::device);
    CHECK(scope(legacy::metrics_6x, "sm_efficiency") == legacy_metric_scope::multi_context);
    CHECK(scope(legacy::metrics_6x, "nvlink_receive_throughput") == legacy_metric_scope::device);
    CHECK(scope(legacy::metrics_70, "tensor_precision_fu_utilization") == legacy_metric_scope::multi_context);
    CHECK(scope(legacy::metrics_2x, "ipc") == legacy_metric_scope::unstated);
    for (legacy_metric_row const& row : legacy::metrics_70.rows) {
        CAPTURE(row.metric->name);
        bool const link = row.metric->category == legacy_metric_category::nvlink ||
                          row.metric->category == legacy_metric_category::pcie;
        CHECK(row.scope == (link ? legacy_metric_scope::device : legacy_metric_scope::multi_context));
    }
}

} // namespace legacy_metric_test
