// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the instructions whose result depends on the order in which CTAs execute them.
#ifndef GPUPROF_SRC_SIM_EXECUTE_ORDER_DEPENDENCE_HPP
#define GPUPROF_SRC_SIM_EXECUTE_ORDER_DEPENDENCE_HPP

#include "../code/decoded.hpp"
#include "../code/kernel.hpp"
#include "../code/device_memory.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Whether an access may be to memory that CTAs share, and is one by which they may speak to each
// other: atomic, volatile, acquire, release or relaxed. All others of one place by two CTAs, with
// nothing between them, are races of the program.
[[nodiscard]] inline bool speaks_to_ctas(decoded const& op) noexcept {
    bool const shared_by_all = op.memory.space == ptx::space::global || op.memory.space == ptx::space::generic;
    return op.memory.ordered && shared_by_all && op.action >= action::load;
}

// Atomics that give the same in any order, of which nobody sees what was there before: integer
// sums, extremes, bits.
[[nodiscard]] inline bool commutes(decoded const& op) noexcept {
    if (op.action != action::atomic || !op.memory.discards || ptx::is_floating(op.memory.element)) return false;
    switch (op.memory.operation) {
        case atomic_operation::add:
        case atomic_operation::min:
        case atomic_operation::max:
        case atomic_operation::and_:
        case atomic_operation::or_:
        case atomic_operation::xor_: return true;
        default: return false;
    }
}

// Whether anything in the kernel shows what other CTAs did before it. If nothing does, sums need no
// order.
[[nodiscard]] inline bool listens_to_ctas(kernel const& k) noexcept {
    for (function_code const* const f : k.functions)
        for (decoded const& op : f->code)
            if (speaks_to_ctas(op) && op.action != action::store && !commutes(op)) return true;
    return false;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_ORDER_DEPENDENCE_HPP
