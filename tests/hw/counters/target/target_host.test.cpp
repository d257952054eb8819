// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans for GH100 by the libnvperf_host of each release, without a GPU.
#include <gpuprof/hw/counters/target/target_host.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/hw/machine/platform/environment.hpp>

namespace hw = gpuprof::hw;

TEST_CASE("the libnvperf_host of each release plans metrics of GH100 without a GPU") {
    std::string const root = gpuprof::platform::variable_or_empty("GPUPROF_CUPTI_WHEELS");
    int tried = 0;
    for (std::string const release : {"11.8", "12.0", "12.6", "12.9", "13.0"}) {
        for (std::string const folder : {"/nvidia/cuda_cupti/lib/", "/nvidia/cu13/lib/"}) {
            auto const host = hw::try_load_nvperf(root + "/" + release + folder + "libnvperf_host.so");
            if (root.empty() || !host) continue;
            CAPTURE(release);
            ++tried;
            auto const one = hw::try_configure_target(*host, "GH100", {"sm__cycles_elapsed.max"});
            REQUIRE(one);
            CHECK_FALSE(one->image.empty());
            CHECK_FALSE(one->counter_data_prefix.empty());
            CHECK(one->passes(1) == 1); // one counter fits one pass
            auto const more =
                hw::try_configure_target(*host, "GH100",
                                         {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "dram__bytes.sum",
                                          "lts__t_sectors.sum", "smsp__inst_executed.sum", "l1tex__t_sectors.sum"});
            REQUIRE(more);
            CHECK(more->passes(1) > 1);
            CHECK(more->passes(2) - more->passes(1) == more->isolated_passes);
            auto const unknown = hw::try_configure_target(*host, "GH100", {"sm__cycles_elapsed.max", "no__such.sum"});
            REQUIRE_FALSE(unknown);
            CHECK(unknown.error().code == gpuprof::errc::unknown_metric);
            CHECK(unknown.error().what.find("no__such.sum") != std::string::npos);
            auto const chip = hw::try_configure_target(*host, "XX999", {"sm__cycles_elapsed.max"});
            REQUIRE_FALSE(chip);
            CHECK(chip.error().code == gpuprof::errc::unavailable);
        }
    }
    MESSAGE("planned by ", tried, " releases");
    if (tried == 0)
        MESSAGE("skipped: GPUPROF_CUPTI_WHEELS names no directory filled by tests/setup/fetch_cupti_wheels.sh");
}

TEST_CASE("a plan of no metrics is refused before the library is asked") {
    auto const refused = hw::try_configure_target({}, "GH100", {});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == gpuprof::errc::invalid_argument);
}

TEST_CASE("a library that is not there is unavailable by its path") {
    auto const absent = hw::try_load_nvperf("/nowhere/libnvperf_host.so");
    REQUIRE_FALSE(absent);
    CHECK(absent.error().code == gpuprof::errc::unavailable);
    CHECK(absent.error().what == "/nowhere/libnvperf_host.so");
}

namespace fake_nvperf { // a name of its own: files of a room are compiled together

// A library whose calls succeed and give nothing, but for one of them.
static int calls = 0, failing = -1, made = 0, destroyed = 0, last_failed_is_destroy = 0;

static int answer(std::string_view name) {
    bool const fails = calls++ == failing;
    bool const destroys = name.find("Destroy") != name.npos;
    destroyed += destroys;
    if (fails) last_failed_is_destroy = destroys;
    bool const makes = name == "CUDA_MetricsEvaluator_Initialize" || name.find("_Create") != name.npos;
    made += makes && !fails;
    return fails ? 7 : 0;
}

static gpuprof::abi::nvperf_table fake() {
    using namespace gpuprof::abi;
    nvperf_table table;
#define FAKE_CALL(member, symbol, parameters)                                                                          \
    table.member = [] parameters { return params != nullptr ? answer(#member) : 8; };
    GPUPROF_ABI_NVPERF(FAKE_CALL)
#undef FAKE_CALL
    return table;
}

TEST_CASE("each call of libnvperf_host that fails is an error, and what was made is destroyed") {
    failing = -1;
    calls = 0;
    REQUIRE(hw::try_configure_target(fake(), "GH100", {"a.sum"}));
    int const all = calls;
    CHECK(all == 21); // 18 calls, three of them twice
    for (int each = 0; each < all; ++each) {
        CAPTURE(each);
        calls = made = destroyed = last_failed_is_destroy = 0;
        failing = each;
        auto const planned = hw::try_configure_target(fake(), "GH100", {"a.sum"});
        CHECK(planned.has_value() == (last_failed_is_destroy != 0));
        if (!planned) CHECK(planned.error().status == 7);
        CHECK(made == destroyed);
    }
    failing = -1;
}

} // namespace fake_nvperf
