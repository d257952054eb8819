// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whichever allocation of a collection fails, the program goes on and the report says so. Needs hot_path.test.cpp's
// operator new.
#include <gpuprof/detail/config.hpp>

#if defined(__SANITIZE_THREAD__)
#define REPLACES_NEW 0
#elif defined(__has_feature)
#define REPLACES_NEW !__has_feature(thread_sanitizer)
#else
#define REPLACES_NEW 1
#endif

#if GPUPROF_EXCEPTIONS && REPLACES_NEW

#include <doctest/doctest.h>

#include <cstddef>
#include <new>
#include <string>

#include <gpuprof/measure/profiler.hpp>
#include <gpuprof/measure/range_log.hpp>
#include <gpuprof/metric/named_metrics.hpp>

#include "support/hand_filled.hpp"
#include "support/paper_hardware.hpp"
#include "support/scarce_memory.hpp"

namespace out_of_memory_test {

using gpuprof::scope;
using gpuprof::detail::range_log;

TEST_CASE("a range that there was no memory for leaves the tree of names as it was") {
    std::string const names = "a name too long for a string without memory of its own";
    bool failed = true;
    for (std::size_t memory = 0; failed; ++memory) {
        CAPTURE(memory);
        range_log log;
        log.reset(0xfffffffe, 1024, false); // as for a survey
        log.begin_replay_pass();
        failed = false;
        std::size_t opened = 0;
        {
            test::scarce_memory const scarce{memory};
            for (int i = 0; i < 20; ++i) {
                try {
                    static_cast<void>(log.open({names.data() + i, names.size() - 20}));
                    ++opened;
                } catch (std::bad_alloc const&) {
                    log.cancel_open();
                    failed = true;
                }
            }
        }
        auto const after = log.open("after");
        REQUIRE(after.push);
        CHECK(log.name(log.nodes()[log.instances().back()]) == "after");
        for (auto const& node : log.nodes())
            for (auto const link : {node.first_child, node.last_child, node.next_sibling})
                REQUIRE((link == range_log::none || link < log.nodes().size()));
        CHECK(log.close(after.ticket) == 1);
        CHECK(log.end_replay_pass() == opened); // each push has its pop
        REQUIRE(memory < 1'000);
    }
}

TEST_CASE("whichever allocation of a collection fails, the program goes on and the report says so") {
    gpuprof::hw::machine const machine = test::hand_filled_machine({{}});
    auto const gpu = *gpuprof::device::try_open(machine);
    bool failed = true;
    for (std::size_t memory = 0; failed; ++memory) {
        CAPTURE(memory);
        test::paper_hardware::now = {};
        test::paper_hardware::now.passes = 2;
        gpuprof::profiler_options options;
        options.backend = &gpuprof::hw::backend<test::paper_hardware>;
        auto prof = *gpuprof::profiler::try_create(gpu, options, gpuprof::metrics::warps_launched);
        auto const collect = [&] {
            std::size_t runs = 0;
            for (auto pass : prof.passes()) {
                ++runs;
                scope frame{prof, "frame"};
                for (int i = 0; i < 3; ++i) scope step{prof, "a step with a name that is long enough"};
                scope last{prof, "last"};
            }
            return runs;
        };
        std::size_t runs = 0;
        {
            test::scarce_memory const scarce{memory};
            runs = collect();
            failed = test::scarce_memory::ran_out();
        }
        CHECK(runs >= 1);
        CHECK(runs <= 5);
        auto const report = prof.try_report();
        if (report) {
            if (!failed) CHECK(report->complete());
        } else {
            CHECK(failed);
            CHECK(report.error().code == gpuprof::errc::not_collected);
            CHECK(report.error().message().find("no memory") != std::string::npos);
        }
        CHECK(test::paper_hardware::now.pops_too_many == 0);
        CHECK(test::paper_hardware::now.left_pushed == 0);
        CHECK(test::paper_hardware::now.sessions == 0);
        CHECK(collect() == 5);
        CHECK(prof.try_report()->complete());
        REQUIRE(memory < 1'000);
    }
}

} // namespace out_of_memory_test

#endif
