// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whichever allocation fails while a device or a session opens: nothing stays held. A program of its own: it replaces
// operator new.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include <gpuprof/hw/counters/range/range_hardware.hpp>
#include <gpuprof/hw/counters/range/range_registration.hpp>
#include <gpuprof/sim/open.hpp>
#include "sim/embedded_device.hpp"

#include "support/measured.hpp"
#include "sim/chip/chips.hpp"

#if defined(__SANITIZE_THREAD__)
#define REPLACES_NEW 0
#elif defined(__has_feature)
#define REPLACES_NEW !__has_feature(thread_sanitizer)
#else
#define REPLACES_NEW 1
#endif

#if !REPLACES_NEW

TEST_CASE("memory that runs out leaves nothing held") {
    MESSAGE("skipped: the thread sanitizer brings its own operator new");
}

#else

namespace {

thread_local long until_failure = -1; // allocations that still succeed; negative: all

void* allocate(std::size_t size) {
    if (until_failure >= 0 && until_failure-- == 0) throw std::bad_alloc{};
    if (void* const made = std::malloc(size == 0 ? 1 : size)) return made;
    throw std::bad_alloc{};
}

// Runs `body` again and again, its first, second, third allocation failing, until it needs no more. `check` looks at what each
// failure left. Returns how many failed.
template <class Body, class Check>
long fail_each_allocation(Body body, Check check) {
    for (long n = 0;; ++n) {
        bool failed = false;
        until_failure = n;
        try {
            body();
        } catch (std::bad_alloc const&) {
            failed = true;
        }
        until_failure = -1;
        CAPTURE(n);
        check();
        if (!failed) return n;
    }
}

} // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace session_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;

static std::vector<std::string> const metrics{"smsp__warps_launched.sum", "sm__ctas_launched.sum"};

TEST_CASE("memory that runs out while a range session opens leaves the context free and the range profiler off") {
    test::measured_device machine;
    auto const gpu = machine.open();
    hw::config_cache cache;
    auto const plan = hw::range_hardware::try_plan(gpu, metrics, cache);
    REQUIRE(plan);
    long const failures = fail_each_allocation(
        [&] {
            auto const session = hw::range_hardware::session::try_open(gpu, *plan);
            if (!session) throw std::bad_alloc{}; // CUPTI's own, told by status
        },
        [&] {
            auto const next = hw::range_hardware::session::try_open(gpu, *plan);
            REQUIRE_MESSAGE(next, (next ? std::string{} : next.error().message()));
        });
    CHECK(failures > 3); // the plan's strings at least
}

TEST_CASE("memory that runs out while a backend is chosen, plans, opens and prepares leaves the context free") {
    test::measured_device machine;
    auto const gpu = machine.open();
    REQUIRE(hw::try_plan_counters(gpu, metrics)); // what is loaded once
    long const failures = fail_each_allocation(
        [&] {
            auto const plan = hw::try_plan_counters(gpu, metrics);
            if (!plan) throw std::bad_alloc{};
            auto session = (*plan)->try_open(gpu);
            if (!session || !(*session)->try_prepare({})) throw std::bad_alloc{};
        },
        [&] {
            auto const plan = hw::try_plan_counters(gpu, metrics);
            REQUIRE(plan);
            auto const next = (*plan)->try_open(gpu);
            REQUIRE_MESSAGE(next, (next ? std::string{} : next.error().message()));
        });
    CHECK(failures > 5);
}

TEST_CASE("memory that runs out while a device opens or is shared releases the context") {
    hw::machine const& machine = gpuprof::sim::embedded_machine();
    int const ordinal = gpuprof::sim::detail::device_with(gpuprof::sim::gh100);
    REQUIRE(machine.driver.Init(0) == abi::CUDA_SUCCESS);
    { auto const once = gpuprof::device::try_open(machine, ordinal); }
    unsigned flags = 0;
    int active = 0;
    long const failures = fail_each_allocation(
        [&] {
            auto const gpu = gpuprof::device::try_open(machine, ordinal);
            if (!gpu) throw std::bad_alloc{};
            auto const shared = gpu->try_share();
            if (!shared) throw std::bad_alloc{};
        },
        [&] {
            CHECK(machine.driver.DevicePrimaryCtxGetState(ordinal, &flags, &active) == abi::CUDA_SUCCESS);
            CHECK(active == 0);
        });
    CHECK(failures > 0);
}

} // namespace session_test

#endif // REPLACES_NEW

#endif // GPUPROF_EXCEPTIONS
