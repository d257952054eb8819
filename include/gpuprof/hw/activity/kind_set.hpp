// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of activity kinds, and their names.
#ifndef GPUPROF_HW_ACTIVITY_KIND_SET_HPP
#define GPUPROF_HW_ACTIVITY_KIND_SET_HPP

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "../abi/cupti_activity.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A set of activity kinds. A value; constexpr.
class kind_set {
public:
    constexpr kind_set() = default;
    constexpr kind_set(std::initializer_list<abi::CUpti_ActivityKind> kinds) {
        for (auto const kind : kinds) add(kind);
    }
    constexpr void add(abi::CUpti_ActivityKind kind) noexcept { bits_ |= bit(kind); }
    constexpr void add(kind_set others) noexcept { bits_ |= others.bits_; }
    constexpr void remove(abi::CUpti_ActivityKind kind) noexcept { bits_ &= ~bit(kind); }
    [[nodiscard]] constexpr bool has(abi::CUpti_ActivityKind kind) const noexcept { return (bits_ & bit(kind)) != 0; }
    [[nodiscard]] constexpr bool has_all(kind_set others) const noexcept { return (others.bits_ & ~bits_) == 0; }
    [[nodiscard]] constexpr bool has_any(kind_set others) const noexcept { return (others.bits_ & bits_) != 0; }
    [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }
    // Calls f(kind) for each kind, in the order of their numbers.
    template <class F>
    constexpr void for_each(F&& f) const {
        for (unsigned number = 0; number < 64; ++number)
            if ((bits_ >> number & 1) != 0) f(static_cast<abi::CUpti_ActivityKind>(number));
    }
    friend constexpr bool operator==(kind_set, kind_set) = default;

private:
    [[nodiscard]] static constexpr std::uint64_t bit(abi::CUpti_ActivityKind kind) noexcept {
        return kind < 64 ? std::uint64_t{1} << kind : 0;
    }
    std::uint64_t bits_ = 0;
};

// A kind and CUPTI's name of it in small letters: "concurrent_kernel". INVALID for an unknown name.
struct kind_name {
    std::string_view name;
    abi::CUpti_ActivityKind kind;
};
// All kinds with their names, as environment variables and tables use them.
inline constexpr kind_name kind_names[] = {
    {"memcpy", abi::CUPTI_ACTIVITY_KIND_MEMCPY},
    {"memset", abi::CUPTI_ACTIVITY_KIND_MEMSET},
    {"kernel", abi::CUPTI_ACTIVITY_KIND_KERNEL},
    {"driver", abi::CUPTI_ACTIVITY_KIND_DRIVER},
    {"runtime", abi::CUPTI_ACTIVITY_KIND_RUNTIME},
    {"event", abi::CUPTI_ACTIVITY_KIND_EVENT},
    {"metric", abi::CUPTI_ACTIVITY_KIND_METRIC},
    {"device", abi::CUPTI_ACTIVITY_KIND_DEVICE},
    {"context", abi::CUPTI_ACTIVITY_KIND_CONTEXT},
    {"concurrent_kernel", abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL},
    {"name", abi::CUPTI_ACTIVITY_KIND_NAME},
    {"marker", abi::CUPTI_ACTIVITY_KIND_MARKER},
    {"marker_data", abi::CUPTI_ACTIVITY_KIND_MARKER_DATA},
    {"source_locator", abi::CUPTI_ACTIVITY_KIND_SOURCE_LOCATOR},
    {"global_access", abi::CUPTI_ACTIVITY_KIND_GLOBAL_ACCESS},
    {"branch", abi::CUPTI_ACTIVITY_KIND_BRANCH},
    {"overhead", abi::CUPTI_ACTIVITY_KIND_OVERHEAD},
    {"cdp_kernel", abi::CUPTI_ACTIVITY_KIND_CDP_KERNEL},
    {"preemption", abi::CUPTI_ACTIVITY_KIND_PREEMPTION},
    {"environment", abi::CUPTI_ACTIVITY_KIND_ENVIRONMENT},
    {"event_instance", abi::CUPTI_ACTIVITY_KIND_EVENT_INSTANCE},
    {"memcpy2", abi::CUPTI_ACTIVITY_KIND_MEMCPY2},
    {"metric_instance", abi::CUPTI_ACTIVITY_KIND_METRIC_INSTANCE},
    {"instruction_execution", abi::CUPTI_ACTIVITY_KIND_INSTRUCTION_EXECUTION},
    {"unified_memory_counter", abi::CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER},
    {"function", abi::CUPTI_ACTIVITY_KIND_FUNCTION},
    {"module", abi::CUPTI_ACTIVITY_KIND_MODULE},
    {"device_attribute", abi::CUPTI_ACTIVITY_KIND_DEVICE_ATTRIBUTE},
    {"shared_access", abi::CUPTI_ACTIVITY_KIND_SHARED_ACCESS},
    {"pc_sampling", abi::CUPTI_ACTIVITY_KIND_PC_SAMPLING},
    {"pc_sampling_record_info", abi::CUPTI_ACTIVITY_KIND_PC_SAMPLING_RECORD_INFO},
    {"instruction_correlation", abi::CUPTI_ACTIVITY_KIND_INSTRUCTION_CORRELATION},
    {"openacc_data", abi::CUPTI_ACTIVITY_KIND_OPENACC_DATA},
    {"openacc_launch", abi::CUPTI_ACTIVITY_KIND_OPENACC_LAUNCH},
    {"openacc_other", abi::CUPTI_ACTIVITY_KIND_OPENACC_OTHER},
    {"cuda_event", abi::CUPTI_ACTIVITY_KIND_CUDA_EVENT},
    {"stream", abi::CUPTI_ACTIVITY_KIND_STREAM},
    {"synchronization", abi::CUPTI_ACTIVITY_KIND_SYNCHRONIZATION},
    {"external_correlation", abi::CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION},
    {"nvlink", abi::CUPTI_ACTIVITY_KIND_NVLINK},
    {"instantaneous_event", abi::CUPTI_ACTIVITY_KIND_INSTANTANEOUS_EVENT},
    {"instantaneous_event_instance", abi::CUPTI_ACTIVITY_KIND_INSTANTANEOUS_EVENT_INSTANCE},
    {"instantaneous_metric", abi::CUPTI_ACTIVITY_KIND_INSTANTANEOUS_METRIC},
    {"instantaneous_metric_instance", abi::CUPTI_ACTIVITY_KIND_INSTANTANEOUS_METRIC_INSTANCE},
    {"memory", abi::CUPTI_ACTIVITY_KIND_MEMORY},
    {"pcie", abi::CUPTI_ACTIVITY_KIND_PCIE},
    {"openmp", abi::CUPTI_ACTIVITY_KIND_OPENMP},
    {"internal_launch_api", abi::CUPTI_ACTIVITY_KIND_INTERNAL_LAUNCH_API},
    {"memory2", abi::CUPTI_ACTIVITY_KIND_MEMORY2},
    {"memory_pool", abi::CUPTI_ACTIVITY_KIND_MEMORY_POOL},
    {"graph_trace", abi::CUPTI_ACTIVITY_KIND_GRAPH_TRACE},
    {"jit", abi::CUPTI_ACTIVITY_KIND_JIT},
    {"device_graph_trace", abi::CUPTI_ACTIVITY_KIND_DEVICE_GRAPH_TRACE},
    {"mem_decompress", abi::CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS},
    {"confidential_compute_rotation", abi::CUPTI_ACTIVITY_KIND_CONFIDENTIAL_COMPUTE_ROTATION},
    {"graph_host_node", abi::CUPTI_ACTIVITY_KIND_GRAPH_HOST_NODE},
    {"compute_engine_ctx_switch", abi::CUPTI_ACTIVITY_KIND_COMPUTE_ENGINE_CTX_SWITCH},
    {"host_launch", abi::CUPTI_ACTIVITY_KIND_HOST_LAUNCH},
    {"green_context", abi::CUPTI_ACTIVITY_KIND_GREEN_CONTEXT}};

// The kind of that name ("memcpy"), or the invalid kind.
[[nodiscard]] constexpr abi::CUpti_ActivityKind kind_named(std::string_view name) noexcept {
    for (kind_name const& each : kind_names)
        if (each.name == name) return each.kind;
    return abi::CUPTI_ACTIVITY_KIND_INVALID;
}
// The name of a kind; empty for a number that no release up to CUDA 13.5 has.
[[nodiscard]] constexpr std::string_view name_of(abi::CUpti_ActivityKind kind) noexcept {
    for (kind_name const& each : kind_names)
        if (each.kind == kind) return each.name;
    return {};
}

// Two kinds that CUPTI does not record together; INVALID twice if there are none. Kernels are
// traced serialised (KERNEL) or not (CONCURRENT_KERNEL); samples of program counters and
// instruction counts patch the same kernels.
struct kind_pair {
    abi::CUpti_ActivityKind first;
    abi::CUpti_ActivityKind second;
};
// Two kinds of the set that CUPTI does not record together.
[[nodiscard]] constexpr kind_pair excluding_pair(kind_set asked) noexcept {
    using namespace abi;
    constexpr kind_pair pairs[] = {{CUPTI_ACTIVITY_KIND_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL},
                                   {CUPTI_ACTIVITY_KIND_PC_SAMPLING, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL},
                                   {CUPTI_ACTIVITY_KIND_PC_SAMPLING, CUPTI_ACTIVITY_KIND_GLOBAL_ACCESS},
                                   {CUPTI_ACTIVITY_KIND_PC_SAMPLING, CUPTI_ACTIVITY_KIND_SHARED_ACCESS},
                                   {CUPTI_ACTIVITY_KIND_PC_SAMPLING, CUPTI_ACTIVITY_KIND_BRANCH},
                                   {CUPTI_ACTIVITY_KIND_PC_SAMPLING, CUPTI_ACTIVITY_KIND_INSTRUCTION_EXECUTION}};
    for (kind_pair const& each : pairs)
        if (asked.has(each.first) && asked.has(each.second)) return each;
    return {CUPTI_ACTIVITY_KIND_INVALID, CUPTI_ACTIVITY_KIND_INVALID};
}

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_KIND_SET_HPP
