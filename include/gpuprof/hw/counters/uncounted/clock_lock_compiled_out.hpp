// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: locks no clock. See measure/compiled_out.hpp.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_CLOCK_LOCK_COMPILED_OUT_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_CLOCK_LOCK_COMPILED_OUT_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "../../../core/error.hpp"
#include "../../../core/result.hpp"
#include "../../../detail/config.hpp"
#include "../../machine/compiled_out.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace hw::provided {
struct nvml_table;
struct clock_lock_place;
} // namespace hw::provided

struct put_back_clocks {
    std::size_t gpus = 0;
    std::vector<error> problems{};
};
[[nodiscard]] inline put_back_clocks try_put_back_clocks() { return {}; }
[[nodiscard]] inline put_back_clocks try_put_back_clocks(hw::provided::nvml_table const&, std::string const&) {
    return {};
}

class [[nodiscard]] clock_lock {
public:
    [[nodiscard]] static result<clock_lock> try_create(device const&, unsigned = 0) { return clock_lock{}; }
    [[nodiscard]] static result<clock_lock> try_create(hw::provided::clock_lock_place const&, unsigned = 0) {
        return clock_lock{};
    }
    clock_lock(clock_lock&&) noexcept {}
    clock_lock& operator=(clock_lock&&) noexcept { return *this; }
    ~clock_lock() {} // not trivial: one that is never used again is no unused variable
    [[nodiscard]] result<void> try_release() { return {}; }

private:
    clock_lock() noexcept = default;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_CLOCK_LOCK_COMPILED_OUT_HPP
