// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When memory runs out while event counters are opened, the context is free again afterwards.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS

#include <doctest/doctest.h>

#include <cstddef>
#include <new>
#include <string>
#include <vector>

#include <gpuprof/hw/counters/event/event_hardware.hpp>
#include <gpuprof/sample/event_sampler.hpp>

#include "support/paper_event_gpu.hpp"
#include "support/sanitized.hpp"
#include "support/scarce_memory.hpp"

namespace event_session_test {

namespace hw = gpuprof::hw;

TEST_CASE("a context whose event counters could not be opened for want of memory is not busy") {
    test::paper_machine machine;
    auto const gpu = machine.open();
    std::vector<std::string> const names{"active_cycles"};
    auto const what = hw::event_hardware::try_plan(gpu, names);
    REQUIRE(what);
    bool failed = false;
    SUBCASE("session") {
        for (std::size_t n = 0; n < 40; ++n) {
            try {
                test::scarce_memory const scarce{n};
                auto session = hw::event_session::try_open(gpu, *what);
                if (session) static_cast<void>(session->try_prepare({}));
            } catch (std::bad_alloc const&) {
                failed = true;
            }
            CAPTURE(n);
            CHECK(hw::event_session::try_open(gpu, *what));
        }
    }
    SUBCASE("sampler") {
        for (std::size_t n = 0; n < 80; ++n) {
            try {
                test::scarce_memory const scarce{n};
                static_cast<void>(gpuprof::event_sampler::try_open(gpu, names));
            } catch (std::bad_alloc const&) {
                failed = true;
            }
            test::paper.sweep();
            CAPTURE(n);
            CHECK(hw::event_session::try_open(gpu, *what));
        }
    }
    CHECK(failed != thread_sanitized); // which brings its own operator new
}

} // namespace event_session_test

#endif
