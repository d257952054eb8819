// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts what a launch did, exactly: instructions, branches, requests, sectors, wavefronts. Layer: embedded GPU.
#ifndef GPUPROF_HW_SIM_MODEL_COUNTING_OBSERVER_HPP
#define GPUPROF_HW_SIM_MODEL_COUNTING_OBSERVER_HPP

#include <algorithm> // sorting sectors
#include <array>     // counts by kind
#include <bit>       // std::popcount
#include <cstdint>   // counts

#include "../code/observer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Distinct aligned pieces of `piece` bytes (a power of two) that the active lanes touch: sectors of 32 bytes, lines of
// 128. A lane's access lies within one naturally aligned block, so it touches bytes / piece pieces, at least one.
[[nodiscard]] inline std::uint32_t count_pieces(memory_access const& access, std::uint32_t piece) noexcept {
    std::array<std::uint64_t, warp_size> first;
    std::uint32_t lanes = 0;
    bool ascending = true;
    for (unsigned i = 0; i < warp_size; ++i) {
        if (!(access.active >> i & 1)) continue;
        std::uint64_t const p = access.address[i] / piece;
        ascending = ascending && (lanes == 0 || p >= first[lanes - 1]);
        first[lanes++] = p;
    }
    if (!ascending) std::sort(first.begin(), first.begin() + lanes);
    std::uint32_t distinct = 0;
    for (std::uint32_t i = 0; i < lanes; ++i) distinct += i == 0 || first[i] != first[i - 1];
    std::uint32_t const wide = access.bytes > piece ? access.bytes / piece : 1;
    return distinct * wide;
}

// The wavefronts shared memory needs: 32 banks of 4 bytes, each of which serves one word at a time to any number of
// lanes. Accesses of 8 and 16 bytes are served in halves and quarters of the warp.
[[nodiscard]] inline std::uint32_t count_wavefronts(memory_access const& access) noexcept {
    unsigned const group = access.bytes <= 4 ? 32 : access.bytes == 8 ? 16 : 8;
    unsigned const words = access.bytes <= 4 ? 1 : access.bytes / 4;
    std::uint32_t wavefronts = 0;
    for (unsigned begin = 0; begin < warp_size; begin += group) {
        std::array<std::uint8_t, 32> depth{};
        std::array<std::uint64_t, 32 * 8> seen; // words by bank, as they come
        std::uint32_t deepest = 0;
        for (unsigned i = begin; i < begin + group; ++i) {
            if (!(access.active >> i & 1)) continue;
            for (unsigned k = 0; k < words; ++k) {
                std::uint64_t const word = access.address[i] / 4 + k;
                auto const bank = static_cast<unsigned>(word % 32);
                bool known = false;
                for (unsigned d = 0; d < depth[bank] && d < 8; ++d) known = known || seen[bank * 8 + d] == word;
                if (known) continue;
                if (depth[bank] < 8) seen[bank * 8 + depth[bank]] = word;
                deepest = std::max<std::uint32_t>(deepest, ++depth[bank]);
            }
        }
        wavefronts += deepest;
    }
    return wavefronts;
}

// Exact counts of one SM or of a launch. The tables are indexed by the enumerators.
struct instruction_counts {
    static constexpr std::size_t spaces = 6;
    static constexpr std::size_t operations = 7;
    template <std::size_t N>
    using table = std::array<std::uint64_t, N>;

    std::uint64_t ctas = 0;
    std::uint64_t warps = 0;
    std::uint64_t threads = 0;
    table<instruction_kinds> instructions{};           // of warps
    table<instruction_kinds> thread_instructions{};    // of active threads
    table<instruction_kinds> thread_instructions_on{}; // of threads whose guard is true
    table<pipes> pipe_instructions{};                  // of warps
    std::uint64_t branches = 0;                        // of warps
    std::uint64_t divergent_branches = 0;
    std::array<table<operations>, spaces> requests{}; // of warps
    std::array<table<operations>, spaces> sectors{};  // of 32 bytes; global, constant and local memory
    std::array<table<operations>, spaces> bytes{};    // asked for by threads
    table<operations> shared_wavefronts{};

    [[nodiscard]] std::uint64_t total_instructions() const noexcept {
        std::uint64_t sum = 0;
        for (auto const n : instructions) sum += n;
        return sum;
    }

    instruction_counts& operator+=(instruction_counts const& o) noexcept {
        auto const add = [](auto& to, auto const& from) {
            for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
        };
        ctas += o.ctas;
        warps += o.warps;
        threads += o.threads;
        branches += o.branches;
        divergent_branches += o.divergent_branches;
        add(instructions, o.instructions);
        add(thread_instructions, o.thread_instructions);
        add(thread_instructions_on, o.thread_instructions_on);
        add(pipe_instructions, o.pipe_instructions);
        add(shared_wavefronts, o.shared_wavefronts);
        for (std::size_t s = 0; s < spaces; ++s) {
            add(requests[s], o.requests[s]);
            add(sectors[s], o.sectors[s]);
            add(bytes[s], o.bytes[s]);
        }
        return *this;
    }
    friend bool operator==(instruction_counts const&, instruction_counts const&) = default;
};

// The observer that fills instruction_counts. No caches, no time: those are models built on the same events.
class counting_observer {
public:
    class sm {
    public:
        void cta_launched(extent3, unsigned threads) noexcept { ++counts.ctas, counts.threads += threads; }
        void warp_launched(unsigned, lane_mask) noexcept { ++counts.warps; }
        void instruction(unsigned, instruction_info const& info, lane_mask active, lane_mask on) noexcept {
            auto const kind = static_cast<std::size_t>(info.kind);
            ++counts.instructions[kind];
            ++counts.pipe_instructions[static_cast<std::size_t>(info.pipe)];
            counts.thread_instructions[kind] += static_cast<unsigned>(std::popcount(active));
            counts.thread_instructions_on[kind] += static_cast<unsigned>(std::popcount(on));
        }
        void branch(unsigned, instruction_info const&, lane_mask active, lane_mask taken) noexcept {
            ++counts.branches;
            counts.divergent_branches += taken != 0 && taken != active;
        }
        void memory(unsigned, instruction_info const&, memory_access const& access) noexcept {
            auto const space = static_cast<std::size_t>(access.space);
            auto const what = static_cast<std::size_t>(access.operation);
            ++counts.requests[space][what];
            counts.bytes[space][what] +=
                std::uint64_t{access.bytes} * static_cast<unsigned>(std::popcount(access.active));
            if (access.space == ptx::space::shared) counts.shared_wavefronts[what] += count_wavefronts(access);
            else
                counts.sectors[space][what] +=
                    access.space == ptx::space::local ? local_sectors(access) : count_pieces(access, 32);
        }
        void cta_finished() const noexcept {}

        instruction_counts counts;

    private:
        // Local memory is interleaved by words of the lanes, so that lanes at the same offset are neighbours.
        static std::uint32_t local_sectors(memory_access access) noexcept {
            std::array<std::uint64_t, warp_size> address;
            std::uint32_t const words = access.bytes > 4 ? access.bytes / 4 : 1;
            std::uint32_t sectors = 0;
            for (std::uint32_t k = 0; k < words; ++k) {
                for (unsigned i = 0; i < warp_size; ++i) address[i] = (access.address[i] / 4 + k) * 128 + i * 4;
                sectors += count_pieces(
                    {access.space, access.operation, access.generic, 4, access.active, address.data()}, 32);
            }
            return sectors;
        }
    };

    [[nodiscard]] sm make_sm(unsigned) const noexcept { return {}; }
    void merge(unsigned, sm&& one) noexcept { counts += one.counts; }

    instruction_counts counts;
};
static_assert(observer<counting_observer>);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_MODEL_COUNTING_OBSERVER_HPP
