// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All memory that a CTA can reach, by state space and address, bounds checked.
#ifndef GPUPROF_SRC_SIM_EXECUTE_CTA_MEMORY_HPP
#define GPUPROF_SRC_SIM_EXECUTE_CTA_MEMORY_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../code/device_memory.hpp"
#include "../code/launch.hpp"
#include "../code/warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The reason why an instruction cannot go on. `address` is generic.
struct execution_fault {
    launch_failure kind = launch_failure::illegal_address;
    unsigned lane = 0;
    std::uint64_t address = 0;
    char const* detail = "";
    std::uint32_t bytes = 0;
};

class cta_memory {
public:
    cta_memory(device_memory& global, std::span<std::byte const> parameters, std::uint32_t shared_bytes)
        : global_{global}, parameters_{parameters}, shared_(shared_bytes) {}

    // Fresh shared memory for the next CTA. Zeros, where hardware has garbage: results must not
    // depend on it.
    void reset() noexcept {
        has_ended_ = false;
        if (!shared_.empty()) std::fill(shared_.begin(), shared_.end(), std::byte{0});
    }

    // The CTA has ended: others of its cluster find nothing here any more.
    void end() noexcept { has_ended_ = true; }
    // It is one of a cluster. @param by_rank those of all its CTAs; outlives it
    void join(std::vector<cta_memory*> const& by_rank) noexcept { cluster_ = &by_rank; }

    [[nodiscard]] std::uint32_t shared_bytes() const noexcept { return static_cast<std::uint32_t>(shared_.size()); }
    [[nodiscard]] std::byte const* shared() const noexcept { return shared_.data(); }
    [[nodiscard]] device_memory& global() noexcept { return global_; }

    // The space a generic address is in; `address` becomes an offset where the space has a window.
    [[nodiscard]] static ptx::space classify(std::uint64_t& address) noexcept {
        std::uint64_t const window = address & address_map::window_mask;
        if (window == 0 || window == address_map::global_base) return ptx::space::global;
        if (window == address_map::constant_base) return ptx::space::constant;
        if (address - window > address_map::window_bytes) return ptx::space::global;
        if (window != address_map::shared_window && window != address_map::local_window &&
            window != address_map::param_window)
            return ptx::space::global;
        address -= window;
        return window == address_map::shared_window  ? ptx::space::shared
               : window == address_map::local_window ? ptx::space::local
                                                     : ptx::space::param;
    }

    // Addresses that need no locate(): those less than `limit` beyond `begin`.
    struct stretch {
        std::uint64_t begin = 0;
        std::uint64_t limit = 0;
        std::byte* host = nullptr;
        // Host storage, or null: locate() knows.
        [[nodiscard]] std::byte* find(std::uint64_t address) const noexcept {
            return address - begin < limit ? host + (address - begin) : nullptr;
        }
    };
    // What is at hand for accesses of `bytes` bytes, aligned to as many; a look-up by locate() may
    // bring another.
    [[nodiscard]] stretch at_hand(ptx::space space, unsigned bytes) noexcept {
        auto const of = [=](std::uint64_t begin, std::uint64_t size, std::byte* host) {
            return stretch{begin, size >= bytes ? size - bytes + 1 : 0, host};
        };
        if (space == ptx::space::shared) return of(0, shared_.size(), shared_.data());
        if (space == ptx::space::param)
            return of(0, parameters_.size(), const_cast<std::byte*>(parameters_.data())); // see locate()
        if (space == ptx::space::local) return {};
        return of(recent_.begin, recent_.end - recent_.begin, recent_.host);
    }

    // Lanes that reach shared memory of another CTA of the cluster. @pre locate() has found all of them
    [[nodiscard]] lane_mask elsewhere(lanes<std::uint64_t> const& address, lane_mask mask) const noexcept {
        if (cluster_ == nullptr) return 0;
        lane_mask found = 0;
        for (unsigned i = 0; i < warp_size; ++i) {
            if (!(mask >> i & 1)) continue;
            std::uint64_t const rank = address[i] >> address_map::rank_shift; // 0: its own, without a rank
            if (rank != 0 && (*cluster_)[rank - 1] != this) found |= lane_mask{1} << i;
        }
        return found;
    }

    // Host storage of `bytes` bytes, at most 16 and a power of two, that one lane accesses; null
    // and fault() when they do not exist or are not aligned to `alignment`. Parameter memory of a
    // function is local memory.
    [[nodiscard]] std::byte* locate(ptx::space space, warp& w, unsigned lane, std::uint64_t address,
                                    unsigned bytes) noexcept {
        if ((address & (bytes - 1)) != 0) return fail(launch_failure::misaligned_address, space, lane, address, bytes);
        switch (space) {
            case ptx::space::shared:
                if (address <= shared_.size() && bytes <= shared_.size() - address) return shared_.data() + address;
                if (address >> address_map::rank_shift != 0) return locate_in_cluster(lane, address, bytes);
                break;
            case ptx::space::local:
                if (address <= w.local_bytes() && bytes <= w.local_bytes() - address)
                    return w.local(lane, static_cast<std::uint32_t>(address));
                break;
            case ptx::space::param: // written to by nobody: kernels cannot, and functions' parameters are local
                if (address <= parameters_.size() && bytes <= parameters_.size() - address)
                    return const_cast<std::byte*>(parameters_.data()) + address;
                break;
            default:
                if (std::byte* const found = in_recent(address, bytes)) return found;
                std::swap(recent_, before_); // kernels mostly go from one array to another and back
                if (std::byte* const found = in_recent(address, bytes)) return found;
                if (auto const* const e = global_.reach(address); e != nullptr && bytes <= e->end - address) {
                    recent_ = *e;
                    return recent_.host + (address - recent_.begin);
                }
                break;
        }
        return fail(launch_failure::illegal_address, space, lane, address, bytes);
    }

    [[nodiscard]] execution_fault const& fault() const noexcept { return fault_; }

    std::byte* fail(launch_failure kind, ptx::space space, unsigned lane, std::uint64_t address,
                    unsigned bytes) noexcept {
        std::uint64_t const window = space == ptx::space::shared  ? address_map::shared_window
                                     : space == ptx::space::local ? address_map::local_window
                                     : space == ptx::space::param ? address_map::param_window
                                                                  : 0;
        static constexpr char const* names[] = {"generic",       "global memory", "constant memory",
                                                "shared memory", "local memory",  "parameter memory"};
        fault_ = {kind, lane, window + address, names[static_cast<int>(space)], bytes};
        return nullptr;
    }
    // Another text for the fault, of static storage.
    void describe(char const* detail) noexcept { fault_.detail = detail; }

private:
    [[nodiscard]] std::byte* in_recent(std::uint64_t address, unsigned bytes) const noexcept {
        bool const found = address >= recent_.begin && address < recent_.end && bytes <= recent_.end - address;
        return found ? recent_.host + (address - recent_.begin) : nullptr;
    }
    // Shared memory of another CTA.
    GPUPROF_COLD std::byte* locate_in_cluster(unsigned lane, std::uint64_t address, unsigned bytes) noexcept {
        std::uint64_t const rank = (address >> address_map::rank_shift) - 1;
        std::uint64_t const offset = address & address_map::own_offset;
        fail(launch_failure::illegal_address, ptx::space::shared, lane, address, bytes);
        if (rank >= (cluster_ == nullptr ? 1 : cluster_->size())) {
            describe("shared memory of a block that the cluster does not have");
            return nullptr;
        }
        cta_memory& there = cluster_ == nullptr ? *this : *(*cluster_)[rank];
        if (there.has_ended_) describe("shared memory of a block of the cluster that has exited");
        else if (offset > there.shared_.size() || bytes > there.shared_.size() - offset)
            describe("shared memory of another block of the cluster");
        else return there.shared_.data() + offset;
        return nullptr;
    }

    device_memory& global_;
    std::span<std::byte const> parameters_;
    std::vector<std::byte> shared_;
    std::vector<cta_memory*> const* cluster_ = nullptr;
    bool has_ended_ = false;
    device_memory::extent recent_; // where the last access was found: the next is likely there, too
    device_memory::extent before_; // where another one was
    execution_fault fault_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_CTA_MEMORY_HPP
