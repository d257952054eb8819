// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sass_to_source.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "../code/kernel.hpp"
#include "../code/source_place.hpp"
#include "../gpu/gpu_state.hpp"
#include "../gpu/warp_waits.hpp"
#include "answer.hpp"
#include "cupti_state.hpp"
#include "decoded_module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

program const* decoded_module::of(std::string_view image) {
    if (code && text == image) return &*code;
    code.reset();
    text = image;
    auto loaded = program::load(text, memory);
    if (!loaded) return nullptr;
    code.emplace(*std::move(loaded));
    return &*code;
}

CUptiResult get_sass_to_source_correlation(CUpti_GetSassToSourceCorrelationParams* params) {
    using given = CUpti_GetSassToSourceCorrelationParams;
    if (params == nullptr || params->size != given{}.size || params->cubin == nullptr || params->cubinSize == 0 ||
        params->functionName == nullptr)
        return CUPTI_ERROR_INVALID_PARAMETER;
    std::string_view const image{static_cast<char const*>(params->cubin), params->cubinSize};
    auto& modules = state().source_module;
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
            if (!place) place = place_in_ptx(info, shared().pc_sampling.number_of(image));
            std::size_t const slash = place->file.rfind('/');
            params->lineNumber = place->line;
            params->fileName = detail::copied_text(place->file.substr(slash + 1)); // npos + 1 is 0
            params->dirName = detail::copied_text(slash != std::string::npos ? place->file.substr(0, slash) : "");
            return CUPTI_SUCCESS;
        }
    return CUPTI_ERROR_UNKNOWN;
}

CUptiResult get_cubin_crc(CUpti_GetCubinCrcParams* params) {
    if (params == nullptr || params->size != CUpti_GetCubinCrcParams{}.size || params->cubin == nullptr ||
        params->cubinSize == 0)
        return CUPTI_ERROR_INVALID_PARAMETER;
    params->cubinCrc = number_of_code({static_cast<char const*>(params->cubin), params->cubinSize});
    return CUPTI_SUCCESS;
}

CUptiResult register_compute_crc_callback(CUpti_ComputeCrcCallbackFunc compute) {
    if (compute == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    shared().pc_sampling.numbers_code = compute;
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
