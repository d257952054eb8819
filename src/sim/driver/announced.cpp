// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "announced.hpp"

#include "../gpu/gpu_registry.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// The thread's current context and its number. It keeps the last number, because no handle is used
// twice.
[[nodiscard]] static context_name announced_context(CUcontext current) {
    thread_local constinit context_name last{};
    if (current == nullptr) return {};
    if (last.context != current) {
        auto const in = enter();
        context_state const* const found = in.driver.contexts.find(current);
        last = {current, found == nullptr ? 0 : found->id};
    }
    return last;
}

// The name of a kernel, which lives as long as the kernel's module; null if there is no such
// kernel.
[[nodiscard]] static char const* announced_kernel(CUfunction kernel) {
    auto const in = enter();
    function_state const* const found = in.driver.functions.find(kernel);
    return found == nullptr ? nullptr : found->code->name.c_str();
}

void detail::describe(announced_call& announcement, CUfunction kernel) {
    CUcontext const current = gpu_registry::current();
    if (!announcement.has_callbacks() || announcement.is_described(current)) return;
    announcement.describe(announced_context(current), kernel == nullptr ? nullptr : announced_kernel(kernel));
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
