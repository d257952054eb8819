// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/devices: the devices of a program, as the environment says.
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include <gpuprof/ranks.hpp>
#include <gpuprof/sim.hpp>

#include "support/system.hpp"

namespace devices_test {

using gpuprof::errc;

namespace {

// A variable of the environment while the object lives, and what it was after that. An empty value counts as none.
class variable {
public:
    variable(char const* name, char const* value) : name_{name} {
        if (char const* const before = std::getenv(name)) before_ = before;
        ::setenv(name, value, 1);
    }
    ~variable() { ::setenv(name_, before_.c_str(), 1); }
    variable(variable const&) = delete;
    variable& operator=(variable const&) = delete;

private:
    char const* name_;
    std::string before_;
};

} // namespace

TEST_CASE("try_open_devices: as many embedded GPUs of a chip as GPUPROF_SIM_DEVICES says, the first one current") {
    variable const chosen{"GPUPROF_DEVICE", "sim:gh100"};
    variable const count{"GPUPROF_SIM_DEVICES", "3"};
    auto const all = gpuprof::try_open_devices();
    REQUIRE(all);
    REQUIRE(all->size() == 3);
    for (gpuprof::device const& each : *all) {
        CHECK(each.source() == gpuprof::device_source::embedded);
        CHECK(each.chip() == "GH100");
    }
    CHECK(all->at(0).ordinal() != all->at(1).ordinal());
    CHECK(all->at(1).ordinal() != all->at(2).ordinal());
    CHECK(all->at(0).context() != all->at(1).context());
    gpuprof::abi::CUcontext current = nullptr;
    CHECK(all->at(0).driver().CtxGetCurrent(&current) == gpuprof::abi::CUDA_SUCCESS);
    CHECK(current == all->at(0).context());
}

TEST_CASE("try_open_devices: one where nothing says how many, and the one that a number names") {
    variable const count{"GPUPROF_SIM_DEVICES", ""};
    {
        variable const chosen{"GPUPROF_DEVICE", "sim:gv100"};
        auto const all = gpuprof::try_open_devices();
        REQUIRE(all);
        REQUIRE(all->size() == 1);
        CHECK(all->front().chip() == "GV100");
    }
    variable const several{"GPUPROF_SIM_DEVICES", "2"};
    variable const chosen{"GPUPROF_DEVICE", "sim:gh100,1"};
    auto const second = gpuprof::sim::open_embedded("gh100", gpuprof::sim::collection::at_once, 1);
    auto const all = gpuprof::try_open_devices();
    REQUIRE(second);
    REQUIRE(all);
    REQUIRE(all->size() == 1);
    CHECK(all->front().ordinal() == second->ordinal());
    CHECK(gpuprof::try_open_device()->ordinal() == second->ordinal());
}

TEST_CASE("try_open_devices: a number of embedded GPUs that means nothing is an error that says what would") {
    variable const chosen{"GPUPROF_DEVICE", "sim"};
    for (char const* const wrong : {"0", "17", "two", "2 ", "-1"}) {
        CAPTURE(wrong);
        variable const count{"GPUPROF_SIM_DEVICES", wrong};
        auto const all = gpuprof::try_open_devices();
        REQUIRE_FALSE(all);
        CHECK(all.error().code == errc::invalid_argument);
        CHECK(all.error().message().find("1 to 16 embedded GPUs") != std::string::npos);
    }
    auto const beyond = gpuprof::sim::open_embedded("gh100", gpuprof::sim::collection::at_once, 16);
    REQUIRE_FALSE(beyond);
    CHECK(beyond.error().code == errc::invalid_argument);
    CHECK_FALSE(gpuprof::sim::open_embedded("gh100,1,2"));
}

} // namespace devices_test
