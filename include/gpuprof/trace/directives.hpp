// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Has CUPTI hear the runtimes of OpenACC and OpenMP in this process, so that tracers get records of them.
#ifndef GPUPROF_TRACE_DIRECTIVES_HPP
#define GPUPROF_TRACE_DIRECTIVES_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <atomic>

#include "../core/result.hpp"
#include "../hw/machine/machine.hpp"
#include "../hw/machine/status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Without a driver, CUPTI 12.0 and 13.0 accept the runtime and crash at its first event.
[[nodiscard]] inline result<void> try_start_driver(hw::machine const& on) {
    if (on.driver_error) return *on.driver_error;
    if (on.driver.Init == nullptr) return hw::unavailable_call(on, "cuInit");
    if (auto const status = on.driver.Init(0)) return hw::explain("cuInit", status);
    return {};
}

struct openmp_tool {
    static inline std::atomic<hw::machine const*> machine{nullptr};
    static inline std::atomic<bool> heard{false};

    static int initialize(abi::ompt_function_lookup_t lookup, int device, abi::ompt_data_t* data) {
        int const answer = machine.load()->cupti.OpenMpInitialize_v2(lookup, device, data);
        heard = answer != 0;
        return answer;
    }
    static void finalize(abi::ompt_data_t*) { heard = false; }
    static inline abi::ompt_start_tool_result_t result{&initialize, &finalize, {0}};
};

} // namespace detail

// Call it in the program's own acc_register_library(), which the OpenACC runtime calls before its first event, with what that
// was given. From then on activity::openacc_data, openacc_launch and openacc_other are recorded while a tracer asks for them;
// and with activity::external_correlation, calls of CUDA have ids of kind OPENACC, the records' external_id.
//
//     extern "C" void acc_register_library(acc_prof_reg add, acc_prof_reg remove, acc_prof_lookup_func lookup) {
//         if (auto heard = gpuprof::try_hear_openacc(gpuprof::hw::real_machine(), add, remove, lookup); !heard) ...
//     }
//
// Errors: unavailable where CUPTI lacks the call, a function is null, no driver works or the program lacks routines of a
// runtime that was linked statically. Starts the driver. Once a process. CUPTI 12.0, 2.3.4.
template <class Add, class Lookup>
[[nodiscard]] result<void> try_hear_openacc(hw::machine const& on, Add* add, Add* remove, Lookup* lookup) {
    constexpr char const* symbol = "cuptiOpenACCInitialize";
    if (on.cupti.OpenACCInitialize == nullptr) return hw::unavailable_call(on, symbol);
    if (add == nullptr || remove == nullptr || lookup == nullptr) // CUPTI crashes
        return hw::explain(symbol, abi::CUPTI_ERROR_OPENACC_UNDEFINED_ROUTINE);
    if (auto works = detail::try_start_driver(on); !works) return works;
    if (auto const status = on.cupti.OpenACCInitialize(reinterpret_cast<void*>(add), reinterpret_cast<void*>(remove),
                                                       reinterpret_cast<void*>(lookup)))
        return hw::explain(symbol, status);
    return {};
}

// What the program's own ompt_start_tool() returns, which the OpenMP runtime calls when it begins. From then on
// activity::openmp is recorded while a tracer asks for it. CUPTI ties no call to a region: a call belongs to the regions of
// its thread that last as long.
//
//     extern "C" void* ompt_start_tool(unsigned, char const*) { return gpuprof::hear_openmp(gpuprof::hw::real_machine()); }
//
// Null, for "no tool", where CUPTI lacks the call or no driver works. Starts the driver. Needs a runtime with OMPT, such as
// LLVM's; g++'s libgomp has none. CUPTI 12.0, 1.1.19.
// @pre the machine outlives the process's use of OpenMP
[[nodiscard]] inline abi::ompt_start_tool_result_t* hear_openmp(hw::machine const& on) {
    if (on.cupti.OpenMpInitialize_v2 == nullptr || !detail::try_start_driver(on)) return nullptr;
    detail::openmp_tool::machine = &on;
    return &detail::openmp_tool::result;
}
// Whether CUPTI hears an OpenMP runtime now. Thread-safe.
[[nodiscard]] inline bool hears_openmp() noexcept { return detail::openmp_tool::heard; }

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_TRACE_DIRECTIVES_HPP
