// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events of the runtime.
#include <map>
#include <mutex>

#include "runtime.hpp"

namespace gpuprof::runtime {
namespace {

using table = abi::driver_table;

// What a stream was created with, which the driver's table does not tell.
struct stream_traits {
    unsigned flags = 0;
    int priority = 0;
    int device = 0;
};
struct known_streams {
    std::mutex mutex;
    std::map<abi::CUstream, stream_traits> all;
    static known_streams& instance() {
        static auto* const one = new known_streams;
        return *one;
    }
};

cuda_error create_with_priority(abi::CUstream* stream, unsigned flags, int priority) {
    cuda_error const error = forward(&table::StreamCreateWithPriority, stream, flags, priority);
    if (error != cudaSuccess) return error;
    known_streams& known = known_streams::instance();
    std::lock_guard const held{known.mutex};
    known.all[*stream] = {flags, priority < -5 ? -5 : priority > 0 ? 0 : priority, this_thread().device};
    return cudaSuccess;
}
cuda_error create_with_flags(abi::CUstream* stream, unsigned flags) { return create_with_priority(stream, flags, 0); }
cuda_error create(abi::CUstream* stream) { return create_with_priority(stream, 0, 0); }
cuda_error destroy(abi::CUstream stream) {
    cuda_error const error = forward(&table::StreamDestroy, stream);
    known_streams& known = known_streams::instance();
    std::lock_guard const held{known.mutex};
    if (error == cudaSuccess) known.all.erase(stream);
    return error;
}
cuda_error synchronize(abi::CUstream stream) { return forward(&table::StreamSynchronize, stream); }
cuda_error query(abi::CUstream stream) { return forward(&table::StreamQuery, stream); }
cuda_error wait_event(abi::CUstream stream, abi::CUevent event, unsigned flags) {
    return forward(&table::StreamWaitEvent, stream, event, flags);
}
cuda_error get_id(abi::CUstream stream, unsigned long long* id) { return forward(&table::StreamGetId, stream, id); }

template <class T>
cuda_error tell(abi::CUstream stream, T* to, T stream_traits::*member) {
    if (to == nullptr) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = query(stream); error != cudaSuccess) return error; // or it is none
    known_streams& known = known_streams::instance();
    std::lock_guard const held{known.mutex};
    auto const found = known.all.find(stream);
    stream_traits usual;
    usual.device = this_thread().device;
    *to = (found == known.all.end() ? usual : found->second).*member;
    return cudaSuccess;
}
cuda_error get_flags(abi::CUstream stream, unsigned* flags) { return tell(stream, flags, &stream_traits::flags); }
cuda_error get_priority(abi::CUstream stream, int* priority) {
    return tell(stream, priority, &stream_traits::priority);
}
cuda_error get_device(abi::CUstream stream, int* device) { return tell(stream, device, &stream_traits::device); }

cuda_error create_event_with_flags(abi::CUevent* event, unsigned flags) {
    return forward(&table::EventCreate, event, flags);
}
cuda_error create_event(abi::CUevent* event) { return create_event_with_flags(event, 0); }
cuda_error destroy_event(abi::CUevent event) { return forward(&table::EventDestroy, event); }
cuda_error record_event(abi::CUevent event, abi::CUstream stream) {
    return forward(&table::EventRecord, event, stream);
}
cuda_error record_event_with_flags(abi::CUevent event, abi::CUstream stream, unsigned flags) {
    return flags == 0 ? record_event(event, stream) : keep(cudaErrorNotSupported); // events outside of their graph
}
cuda_error query_event(abi::CUevent event) { return forward(&table::EventQuery, event); }
cuda_error synchronize_event(abi::CUevent event) { return forward(&table::EventSynchronize, event); }
cuda_error elapsed_time(float* milliseconds, abi::CUevent from, abi::CUevent to) {
    return forward(&table::EventElapsedTime, milliseconds, from, to);
}

} // namespace

std::span<call const> stream_calls() {
    static call const calls[]{call::of<&create>("cudaStreamCreate"),
                              call::of<&create_with_flags>("cudaStreamCreateWithFlags"),
                              call::of<&create_with_priority>("cudaStreamCreateWithPriority"),
                              call::of<&destroy>("cudaStreamDestroy"),
                              call::of<&synchronize>("cudaStreamSynchronize"),
                              call::of<&query>("cudaStreamQuery"),
                              call::of<&wait_event>("cudaStreamWaitEvent"),
                              call::of<&get_id>("cudaStreamGetId"),
                              call::of<&get_flags>("cudaStreamGetFlags"),
                              call::of<&get_priority>("cudaStreamGetPriority"),
                              call::of<&get_device>("cudaStreamGetDevice"),
                              call::of<&create_event>("cudaEventCreate"),
                              call::of<&create_event_with_flags>("cudaEventCreateWithFlags"),
                              call::of<&destroy_event>("cudaEventDestroy"),
                              call::of<&record_event>("cudaEventRecord"),
                              call::of<&record_event_with_flags>("cudaEventRecordWithFlags"),
                              call::of<&query_event>("cudaEventQuery"),
                              call::of<&synchronize_event>("cudaEventSynchronize"),
                              call::of<&elapsed_time>("cudaEventElapsedTime"),
                              call::of<&elapsed_time>("cudaEventElapsedTime_v2")};
    return calls;
}

} // namespace gpuprof::runtime
