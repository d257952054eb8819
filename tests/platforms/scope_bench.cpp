// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of a scope on a platform that has no Google Benchmark (docs/platforms.md): under Wine, under qemu-user, natively.
// The fastest of many short runs counts. Numbers are nanoseconds an operation, and say something beside each other only.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>

#include <gpuprof/hw/machine/platform/clock.hpp>
#include <gpuprof/measure/timeline.hpp>
#include <gpuprof/scope.hpp>

namespace {

constexpr int operations = 4096, runs = 300;
std::uint64_t volatile sink = 0; // what a scope is around: one store

// The least time of an operation on what prepare() makes, which is not timed.
template <class Prepare, class Operation>
double fastest(Prepare prepare, Operation operation) {
    using clock = std::chrono::steady_clock;
    double best = 1e9;
    for (int run = 0; run < runs; ++run) {
        auto const prepared = prepare();
        auto const begin = clock::now();
        for (int i = 0; i < operations; ++i) operation(*prepared);
        best = (std::min)(best, std::chrono::duration<double, std::nano>(clock::now() - begin).count() / operations);
    }
    return best;
}

} // namespace

int main() {
    std::size_t lost = 0;
    auto const timeline = [](std::size_t scopes) {
        auto line = std::make_unique<gpuprof::timeline>(scopes);
        line->attach_thread();
        return line;
    };
    auto const nothing = [] { return std::make_unique<int>(0); };
    auto const stopped = [&] {
        auto line = timeline(16);
        line->stop();
        return line;
    };
    auto const in_scope = [](gpuprof::timeline& line) {
        gpuprof::scope const one{line, "one"};
        sink = 1;
    };
    double const empty = fastest(nothing, [](int) { sink = 1; });
    double const stamps = fastest(nothing,
                                  [](int) {
                                      sink = gpuprof::platform::ticks();
                                      sink = gpuprof::platform::ticks();
                                  }) -
                          empty;
    double const idle = fastest(stopped, in_scope) - empty;
    double const recording = fastest([&] { return timeline(operations); },
                                     [&](gpuprof::timeline& line) {
                                         in_scope(line);
                                         lost = line.dropped();
                                     }) -
                             empty;
    std::printf("two timestamps %.2f ns, idle scope %.2f ns, recording scope %.2f ns: %.2f times two timestamps\n",
                stamps, idle, recording, recording / stamps);
    return lost == 0 ? 0 : 1;
}
