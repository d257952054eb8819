// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an instruction of a module to the line it was made of, for the embedded GPU, whose code is PTX. Layer: hw/sim, CUPTI
// table.
#ifndef GPUPROF_HW_SIM_CUPTI_SASS_TO_SOURCE_HPP
#define GPUPROF_HW_SIM_CUPTI_SASS_TO_SOURCE_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // numbers
#include <cstdlib>     // std::malloc
#include <cstring>     // std::memcpy
#include <memory>      // a module that is kept
#include <mutex>       // one at a time
#include <optional>    // a module or none
#include <string>      // names
#include <string_view> // texts
#include <utility>     // std::move

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "../code/device_memory.hpp"
#include "../code/kernel.hpp"
#include "../code/source_place.hpp"
#include "../counters/pc_sampling_state.hpp"
#include "../decode/program.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

namespace detail {

// The module that was looked into last: decoding takes longer than looking. It has memory of its own for its variables.
struct decoded_module {
    std::string text;
    device_memory memory;
    std::optional<program> code;
    std::mutex mutex;

    [[nodiscard]] static decoded_module& instance() {
        static auto* const one = new decoded_module; // outlives every static that may still call
        return *one;
    }
    // Null for what is no module that the embedded GPU loads. @pre the mutex is held
    [[nodiscard]] program const* of(std::string_view image) {
        if (code && text == image) return &*code;
        code.reset();
        text = image;
        auto loaded = program::load(text, memory);
        if (!loaded) return nullptr;
        code.emplace(*std::move(loaded));
        return &*code;
    }
};

// @pre malloc()ed for whom std::free()s it
[[nodiscard]] inline char* copied_text(std::string_view text) {
    auto* const copy = static_cast<char*>(std::malloc(text.size() + 1));
    if (copy == nullptr) return nullptr;
    std::memcpy(copy, text.data(), text.size());
    copy[text.size()] = '\0';
    return copy;
}

} // namespace detail

inline CUptiResult get_sass_to_source_correlation(CUpti_GetSassToSourceCorrelationParams* params) {
    using given = CUpti_GetSassToSourceCorrelationParams;
    if (params == nullptr || params->size != given{}.size || params->cubin == nullptr || params->cubinSize == 0 ||
        params->functionName == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    std::string_view const image{static_cast<char const*>(params->cubin), params->cubinSize};
    auto& modules = detail::decoded_module::instance();
    std::lock_guard const held{modules.mutex};
    program const* const loaded =
        image.find(".version") == image.npos ? nullptr : modules.of(image.substr(0, image.find('\0')));
    if (loaded == nullptr) return CUPTI_ERROR_INVALID_MODULE;
    for (auto const& k : loaded->kernels())
        for (function_code const* const code : k->functions) {
            if (code->name != params->functionName) continue;
            std::uint64_t const at = params->pcOffset / instruction_bytes;
            if (at >= code->code.size()) return CUPTI_ERROR_UNKNOWN;
            instruction_info const& info = code->code[at].info;
            auto place = place_in_source(*k, info);
            if (!place) place = place_in_ptx(info, pc_sampling_state::instance().number_of(image));
            std::size_t const slash = place->file.rfind('/');
            params->lineNumber = place->line;
            params->fileName = detail::copied_text(place->file.substr(slash + 1)); // npos + 1 is 0
            params->dirName = detail::copied_text(slash != std::string::npos ? place->file.substr(0, slash) : "");
            return CUPTI_SUCCESS;
        }
    return CUPTI_ERROR_UNKNOWN;
}

inline CUptiResult get_cubin_crc(CUpti_GetCubinCrcParams* params) {
    if (params == nullptr || params->size != CUpti_GetCubinCrcParams{}.size || params->cubin == nullptr ||
        params->cubinSize == 0)
        return CUPTI_ERROR_INVALID_PARAMETER;
    params->cubinCrc = number_of_code({static_cast<char const*>(params->cubin), params->cubinSize});
    return CUPTI_SUCCESS;
}

inline CUptiResult register_compute_crc_callback(CUpti_ComputeCrcCallbackFunc compute) {
    if (compute == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    pc_sampling_state::instance().numbers_code = compute;
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_SASS_TO_SOURCE_HPP
