// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events and constructs of OpenACC.
#ifndef GPUPROF_HW_ACTIVITY_OPENACC_KIND_HPP
#define GPUPROF_HW_ACTIVITY_OPENACC_KIND_HPP

#include <string_view>

#include "../abi/cupti_activity_enums.hpp"
#include "not_known.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The event.
enum class openacc_event : unsigned {
    invalid = abi::CUPTI_OPENACC_EVENT_KIND_INVALID,
    device_init = abi::CUPTI_OPENACC_EVENT_KIND_DEVICE_INIT,
    device_shutdown = abi::CUPTI_OPENACC_EVENT_KIND_DEVICE_SHUTDOWN,
    runtime_shutdown = abi::CUPTI_OPENACC_EVENT_KIND_RUNTIME_SHUTDOWN,
    enqueue_launch = abi::CUPTI_OPENACC_EVENT_KIND_ENQUEUE_LAUNCH,
    enqueue_upload = abi::CUPTI_OPENACC_EVENT_KIND_ENQUEUE_UPLOAD,
    enqueue_download = abi::CUPTI_OPENACC_EVENT_KIND_ENQUEUE_DOWNLOAD,
    wait = abi::CUPTI_OPENACC_EVENT_KIND_WAIT,
    implicit_wait = abi::CUPTI_OPENACC_EVENT_KIND_IMPLICIT_WAIT,
    compute_construct = abi::CUPTI_OPENACC_EVENT_KIND_COMPUTE_CONSTRUCT,
    update = abi::CUPTI_OPENACC_EVENT_KIND_UPDATE,
    enter_data = abi::CUPTI_OPENACC_EVENT_KIND_ENTER_DATA,
    exit_data = abi::CUPTI_OPENACC_EVENT_KIND_EXIT_DATA,
    create = abi::CUPTI_OPENACC_EVENT_KIND_CREATE,
    delete_ = abi::CUPTI_OPENACC_EVENT_KIND_DELETE,
    alloc = abi::CUPTI_OPENACC_EVENT_KIND_ALLOC,
    free = abi::CUPTI_OPENACC_EVENT_KIND_FREE
};
[[nodiscard]] constexpr std::string_view to_text(openacc_event value) noexcept {
    switch (value) {
        case openacc_event::invalid: return "invalid";
        case openacc_event::device_init: return "device init";
        case openacc_event::device_shutdown: return "device shutdown";
        case openacc_event::runtime_shutdown: return "runtime shutdown";
        case openacc_event::enqueue_launch: return "enqueue launch";
        case openacc_event::enqueue_upload: return "enqueue upload";
        case openacc_event::enqueue_download: return "enqueue download";
        case openacc_event::wait: return "wait";
        case openacc_event::implicit_wait: return "implicit wait";
        case openacc_event::compute_construct: return "compute construct";
        case openacc_event::update: return "update";
        case openacc_event::enter_data: return "enter data";
        case openacc_event::exit_data: return "exit data";
        case openacc_event::create: return "create";
        case openacc_event::delete_: return "delete";
        case openacc_event::alloc: return "alloc";
        case openacc_event::free: return "free";
    }
    return not_known;
}

// The construct of the event.
enum class openacc_construct : unsigned {
    unknown = abi::CUPTI_OPENACC_CONSTRUCT_KIND_UNKNOWN,
    parallel = abi::CUPTI_OPENACC_CONSTRUCT_KIND_PARALLEL,
    kernels = abi::CUPTI_OPENACC_CONSTRUCT_KIND_KERNELS,
    loop = abi::CUPTI_OPENACC_CONSTRUCT_KIND_LOOP,
    data = abi::CUPTI_OPENACC_CONSTRUCT_KIND_DATA,
    enter_data = abi::CUPTI_OPENACC_CONSTRUCT_KIND_ENTER_DATA,
    exit_data = abi::CUPTI_OPENACC_CONSTRUCT_KIND_EXIT_DATA,
    host_data = abi::CUPTI_OPENACC_CONSTRUCT_KIND_HOST_DATA,
    atomic = abi::CUPTI_OPENACC_CONSTRUCT_KIND_ATOMIC,
    declare = abi::CUPTI_OPENACC_CONSTRUCT_KIND_DECLARE,
    init = abi::CUPTI_OPENACC_CONSTRUCT_KIND_INIT,
    shutdown = abi::CUPTI_OPENACC_CONSTRUCT_KIND_SHUTDOWN,
    set = abi::CUPTI_OPENACC_CONSTRUCT_KIND_SET,
    update = abi::CUPTI_OPENACC_CONSTRUCT_KIND_UPDATE,
    routine = abi::CUPTI_OPENACC_CONSTRUCT_KIND_ROUTINE,
    wait = abi::CUPTI_OPENACC_CONSTRUCT_KIND_WAIT,
    runtime_api = abi::CUPTI_OPENACC_CONSTRUCT_KIND_RUNTIME_API
};
[[nodiscard]] constexpr std::string_view to_text(openacc_construct value) noexcept {
    switch (value) {
        case openacc_construct::unknown: return "unknown";
        case openacc_construct::parallel: return "parallel";
        case openacc_construct::kernels: return "kernels";
        case openacc_construct::loop: return "loop";
        case openacc_construct::data: return "data";
        case openacc_construct::enter_data: return "enter data";
        case openacc_construct::exit_data: return "exit data";
        case openacc_construct::host_data: return "host data";
        case openacc_construct::atomic: return "atomic";
        case openacc_construct::declare: return "declare";
        case openacc_construct::init: return "init";
        case openacc_construct::shutdown: return "shutdown";
        case openacc_construct::set: return "set";
        case openacc_construct::update: return "update";
        case openacc_construct::routine: return "routine";
        case openacc_construct::wait: return "wait";
        case openacc_construct::runtime_api: return "runtime api";
    }
    return not_known;
}

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_OPENACC_KIND_HPP
