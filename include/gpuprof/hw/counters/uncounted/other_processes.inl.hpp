// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of other_processes.hpp.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_OTHER_PROCESSES_INL_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_OTHER_PROCESSES_INL_HPP

#include <algorithm>
#include <vector>

#include "../../machine/platform/process_number.hpp"
#include "nvml.hpp"
#include "nvml_handle.hpp"
#include "other_processes.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

GPUPROF_INLINE other_processes other_processes_on(device const& gpu) {
    if (gpu.source() == device_source::embedded || gpu.machine().recorded != nullptr) return {};
    nvml_table const& library = nvml();
    nvml_device const handle = handle_of(library, gpu);
    if (handle == nullptr) return {};
    std::vector<unsigned> all;
    for (auto* const list : {library.compute_processes, library.graphics_processes}) {
        constexpr unsigned room = 64;
        nvml_process found[room];
        unsigned count = room;
        // More than there is room for are told by their number alone, and then none of them is listed.
        if (list == nullptr || list(handle, &count, found) != 0) continue;
        for (unsigned i = 0; i < count && i < room; ++i) all.push_back(found[i].number);
    }
    std::sort(all.begin(), all.end()); // one that computes and draws is in both lists
    all.erase(std::unique(all.begin(), all.end()), all.end());
    other_processes others{all.size(), std::move(all)};
    auto const self = std::find(others.numbers.begin(), others.numbers.end(), platform::process_number());
    if (self != others.numbers.end()) others.numbers.erase(self);
    else others.numbers.clear();
    if (others.count != 0) --others.count;
    return others;
}

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_OTHER_PROCESSES_INL_HPP
