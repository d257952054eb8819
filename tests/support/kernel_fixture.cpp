// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counted launch of kernel_fixture.hpp: apart, because the models of a GPU take seconds to compile.
#include "support/kernel_fixture.hpp"

#include <cstdlib>
#include <utility>
#include <vector>

#include "sim/driver/checked_launch.hpp"
#include "sim/execute/execute.hpp"
#include "sim/model/l2_cache.hpp"
#include "sim/model/launch_counters.hpp"
#include "sim/chip/chips.hpp"

namespace gpuprof_test {

counted_launch execute_counted(sim::kernel const& kernel, sim::launch_config const& config, sim::device_memory& memory,
                               sim::execution_options const& options) {
    sim::l2_cache l2{sim::gh100};
    sim::launch_counters counters{sim::gh100, kernel, config, 1, l2};
    if (std::getenv("GPUPROF_TEST_CHECKS") != nullptr) { // to see what checks find in these kernels
        sim::memory_shadow shadow;
        std::vector<sim::finding> findings;
        auto checked =
            sim::driver::execute_checked(kernel, config, memory, counters, options, sim::all_checks, shadow, findings);
        for (auto const& one : findings) MESSAGE(one.message());
        return {std::move(checked), counters.finish()};
    }
    auto result = sim::execute(kernel, config, memory, counters, options);
    return {std::move(result), counters.finish()};
}

} // namespace gpuprof_test
