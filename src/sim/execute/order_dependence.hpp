// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the instructions whose result depends on the order in which CTAs execute them.
#ifndef GPUPROF_SRC_SIM_EXECUTE_ORDER_DEPENDENCE_HPP
#define GPUPROF_SRC_SIM_EXECUTE_ORDER_DEPENDENCE_HPP

#include <cstdint>

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

// Atomics of which nobody sees what was there before: sums, extremes, bits. Integers give the same in any order.
[[nodiscard]] inline bool is_reduction(decoded const& op) noexcept {
    if (op.action != action::atomic || !op.memory.discards) return false;
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

// When a kernel's sums are added: in the turn of their CTA, for which it waits; in that turn, while the CTA goes on;
// or at once.
enum class sum_order : std::uint8_t { in_turn, deferred, any };

// If something in the kernel shows what other CTAs did before it, sums have an order that is seen. Else floating-point
// ones have one, and integers, which may be added to the same cells, keep it with them.
[[nodiscard]] inline sum_order order_of_sums(kernel const& k) noexcept {
    auto order = sum_order::any;
    for (function_code const* const f : k.functions)
        for (decoded const& op : f->code) {
            if (!speaks_to_ctas(op) || op.action == action::store) continue;
            if (!is_reduction(op)) return sum_order::in_turn;
            if (ptx::is_floating(op.memory.element)) order = sum_order::deferred;
        }
    return order;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_ORDER_DEPENDENCE_HPP
