// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of opening the embedded GPU: by name, through the environment, as a fallback.
#include <cstdlib>
#include <string>

#include <doctest/doctest.h>

#include <gpuprof/sim.hpp>

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

TEST_CASE("a chip there is no model of is an error that lists those there are") {
    auto const none = gpuprof::sim::open_embedded("tu102");
    REQUIRE_FALSE(none);
    CHECK(none.error().code == gpuprof::errc::invalid_argument);
    CHECK(none.error().message().find("GV100, GH100") != std::string::npos);
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
    if (before == nullptr) ::unsetenv("GPUPROF_DEVICE");
    else ::setenv("GPUPROF_DEVICE", kept.c_str(), 1);
}
