// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The symbols of libcudart.so: all that CUDA 11.8 to 13.5 names, and those of crt/host_runtime.h.
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "runtime.hpp"

#define X(symbol) GPUPROF_EXPORT_SLOT(symbol)
#include "entry_points.inc"
#undef X

namespace gpuprof::runtime {
namespace {

constexpr std::string_view symbols[]{
#define X(symbol) #symbol,
#include "entry_points.inc"
#undef X
};
constexpr std::size_t symbol_count = std::size(symbols);

// What a call that this runtime does not have answers. It takes whatever arguments there are.
template <std::size_t Number>
cuda_error not_supported() {
    tell_once(std::string{symbols[Number]} + ": the embedded GPU does not have this call (cudaErrorNotSupported)");
    return keep(cudaErrorNotSupported);
}
template <std::size_t... Numbers>
constexpr std::array<cuda_error (*)(), symbol_count> refusals(std::index_sequence<Numbers...>) {
    return {&program::boundary<&not_supported<Numbers>>::call...};
}

std::map<std::string, void*, std::less<>> make_calls() {
    std::map<std::string, void*, std::less<>> calls;
    for (auto const& list :
         {registration_calls(), error_calls(), device_calls(), memory_calls(), copy_calls(), stream_calls(),
          launch_calls(), graph_calls(), graph_node_calls(), pool_calls(), texture_calls(), memory_node_calls()})
        for (call const& one : list) {
            std::string const symbol{one.symbol};
            calls.insert_or_assign(symbol, one.function);
            calls.insert_or_assign(symbol + "_ptds", one.per_thread);
            calls.insert_or_assign(symbol + "_ptsz", one.per_thread);
        }
    return calls;
}

// Before the program's own constructors, which register its kernels.
__attribute__((constructor)) void fill_slots() {
    auto const calls = make_calls();
    constexpr auto refused = refusals(std::make_index_sequence<symbol_count>{});
    std::size_t number = 0;
    auto const address = [&](std::string_view symbol) {
        auto const found = calls.find(symbol);
        void* const other = reinterpret_cast<void*>(refused[number++]);
        return found != calls.end() ? found->second : other;
    };
#define X(symbol) gpuprof_slot_##symbol = address(#symbol);
#include "entry_points.inc"
#undef X
}

} // namespace
} // namespace gpuprof::runtime
