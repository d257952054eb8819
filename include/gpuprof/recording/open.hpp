// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens a recording as a device, and describes a device for one.
#ifndef GPUPROF_RECORDING_OPEN_HPP
#define GPUPROF_RECORDING_OPEN_HPP

#include <string_view>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/device.hpp"
#include "recorded_data.hpp"
#include "replay_session.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The device of a recording. It takes launches, copies and allocations and does nothing; values
// come from the file. A file that has not changed since it was opened is the same device. Errors:
// those of try_read_recording. Cost: reading the file.
// Thread-safe.
[[nodiscard]] result<device> try_open_recording(std::string_view path);

// What a recording keeps of a device. Cost: a call of the driver for each attribute.
[[nodiscard]] recorded_device describe_device(device const& gpu);

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "open.inl.hpp"
#endif

#endif // GPUPROF_RECORDING_OPEN_HPP
