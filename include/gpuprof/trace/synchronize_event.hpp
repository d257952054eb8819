// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream or context that was waited for, as the handler of callbacks gets it.
#ifndef GPUPROF_TRACE_SYNCHRONIZE_EVENT_HPP
#define GPUPROF_TRACE_SYNCHRONIZE_EVENT_HPP

#include "../detail/config.hpp"
#include "../hw/abi/cupti_callback.hpp"
#include "callback_ids.hpp"

GPUPROF_NAMESPACE_BEGIN

// Comes after the wait is over. Valid while the handler runs. CUPTI 12.0, 2.4.3.
class synchronize_event {
public:
    synchronize_event(hw::callback_id id, abi::CUpti_SynchronizeData const& data) noexcept : id_{id}, data_{&data} {}

    [[nodiscard]] synchronization_kind kind() const noexcept { return static_cast<synchronization_kind>(id_.number); }
    [[nodiscard]] abi::CUcontext context() const noexcept { return data_->context; }
    [[nodiscard]] abi::CUstream stream() const noexcept { // null where a context was waited for
        return kind() == synchronization_kind::stream ? data_->stream : nullptr;
    }

    [[nodiscard]] abi::CUpti_SynchronizeData const& raw() const noexcept { return *data_; }
    [[nodiscard]] hw::callback_id id() const noexcept { return id_; }

private:
    hw::callback_id id_;
    abi::CUpti_SynchronizeData const* data_;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_SYNCHRONIZE_EVENT_HPP
