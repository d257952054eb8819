// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call_unit.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "../code/device_heap.hpp"
#include "../code/device_runtime.hpp"
#include "../code/graph_conditions.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Arguments as words of eight bytes. Local memory keeps four bytes together.
static runtime_arguments arguments_of(warp& w, call_site const& site, unsigned lane) noexcept {
    runtime_arguments words{};
    std::size_t word = 0;
    for (call_value const& v : site.inputs) {
        std::size_t const next = word + (v.bytes + 7) / 8;
        if (next > words.size()) break;
        if (!v.in_memory || v.bytes <= 4) words[word] = value_of(w, v, lane);
        else
            for (std::uint32_t at = 0; at + 4 <= v.bytes; at += 4)
                std::memcpy(reinterpret_cast<std::byte*>(&words[word]) + at,
                            w.local(lane, w.frame().local + v.offset + at), 4);
        word = next;
    }
    return words;
}

bool call_unit::ask_runtime(warp& w, call_site const& site, unsigned lane, std::uint64_t& answer) {
    if (runtime_ == nullptr)
        return stop_.stop(w, launch_failure::unsupported, lane,
                          "a call of the device runtime, which only launches through the driver have");
    std::uint64_t const thread = w.number() * warp_size + lane;
    extent3 const& cta = place_.cta;
    std::uint64_t const before = cta.x + (cta.y + std::uint64_t{cta.z} * place_.grid.y) * place_.grid.x; // CTAs
    runtime_answer const got =
        runtime_->call(site.runtime, arguments_of(w, site, lane), {cta, before * place_.block.count() + thread});
    for (runtime_write const& write : got.writes) {
        std::uint64_t address = write.address;
        ptx::space const space = cta_memory::classify(address);
        std::byte* const to = memory_.locate(space, w, lane, address, write.bytes);
        if (to == nullptr) {
            execution_fault const& f = memory_.fault();
            return stop_.stop(w, f.kind, lane, std::string{"a call of the device runtime writes: "} + f.detail,
                              f.address, f.bytes);
        }
        std::memcpy(to, &write.value, write.bytes);
        writes_.push_back({lane, space, address, write.bytes});
    }
    answer = got.value;
    return true;
}

bool call_unit::system(warp& w, call_site const& site, lane_mask execute) {
    writes_.clear();
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
        } else if (site.system == system_call::device_runtime) {
            if (!ask_runtime(w, site, lane, answer)) return false;
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
