// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu_registry.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string_view>
#include <utility>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

int gpu_registry::add_device(chip_model const& model, collection how, unsigned slot) {
    auto const held = lock();
    devices_.push_back({&model, how, slot});
    return static_cast<int>(devices_.size()) - 1;
}

int gpu_registry::device_count() {
    auto const held = lock();
    return static_cast<int>(devices_.size());
}

chip_model const* gpu_registry::device(std::size_t ordinal) {
    auto const held = lock();
    return ordinal < devices_.size() ? devices_[ordinal].model : nullptr;
}

collection gpu_registry::collection_on(std::size_t ordinal) {
    auto const held = lock();
    return devices_[ordinal].how;
}

unsigned gpu_registry::slot_of(std::size_t ordinal) {
    auto const held = lock();
    return devices_[ordinal].slot;
}

bool gpu_registry::are_peers(int one, int other) {
    auto const held = lock();
    auto const count = static_cast<int>(devices_.size());
    if (one < 0 || other < 0 || one >= count || other >= count) return false;
    device_state const& a = devices_[static_cast<std::size_t>(one)];
    device_state const& b = devices_[static_cast<std::size_t>(other)];
    return a.model == b.model && a.how == b.how && a.slot != b.slot;
}

void gpu_registry::attach(abi::CUcontext context, int device) {
    auto const held = lock();
    contexts_[context] = {device, false, {}, {}, {}};
}

void gpu_registry::detach(abi::CUcontext context) {
    auto const held = lock();
    contexts_.erase(context);
}

chip_model const* gpu_registry::device_of(abi::CUcontext context) {
    auto const held = lock();
    auto const found = contexts_.find(context);
    return found == contexts_.end() ? nullptr : devices_[static_cast<std::size_t>(found->second.device)].model;
}

collection gpu_registry::collection_of(abi::CUcontext context) {
    auto const held = lock();
    return devices_[static_cast<std::size_t>(contexts_.at(context).device)].how;
}

int gpu_registry::ordinal_of(abi::CUcontext context) {
    auto const held = lock();
    auto const found = contexts_.find(context);
    return found == contexts_.end() ? -1 : found->second.device;
}

// The calling thread's current context.
static thread_local constinit abi::CUcontext current_gpu_context = nullptr;

void gpu_registry::set_current(abi::CUcontext context) noexcept { current_gpu_context = context; }
abi::CUcontext gpu_registry::current() noexcept { return current_gpu_context; }

void gpu_registry::launched(abi::CUcontext context, counter_values const& counted, std::string_view kernel) {
    auto const held = lock();
    auto const found = contexts_.find(context);
    if (found == contexts_.end() || found->second.lost) return;
    found->second.totals += counted;
    ++found->second.last.number;
    found->second.last.counted = counted;
    found->second.last.kernel = kernel;
    if (auto const listener = found->second.on_launch) listener(counted); // a copy: it may end itself
}

void gpu_registry::add(abi::CUcontext context, counter_values const& counted) {
    auto const held = lock();
    auto const found = contexts_.find(context);
    if (found != contexts_.end() && !found->second.lost) found->second.totals += counted;
}

void gpu_registry::add(abi::CUcontext context, raw_counter counter, std::uint64_t count) {
    counter_values counted;
    counted[counter] = count;
    add(context, counted);
}

void gpu_registry::lose(abi::CUcontext context) {
    auto const held = lock();
    if (auto const found = contexts_.find(context); found != contexts_.end()) found->second.lost = true;
}

bool gpu_registry::is_lost(abi::CUcontext context) {
    auto const held = lock();
    auto const found = contexts_.find(context);
    return found != contexts_.end() && found->second.lost;
}

counter_values gpu_registry::totals(abi::CUcontext context) {
    auto const held = lock();
    auto const found = contexts_.find(context);
    return found == contexts_.end() ? counter_values{} : found->second.totals;
}

launch_record gpu_registry::last_launch(abi::CUcontext context) {
    auto const held = lock();
    auto const found = contexts_.find(context);
    return found == contexts_.end() ? launch_record{} : found->second.last;
}

void gpu_registry::listen(abi::CUcontext context, std::function<void(counter_values const&)> listener) {
    auto const held = lock();
    if (auto const found = contexts_.find(context); found != contexts_.end())
        found->second.on_launch = std::move(listener);
}

void gpu_registry::reset() {
    auto const held = lock();
    contexts_.clear();
    devices_.clear();
}

} // namespace sim
GPUPROF_NAMESPACE_END
