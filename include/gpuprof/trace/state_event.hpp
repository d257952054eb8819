// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUPTI says of itself, as the handler of callbacks gets it.
#ifndef GPUPROF_TRACE_STATE_EVENT_HPP
#define GPUPROF_TRACE_STATE_EVENT_HPP

#include <string_view>

#include "../core/error.hpp"
#include "../detail/config.hpp"
#include "../hw/abi/cupti_callback.hpp"
#include "../hw/machine/status.hpp"
#include "callback_ids.hpp"

GPUPROF_NAMESPACE_BEGIN

// An error or a warning that CUPTI cannot return from a call, for it comes up later or on a thread of its own. Valid while the
// handler runs. CUDA 12.3 and later.
class state_event {
public:
    state_event(hw::callback_id id, abi::CUpti_StateData const& data) noexcept : id_{id}, data_{&data} {}

    [[nodiscard]] state_kind kind() const noexcept { return static_cast<state_kind>(id_.number); }
    [[nodiscard]] abi::CUptiResult status() const noexcept { return data_->notification.result; }
    [[nodiscard]] std::string_view message() const noexcept { // CUPTI's own words
        char const* const text = data_->notification.message;
        return text != nullptr ? std::string_view{text} : std::string_view{};
    }
    // The same as an error that a person can act on. Allocates.
    [[nodiscard]] error why() const {
        error told = hw::explain("CUPTI", status());
        if (!message().empty()) told.cause = message();
        return told;
    }

    [[nodiscard]] abi::CUpti_StateData const& raw() const noexcept { return *data_; }
    [[nodiscard]] hw::callback_id id() const noexcept { return id_; }

private:
    hw::callback_id id_;
    abi::CUpti_StateData const* data_;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_STATE_EVENT_HPP
