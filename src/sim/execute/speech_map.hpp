// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds where in a kernel a CTA has nothing more to say to others.
#ifndef GPUPROF_SRC_SIM_EXECUTE_SPEECH_MAP_HPP
#define GPUPROF_SRC_SIM_EXECUTE_SPEECH_MAP_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../code/kernel.hpp"
#include "order_dependence.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// From each instruction of the kernel's own code: whether an instruction by which CTAs speak to each other can come. A call
// may be of any of the kernel's functions.
class speech_map {
public:
    explicit speech_map(kernel const& k) : may_speak_(k.functions.front()->code.size()) {
        bool const others_speak = std::any_of(k.functions.begin() + 1, k.functions.end(), [](function_code const* f) {
            return std::any_of(f->code.begin(), f->code.end(), speaks_to_ctas);
        });
        function_code const& f = *k.functions.front();
        for (bool found = true; found;) { // once for each loop within loops, and once more
            found = false;
            for (std::size_t pc = f.code.size(); pc-- != 0;) {
                if (may_speak_[pc] || !speaks_from(f, pc, others_speak)) continue;
                may_speak_[pc] = found = true;
            }
        }
    }

    [[nodiscard]] bool may_speak(std::uint32_t pc) const noexcept { return may_speak_[pc]; }

private:
    [[nodiscard]] bool speaks_from(function_code const& f, std::size_t pc, bool others_speak) const {
        decoded const& op = f.code[pc];
        if (speaks_to_ctas(op) || (op.action == action::call && others_speak)) return true;
        if (op.action == action::branch && may_speak_[op.target]) return true;
        if (op.action == action::branch_indexed &&
            std::any_of(f.branch_tables[op.target].begin(), f.branch_tables[op.target].end(),
                        [&](std::uint32_t target) { return may_speak_[target]; }))
            return true;
        return pc + 1 < f.code.size() && goes_on(op) && may_speak_[pc + 1];
    }
    static bool goes_on(decoded const& op) noexcept {
        bool const leaves = op.action == action::branch || op.action == action::branch_indexed ||
                            op.action == action::ret || op.action == action::exit || op.action == action::trap;
        return op.guarded || !leaves;
    }

    std::vector<bool> may_speak_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_SPEECH_MAP_HPP
