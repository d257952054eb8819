// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The PC sampling of each context, and the samples that nobody has fetched yet.
#ifndef GPUPROF_SRC_SIM_GPU_PC_SAMPLING_STATE_HPP
#define GPUPROF_SRC_SIM_GPU_PC_SAMPLING_STATE_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti_pc_sampling.hpp>

#include "warp_waits.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// An instruction of a loaded module.
struct sampled_place {
    std::uint32_t correlation = 0; // the launch, where kernels are serialised
    std::uint64_t code = 0;        // number_of_code()
    std::string function;
    std::uint64_t offset = 0;

    friend bool operator<(sampled_place const& a, sampled_place const& b) {
        return std::tie(a.correlation, a.code, a.function, a.offset) <
               std::tie(b.correlation, b.code, b.function, b.offset);
    }
};
struct sampled_counts {
    std::uint32_t function_index = 0;
    std::array<std::uint32_t, warp_states> samples{};
    std::array<std::uint32_t, warp_states> not_issued{}; // among them: in a cycle in which nothing was issued
};

// The attributes with the defaults that CUPTI documents. It leaves the default period to the chip:
// 2^17 cycles is the embedded GPU's own.
struct pc_sampling_settings {
    std::uint32_t period = 17; // 2 to that power cycles
    std::vector<std::uint32_t> reasons{};
    bool all_reasons = true;
    std::size_t scratch_bytes = std::size_t{1} << 20;
    std::size_t hardware_bytes = std::size_t{512} << 20;
    abi::CUpti_PCSamplingCollectionMode mode = abi::CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
    bool start_stop = false;
    void* last_buffer = nullptr;
    std::uint32_t worker_milliseconds = 100;
};

struct pc_sampling_of_context {
    int device = -1;
    bool enabled = false;
    bool started = false;
    pc_sampling_settings settings{};
    std::uint64_t range = 0; // how often it was started
    std::map<sampled_place, sampled_counts> places{};
    std::uint64_t samples = 0; // since the last fetch
    std::uint64_t lost = 0;    // for which the hardware buffer had no room
    double to_next = 0;        // cycles until the next sample
    static constexpr std::size_t bytes_a_sample = 32;

    // Adds the samples of a launch. Every sampler takes a warp each period, the warps in turn: a
    // state gets samples by its share of the warps' cycles.
    void add(launch_waits const& waits, std::uint64_t code, std::uint32_t correlation);
    void forget_samples();
};

// Guarded by the registry's lock.
class pc_sampling_state {
public:
    [[nodiscard]] pc_sampling_of_context& of(abi::CUcontext context) { return contexts_[context]; }
    [[nodiscard]] pc_sampling_of_context* find(abi::CUcontext context);
    // Whether another context of the device is sampled; one that is lost or was destroyed is not
    // any more.
    [[nodiscard]] bool is_taken(int device, abi::CUcontext by_other_than);
    void remove(abi::CUcontext context) { contexts_.erase(context); }
    void clear() { contexts_.clear(); }

    // The tool's own number for the code of modules; null for number_of_code().
    std::atomic<abi::CUpti_ComputeCrcCallbackFunc> numbers_code{nullptr};
    [[nodiscard]] std::uint64_t number_of(std::string_view image) const;

private:
    std::map<abi::CUcontext, pc_sampling_of_context> contexts_;
};

// Whether a kernel that ends now in the context is sampled.
[[nodiscard]] bool is_sampled(abi::CUcontext context);

// Samples a kernel that ended, if the context is sampled.
void sample_launch(abi::CUcontext context, launch_waits const& waits, std::uint64_t code);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_PC_SAMPLING_STATE_HPP
