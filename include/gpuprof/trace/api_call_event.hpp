// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of the driver or the runtime, at its entry or its exit, as the handler of callbacks gets it.
#ifndef GPUPROF_TRACE_API_CALL_EVENT_HPP
#define GPUPROF_TRACE_API_CALL_EVENT_HPP

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "../detail/config.hpp"
#include "../hw/abi/cupti_callback.hpp"
#include "call_parameters.hpp"
#include "callback_ids.hpp"

GPUPROF_NAMESPACE_BEGIN

// Where a handler is called: before or after the function of CUDA.
enum class call_site : bool { enter, exit };

// Valid while the handler runs, like everything that it points to. Each function costs a few loads. CUPTI 12.0, 2.4.1.
class api_call_event {
public:
    api_call_event(hw::callback_id id, abi::CUpti_CallbackData const& data, std::uint64_t& word) noexcept
        : id_{id}, data_{&data}, word_{&word} {}

    // callback_domain::driver or callback_domain::runtime.
    [[nodiscard]] callback_domain domain() const noexcept { return static_cast<callback_domain>(id_.domain); }
    [[nodiscard]] bool of_driver() const noexcept { return domain() == callback_domain::driver; }
    [[nodiscard]] bool of_runtime() const noexcept { return domain() == callback_domain::runtime; }

    // Which function is called; event.is(driver_call<"cuLaunchKernel">) asks for one.
    [[nodiscard]] std::optional<driver_function> in_driver() const noexcept {
        if (!of_driver()) return {};
        return static_cast<driver_function>(id_.number);
    }
    [[nodiscard]] std::optional<runtime_function> in_runtime() const noexcept {
        if (!of_runtime()) return {};
        return static_cast<runtime_function>(id_.number);
    }
    [[nodiscard]] bool is(callback_set const& any) const noexcept { return any.has(id_); }
    [[nodiscard]] bool is(driver_function asked) const noexcept {
        return of_driver() && id_.number == static_cast<std::uint32_t>(asked);
    }
    [[nodiscard]] bool is(runtime_function asked) const noexcept {
        return of_runtime() && id_.number == static_cast<std::uint32_t>(asked);
    }
    // The name of what was called, as the library exports it: "cuMemcpyHtoD_v2", "cudaMemcpyAsync". Lives as long as CUPTI.
    [[nodiscard]] std::string_view name() const noexcept { return text(data_->functionName); }

    [[nodiscard]] call_site site() const noexcept {
        return data_->callbackSite == abi::CUPTI_API_EXIT ? call_site::exit : call_site::enter;
    }
    [[nodiscard]] bool enter() const noexcept { return site() == call_site::enter; }
    [[nodiscard]] bool exit() const noexcept { return site() == call_site::exit; }

    // Ties the call to its activity record, and through it to the kernel or copy.
    [[nodiscard]] std::uint32_t correlation() const noexcept { return data_->correlationId; }
    [[nodiscard]] abi::CUcontext context() const noexcept { return data_->context; } // may differ at the exit
    [[nodiscard]] std::uint32_t context_id() const noexcept { return data_->contextUid; }
    // The name of the kernel that is launched, mangled; empty for other calls.
    [[nodiscard]] std::string_view symbol() const noexcept { return text(data_->symbolName); }

    // 0 at the entry; what the handler leaves there it finds at the exit of the same call. 0 at an exit whose entry this object
    // did not hear.
    [[nodiscard]] std::uint64_t& word() const noexcept { return *word_; }

    // What the call returned; absent at the entry. status() is the number, CUresult or cudaError_t: 0 is success in both.
    [[nodiscard]] std::optional<int> status() const noexcept {
        if (enter() || data_->functionReturnValue == nullptr) return {};
        return *static_cast<int const*>(data_->functionReturnValue);
    }
    [[nodiscard]] std::optional<abi::CUresult> driver_status() const noexcept {
        auto const number = status();
        if (!number || !of_driver()) return {};
        return static_cast<abi::CUresult>(*number);
    }
    [[nodiscard]] bool failed() const noexcept { return status().value_or(0) != 0; }

    // What the call was given, if it launches, copies, fills, allocates or frees; see call_parameters.hpp.
    [[nodiscard]] call_parameters parameters() const noexcept {
        return read_parameters(id_, raw_parameters(), exit() && !failed());
    }
    [[nodiscard]] std::optional<launch_parameters> launch() const noexcept { return read_as<launch_parameters>(); }
    [[nodiscard]] std::optional<copy_parameters> copy() const noexcept { return read_as<copy_parameters>(); }
    [[nodiscard]] std::optional<set_parameters> set() const noexcept { return read_as<set_parameters>(); }
    [[nodiscard]] std::optional<allocation_parameters> allocation() const noexcept {
        return read_as<allocation_parameters>();
    }
    [[nodiscard]] std::optional<free_parameters> free() const noexcept { return read_as<free_parameters>(); }

    // The structure that CUPTI's headers call <function>_params; null where the function has no parameters.
    [[nodiscard]] void const* raw_parameters() const noexcept { return data_->functionParams; }
    [[nodiscard]] abi::CUpti_CallbackData const& raw() const noexcept { return *data_; }
    [[nodiscard]] hw::callback_id id() const noexcept { return id_; }

private:
    [[nodiscard]] static std::string_view text(char const* given) noexcept {
        return given != nullptr ? std::string_view{given} : std::string_view{};
    }
    template <class Parameters>
    [[nodiscard]] std::optional<Parameters> read_as() const noexcept {
        auto const any = parameters();
        auto const* const asked = std::get_if<Parameters>(&any);
        if (asked == nullptr) return {};
        return *asked;
    }

    hw::callback_id id_;
    abi::CUpti_CallbackData const* data_;
    std::uint64_t* word_;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_API_CALL_EVENT_HPP
