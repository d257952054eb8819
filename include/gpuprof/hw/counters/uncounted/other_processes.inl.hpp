// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of other_processes.hpp.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_OTHER_PROCESSES_INL_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_OTHER_PROCESSES_INL_HPP

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
    auto const handle = handle_of(library, gpu);
    if (!handle) return {};
    other_processes others;
    bool has_self = false;
    auto const add = [&](unsigned number) { // once, where it belongs
        if (number == platform::process_number()) {
            has_self = true;
            return;
        }
        auto at = others.numbers.begin();
        while (at != others.numbers.end() && *at < number) ++at;
        if (at == others.numbers.end() || *at != number) others.numbers.insert(at, number);
    };
    for (auto* const list : {library.compute_processes, library.graphics_processes}) {
        constexpr unsigned room = 64;
        nvml_process found[room];
        unsigned count = room;
        // More than there is room for are told by their number alone, and then none of them is listed.
        if (list == nullptr || list(*handle, &count, found) != 0) continue;
        for (unsigned i = 0; i < count && i < room; ++i) add(found[i].number);
    }
    others.count = others.numbers.size();
    if (!has_self) {
        others.numbers.clear();
        if (others.count != 0) --others.count;
    }
    return others;
}

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_OTHER_PROCESSES_INL_HPP
