// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sample/pc_sampler.hpp on the embedded GPU: numbers of samples from cycles and the period, where they lie, ranges, modes, what is
// lost, and each call of CUPTI that fails.
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/sample/pc_sampler.hpp>

#include "sim/gpu/gpu_state.hpp"
#include "support/fault_injection.hpp"
#include "support/injected_fault.hpp"
#include "support/pc_sampled_gpu.hpp"
#include "sim/chip/chips.hpp"
#include "sim/cupti/release.hpp"

namespace pc_sampler_test {

namespace abi = gpuprof::abi;
using gpuprof::errc;
using gpuprof::pc_sampler;
using gpuprof::pc_samples;
using gpuprof::pc_sampling_mode;
using gpuprof::pc_sampling_options;
using gpuprof::stall_reason;
using test::pc_sampled_gpu;

namespace {

pc_sampling_options every(unsigned power_of_cycles) {
    pc_sampling_options options;
    options.period = power_of_cycles;
    return options;
}
pc_sampler open(gpuprof::device const& gpu, pc_sampling_options const& options) {
    auto opened = pc_sampler::try_open(gpu, options);
    REQUIRE_MESSAGE(opened, (opened ? std::string{} : opened.error().message()));
    return *std::move(opened);
}
template <class T>
T got(gpuprof::result<T> from) {
    REQUIRE_MESSAGE(from, (from ? std::string{} : from.error().message()));
    return *std::move(from);
}
std::map<std::string, std::uint64_t> by_function(pc_samples const& of) {
    std::map<std::string, std::uint64_t> sums;
    for (auto const& record : of.records) sums[record.function] += record.samples();
    return sums;
}
std::map<stall_reason, std::uint64_t> by_reason(pc_samples const& of) {
    std::map<stall_reason, std::uint64_t> sums;
    for (auto const& record : of.records)
        for (auto const& stall : record.stalls) sums[of.reasons[stall.reason].reason] += stall.samples;
    return sums;
}
std::uint64_t distance(std::uint64_t a, std::uint64_t b) { return a < b ? b - a : a - b; }
// An SM of GH100 has four sub-partitions, each with a sampler.
std::uint64_t expected(std::uint64_t active_cycles, unsigned period) { return 4 * active_cycles >> period; }

} // namespace

TEST_CASE("there is a sample for each period of each sub-partition's active cycles") {
    for (unsigned const period : {5u, 8u, 11u}) {
        CAPTURE(period);
        pc_sampled_gpu machine;
        auto const gpu = machine.open();
        auto sampler = open(gpu, every(period));
        machine.add(1000);
        std::uint64_t sum = expected(machine.active_cycles(), period);
        machine.gather();
        sum += expected(machine.active_cycles(), period);
        auto const samples = got(sampler.try_finish());
        CHECK(samples.samples() == samples.total);
        CHECK(distance(samples.total, sum) <= 2);
        CHECK(samples.total > 100);
        CHECK(by_function(samples).size() == 2);
        CHECK(samples.complete());
        CHECK(samples.period == period);
        CHECK(samples.how == gpuprof::fidelity::estimated);
        CHECK(samples.source == gpuprof::device_source::embedded);
        CHECK(samples.chip == "GH100");
    }
}

TEST_CASE("a period longer than kernels takes a sample now and then, none twice") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto sampler = open(gpu, every(20));
    std::uint64_t cycles = 0;
    for (int i = 0; i < 40; ++i) {
        machine.add(300);
        cycles += machine.active_cycles();
    }
    auto const samples = got(sampler.try_finish());
    REQUIRE(expected(cycles, 20) >= 4);
    CHECK(distance(samples.total, expected(cycles, 20)) <= 1);
}

TEST_CASE("a warp waits for loaded data where it is first used, and at a barrier") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    {
        auto sampler = open(gpu, every(6));
        machine.gather();
        auto const samples = got(sampler.try_finish());
        std::map<std::uint64_t, std::uint64_t> places; // of the long scoreboard
        for (auto const& record : samples.records)
            for (auto const& stall : record.stalls)
                if (samples.reasons[stall.reason].reason == stall_reason::long_scoreboard)
                    places[record.pc_offset] += stall.samples;
        REQUIRE(places.size() == 1); // one load, one first use
        CHECK(by_reason(samples)[stall_reason::long_scoreboard] > samples.total / 2);
        for (auto const& record : samples.records)
            for (auto const& stall : record.stalls) CHECK(stall.latency_samples <= stall.samples);
    }
    {
        auto sampler = open(gpu, every(6));
        machine.meet();
        auto const samples = got(sampler.try_finish());
        std::set<std::uint64_t> places;
        for (auto const& record : samples.records)
            for (auto const& stall : record.stalls)
                if (samples.reasons[stall.reason].reason == stall_reason::barrier) places.insert(record.pc_offset);
        CHECK(places.size() == 3);                                               // there are three of them
        CHECK(by_reason(samples).at(stall_reason::barrier) > samples.total / 8); // others wait for the first code
    }
}

TEST_CASE("only what runs between start and stop is sampled") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto options = every(8);
    options.ranges = true;
    auto sampler = open(gpu, options);
    machine.gather();
    REQUIRE(sampler.try_start());
    machine.add();
    REQUIRE(sampler.try_stop());
    machine.meet();
    auto const first = got(sampler.try_take());
    REQUIRE(sampler.try_start());
    machine.gather();
    machine.meet();
    REQUIRE(sampler.try_stop());
    auto const second = got(sampler.try_take());
    auto const rest = got(sampler.try_finish());
    REQUIRE(first.ranges.size() == 1); // the numbers tell ranges apart that were merged
    REQUIRE(second.ranges.size() == 1);
    CHECK(first.ranges[0] != second.ranges[0]);
    CHECK(rest.ranges.empty());
    gpuprof::pc_samples both = first;
    REQUIRE(both.try_merge(second));
    CHECK(both.ranges == std::vector<std::uint64_t>{first.ranges[0], second.ranges[0]});
    CHECK(by_function(first).size() == 1);
    CHECK(by_function(first).count("add") == 1);
    CHECK(by_function(second).size() == 2);
    CHECK(by_function(second).count("add") == 0);
    CHECK(rest.total == 0);
    CHECK(rest.records.empty());
}

TEST_CASE("samples of instructions have metrics about themselves by name") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto options = every(8);
    options.hardware_bytes = 64 << 20;
    auto sampler = open(gpu, options);
    machine.add();
    auto const samples = got(sampler.try_finish());
    CHECK(samples.ranges.empty()); // without ranges there are no numbers
    CHECK(samples.try_value("smsp__pcsamp_interval").value() == 3);
    CHECK(samples.try_value("smsp__pcsamp_interval_cycles").value() == 256); // 32 cycles, doubled 3 times
    CHECK(samples.try_value("smsp__pcsamp_buffer_size_bytes").value() == 64 << 20);
    CHECK(samples.try_value("smsp__pcsamp_aggregated_passes").value() == 1);
    CHECK(samples.try_value("smsp__pcsamp_sample_count").value() == static_cast<double>(samples.total));
    CHECK(samples.try_value("smsp__pcsamp_dropped_bytes").error().code == errc::unavailable);
    CHECK(samples.try_value("smsp__pcsamp_no_such").error().code == errc::unknown_metric);
    CHECK(samples.try_value("interval").error().code == errc::unknown_metric);
    gpuprof::pc_samples const nothing;
    CHECK(nothing.try_value("smsp__pcsamp_interval").error().code == errc::not_collected);
    CHECK(nothing.try_value("smsp__pcsamp_buffer_size_bytes").error().code == errc::not_collected);
}

TEST_CASE("a range that is open ends with the sampler") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto options = every(8);
    options.ranges = true;
    auto sampler = open(gpu, options);
    REQUIRE(sampler.try_start());
    machine.add();
    CHECK(got(sampler.try_finish()).samples() > 0);
}

TEST_CASE("starts and stops out of order are errors, and so is fetching after the end") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto const refused = [](auto const& result) {
        REQUIRE_FALSE(result);
        CHECK(result.error().code == errc::invalid_state);
        CHECK_FALSE(result.error().remedy.empty());
    };
    {
        auto without = open(gpu, {});
        refused(without.try_start());
        refused(without.try_stop());
    }
    auto options = every(8);
    options.ranges = true;
    auto sampler = open(gpu, options);
    refused(sampler.try_stop());
    REQUIRE(sampler.try_start());
    refused(sampler.try_start());
    REQUIRE(sampler.try_stop());
    refused(sampler.try_stop());
    got(sampler.try_finish());
    refused(sampler.try_take());
    refused(sampler.try_take_at_hand());
    refused(sampler.try_start());
    refused(sampler.try_finish());
}

TEST_CASE("serialised kernels are told apart by their launches, continuous sampling adds them up") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    for (auto const mode : {pc_sampling_mode::continuous, pc_sampling_mode::kernel_serialized}) {
        auto options = every(8);
        options.mode = mode;
        auto sampler = open(gpu, options);
        machine.add();
        machine.add();
        auto const samples = got(sampler.try_finish());
        std::set<std::uint32_t> launches;
        for (auto const& record : samples.records) launches.insert(record.launch);
        CHECK(samples.mode == mode);
        if (mode == pc_sampling_mode::continuous) {
            CHECK(launches == std::set<std::uint32_t>{0});
        } else {
            CHECK(launches.size() == 2);
            CHECK(launches.count(0) == 0);
        }
    }
}

TEST_CASE("samples with reasons that were not asked for are in the total alone") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto options = every(6);
    options.reasons = {stall_reason::long_scoreboard};
    auto sampler = open(gpu, options);
    machine.gather();
    auto const samples = got(sampler.try_finish());
    CHECK(by_reason(samples).size() == 1);
    CHECK(samples.samples() > 0);
    CHECK(samples.total > samples.samples());
    bool latency = false;
    for (auto const& record : samples.records) latency = latency || record.latency_samples() > 0;
    CHECK(latency); // asked for along with the samples
}

TEST_CASE("few records a fetch give the same as many") {
    std::vector<gpuprof::pc_record> kept;
    for (std::size_t const room : {std::size_t{8192}, std::size_t{1}, std::size_t{3}}) {
        pc_sampled_gpu machine;
        auto const gpu = machine.open();
        auto options = every(6);
        options.records_a_fetch = room;
        auto sampler = open(gpu, options);
        machine.gather();
        machine.add();
        auto const samples = got(sampler.try_finish());
        CHECK(samples.complete());
        CHECK(samples.samples() == samples.total);
        if (kept.empty()) kept = samples.records;
        CHECK(kept.size() > 10);
        CHECK(samples.records == kept);
    }
}

TEST_CASE("records of CUPTI before 12.4, which are shorter, are read as those of later ones") {
    std::vector<gpuprof::pc_record> kept;
    namespace activity = gpuprof::activity;
    for (auto const release : {activity::release(13, 0), activity::release(12, 3), activity::release(12, 0)}) {
        gpuprof::sim::cupti::set_release(release);
        pc_sampled_gpu machine;
        auto const gpu = machine.open();
        auto options = every(6);
        options.mode = pc_sampling_mode::kernel_serialized;
        {
            auto const serialised = pc_sampler::try_open(gpu, options);
            CHECK(serialised.has_value() == (release == activity::release(13, 0)));
            if (!serialised) CHECK(serialised.error().code == errc::version_mismatch);
        }
        options.mode = pc_sampling_mode::continuous;
        options.records_a_fetch = 3;
        auto sampler = open(gpu, options);
        machine.gather();
        machine.add();
        auto const samples = got(sampler.try_finish());
        CHECK(samples.complete());
        if (kept.empty()) kept = samples.records;
        CHECK(kept.size() > 10);
        CHECK(samples.records == kept);

        gpuprof::sim::cupti::set_release();
    }
}

TEST_CASE("a full hardware buffer is counted, and the next fetch is whole") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto options = every(5);
    options.hardware_bytes = 100 * 32; // of 32 bytes each on the embedded GPU
    auto sampler = open(gpu, options);
    machine.gather();
    auto const full = got(sampler.try_take());
    CHECK(full.buffer_full == 1);
    CHECK(full.records.empty());
    CHECK(full.dropped == full.total - 100);
    CHECK_FALSE(full.complete());
    CHECK(got(sampler.try_take()).complete());
    CHECK(sampler.configuration().hardware_bytes == 3200);
}

TEST_CASE("the attributes begin as documented") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto const sampler = open(gpu, {});
    auto const& is = sampler.configuration();
    CHECK(is.scratch_bytes == std::size_t{1} << 20);
    CHECK(is.hardware_bytes == std::size_t{512} << 20);
    CHECK(is.worker_milliseconds == 100u);
    REQUIRE(is.period);
    CHECK(*is.period >= 5);
    CHECK(*is.period <= 31);
    CHECK(sampler.reasons().size() == 19);
    CHECK(pc_sampling_options{}.mode == pc_sampling_mode::continuous);
    CHECK_FALSE(pc_sampling_options{}.ranges);
}

TEST_CASE("attributes that were set are what CUPTI then has") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto options = every(31);
    options.scratch_bytes = 1 << 16;
    options.worker_milliseconds = 7;
    auto const sampler = open(gpu, options);
    CHECK(sampler.configuration().period == 31u);
    CHECK(sampler.configuration().scratch_bytes == std::size_t{1} << 16);
    CHECK(sampler.configuration().worker_milliseconds == 7u);
}

TEST_CASE("what cannot be sampled is refused with the reason") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto const refused = [&](gpuprof::device const& on, pc_sampling_options const& options, errc code) {
        auto const opened = pc_sampler::try_open(on, options);
        REQUIRE_FALSE(opened);
        CAPTURE(opened.error().message());
        CHECK(opened.error().code == code);
        CHECK_FALSE(opened.error().cause.empty());
        CHECK_FALSE(opened.error().remedy.empty());
    };
    refused(gpu, every(4), errc::invalid_argument);
    refused(gpu, every(32), errc::invalid_argument);
    pc_sampling_options options;
    options.records_a_fetch = 0;
    refused(gpu, options, errc::invalid_argument);
    options = {};
    options.reasons = {stall_reason::unknown};
    refused(gpu, options, errc::invalid_argument);
    {
        auto const first = open(gpu, {});
        refused(gpu, {}, errc::busy);
    }
    auto const again = open(gpu, {});

    pc_sampled_gpu old{gpuprof::sim::gp100};
    refused(old.open(), {}, errc::unavailable);
    pc_sampled_gpu volta{gpuprof::sim::gv100};
    auto const on_volta = volta.open();
    options.reasons = {stall_reason::warpgroup_arrive};
    refused(on_volta, options, errc::invalid_argument);
    CHECK(open(on_volta, {}).reasons().size() == 18);
}

TEST_CASE("a CUPTI without the calls is refused by the name of the first") {
    pc_sampled_gpu machine;
    machine.tables.cupti.PCSamplingGetData = nullptr;
    auto const gpu = machine.open();
    auto const opened = pc_sampler::try_open(gpu);
    REQUIRE_FALSE(opened);
    CHECK(opened.error().code == errc::unavailable);
    CHECK(opened.error().message().find("cuptiPCSamplingGetData") != std::string::npos);
}

TEST_CASE("a context that is lost while it is sampled is an error, and the sampler ends") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto sampler = open(gpu, every(8));
    machine.add();
    gpuprof::sim::shared().registry.lose(machine.handle());
    auto const taken = sampler.try_take_at_hand();
    REQUIRE_FALSE(taken);
    CHECK(taken.error().message().find("cuptiPCSamplingGetData") != std::string::npos);
}

namespace {

// A sampler's life, with every call that it makes. Gives the errors, and what was sampled.
struct life {
    std::vector<gpuprof::error> errors;
    std::uint64_t samples = 0;
};
life whole_life(pc_sampled_gpu& machine) {
    life all;
    auto const note = [&](auto const& result) {
        if (!result) all.errors.push_back(result.error());
        return static_cast<bool>(result);
    };
    auto const gpu = machine.open();
    auto options = every(8);
    options.ranges = true;
    options.reasons = {stall_reason::long_scoreboard, stall_reason::wait};
    options.scratch_bytes = 1 << 16;
    options.worker_milliseconds = 50;
    auto opened = pc_sampler::try_open(gpu, options);
    if (!note(opened)) return all;
    pc_sampler sampler = *std::move(opened);
    if (note(sampler.try_start())) {
        machine.gather();
        note(sampler.try_stop());
    }
    if (auto const taken = sampler.try_take(); note(taken)) all.samples += taken->samples();
    if (auto const rest = sampler.try_finish(); note(rest)) all.samples += rest->samples();
    return all;
}

} // namespace

TEST_CASE("each call of CUPTI fails in turn: the error names it, and another context can be sampled after") {
    for (auto const& fault : {test::no_privileges, test::hardware_busy, test::unknown_error}) {
        std::vector<std::string> calls;
        {
            pc_sampled_gpu machine;
            test::fault_injection const faults{machine.tables.cupti};
            life const whole = whole_life(machine);
            REQUIRE_MESSAGE(whole.errors.empty(),
                            (whole.errors.empty() ? std::string{} : whole.errors.front().message()));
            CHECK(whole.samples > 0);
            calls = faults.record();
        }
        std::size_t told = 0, harmless = 0;
        for (std::size_t n = 1; n <= calls.size(); ++n) {
            CAPTURE(n);
            CAPTURE(calls[n - 1]);
            {
                pc_sampled_gpu machine;
                test::fault_injection faults{machine.tables.cupti};
                faults.fail_any(n, fault.status);
                life const now = whole_life(machine);
                if (calls[n - 1].find("PCSampling") == std::string::npos ||
                    calls[n - 1] == "cuptiPCSamplingGetConfigurationAttribute") {
                    CHECK(
                        now.errors.empty()); // what the device is called, or how CUPTI is configured, is not known then
                    ++harmless;
                } else {
                    REQUIRE_FALSE(now.errors.empty());
                    fault.check(now.errors.front(), calls[n - 1]);
                    ++told;
                }
                abi::CUpti_PCSamplingDisableParams off; // where disabling was what failed
                off.ctx = machine.handle();
                static_cast<void>(gpuprof::sim::embedded_machine().cupti.PCSamplingDisable(&off));
            }
            pc_sampled_gpu next;
            CHECK(whole_life(next).errors.empty());
        }
        CHECK(told == 9); // enable, two of reasons, set, start, stop, data twice, disable
        CHECK(harmless >= 4);
    }
}

} // namespace pc_sampler_test
