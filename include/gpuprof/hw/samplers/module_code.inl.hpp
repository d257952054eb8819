// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of module_code.hpp.
#ifndef GPUPROF_HW_SAMPLERS_MODULE_CODE_INL_HPP
#define GPUPROF_HW_SAMPLERS_MODULE_CODE_INL_HPP

#include <cstdlib>
#include <utility>

#include "../machine/machine.hpp"
#include "../machine/status.hpp"
#include "module_code.hpp"

GPUPROF_NAMESPACE_BEGIN

GPUPROF_INLINE result<module_code> module_code::try_open(hw::machine const& on) {
    if (on.cupti.GetCubinCrc == nullptr) return hw::unavailable_call(on, "cuptiGetCubinCrc");
    return module_code{on.cupti};
}

GPUPROF_INLINE result<module_code> module_code::try_watch(hw::machine const& on) {
    auto opened = try_open(on);
    if (!opened) return opened;
    hw::callback_id const loads[]{{abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_MODULE_LOADED}};
    auto begun = hw::subscription::try_begin(on, loads, &module_code::loaded, opened->state_.get());
    if (!begun) return std::move(begun).error();
    opened->listening_.emplace(*std::move(begun));
    return opened;
}

GPUPROF_INLINE result<std::uint64_t> module_code::add_to(state& to, std::span<std::byte const> code) {
    if (code.empty()) return error{errc::invalid_argument, 0, "no code to keep", "the module is empty", ""};
    abi::CUpti_GetCubinCrcParams p;
    p.cubin = code.data();
    p.cubinSize = code.size();
    if (auto const status = to.cupti->GetCubinCrc(&p)) return hw::explain("cuptiGetCubinCrc", status);
    platform::lock const held{to.mutex};
    std::string& image = to.images[p.cubinCrc];
    if (image.empty()) image.assign(reinterpret_cast<char const*>(code.data()), code.size());
    return p.cubinCrc;
}

GPUPROF_INLINE result<std::uint64_t> module_code::try_add(std::span<std::byte const> code) {
    return add_to(*state_, code);
}

GPUPROF_INLINE void module_code::loaded(void* self, hw::callback_id, void const* data) {
    auto& to = *static_cast<state*>(self);
    auto const& resource = *static_cast<abi::CUpti_ResourceData const*>(data);
    auto const* const given = static_cast<abi::CUpti_ModuleResourceData const*>(resource.resourceDescriptor);
    if (given == nullptr) return;
    bool kept = false;
#if GPUPROF_EXCEPTIONS
    try {
#endif
        kept = given->pCubin != nullptr &&
               add_to(to, {reinterpret_cast<std::byte const*>(given->pCubin), given->cubinSize}).has_value();
#if GPUPROF_EXCEPTIONS
    } catch (...) {} // no memory: exceptions must not leave a callback
#endif
    if (kept) return;
    platform::lock const held{to.mutex};
    ++to.missed;
}

GPUPROF_INLINE std::string_view module_code::find(std::uint64_t module) const {
    platform::lock const held{state_->mutex};
    auto const found = state_->images.find(module);
    return found == state_->images.end() ? std::string_view{} : std::string_view{found->second};
}

GPUPROF_INLINE result<source_location> module_code::try_locate(std::uint64_t module, std::string const& function,
                                                               std::uint64_t pc_offset) const {
    std::string_view const code = find(module);
    if (code.empty())
        return error{errc::not_collected, 0, detail::joined({"the source line of ", function}),
                     "the module's code was not seen: it was loaded before, or elsewhere",
                     "begin to keep code before the program's first kernel, or add the cubin"};
    return try_locate_in(code, function, pc_offset);
}

GPUPROF_INLINE result<source_location> module_code::try_locate_in(std::string_view code, std::string const& function,
                                                                  std::uint64_t pc_offset) const {
    if (state_->cupti->GetSassToSourceCorrelation == nullptr)
        return error{errc::unavailable, 0, detail::joined({"the source line of ", function}),
                     "this CUPTI lacks cuptiGetSassToSourceCorrelation", "use that of CUDA 11.3 or later"};
    abi::CUpti_GetSassToSourceCorrelationParams p;
    p.cubin = code.data();
    p.cubinSize = code.size();
    p.functionName = function.c_str();
    p.pcOffset = pc_offset;
    auto const status = state_->cupti->GetSassToSourceCorrelation(&p);
    source_location place;
    if (status == abi::CUPTI_SUCCESS) {
        place.line = p.lineNumber;
        if (p.fileName != nullptr) place.file = p.fileName;
        if (p.dirName != nullptr) place.directory = p.dirName;
        std::free(p.fileName);
        std::free(p.dirName);
        if (place.line != 0 && !place.file.empty()) return place;
    } else if (status != abi::CUPTI_ERROR_UNKNOWN && status != abi::CUPTI_ERROR_INVALID_MODULE) {
        return hw::explain("cuptiGetSassToSourceCorrelation", status);
    }
    return error{errc::not_collected, static_cast<int>(status), detail::joined({"the source line of ", function}),
                 "the module has no line for the instruction", "compile with line numbers: nvcc -lineinfo"};
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SAMPLERS_MODULE_CODE_INL_HPP
