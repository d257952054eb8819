// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "choose_ptx.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ptx_target.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::image {

result<std::string> choose_ptx(std::span<std::byte const> container, chip_model const& chip) {
    auto entries = read_container(container);
    if (!entries) return entries.error();
    bool const has_machine_code =
        std::any_of(entries->begin(), entries->end(), [](auto const& e) { return e.kind == entry_kind::machine_code; });
    std::erase_if(*entries, [](fat_entry const& e) { return e.kind != entry_kind::ptx; });
    if (entries->empty())
        return error{errc::unavailable, abi::CUDA_ERROR_NO_BINARY_FOR_GPU, "there is no PTX in this binary",
                     has_machine_code ? "it was built for machine code alone, which the embedded GPU does not run" : "",
                     "build with -arch=compute_80 or code=compute_80"};
    std::stable_sort(entries->begin(), entries->end(),
                     [](fat_entry const& a, fat_entry const& b) { return a.target > b.target; });
    compute_capability const have = chip.capability();
    auto const most = static_cast<std::uint32_t>(have.generation * 10 + have.revision);
    for (fat_entry const& entry : *entries) {
        if (entry.target > most && !chip.runs_any_ptx) continue;
        auto text = unpack(entry);
        if (!text) return text;
        if (runs_on(target_of(*text), chip)) return text; // "sm_80a" says so only inside
    }
    return error{errc::unavailable, abi::CUDA_ERROR_NO_BINARY_FOR_GPU,
                 "the PTX of this binary is for later GPUs than " + std::string{chip.chip_name},
                 "the lowest target in it is compute_" + std::to_string(entries->back().target),
                 "build with -arch=compute_" + std::to_string(most) + ", or choose a later chip"};
}

} // namespace sim::image
GPUPROF_NAMESPACE_END
