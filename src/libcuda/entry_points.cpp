// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The symbols of libcuda.so.1, all that CUDA 11.8 to 13.5 names. Each is a jump through a slot, so that one symbol can lead to
// a call of the table, to one of this library, or to a refusal that names itself.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "call.hpp"

#include <gpuprof/hw/abi/cupti.hpp>
#include <gpuprof/hw/abi/cupti_checkpoint.hpp>
#include "../sim/cupti/cupti.hpp"
#include "../sim/driver/checkpoint.hpp"

#define X(symbol) GPUPROF_EXPORT_SLOT(symbol)
#include "entry_points.inc"
#undef X

// CUPTI's calls, too: programs that profile themselves find the embedded GPU by the same library.
#define GPUPROF_EXPORT_CUPTI(member, symbol, parameters)                                                               \
    extern "C" {                                                                                                       \
    __attribute__((visibility("hidden"), used)) void* gpuprof_cupti_slot_##member = nullptr;                           \
    }                                                                                                                  \
    __asm__(".pushsection .text\n.globl " #symbol "\n.type " #symbol ", %function\n" #symbol                           \
            ":\n" GPUPROF_JUMP("gpuprof_cupti_slot_" #member) ".size " #symbol ", . - " #symbol "\n.popsection\n");
GPUPROF_ABI_CUPTI(GPUPROF_EXPORT_CUPTI)
GPUPROF_ABI_CHECKPOINT(GPUPROF_EXPORT_CUPTI)

namespace gpuprof::driver_library {
namespace {

using namespace abi;

constexpr std::string_view symbols[]{
#define X(symbol) #symbol,
#include "entry_points.inc"
#undef X
};
constexpr std::size_t symbol_count = std::size(symbols);

// What a call that the embedded GPU does not have answers. It takes whatever arguments there are.
template <std::size_t Number>
CUresult not_supported() {
    tell_once(std::string{symbols[Number]} + ": the embedded GPU does not have this call (CUDA_ERROR_NOT_SUPPORTED)");
    return CUDA_ERROR_NOT_SUPPORTED;
}

template <std::size_t... Numbers>
constexpr std::array<CUresult (*)(), symbol_count> refusals(std::index_sequence<Numbers...>) {
    return {&program::boundary<&not_supported<Numbers>>::call...};
}

template <auto Member>
inline constexpr bool takes_stream = false;
template <class... A, CUresult (*driver_table::*Member)(A...)>
inline constexpr bool takes_stream<Member> = (std::is_same_v<A, CUstream> || ...);

template <auto Member>
struct per_thread;
template <class... A, CUresult (*driver_table::*Member)(A...)>
struct per_thread<Member> {
    static CUresult call(A... arguments) { return (table().*Member)(program::with_thread_stream(arguments)...); }
};

CUresult launch_kernel_ex_per_thread(CUlaunchConfig const* config, CUfunction function, void** params, void** extra) {
    if (config == nullptr || config->hStream != nullptr) return table().LaunchKernelEx(config, function, params, extra);
    CUlaunchConfig own = *config;
    own.hStream = program::thread_stream();
    return table().LaunchKernelEx(&own, function, params, extra);
}

// Symbols that there are calls for. A synchronous call is the same with a default stream for each thread (_ptds): its work is
// done when it returns.
std::map<std::string, void*, std::less<>> make_calls() {
    std::map<std::string, void*, std::less<>> calls;
#define GPUPROF_ADD(member, symbol, parameters)                                                                        \
    calls.emplace(#symbol, reinterpret_cast<void*>(table().member));                                                   \
    calls.emplace(#symbol "_ptds", reinterpret_cast<void*>(table().member));                                           \
    if constexpr (takes_stream<&driver_table::member>)                                                                 \
        calls.emplace(#symbol "_ptsz", reinterpret_cast<void*>(&per_thread<&driver_table::member>::call));
    GPUPROF_ABI_DRIVER(GPUPROF_ADD)
#undef GPUPROF_ADD
    calls.insert_or_assign("cuLaunchKernelEx_ptsz", reinterpret_cast<void*>(&launch_kernel_ex_per_thread));
    for (auto const& list :
         {export_table_calls(), conditional_node_calls(), context_calls(), copy_calls(), graph_node_calls(),
          host_memory_calls(), library_calls(), link_calls(), memory_node_calls(), pool_calls(), proc_address_calls(),
          tensor_map_calls(), texture_calls(), virtual_memory_calls()})
        for (call const& one : list) {
            std::string const symbol{one.symbol};
            calls.insert_or_assign(symbol, one.function);
            calls.insert_or_assign(symbol + "_ptds", one.per_thread);
            calls.insert_or_assign(symbol + "_ptsz", one.per_thread);
        }
    return calls;
}

std::map<std::string, entry_point, std::less<>> make_entry_points() {
    auto const calls = make_calls();
    constexpr auto refused = refusals(std::make_index_sequence<symbol_count>{});
    std::map<std::string, entry_point, std::less<>> all;
    for (std::size_t i = 0; i < symbol_count; ++i) {
        auto const found = calls.find(symbols[i]);
        if (found != calls.end() && found->second != nullptr) all.emplace(symbols[i], entry_point{found->second, true});
        else all.emplace(symbols[i], entry_point{reinterpret_cast<void*>(refused[i]), false});
    }
    return all;
}

std::map<std::string, entry_point, std::less<>> const& entry_points() {
    static auto const* const all = new std::map<std::string, entry_point, std::less<>>{make_entry_points()};
    return *all;
}

// Before anything of the program can call: also constructors of its own, which register its kernels.
__attribute__((constructor)) void fill_slots() {
#define X(symbol) gpuprof_slot_##symbol = find_entry_point(#symbol).function;
#include "entry_points.inc"
#undef X
    cupti_table const calls = is_legacy() ? sim::cupti::legacy_table() : sim::cupti::table();
    CUptiResult (*const absent)() = [] { return CUPTI_ERROR_API_NOT_IMPLEMENTED; };
#define GPUPROF_FILL(member, symbol, parameters)                                                                       \
    gpuprof_cupti_slot_##member =                                                                                      \
        calls.member != nullptr ? reinterpret_cast<void*>(calls.member) : reinterpret_cast<void*>(absent);
    GPUPROF_ABI_CUPTI(GPUPROF_FILL)
#undef GPUPROF_FILL
#define GPUPROF_FILL(member, symbol, parameters)                                                                       \
    gpuprof_cupti_slot_##member = reinterpret_cast<void*>(sim::driver::checkpoint_calls().member);
    GPUPROF_ABI_CHECKPOINT(GPUPROF_FILL)
#undef GPUPROF_FILL
}

} // namespace

entry_point find_entry_point(std::string_view symbol) {
    auto const found = entry_points().find(symbol);
    return found == entry_points().end() ? entry_point{} : found->second;
}

} // namespace gpuprof::driver_library
