// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ranks/straggler on four processes, each with an embedded GPU, that wait for each other after each step: the one with more work
// is found in 20 of 20 runs, though all steps take as long, and none in 50 runs where all do the same.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS && !defined(_WIN32) // written with the throwing spellings; ranks are forked

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/ranks.hpp>
#include <gpuprof/sim.hpp>

#include "support/rank_programs.hpp"
#include "support/scratch_directory.hpp"

namespace straggler_ranks_test {

namespace abi = gpuprof::abi;
namespace ranks = gpuprof::ranks;

TEST_CASE("a rank of a program with a straggler" * doctest::skip()) {
    auto all = test::here_as_rank();
    auto const gpu = gpuprof::sim::open_embedded("gh100").value();
    auto const& d = gpu.driver();
    REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
    abi::CUmodule module = nullptr;
    abi::CUfunction compute = nullptr;
    REQUIRE(d.ModuleLoadData(
                &module, ".version 7.0\n.target sm_52\n.address_size 64\n"
                         ".visible .entry compute(.param .u32 count) { .reg .f32 %f; .reg .u32 %n; .reg .pred %p;\n"
                         "ld.param.u32 %n, [count];\n"
                         "again: fma.rn.f32 %f, %f, %f, %f; sub.u32 %n, %n, 1; setp.ne.u32 %p, %n, 0; @%p bra again;\n"
                         "ret; }") == abi::CUDA_SUCCESS);
    REQUIRE(d.ModuleGetFunction(&compute, module, "compute") == abi::CUDA_SUCCESS);
    auto const needed = ranks::try_straggler_metrics().value();
    gpuprof::profiler prof{gpu, ranks::options_of_ranks(), needed};
    std::string outcomes;
    constexpr std::size_t injected = 20, without = 50;
    constexpr unsigned deadline_ms = 60'000;
    double sum = 0;
    for (std::size_t run = 0; run < injected + without; ++run) {
        bool const is_slow = run < injected && all.rank() == run % all.size();
        unsigned count = is_slow ? 600 : 400;
        void* parameters[]{&count};
        all.try_barrier(deadline_ms).value();
        auto const begin = std::chrono::steady_clock::now();
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            {
                gpuprof::scope const here{prof, "compute"};
                REQUIRE(d.LaunchKernel(compute, 64, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr) ==
                        abi::CUDA_SUCCESS);
            }
            all.try_barrier(deadline_ms)
                .value(); // the collective, after which wall times are those of the slowest rank
        }
        double const wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        sum += wall;
        ranks::straggler_options options;
        options.deadline_ms = deadline_ms;
        auto const found = ranks::try_find_stragglers(all, prof.report(), options).value();
        for (auto const& each : found.problems) outcomes += each.message() + "\n";
        if (found.found.empty()) outcomes += "none\n";
        for (auto const& each : found.found)
            outcomes += std::to_string(each.rank) + " " + each.range + " " + std::string{name(each.cause)} + "\n";
    }
    if (all.rank() == 0) test::leave("outcomes", outcomes);
    test::leave("wall." + std::to_string(all.rank()), std::to_string(sum));
}

TEST_CASE("straggler: of four processes the one with more work is found in 20 of 20 runs, and none in 50 without it") {
    scratch_directory const folder;
    auto const ended = test::run_as_ranks("a rank of a program with a straggler", folder.path(), 4);
    CHECK(ended == std::vector<int>(4, 0));
    std::string expected;
    for (std::size_t run = 0; run < 20; ++run) expected += std::to_string(run % 4) + " compute more work\n";
    for (std::size_t run = 0; run < 50; ++run) expected += "none\n";
    CHECK(test::left_in(folder.path(), "outcomes") == expected);
    // The wall times of all runs lie as near as the barrier makes them: by them nobody is told.
    double least = 1e9, most = 0;
    for (int rank = 0; rank < 4; ++rank) {
        double const wall = std::stod(test::left_in(folder.path(), "wall." + std::to_string(rank)));
        least = wall < least ? wall : least;
        most = wall > most ? wall : most;
    }
    MESSAGE("wall times of four ranks, all runs together: " << least << " to " << most << " s");
}

} // namespace straggler_ranks_test

#endif
