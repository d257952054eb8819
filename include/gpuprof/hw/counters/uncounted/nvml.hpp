// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of NVIDIA's management library about links, clocks and who uses a GPU, in a table of
// their own. No header of NVIDIA.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_NVML_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_NVML_HPP

#include <optional>
#include <string>

#include "../../../core/error.hpp"
#include "../../../detail/config.hpp"
#include "../../machine/library_files.hpp"
#include "../../machine/platform/library.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

// Types of <nvml.h>, members that are not read included.
struct nvml_device_handle;
using nvml_device = nvml_device_handle*;
using nvml_result = int; // 0 is success
enum nvml_status : int {
    nvml_invalid_argument = 2,
    nvml_not_supported = 3,
    nvml_no_permission = 4,
    nvml_more_room_needed = 7,
    nvml_gpu_is_lost = 15
};

struct nvml_pci_info {
    char legacy_bus_id[16] = {};
    unsigned domain = 0;
    unsigned bus = 0;
    unsigned device = 0;
    unsigned pci_device_id = 0;
    unsigned pci_subsystem_id = 0;
    char bus_id[32] = {};
};
static_assert(sizeof(nvml_pci_info) == 68);

union nvml_number {
    double real;
    unsigned int word;
    unsigned long long wide;
};
struct nvml_field {
    unsigned id = 0;
    unsigned scope = 0; // the link, for fields of links
    long long timestamp = 0;
    long long latency = 0;
    unsigned type =
        0; // of the value: 0 double, 1 unsigned int, 2 and 3 unsigned and 64 bits, 4 signed and 64 bits, 5 int
    nvml_result status = 0;
    nvml_number value = {};
};
static_assert(sizeof(nvml_field) == 40);

enum nvml_field_id : unsigned {
    nvml_link_speed = 90, // in 10^6 bytes a second, of one link in one direction
    nvml_link_count = 91,
    // What a link carried since the driver was loaded, in KiB: data alone, and with the packets' headers.
    nvml_link_data_sent = 138,
    nvml_link_data_received = 139,
    nvml_link_all_sent = 140,
    nvml_link_all_received = 141,
    nvml_remote_link = 146
};
enum nvml_clock_domain : unsigned { nvml_sm_clock = 1, nvml_memory_clock = 2 };
// In the place of a frequency: the base clock, at which the GPU keeps within its power limit.
enum nvml_clock_limit : unsigned { nvml_base_clock = 0xffff'ff01 };
enum nvml_virtualization : unsigned { nvml_virtual_gpu = 2 }; // those above are hosts of virtual GPUs
enum nvml_far_end : unsigned { nvml_gpu = 0, nvml_cpu = 1, nvml_switch = 2, nvml_unknown_end = 255 };
enum nvml_link_capability : unsigned {
    nvml_peer_access = 0,
    nvml_system_access = 1,
    nvml_peer_atomic = 2,
    nvml_system_atomic = 3
};

struct nvml_confidential_computing {
    unsigned environment = 0;
    unsigned feature = 0; // 1: on
    unsigned developer_tools = 0;
};

// A process that uses a device.
struct nvml_process {
    unsigned number = 0;
    unsigned long long memory = 0;
    unsigned gpu_instance = 0;
    unsigned compute_instance = 0;
};
static_assert(sizeof(nvml_process) == 24);

// clang-format off
#define GPUPROF_NVML_CALLS(X) \
    X(init, "nvmlInit_v2", ()) \
    X(handle_by_bus_id, "nvmlDeviceGetHandleByPciBusId_v2", (char const* bus_id, nvml_device* device)) \
    X(link_state, "nvmlDeviceGetNvLinkState", (nvml_device device, unsigned link, unsigned* active)) \
    X(link_capability, "nvmlDeviceGetNvLinkCapability", (nvml_device device, unsigned link, unsigned capability, \
      unsigned* has)) \
    X(far_end, "nvmlDeviceGetNvLinkRemoteDeviceType", (nvml_device device, unsigned link, unsigned* type)) \
    X(far_pci_info, "nvmlDeviceGetNvLinkRemotePciInfo_v2", (nvml_device device, unsigned link, nvml_pci_info* info)) \
    X(field_values, "nvmlDeviceGetFieldValues", (nvml_device device, int count, nvml_field* fields)) \
    X(clock, "nvmlDeviceGetClockInfo", (nvml_device device, unsigned domain, unsigned* megahertz)) \
    X(most_clock, "nvmlDeviceGetMaxClockInfo", (nvml_device device, unsigned domain, unsigned* megahertz)) \
    X(throttle_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons", (nvml_device device, unsigned long long* reasons)) \
    X(set_locked_clocks, "nvmlDeviceSetGpuLockedClocks", (nvml_device device, unsigned least, unsigned most)) \
    X(reset_locked_clocks, "nvmlDeviceResetGpuLockedClocks", (nvml_device device)) \
    X(persistence_mode, "nvmlDeviceGetPersistenceMode", (nvml_device device, unsigned* is_on)) \
    X(compute_processes, "nvmlDeviceGetComputeRunningProcesses_v3", (nvml_device device, unsigned* count, \
      nvml_process* processes)) \
    X(graphics_processes, "nvmlDeviceGetGraphicsRunningProcesses_v3", (nvml_device device, unsigned* count, \
      nvml_process* processes)) \
    X(mig_mode, "nvmlDeviceGetMigMode", (nvml_device device, unsigned* now, unsigned* later)) \
    X(virtualization, "nvmlDeviceGetVirtualizationMode", (nvml_device device, unsigned* mode)) \
    X(confidential_computing, "nvmlSystemGetConfComputeState", (nvml_confidential_computing* state))
// clang-format on

// A pointer a call, null where the library lacks it; `missing` says why there is no library at all.
struct nvml_table {
#define GPUPROF_NVML_MEMBER(member, symbol, parameters) nvml_result(*member) parameters = nullptr;
    GPUPROF_NVML_CALLS(GPUPROF_NVML_MEMBER)
#undef GPUPROF_NVML_MEMBER
    std::optional<error> missing = {};
};

// Loads libnvidia-ml.so.1 from where the dynamic linker finds it and starts it: milliseconds. It is
// never closed.
[[nodiscard]] inline nvml_table load_nvml() {
    nvml_table table;
    auto const opened = platform::open_library(hw::nvml_file);
    if (opened.handle == nullptr) {
        table.missing = error{errc::unavailable, 0, hw::nvml_file, opened.refusal,
                              "install the driver's management library (NVML), or make it visible in the container"};
        return table;
    }
#define GPUPROF_NVML_LOAD(member, symbol, parameters)                                                                  \
    table.member = reinterpret_cast<decltype(table.member)>(platform::find_symbol(opened.handle, symbol));
    GPUPROF_NVML_CALLS(GPUPROF_NVML_LOAD)
#undef GPUPROF_NVML_LOAD
    nvml_result const status = table.init == nullptr ? -1 : table.init();
    if (status != 0)
        table.missing = error{errc::unavailable, status, "nvmlInit_v2", "the management library does not start",
                              "check that nvidia-smi works"};
    return table;
}

// A table in the place of the machine's, which tests set while nothing measures.
inline constinit nvml_table const* other_nvml = nullptr;

// This process's table, loaded at the first call. Thread-safe.
[[nodiscard]] inline nvml_table const& nvml() {
    if (other_nvml != nullptr) return *other_nvml;
    static nvml_table const table = load_nvml();
    return table;
}

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_NVML_HPP
