// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: whether CUPTI has the metrics of chips.
#ifndef GPUPROF_HW_DOCTOR_CHIP_DATA_HPP
#define GPUPROF_HW_DOCTOR_CHIP_DATA_HPP

#include <cstddef>
#include <string>

#include "../../detail/config.hpp"
#include "../machine/library_files.hpp"
#include "../machine/machine.hpp"
#include "../counters/range/metric_host.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// CUPTI keeps its data on chips in libnvperf_host beside it; without that nothing can be planned.
inline void chip_data(examined_machine const& machine, finding_list& found) {
    hw::machine const& on = machine.on();
    if (!machine.has_cupti() || on.cupti.ProfilerHostInitialize == nullptr) return;
    open_companion(on.cupti_library, nvperf_host_file);
    auto chips = metric_host::try_chips(on.cupti);
    if (!chips) return found.add(finding::topic::chip_data, chips.error());
    std::size_t usable = 0;
    for (std::string const& chip : *chips)
        if (metric_host::try_open(on.cupti, chip)) ++usable;
    if (usable == 0 && !chips->empty())
        return found.add(finding::topic::chip_data, finding::severity::obstacle,
                         "CUPTI has no metrics for any chip: libnvperf_host is missing beside it",
                         "install the whole CUPTI, not libcupti alone");
    found.add(finding::topic::chip_data, finding::severity::good,
              "metrics of " + std::to_string(usable) + " of " + std::to_string(chips->size()) +
                  " chips can be planned here, GPU or not");
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_CHIP_DATA_HPP
