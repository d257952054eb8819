// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process that forks while it traces: both go on and end well, and the child traces nothing.
#if !defined(_WIN32)
#include <gpuprof/trace/consumer.hpp>
#include <gpuprof/trace/tracer.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <gpuprof/scope.hpp>

#include "support/paper_activity.hpp"
#include "support/sanitized.hpp"

namespace tracer_fork_test {

namespace activity = gpuprof::activity;
namespace abi = gpuprof::abi;
using gpuprof::errc;
using gpuprof::scope;
using gpuprof::tracer_options;
using test::paper_activity;

namespace {

constexpr auto kernels = activity::kinds<activity::kernel>;
using kernel_tracer = gpuprof::tracer<activity::kind_list<activity::kernel>>;

// What the child does with what it has inherited. @return the number of the first step that went wrong, or 0. Works without
// memory of its own where it can: another thread of the parent may hold the allocator.
template <class Consumer>
int child(paper_activity& cupti, kernel_tracer& trace, std::optional<kernel_tracer::batch>& batch,
          std::optional<Consumer>& consume) {
    ::alarm(30); // a deadlock ends
    std::size_t const made = cupti.made_unlocked();
    {
        scope const outer{trace, "outer"};
        scope const inner{trace, "a scope of the child"};
    }
    auto const flushed = trace.try_flush();
    if (!flushed || !flushed->empty()) return 1;
    if (trace.try_start() || trace.try_dump(abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)) return 2;
    if (!trace.try_stop()) return 3;
    if (kernel_tracer::try_begin(cupti.machine, kernels)) return 4;
    std::size_t seen = 0;
    batch->visit([&](activity::kernel const& it) { seen += it.name == "kept" && batch->scope_path(1) == "kept"; });
    if (seen != 1) return 5;
    batch.reset();
    if (consume->try_end()) return 6;
    consume.reset();
    if (!trace.try_finish()) return 7;
    return cupti.made_unlocked() == made ? 0 : 8;
}

} // namespace

TEST_CASE("a process that forks while eight threads trace and one consumes: parent and child end well") {
    if (address_sanitized) {
        // A child waited for ever in __sanitizer::Mutex::Lock, under free(): g++ 12's AddressSanitizer does not release its
        // allocator's locks over fork(), as glibc does.
        MESSAGE("skipped: AddressSanitizer's allocator does not live through fork() in a process of several threads");
        return;
    }
    paper_activity cupti;
    tracer_options options;
    options.buffers = 16;
    options.buffer_bytes = 8192;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels, options);
    {
        scope const kept{trace, "kept"};
        cupti.launch("kept");
    }
    std::optional<kernel_tracer::batch> batch{*trace.try_flush()};
    std::atomic<std::size_t> seen{0};
    auto const visit = [&](kernel_tracer::batch const& each) { each.visit([&](activity::kernel const&) { ++seen; }); };
    using consumer =
        gpuprof::trace_consumer<activity::kind_list<activity::kernel>, std::remove_const_t<decltype(visit)>>;
    std::optional<consumer> consume{*consumer::try_begin(trace, visit)};
    std::atomic<bool> is_over{false};
    std::vector<std::thread> all;
    for (int t = 0; t < 8; ++t)
        all.emplace_back([&] {
            while (!is_over) {
                scope const step{trace, "step"};
                cupti.launch();
                std::this_thread::yield();
            }
        });
    all.emplace_back([&] {
        while (!is_over) visit(*trace.try_flush());
    });
    int const forks = sanitized ? 10 : 20;
    int good = 0;
    for (int i = 0; i < forks; ++i) {
        pid_t const made = ::fork();
        REQUIRE(made >= 0);
        if (made == 0) ::_exit(child(cupti, trace, batch, consume));
        int status = 0;
        REQUIRE(::waitpid(made, &status, 0) == made);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
        good += WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    is_over = true;
    for (std::thread& each : all) each.join();
    CHECK(consume->try_end());
    consume.reset();
    CHECK(good == forks);
    batch.reset();
    std::size_t const before = seen;
    cupti.launch();
    visit(*trace.try_flush()); // the parent goes on
    CHECK(seen == before + 1);
}

} // namespace tracer_fork_test
#endif
