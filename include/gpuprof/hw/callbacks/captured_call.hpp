// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A driver call of the application that can be made again.
#ifndef GPUPROF_HW_CALLBACKS_CAPTURED_CALL_HPP
#define GPUPROF_HW_CALLBACKS_CAPTURED_CALL_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "../abi/driver.hpp"
#include "subscription.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// What a call gives a stream to do, or how the host waits for streams, with all that its parameters point to. A value.
struct captured_call {
    enum class kind : unsigned char {
        kernel,
        graph,
        fill,           // of device memory
        device_copy,    // from device memory to device memory
        copy_from_host, // `bytes` are what the host had when the call was made
        copy_to_host,   // again to memory of the one who repeats it: the application may have changed its own meanwhile
        copy_of_box, // in two or three dimensions, also of arrays; `bytes` are the rows that the host had, in their order
        host_function, // is not called again: only its place among the work of its stream is kept
        event_record,
        wait_for_event,   // by a stream
        cache_preference, // of a function
        attribute,        // of a function
        // The host waited. Repeated without waiting inside the driver: see stream().
        host_waits_for_stream,
        host_waits_for_event,
        host_waits_for_context,
        destruction // of a thing that earlier calls may use; is not made again
    };
    // What a destruction ends.
    enum class thing : unsigned char { nothing, memory, event, stream, graph, texture, module_or_array };

    kind what = kind::kernel;
    std::uint32_t correlation = 0; // CUPTI's number of the call
    abi::CUstream stream = nullptr;
    abi::CUevent event = nullptr;
    unsigned flags = 0;
    abi::CUgraphExec graph = nullptr;

    // Kernels and functions.
    abi::CUfunction function = nullptr;
    std::array<unsigned, 3> grid{1, 1, 1};
    std::array<unsigned, 3> block{1, 1, 1};
    unsigned dynamic_shared = 0;
    bool cooperative = false;
    bool has_attributes = false;
    bool is_packed = false;
    std::vector<abi::CUlaunchAttribute> attributes{};
    std::vector<std::size_t> offsets{};    // of each argument in `bytes`
    std::vector<std::size_t> sizes{};      // of each, or of all in one piece
    std::vector<abi::CUdeviceptr> words{}; // of the arguments, or what else the call writes
    abi::CUfunction_attribute attribute = {};
    int value = 0;

    // Fills and copies.
    abi::CUdeviceptr to = 0;
    abi::CUdeviceptr from = 0;
    std::size_t width = 0;  // bytes, of a fill elements
    std::size_t height = 1; // rows; of a fill that has no pitch 1
    std::size_t pitch = 0;
    unsigned pattern = 0;
    unsigned element = 1;     // bytes
    bool host_waited = false; // the call returned when the work was done
    // Rows of the host follow each other there. Memory of the device begins with the first byte that is copied.
    abi::CUDA_MEMCPY3D box{};

    // Destructions.
    captured_call::thing ended = thing::nothing;
    std::uint64_t ended_value = 0; // its address or handle

    std::vector<unsigned char> bytes{}; // arguments, or what the host had
};

// Captures a call by its name and parameters as a callback has them at the call's entry. Nothing for a call that gives no stream
// work and changes nothing that work depends on, or only makes something new. Cost: a driver call a parameter of a kernel; a copy
// of what is copied from the host.
// Errors: unavailable, with the call's name, for a call that cannot be made again, and what keeps this one from it.
[[nodiscard]] result<std::optional<captured_call>> try_capture(abi::driver_table const& driver, std::string_view name,
                                                               callback_id id, void const* parameters);

// Whether try_capture() knows the call. False for calls that keep a range from being repeated.
[[nodiscard]] bool is_capturable(std::string_view name) noexcept;

// Whether the call ends a thing that calls before it may use.
[[nodiscard]] bool is_destruction(std::string_view name) noexcept;

// Whether the call writes an array, which has no address.
[[nodiscard]] inline bool writes_array(captured_call const& call) noexcept {
    return call.box.dstMemoryType == abi::CU_MEMORYTYPE_ARRAY && call.box.WidthInBytes != 0 && call.box.Height != 0 &&
           call.box.Depth != 0;
}

// Whether the host waits for work in the call.
[[nodiscard]] bool is_host_wait(std::string_view name) noexcept;

// Puts each address in the call that points into `bytes` bytes from `from` on at the same place from `to` on.
void move_addresses(captured_call& call, abi::CUdeviceptr from, std::size_t bytes, abi::CUdeviceptr to);

// Makes the call again; those of the host's waits and functions do nothing here.
// @param scratch what a copy to the host is copied to; it grows
// @pre the context is current
[[nodiscard]] abi::CUresult repeat(captured_call const& call, abi::driver_table const& driver,
                                   std::vector<unsigned char>& scratch);

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "captured_call.inl.hpp"
#endif

#endif // GPUPROF_HW_CALLBACKS_CAPTURED_CALL_HPP
