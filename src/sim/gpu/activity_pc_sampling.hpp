// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The settings of the activity kind PC_SAMPLING, and the numbers that its records give to source
// lines.
#ifndef GPUPROF_SRC_SIM_GPU_ACTIVITY_PC_SAMPLING_HPP
#define GPUPROF_SRC_SIM_GPU_ACTIVITY_PC_SAMPLING_HPP

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/types.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Thread-safe.
class activity_pc_sampling {
public:
    // A period is 2 to a power cycles. The default is what an H200 begins the later calls of PC
    // sampling with.
    static constexpr std::uint32_t default_period = 11;
    void set_period(abi::CUcontext context, std::uint32_t power);
    [[nodiscard]] std::uint32_t period_of(abi::CUcontext context) const;

    // Each time the kind is enabled, lines get new numbers, and new records that say which line has
    // which number.
    struct line_number {
        std::uint32_t id = 0;
        bool is_new = false;
    };
    [[nodiscard]] line_number number_of(std::string file, std::uint32_t line);
    void enabled();
    void forget(abi::CUcontext context);

private:
    mutable std::mutex mutex_;
    std::map<abi::CUcontext, std::uint32_t> periods_;
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> lines_;
    std::uint32_t last_line_ = 0;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_ACTIVITY_PC_SAMPLING_HPP
