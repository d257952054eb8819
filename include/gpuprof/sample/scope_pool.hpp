// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scopes of a burst: pairs of CUDA events in their streams, made beforehand. Layer: sample.
#ifndef GPUPROF_SAMPLE_SCOPE_POOL_HPP
#define GPUPROF_SAMPLE_SCOPE_POOL_HPP

#include <atomic>  // scopes open on any thread
#include <cstddef> // std::size_t
#include <cstdint> // numbers
#include <memory>  // slots
#include <utility> // std::exchange

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/status.hpp"
#include "device_clock.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// One scope. Written by the thread that opens and closes it, read when the burst is over.
struct scope_slot {
    static constexpr std::uint32_t none = 0xffffffff;
    enum class stage : unsigned char { free, open, closed, failed };

    abi::CUevent begin = nullptr;
    abi::CUevent end = nullptr;
    std::uint64_t node = 0;      // its name
    std::uint32_t around = none; // the slot of the scope around it
    std::uint32_t stream = 0;    // the number of its stream
    std::atomic<stage> state{stage::free};
    abi::CUresult refusal = abi::CUDA_SUCCESS; // of the driver
};

// Slots with their events. Taking one is thread-safe; the rest is for one thread, when no scope runs.
class scope_pool {
public:
    // Errors: what the driver says; unavailable without memory. Cost: an event each. @pre the context is current
    GPUPROF_LAZY [[nodiscard]] static result<scope_pool> try_create(device const& gpu, std::size_t scopes) {
        scope_pool made{gpu, scopes};
        current_context const here{gpu};
        if (here.status()) return hw::explain("cuCtxPushCurrent", here.status());
        for (std::size_t i = 0; i < scopes; ++i)
            for (abi::CUevent* const each : {&made.slots_[i].begin, &made.slots_[i].end})
                if (auto const status = made.gpu_->driver().EventCreate(each, abi::CU_EVENT_DEFAULT))
                    return hw::explain("cuEventCreate", status);
        return result<scope_pool>{std::move(made)};
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

    // The next free slot's number, or none when all are taken.
    [[nodiscard]] std::uint32_t take() noexcept {
        std::size_t const at = taken_.fetch_add(1, std::memory_order_relaxed);
        return at < size_ ? static_cast<std::uint32_t>(at) : scope_slot::none;
    }
    [[nodiscard]] scope_slot& operator[](std::size_t at) noexcept { return slots_[at]; }
    [[nodiscard]] std::size_t used() const noexcept {
        std::size_t const taken = taken_.load(std::memory_order_acquire);
        return taken < size_ ? taken : size_;
    }
    // Scopes that found no slot.
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
