// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pool of scopes for a burst: pairs of CUDA events, created beforehand.
#ifndef GPUPROF_SAMPLE_SCOPE_POOL_HPP
#define GPUPROF_SAMPLE_SCOPE_POOL_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/status.hpp"
#include "device_clock.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A scope. The thread that opens and closes it writes the slot; it is read after the burst.
struct scope_slot {
    static constexpr std::uint32_t none = 0xffffffff;
    enum class stage : unsigned char { free, open, closed, failed };

    abi::CUevent begin = nullptr;
    abi::CUevent end = nullptr;
    std::uint64_t node = 0;      // its name
    std::uint32_t around = none; // slot of the enclosing scope
    std::uint32_t stream = 0;    // number of its stream
    std::atomic<stage> state{stage::free};
    abi::CUresult refusal = abi::CUDA_SUCCESS; // the driver's
};

// Slots with their events. take() is thread-safe; the rest is for one thread, while no scope runs.
class scope_pool {
public:
    // Errors: what the driver says; unavailable without memory. Cost: two events a scope. @pre the
    // context is current
    [[nodiscard]] static result<scope_pool> try_create(device const& gpu, std::size_t scopes) {
        scope_pool pool{gpu, scopes};
        current_context const here{gpu};
        if (here.status()) return hw::explain("cuCtxPushCurrent", here.status());
        for (std::size_t i = 0; i < scopes; ++i)
            for (abi::CUevent* const each : {&pool.slots_[i].begin, &pool.slots_[i].end})
                if (auto const status = pool.gpu_->driver().EventCreate(each, abi::CU_EVENT_DEFAULT))
                    return hw::explain("cuEventCreate", status);
        return result<scope_pool>{std::move(pool)};
    }
    scope_pool(scope_pool&& other) noexcept
        : gpu_{other.gpu_},
          size_{std::exchange(other.size_, 0)},
          slots_{std::move(other.slots_)},
          taken_{other.taken_.load(std::memory_order_relaxed)} {}
    scope_pool& operator=(scope_pool&&) = delete;
    ~scope_pool() {
        if (size_ == 0) return;
        current_context const here{*gpu_};
        for (std::size_t i = 0; i < size_; ++i)
            for (abi::CUevent const each : {slots_[i].begin, slots_[i].end})
                if (each != nullptr) static_cast<void>(gpu_->driver().EventDestroy(each));
    }

    // Takes the next free slot; none if all are taken.
    [[nodiscard]] std::uint32_t take() noexcept {
        std::size_t const at = taken_.fetch_add(1, std::memory_order_relaxed);
        return at < size_ ? static_cast<std::uint32_t>(at) : scope_slot::none;
    }
    [[nodiscard]] scope_slot& operator[](std::size_t at) noexcept { return slots_[at]; }
    [[nodiscard]] std::size_t used() const noexcept {
        std::size_t const taken = taken_.load(std::memory_order_acquire);
        return taken < size_ ? taken : size_;
    }
    // The number of scopes that found no slot.
    [[nodiscard]] std::size_t refused() const noexcept {
        std::size_t const taken = taken_.load(std::memory_order_acquire);
        return taken > size_ ? taken - size_ : 0;
    }
    void clear() noexcept {
        for (std::size_t i = 0; i < used(); ++i) slots_[i].state.store(scope_slot::stage::free);
        taken_.store(0, std::memory_order_release);
    }

private:
    scope_pool(device const& gpu, std::size_t size) : gpu_{&gpu}, size_{size}, slots_{new scope_slot[size]} {}

    device const* gpu_;
    std::size_t size_;
    std::unique_ptr<scope_slot[]> slots_;
    std::atomic<std::size_t> taken_{0};
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_SCOPE_POOL_HPP
