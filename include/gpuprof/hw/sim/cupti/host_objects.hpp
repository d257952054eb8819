// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host objects behind CUPTI's handles. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_CUPTI_HOST_OBJECTS_HPP
#define GPUPROF_HW_SIM_CUPTI_HOST_OBJECTS_HPP

#include <array>  // names by kind
#include <memory> // host objects
#include <mutex>  // calls come from any thread
#include <set>    // texts handed out
#include <string> // texts handed out
#include <vector> // host objects, names

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "../chip/chip_model.hpp"
#include "../counters/collection.hpp"
#include "../counters/pass_scheduler.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

using namespace abi; // parameters and statuses

// Whether a call's structure is the one this CUPTI knows: 13.0 refuses shorter and longer ones alike.
template <class Params>
[[nodiscard]] bool well_sized(Params const* params) noexcept {
    return params != nullptr && params->structSize == Params{}.structSize;
}

// A host object. Configured passes pile up, call by call; texts live as long as the object.
struct host_object {
    chip_model const* model;
    collection how; // of the device that it plans for
    std::vector<pass> passes;
    std::array<std::vector<char const*>, 3> base_metrics; // by kind
    std::set<std::string> texts;
    bool samples = false; // plans for PM sampling, which cannot patch programs
};

// The host objects there are. Handles are looked up before they are used: a stale one is an error, not a crash.
class host_objects {
public:
    [[nodiscard]] static host_objects& instance() {
        static auto* const all = new host_objects; // outlives every static that may still call
        return *all;
    }

    [[nodiscard]] std::unique_lock<std::mutex> lock() { return std::unique_lock{mutex_}; }

    [[nodiscard]] CUpti_Profiler_Host_Object* add(chip_model const& model, collection how, bool samples) {
        objects_.push_back(std::make_unique<host_object>(host_object{&model, how, {}, {}, {}, samples}));
        return reinterpret_cast<CUpti_Profiler_Host_Object*>(objects_.back().get());
    }
    // Null for what is no living object. @pre the lock is held, here and below.
    [[nodiscard]] host_object* find(CUpti_Profiler_Host_Object const* handle) noexcept {
        for (auto const& each : objects_)
            if (reinterpret_cast<CUpti_Profiler_Host_Object const*>(each.get()) == handle) return each.get();
        return nullptr;
    }
    bool remove(CUpti_Profiler_Host_Object const* handle) noexcept {
        host_object const* const object = find(handle);
        return std::erase_if(objects_, [&](auto const& each) { return each.get() == object; }) != 0;
    }

private:
    host_objects() = default;

    std::mutex mutex_;
    std::vector<std::unique_ptr<host_object>> objects_;
};

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_HOST_OBJECTS_HPP
