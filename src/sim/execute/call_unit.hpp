// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters and leaves functions: direct, through pointers, and those of the system.
#ifndef GPUPROF_SRC_SIM_EXECUTE_CALL_UNIT_HPP
#define GPUPROF_SRC_SIM_EXECUTE_CALL_UNIT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "call_transfer.hpp"
#include "cta_memory.hpp"
#include "../code/device_heap.hpp"
#include "../code/device_runtime.hpp"
#include "../code/graph_conditions.hpp"
#include "../code/kernel.hpp"
#include "../code/launch.hpp"
#include "../code/special_registers.hpp"
#include "../code/stop_report.hpp"
#include "system_calls.hpp"
#include "../code/warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Functions return false when the kernel was stopped. @pre the constructor's arguments outlive it.
class call_unit {
public:
    call_unit(kernel const& k, execution_options const& options, system_services& services, cta_memory& memory,
              launch_config const& config, warp_place const& place, stop_report& stop) noexcept
        : kernel_{k},
          options_{options},
          services_{services},
          memory_{memory},
          heap_{config.heap},
          conditions_{config.conditions},
          runtime_{config.runtime},
          place_{place},
          stop_{stop} {}

    // The lanes of `execute`, which is not empty, call; the warp is already at the instruction
    // after it.
    [[nodiscard]] bool call(warp& w, sim::registers const& r, decoded const& op, lane_mask execute) {
        call_site const& site = w.frame().function->calls[op.target];
        if (site.system != system_call::none) return system(w, site, execute);
        if (!site.indirect) return enter(w, site, kernel_.by_module_index[site.callee], execute, w.depth() - 1);
        auto const target = r.read<std::uint64_t>(op.a);
        std::size_t const caller = w.depth() - 1;
        for (lane_mask left = execute; left != 0;) { // a frame for each function that is called
            std::uint64_t const address = target[lowest_lane(left)];
            lane_mask same = 0;
            for (unsigned i = 0; i < warp_size; ++i)
                if ((left >> i & 1) && target[i] == address) same |= lane_mask{1} << i;
            std::uint64_t const number = (address - address_map::code_base) / 16;
            bool const known = address >= address_map::code_base && number < kernel_.by_module_index.size() &&
                               kernel_.by_module_index[number] != decoded::nowhere;
            if (!known)
                return stop_.stop(w, launch_failure::invalid_instruction, lowest_lane(left),
                                  "a call to what is no function");
            if (!enter(w, site, kernel_.by_module_index[number], same, caller)) return false;
            left &= ~same;
        }
        return true;
    }

    // The lanes return from the function on top, which is not the kernel, with its results.
    void leave(warp& w, lane_mask lanes) {
        call_frame const& from = w.frame();
        for (std::size_t i = 0; i < from.site->outputs.size() && i < from.function->outputs.size(); ++i)
            transfer(w, from, from.function->outputs[i], w.frame(from.caller), from.site->outputs[i], lanes);
        w.leave_frame(lanes);
    }

    // What a function of the system wrote where arguments of a lane point to.
    struct lane_write {
        unsigned lane;
        ptx::space space;
        std::uint64_t address; // in that space
        unsigned bytes;
    };
    // Of the last call of such a function.
    [[nodiscard]] std::vector<lane_write> const& writes() const noexcept { return writes_; }

private:
    // Of the host, for what frames hold beyond the stack: arguments and results.
    static constexpr std::uint32_t most_local = 1u << 24;

    bool enter(warp& w, call_site const& site, std::uint32_t callee, lane_mask lanes, std::size_t caller) {
        function_code const& f = *kernel_.functions[callee];
        // What is known of a kernel's stack before it runs is there, whatever the limit says.
        std::uint32_t const stack = (std::max)(options_.stack_bytes, kernel_.stack_bytes);
        if (w.stack_with(f, caller) > stack || w.local_bytes() > most_local)
            return stop_.stop(w, launch_failure::stack_overflow, lowest_lane(lanes),
                              "the calls need more than the " + std::to_string(stack) +
                                  " bytes of stack that a thread has (cudaLimitStackSize)");
        if (site.inputs.size() != f.inputs.size())
            return stop_.stop(w, launch_failure::invalid_instruction, lowest_lane(lanes),
                              "the called function has other parameters");
        w.enter(f, &site, caller, lanes);
        for (std::size_t i = 0; i < f.inputs.size(); ++i)
            transfer(w, w.frame(caller), site.inputs[i], w.frame(), f.inputs[i], lanes);
        return true;
    }

    bool system(warp& w, call_site const& site, lane_mask execute);
    bool ask_runtime(warp& w, call_site const& site, unsigned lane, std::uint64_t& answer);

    kernel const& kernel_;
    execution_options const& options_;
    system_services& services_;
    cta_memory& memory_;
    device_heap* heap_;
    graph_conditions* conditions_;
    device_runtime* runtime_;
    warp_place const& place_;
    std::vector<lane_write> writes_;
    stop_report& stop_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_CALL_UNIT_HPP
