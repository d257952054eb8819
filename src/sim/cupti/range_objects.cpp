// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "range_objects.hpp"

#include <algorithm>

#include "../gpu/gpu_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

bool range_object::is_dead() const {
    CUcontext const context = session.context();
    return shared().registry.device_of(context) == nullptr || shared().registry.is_lost(context);
}

CUpti_RangeProfiler_Object* range_objects::add(CUcontext context, chip_model const& model, collection how) {
    objects_.push_back(std::make_unique<range_object>(range_object{{context, model, how}, {}, 0, 0}));
    return reinterpret_cast<CUpti_RangeProfiler_Object*>(objects_.back().get());
}

range_object* range_objects::find(CUpti_RangeProfiler_Object const* handle) noexcept {
    for (auto const& object : objects_)
        if (reinterpret_cast<CUpti_RangeProfiler_Object const*>(object.get()) == handle) return object.get();
    return nullptr;
}

bool range_objects::has(CUcontext context) const noexcept {
    return std::any_of(objects_.begin(), objects_.end(),
                       [&](auto const& object) { return object->session.context() == context; });
}

bool range_objects::has_on_device(int ordinal) const {
    return std::any_of(objects_.begin(), objects_.end(), [&](auto const& object) {
        return shared().registry.ordinal_of(object->session.context()) == ordinal;
    });
}

void range_objects::remove(range_object const* object) {
    shared().registry.listen(object->session.context(), {});
    std::erase_if(objects_, [&](auto const& known) { return known.get() == object; });
}

void range_objects::clear() {
    while (!objects_.empty()) remove(objects_.back().get());
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
