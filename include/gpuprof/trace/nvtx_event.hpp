// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of NVTX, as the handler of callbacks gets it.
#ifndef GPUPROF_TRACE_NVTX_EVENT_HPP
#define GPUPROF_TRACE_NVTX_EVENT_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include "../detail/config.hpp"
#include "../hw/abi/cupti_callback.hpp"
#include "../hw/abi/nvtx_parameters.hpp"
#include "callback_ids.hpp"
#include "functions.hpp"

GPUPROF_NAMESPACE_BEGIN

// What the calls of NVTX do that gpuprof reads; every other one is `other`, with its structure in raw().
enum class nvtx_action : unsigned char { mark, range_start, range_end, range_push, range_pop, other };

// Comes once a call, on the thread that makes it. Valid while the handler runs. NVTX_INJECTION64_PATH must name libcupti, else
// there are none. CUPTI 12.0, 2.4.4.
class nvtx_event {
public:
    nvtx_event(hw::callback_id id, abi::CUpti_NvtxData const& data) noexcept : id_{id}, data_{&data} { read(); }

    [[nodiscard]] nvtx_function function() const noexcept { return static_cast<nvtx_function>(id_.number); }
    [[nodiscard]] bool is(nvtx_function asked) const noexcept { return function() == asked; }
    [[nodiscard]] std::string_view name() const noexcept { // "nvtxRangePushA"
        return data_->functionName != nullptr ? std::string_view{data_->functionName} : std::string_view{};
    }
    [[nodiscard]] nvtx_action action() const noexcept { return action_; }

    // The text of a mark, or of a range that begins. Empty where it is of wide characters, or a registered string.
    [[nodiscard]] std::string_view message() const noexcept { return message_; }
    [[nodiscard]] wchar_t const* wide_message() const noexcept { return wide_message_; }
    // The handle of the registered string that is the text: what nvtxDomainRegisterStringA returned for it. Null: none.
    [[nodiscard]] void const* registered_message() const noexcept { return registered_; }
    // The domain of the program's own, nvtxDomainHandle_t; null: the default one.
    [[nodiscard]] void const* domain() const noexcept { return domain_; }
    // Colour, category and payload, where the call has them.
    [[nodiscard]] abi::nvtxEventAttributes_v2 const* attributes() const noexcept { return attributes_; }
    // Which range ends (range_end) or was started (range_start, if CUPTI says).
    [[nodiscard]] std::optional<std::uint64_t> range() const noexcept {
        if (action_ == nvtx_action::range_end) return range_;
        if (action_ != nvtx_action::range_start || data_->functionReturnValue == nullptr) return {};
        return *static_cast<std::uint64_t const*>(data_->functionReturnValue);
    }

    [[nodiscard]] void const* raw_parameters() const noexcept { return data_->functionParams; }
    [[nodiscard]] abi::CUpti_NvtxData const& raw() const noexcept { return *data_; }
    [[nodiscard]] hw::callback_id id() const noexcept { return id_; }

private:
    template <class T>
    [[nodiscard]] T const& given() const noexcept {
        return *static_cast<T const*>(data_->functionParams);
    }
    void read(char const* text) noexcept {
        if (text != nullptr) message_ = text;
    }
    void read(abi::nvtxEventAttributes_v2 const* attributes) noexcept {
        attributes_ = attributes;
        if (attributes == nullptr) return;
        if (attributes->messageType == 1) read(attributes->message.ascii);
        if (attributes->messageType == 2) wide_message_ = attributes->message.unicode;
        if (attributes->messageType == 3) registered_ = attributes->message.registered;
    }
    void read() noexcept {
        using enum nvtx_action;
        switch (function()) {
            case nvtx_call<"nvtxMarkA">:
            case nvtx_call<"nvtxMarkW">:
            case nvtx_call<"nvtxMarkEx">:
            case nvtx_call<"nvtxDomainMarkEx">: action_ = mark; break;
            case nvtx_call<"nvtxRangeStartA">:
            case nvtx_call<"nvtxRangeStartW">:
            case nvtx_call<"nvtxRangeStartEx">:
            case nvtx_call<"nvtxDomainRangeStartEx">: action_ = range_start; break;
            case nvtx_call<"nvtxRangePushA">:
            case nvtx_call<"nvtxRangePushW">:
            case nvtx_call<"nvtxRangePushEx">:
            case nvtx_call<"nvtxDomainRangePushEx">: action_ = range_push; break;
            case nvtx_call<"nvtxRangeEnd">:
            case nvtx_call<"nvtxDomainRangeEnd">: action_ = range_end; break;
            case nvtx_call<"nvtxRangePop">:
            case nvtx_call<"nvtxDomainRangePop">: action_ = range_pop; break;
            default: break;
        }
        if (data_->functionParams == nullptr) return;
        switch (function()) { // one pointer or number each, or behind a domain's handle
            case nvtx_call<"nvtxMarkA">:
            case nvtx_call<"nvtxRangeStartA">:
            case nvtx_call<"nvtxRangePushA">: read(given<abi::nvtxMarkA_params>().message); break;
            case nvtx_call<"nvtxMarkW">:
            case nvtx_call<"nvtxRangeStartW">:
            case nvtx_call<"nvtxRangePushW">: wide_message_ = given<abi::nvtxMarkW_params>().message; break;
            case nvtx_call<"nvtxMarkEx">:
            case nvtx_call<"nvtxRangeStartEx">:
            case nvtx_call<"nvtxRangePushEx">: read(given<abi::nvtxMarkEx_params>().eventAttrib); break;
            case nvtx_call<"nvtxDomainMarkEx">:
            case nvtx_call<"nvtxDomainRangeStartEx">:
            case nvtx_call<"nvtxDomainRangePushEx">:
                domain_ = given<abi::nvtxDomainMarkEx_params>().domain;
                read(given<abi::nvtxDomainMarkEx_params>().core.eventAttrib);
                break;
            case nvtx_call<"nvtxRangeEnd">: range_ = given<abi::nvtxRangeEnd_params>().id; break;
            case nvtx_call<"nvtxDomainRangeEnd">:
                domain_ = given<abi::nvtxDomainRangeEnd_params>().domain;
                range_ = given<abi::nvtxDomainRangeEnd_params>().core.id;
                break;
            case nvtx_call<"nvtxDomainRangePop">: domain_ = given<abi::nvtxDomainRangePop_params>().domain; break;
            default: break;
        }
    }

    hw::callback_id id_;
    abi::CUpti_NvtxData const* data_;
    nvtx_action action_ = nvtx_action::other;
    std::string_view message_{};
    wchar_t const* wide_message_ = nullptr;
    void const* registered_ = nullptr;
    void const* domain_ = nullptr;
    abi::nvtxEventAttributes_v2 const* attributes_ = nullptr;
    std::uint64_t range_ = 0;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_NVTX_EVENT_HPP
