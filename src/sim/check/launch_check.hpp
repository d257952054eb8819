// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of the checks for a launch as a whole, and their findings.
#ifndef GPUPROF_SRC_SIM_CHECK_LAUNCH_CHECK_HPP
#define GPUPROF_SRC_SIM_CHECK_LAUNCH_CHECK_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <gpuprof/sim/check_set.hpp>
#include <gpuprof/sim/finding.hpp>

#include "../code/device_memory.hpp"
#include "../code/kernel.hpp"
#include "../code/launch.hpp"
#include "clocks.hpp"
#include "memory_shadow.hpp"
#include "register_shadow.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A place in a launch: a thread at an instruction.
struct check_place {
    std::uint32_t cta = 0;    // in launch order
    std::uint32_t thread = 0; // in the CTA
    std::uint32_t instruction = 0;
};

// @pre all CTAs run on one host thread; what it is made of outlives it
class launch_check {
public:
    launch_check(kernel const& k, launch_config const& config, device_memory const& memory, memory_shadow& shadow,
                 check_set checks);
    launch_check(launch_check const&) = delete;
    launch_check& operator=(launch_check const&) = delete;
    ~launch_check() { shadow_.next_segment = clocks.next(); }

    [[nodiscard]] bool has(check c) const noexcept { return checks_.has(c); }
    [[nodiscard]] memory_shadow& shadow() noexcept { return shadow_; }
    [[nodiscard]] device_memory const& memory() const noexcept { return memory_; }

    // The number of an instruction in the launch.
    [[nodiscard]] std::uint32_t number(function_code const& f, decoded const& op) noexcept {
        if (&f != last_function_) {
            last_function_ = &f;
            for (std::size_t i = 0; i < kernel_.functions.size(); ++i)
                if (kernel_.functions[i] == &f) last_first_ = first_[i];
        }
        return last_first_ + static_cast<std::uint32_t>(&op - f.code.data());
    }

    // One more case of a finding; the first one of its kind at these instructions is made by
    // `make()`.
    template <class Make>
    void found(finding_kind kind, std::uint32_t here, std::uint32_t other, Make make) {
        std::uint64_t const key =
            std::uint64_t{here} << 36 | std::uint64_t{other} << 8 | static_cast<std::uint64_t>(kind);
        auto const [place, is_new] = known_.try_emplace(key, findings.size());
        if (!is_new) {
            ++findings[place->second].count;
            return;
        }
        finding first = make();
        first.kind = kind;
        first.kernel = kernel_.name;
        findings.push_back(std::move(first));
    }

    [[nodiscard]] finding_side side(check_place const& at, std::string did) const;

    // "global memory, 4 bytes into an allocation of 40 bytes at 0x…"
    [[nodiscard]] std::string place_of(ptx::space space, std::uint64_t address) const;

    std::vector<finding> findings;
    launch_clocks clocks{1};
    register_numbers numbers;

    // The place where a value that nobody wrote was first read, by the number of the reading
    // instruction.
    struct origin {
        check_place place;
        ptx::space space = ptx::space::global;
        std::uint64_t address = 0;
        unsigned bytes = 0;
        bool gone_lane = false; // it came from a lane that is not there
    };
    std::unordered_map<std::uint32_t, origin> origins;

    // Warps that asked mbarriers in vain last, by the mbarrier's CTA and place, and the warp's CTA and number.
    struct mbarrier_wait {
        check_place place;
        check_place init;
        std::uint64_t bits = 0; // of the mbarrier
        std::uint32_t parity = 0;
        bool by_parity = false;
    };
    std::map<std::pair<std::uint64_t, std::uint64_t>, mbarrier_wait> waits;

private:
    check_set checks_;
    kernel const& kernel_;
    extent3 grid_;
    extent3 block_;
    device_memory const& memory_;
    memory_shadow& shadow_;
    std::vector<std::uint32_t> first_; // number of each function's first instruction
    std::uint32_t instructions_ = 0;
    function_code const* last_function_ = nullptr;
    std::uint32_t last_first_ = 0;
    std::unordered_map<std::uint64_t, std::size_t> known_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHECK_LAUNCH_CHECK_HPP
