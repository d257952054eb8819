// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/samplers/sass_counter.hpp on the embedded GPU: counts that can be told from the kernels' text, sums that are those of the
// hardware counters, lines, what is refused, and each call of CUPTI that fails.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/hw/samplers/module_code.hpp>
#include <gpuprof/hw/samplers/sass_counter.hpp>
#include <gpuprof/io/sass_table.hpp>

#include "sim/gpu/gpu_state.hpp"
#include "support/fault_injection.hpp"
#include "support/injected_fault.hpp"
#include "support/pc_sampled_gpu.hpp"
#include "sim/chip/chips.hpp"

namespace sass_counter_test {

namespace abi = gpuprof::abi;
using gpuprof::errc;
using gpuprof::sass_counter;
using gpuprof::sass_counts;
using test::pc_sampled_gpu;

namespace {

// In all cases the same ones: CUPTI configures a GPU once in a process.
std::vector<std::string> const metrics{"smsp__sass_inst_executed",
                                       "smsp__sass_thread_inst_executed",
                                       "smsp__sass_inst_executed_op_global_ld",
                                       "smsp__sass_inst_executed_op_global_st",
                                       "smsp__sass_inst_executed_op_branch",
                                       "smsp__sass_sectors_mem_global",
                                       "smsp__sass_sectors_mem_global_ideal",
                                       "smsp__sass_l1tex_tags_mem_global",
                                       "smsp__sass_branch_targets_threads_divergent",
                                       "smsp__sass_branch_targets_threads_uniform"};
enum { warps, threads, loads, stores, branches, sectors, ideal_sectors, tags, divergent, uniform };

constexpr std::uint64_t warps_a_launch = 64 * 256 / 32;

template <class T>
T got(gpuprof::result<T> from) {
    REQUIRE_MESSAGE(from, (from ? std::string{} : from.error().message()));
    return *std::move(from);
}
std::map<std::string, std::vector<std::uint64_t>> by_function(sass_counts const& of) {
    std::map<std::string, std::vector<std::uint64_t>> sums;
    for (auto const& each : of.functions()) sums[each.function] = each.values;
    return sums;
}
// What the last launch counted, as the hardware counters have it.
std::uint64_t executed(pc_sampled_gpu const& machine) {
    return gpuprof::sim::shared()
        .registry.last_launch(machine.handle())
        .counted[gpuprof::sim::raw_counter::inst_executed];
}
void unset(abi::cupti_table const& cupti) {
    abi::CUpti_SassMetricsUnsetConfig_Params p;
    for (p.deviceIndex = 0; p.deviceIndex < 16; ++p.deviceIndex) // the test program may have other devices
        static_cast<void>(cupti.SassMetricsUnsetConfig(&p));
}

} // namespace

TEST_CASE("instructions count what the kernels' text says, and add up to the hardware's counters") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto counter = got(sass_counter::try_open(gpu, metrics));
    CHECK(counter.metrics() == metrics);
    machine.gather();
    std::uint64_t const gathered = executed(machine);
    machine.add(100);
    machine.add(100);
    std::uint64_t const added = 2 * executed(machine);
    auto const counts = got(counter.try_finish());
    CHECK(counts.dropped == 0);
    CHECK(counts.metrics == metrics);
    CHECK(counts.how == gpuprof::fidelity::estimated);
    CHECK(counts.chip == "GH100");
    CHECK(got(counts.try_find(metrics[stores])) == stores);
    auto sums = by_function(counts);
    REQUIRE(sums.size() == 2);
    CHECK(sums["gather"][warps] == gathered);
    CHECK(sums["gather"][threads] == 32 * gathered);
    CHECK(sums["gather"][loads] == warps_a_launch);
    CHECK(sums["gather"][stores] == warps_a_launch);
    CHECK(sums["gather"][branches] == warps_a_launch); // its end
    CHECK(sums["add"][warps] == added);
    CHECK(sums["add"][loads] == 0);
    CHECK(sums["add"][stores] == 2 * warps_a_launch);
    CHECK(sums["add"][branches] == 2 * warps_a_launch * (100 + 1));
    // Words 128 bytes apart are read: a sector each, in a line each. Words side by side are written.
    CHECK(sums["gather"][sectors] == warps_a_launch * (32 + 4));
    CHECK(sums["gather"][ideal_sectors] == warps_a_launch * (4 + 4));
    CHECK(sums["gather"][tags] == warps_a_launch * (32 + 1));
    CHECK(sums["add"][sectors] == 2 * warps_a_launch * 4);
    CHECK(sums["add"][ideal_sectors] == sums["add"][sectors]);
    CHECK(sums["add"][divergent] == 0);
    CHECK(sums["add"][uniform] == 2 * warps_a_launch * 100);
    std::size_t looped = 0;
    for (auto const& each : counts.records) {
        CHECK(each.pc_offset % 16 == 0);
        CHECK(each.values.size() == metrics.size());
        CHECK(each.values[warps] > 0);
        looped += each.values[branches] == 2 * warps_a_launch * 100;
    }
    CHECK(looped == 1);

    std::string const table = gpuprof::io::table(counts);
    CHECK(table.find("gpuprof embedded GPU (GH100), estimated: counts of instructions\nfunction ") == 0);
    CHECK(table.find("\nadd ") < table.find("\ngather ")); // most first
}

TEST_CASE("a take has what was counted since the last one, and takes can be merged") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto counter = got(sass_counter::try_open(gpu, metrics));
    CHECK(got(counter.try_take()).records.empty());
    machine.add(5);
    auto first = got(counter.try_take());
    machine.gather();
    auto const second = got(counter.try_take());
    CHECK(by_function(first).size() == 1);
    CHECK(by_function(second).size() == 1);
    machine.add(7);
    auto const third = got(counter.try_finish());
    REQUIRE(first.try_merge(second));
    REQUIRE(first.try_merge(third));
    auto sums = by_function(first);
    CHECK(sums["add"][branches] == warps_a_launch * (5 + 1 + 7 + 1));
    CHECK(sums["gather"][loads] == warps_a_launch);
    CHECK(first.records.size() == second.records.size() + third.records.size());
    auto other = first;
    other.metrics.pop_back();
    auto const refused = first.try_merge(other);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::invalid_argument);
    auto const missing = first.try_find("smsp__sass_inst_executed_op_ldsm");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == errc::not_collected);

    auto const over = counter.try_take();
    REQUIRE_FALSE(over);
    CHECK(over.error().code == errc::invalid_state);
}

TEST_CASE("lines have the counts of their instructions") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto const code = got(gpuprof::module_code::try_watch(gpu));
    auto counter = got(sass_counter::try_open(gpu, metrics));
    machine.gather();
    auto const counts = got(counter.try_finish());
    auto const lines = lines_of(counts, code);
    std::uint64_t sum = 0;
    std::map<std::uint32_t, std::uint64_t> loads_of_line;
    for (auto const& each : lines) {
        CHECK(each.at.line != 0);
        sum += each.values[warps];
        if (each.values[loads] != 0) loads_of_line[each.at.line] = each.values[loads];
    }
    CHECK(sum == executed(machine));
    REQUIRE(loads_of_line.size() == 1);
    CHECK(loads_of_line.begin()->first == test::line_of_gathered - 1); // the load itself
    CHECK(gpuprof::io::table(counts, lines).find("(no line)") == std::string::npos);

    auto const none = got(gpuprof::module_code::try_open(gpu)); // has seen no code
    auto const unplaced = lines_of(counts, none);
    REQUIRE(unplaced.size() == 1);
    CHECK(unplaced[0].at.line == 0);
    CHECK(unplaced[0].values[warps] == sum);
    CHECK(gpuprof::io::table(counts, unplaced).find("(no line)") != std::string::npos);
}

TEST_CASE("a GPU says which metrics it has, and names that it has not are told the nearest") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto const listed = got(sass_counter::try_list(gpu));
    std::size_t asked = 0;
    for (auto const& each : listed) {
        CHECK(each.name.substr(0, 11) == "smsp__sass_");
        CHECK_FALSE(each.description.empty());
        CHECK(each.id != 0);
        for (auto const& metric : metrics) asked += each.name == metric;
    }
    CHECK(asked == metrics.size());

    auto const misspelt = sass_counter::try_open(gpu, {"smsp__sass_inst_execute"});
    REQUIRE_FALSE(misspelt);
    CHECK(misspelt.error().code == errc::unknown_metric);
    CHECK(misspelt.error().remedy.find("smsp__sass_inst_executed") != std::string::npos);
    for (auto const& wrong : {std::vector<std::string>{}, std::vector<std::string>{metrics[0], metrics[0]}}) {
        auto const refused = sass_counter::try_open(gpu, wrong);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == errc::invalid_argument);
    }

    pc_sampled_gpu old{gpuprof::sim::gv100};
    auto const before = sass_counter::try_list(old.open());
    REQUIRE_FALSE(before);
    CHECK(before.error().code == errc::unavailable);
    CHECK(before.error().message().find("capability 7.0") != std::string::npos);
}

TEST_CASE("one counter on a context, and one list of metrics in a process, also after cuptiFinalize") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    {
        auto const counter = got(sass_counter::try_open(gpu, metrics));
        auto const second = sass_counter::try_open(gpu, metrics);
        REQUIRE_FALSE(second);
        CHECK(second.error().code == errc::busy);
    }
    auto const other = sass_counter::try_open(gpu, {metrics[0]});
    REQUIRE_FALSE(other);
    CHECK(other.error().code == errc::invalid_state);
    CHECK(other.error().message().find("once in a process") != std::string::npos);
    unset(machine.tables.cupti); // as cuptiFinalize does
    auto again = got(sass_counter::try_open(gpu, metrics));
    machine.gather();
    CHECK(by_function(got(again.try_finish()))["gather"][loads] == warps_a_launch);
}

TEST_CASE(
    "CUPTI 13.0, which counts the first kernel only, is refused on hardware, and a CUPTI without the calls is told") {
    pc_sampled_gpu machine;
    auto const as_hardware =
        got(gpuprof::device::try_open(machine.tables, machine.handle(), gpuprof::device_source::hardware));
    auto const refused = sass_counter::try_open(as_hardware, metrics);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::version_mismatch);
    CHECK(refused.error().remedy.find("GPUPROF_CUPTI_PATH") != std::string::npos);
    machine.tables.cupti.SassMetricsFlushData = nullptr;
    auto const gpu = machine.open();
    auto const missing = sass_counter::try_open(gpu, metrics);
    REQUIRE_FALSE(missing);
    CHECK(missing.error().message().find("cuptiSassMetricsFlushData") != std::string::npos);
}

TEST_CASE("a context that is lost while instructions are counted is an error that names the call") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto counter = got(sass_counter::try_open(gpu, metrics));
    machine.gather();
    gpuprof::sim::shared().registry.lose(machine.handle());
    auto const lost = counter.try_finish();
    REQUIRE_FALSE(lost);
    CHECK(lost.error().message().find("cuptiSassMetricsGetDataProperties") != std::string::npos);
}

TEST_CASE("each call of CUPTI fails in turn: the error names it, and the next counter counts") {
    struct life {
        std::optional<gpuprof::error> error;
        std::uint64_t loaded = 0;
    };
    auto const whole_life = [](pc_sampled_gpu& machine) -> life {
        auto const gpu = machine.open();
        auto counter = sass_counter::try_open(gpu, metrics);
        if (!counter) return {std::move(counter).error(), 0};
        machine.gather();
        auto counts = counter->try_finish();
        if (!counts) return {std::move(counts).error(), 0};
        return {{}, by_function(*counts)["gather"][loads]};
    };
    for (auto const& fault : {test::no_privileges, test::hardware_busy, test::unknown_error}) {
        std::vector<std::string> calls;
        {
            pc_sampled_gpu machine;
            test::fault_injection faults{machine.tables.cupti};
            unset(gpuprof::sim::embedded_machine().cupti);
            static_cast<void>(whole_life(machine)); // from here on the GPU is known as configured
            unset(gpuprof::sim::embedded_machine().cupti);
            faults.clear();
            life const whole = whole_life(machine);
            REQUIRE_MESSAGE(!whole.error, (whole.error ? whole.error->message() : std::string{}));
            CHECK(whole.loaded == warps_a_launch);
            calls = faults.record();
        }
        std::size_t told = 0;
        for (std::size_t n = 1; n <= calls.size(); ++n) {
            CAPTURE(n);
            CAPTURE(calls[n - 1]);
            pc_sampled_gpu machine;
            unset(gpuprof::sim::embedded_machine().cupti);
            {
                test::fault_injection faults{machine.tables.cupti};
                faults.fail_any(n, fault.status);
                life const now = whole_life(machine);
                bool const of_counting = calls[n - 1].find("SassMetrics") != std::string::npos;
                if (of_counting) {
                    REQUIRE(now.error);
                    fault.check(*now.error, calls[n - 1]);
                    ++told;
                }
            }
            unset(gpuprof::sim::embedded_machine().cupti);
            pc_sampled_gpu next;
            life const after = whole_life(next);
            CHECK_MESSAGE(!after.error, (after.error ? after.error->message() : std::string{}));
            CHECK(after.loaded == warps_a_launch);
        }
        CHECK(told == 8); // two of the list, enable, set, enable, properties, flush, disable
    }
}

} // namespace sass_counter_test
