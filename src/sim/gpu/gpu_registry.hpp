// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPUs of this process: devices, contexts and their counts so far. The driver table,
// or a test, runs kernels and adds counts; the CUPTI table reads them.
#ifndef GPUPROF_SRC_SIM_GPU_GPU_REGISTRY_HPP
#define GPUPROF_SRC_SIM_GPU_GPU_REGISTRY_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/types.hpp>
#include <gpuprof/sim/collection.hpp>

#include "../chip/chip_model.hpp"
#include "../counters/raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The last kernel of a context.
struct launch_record {
    std::uint64_t number = 0; // of kernels that ran in the context, this one included
    counter_values counted;
    std::string kernel; // its name; empty if unknown
};

// Thread-safe. Counters only grow while a context lives.
class gpu_registry {
public:
    // For callers that look and act in one step.
    [[nodiscard]] std::unique_lock<std::recursive_mutex> lock() { return std::unique_lock{mutex_}; }

    // Adds a device of that model, which must outlive the registry, and returns its ordinal.
    // @param slot its number among devices of that model which collect that way, from 0 on: they are peers of each other
    int add_device(chip_model const& model, collection how = collection::in_passes, unsigned slot = 0);
    [[nodiscard]] int device_count();
    // Null if there is no device of that ordinal.
    [[nodiscard]] chip_model const* device(std::size_t ordinal);
    // How the device collects ranges. @pre there is a device of that ordinal.
    [[nodiscard]] collection collection_on(std::size_t ordinal);
    // The number that add_device() got. @pre there is a device of that ordinal.
    [[nodiscard]] unsigned slot_of(std::size_t ordinal);
    // Whether they are two devices of one model that collect in the same way. False for ordinals that there are not.
    [[nodiscard]] bool are_peers(int one, int other);

    // Contexts are handles that the driver table invents. @pre there is a device of that ordinal.
    void attach(abi::CUcontext context, int device);
    void detach(abi::CUcontext context);
    // The device of a context, or null for one that is not attached.
    [[nodiscard]] chip_model const* device_of(abi::CUcontext context);
    // How the device of a context collects ranges. @pre the context is attached.
    [[nodiscard]] collection collection_of(abi::CUcontext context);

    // The ordinal of a context's device, or -1.
    [[nodiscard]] int ordinal_of(abi::CUcontext context);

    // The calling thread's current context (cuCtxGetCurrent, cuCtxSetCurrent); null for none.
    static void set_current(abi::CUcontext context) noexcept;
    [[nodiscard]] static abi::CUcontext current() noexcept;

    // Adds the counts of one kernel that ran. The context's listener hears of it. A lost context
    // counts nothing.
    void launched(abi::CUcontext context, counter_values const& counted, std::string_view kernel = {});
    // Adds the counts of something that is no kernel: a copy, a fill.
    void add(abi::CUcontext context, counter_values const& counted);
    void add(abi::CUcontext context, raw_counter counter, std::uint64_t count);

    // Marks a context that failed, as after an illegal address: nothing works in it any more.
    void lose(abi::CUcontext context);
    [[nodiscard]] bool is_lost(abi::CUcontext context);

    // Everything counted in a context so far; zero for one that is not attached.
    [[nodiscard]] counter_values totals(abi::CUcontext context);

    // The last of the context's kernels; number 0 for none.
    [[nodiscard]] launch_record last_launch(abi::CUcontext context);

    // Calls `listener` with what each following launch counted, the lock held; an empty one ends
    // that.
    void listen(abi::CUcontext context, std::function<void(counter_values const&)> listener);

    // Forgets devices and contexts. For tests.
    void reset();

private:
    struct context_state {
        int device;
        bool lost;
        counter_values totals;
        launch_record last;
        std::function<void(counter_values const&)> on_launch;
    };

    struct device_state {
        chip_model const* model;
        collection how;
        unsigned slot;
    };

    std::recursive_mutex mutex_;
    std::vector<device_state> devices_;
    std::map<abi::CUcontext, context_state> contexts_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_GPU_REGISTRY_HPP
