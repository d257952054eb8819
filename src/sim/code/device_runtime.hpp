// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels ask of CUDA's device runtime: to launch kernels, streams, events, memory, facts of the device.
#ifndef GPUPROF_SRC_SIM_CODE_DEVICE_RUNTIME_HPP
#define GPUPROF_SRC_SIM_CODE_DEVICE_RUNTIME_HPP

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/sim/extent.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Functions of cuda_device_runtime_api.h.
enum class runtime_call : std::uint8_t {
    none,
    get_parameter_buffer,
    get_configured_buffer, // cudaGetParameterBufferV2, which knows the configuration
    launch,
    launch_configured, // cudaLaunchDeviceV2
    launch_graph,
    stream_create,
    stream_destroy,
    stream_wait_event,
    event_create,
    event_record,
    event_destroy,
    allocate,
    release,
    copy,
    copy_rows,
    fill,
    fill_rows,
    take_last_error,
    peek_at_last_error,
    error_text,
    error_name,
    device_attribute,
    device_limit,
    cache_preference,
    shared_preference,
    device_count,
    current_device,
    function_attributes,
    older_function_attributes, // of a structure without clusters, before CUDA 12
    occupancy,
    version
};

// By the name in PTX: "__cudaCDP2LaunchDeviceV2" of CUDA 12 and later, "cudaLaunchDeviceV2" of the release before.
[[nodiscard]] runtime_call runtime_call_named(std::string_view name) noexcept;

// Whether PTX of that name asks what the device runtime does, but not here: to wait for kernels, to change graphs.
[[nodiscard]] bool is_unsupported_runtime_call(std::string_view name) noexcept;

// Arguments of a call in words of eight bytes; a dim3 takes two.
using runtime_arguments = std::array<std::uint64_t, 9>;

// What a call writes where its arguments point to: the lower bytes of a value.
struct runtime_write {
    std::uint64_t address = 0; // generic
    std::uint64_t value = 0;
    unsigned bytes = 8;
};
struct runtime_answer {
    std::uint64_t value = 0; // what the call returns
    std::vector<runtime_write> writes;
};

// The thread of a grid that calls.
struct runtime_thread {
    extent3 cta{0, 0, 0};
    std::uint64_t number = 0; // in the grid
};

// The device runtime of one grid. Calls come one at a time, in the order of CTAs, while the grid runs: what was launched
// runs after it.
class device_runtime {
public:
    virtual runtime_answer call(runtime_call what, runtime_arguments const& arguments, runtime_thread const& from) = 0;

protected:
    ~device_runtime() = default;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CODE_DEVICE_RUNTIME_HPP
