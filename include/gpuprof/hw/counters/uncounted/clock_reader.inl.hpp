// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of clock_reader.hpp.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_CLOCK_READER_INL_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_CLOCK_READER_INL_HPP

#include "clock_reader.hpp"
#include "nvml.hpp"
#include "nvml_handle.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

GPUPROF_INLINE clock_reader::clock_reader(device const& gpu) {
    if (gpu.source() == device_source::embedded || gpu.machine().recorded != nullptr) return;
    nvml_table const& library = nvml();
    if (auto const handle = handle_of(library, gpu)) {
        library_ = &library;
        handle_ = *handle;
    }
}

GPUPROF_INLINE unsigned clock_reader::now(unsigned domain) const noexcept {
    unsigned megahertz = 0;
    bool const read =
        library_ != nullptr && library_->clock != nullptr && library_->clock(handle_, domain, &megahertz) == 0;
    return read ? megahertz : 0;
}
GPUPROF_INLINE unsigned clock_reader::sm() const noexcept { return now(nvml_sm_clock); }
GPUPROF_INLINE unsigned clock_reader::memory() const noexcept { return now(nvml_memory_clock); }
GPUPROF_INLINE unsigned clock_reader::most_sm() const noexcept {
    unsigned megahertz = 0;
    bool const read = library_ != nullptr && library_->most_clock != nullptr &&
                      library_->most_clock(handle_, nvml_sm_clock, &megahertz) == 0;
    return read ? megahertz : 0;
}
GPUPROF_INLINE unsigned clock_reader::limits() const noexcept {
    unsigned long long reasons = 0;
    bool const read = library_ != nullptr && library_->throttle_reasons != nullptr &&
                      library_->throttle_reasons(handle_, &reasons) == 0;
    return read ? static_cast<unsigned>(reasons) : 0;
}

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_CLOCK_READER_INL_HPP
