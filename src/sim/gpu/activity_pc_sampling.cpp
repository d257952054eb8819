// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activity_pc_sampling.hpp"

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void activity_pc_sampling::set_period(abi::CUcontext context, std::uint32_t power) {
    std::lock_guard const held{mutex_};
    periods_[context] = power;
}
std::uint32_t activity_pc_sampling::period_of(abi::CUcontext context) const {
    std::lock_guard const held{mutex_};
    auto const found = periods_.find(context);
    return found == periods_.end() ? default_period : found->second;
}

activity_pc_sampling::line_number activity_pc_sampling::number_of(std::string file, std::uint32_t line) {
    std::lock_guard const held{mutex_};
    auto const [at, is_new] = lines_.try_emplace({std::move(file), line}, last_line_ + 1);
    if (is_new) ++last_line_;
    return {at->second, is_new};
}

void activity_pc_sampling::enabled() {
    std::lock_guard const held{mutex_};
    lines_.clear();
}
void activity_pc_sampling::forget(abi::CUcontext context) {
    std::lock_guard const held{mutex_};
    periods_.erase(context);
}

} // namespace sim
GPUPROF_NAMESPACE_END
