// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers the instructions of a kernel, its functions one after the other.
#ifndef GPUPROF_SRC_SIM_MODEL_CODE_MAP_HPP
#define GPUPROF_SRC_SIM_MODEL_CODE_MAP_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../code/kernel.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Number 0 is for instructions of no function of the kernel. The kernel must outlive the map.
class code_map {
public:
    // A function's instructions: where they lie and what number the first one has.
    struct range {
        std::uintptr_t begin = 0;
        std::size_t bytes = 0;
        std::size_t first = 0;
        [[nodiscard]] std::size_t find(instruction_info const& info) const noexcept {
            std::size_t const offset = reinterpret_cast<std::uintptr_t>(&info) - begin;
            return offset < bytes ? first + offset / sizeof(decoded) : 0;
        }
    };

    explicit code_map(sim::kernel const& kernel) {
        for (function_code const* const f : kernel.functions) {
            ranges_.push_back(
                {reinterpret_cast<std::uintptr_t>(f->code.data()), f->code.size() * sizeof(decoded), size_});
            size_ += f->code.size();
        }
        if (ranges_.empty()) ranges_.emplace_back();
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    // @param last the range that was found last, to begin with any; instructions mostly follow
    // their like
    [[nodiscard]] std::size_t number(instruction_info const& info, range const*& last) const noexcept {
        if (std::size_t const found = last->find(info)) return found;
        for (range const& r : ranges_)
            if (std::size_t const found = r.find(info)) {
                last = &r;
                return found;
            }
        return 0;
    }
    [[nodiscard]] range const* any() const noexcept { return ranges_.data(); }

private:
    std::vector<range> ranges_;
    std::size_t size_ = 1;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_CODE_MAP_HPP
