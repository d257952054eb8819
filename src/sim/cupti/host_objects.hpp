// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host objects behind CUPTI's handles.
#ifndef GPUPROF_SRC_SIM_CUPTI_HOST_OBJECTS_HPP
#define GPUPROF_SRC_SIM_CUPTI_HOST_OBJECTS_HPP

#include <array>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>
#include <gpuprof/sim/collection.hpp>
#include "../gpu/pass_scheduler.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {
struct chip_model;
}

namespace sim::cupti {
using namespace abi;

// A host object. Configured passes pile up, call by call; texts live as long as the object.
struct host_object {
    chip_model const* model;
    collection how; // of the device that it plans for
    std::vector<pass> passes;
    std::array<std::vector<char const*>, 3> base_metrics; // by kind
    std::set<std::string> texts;
    bool samples = false; // plans for PM sampling, which cannot patch programs
};

// All host objects of the process. Handles are looked up before they are used: a stale one is an
// error, not a crash. The bodies are in host.cpp.
class host_objects {
public:
    [[nodiscard]] std::unique_lock<std::mutex> lock() { return std::unique_lock{mutex_}; }

    // @pre the lock is held, here and below.
    [[nodiscard]] CUpti_Profiler_Host_Object* add(chip_model const& model, collection how, bool samples);
    // Null for what is no living object.
    [[nodiscard]] host_object* find(CUpti_Profiler_Host_Object const* handle) noexcept;
    // False for what is no living object.
    bool remove(CUpti_Profiler_Host_Object const* handle) noexcept;

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<host_object>> objects_;
};

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_HOST_OBJECTS_HPP
