// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// profiler_options::serialise_launches: launches of measured passes wait, those of others do not.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

namespace serialised_test {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;

TEST_CASE("serialised launches: each launch of a measured pass waits twice more, and the values are the same") {
    static gpuprof::hw::machine counted = sim::embedded_machine();
    static int waits = 0;
    static auto const wait = sim::embedded_machine().driver.CtxSynchronize;
    counted.driver.CtxSynchronize = [] { return ++waits, wait(); };
    int const ordinal = sim::open_embedded("gv100", sim::collection::in_passes).value().ordinal();
    auto const gpu = gpuprof::device::try_open(counted, ordinal, gpuprof::device_source::embedded).value();
    auto const& d = gpu.driver();
    REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
    abi::CUmodule module = nullptr;
    abi::CUfunction kernel = nullptr;
    REQUIRE(d.ModuleLoadData(&module,
                             ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry nothing() { ret; }") ==
            abi::CUDA_SUCCESS);
    REQUIRE(d.ModuleGetFunction(&kernel, module, "nothing") == abi::CUDA_SUCCESS);
    constexpr int launches = 5;
    auto const measured = [&](bool serialised) {
        gpuprof::profiler_options options;
        options.serialise_launches = serialised;
        gpuprof::profiler prof{gpu, options, gpuprof::metric<"sm__warps_launched.sum">,
                               gpuprof::metrics::ffma_thread_inst};
        waits = 0;
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            gpuprof::scope const range{prof, "launches"};
            for (int i = 0; i < launches; ++i)
                REQUIRE(d.LaunchKernel(kernel, 2, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr) == abi::CUDA_SUCCESS);
        }
        auto const report = prof.report();
        CHECK(report.complete());
        CHECK(report.completeness().replay_passes == 2);
        CHECK(report["launches"].try_value("sm__warps_launched.sum").value().value == launches * 2 * 2);
        return waits;
    };
    int const before = measured(false);
    CHECK(measured(true) == before + 2 * 2 * launches); // two passes; the survey does not wait
    CHECK(measured(false) == before);
    d.ModuleUnload(module);
    abi::CUcontext popped = nullptr;
    d.CtxPopCurrent(&popped);
}

} // namespace serialised_test

#endif // GPUPROF_EXCEPTIONS
