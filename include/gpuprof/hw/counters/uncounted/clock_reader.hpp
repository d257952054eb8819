// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the clocks of a device, from the driver's management library.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_CLOCK_READER_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_CLOCK_READER_HPP

#include "../../../detail/config.hpp"
#include "../../machine/device.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

struct nvml_table;
struct nvml_device_handle;

// The clocks of one device, in MHz. 0 on the embedded GPU and of recordings, and where the library
// does not say. Cost of a reading: one call of the library.
class clock_reader {
public:
    clock_reader() noexcept = default; // reads nothing
    // Cost: milliseconds, for the first one in a process, which loads the library.
    explicit clock_reader(device const& gpu);

    [[nodiscard]] unsigned sm() const noexcept;
    [[nodiscard]] unsigned memory() const noexcept;
    // The highest that the multiprocessors have.
    [[nodiscard]] unsigned most_sm() const noexcept;
    // What keeps the clocks from being higher now: bits of clock_limit.
    [[nodiscard]] unsigned limits() const noexcept;

private:
    [[nodiscard]] unsigned now(unsigned domain) const noexcept;

    nvml_table const* library_ = nullptr; // null: no clock can be read
    nvml_device_handle* handle_ = nullptr;
};

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "clock_reader.inl.hpp"
#endif

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_CLOCK_READER_HPP
