// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scope of a sampled profiler allocates nothing after the first of its name. Needs hot_path.test.cpp's operator new.
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

#include <gpuprof/sample/sampled_profiler.hpp>

#include "support/sampled_gpu.hpp"
#include "support/scarce_memory.hpp"

namespace sampled_scope_test {

using gpuprof::scope;

TEST_CASE("a scope of a sampled profiler allocates nothing after the first of its name and its thread") {
    test::sampled_gpu on;
    auto prof = gpuprof::sampled_profiler::try_create(*on.gpu, {}, gpuprof::metric<"lts__t_sectors.sum">).value();
    auto const allocations_of = [](auto body) {
        test::scarce_memory const counted{1'000'000};
        body();
        return std::size_t{1'000'000} - test::allocations_left;
    };
    auto const frame = [&] {
        scope const outer{prof, "a frame with a name that is long enough for memory of its own"};
        for (int i = 0; i < 3; ++i)
            scope const inner{prof, "a step with a name that is long enough for memory of its own"};
    };
    REQUIRE(prof.try_start());
    auto const record = on.machine.driver.EventRecord;
    on.machine.driver.EventRecord = [](gpuprof::abi::CUevent, gpuprof::abi::CUstream) {
        return gpuprof::abi::CUDA_SUCCESS; // what a driver allocates is its own
    };
    CHECK(allocations_of(frame) > 0);
    CHECK(allocations_of([&] {
              for (int i = 0; i < 2000; ++i) frame(); // 8,000 scopes, of which 4,096 have room
          }) == 0);
    on.machine.driver.EventRecord = record;
    static_cast<void>(prof.try_stop()); // its events were never recorded
    CHECK(!prof.try_report().value().complete());
}

} // namespace sampled_scope_test

#endif
