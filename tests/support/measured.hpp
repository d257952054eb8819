// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A test machine with an opened device, whose kernels count what a test says: warps = CTAs * warps a CTA. Its CUPTI has the
// range profiler, or is 12.5 and has not, so that the same tests run over both policies (GPUPROF_TEST_CUPTI).
#ifndef GPUPROF_TESTS_SUPPORT_MEASURED_HPP
#define GPUPROF_TESTS_SUPPORT_MEASURED_HPP

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>

#include "support/fault_injection.hpp"
#include "support/test_machine.hpp"
#include "sim/chip/chips.hpp"
#include "sim/cupti/nvperf.hpp"

namespace test {

// Whether the environment asks for a CUPTI without the range profiler.
inline bool has_older_cupti() { return gpuprof::platform::variable_or_empty("GPUPROF_TEST_CUPTI") == "12.5"; }

class measured_device {
public:
    explicit measured_device(sim::chip_model const& model = sim::gh100) : machine_{model} {
        if (has_older_cupti()) machine_.cupti = sim::cupti::target_table();
        tables_.nvperf = &sim::cupti::nvperf_calls();
        tables_.driver = machine_.driver;
        tables_.cupti = machine_.cupti;
    }

    gpuprof::device open() {
        auto opened = gpuprof::device::try_open(tables_);
        REQUIRE_MESSAGE(opened, (opened ? std::string{} : opened.error().message()));
        return *std::move(opened);
    }
    void launch(unsigned ctas) { CHECK(machine_.launch("kernel", ctas, 32) == abi::CUDA_SUCCESS); }

    test_machine& machine() { return machine_; }
    gpuprof::hw::machine& tables() { return tables_; }

private:
    test_machine machine_;
    gpuprof::hw::machine tables_;
};

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_MEASURED_HPP
