// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mbarrier object: arrivals and bytes counted in 64 bits of shared memory.
#ifndef GPUPROF_SRC_SIM_OPS_MBARRIER_HPP
#define GPUPROF_SRC_SIM_OPS_MBARRIER_HPP

#include <cstdint>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

enum class mbarrier_operation : std::uint8_t {
    init,
    invalidate,
    arrive,
    arrive_drop,
    expect_bytes,
    complete_bytes,
    arrive_expect_bytes,
    arrive_for_copies, // cp.async.mbarrier.arrive: one more arrival, made when the copies have landed
    arrive_for_copies_noinc,
    test_state,
    test_parity,
    pending_count
};

[[nodiscard]] constexpr bool waits_for_copies(mbarrier_operation what) noexcept {
    return what == mbarrier_operation::arrive_for_copies || what == mbarrier_operation::arrive_for_copies_noinc;
}

// PTX leaves the layout open; here: 20 bits pending arrivals, 20 bits expected arrivals, 23 bits
// pending bytes (modulo), and the parity of the phase. A phase ends when neither arrivals nor bytes
// are pending.
class mbarrier {
public:
    explicit mbarrier(std::uint64_t bits = 0) noexcept : bits_{bits} {}
    [[nodiscard]] static mbarrier of(std::uint32_t arrivals) noexcept {
        mbarrier b;
        b.set(0, 20, arrivals);
        b.set(20, 20, arrivals);
        return b;
    }

    [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }
    [[nodiscard]] unsigned parity() const noexcept { return static_cast<unsigned>(bits_ >> 63); }
    [[nodiscard]] std::uint32_t pending() const noexcept { return get(0, 20); }

    [[nodiscard]] std::uint32_t expected() const noexcept { return get(20, 20); }
    // Negative: more came than was expected.
    [[nodiscard]] std::int64_t pending_bytes() const noexcept {
        std::int64_t const bytes = get(40, 23);
        return bytes < (1 << 22) ? bytes : bytes - (1 << 23);
    }

    void arrive(std::uint32_t count) noexcept {
        set(0, 20, pending() - count);
        settle();
    }
    void arrive_and_drop(std::uint32_t count) noexcept {
        set(20, 20, get(20, 20) - count);
        arrive(count);
    }
    void add_pending(std::uint32_t count) noexcept { set(0, 20, pending() + count); }
    void expect_bytes(std::uint32_t bytes) noexcept { set(40, 23, get(40, 23) + bytes); }
    void complete_bytes(std::uint32_t bytes) noexcept {
        set(40, 23, get(40, 23) - bytes);
        settle();
    }

private:
    [[nodiscard]] std::uint32_t get(unsigned at, unsigned width) const noexcept {
        return static_cast<std::uint32_t>(bits_ >> at & ((std::uint64_t{1} << width) - 1));
    }
    void set(unsigned at, unsigned width, std::uint32_t value) noexcept {
        std::uint64_t const field = (std::uint64_t{1} << width) - 1;
        bits_ = (bits_ & ~(field << at)) | (value & field) << at;
    }
    void settle() noexcept {
        if (pending() != 0 || get(40, 23) != 0) return;
        set(0, 20, get(20, 20));
        bits_ ^= std::uint64_t{1} << 63;
    }

    std::uint64_t bits_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_OPS_MBARRIER_HPP
