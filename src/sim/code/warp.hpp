// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One warp: the places of its lanes, its call frames, its local memory.
#ifndef GPUPROF_SRC_SIM_CODE_WARP_HPP
#define GPUPROF_SRC_SIM_CODE_WARP_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "kernel.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Lanes that go on together at `pc`, until they reach `reconvergence` and the path below takes
// over.
struct path {
    std::uint32_t pc = 0;
    std::uint32_t reconvergence = decoded::nowhere;
    lane_mask mask = 0;
};

// A function being executed by some lanes. Those that call different functions at once get a frame
// each, one after the other; `caller` is the frame they come from.
struct call_frame {
    function_code const* function = nullptr;
    call_site const* site = nullptr;
    std::size_t caller = 0;
    std::size_t registers = 0;  // offset of its registers
    std::uint32_t local = 0;    // offset of its frame memory
    std::uint32_t stack = 0;    // bytes of the call stack a lane, its own included
    std::size_t first_path = 0; // its paths: from here to the next frame's
};

// An asynchronous copy that was issued and has not arrived.
struct pending_copy {
    std::uint32_t group = 0; // number of the lane's group
    std::uint8_t lane = 0;
    std::uint8_t bytes = 0;
    std::uint8_t read = 0; // the rest is filled with zeros
    std::uint32_t to = 0;  // shared
    std::byte const* from = nullptr;
};

// The registers of a warp's frames. Memory that it gets holds what was there: a frame of thousands of registers costs what is
// written to it.
class register_stack {
public:
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] std::byte* data() noexcept { return memory_.get(); }
    void resize(std::size_t size) {
        if (size > capacity_) reserve(size);
        size_ = size;
    }
    void reserve(std::size_t capacity) {
        auto larger = std::unique_ptr<std::byte[]>{new std::byte[capacity]};
        if (size_ != 0) std::memcpy(larger.get(), memory_.get(), size_);
        memory_ = std::move(larger);
        capacity_ = capacity;
    }

private:
    std::unique_ptr<std::byte[]> memory_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

class warp {
public:
    // @param register_bytes that its frames will likely take, so that they need not move
    warp(unsigned number, lane_mask present, function_code const& entry, std::size_t register_bytes = 0)
        : number_{number}, live_{present} {
        if (register_bytes != 0) register_stack_.reserve(register_bytes);
        enter(entry, nullptr, 0, present);
    }

    // Begins again, for another CTA, in the memory that it has.
    void restart(lane_mask present, function_code const& entry) {
        live_ = present;
        paths_.clear();
        frames_.clear();
        register_stack_.resize(0);
        local_memory_.clear();
        local_top_ = 0;
        parked_ = 0;
        parked_at_ = 0;
        held_.clear();
        may_pass_ = left_ = 0;
        have_met_ = false;
        copies.clear();
        for (std::uint32_t& group : copy_group) group = 0;
        steps = 0;
        waiting_at = no_barrier;
        released = false;
        reduction = 0;
        arrived_in_cluster = 0;
        product_groups = 0;
        enter(entry, nullptr, 0, present);
    }

    [[nodiscard]] unsigned number() const noexcept { return number_; }
    [[nodiscard]] lane_mask live() const noexcept { return live_; }
    [[nodiscard]] bool finished() const noexcept { return frames_.empty(); }
    [[nodiscard]] path& top() noexcept { return paths_.back(); }
    [[nodiscard]] call_frame const& frame() const noexcept { return frames_.back(); }
    [[nodiscard]] call_frame const& frame(std::size_t i) const noexcept { return frames_[i]; }
    [[nodiscard]] std::size_t depth() const noexcept { return frames_.size(); }
    [[nodiscard]] sim::registers registers_of(call_frame const& f) noexcept {
        return {register_stack_.data() + f.registers, f.function->pool.data()};
    }

    // Lanes of the path on top that are at its end go on with the path below.
    void reconverge() noexcept {
        while (paths_.back().pc == paths_.back().reconvergence) paths_.pop_back();
    }

    // The lanes of `taken` go to the branch's target, the others to the next instruction. The two
    // meet at its reconvergence, unless one of them leaves for good.
    void diverge(lane_mask taken, decoded const& branch) {
        std::uint32_t const target = branch.target;
        std::uint32_t const reconvergence = branch.reconvergence;
        path& here = paths_.back();
        lane_mask const others = here.mask & ~taken;
        std::uint32_t const next = here.pc + 1;
        if (others == 0 || taken == 0) {
            here.pc = taken != 0 ? target : next;
            if (taken != 0 ? branch.target_leaves : branch.next_leaves) here.reconvergence = decoded::nowhere;
            return;
        }
        split(reconvergence);
        if (next != reconvergence)
            paths_.push_back({next, branch.next_leaves ? decoded::nowhere : reconvergence, others});
        if (target != reconvergence)
            paths_.push_back({target, branch.target_leaves ? decoded::nowhere : reconvergence, taken});
    }

    // The lanes on top are at an instruction that needs others. If they are bound for no place
    // where those wait for them, they wait here until the others come to the same instruction, or
    // have exited. False: nobody can come.
    [[nodiscard]] bool park() {
        path const here = paths_.back();
        bool const joins = parked_ == 0 || parked_at_ == here.pc;
        if (here.reconvergence != decoded::nowhere || here.mask == live_ || !joins || frames_.size() != 1) return false;
        parked_ |= here.mask;
        parked_at_ = here.pc;
        for (auto& p : paths_) p.mask &= ~here.mask;
        drop_empty();
        return true;
    }
    // The lanes on top are at a barrier, and others of the warp are at other places. Those that would
    // go on when the ones on top have come to them go on now, as lanes do that are scheduled for
    // themselves: the barrier does not need them if they exit. False: there are none.
    [[nodiscard]] bool let_others_go_on() {
        if (frames_.size() != 1) return false;
        lane_mask above = paths_.back().mask;
        for (std::size_t i = paths_.size() - 1; i-- != 0; above |= paths_[i].mask) {
            lane_mask const others = paths_[i].mask & ~above;
            if (others == 0) continue;
            path const ahead{paths_[i].pc, decoded::nowhere, others};
            for (auto& p : paths_) p.mask &= ~others;
            if (paths_[i].mask == 0) paths_.erase(paths_.begin() + static_cast<std::ptrdiff_t>(i));
            paths_.push_back(ahead);
            return true;
        }
        return false;
    }
    // The instruction that a live lane goes on with, in the frame on top.
    [[nodiscard]] decoded const& next_of(unsigned lane) const noexcept {
        auto const& code = frames_.back().function->code;
        for (std::size_t i = paths_.size(); i-- != frames_.back().first_path;)
            if ((paths_[i].mask >> lane & 1) != 0) return code[paths_[i].pc];
        for (held_path const& each : held_)
            if ((each.at.mask >> lane & 1) != 0) return code[each.at.pc];
        return parked_at();
    }
    // Whether all lanes go on where is_so(pc). False if some are in a function that the kernel calls, or wait for others of the warp.
    template <class Condition>
    [[nodiscard]] bool all_at(Condition const& is_so) const {
        return frames_.size() <= 1 && parked_ == 0 && held_.empty() &&
               std::all_of(paths_.begin(), paths_.end(), [&](path const& p) { return is_so(p.pc); });
    }
    // Lanes that wait at an instruction for the others to come there.
    [[nodiscard]] lane_mask parked() const noexcept { return parked_; }
    [[nodiscard]] decoded const& parked_at() const noexcept { return frames_.front().function->code[parked_at_]; }

    // The lanes on top are at an instruction whose members are elsewhere, bound for a place where others wait for them.
    // They wait here, and those go on, as lanes do that are scheduled for themselves. False: there are none.
    [[nodiscard]] bool hold(lane_mask members) {
        path const here = paths_.back();
        lane_mask others = 0;
        for (path const& p : paths_) others |= p.mask & ~here.mask;
        if (frames_.size() != 1 || others == 0) return false;
        held_.push_back({{here.pc, decoded::nowhere, here.mask}, members});
        for (auto& p : paths_) p.mask &= ~here.mask;
        drop_empty();
        return true;
    }
    // Whether all of `missing` wait at instructions with the same members as that of the lanes on top. Then all of them
    // go on: those at one instruction with each other. @param parked_members of the instruction that lanes are parked at
    [[nodiscard]] bool meet(lane_mask missing, lane_mask members, lane_mask parked_members) {
        path const here = paths_.back();
        bool const parked_meet = parked_ != 0 && parked_at_ != here.pc && parked_members == members;
        lane_mask waiting = parked_meet ? parked_ : 0;
        for (held_path const& each : held_)
            if (each.members == members) waiting |= each.at.mask;
        if (frames_.size() != 1 || (missing & ~waiting) != 0) return false;
        if (parked_meet) held_.push_back({{parked_at_, decoded::nowhere, std::exchange(parked_, 0)}, members});
        std::vector<path> ready;
        for (held_path const& each : held_) {
            if (each.members != members) continue;
            if (each.at.pc == here.pc) paths_.back().mask |= each.at.mask;
            else ready.push_back(each.at);
        }
        paths_.insert(paths_.begin(), ready.begin(), ready.end());
        std::erase_if(held_, [&](held_path const& each) { return each.members == members; });
        may_pass_ |= waiting | here.mask;
        have_met_ = true;
        return true;
    }
    // Whether lanes need not wait for others at the instruction that they are at, as they have met them.
    [[nodiscard]] bool pass(lane_mask lanes) noexcept {
        if ((lanes & ~may_pass_) != 0) return false;
        may_pass_ &= ~lanes;
        return true;
    }
    // Whether lanes go on because those that they waited for have exited, in a warp whose lanes never met in different
    // places. For checks; says it once.
    [[nodiscard]] bool was_left(lane_mask lanes) noexcept {
        return (std::exchange(left_, left_ & ~lanes) & lanes) != 0 && !have_met_;
    }
    [[nodiscard]] lane_mask held() const noexcept {
        lane_mask all = 0;
        for (held_path const& each : held_) all |= each.at.mask;
        return all;
    }

    // The path on top becomes the place where the parts that will be pushed meet again.
    void split(std::uint32_t reconvergence) {
        if (reconvergence == decoded::nowhere || reconvergence == paths_.back().reconvergence) paths_.pop_back();
        else paths_.back().pc = reconvergence;
    }
    void push(path const& p) { paths_.push_back(p); }

    // Bytes of the call stack that a lane needs at least when it enters a function from a frame:
    // variables of both in local memory, and return addresses, which a function keeps there while it
    // calls another one. A machine also keeps registers there, as its compiler sees fit.
    [[nodiscard]] std::uint32_t stack_with(function_code const& f, std::size_t caller) const noexcept {
        constexpr std::uint32_t return_address = 8;
        return frames_[caller].stack + f.stack_bytes + (caller != 0 ? return_address : 0);
    }
    void enter(function_code const& f, call_site const* site, std::size_t caller, lane_mask mask) {
        std::uint32_t const stack = frames_.empty() ? f.stack_bytes : stack_with(f, caller);
        std::uint32_t const local = frames_.empty() ? 0 : (local_top_ + 15u) & ~15u;
        std::size_t const begin = register_stack_.size();
        frames_.push_back({&f, site, caller, begin, local, stack, paths_.size()});
        register_stack_.resize(begin + ((f.frame_bytes + 63u) & ~std::size_t{63}));
        for (frame_part const& part : f.cleared)
            std::memset(register_stack_.data() + begin + part.begin, 0, part.bytes);
        local_top_ = local + f.local_bytes;
        std::size_t const needed = (std::size_t{local_top_} + 15) / 16 * 16 * warp_size;
        if (local_memory_.size() < needed) local_memory_.resize(needed);
        paths_.push_back({0, decoded::nowhere, mask});
    }

    // The lanes leave the frame on top, or all frames.
    void leave_frame(lane_mask lanes) noexcept {
        for (std::size_t i = frames_.back().first_path; i < paths_.size(); ++i) paths_[i].mask &= ~lanes;
        drop_empty();
    }
    void leave(lane_mask lanes) noexcept {
        live_ &= ~lanes;
        for (auto& p : paths_) p.mask &= ~lanes;
        drop_empty();
    }

    // Local memory is interleaved: 16 bytes of lane 0, then of lane 1, …. Values within an aligned
    // 16 bytes are whole.
    [[nodiscard]] std::byte* local(unsigned lane, std::uint32_t offset) noexcept {
        return local_memory_.data() + std::size_t{offset / 16} * 16 * warp_size + std::size_t{lane} * 16 + offset % 16;
    }
    [[nodiscard]] std::uint32_t local_bytes() const noexcept { return local_top_; }

    std::vector<pending_copy> copies;
    std::uint32_t copy_group[warp_size] = {}; // number of each lane's open group
    std::uint64_t steps = 0;
    std::uint32_t waiting_at = no_barrier; // the barrier it has arrived at
    bool released = false;                 // and that has opened
    std::uint32_t reduction = 0;           // with this result
    lane_mask arrived_in_cluster = 0; // lanes that have arrived at the cluster's barrier, which has not opened since

    std::uint32_t product_groups = 0; // of wgmma, committed
    std::uint32_t awaited_group = 0;  // that the warpgroup is to have committed before it goes on

    static constexpr std::uint32_t no_barrier = ~std::uint32_t{0};
    static constexpr std::uint32_t cluster_barrier = no_barrier - 1;
    static constexpr std::uint32_t warpgroup = no_barrier - 2; // the other warps of the warpgroup

private:
    void drop_empty() noexcept {
        while (!frames_.empty()) {
            while (paths_.size() > frames_.back().first_path && paths_.back().mask == 0) paths_.pop_back();
            if (paths_.size() > frames_.back().first_path) return;
            if (!held_.empty() && frames_.size() == 1) {
                for (held_path const& each : held_) {
                    paths_.push_back(each.at);
                    left_ |= each.at.mask;
                }
                held_.clear();
                return;
            }
            if (parked_ != 0 && frames_.size() == 1) {
                paths_.push_back({parked_at_, decoded::nowhere, parked_});
                parked_ = 0;
                return;
            }
            register_stack_.resize(frames_.back().registers);
            local_top_ = frames_.back().local;
            frames_.pop_back();
        }
    }

    unsigned number_;
    lane_mask live_;
    std::vector<path> paths_;
    std::vector<call_frame> frames_;
    register_stack register_stack_;
    std::vector<std::byte> local_memory_;
    std::uint32_t local_top_ = 0;
    // Lanes on no path, who wait at an instruction for the lanes that it names.
    struct held_path {
        path at;
        lane_mask members = 0;
    };
    std::vector<held_path> held_;
    lane_mask left_ = 0;          // of these, when nobody else was there any more
    bool have_met_ = false;       // lanes in different places
    lane_mask may_pass_ = 0;      // lanes that go on with such an instruction
    lane_mask parked_ = 0;        // lanes on no path, who wait at an instruction
    std::uint32_t parked_at_ = 0; // this one
};

// A lane's argument of a call, or its result, in the frame on top: its first 8 bytes.
[[nodiscard]] inline std::uint64_t value_of(warp& w, call_value const& v, unsigned lane) noexcept {
    call_frame const& f = w.frame();
    std::uint64_t value = 0;
    std::byte const* const from = v.in_memory ? w.local(lane, f.local + v.offset)
                                              : w.registers_of(f).read_bytes(v.slot) + std::size_t{lane} * v.bytes;
    std::memcpy(&value, from, v.bytes < sizeof value ? v.bytes : sizeof value);
    return value;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CODE_WARP_HPP
