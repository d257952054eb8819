// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPUs of this process: devices, contexts and what they have counted so far. Layer: hw/sim; between what
// runs kernels (the driver table, or a test) and what reads counters (the CUPTI table).
#ifndef GPUPROF_HW_SIM_COUNTERS_GPU_REGISTRY_HPP
#define GPUPROF_HW_SIM_COUNTERS_GPU_REGISTRY_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // counts
#include <functional>  // who listens to launches
#include <map>         // contexts by handle
#include <mutex>       // one lock for all of it
#include <string>      // kernel names
#include <string_view> // kernel names
#include <utility>     // std::move
#include <vector>      // devices

#include "../../../detail/config.hpp"
#include "../../abi/types.hpp"
#include "../chip/chip_model.hpp"
#include "collection.hpp"
#include "raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The last kernel of a context: how many there have been with it, what it counted and its name, if whoever ran it said.
struct launch_record {
    std::uint64_t number = 0;
    counter_values counted;
    std::string kernel;
};

// There is one a process, because the tables are plain C functions without a place for state. Every function is
// safe to call from any thread; counters only grow while a context lives.
class gpu_registry {
public:
    // Never destroyed: an application may still call the tables while its statics go away.
    [[nodiscard]] static gpu_registry& instance() {
        static auto* const one = new gpu_registry;
        return *one;
    }

    // For callers that look and act in one step; the functions below that say so need it held.
    [[nodiscard]] std::unique_lock<std::recursive_mutex> lock() { return std::unique_lock{mutex_}; }

    // Adds a device of that model, which must outlive the registry, and returns its ordinal.
    int add_device(chip_model const& model, collection how = collection::in_passes) {
        auto const held = lock();
        devices_.push_back({&model, how});
        return static_cast<int>(devices_.size()) - 1;
    }
    [[nodiscard]] int device_count() {
        auto const held = lock();
        return static_cast<int>(devices_.size());
    }
    // Null for an ordinal there is no device for.
    [[nodiscard]] chip_model const* device(std::size_t ordinal) {
        auto const held = lock();
        return ordinal < devices_.size() ? devices_[ordinal].model : nullptr;
    }
    // How the device collects ranges. @pre there is a device of that ordinal.
    [[nodiscard]] collection collection_on(std::size_t ordinal) {
        auto const held = lock();
        return devices_[ordinal].how;
    }

    // Contexts are whatever handles the driver table invents. @pre there is a device of that ordinal.
    void attach(abi::CUcontext context, int device) {
        auto const held = lock();
        contexts_[context] = {device, false, {}, {}, {}};
    }
    void detach(abi::CUcontext context) {
        auto const held = lock();
        contexts_.erase(context);
    }
    // The device of a context, or null for one that is not attached.
    [[nodiscard]] chip_model const* device_of(abi::CUcontext context) {
        auto const held = lock();
        auto const found = contexts_.find(context);
        return found == contexts_.end() ? nullptr : devices_[static_cast<std::size_t>(found->second.device)].model;
    }
    // How the device of a context collects ranges. @pre the context is attached.
    [[nodiscard]] collection collection_of(abi::CUcontext context) {
        auto const held = lock();
        return devices_[static_cast<std::size_t>(contexts_.at(context).device)].how;
    }

    // The ordinal of a context's device, or -1.
    [[nodiscard]] int ordinal_of(abi::CUcontext context) {
        auto const held = lock();
        auto const found = contexts_.find(context);
        return found == contexts_.end() ? -1 : found->second.device;
    }

    // The calling thread's current context (cuCtxGetCurrent, cuCtxSetCurrent); null for none.
    static void set_current(abi::CUcontext context) noexcept { current_slot() = context; }
    [[nodiscard]] static abi::CUcontext current() noexcept { return current_slot(); }

    // One kernel ran and counted this. A listener, if there is one, hears of it. A context that is lost counts nothing.
    void launched(abi::CUcontext context, counter_values const& counted, std::string_view kernel = {}) {
        auto const held = lock();
        auto const found = contexts_.find(context);
        if (found == contexts_.end() || found->second.lost) return;
        found->second.totals += counted;
        ++found->second.last.number;
        found->second.last.counted = counted;
        found->second.last.kernel = kernel;
        if (auto const listener = found->second.on_launch) listener(counted); // a copy: it may end itself
    }
    // Something that is no kernel counted this: a copy, a fill.
    void add(abi::CUcontext context, counter_values const& counted) {
        auto const held = lock();
        auto const found = contexts_.find(context);
        if (found != contexts_.end() && !found->second.lost) found->second.totals += counted;
    }
    void add(abi::CUcontext context, raw_counter which, std::uint64_t count) {
        counter_values one;
        one[which] = count;
        add(context, one);
    }

    // The context failed, as after an illegal address: nothing works on it any more.
    void lose(abi::CUcontext context) {
        auto const held = lock();
        if (auto const found = contexts_.find(context); found != contexts_.end()) found->second.lost = true;
    }
    [[nodiscard]] bool is_lost(abi::CUcontext context) {
        auto const held = lock();
        auto const found = contexts_.find(context);
        return found != contexts_.end() && found->second.lost;
    }

    // Everything counted in a context so far; zero for one that is not attached.
    [[nodiscard]] counter_values totals(abi::CUcontext context) {
        auto const held = lock();
        auto const found = contexts_.find(context);
        return found == contexts_.end() ? counter_values{} : found->second.totals;
    }

    // The last of the context's kernels; number 0 for none.
    [[nodiscard]] launch_record last_launch(abi::CUcontext context) {
        auto const held = lock();
        auto const found = contexts_.find(context);
        return found == contexts_.end() ? launch_record{} : found->second.last;
    }

    // Calls `listener` with what each following launch counted, the lock held; an empty one ends that.
    void listen(abi::CUcontext context, std::function<void(counter_values const&)> listener) {
        auto const held = lock();
        if (auto const found = contexts_.find(context); found != contexts_.end())
            found->second.on_launch = std::move(listener);
    }

    // Forgets devices and contexts. For tests, between which nothing may linger.
    void reset() {
        auto const held = lock();
        contexts_.clear();
        devices_.clear();
    }

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
    };

    gpu_registry() = default;

    static abi::CUcontext& current_slot() noexcept {
        thread_local abi::CUcontext current = nullptr;
        return current;
    }

    std::recursive_mutex mutex_;
    std::vector<device_state> devices_;
    std::map<abi::CUcontext, context_state> contexts_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_GPU_REGISTRY_HPP
