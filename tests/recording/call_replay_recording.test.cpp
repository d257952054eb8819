// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recording of what gpuprof measured by repeating calls is played back: nothing is repeated then.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <vector>

#include <gpuprof/call_replay.hpp>

#include "support/recorded_program.hpp"

namespace call_replay_recording_test {

namespace {

constexpr char const* warps = "smsp__warps_launched.sum";

gpuprof::report measure(gpuprof::device const& gpu, gpuprof::replay_mode replay) {
    gpuprof::profiler_options options;
    options.replay = replay;
    if (replay == gpuprof::replay_mode::launch) options.ranges = gpuprof::range_mode::auto_range;
    gpuprof::profiler prof{gpu, options, gpuprof::metrics::warps_launched};
    test::kernels_of const kernels{gpu};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        for (unsigned blocks = 1; blocks < 4; ++blocks) {
            gpuprof::scope const range{prof, "range"};
            kernels.load(blocks);
        }
    }
    return prof.report();
}

} // namespace

TEST_CASE("recordings of launch replay and of range replay are played back") {
    for (auto const replay : {gpuprof::replay_mode::launch, gpuprof::replay_mode::range}) {
        CAPTURE(static_cast<int>(replay));
        scratch_directory const scratch;
        std::string const file = scratch.path() + "/session.json";
        char const* const name = replay == gpuprof::replay_mode::launch ? "load" : "range";
        {
            gpuprof::recording session{file};
            gpuprof::device const gpu = test::embedded_gpu();
            auto const measured = measure(gpu, replay);
            REQUIRE(measured.complete());
            CHECK(measured[name].try_values(warps).value() == std::vector<double>{2, 4, 6});
            REQUIRE(session.try_save());
        }
        gpuprof::device const played = gpuprof::try_open_device("replay:" + file).value();
        auto const again = measure(played, replay);
        CHECK(again.complete());
        CHECK(again[name].try_values(warps).value() == std::vector<double>{2, 4, 6});
        CHECK(again[name].launches().kernels == 3);
    }
}

} // namespace call_replay_recording_test

#endif
