// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of checkpoint_calls.hpp.
#ifndef GPUPROF_HW_MEMORY_CHECKPOINT_CALLS_INL_HPP
#define GPUPROF_HW_MEMORY_CHECKPOINT_CALLS_INL_HPP

#include <string>

#include "../machine/platform/library.hpp"
#include "../machine/platform/library_file.hpp"
#include "checkpoint_calls.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Whether the library has every call.
[[nodiscard]] inline bool find_checkpoint_calls(void* library, abi::checkpoint_table& calls) {
    if (library == nullptr) return false;
#define GPUPROF_FIND_CALL(member, symbol, parameters)                                                                  \
    calls.member = reinterpret_cast<decltype(calls.member)>(platform::find_symbol(library, #symbol)); /* NOLINT */
    GPUPROF_ABI_CHECKPOINT(GPUPROF_FIND_CALL)
#undef GPUPROF_FIND_CALL
    return calls.Save != nullptr && calls.Restore != nullptr && calls.Free != nullptr;
}

} // namespace detail

namespace hw {

GPUPROF_INLINE result<abi::checkpoint_table> try_checkpoint_calls(machine const& on) {
    constexpr char const* file = "libcheckpoint.so";
    if (on.checkpoint != nullptr) return *on.checkpoint;
    abi::checkpoint_table calls;
    auto const& cupti = on.cupti_library.path;
    std::string tried = "there is no CUPTI beside which it could lie";
    if (on.recorded != nullptr) {
        tried = "a recording has no memory";
    } else if (auto const begin = platform::file_name_begin(cupti); begin != 0) {
        if (gpuprof::detail::find_checkpoint_calls(platform::open_mapped_library(cupti.c_str()), calls)) return calls;
        if (gpuprof::detail::find_checkpoint_calls(platform::open_mapped_library(file), calls)) return calls;
        std::string const beside = cupti.substr(0, begin) + file;
        for (auto const& place : {beside, std::string{file}}) {
            tried = platform::names_a_place(place) ? platform::library_defect(place) : std::string{};
            if (!tried.empty()) continue;
            auto const opened = platform::open_library(place);
            if (gpuprof::detail::find_checkpoint_calls(opened.handle, calls)) return calls;
            tried = opened.handle == nullptr ? opened.refusal : place + " lacks the calls";
        }
    }
    return error{errc::unavailable, 0, "the memory of a context cannot be saved: there is no libcheckpoint.so", tried,
                 "put it beside libcupti: CUDA 11.5 and later have both, and so have the nvidia-cuda-cupti wheels"};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MEMORY_CHECKPOINT_CALLS_INL_HPP
