// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a failing status to an error with a cause and a remedy.
#include <gpuprof/hw/machine/status.hpp>

#include <doctest/doctest.h>

#include <string>

namespace status_test {

namespace {
namespace hw = gpuprof::hw;
namespace abi = gpuprof::abi;
using gpuprof::errc;

bool contains(std::string const& text, std::string_view part) { return text.find(part) != std::string::npos; }

static_assert(abi::name(abi::CUDA_ERROR_NO_DEVICE) == "CUDA_ERROR_NO_DEVICE");
static_assert(abi::name(abi::CUPTI_ERROR_HARDWARE_BUSY) == "CUPTI_ERROR_HARDWARE_BUSY");
static_assert(abi::name(static_cast<abi::CUptiResult>(-7)).empty());
} // namespace

TEST_CASE("closed counters are told as a permission, with the module option that opens them") {
    auto const why = hw::explain("cuptiRangeProfilerEnable", abi::CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
    CHECK(why.code == errc::permission);
    CHECK(why.status == 35);
    CHECK(why.what == "cuptiRangeProfilerEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35)");
    CHECK(contains(why.remedy, "NVreg_RestrictProfilingToAdminUsers=0"));
    CHECK(contains(why.remedy, "CAP_SYS_ADMIN"));
    CHECK(contains(why.remedy, "WSL"));
}

TEST_CASE("a second subscriber and held counters are told as busy, with the likely holder") {
    CHECK(hw::explain("x", abi::CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED).code == errc::busy);
    auto const held = hw::explain("x", abi::CUPTI_ERROR_HARDWARE_BUSY);
    CHECK(held.code == errc::busy);
    CHECK(contains(held.cause, "DCGM"));
}

TEST_CASE("what the configuration forbids is unavailable, with its reason") {
    CHECK(contains(hw::explain("x", abi::CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED).cause, "MIG"));
    CHECK(contains(hw::explain("x", abi::CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED).cause, "confidential"));
    CHECK(contains(hw::explain("x", abi::CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED).cause, "7.5"));
    CHECK(contains(hw::explain("x", abi::CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED).remedy, "pc_sampler"));
    CHECK(hw::explain("x", abi::CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED).code == errc::unavailable);
}

TEST_CASE("a driver too old for CUPTI is told by the status that CUPTI gives for it") {
    // CUPTI 12.0, 2.1: "will fail with error code CUPTI_ERROR_NOT_INITIALIZED if the CUDA driver version is not compatible".
    auto const old_driver = hw::explain("cuptiProfilerInitialize", abi::CUPTI_ERROR_NOT_INITIALIZED);
    CHECK(old_driver.code == errc::version_mismatch);
    CHECK(contains(old_driver.remedy, "update the driver"));
    // CUPTI 5.0: "not compatible with the current state of the object", which no driver changes.
    auto const other_state = hw::explain("cuptiEventGroupEnable", abi::CUPTI_ERROR_NOT_COMPATIBLE);
    CHECK(other_state.code == errc::invalid_state);
    CHECK_FALSE(contains(other_state.cause + other_state.remedy, "driver"));
}

TEST_CASE("one status of CUPTI is a warning with which the session continues") {
    // CUPTI 12.0: "Profiling session will continue", "recompile the application code with nvcc version 9.0 or later".
    CHECK(hw::is_warning(abi::CUPTI_ERROR_CUDA_COMPILER_NOT_COMPATIBLE));
    CHECK(contains(hw::explain("x", abi::CUPTI_ERROR_CUDA_COMPILER_NOT_COMPATIBLE).remedy, "nvcc 9.0"));
    int warnings = 0;
#define GPUPROF_TEST_STATUS(name, value) warnings += hw::is_warning(abi::name) ? 1 : 0;
    GPUPROF_ABI_CUPTIRESULTS(GPUPROF_TEST_STATUS)
#undef GPUPROF_TEST_STATUS
    CHECK(warnings == 1);
}

TEST_CASE("a kernel that crashed is a lost device, whoever reports it") {
    CHECK(hw::explain("cuStreamSynchronize", abi::CUDA_ERROR_ILLEGAL_ADDRESS).code == errc::device_lost);
    CHECK(hw::explain("cuLaunchKernel", abi::CUDA_ERROR_LAUNCH_FAILED).code == errc::device_lost);
}

TEST_CASE("a link-time stub in place of the driver is told as such") {
    CHECK(contains(hw::explain("cuInit", abi::CUDA_ERROR_STUB_LIBRARY).cause, "stub"));
}

TEST_CASE("a number that no header knows is still reported, as internal") {
    auto const why = hw::explain("cuptiFinalize", static_cast<abi::CUptiResult>(1234));
    CHECK(why.code == errc::internal);
    CHECK(why.what == "cuptiFinalize: unknown status (1234)");
}

} // namespace status_test
