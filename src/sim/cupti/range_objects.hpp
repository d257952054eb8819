// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The range profiling sessions behind CUPTI's handles.
#ifndef GPUPROF_SRC_SIM_CUPTI_RANGE_OBJECTS_HPP
#define GPUPROF_SRC_SIM_CUPTI_RANGE_OBJECTS_HPP

#include <cstddef>
#include <memory>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>
#include <gpuprof/sim/collection.hpp>
#include "../counters/metric_table.hpp"
#include "range_session.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

// A session behind its handle, and the layout of the image that was sized last.
struct range_object {
    range_session session;
    std::vector<row_number> rows;
    std::size_t ranges = 0;
    std::size_t nodes = 0;

    // Whether the context was destroyed or lost.
    [[nodiscard]] bool is_dead() const;
};

// All range profiling sessions of the process, at most one for each context. Guarded by the
// registry's lock.
class range_objects {
public:
    [[nodiscard]] CUpti_RangeProfiler_Object* add(CUcontext context, chip_model const& model, collection how);
    // Null for what is no living session.
    [[nodiscard]] range_object* find(CUpti_RangeProfiler_Object const* handle) noexcept;
    [[nodiscard]] bool has(CUcontext context) const noexcept;
    [[nodiscard]] bool has_on_device(int ordinal) const;
    void remove(range_object const* object);
    void clear();

private:
    std::vector<std::unique_ptr<range_object>> objects_;
};

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_RANGE_OBJECTS_HPP
