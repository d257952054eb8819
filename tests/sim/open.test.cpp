// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of opening the embedded GPU: by name, through the environment, as a fallback.
#include <cstdint>
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include <gpuprof/sim.hpp>

#include "support/system.hpp"

namespace open_test {

TEST_CASE("without a name it is a GH100, and it says that it is embedded") {
    auto const gpu = gpuprof::sim::open_embedded("");
    REQUIRE(gpu);
    CHECK(gpu->source() == gpuprof::device_source::embedded);
    CHECK(gpu->chip() == "GH100");
    CHECK(gpu->capability() == gpuprof::compute_capability{9, 0});
    CHECK(gpu->machine().driver_library.path == "embedded");
    CHECK(gpu->machine().cupti_library.path == "embedded");
}

TEST_CASE("a chip is named in letters of any case, and is one device however often it is opened") {
    auto const one = gpuprof::sim::open_embedded("gv100");
    auto const two = gpuprof::sim::open_embedded("GV100");
    REQUIRE(one);
    REQUIRE(two);
    CHECK(one->chip() == "GV100");
    CHECK(one->ordinal() == two->ordinal());
    CHECK(one->context() == two->context());
}

TEST_CASE("a chip is named by its capability, too, and those before 7.5 come with CUDA 12.9") {
    struct chip {
        char const* capability;
        char const* name;
        int driver;
        int cupti;
    };
    for (chip const& each :
         {chip{"2.0", "GF100", 12090, 28}, chip{"2.1", "GF114", 12090, 28}, chip{"3.5", "GK110B", 12090, 28},
          chip{"5.2", "GM200", 12090, 28}, chip{"6.0", "GP100", 12090, 28}, chip{"7.0", "GV100", 12090, 28},
          chip{"9.0", "GH100", 13000, 130000}}) {
        std::string const capability = each.capability;
        CAPTURE(capability);
        auto const gpu = gpuprof::sim::open_embedded(capability);
        REQUIRE(gpu);
        CHECK(std::to_string(gpu->capability().generation) + '.' + std::to_string(gpu->capability().revision) ==
              capability);
        // Only the profiler API tells a chip's name, and event hardware is not asked through it.
        CHECK(gpu->chip() == (gpu->capability().has_range_hardware() ? std::string{each.name} : std::string{}));
        CHECK(gpu->name().find(each.name) != std::string::npos);
        CHECK(gpu->machine().driver_library.version == each.driver);
        CHECK(gpu->machine().cupti_library.version == each.cupti);
        std::uint32_t version = 0;
        CHECK(gpu->cupti().GetVersion(&version) == gpuprof::abi::CUPTI_SUCCESS);
        CHECK(static_cast<int>(version) == each.cupti);
        auto const again = gpuprof::sim::open_embedded(each.name);
        REQUIRE(again);
        CHECK(again->ordinal() == gpu->ordinal());
    }
}

TEST_CASE("a legacy chip's limits are its product's") {
    auto const gpu = gpuprof::sim::open_embedded("2.0"); // a Tesla C2050
    REQUIRE(gpu);
    using namespace gpuprof::abi;
    CHECK(gpu->attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) == 14);
    CHECK(gpu->attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) == 1536);
    CHECK(gpu->attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK) == 32768);
    CHECK(gpu->attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) == 384);
    CHECK(gpu->attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) == 1500000);
    CHECK(gpu->attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) == 1150000);
    CHECK(gpu->attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE) == 768 * 1024);
    CHECK(gpu->attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) == 49152);
}

TEST_CASE("a chip there is no model of is an error that lists those there are") {
    auto const none = gpuprof::sim::open_embedded("tu102");
    REQUIRE_FALSE(none);
    CHECK(none.error().code == gpuprof::errc::invalid_argument);
    CHECK(none.error().message().find("GF100, GF114, GK110B, GM200, GP100, GV100, GH100") != std::string::npos);
    for (char const* const name : {"7.5", "5"}) {
        auto const no_chip = gpuprof::sim::open_embedded(name);
        REQUIRE_FALSE(no_chip);
        CHECK(no_chip.error().code == gpuprof::errc::invalid_argument);
    }
}

TEST_CASE("the word after a chip says how ranges are collected, and another word is an error that names it") {
    auto const quick = gpuprof::sim::open_embedded("gh100", gpuprof::sim::collection::at_once);
    auto const planned = gpuprof::sim::open_embedded("gh100", gpuprof::sim::collection::in_passes);
    REQUIRE(quick);
    REQUIRE(planned);
    CHECK(quick->ordinal() != planned->ordinal());
    for (char const* const text : {"gh100", "GH100", "9.0", ""}) {
        CAPTURE(text);
        auto const gpu = gpuprof::sim::open_embedded(text);
        REQUIRE(gpu);
        CHECK(gpu->ordinal() == quick->ordinal());
    }
    for (char const* const text : {"gh100,passes", "GH100,PASSES", "9.0,Passes", ",passes"}) {
        CAPTURE(text);
        auto const gpu = gpuprof::sim::open_embedded(text);
        REQUIRE(gpu);
        CHECK(gpu->ordinal() == planned->ordinal());
    }
    for (char const* const text : {"gh100,passes,target", "gh100,Target,passes"}) { // one device, another CUPTI
        CAPTURE(text);
        auto const gpu = gpuprof::sim::open_embedded(text);
        REQUIRE(gpu);
        CHECK(gpu->ordinal() == planned->ordinal());
        CHECK(&gpu->machine() == &gpuprof::sim::embedded_target_machine());
        CHECK((gpu->cupti().RangeProfilerEnable == nullptr && gpu->cupti().ProfilerBeginSession != nullptr));
        CHECK(gpu->machine().cupti_library.version == 23); // CUPTI 12.5
    }
    // Events are always counted in passes, so that there is one such device.
    CHECK(gpuprof::sim::open_embedded("gm200,passes")->ordinal() == gpuprof::sim::open_embedded("gm200")->ordinal());
    for (char const* const text :
         {"gh100,pases", "gh100,", "gh100,passes,passes", "gh100, passes", "gh100,target,target"}) {
        CAPTURE(text);
        auto const wrong = gpuprof::sim::open_embedded(text);
        REQUIRE_FALSE(wrong);
        CHECK(wrong.error().code == gpuprof::errc::invalid_argument);
        CHECK(wrong.error().message().find("it knows two words, passes and target, and a number") != std::string::npos);
        CHECK(wrong.error().message().find("write gh100,passes") != std::string::npos);
    }
    auto const chip = gpuprof::sim::open_embedded("tu102,passes");
    REQUIRE_FALSE(chip);
    CHECK(chip.error().message().find("GF100, GF114, GK110B") != std::string::npos);
}

TEST_CASE("GPUPROF_DEVICE chooses the embedded GPU and its chip") {
    char const* const before = std::getenv("GPUPROF_DEVICE");
    std::string const kept = before == nullptr ? "" : before;
    ::setenv("GPUPROF_DEVICE", "sim", 1);
    auto const any = gpuprof::try_open_device();
    REQUIRE(any);
    CHECK(any->chip() == "GH100");
    ::setenv("GPUPROF_DEVICE", "sim:gv100", 1);
    auto const volta = gpuprof::try_open_device();
    REQUIRE(volta);
    CHECK(volta->chip() == "GV100");
    for (char const* const text : {"sim:gh100,passes", "SIM:GH100,PASSES", "sim,passes", "Sim:,passes"}) {
        CAPTURE(text);
        ::setenv("GPUPROF_DEVICE", text, 1);
        auto const planned = gpuprof::try_open_device();
        REQUIRE(planned);
        CHECK(planned->ordinal() ==
              gpuprof::sim::open_embedded("gh100", gpuprof::sim::collection::in_passes)->ordinal());
    }
    for (char const* const text : {"sim:gh100,pass", "sims", "sim;gh100"}) {
        CAPTURE(text);
        ::setenv("GPUPROF_DEVICE", text, 1);
        auto const wrong = gpuprof::try_open_device();
        REQUIRE_FALSE(wrong);
        CHECK(wrong.error().code == gpuprof::errc::invalid_argument);
    }
    if (before == nullptr) ::unsetenv("GPUPROF_DEVICE");
    else ::setenv("GPUPROF_DEVICE", kept.c_str(), 1);
}

TEST_CASE("a word of GPUPROF_CHECK that is no check opens no embedded GPU, and the nearest one is offered") {
    char const* const before = std::getenv("GPUPROF_CHECK");
    std::string const kept = before == nullptr ? "" : before;
    ::setenv("GPUPROF_CHECK", "memory,rases", 1);
    auto const wrong = gpuprof::sim::open_embedded("gh100");
    ::setenv("GPUPROF_CHECK", "memory,races", 1);
    auto const right = gpuprof::sim::open_embedded("gh100");
    if (before == nullptr) ::unsetenv("GPUPROF_CHECK");
    else ::setenv("GPUPROF_CHECK", kept.c_str(), 1);
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().code == gpuprof::errc::invalid_argument);
    CHECK(wrong.error().what == "GPUPROF_CHECK: there is no check named \"rases\"");
    CHECK(wrong.error().remedy == "perhaps races");
    CHECK(right);
}

} // namespace open_test
