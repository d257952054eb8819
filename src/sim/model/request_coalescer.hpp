// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests of neighbouring SMs for the same sectors, of which L2 gets one.
#ifndef GPUPROF_SRC_SIM_MODEL_REQUEST_COALESCER_HPP
#define GPUPROF_SRC_SIM_MODEL_REQUEST_COALESCER_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include <gpuprof/detail/processor.hpp>
#include "access_lines.hpp"
#include "miss_stream.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Stands between the SMs of a cluster (GPC) and L2 on chips that have one (chip_model::l2.joins). A
// read of the very sectors that another SM of the cluster has asked for, and not got yet, waits for
// the same answer. As an H200 does it (tests/hardware/coalescing.cu and last_coalescing.txt): only
// SMs of a cluster, four of them to a request, for as long as the answer takes: some 60 ns from L2,
// up to 1 us from device memory. Here time is the turn in which each SM sends a request.
//
// A cluster remembers one request for each set of L2, so that what becomes of a request depends on
// no other set.
class request_coalescer {
public:
    // @param joins SMs that one request may serve; 1: each asks for itself
    request_coalescer(unsigned clusters, unsigned sms, unsigned joins, std::uint32_t sets)
        : clusters_{clusters}, sms_{sms}, joins_{joins}, open_(joins > 1 ? std::size_t{clusters} * sets : 0) {}

    [[nodiscard]] bool is_there() const noexcept { return !open_.empty(); }
    // A launch begins: nothing is under way. @param turns that it takes
    void start(std::size_t turns) noexcept {
        start_ = end_;
        end_ = start_ + static_cast<std::uint32_t>(turns + longest_wait) + 1;
    }

    // Whether the answer to another SM's request serves this one, too. @pre is_there()
    [[nodiscard]] bool joins(std::size_t sm, std::size_t turn, std::uint32_t set, l2_request const& request) noexcept {
        entry& e = at(sm, set);
        if (e.request != key(request) || now(turn) > e.until || e.sm == sm || e.served == joins_) return false;
        ++e.served;
        return true;
    }
    // A request that L2 gets. @param wait turns until its answer comes, at most longest_wait
    void begin(std::size_t sm, std::size_t turn, std::uint32_t set, l2_request const& request,
               std::uint32_t wait) noexcept {
        at(sm, set) = {key(request), now(turn) + wait, static_cast<std::uint16_t>(sm), 1};
    }
    // Brings what joins() will read to the host's processor.
    void expect(std::uint32_t set) const noexcept {
        if (is_there()) gpuprof::detail::prefetch(&open_[set * clusters_]);
    }

    static constexpr std::uint32_t longest_wait = 1 << 12;

private:
    struct entry {
        std::uint64_t request = ~std::uint64_t{0}; // line and sectors
        std::uint32_t until = 0;
        std::uint16_t sm = 0;
        std::uint16_t served = 0; // SMs
    };

    static std::uint64_t key(l2_request const& r) noexcept { return r.line() << 4 | r.sectors(); }
    [[nodiscard]] std::uint32_t now(std::size_t turn) const noexcept {
        return start_ + static_cast<std::uint32_t>(turn);
    }
    [[nodiscard]] entry& at(std::size_t sm, std::uint32_t set) noexcept {
        return open_[set * clusters_ + sm * clusters_ / sms_];
    }

    std::size_t clusters_;
    std::size_t sms_;
    unsigned joins_;
    std::vector<entry> open_; // by set and cluster
    std::uint32_t start_ = 1; // of the launch, as turns go on from one to the next
    std::uint32_t end_ = 1;   // no answer of its comes later
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_REQUEST_COALESCER_HPP
