// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pm_sampling_objects.hpp"

#include <utility>

#include "../chip/chip_model.hpp"
#include "../gpu/gpu_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

void pm_sampling_object::start() {
    begun = static_cast<double>(shared().clock.now());
    if (!(edge < begun)) edge = begun - 1;
    leads = started = true;
}

void pm_sampling_object::stop() {
    stopped = static_cast<double>(shared().clock.now());
    started = false;
}

double pm_sampling_object::until() const noexcept {
    return started ? static_cast<double>(shared().clock.now()) : stopped;
}

double pm_sampling_object::waiting() const noexcept {
    double const from = leads ? begun : edge;
    return until() > from ? (until() - from) / interval : 0;
}

bool pm_sampling_object::overflows() const noexcept {
    return waiting() * static_cast<double>(pm_sample_bytes) > static_cast<double>(buffer_bytes);
}

std::optional<pm_sample> pm_sampling_object::next() {
    if (leads) {
        leads = false;
        return take(begun);
    }
    double const end = edge + interval;
    if (end <= until()) return take(end);
    if (!started && edge < stopped) return take(stopped);
    return {};
}

void pm_sampling_object::lose_waiting() noexcept {
    leads = false;
    edge = until();
}

pm_sample pm_sampling_object::take(double end) noexcept {
    pm_sample const taken{edge, end};
    edge = end;
    return taken;
}

CUpti_PmSampling_Object* pm_sampling_objects::add(int device, chip_model const& model) {
    auto added = std::make_unique<pm_sampling_object>();
    added->device = device;
    added->model = &model;
    added->edge = static_cast<double>(shared().clock.now());
    objects_.push_back(std::move(added));
    shared().work.begin(device);
    return reinterpret_cast<CUpti_PmSampling_Object*>(objects_.back().get());
}

pm_sampling_object* pm_sampling_objects::find(CUpti_PmSampling_Object const* handle) noexcept {
    for (auto const& object : objects_)
        if (reinterpret_cast<CUpti_PmSampling_Object const*>(object.get()) == handle) return object.get();
    return nullptr;
}

bool pm_sampling_objects::has(int device) const noexcept {
    for (auto const& object : objects_)
        if (object->device == device) return true;
    return false;
}

void pm_sampling_objects::remove(pm_sampling_object const* object) {
    shared().work.end(object->device);
    std::erase_if(objects_, [&](auto const& known) { return known.get() == object; });
}

void pm_sampling_objects::clear() {
    while (!objects_.empty()) remove(objects_.back().get());
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END
