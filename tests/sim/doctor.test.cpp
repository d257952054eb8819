// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/doctor, where GPUPROF_DEVICE chooses: the embedded GPU as any device, and what the variable cannot mean.
#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <gpuprof/hw/doctor/doctor.hpp>
#include <gpuprof/sim.hpp>

#include "support/system.hpp"

namespace doctor_test {

namespace {

using gpuprof::finding;

// GPUPROF_DEVICE while it lives.
class chosen_device {
public:
    explicit chosen_device(char const* value) {
        if (char const* const set = std::getenv("GPUPROF_DEVICE")) before_ = set;
        if (value == nullptr) ::unsetenv("GPUPROF_DEVICE");
        else ::setenv("GPUPROF_DEVICE", value, 1);
    }
    chosen_device(chosen_device const&) = delete;
    chosen_device& operator=(chosen_device const&) = delete;
    ~chosen_device() {
        if (before_) ::setenv("GPUPROF_DEVICE", before_->c_str(), 1);
        else ::unsetenv("GPUPROF_DEVICE");
    }

private:
    std::optional<std::string> before_;
};

} // namespace

TEST_CASE("doctor: with GPUPROF_DEVICE=sim it looks at the embedded GPU, names it, and says that it is not hardware") {
    struct expectation {
        char const* value;
        char const* text;
    };
    for (auto const& [value, text] : {expectation{"sim", "(GH100), compute capability 9.0"},
                                      expectation{"sim:GV100", "(GV100), compute capability 7.0"},
                                      expectation{"sim:gV100", "(GV100), compute capability 7.0"}}) {
        chosen_device const chosen{value};
        auto const found = gpuprof::doctor();
        CHECK(gpuprof::can_measure(found));
        REQUIRE(found.size() == 2);
        CHECK(found[0].text.find(std::string{"GPUPROF_DEVICE="} + value +
                                 ": the embedded GPU, which is not hardware") == 0);
        CHECK(found[1].text.find(text) != std::string::npos);
        CHECK(found[1].device >= 0);
    }
}

TEST_CASE(
    "doctor: the device that it looked at can be opened and used afterwards, and one that was current stays usable") {
    chosen_device const chosen{"sim:gv100"};
    auto const before = gpuprof::sim::open_embedded("gh100").value();
    CHECK(gpuprof::can_measure(gpuprof::doctor()));
    auto const gpu = gpuprof::try_open_device().value();
    CHECK(gpu.chip() == "GV100");
    gpuprof::abi::CUdeviceptr memory = 0;
    CHECK(gpu.driver().MemAlloc(&memory, 64) == gpuprof::abi::CUDA_SUCCESS);
    CHECK(gpu.driver().MemFree(memory) == gpuprof::abi::CUDA_SUCCESS);
    CHECK(before.driver().CtxSetCurrent(before.context()) == gpuprof::abi::CUDA_SUCCESS);
    CHECK(before.driver().MemAlloc(&memory, 64) == gpuprof::abi::CUDA_SUCCESS);
    CHECK(before.driver().MemFree(memory) == gpuprof::abi::CUDA_SUCCESS);
}

TEST_CASE("doctor: a GPUPROF_DEVICE that names nothing is an obstacle, told as open_device() tells it") {
    for (char const* const value : {"sim:gh200", "gpu", "cuda:", "cuda:-1", "cuda:1x", "cuda:9999"}) {
        CAPTURE(value);
        chosen_device const chosen{value};
        auto const found = gpuprof::doctor();
        REQUIRE(found.size() == 1);
        CHECK(found[0].how == finding::severity::obstacle);
        CHECK(found[0].code == gpuprof::errc::invalid_argument);
        CHECK(found[0].text.find(gpuprof::try_open_device().error().what) == 0);
        CHECK_FALSE(gpuprof::can_measure(found));
    }
}

TEST_CASE("doctor: where no GPU is, the embedded one that open_device() opens instead is named") {
    chosen_device const none{nullptr};
    auto const opened = gpuprof::try_open_device();
    bool named = false;
    for (finding const& each : gpuprof::doctor())
        named = named || each.text.find("open_device() opens the embedded GPU") != std::string::npos;
    CHECK(named == (opened->source() == gpuprof::device_source::embedded));
}

} // namespace doctor_test
