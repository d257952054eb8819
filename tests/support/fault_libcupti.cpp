// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU as a file: one shared library that exports the driver's and CUPTI's calls by their own names, and can
// make any CUPTI call fail. Loaded by path, so that loader, marshalling and clean-up are tested as with a real library.
// Its state is its own, apart from any embedded GPU of the program that loads it.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <string>

#include <gpuprof/hw/machine/platform/library.hpp>
#include "sim/cupti/cupti.hpp"
#include "sim/cupti/release.hpp"
#include "sim/driver/driver.hpp"
#include "sim/chip/chips.hpp"

#include "sim/gpu/gpu_state.hpp"
#include "support/fault_injection.hpp"
#include "support/fault_libcupti.hpp"

using namespace gpuprof::abi;

// Each exported call is a jump through a slot: a function of the right name and any parameters.
#if defined(__x86_64__)
#define GPUPROF_FAULT_JUMP(slot) "jmp *" slot "(%rip)\n"
#elif defined(__aarch64__)
#define GPUPROF_FAULT_JUMP(slot) "adrp x16, " slot "\nldr x16, [x16, :lo12:" slot "]\nbr x16\n"
#else
#error "no jump is written down for this processor"
#endif

#if defined(_WIN32) // a library exports what it is told to
#define GPUPROF_FAULT_HIDDEN __attribute__((used))
#define GPUPROF_FAULT_BEGIN(symbol) ".text\n.globl " symbol "\n.def " symbol "; .scl 2; .type 32; .endef\n"
#define GPUPROF_FAULT_END(symbol) ".section .drectve\n.ascii \" -export:" symbol "\"\n.text\n"
#else
#define GPUPROF_FAULT_HIDDEN __attribute__((visibility("hidden"), used))
#define GPUPROF_FAULT_BEGIN(symbol) ".pushsection .text\n.globl " symbol "\n.type " symbol ", %function\n"
#define GPUPROF_FAULT_END(symbol) ".size " symbol ", . - " symbol "\n.popsection\n"
#endif

#define GPUPROF_FAULT_SLOT(slot)                                                                                       \
    extern "C" {                                                                                                       \
    GPUPROF_FAULT_HIDDEN void* slot = nullptr;                                                                         \
    }
#define GPUPROF_FAULT_EXPORT(symbol, slot)                                                                             \
    __asm__(GPUPROF_FAULT_BEGIN(symbol) symbol ":\n" GPUPROF_FAULT_JUMP(slot) GPUPROF_FAULT_END(symbol));

#define GPUPROF_FAULT_DRIVER(member, symbol, parameters)                                                               \
    GPUPROF_FAULT_SLOT(gpuprof_fault_driver_##member)                                                                  \
    GPUPROF_FAULT_EXPORT(#symbol, "gpuprof_fault_driver_" #member)
#define GPUPROF_FAULT_CUPTI(member, symbol, parameters)                                                                \
    GPUPROF_FAULT_SLOT(gpuprof_fault_cupti_##member)                                                                   \
    GPUPROF_FAULT_EXPORT(#symbol, "gpuprof_fault_cupti_" #member)

GPUPROF_ABI_DRIVER(GPUPROF_FAULT_DRIVER)
GPUPROF_ABI_CUPTI(GPUPROF_FAULT_CUPTI)

namespace {

driver_table driver = gpuprof::sim::driver::legacy_table();
cupti_table cupti = gpuprof::sim::cupti::legacy_table();

test::fault_injection<cupti_table>& faults() {
    static auto* const one = new test::fault_injection{cupti};
    return *one;
}

// What a call that the embedded GPU lacks answers.
CUresult no_driver_call() { return CUDA_ERROR_NOT_SUPPORTED; }
CUptiResult no_cupti_call() { return CUPTI_ERROR_API_NOT_IMPLEMENTED; }

template <class Pointer, class Otherwise>
void* address(Pointer call, Otherwise* otherwise) {
    return call != nullptr ? reinterpret_cast<void*>(call) : reinterpret_cast<void*>(otherwise);
}

// "symbol:nth:status" in the environment, as for gpuprof_fault_fail.
void obey_environment() {
    char const* const set = std::getenv("GPUPROF_FAULT");
    if (set == nullptr) return;
    std::string const text = set;
    auto const first = text.find(':'), second = text.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) return;
    gpuprof_fault_fail(text.substr(0, first).c_str(), std::strtoul(text.c_str() + first + 1, nullptr, 10),
                       std::atoi(text.c_str() + second + 1));
}

// cuInit, which loads what CUDA_INJECTION64_PATH names, as NVIDIA's driver does.
auto const embedded_init = driver.Init;
CUresult init_with_injection(unsigned flags) {
    CUresult const status = embedded_init(flags);
    static bool const injected = [] {
        char const* const path = std::getenv("CUDA_INJECTION64_PATH");
        void* const library = path != nullptr ? gpuprof::platform::open_library(path).handle : nullptr;
        void* const entry =
            library != nullptr ? gpuprof::platform::find_symbol(library, "InitializeInjection") : nullptr;
        return entry != nullptr && reinterpret_cast<int (*)()>(entry)() != 0;
    }();
    static_cast<void>(injected);
    return status;
}

bool begin() {
    driver.Init = &init_with_injection;
    static_cast<void>(faults()); // stands between the table and the exported names
#define GPUPROF_FAULT_FILL(member, symbol, parameters)                                                                 \
    gpuprof_fault_driver_##member = address(driver.member, &no_driver_call);
    GPUPROF_ABI_DRIVER(GPUPROF_FAULT_FILL)
#undef GPUPROF_FAULT_FILL
#define GPUPROF_FAULT_FILL(member, symbol, parameters)                                                                 \
    gpuprof_fault_cupti_##member = address(cupti.member, &no_cupti_call);
    GPUPROF_ABI_CUPTI(GPUPROF_FAULT_FILL)
#undef GPUPROF_FAULT_FILL
    for (gpuprof::sim::chip_model const* const chip : gpuprof::sim::embedded_chips)
        gpuprof::sim::shared().registry.add_device(*chip);
    // Else it is of 12.9, whose range profiler has no ranges of single kernels.
    if (std::getenv("GPUPROF_FAULT_OF_CUDA_13") != nullptr)
        gpuprof::sim::cupti::set_release(gpuprof::sim::cupti::release_of_table);
    obey_environment();
    return true;
}
[[maybe_unused]] bool const begun = begin(); // as the library is loaded, after the tables above

} // namespace

void gpuprof_fault_fail(char const* symbol, std::size_t nth, int status) {
    auto const with = static_cast<CUptiResult>(status);
    if (symbol == nullptr) faults().fail_any(nth, with);
    else if (nth == 0) faults().fail_always(symbol, with);
    else faults().fail(symbol, nth, with);
}

void gpuprof_fault_clear() { faults().clear(); }

std::size_t gpuprof_fault_calls(char const* symbol) {
    return symbol == nullptr ? faults().calls() : faults().calls(symbol);
}

char const* gpuprof_fault_symbol(std::size_t nth) {
    static std::string symbol;
    auto const record = faults().record();
    if (nth == 0 || nth > record.size()) return nullptr;
    symbol = record[nth - 1];
    return symbol.c_str();
}
