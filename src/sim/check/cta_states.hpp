// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The states of the bytes of a CTA's memory: shared, local, and global through the context's
// shadow.
#ifndef GPUPROF_SRC_SIM_CHECK_CTA_STATES_HPP
#define GPUPROF_SRC_SIM_CHECK_CTA_STATES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "../code/warp.hpp"
#include "memory_shadow.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

class cta_states {
public:
    // @param own_shared what lies behind is the system's, and written
    cta_states(memory_shadow& global, unsigned warps, std::uint32_t shared_bytes, std::uint32_t own_shared)
        : global_{global}, shared_(shared_bytes, byte_state::unwritten), local_(warps) {
        for (std::uint32_t i = own_shared; i < shared_bytes; ++i) shared_[i] = byte_state::written;
    }

    // The states of consecutive bytes; null where there is no such memory, which faults, or where
    // states are not kept.
    [[nodiscard]] byte_state* at(warp& w, ptx::space space, unsigned lane, std::uint64_t address, unsigned bytes) {
        switch (space) {
            case ptx::space::shared: return address + bytes <= shared_.size() ? shared_.data() + address : nullptr;
            case ptx::space::local:
                if (address + bytes > w.local_bytes()) return nullptr;
                return local(w, lane) + address;
            case ptx::space::global:
                if (address % shadow_page::bytes + bytes > shadow_page::bytes) return nullptr;
                return global_.page(address).states.data() + address % shadow_page::bytes;
            default: return nullptr;
        }
    }

    // A function was entered: its frame holds nothing yet, but for its parameters; the caller's
    // results will be written.
    void entered(warp& w, call_site const* site, std::size_t frame) {
        call_frame const& f = w.frame(frame);
        for (unsigned lane = 0; f.function->local_bytes != 0 && lane < warp_size; ++lane) {
            byte_state* const memory = local(w, lane) + f.local;
            std::fill_n(memory, f.function->local_bytes, byte_state::unwritten);
            for (call_value const& v : f.function->inputs)
                if (v.in_memory) std::fill_n(memory + v.offset, v.bytes, byte_state::written);
        }
        if (site == nullptr) return;
        for (call_value const& v : site->outputs)
            for (unsigned lane = 0; v.in_memory && lane < warp_size; ++lane)
                std::fill_n(local(w, lane) + w.frame(f.caller).local + v.offset, v.bytes, byte_state::written);
    }

    [[nodiscard]] static bool all_written(byte_state const* s, unsigned bytes) noexcept {
        for (; bytes >= 8; bytes -= 8, s += 8)
            if (load_states<std::uint64_t>(s) != 0x0101'0101'0101'0101) return false;
        if ((bytes & 4) != 0) {
            if (load_states<std::uint32_t>(s) != 0x0101'0101) return false;
            s += 4;
        }
        for (bytes &= 3; bytes != 0; --bytes, ++s)
            if (*s != byte_state::written) return false;
        return true;
    }

private:
    template <class Word> // in one piece: a copy of a size that is known
    [[nodiscard]] static Word load_states(byte_state const* s) noexcept {
        Word some;
        std::memcpy(&some, s, sizeof some);
        return some;
    }

    struct local_memory {
        std::vector<byte_state> states; // lane after lane
        std::uint32_t bytes = 0;        // of a lane
    };

    // A lane's, which grows with the call stack.
    [[nodiscard]] byte_state* local(warp& w, unsigned lane) {
        local_memory& of = local_[w.number()];
        if (w.local_bytes() > of.bytes) {
            std::vector<byte_state> wider(std::size_t{w.local_bytes()} * warp_size, byte_state::unwritten);
            for (std::size_t i = 0; i < warp_size && of.bytes != 0; ++i)
                std::copy_n(of.states.data() + i * of.bytes, of.bytes, wider.data() + i * w.local_bytes());
            of.states = std::move(wider);
            of.bytes = w.local_bytes();
        }
        return of.states.data() + std::size_t{lane} * of.bytes;
    }

    memory_shadow& global_;
    std::vector<byte_state> shared_;
    std::vector<local_memory> local_; // by warp
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHECK_CTA_STATES_HPP
