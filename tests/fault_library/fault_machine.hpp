// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fault-injecting library as a machine that the real loader loaded, and its controls.
#ifndef GPUPROF_TESTS_FAULT_LIBRARY_FAULT_MACHINE_HPP
#define GPUPROF_TESTS_FAULT_LIBRARY_FAULT_MACHINE_HPP

#include <cstddef>
#include <string>

#include <doctest/doctest.h>

#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/hw/machine/platform/library.hpp>

#include "support/fault_libcupti.hpp"

namespace fault_machine {

namespace hw = gpuprof::hw;

inline char const* const library = GPUPROF_TEST_FAULT_LIBCUPTI;

inline hw::load_options from_the_file() {
    hw::load_options options;
    options.driver_path = std::string{library};
    options.cupti_path = std::string{library};
    options.reuse_mapped = false;
    return options;
}

// The machine that the library is, loaded by the real loader.
inline hw::machine const& machine() {
    static hw::machine const* const loaded = [] {
        auto result = hw::try_load_machine(from_the_file());
        REQUIRE_MESSAGE(result, (result ? std::string{} : result.error().message()));
        return new hw::machine{*result};
    }();
    return *loaded;
}

template <class Function>
Function* control(char const* name) {
    static_cast<void>(machine());
    void* const handle = gpuprof::platform::open_mapped_library(library);
    REQUIRE(handle != nullptr);
    auto* const found = reinterpret_cast<Function*>(gpuprof::platform::find_symbol(handle, name));
    REQUIRE((found != nullptr));
    return found;
}
inline void fail(char const* symbol, std::size_t nth, gpuprof::abi::CUptiResult status) {
    control<void(char const*, std::size_t, int)>("gpuprof_fault_fail")(symbol, nth, static_cast<int>(status));
}
inline void clear() { control<void()>("gpuprof_fault_clear")(); }
inline std::size_t calls(char const* symbol = nullptr) {
    return control<std::size_t(char const*)>("gpuprof_fault_calls")(symbol);
}
// The name of the nth call since the last clear.
inline std::string symbol(std::size_t nth) {
    char const* const name = control<char const*(std::size_t)>("gpuprof_fault_symbol")(nth);
    REQUIRE((name != nullptr));
    return name;
}

} // namespace fault_machine

#endif // GPUPROF_TESTS_FAULT_LIBRARY_FAULT_MACHINE_HPP
