// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU's memory: one flat 64-bit address space.
#ifndef GPUPROF_SRC_SIM_CODE_DEVICE_MEMORY_HPP
#define GPUPROF_SRC_SIM_CODE_DEVICE_MEMORY_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

#include <gpuprof/core/result.hpp>

#include "extent_list.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Where things live in the generic address space. Device addresses are the GPU's own, not the
// host's, and follow from the program alone: what is computed from them (cache sets, sectors) is
// the same on every machine. They lie beyond the 47 bits of host addresses, so a mapped host range
// keeps the host's address.
namespace address_map {
inline constexpr std::uint64_t global_base = 0x0001'0000'0000'0000;
inline constexpr std::uint64_t constant_base = 0x0002'0000'0000'0000;
inline constexpr std::uint64_t shared_window = 0x0003'0000'0000'0000;
inline constexpr std::uint64_t local_window = 0x0004'0000'0000'0000;
inline constexpr std::uint64_t param_window = 0x0005'0000'0000'0000;
inline constexpr std::uint64_t code_base = 0x0006'0000'0000'0000;
inline constexpr std::uint64_t window_mask = 0xffff'0000'0000'0000;
inline constexpr std::uint64_t window_bytes = 0x0000'0000'ffff'ffff; // an offset in a window has 32 bits
// Devices side by side, of one kind, have addresses of their own: 4 TiB each, so that an address tells whose it is.
inline constexpr unsigned slot_shift = 42;
inline constexpr unsigned slots = 32;
inline constexpr std::uint64_t slot_mask = std::uint64_t{slots - 1} << slot_shift;
// @pre global_base <= address < constant_base
[[nodiscard]] constexpr unsigned slot_of(std::uint64_t address) noexcept {
    return static_cast<unsigned>((address & slot_mask) >> slot_shift);
}
// An offset in shared memory is the CTA's own. That of another CTA of the cluster has the rank there, and one more, in the
// bits from this one on.
inline constexpr unsigned rank_shift = 24;
inline constexpr std::uint64_t own_offset = (std::uint64_t{1} << rank_shift) - 1;
} // namespace address_map

// Allocations, each zeroed, found by address. Any number of threads may look up and access at once,
// as long as none allocates, frees or maps: the owner (the driver) orders that between launches.
class device_memory {
public:
    enum class area : std::uint8_t { global, constant };

    using extent = memory_extent;

    // `capacity` in bytes bounds the sum of all allocations; mapped host ranges do not count.
    // @param slot whose addresses it has, of those that devices side by side have; less than address_map::slots
    explicit device_memory(std::uint64_t capacity = std::uint64_t{80} << 30, unsigned slot = 0)
        : base_{address_map::global_base + (std::uint64_t{slot} << address_map::slot_shift)}, capacity_{capacity} {}

    // First fit at the alignment (a power of two, at least 512 is used). errc::unavailable when the
    // capacity or the host's memory is exhausted; errc::invalid_argument for zero bytes.
    [[nodiscard]] result<std::uint64_t> allocate(std::uint64_t bytes, std::uint64_t alignment = 512,
                                                 area where = area::global);

    // Zeroed memory under the host's own address, which host and kernels share (managed variables).
    // Otherwise as allocate().
    [[nodiscard]] result<std::uint64_t> allocate_on_host(std::uint64_t bytes, std::uint64_t alignment = 512);

    // Gives back what allocate() or map() gave at `address`. errc::invalid_argument for any other
    // address.
    result<void> free(std::uint64_t address);

    // From now on allocations lie at least `bytes` apart, and addresses are not used again: an
    // access beyond an end or after a free finds nothing.
    void keep_apart(std::uint64_t bytes);
    // The allocation that held `address` until it was freed, the latest of them; null if none did
    // or nothing is kept apart.
    [[nodiscard]] extent const* find_freed(std::uint64_t address) const noexcept;

    // Lets kernels reach `bytes` of host memory under the host's own address (pinned and managed
    // memory). The range must stay valid until free(address). errc::invalid_argument when it
    // overlaps another.
    result<std::uint64_t> map(void* host, std::uint64_t bytes, bool stays_on_host = false);

    // A range of addresses of the GPU's own that nothing else gets, at a multiple of `alignment` (a
    // power of two). Nothing is there until map_at(). Ranges are not used again. errc::unavailable
    // when there are no addresses left.
    [[nodiscard]] result<std::uint64_t> reserve(std::uint64_t bytes, std::uint64_t alignment);
    // Lets `bytes` of host memory, which stay valid until free(address), be reached at an address
    // that was reserved. errc::invalid_argument when something is there.
    result<void> map_at(std::uint64_t address, std::byte* host, std::uint64_t bytes);

    // The extent that holds `address`, or null. Logarithmic in the number of allocations; valid
    // until the next change.
    [[nodiscard]] extent const* find(std::uint64_t address) const noexcept {
        auto const after = extents_.after(address);
        if (after == extents_.begin() || (after - 1)->end <= address) return nullptr;
        return after - 1;
    }

    // What kernels reach beside it: pinned and managed host memory that was allocated for another device, and its
    // device memory if access to it is enabled. `other` must outlive it or be disconnected.
    void connect(device_memory const& other);
    void disconnect(device_memory const& other) noexcept;
    // Whether kernels may access the device memory of one that is connected.
    void set_peer_access(device_memory const& other, bool enabled) noexcept;
    [[nodiscard]] bool has_peer_access(device_memory const& other) const noexcept;

    // As find(), in all memory that kernels reach. What is not this memory's own is found slowly.
    [[nodiscard]] extent const* reach(std::uint64_t address) const noexcept {
        extent const* const own = find(address);
        return own != nullptr || others_.empty() ? own : find_elsewhere(address);
    }

    // All of them, in the order of their addresses; valid until the next change.
    [[nodiscard]] extent_list const& extents() const noexcept { return extents_; }

    // The extent nearest to an address that lies in none: the one before it, or the one after it if
    // that is nearer; null where none is within 4 GiB. As find().
    [[nodiscard]] extent const* nearest(std::uint64_t address) const noexcept;

    // Whether any byte of the 128 from there on is pinned host memory.
    [[nodiscard]] bool is_on_host(std::uint64_t line_address) const noexcept {
        if (line_address >= address_map::global_base) return false;
        extent const* const first = find(line_address);
        extent const* const e = first != nullptr ? first : find(line_address + 127);
        return e != nullptr && e->stays_on_host;
    }

    // The address as the first of several devices would have it, so that caches find the same on each of them. Those of other
    // devices stay different from it.
    [[nodiscard]] std::uint64_t without_slot(std::uint64_t address) const noexcept {
        bool const global = (address & address_map::window_mask) == address_map::global_base;
        return global ? address ^ (base_ & address_map::slot_mask) : address;
    }

    // Whether the line is device memory of another device: the address tells.
    [[nodiscard]] bool is_of_peer(std::uint64_t line_address) const noexcept {
        return ((line_address ^ base_) & (address_map::window_mask | address_map::slot_mask)) != 0 &&
               (line_address & address_map::window_mask) == address_map::global_base && !others_.empty();
    }

    // Host storage of `bytes` bytes at `address`, or null when they do not lie in one allocation.
    [[nodiscard]] std::byte* translate(std::uint64_t address, std::uint64_t bytes) const noexcept {
        extent const* const e = find(address);
        if (e == nullptr || bytes > e->end - address) return nullptr;
        return e->host + (address - e->begin);
    }

    [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] std::uint64_t used() const noexcept { return used_; }

private:
    struct release {
        void operator()(std::byte* p) const noexcept { std::free(p); }
    };
    using storage = std::unique_ptr<std::byte, release>;
    struct block {
        std::uint64_t bytes = 0;
        storage memory{};
    };
    struct neighbour {
        device_memory const* memory;
        bool has_access; // to its device memory
    };
    [[nodiscard]] extent const* find_elsewhere(std::uint64_t address) const noexcept;
    GPUPROF_COLD static error failure(errc code, char const* text);

    std::uint64_t base_; // of its addresses
    std::uint64_t capacity_;
    std::uint64_t used_ = 0;
    std::uint64_t gap_ = 0;  // between allocations; 0: the first place that is free
    std::uint64_t next_ = 0; // the next one's place
    std::vector<extent> freed_;
    std::uint64_t next_reserved_ = base_ + (std::uint64_t{1} << 47); // beyond what allocate() gives
    extent_list extents_;                                            // disjoint
    std::map<std::uint64_t, block> blocks_;                          // by address
    std::uint64_t first_gap_ = base_;                                // before it, allocate() finds no place
    std::vector<neighbour> others_;                                  // those of other devices
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CODE_DEVICE_MEMORY_HPP
