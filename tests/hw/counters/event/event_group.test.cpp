// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/counters/event/event_group.hpp: what CUPTI only warns of.
#include <doctest/doctest.h>

#include <gpuprof/hw/counters/event/event_hardware.hpp>

#include "support/paper_event_gpu.hpp"

namespace event_group_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;

// CUPTI 12.0, known issues: for code of nvcc before 9.0 on 6.0 and 6.1 "profiling session will continue and CUPTI will notify
// it using error code CUPTI_ERROR_CUDA_COMPILER_NOT_COMPATIBLE".
TEST_CASE("a warning about the compiler does not end an event session") {
    test::paper_machine machine;
    static decltype(abi::cupti_table::EventGroupEnable) enable = nullptr;
    enable = machine.machine.cupti.EventGroupEnable;
    machine.machine.cupti.EventGroupEnable = [](abi::CUpti_EventGroup group) {
        auto const status = enable(group);
        return status == abi::CUPTI_SUCCESS ? abi::CUPTI_ERROR_CUDA_COMPILER_NOT_COMPATIBLE : status;
    };
    auto const gpu = machine.open();
    std::vector<std::string> const names{"active_cycles"};
    auto const plan = hw::event_hardware::try_plan(gpu, names);
    REQUIRE(plan);
    auto session = hw::event_session::try_open(gpu, *plan);
    REQUIRE(session);
    REQUIRE(session->try_prepare({}));
    auto const begun = session->try_begin_replay_pass();
    CHECK_MESSAGE(begun, (begun ? std::string{} : begun.error().message()));
    CHECK(session->try_push(0));
    CHECK(session->try_pop());
    CHECK(session->try_end_replay_pass());
    auto const read = session->try_read();
    REQUIRE(read);
    CHECK(read->size() == 1);
}

} // namespace event_group_test
