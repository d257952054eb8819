// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of register_variants.hpp.
#ifndef GPUPROF_EXPLAIN_REGISTER_VARIANTS_INL_HPP
#define GPUPROF_EXPLAIN_REGISTER_VARIANTS_INL_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../hw/machine/in_context.hpp"
#include "../hw/machine/status.hpp"
#include "register_variants.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

GPUPROF_INLINE register_variants::~register_variants() {
    if (variants_.empty()) return; // also where it was moved from
    static_cast<void>(hw::in_context(gpu_.driver(), gpu_.context(), [this]() -> result<void> {
        for (variant const& each : variants_) static_cast<void>(gpu_.driver().ModuleUnload(each.module));
        return {};
    }));
}

GPUPROF_INLINE result<register_variants> register_variants::try_load(device const& gpu, std::string const& ptx,
                                                                     std::string const& kernel,
                                                                     std::vector<long long> const& limits) {
    using gpuprof::detail::joined;
    if (limits.empty())
        return error{errc::invalid_argument, 0, "no limit of registers", "there would be no kernel",
                     "give one, or 0 for none"};
    if (ptx.find(".version") == std::string::npos)
        return error{
            errc::invalid_argument, 0, "the code of " + kernel + " is no PTX",
            "only PTX is compiled by the driver; machine code has the registers that it has",
            "use the output of nvcc -ptx, or compile the kernel several times with -maxrregcount and give the series "
            "an axis of your own"};
    auto held = gpu.try_share();
    if (!held) return std::move(held).error();
    register_variants made{*std::move(held)};
    abi::driver_table const& driver = made.gpu_.driver();
    auto loaded = hw::in_context(driver, made.gpu_.context(), [&]() -> result<void> {
        for (long long const limit : limits) {
            if (limit < 0 || limit > 255)
                return error{errc::invalid_argument, 0,
                             joined({"a limit of ", std::to_string(limit), " registers a thread"}),
                             "a thread has 255 at most", "use 0 for no limit"};
            abi::CUjit_option option = abi::CU_JIT_MAX_REGISTERS;
            void* value = reinterpret_cast<void*>(static_cast<std::uintptr_t>(limit));
            made.variants_.push_back({limit, nullptr, nullptr});
            variant& each = made.variants_.back();
            if (auto status = driver.ModuleLoadDataEx(&each.module, ptx.c_str(), limit == 0 ? 0 : 1, &option, &value)) {
                made.variants_.pop_back();
                return hw::explain("cuModuleLoadDataEx", status);
            }
            if (auto status = driver.ModuleGetFunction(&each.kernel, each.module, kernel.c_str()))
                return hw::explain(joined({"cuModuleGetFunction, ", kernel}), status);
        }
        return {};
    });
    if (!loaded) return std::move(loaded).error();
    return result<register_variants>{std::move(made)};
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_REGISTER_VARIANTS_INL_HPP
