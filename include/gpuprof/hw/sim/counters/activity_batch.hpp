// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records that a driver call makes while it holds the driver's lock. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_COUNTERS_ACTIVITY_BATCH_HPP
#define GPUPROF_HW_SIM_COUNTERS_ACTIVITY_BATCH_HPP

#include <atomic>  // std::memory_order_relaxed
#include <cstddef> // std::byte
#include <cstring> // std::memcpy
#include <utility> // std::exchange
#include <vector>  // bytes

#include "activity_log.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Keeps them until it is destroyed, when the lock is free and the tool may be called. Nothing is allocated while nothing is
// recorded. Not thread-safe: it belongs to one call.
class activity_batch {
public:
    activity_batch() = default;
    activity_batch(activity_batch&& other) noexcept : bytes_{std::exchange(other.bytes_, {})} {}
    activity_batch& operator=(activity_batch&&) = delete;
    ~activity_batch() {
        if (!bytes_.empty()) write();
    }

    // Keeps a record if its kind is recorded for the context. One that there is no memory for is not kept.
    template <class Record>
    void add(abi::CUpti_ActivityKind kind, abi::CUcontext context, Record const& record) noexcept {
        add(kind, context, record, kind);
    }
    // Or if the kind is that it comes with.
    template <class Record>
    void add(abi::CUpti_ActivityKind kind, abi::CUcontext context, Record const& record,
             abi::CUpti_ActivityKind with) noexcept {
        activity_log& log = activity_log::instance();
        if (!log.switches.records(with, context)) return;
        auto const of = log.release.load(std::memory_order_relaxed);
        std::size_t const size = record_size(kind, of);
        if (size == 0 || !grow(sizeof size + size)) return;
        std::byte* const to = bytes_.data() + bytes_.size() - size;
        std::memcpy(to - sizeof size, &size, sizeof size);
        encode(record, kind, of, to);
    }

private:
    [[nodiscard]] bool grow(std::size_t size) noexcept {
#if GPUPROF_EXCEPTIONS
        try {
            bytes_.resize(bytes_.size() + size);
            return true;
        } catch (...) {
            activity_log::instance().buffers.drop();
            return false;
        }
#else
        bytes_.resize(bytes_.size() + size);
        return true;
#endif
    }
    void write() noexcept {
        for (std::size_t at = 0; at < bytes_.size();) {
            std::size_t size = 0;
            std::memcpy(&size, bytes_.data() + at, sizeof size);
            activity_log::instance().buffers.write(bytes_.data() + at + sizeof size, size);
            at += sizeof size + size;
        }
    }

    std::vector<std::byte> bytes_; // each record after its size
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_ACTIVITY_BATCH_HPP
