// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuGetProcAddress: the address of a call by its name without a version.
#include <cstdint>
#include <string>
#include <string_view>

#include "call.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;

struct symbol_version {
    std::string_view name;
    int since; // 3020: CUDA 3.2
    std::string_view symbol;
};
constexpr symbol_version versions[]{
#include "symbol_versions.inc"
};

// CU_GET_PROC_ADDRESS_…, which the flags and the query's answer are called by in <cuda.h>.
constexpr std::uint64_t legacy_stream = 1, per_thread_default_stream = 2;
enum query_result : int { found = 0, not_found = 1, version_not_sufficient = 2 };

// The symbol that the name means for a program built with that version of CUDA; empty if the name is of a later version.
std::string_view symbol_of(std::string_view name, int version, bool& is_known) {
    std::string_view best;
    is_known = false;
    for (symbol_version const& row : versions) {
        if (row.name != name) continue;
        is_known = true;
        if (row.since <= version) best = row.symbol; // rows of a name are in the order of versions
    }
    return best;
}

CUresult get_proc_address_v2(char const* name, void** function, int version, std::uint64_t flags, int* query) {
    if (query != nullptr) *query = not_found;
    if (name == nullptr || function == nullptr || flags > (legacy_stream | per_thread_default_stream))
        return CUDA_ERROR_INVALID_VALUE;
    *function = nullptr;
    bool is_known = false;
    std::string symbol{symbol_of(name, version, is_known)};
    if (symbol.empty() && is_known) {
        if (query != nullptr) *query = version_not_sufficient;
        return CUDA_ERROR_NOT_FOUND;
    }
    if (symbol.empty()) symbol = name;
    entry_point place{};
    if ((flags & per_thread_default_stream) != 0)
        for (char const* const suffix : {"_ptsz", "_ptds"})
            if (place.function == nullptr) place = find_entry_point(symbol + suffix);
    if (place.function == nullptr) place = find_entry_point(symbol);
    if (place.function == nullptr) return CUDA_ERROR_NOT_FOUND;
    *function = place.function;
    if (query != nullptr) *query = found;
    return CUDA_SUCCESS;
}

CUresult get_proc_address(char const* name, void** function, int version, std::uint64_t flags) {
    return get_proc_address_v2(name, function, version, flags, nullptr);
}
CUresult get_proc_address_per_thread(char const* name, void** function, int version, std::uint64_t flags) {
    return get_proc_address(name, function, version, flags == 0 ? per_thread_default_stream : flags);
}
CUresult get_proc_address_v2_per_thread(char const* name, void** function, int version, std::uint64_t flags,
                                        int* query) {
    return get_proc_address_v2(name, function, version, flags == 0 ? per_thread_default_stream : flags, query);
}

} // namespace

std::span<call const> proc_address_calls() {
    static call const calls[]{call::of<&get_proc_address, &get_proc_address_per_thread>("cuGetProcAddress"),
                              call::of<&get_proc_address_v2, &get_proc_address_v2_per_thread>("cuGetProcAddress_v2")};
    return calls;
}

} // namespace gpuprof::driver_library
