// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remembers in which frame and scope the last calls of the driver were made, by CUPTI's correlation.
#ifndef GPUPROF_FRAMES_FRAME_CALLS_HPP
#define GPUPROF_FRAMES_FRAME_CALLS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/platform/mutex.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Scopes in scopes: a node is a scope's name in one other node. Node 0 is no scope. Fixed memory;
// what finds no room is its parent's node. Thread-safe; a new node takes a lock.
class frame_scope_nodes {
public:
    static constexpr std::size_t room = 1024;

    struct node {
        std::uint16_t parent = 0;
        std::uint16_t scope = 0; // the index of its name
    };

    frame_scope_nodes() : nodes_(room), slots_(2 * room) {}

    // The node of a scope in another one. @pre scope < 65536
    [[nodiscard]] std::uint16_t in(std::uint16_t parent, std::size_t scope) noexcept {
        if (std::uint16_t const known = find(parent, scope)) return known;
        platform::lock const held{adding_};
        if (std::uint16_t const known = find(parent, scope)) return known;
        if (size_ == room) return parent;
        std::size_t at = first(parent, scope);
        while (slots_[at] != 0) at = next(at);
        nodes_[size_] = {parent, static_cast<std::uint16_t>(scope)};
        store_release(slots_[at], static_cast<std::uint16_t>(size_));
        return static_cast<std::uint16_t>(size_++);
    }
    // @pre in() returned it
    [[nodiscard]] node operator[](std::uint16_t at) const noexcept { return nodes_[at]; }

private:
    [[nodiscard]] std::uint16_t find(std::uint16_t parent, std::size_t scope) noexcept {
        for (std::size_t at = first(parent, scope);; at = next(at)) { // ends: half of the slots are free
            std::uint16_t const number = load_acquire(slots_[at]);
            if (number == 0) return 0;
            if (nodes_[number].parent == parent && nodes_[number].scope == scope) return number;
        }
    }
    [[nodiscard]] static std::size_t first(std::uint16_t parent, std::size_t scope) noexcept {
        return ((std::size_t{parent} << 16 | scope) * 0x9e3779b1u >> 12) % (2 * room);
    }
    [[nodiscard]] static std::size_t next(std::size_t at) noexcept { return (at + 1) % (2 * room); }

    std::vector<node> nodes_;
    std::vector<std::uint16_t> slots_; // numbers of nodes; 0: free
    std::size_t size_ = 1;
    platform::mutex adding_;
};

// The innermost scope that is open on this thread, of the sampler that was used last.
struct open_frame_scope {
    void const* sampler = nullptr;
    std::uint16_t node = 0;

    [[nodiscard]] static open_frame_scope& here() noexcept {
        static thread_local constinit open_frame_scope open{};
        return open;
    }
    [[nodiscard]] static std::uint16_t node_of(void const* sampler) noexcept {
        open_frame_scope const& open = here();
        return open.sampler == sampler ? open.node : std::uint16_t{0};
    }
};

// The last 65,536 calls, one word each: 0.5 MB. Thread-safe, without locks.
class frame_calls {
public:
    static constexpr std::size_t room = 65536;

    struct call {
        std::uint64_t frame;
        std::uint16_t node;
    };

    frame_calls() : calls_(room) {}

    void note(std::uint32_t correlation, call made) noexcept {
        store_release(calls_[correlation % room], // with the node
                      std::uint64_t{correlation} << 32 | (made.frame & 0xffff) << 16 | made.node);
    }
    // @param newest a frame that is no older than the call's, by 65,535 frames at most
    [[nodiscard]] std::optional<call> find(std::uint32_t correlation, std::uint64_t newest) const noexcept {
        std::uint64_t const word = load_acquire(calls_[correlation % room]);
        if (correlation == 0 || word >> 32 != correlation) return {};
        std::uint64_t const frames_ago = (newest - (word >> 16)) & 0xffff;
        return call{newest - frames_ago, static_cast<std::uint16_t>(word)};
    }

private:
    std::vector<std::uint64_t> calls_; // the correlation, 16 bits of the frame, the node
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_CALLS_HPP
