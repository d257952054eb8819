// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "progress_line.hpp"

#include <cstddef>
#include <mutex>
#include <optional>

#include <gpuprof/hw/machine/platform/clock.hpp>
#include <gpuprof/io/progress.hpp>

namespace gpuprof::driver_library {

void show_progress(std::uint64_t ended, std::uint64_t ctas) {
    constexpr std::uint64_t worth_showing = 2'000'000'000; // nanoseconds
    static std::mutex mutex;
    static std::optional<io::progress> line; // of the kernel that runs
    static std::uint64_t begin = 0;          // when its first block had ended
    std::lock_guard const held{mutex};
    if (ended == ctas) { // the kernel has ended, or it prints
        line.reset();
        if (ctas != 0) begin = 0;
        return;
    }
    std::uint64_t const now = platform::monotonic_nanoseconds();
    if (begin == 0) begin = now;
    if (now - begin < worth_showing) return;
    if (!line) {
        line.emplace("gpuprof: a kernel on the embedded GPU", "blocks");
        line->show(0, static_cast<std::size_t>(ctas), begin); // the time counts from there
    }
    line->show(static_cast<std::size_t>(ended), static_cast<std::size_t>(ctas), now);
}

} // namespace gpuprof::driver_library
