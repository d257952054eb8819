// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Enters and leaves functions: direct, through pointers, and those of the system. Layer: embedded GPU, executor.
#ifndef GPUPROF_HW_SIM_EXECUTE_CALL_UNIT_HPP
#define GPUPROF_HW_SIM_EXECUTE_CALL_UNIT_HPP

#include <cstddef> // frames
#include <cstdint> // addresses
#include <cstring> // arguments

#include "call_transfer.hpp"
#include "cta_memory.hpp"
#include "../code/device_heap.hpp"
#include "../code/graph_conditions.hpp"
#include "../code/kernel.hpp"
#include "../code/launch.hpp"
#include "../code/stop_report.hpp"
#include "system_calls.hpp"
#include "../code/warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Functions give false when the kernel was stopped. @pre what it is made of outlives it.
class call_unit {
public:
    call_unit(kernel const& k, execution_options const& options, system_services& services, cta_memory& memory,
              launch_config const& config, stop_report& stop) noexcept
        : kernel_{k},
          options_{options},
          services_{services},
          memory_{memory},
          heap_{config.heap},
          conditions_{config.conditions},
          stop_{stop} {}

    // The lanes of `execute`, which is not empty, call; the warp is already at the instruction after it.
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

private:
    bool enter(warp& w, call_site const& site, std::uint32_t callee, lane_mask lanes, std::size_t caller) {
        function_code const& f = *kernel_.functions[callee];
        constexpr std::size_t deepest = 4096; // frames without local memory must end, too
        if (w.local_bytes() + f.local_bytes > options_.stack_bytes || w.depth() > deepest)
            return stop_.stop(w, launch_failure::stack_overflow, lowest_lane(lanes), "the call stack is too deep");
        if (site.inputs.size() != f.inputs.size())
            return stop_.stop(w, launch_failure::invalid_instruction, lowest_lane(lanes),
                              "the called function has other parameters");
        w.enter(f, &site, caller, lanes);
        for (std::size_t i = 0; i < f.inputs.size(); ++i)
            transfer(w, w.frame(caller), site.inputs[i], w.frame(), f.inputs[i], lanes);
        return true;
    }

    bool system(warp& w, call_site const& site, lane_mask execute) {
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (!(execute >> lane & 1)) continue;
            std::uint64_t arguments[5]{};
            for (std::size_t i = 0; i < site.inputs.size() && i < 5; ++i) {
                call_value const& v = site.inputs[i];
                std::uint32_t const bytes = v.bytes < 8 ? v.bytes : 8;
                std::byte const* const from =
                    v.in_memory ? w.local(lane, w.frame().local + v.offset)
                                : w.registers_of(w.frame()).read_bytes(v.slot) + std::size_t{lane} * v.bytes;
                std::memcpy(&arguments[i], from, bytes);
            }
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

    kernel const& kernel_;
    execution_options const& options_;
    system_services& services_;
    cta_memory& memory_;
    device_heap* heap_;
    graph_conditions* conditions_;
    stop_report& stop_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_EXECUTE_CALL_UNIT_HPP
