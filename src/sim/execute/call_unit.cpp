// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call_unit.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../code/device_heap.hpp"
#include "../code/graph_conditions.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

bool call_unit::system(warp& w, call_site const& site, lane_mask execute) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if (!(execute >> lane & 1)) continue;
        std::uint64_t arguments[5]{};
        for (std::size_t i = 0; i < site.inputs.size() && i < 5; ++i) arguments[i] = value_of(w, site.inputs[i], lane);
        std::uint64_t answer = 0;
        if (site.system == system_call::print) {
            answer = services_.print(memory_, w, lane, arguments[0], arguments[1]);
        } else if (site.system == system_call::fail_assertion) {
            return stop_.stop(w, launch_failure::assertion, lane, services_.assertion(memory_, w, lane, arguments));
        } else if (site.system == system_call::set_condition) {
            auto const value = static_cast<std::uint32_t>(arguments[1]);
            if (conditions_ == nullptr || !conditions_->set(arguments[0], value))
                return stop_.stop(w, launch_failure::invalid_instruction, lane,
                                  "cudaGraphSetConditional for what is no conditional handle");
        } else if (site.system == system_call::allocate) {
            answer = heap_ == nullptr ? 0 : heap_->allocate(arguments[0]);
        } else if (arguments[0] != 0 && (heap_ == nullptr || !heap_->release(arguments[0]))) {
            return stop_.stop(w, launch_failure::illegal_address, lane,
                              "free of what malloc did not give, or of what is free", arguments[0], 1);
        }
        if (site.outputs.empty()) continue;
        call_value const& v = site.outputs[0];
        if (v.in_memory) std::memcpy(w.local(lane, w.frame().local + v.offset), &answer, v.bytes < 8 ? v.bytes : 8);
        else w.registers_of(w.frame()).write_lane(v.slot, lane, v.bytes, answer);
    }
    return true;
}

} // namespace sim
GPUPROF_NAMESPACE_END
