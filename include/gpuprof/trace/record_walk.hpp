// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From one record of a buffer to the next.
#ifndef GPUPROF_TRACE_RECORD_WALK_HPP
#define GPUPROF_TRACE_RECORD_WALK_HPP

#include <cstddef>
#include <cstdint>

#include "../hw/activity/record.hpp"
#include "activity_calls.hpp"
#include "record_buffers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// CUPTI's walk over records, and how they are laid out in this release.
struct record_walk {
    record_walk(next_record call, activity::cuda_release of) noexcept : next{call}, release{of} {
        for (unsigned kind = 0; kind < kinds; ++kind)
            if (auto const* const form = activity::form_of(static_cast<abi::CUpti_ActivityKind>(kind), of))
                bytes_of[kind] = static_cast<std::uint16_t>(form->size);
    }
    static constexpr unsigned kinds = 64;
    next_record next;
    activity::cuda_release release;
    std::uint16_t bytes_of[kinds]{}; // 0: a kind that this release does not have, or that is not known here
};

// A place in a buffer. cuptiActivityGetNextRecord is more than half of what a bare loop over records costs (H200,
// tests/hardware/last_trace_cost.txt). So CUPTI is asked for the first step from a record of each kind; if it is as long as the
// record, later steps from that kind are taken here, as long as a known kind follows. All else is left to CUPTI.
class record_cursor {
public:
    record_cursor() = default;
    explicit record_cursor(record_walk const& by) noexcept : by_{&by} {}

    // Goes on to the next record, or to the first one if AT is null. False at the end of the records.
    [[nodiscard]] bool advance(filled_buffer const& in, abi::CUpti_Activity*& at) noexcept {
        if (at != nullptr && is_plain(at->kind)) {
            std::size_t const left = in.readable(at) - by_->bytes_of[at->kind];
            auto* const after =
                reinterpret_cast<abi::CUpti_Activity*>(reinterpret_cast<std::uint8_t*>(at) + by_->bytes_of[at->kind]);
            if (left == 0) {
                status_ = abi::CUPTI_ERROR_MAX_LIMIT_REACHED;
                return false;
            }
            if (left >= sizeof(abi::CUpti_Activity) && is_known(after->kind) && left >= by_->bytes_of[after->kind]) {
                at = after;
                return true;
            }
        }
        abi::CUpti_Activity* const before = at;
        status_ = by_->next(in.bytes, in.valid, &at);
        if (status_ != abi::CUPTI_SUCCESS || at == nullptr) return false;
        if (before != nullptr && is_known(before->kind))
            is_plain_[before->kind] = reinterpret_cast<std::uint8_t*>(at) - reinterpret_cast<std::uint8_t*>(before) ==
                                      by_->bytes_of[before->kind];
        return true;
    }
    // The end of a buffer has a status of its own; with any other one, CUPTI does not go on to what follows.
    [[nodiscard]] bool is_cut_short() const noexcept {
        return status_ != abi::CUPTI_SUCCESS && status_ != abi::CUPTI_ERROR_MAX_LIMIT_REACHED;
    }

private:
    [[nodiscard]] bool is_known(abi::CUpti_ActivityKind kind) const noexcept {
        return static_cast<unsigned>(kind) < record_walk::kinds && by_->bytes_of[kind] != 0;
    }
    [[nodiscard]] bool is_plain(abi::CUpti_ActivityKind kind) const noexcept {
        return static_cast<unsigned>(kind) < record_walk::kinds && is_plain_[kind];
    }

    record_walk const* by_ = nullptr;
    abi::CUptiResult status_ = abi::CUPTI_SUCCESS;
    bool is_plain_[record_walk::kinds]{};
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_RECORD_WALK_HPP
