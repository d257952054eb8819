// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sectors of constants that SMs read.
#ifndef GPUPROF_SRC_SIM_MODEL_CONSTANT_SECTORS_HPP
#define GPUPROF_SRC_SIM_MODEL_CONSTANT_SECTORS_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../code/device_memory.hpp"
#include "../code/observer.hpp"
#include "access_lines.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A bit for each sector, which the caches of a cluster keep for the whole launch. Allocates at the
// first constant; those beyond what a module may have are not counted.
class constant_sectors {
public:
    static constexpr std::size_t bytes = std::size_t{64} << 10; // of .const variables (CUDA programming guide)

    void add(memory_access const& access) {
        lane_mask const lanes =
            access.pattern == address_pattern::same ? access.active & (~access.active + 1) : access.active;
        for (lane_mask left = lanes; left != 0; left &= left - 1) {
            std::uint64_t const sector =
                (access.address[std::countr_zero(left)] & (address_map::constant_base - 1)) / sector_bytes;
            if (sector >= bytes / sector_bytes) continue;
            if (lines_.empty()) lines_.resize(bytes / line_bytes);
            lines_[sector / 4] |= static_cast<sector_mask>(1u << sector % 4);
        }
    }
    constant_sectors& operator+=(constant_sectors const& more) {
        if (lines_.size() < more.lines_.size()) lines_.resize(more.lines_.size());
        for (std::size_t i = 0; i < more.lines_.size(); ++i) lines_[i] |= more.lines_[i];
        return *this;
    }
    // How many lines there may be, and the sectors of one of them. 0: no constant was read.
    [[nodiscard]] std::size_t size() const noexcept { return lines_.size(); }
    [[nodiscard]] sector_mask sectors(std::size_t line) const noexcept {
        return line < lines_.size() ? lines_[line] : sector_mask{0};
    }

private:
    std::vector<sector_mask> lines_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_CONSTANT_SECTORS_HPP
