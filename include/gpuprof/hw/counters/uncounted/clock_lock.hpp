// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Holds the clock of a GPU's multiprocessors at one frequency, and puts it back.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_CLOCK_LOCK_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_CLOCK_LOCK_HPP

#include "../../../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "clock_lock_compiled_out.hpp"
#else

#include <cstddef>
#include <string>
#include <vector>

#include "../../../core/error.hpp"
#include "../../../core/result.hpp"
#include "../../machine/device.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

struct nvml_table;

// Where a clock_lock works: the management library, the GPU's place on the PCI bus, and the
// directory of the file that says who locked it.
struct clock_lock_place {
    nvml_table const* library = nullptr;
    std::string bus_id;         // "0000:18:00.0"
    std::string directory;      // the same for all processes of the machine
    bool is_integrated = false; // a Jetson, whose clocks are no matter of NVML
};

// The directory that programs use.
[[nodiscard]] std::string clock_lock_directory();

} // namespace hw::provided

// Clocks that were put back for processes that had died, and those that could not be.
struct put_back_clocks {
    std::size_t gpus = 0;
    std::vector<error> problems{};
};

// Puts back the clocks that dead processes left locked, as `gpuprof doctor` does. A clock_lock and a
// profiler do so for their GPU.
// Cost: reads the directory of temporary files, and loads NVML if a process left a clock.
[[nodiscard]] put_back_clocks try_put_back_clocks();
[[nodiscard]] put_back_clocks try_put_back_clocks(hw::provided::nvml_table const& library,
                                                  std::string const& directory);

namespace hw::provided {
// The same for one GPU, before a profiler measures on it. False: there was nothing to put back.
// Errors: busy if the process that locked it lives, and those of clock_lock. Cost: without such a
// file, some calls of the driver and one of the system.
[[nodiscard]] result<bool> try_put_back_clock(device const& gpu);
} // namespace hw::provided

// Holds the clock of a GPU's multiprocessors while it lives (Nsight Compute 2023.3, 6.2): values
// that depend on the clock then agree between runs. Nothing does so unless a program asks.
//     auto base = gpuprof::clock_lock::try_create(gpu);
// The clock is the whole GPU's and every program's: NVML does not say whether somebody had locked
// it, and the end of this object unlocks it. The driver lowers it all the same when the GPU is too
// hot: report::clocks() says so. The memory's clock stays as it is.
//
// A file in the directory of temporary files says which process locked it. After a process that
// died, the next clock_lock or profiler on that GPU, or `gpuprof doctor`, of the same user, puts the
// clock back.
// Movable; not thread-safe. A child made by fork() does not unlock.
class [[nodiscard]] clock_lock {
public:
    // @param megahertz 0: the GPU's base clock, by the driver's name for it
    // Errors: permission if this user may not (the remedy says what root does); busy if another
    // clock_lock has this GPU; unavailable without NVML, on the embedded GPU and recordings, on a
    // GPU before Volta, under MIG, on a virtual GPU or its host, and on a Jetson; invalid_argument
    // for a frequency that the GPU has not; io if the file cannot be written, and then nothing was
    // locked. Cost: milliseconds.
    [[nodiscard]] static result<clock_lock> try_create(device const& gpu, unsigned megahertz = 0);
    [[nodiscard]] static result<clock_lock> try_create(hw::provided::clock_lock_place const& place,
                                                       unsigned megahertz = 0);

    clock_lock(clock_lock&& other) noexcept;
    clock_lock& operator=(clock_lock&& other) noexcept;
    ~clock_lock(); // as try_release(), without its error

    // Puts the clock back, once. Errors: what NVML says; then the file stays, so that `gpuprof
    // doctor` tries again.
    [[nodiscard]] result<void> try_release();

private:
    clock_lock() noexcept = default;

    hw::provided::nvml_table const* library_ = nullptr; // null: holds nothing
    std::string bus_id_;
    std::string file_;
    unsigned process_ = 0;
};

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "clock_lock.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_CLOCK_LOCK_HPP
