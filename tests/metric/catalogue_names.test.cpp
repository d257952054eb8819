// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grammar of metric_name.hpp against every name of every chip that CUPTI lists.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <gpuprof/metric/catalogue/base_metrics.hpp>
#include <gpuprof/metric/name.hpp>

namespace catalogue_names_test {

using gpuprof::dimension;
using gpuprof::metric_kind;
using gpuprof::unit;
using gpuprof::unit_of;

namespace {

// What CUPTI's dimensional units mean, by hand. It writes products without a sign between the factors.
unit meaning(std::string_view cupti) {
    auto const of = [](dimension d) { return unit_of(d); };
    std::pair<std::string_view, unit> const words[] = {
        {"", gpuprof::one},
        {"percent", gpuprof::percent_unit},
        {"nanosecond", unit_of(dimension::second, -9)},
        {"byte", of(dimension::byte)},
        {"instruction", of(dimension::instruction)},
        {"warp", of(dimension::warp)},
        {"thread", of(dimension::thread)},
        {"cta", of(dimension::cta)},
        {"cga", of(dimension::cluster)},
        {"math_op", of(dimension::operation)},
        {"branch_target", of(dimension::branch_target)},
        {"gpc_cycle", of(dimension::cycle_gpc)},
        {"sys_cycle", of(dimension::cycle_sys)},
        {"fbp_cycle", of(dimension::cycle_fbp)},
        {"dram_cycle", of(dimension::cycle_dram)},
        {"pcie_cycle", of(dimension::cycle_pcie)},
        {"nvlrx_cycle", of(dimension::cycle_nvlrx)},
        {"nvltx_cycle", of(dimension::cycle_nvltx)},
        {"ctc_cycle", of(dimension::cycle_ctc)},
        {"mcc_cycle", of(dimension::cycle_mcc)},
        {"l2_sector", of(dimension::sector)},
        {"sysl2_sector", of(dimension::sector)},
        {"lrc_sector", of(dimension::sector)},
        {"syslrc_sector", of(dimension::sector)},
        {"l2_request", of(dimension::request)},
        {"sysl2_request", of(dimension::request)},
        {"l1tex_request", of(dimension::request)},
        {"gcc_request", of(dimension::request)},
        {"idc_request", of(dimension::request)},
        {"lrc_req", of(dimension::request)},
        {"syslrc_request", of(dimension::request)},
        {"l1tex_wavefront", of(dimension::wavefront)},
        {"l1tex_tag", of(dimension::tag)},
        {"L2_tag", of(dimension::tag)},
        {"sysl2_tag", of(dimension::tag)},
        {"l1data_bank_conflict", of(dimension::bank_conflict)},
        {"l1data_bank_access", of(dimension::access)},
        {"tmem_access", of(dimension::access)},
        {"gpc_cyclewarp", of(dimension::cycle_gpc) * of(dimension::warp)},
        {"bytegpc_cycle", of(dimension::byte) * of(dimension::cycle_gpc)},
        {"ctagpc_cycle", of(dimension::cta) * of(dimension::cycle_gpc)},
        {"cgagpc_cycle", of(dimension::cluster) * of(dimension::cycle_gpc)},
        {"gpc_cycleregister", of(dimension::cycle_gpc) * of(dimension::reg)},
        {"instruction/warp", of(dimension::instruction) / of(dimension::warp)},
        {"instruction/gpc_cycle", of(dimension::instruction) / of(dimension::cycle_gpc)},
        {"thread/warp", of(dimension::thread) / of(dimension::warp)},
        {"register/thread", of(dimension::reg) / of(dimension::thread)},
        {"byte/cta", of(dimension::byte) / of(dimension::cta)},
        {"byte/l2_sector", of(dimension::byte) / of(dimension::sector)},
        {"byte/l1tex_wavefront", of(dimension::byte) / of(dimension::wavefront)},
        {"l2_sector/l1tex_request", of(dimension::sector) / of(dimension::request)},
        {"fe_op", of(dimension::event)},
        {"workid", of(dimension::event)},
        {"workload", of(dimension::event)},
        {"gpc_cyclekilobyte", of(dimension::cycle_gpc) * of(dimension::kilobyte)},
        {"gpc_cyclel1tex_line", of(dimension::cycle_gpc) * of(dimension::line)},
        {"gpc_cyclerf_quantum", of(dimension::cycle_gpc) * of(dimension::event)},
        {"gpc_cycle/warp", of(dimension::cycle_gpc) / of(dimension::warp)},
        {"gpc_cycleinstruction/warp", of(dimension::cycle_gpc) * of(dimension::instruction) / of(dimension::warp)},
    };
    for (auto const& [word, is] : words)
        if (word == cupti) return is;
    return unit_of(dimension::event, 99);
}

// Where CUPTI's dimensional unit is not what the name says, and gpuprof goes by the name: a part of the name, and why.
struct deviation {
    std::string_view part;
    std::string_view cupti;
};
constexpr deviation deviations[] = {
    {"_requests", "gpc_cycle"},   // caches that take a request each cycle: sm__dcc_requests, smsp__tex_requests, …
    {"_wavefronts", "gpc_cycle"}, // likewise, one wavefront each cycle: l1tex__f_wavefronts_realtime
    {"_cmd_semreleases", "sys_cycle"},          // one release each cycle
    {"_requests", "instruction"},               // one instruction each request: l1tex__tmain_requests
    {"_cycles_active", "instruction"},          // the pipeline's cycles: sm__pipe_tensor_op_dmma_cycles_active
    {"_cycles_active", "l1data_bank_conflict"}, // l1tex__f_cycles_active
    {"xbar2gcc_sectors", "l2_requestl2_sector/gcc_request"}, // a formula's unit, not reduced
    {"syslts__t_bytes", "bytesysl2_sector/l2_sector"},       // likewise
    {"_average_inst_latency", ""},                           // a latency has cycles
    // Averages over warps: CUPTI reduces some factors and leaves out others.
    {"_average_warp_latency_issue_stalled_", "gpc_cycleinstruction/warp"},
    {"_average_warps_issue_stalled_", "instruction"},
    {"_average_warps_active_per_inst_executed", "gpc_cycle"},
};

bool is_deviation(deviation const& one, std::string_view name, std::string_view cupti) {
    return one.cupti == cupti && name.find(one.part) != std::string_view::npos;
}

gpuprof::detail::base_metric_table const& table = gpuprof::detail::base_metrics;
std::span<gpuprof::detail::base_metric_row const> const rows{table.rows, table.row_count};

} // namespace

TEST_CASE("the grammar accepts every base metric of every chip with every sub-metric, and tells its kind") {
    std::size_t names = 0;
    for (auto const& row : rows)
        for (std::string_view const sub_metric : gpuprof::sub_metrics(row.kind)) {
            std::string const name = std::string{row.name} += sub_metric;
            gpuprof::metric_name const parts = gpuprof::parse_metric_name(name);
            bool const good = parts.valid() && parts.kind() == row.kind;
            if (!good) {
                CAPTURE(name);
                CHECK(good);
            }
            ++names;
        }
    CHECK(names > 200'000);
}

TEST_CASE("the grammar refuses every base metric of every chip without a sub-metric") {
    for (auto const& row : rows) {
        // These are source metrics of the same name, too, and those have no roll-up (guide, chapter 4, L2 eviction).
        if (std::string_view{row.name}.starts_with("smsp__sass_inst_executed_memdesc_explicit_")) continue;
        bool const refused = !gpuprof::parse_metric_name(row.name).valid();
        if (!refused) {
            CAPTURE(std::string{row.name});
            CHECK(refused);
        }
    }
}

TEST_CASE("the unit read from a name is CUPTI's dimensional unit, save for the deviations listed") {
    std::size_t deviating = 0;
    for (auto const& row : rows) {
        // A throughput's unit is not in its name: it is always a percentage of a peak.
        if (row.kind == metric_kind::throughput) continue;
        std::string const name = std::string{row.name} + (row.kind == metric_kind::counter ? ".sum" : ".ratio");
        std::string_view const cupti = table.dimensions[row.dimension];
        if (gpuprof::parse_metric_name(name).base_unit() == meaning(cupti)) continue;
        ++deviating;
        bool const listed = std::any_of(std::begin(deviations), std::end(deviations),
                                        [&](deviation const& one) { return is_deviation(one, name, cupti); });
        if (!listed) {
            CAPTURE(name);
            CAPTURE(cupti);
            CHECK(listed);
        }
    }
    CHECK(deviating * 50 < rows.size()); // under 2 in 100
}

TEST_CASE("every deviation listed is one") {
    for (deviation const& one : deviations) {
        CAPTURE(one.part);
        CHECK(std::any_of(rows.begin(), rows.end(), [&](auto const& row) {
            std::string_view const cupti = table.dimensions[row.dimension];
            std::string const name = std::string{row.name} + (row.kind == metric_kind::counter ? ".sum" : ".ratio");
            return is_deviation(one, name, cupti) && !(gpuprof::parse_metric_name(name).base_unit() == meaning(cupti));
        }));
    }
}

} // namespace catalogue_names_test
