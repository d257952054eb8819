// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the activity kind PC_SAMPLING is set to, and the numbers that its records give to source lines. Layer: hw/sim; between
// CUPTI's calls and what runs kernels.
#ifndef GPUPROF_HW_SIM_COUNTERS_ACTIVITY_PC_SAMPLING_HPP
#define GPUPROF_HW_SIM_COUNTERS_ACTIVITY_PC_SAMPLING_HPP

#include <cstdint> // numbers
#include <map>     // by context, by line
#include <mutex>   // one lock
#include <string>  // files
#include <utility> // a file and its line

#include "../../../detail/config.hpp"
#include "../../abi/cupti_activity.hpp"
#include "../../abi/types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Thread-safe.
class activity_pc_sampling {
public:
    [[nodiscard]] static activity_pc_sampling& instance() {
        static auto* const one = new activity_pc_sampling; // outlives every static that may still call
        return *one;
    }

    // 2 to that power cycles; the default is what an H200 begins the later calls of PC sampling with.
    static constexpr std::uint32_t default_period = 11;
    void set_period(abi::CUcontext context, std::uint32_t power) {
        std::lock_guard const held{mutex_};
        periods_[context] = power;
    }
    [[nodiscard]] std::uint32_t period_of(abi::CUcontext context) const {
        std::lock_guard const held{mutex_};
        auto const found = periods_.find(context);
        return found == periods_.end() ? default_period : found->second;
    }

    // A line has a new number, and a record that says which it is, each time the kind is enabled.
    struct line_number {
        std::uint32_t id = 0;
        bool is_new = false;
    };
    [[nodiscard]] line_number number_of(std::string file, std::uint32_t line) {
        std::lock_guard const held{mutex_};
        auto const [at, is_new] = lines_.try_emplace({std::move(file), line}, last_line_ + 1);
        if (is_new) ++last_line_;
        return {at->second, is_new};
    }
    void enabled() {
        std::lock_guard const held{mutex_};
        lines_.clear();
    }
    void forget(abi::CUcontext context) {
        std::lock_guard const held{mutex_};
        periods_.erase(context);
    }

private:
    activity_pc_sampling() = default;

    mutable std::mutex mutex_;
    std::map<abi::CUcontext, std::uint32_t> periods_;
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> lines_;
    std::uint32_t last_line_ = 0;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_ACTIVITY_PC_SAMPLING_HPP
