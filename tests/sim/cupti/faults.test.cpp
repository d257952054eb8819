// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tests' own tools: faults hit the call they are meant for and leave the table as it was.
#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/gpu/gpu_state.hpp"
#include "support/fault_injection.hpp"
#include "support/test_machine.hpp"

namespace faults_test {

using namespace gpuprof::abi;

TEST_CASE("a fault hits the nth call of its name, every call, or the nth of all") {
    test::test_machine machine;
    auto const before = machine.cupti.GetVersion;
    {
        test::fault_injection faults{machine.cupti};
        std::uint32_t version = 0;
        faults.fail("cuptiGetVersion", 2, CUPTI_ERROR_HARDWARE_BUSY);
        CHECK(machine.cupti.GetVersion(&version) == CUPTI_SUCCESS);
        CHECK(machine.cupti.GetVersion(&version) == CUPTI_ERROR_HARDWARE_BUSY);
        CHECK(machine.cupti.GetVersion(&version) == CUPTI_SUCCESS);
        CHECK(faults.calls("cuptiGetVersion") == 3);
        CHECK(faults.calls("cuptiFinalize") == 0);

        faults.clear();
        faults.fail_always("cuptiGetVersion", CUPTI_ERROR_UNKNOWN);
        CHECK(machine.cupti.GetVersion(&version) == CUPTI_ERROR_UNKNOWN);
        CHECK(machine.cupti.GetVersion(&version) == CUPTI_ERROR_UNKNOWN);

        faults.clear();
        faults.fail_any(2, CUPTI_ERROR_DISABLED);
        std::uint64_t now = 0;
        CHECK(machine.cupti.GetVersion(&version) == CUPTI_SUCCESS);
        CHECK(machine.cupti.GetTimestamp(&now) == CUPTI_ERROR_DISABLED);
        CHECK(faults.record() == std::vector<std::string>{"cuptiGetVersion", "cuptiGetTimestamp"});
    }
    CHECK((machine.cupti.GetVersion == before));
}

TEST_CASE("both tables can have faults at once, and a null call stays null") {
    test::test_machine machine;
    test::fault_injection cupti{machine.cupti};
    test::fault_injection driver{machine.driver};
    CHECK((machine.driver.GraphLaunch == nullptr));
    driver.fail("cuCtxSynchronize", 1, CUDA_ERROR_LAUNCH_FAILED);
    machine.use_device();
    CHECK(machine.driver.CtxSynchronize() == CUDA_ERROR_LAUNCH_FAILED);
    CHECK(machine.driver.CtxSynchronize() == CUDA_SUCCESS);
    CHECK(cupti.calls() == 0);
}

namespace {
template <class Table, class Status, class... Parameters>
Status call_with_nothing(Table const& table, Status (*Table::*call)(Parameters...)) {
    return (table.*call)(Parameters{}...);
}
} // namespace

TEST_CASE("each call of both tables can be made to fail, by its own name") {
    test::test_machine machine;
    test::fault_injection cupti{machine.cupti};
    test::fault_injection driver{machine.driver};
    std::size_t failed = 0;
#define GPUPROF_TEST_FAIL(table, status, member, symbol)                                                               \
    if (machine.table.member != nullptr) {                                                                             \
        table.clear();                                                                                                 \
        table.fail(symbol, 1, status);                                                                                 \
        CHECK_MESSAGE(call_with_nothing(machine.table, &table##_table::member) == status, symbol);                     \
        CHECK(table.record() == std::vector<std::string>{symbol});                                                     \
        ++failed;                                                                                                      \
    }
#define GPUPROF_TEST_FAIL_CUPTI(member, symbol, parameters)                                                            \
    GPUPROF_TEST_FAIL(cupti, CUPTI_ERROR_HARDWARE, member, #symbol)
#define GPUPROF_TEST_FAIL_DRIVER(member, symbol, parameters)                                                           \
    GPUPROF_TEST_FAIL(driver, CUDA_ERROR_LAUNCH_FAILED, member, #symbol)
    GPUPROF_ABI_CUPTI(GPUPROF_TEST_FAIL_CUPTI)
    CHECK(failed >= 81); // the tables may grow
    failed = 0;
    GPUPROF_ABI_DRIVER(GPUPROF_TEST_FAIL_DRIVER)
    CHECK(failed >= 33);
#undef GPUPROF_TEST_FAIL_DRIVER
#undef GPUPROF_TEST_FAIL_CUPTI
#undef GPUPROF_TEST_FAIL
}

TEST_CASE("a kernel launched through the driver counts what the test says, on its context") {
    test::test_machine machine;
    CUcontext const context = machine.use_device();
    machine.on_launch = [](test::launch const& what, gpuprof::sim::counter_values& counted) {
        CHECK(what.kernel == "saxpy");
        counted[gpuprof::sim::raw_counter::inst_executed] = what.threads() / 32 * 19;
    };
    CUmodule module = nullptr;
    CUfunction kernel = nullptr;
    REQUIRE(machine.driver.ModuleLoadData(&module, "") == CUDA_SUCCESS);
    REQUIRE(machine.driver.ModuleGetFunction(&kernel, module, "saxpy") == CUDA_SUCCESS);
    REQUIRE(machine.driver.LaunchKernel(kernel, 4, 1, 1, 40, 1, 1, 0, nullptr, nullptr, nullptr) == CUDA_SUCCESS);
    auto const totals = gpuprof::sim::shared().registry.totals(context);
    CHECK(totals[gpuprof::sim::raw_counter::warps_launched] == 8); // 4 CTAs of 2 warps
    CHECK(totals[gpuprof::sim::raw_counter::threads_launched] == 160);
    CHECK(totals[gpuprof::sim::raw_counter::inst_executed] == 160 / 32 * 19);
    CHECK(machine.launches() == 1);
}

} // namespace faults_test
