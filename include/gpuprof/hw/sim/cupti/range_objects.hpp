// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The range profiling sessions behind CUPTI's handles. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_CUPTI_RANGE_OBJECTS_HPP
#define GPUPROF_HW_SIM_CUPTI_RANGE_OBJECTS_HPP

#include <algorithm> // std::any_of
#include <cstddef>   // std::size_t
#include <memory>    // sessions
#include <vector>    // sessions

#include "../../../detail/config.hpp"
#include "../../abi/cupti.hpp"
#include "../chip/chip_model.hpp"
#include "host_objects.hpp"
#include "../counters/collection.hpp"
#include "../counters/gpu_registry.hpp"
#include "../counters/metric_table.hpp"
#include "range_session.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// A session behind its handle, and the layout last sized for it.
struct range_object {
    range_session session;
    std::vector<row_number> rows;
    std::size_t ranges = 0;
    std::size_t nodes = 0;
};

// The sessions there are, one a context at most. Guarded by the registry's lock.
class range_objects {
public:
    [[nodiscard]] static range_objects& instance() {
        static auto* const all = new range_objects; // outlives every static that may still call
        return *all;
    }

    [[nodiscard]] CUpti_RangeProfiler_Object* add(CUcontext context, chip_model const& model, collection how) {
        objects_.push_back(std::make_unique<range_object>(range_object{{context, model, how}, {}, 0, 0}));
        return reinterpret_cast<CUpti_RangeProfiler_Object*>(objects_.back().get());
    }
    // Null for what is no living session.
    [[nodiscard]] range_object* find(CUpti_RangeProfiler_Object const* handle) noexcept {
        for (auto const& each : objects_)
            if (reinterpret_cast<CUpti_RangeProfiler_Object const*>(each.get()) == handle) return each.get();
        return nullptr;
    }
    [[nodiscard]] bool has(CUcontext context) const noexcept {
        return std::any_of(objects_.begin(), objects_.end(),
                           [&](auto const& each) { return each->session.context() == context; });
    }
    [[nodiscard]] bool has_on_device(int ordinal) const {
        return std::any_of(objects_.begin(), objects_.end(), [&](auto const& each) {
            return gpu_registry::instance().ordinal_of(each->session.context()) == ordinal;
        });
    }
    void remove(range_object const* object) {
        gpu_registry::instance().listen(object->session.context(), {});
        std::erase_if(objects_, [&](auto const& each) { return each.get() == object; });
    }
    void clear() {
        while (!objects_.empty()) remove(objects_.back().get());
    }

private:
    range_objects() = default;

    std::vector<std::unique_ptr<range_object>> objects_;
};

namespace detail {
// The session a call names, or null for a call that names none or has a structure of another size. @pre lock held.
template <class Params>
[[nodiscard]] range_object* session_of(Params const* params) noexcept {
    return well_sized(params) ? range_objects::instance().find(params->pRangeProfilerObject) : nullptr;
}
[[nodiscard]] inline bool is_dead(range_object const& object) {
    CUcontext const context = object.session.context();
    return gpu_registry::instance().device_of(context) == nullptr || gpu_registry::instance().is_lost(context);
}
} // namespace detail

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_RANGE_OBJECTS_HPP
