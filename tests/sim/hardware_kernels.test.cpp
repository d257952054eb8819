// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU's counters beside an H200's, for the kernels of tests/kernels: h200_kernels.txt in tests/hardware
// says what the H200 counted, and which command read it.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // the list of launches comes with the throwing spellings

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "sim/driver/occupancy.hpp"
#include "sim/chip/chips.hpp"
#include "sim/execute/execute.hpp"
#include "sim/model/launch_counters.hpp"
#include "sim/counters/metric_table.hpp"
#include "sim/decode/program.hpp"

#include "hardware/functional_suite.hpp"
#include "support/sanitized.hpp"

namespace hardware_kernels_test {

using namespace gpuprof;

namespace {

struct extremes {
    double least = 0;
    double greatest = 0;
};
using hardware_table = std::map<std::string, std::map<std::string, extremes>>; // by metric and kernel

std::string read_file(std::string const& name) {
    std::ifstream file{std::string{GPUPROF_TEST_SOURCE_DIR} + "/" + name, std::ios::binary};
    REQUIRE(file.good());
    return {std::istreambuf_iterator<char>{file}, {}};
}

// A legend's lines are a letter and a metric; rows follow, a kernel and its cells, "least..greatest" where those differ.
hardware_table read_h200() {
    hardware_table values;
    std::istringstream text{read_file("hardware/h200_kernels.txt")};
    std::vector<std::string> columns;
    bool rows = false;
    for (std::string line; std::getline(text, line);) {
        std::istringstream words{line};
        std::vector<std::string> const word{std::istream_iterator<std::string>{words}, {}};
        if (word.size() < 2) columns.clear(), rows = false;
        else if (word[0] == "kernel") rows = true;
        else if (!rows && word[0].size() == 1) columns.push_back(word[1]);
        else if (rows && word.size() == columns.size() + 1)
            for (std::size_t i = 0; i < columns.size(); ++i) {
                std::string const& cell = word[i + 1];
                std::size_t const dots = cell.find("..");
                values[columns[i]][word[0]] = {std::strtod(cell.substr(0, dots).c_str(), nullptr),
                                               std::strtod(cell.c_str() + (dots == cell.npos ? 0 : dots + 2), nullptr)};
            }
    }
    return values;
}

// One launch on the GH100 model, with caches that hold nothing of it.
sim::counter_values run(functional_launch const& what) {
    sim::chip_model const& chip = sim::gh100;
    sim::device_memory memory;
    auto const program = sim::program::load(read_file(std::string{"kernels/"} + what.file), memory);
    REQUIRE(program);
    sim::kernel const* const code = program->find_kernel(what.name);
    REQUIRE(code != nullptr);
    std::vector<std::byte> parameters;
    for (launch_argument const& each : what.arguments()) {
        auto bytes = each.bytes;
        if (each.is_array) {
            std::uint64_t const address = memory.allocate(bytes.size()).value();
            std::memcpy(memory.translate(address, bytes.size()), bytes.data(), bytes.size());
            bytes.resize(sizeof address);
            std::memcpy(bytes.data(), &address, sizeof address);
        }
        parameters.resize((parameters.size() + each.alignment - 1) / each.alignment * each.alignment);
        parameters.insert(parameters.end(), bytes.begin(), bytes.end());
    }
    sim::launch_config const config{{what.grid.x, what.grid.y, what.grid.z},
                                    {what.block.x, what.block.y, what.block.z},
                                    what.shared,
                                    parameters,
                                    false};
    sim::execution_options options;
    // What depends on the order of CTAs (loops of compare-and-swap) comes out the same on one thread.
    options.threads = what.grid.size() > 10000 ? std::max(std::thread::hardware_concurrency(), 1u) : 1;
    options.sm_count = static_cast<unsigned>(chip.count(sim::hardware_unit::sm));
    int const resident = sim::driver::resident_blocks(chip, sim::driver::demand_of(chip, *code, 48 << 10),
                                                      static_cast<int>(what.block.size()), what.shared);
    sim::l2_cache l2{chip};
    sim::launch_counters counters{chip, *code, config, static_cast<unsigned>(resident), l2};
    auto const done = sim::execute(*code, config, memory, counters, options);
    INFO(what.name, ": ", (done.error ? done.error->message() : std::string{}));
    REQUIRE(!done.error);
    return counters.finish();
}

// How near a value is.
enum class agreement {
    exact,         // within what the H200's own repetitions differ by
    share,         // off by at most a share of the H200's value, and an absolute amount
    noise,         // at most the H200's, which counts up to a share more
    of_sectors,    // off by at most a share of all sectors looked up in L1
    of_wavefronts, // at most the H200's, which counts up to a share of the wavefronts more
    factor,        // off by at most a factor
    deviation      // a row of the list below
};
constexpr std::size_t agreements = static_cast<std::size_t>(agreement::deviation) + 1;

// Every column of the table has a row: a metric that is not here fails the test.
struct judgement {
    char const* metric;
    agreement kind;
    double share;
    double absolute; // in the metric's unit
    char const* why; // the value may be off
};
constexpr char counted[] = "nothing to estimate: the kernel does this, however it is compiled";
constexpr char arbitration[] = "an H200 counts wavefronts again that wait for others";
constexpr char evictions[] = "which lines L1 evicts, and when, is modelled";
constexpr char compiled[] = "machine instructions are estimated from PTX; ptxas chooses others";
constexpr char constants[] = "ptxas loads parameters once, again or not at all, two at a time or one";
constexpr char background[] =
    "an H200 also reads and writes what no kernel asks for: code, parameters, its own records";
constexpr char write_backs[] = "when L2 writes back is modelled; the H200's repetitions differ as well";
constexpr char merged[] = "which requests of neighbouring warps L1 sends to L2 as one is modelled";
constexpr judgement judgements[]{
    {"dram__bytes_read.sum", agreement::share, 0.01, 12288, background},
    {"dram__bytes_write.sum", agreement::share, 0.08, 4096, write_backs},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", agreement::of_wavefronts, 0.04, 0, arbitration},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", agreement::of_wavefronts, 0.04, 0, arbitration},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", agreement::of_wavefronts, 0.04, 0, arbitration},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", agreement::noise, 0.08, 0, arbitration},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", agreement::noise, 0.04, 0, arbitration},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", agreement::noise, 0.04, 0, arbitration},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", agreement::exact, 0, 0, counted},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", agreement::exact, 0, 0, counted},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts_cache_access.sum", agreement::exact, 0, 0, counted},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", agreement::exact, 0, 0, counted},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", agreement::exact, 0, 0, counted},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", agreement::exact, 0, 0, counted},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", agreement::exact, 0, 0, counted},
    {"l1tex__t_sectors_pipe_lsu_lookup_hit.sum", agreement::of_sectors, 0.05, 0, evictions},
    {"l1tex__t_sectors_pipe_lsu_lookup_miss.sum", agreement::of_sectors, 0.05, 0, evictions},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", agreement::exact, 0, 0, counted},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", agreement::exact, 0, 0, counted},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", agreement::of_sectors, 0.05, 0, evictions},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access.sum", agreement::exact, 0, 0, counted},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", agreement::exact, 0, 0, counted},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", agreement::exact, 0, 0, counted},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum", agreement::of_sectors, 0.05, 0, evictions},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", agreement::exact, 0, 0, counted},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum", agreement::of_sectors, 0.05, 0, evictions},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", agreement::exact, 0, 0, counted},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum", agreement::of_sectors, 0.05, 0, evictions},
    {"lts__t_sectors.sum", agreement::share, 0.18, 4096, background},
    {"lts__t_sectors_op_atom.sum", agreement::exact, 0, 0, counted},
    {"lts__t_sectors_op_read.sum", agreement::share, 0.12, 2048, background},
    {"lts__t_sectors_op_red.sum", agreement::share, 0.01, 0, merged},
    {"lts__t_sectors_op_write.sum", agreement::share, 0.15, 256, background},
    {"lts__t_sectors_srcunit_tex.sum", agreement::share, 0.05, 64, merged},
    {"sm__ctas_launched.sum", agreement::exact, 0, 0, counted},
    {"smsp__inst_executed.sum", agreement::share, 0.25, 0, compiled},
    {"smsp__inst_executed_op_branch.sum", agreement::factor, 2, 0, compiled},
    {"smsp__inst_executed_op_generic_atom.sum", agreement::exact, 0, 0, counted},
    {"smsp__inst_executed_op_generic_ld.sum", agreement::exact, 0, 0, counted},
    {"smsp__inst_executed_op_generic_st.sum", agreement::exact, 0, 0, counted},
    {"smsp__inst_executed_op_global_ld.sum", agreement::exact, 0, 0, counted},
    {"smsp__inst_executed_op_global_red.sum", agreement::exact, 0, 0, counted},
    {"smsp__inst_executed_op_global_st.sum", agreement::exact, 0, 0, counted},
    {"smsp__inst_executed_op_ldc.sum", agreement::factor, 2, 0, constants},
    {"smsp__inst_executed_op_ldgsts.sum", agreement::exact, 0, 0, counted},
    {"smsp__inst_executed_op_ldsm.sum", agreement::exact, 0, 0, counted},
    {"smsp__inst_executed_op_local_ld.sum", agreement::exact, 0, 0, counted},
    {"smsp__inst_executed_op_local_st.sum", agreement::exact, 0, 0, counted},
    {"smsp__inst_executed_op_shared_atom.sum", agreement::exact, 0, 0, counted},
    {"smsp__inst_executed_op_shared_ld.sum", agreement::exact, 0, 0, counted},
    {"smsp__inst_executed_op_shared_st.sum", agreement::exact, 0, 0, counted},
    {"smsp__thread_inst_executed.sum", agreement::share, 0.25, 0, compiled},
    {"smsp__thread_inst_executed_pred_on.sum", agreement::share, 0.25, 0, compiled},
    {"smsp__threads_launched.sum", agreement::exact, 0, 0, counted},
    {"smsp__warps_launched.sum", agreement::exact, 0, 0, counted},
};

judgement const* find_judgement(std::string_view metric) {
    for (judgement const& each : judgements)
        if (each.metric == metric) return &each;
    return nullptr;
}

bool agrees(double value, extremes expected, judgement const& allowed, hardware_table const& h200,
            std::string const& kernel) {
    double least = expected.least, greatest = expected.greatest;
    auto const of = [&](std::string const& metric) { return h200.at(metric).at(kernel).greatest; };
    switch (allowed.kind) {
        case agreement::exact:
        case agreement::deviation: break;
        case agreement::share:
            least -= allowed.share * greatest + allowed.absolute;
            greatest += allowed.share * greatest + allowed.absolute;
            break;
        case agreement::noise: least -= allowed.share * greatest; break;
        case agreement::of_sectors: {
            double const slack = allowed.share * (of("l1tex__t_sectors_pipe_lsu_lookup_hit.sum") +
                                                  of("l1tex__t_sectors_pipe_lsu_lookup_miss.sum"));
            least -= slack, greatest += slack;
            break;
        }
        case agreement::of_wavefronts: {
            std::string wavefronts = allowed.metric;
            std::string const conflicts = "bank_conflicts_pipe_lsu";
            wavefronts.replace(wavefronts.find(conflicts), conflicts.size(), "pipe_lsu_wavefronts");
            least -= allowed.share * of(wavefronts);
            break;
        }
        case agreement::factor: least /= allowed.share, greatest *= allowed.share; break;
    }
    return value >= least && value <= greatest;
}

// What the embedded GPU has for a column of the H200's table.
double value_of(judgement const& column, sim::counter_values const& counted) {
    auto const wanted = sim::find_metric(sim::gh100, column.metric);
    INFO(std::string{column.metric});
    REQUIRE(wanted);
    auto one = sim::read(sim::gh100, wanted->row, counted);
    one.replay_passes = 1;
    return sim::derive(sim::gh100, *wanted, one);
}

// Where the model is known to be off by more: its value over the H200's, within 3 %, and why. A row holds for the metrics
// whose names contain its part.
struct deviation {
    char const* kernel;
    char const* part;
    double ratio;
    char const* why;
};
constexpr char spins[] =
    "a loop of compare-and-swap goes replay pass as often as others interfere; here CTAs take turns";
constexpr char frames[] = "which registers a function saves in local memory is ptxas's choice; here it saves none";
constexpr char paths[] =
    "threads that called different functions go on in groups; here they come together after the call";
constexpr char unrolled[] = "ptxas unrolls a loop that threads leave at different times, and they part more often";
constexpr char bursts[] = "an H200 drops lines that were only stored to when many stores follow at once";
constexpr char parts[] =
    "threads store to a sector in several instructions: the H200 writes sectors out in between and reads them again";
constexpr char subroutines[] = "ptxas calls subroutines for slow paths, which branch; the estimate inlines them";
constexpr char exchanges[] = "ptxas branches around exchanges that the estimate predicates";
constexpr char chosen[] =
    "ptxas predicates the moves of addresses that a kernel chooses from; the estimate has no moves, and no branches";
constexpr char called[] =
    "each called function loads what it needs of constant memory again; here the kernel does once";
constexpr char few[] = "wavefronts of shuffles, votes and thread indices are estimated; this kernel has few others";
constexpr char copies[] = "ptxas reads the tile by shorter loads, which meet in banks with the copies on their way in";
constexpr char stack[] = "an H200's L1 gives up lines of the stack earlier and reads them from L2";
constexpr deviation deviations[]{
    {"atomics", "t_requests_pipe_lsu_mem_global_op_atom", 0.0688, spins},
    {"atomics", "t_sectors_pipe_lsu_mem_global_op_atom.sum", 0.0428, spins},
    {"atomics", "pipe_lsu_lookup_miss", 0.0556, spins},
    {"atomics", "inst_executed_op_generic_atom", 0.0683, spins},
    {"atomics", "smsp__inst_executed.sum", 0.0972, spins},
    {"atomics", "thread_inst_executed", 0.0835, spins},
    {"atomics", "op_branch", 0.0355, spins},
    {"atomics", "op_ldc", 0.0805, spins},
    {"atomics", "lts__t_sectors.sum", 0.1069, spins},
    {"atomics", "lts__t_sectors_op_atom", 0.0791, spins},
    {"atomics", "lts__t_sectors_op_red", 1.159, spins},
    {"atomics", "lts__t_sectors_srcunit_tex", 0.0554, spins},
    {"atomics", "wavefronts_mem_shared.sum", 0.5, few},
    {"barrier_after_return", "wavefronts_mem_shared.sum", 0.8, few},
    {"votes", "wavefronts_mem_shared.sum", 0.795, few},
    {"recursion", "mem_local_op", 0, frames},
    {"recursion", "inst_executed_op_local", 0, frames},
    {"recursion", "pipe_lsu_lookup_hit", 0, frames},
    {"recursion", "lts__t_sectors.sum", 0.1161, frames},
    {"recursion", "lts__t_sectors_op_write", 0.0455, frames},
    {"recursion", "lts__t_sectors_srcunit_tex", 0.0001514, frames},
    {"recursion", "op_ldc", 0.154, called},
    {"recursion", "t_requests_pipe_lsu_mem_global_op_st", 0.0833, paths},
    {"recursion", "t_sectors_pipe_lsu_mem_global_op_st.sum", 0.167, paths},
    {"recursion", "inst_executed_op_global_st", 0.0833, paths},
    {"deep_recursion", "mem_local_op", 0, frames},
    {"deep_recursion", "inst_executed_op_local", 0, frames},
    {"deep_recursion", "pipe_lsu_lookup_hit", 0, frames},
    {"deep_recursion", "lts__t_sectors_op_write", 0.2001, frames},
    {"deep_recursion", "lts__t_sectors_srcunit_tex", 0.00043, frames},
    {"call_table", "mem_global_op_st.sum", 0.333, paths},
    {"call_table", "inst_executed_op_global_st", 0.333, paths},
    {"call_table", "smsp__inst_executed.sum", 0.676, paths},
    {"call_table", "pipe_lsu_lookup_hit", 0.0986, paths},
    {"call_table", "global_op_st_lookup_hit", 0, paths},
    {"call_table", "op_ldc", 0.429, called},
    {"struct_calls", "op_ldc", 0.429, called},
    {"spmv_csr", "t_requests_pipe_lsu_mem_global_op_ld.sum", 0.747, unrolled},
    {"spmv_csr", "t_sectors_pipe_lsu_mem_global_op_ld.sum", 0.976, unrolled},
    {"spmv_csr", "inst_executed_op_global_ld", 0.747, unrolled},
    {"spmv_csr", "op_branch", 0.455, unrolled},
    {"bitonic_sort", "op_branch", 0.365, exchanges},
    {"bit_tricks", "op_branch", 0.462, subroutines},
    {"rounded_float", "op_branch", 0.0323, subroutines},
    {"rounded_double", "op_branch", 0.0534, subroutines},
    {"bit_tricks", "dram__bytes_read", 0.337, parts},
    {"bit_tricks", "dram__bytes_write", 0, parts},
    {"rounded_float", "dram__bytes_read", 0.307, parts},
    {"rounded_float", "dram__bytes_write", 0, parts},
    {"rounded_double", "dram__bytes_read", 0.309, parts},
    {"rounded_double", "dram__bytes_write", 0, parts},
    {"wide_integers", "dram__bytes_read", 0.343, parts},
    {"wide_integers", "dram__bytes_write", 0, parts},
    {"fast_functions", "pipe_lsu_lookup_hit", 3.60, bursts},
    {"fast_functions", "pipe_lsu_lookup_miss", 0.182, bursts},
    {"fast_functions", "global_op_st_lookup_hit", 3.60, bursts},
    {"fast_functions", "lts__t_sectors.sum", 1.21, bursts},
    {"fast_functions", "lts__t_sectors_op_write", 1.231, bursts},
    {"fast_functions", "lts__t_sectors_srcunit_tex", 1.229, bursts},
    {"conversions", "lts__t_sectors_srcunit_tex", 1.119, bursts},
    {"transpose_naive", "pipe_lsu_lookup_hit", 1.242, bursts},
    {"transpose_naive", "pipe_lsu_lookup_miss", 0.4527, bursts},
    {"transpose_naive", "global_op_st_lookup_hit", 1.242, bursts},
    {"multiply_pipelined", "bank_conflicts_pipe_lsu_mem_shared.sum", 0, copies},
    {"multiply_pipelined", "wavefronts_mem_shared.sum", 0.8334, copies},
    {"multiply_pipelined", "op_shared_ld.sum", 0.8696, copies},
    {"local_array", "lts__t_sectors_op_read", 0.2728, stack},
    {"virtual_calls", "smsp__inst_executed.sum", 0.7042, chosen},
    {"virtual_calls", "smsp__inst_executed_op_branch.sum", 0.4615, chosen},
    {"virtual_calls", "smsp__thread_inst_executed_pred_on.sum", 0.7385, chosen},
};

deviation const* find_deviation(std::string_view kernel, std::string_view metric) {
    for (deviation const& each : deviations)
        if (each.kernel == kernel && metric.find(each.part) != metric.npos) return &each;
    return nullptr;
}

} // namespace

// 55 kernels take minutes under a sanitizer; other tests run the same code there, and the summary counts this one as
// skipped.
TEST_CASE("every counter of the functional kernels is that of an H200, as near as its row says, or a named deviation" *
          doctest::skip(sanitized)) {
    hardware_table const h200 = read_h200();
    CHECK(std::size(judgements) == 55);
    CHECK(h200.size() == 55);
    std::map<std::string, sim::counter_values> embedded;
    for (functional_launch const& launch : functional_launches()) {
        CHECK(!embedded.contains(launch.name));
        embedded[launch.name] = run(launch);
    }
    CHECK(embedded.size() == 55);

    std::array<unsigned, agreements> judged{}; // cells
    std::set<deviation const*> met;
    for (auto const& column : h200) {
        std::string const& metric = column.first; // clang 14 captures no structured binding
        INFO(metric);
        judgement const* const allowed = find_judgement(metric);
        REQUIRE(allowed != nullptr);
        CHECK(column.second.size() == embedded.size());
        for (auto const& row : column.second) {
            std::string const& kernel = row.first;
            REQUIRE(embedded.contains(kernel));
            double const value = value_of(*allowed, embedded.at(kernel));
            extremes const expected = row.second;
            INFO(kernel, ": ", value, ", on an H200 ", expected.least, " to ", expected.greatest);
            INFO(std::string{allowed->why});
            if (deviation const* const here = find_deviation(kernel, metric)) {
                met.insert(here);
                ++judged[static_cast<std::size_t>(agreement::deviation)];
                INFO(std::string{here->why});
                CHECK_FALSE(agrees(value, expected, *allowed, h200, kernel)); // else the row has outlived its reason
                double const ratio = value * 2 / (expected.least + expected.greatest);
                CHECK(std::abs(ratio - here->ratio) <= 0.03 * here->ratio);
            } else {
                ++judged[static_cast<std::size_t>(allowed->kind)];
                CHECK(agrees(value, expected, *allowed, h200, kernel));
            }
        }
    }
    CHECK(met.size() == std::size(deviations));
    // All of the table's 55 x 55 cells.
    auto const cells = [&](agreement kind) { return judged[static_cast<std::size_t>(kind)]; };
    CHECK(cells(agreement::exact) == 1679);
    CHECK(cells(agreement::share) == 523);
    CHECK(cells(agreement::noise) == 161);
    CHECK(cells(agreement::of_sectors) == 315);
    CHECK(cells(agreement::of_wavefronts) == 164);
    CHECK(cells(agreement::factor) == 99);
    CHECK(cells(agreement::deviation) == 84);
    CHECK(std::accumulate(judged.begin(), judged.end(), 0u) == 55 * 55);
}

} // namespace hardware_kernels_test

#endif
