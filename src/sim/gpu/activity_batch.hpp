// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The activity records of one driver call, kept while the call holds the driver's lock.
#ifndef GPUPROF_SRC_SIM_GPU_ACTIVITY_BATCH_HPP
#define GPUPROF_SRC_SIM_GPU_ACTIVITY_BATCH_HPP

#include <cstddef>
#include <utility>
#include <vector>

#include <gpuprof/detail/config.hpp>

#include "activity_encoder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Writes its records when it is destroyed: the lock is free then, and the tool may be called.
// Nothing is allocated while nothing is recorded. Not thread-safe: it belongs to one call.
class activity_batch {
public:
    activity_batch() = default;
    activity_batch(activity_batch&& other) noexcept : bytes_{std::exchange(other.bytes_, {})} {}
    activity_batch& operator=(activity_batch&&) = delete;
    ~activity_batch() {
        if (!bytes_.empty()) write();
    }

    // Keeps a record if its kind is recorded for the context. A record that there is no memory for
    // is dropped.
    template <class Record>
    void add(abi::CUpti_ActivityKind kind, abi::CUcontext context, Record const& record) noexcept {
        add(kind, context, record, kind);
    }
    // Keeps a record if the kind `with` is recorded, which it comes with.
    template <class Record>
    void add(abi::CUpti_ActivityKind kind, abi::CUcontext context, Record const& record,
             abi::CUpti_ActivityKind with) noexcept {
        record_room const room = reserve(kind, context, with);
        if (room.bytes != nullptr) encode(record, kind, room.release, room.bytes);
    }

private:
    struct record_room {
        std::byte* bytes = nullptr; // null: the record is not kept
        activity::cuda_release release{};
    };
    [[nodiscard]] record_room reserve(abi::CUpti_ActivityKind kind, abi::CUcontext context,
                                      abi::CUpti_ActivityKind with) noexcept;
    [[nodiscard]] bool grow(std::size_t size) noexcept;
    void write() noexcept;

    std::vector<std::byte> bytes_; // each record after its size
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_ACTIVITY_BATCH_HPP
