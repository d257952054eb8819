// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The name of a function in records of calls, also of one that came after gpuprof's own tables.
#ifndef GPUPROF_SRC_INJECTION_CALL_NAME_HPP
#define GPUPROF_SRC_INJECTION_CALL_NAME_HPP

#include <cstdint>
#include <string_view>

#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/trace/cupti_facts.hpp>

namespace gpuprof::injection {

// As trace_event_options::name_of_call wants it.
inline std::string_view call_name(abi::CUpti_ActivityKind kind, std::uint32_t callback) {
    hw::machine const& on = hw::real_machine();
    if (kind == abi::CUPTI_ACTIVITY_KIND_DRIVER) return name(on, static_cast<driver_function>(callback));
    if (kind == abi::CUPTI_ACTIVITY_KIND_RUNTIME) return name(on, static_cast<runtime_function>(callback));
    return {};
}

} // namespace gpuprof::injection

#endif // GPUPROF_SRC_INJECTION_CALL_NAME_HPP
