// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of driver objects by handle.
#ifndef GPUPROF_SRC_SIM_DRIVER_HANDLES_HPP
#define GPUPROF_SRC_SIM_DRIVER_HANDLES_HPP

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// Owns the objects of one kind and finds them by handle. A handle is a number, not an address, and
// no number is used twice. So a handle that outlives its object, or was never given out, is not
// found. Not thread-safe; the driver's lock protects it.
template <class Handle, class Object>
class handle_table {
public:
    // `family` keeps the numbers of different kinds apart.
    explicit handle_table(std::uintptr_t family) noexcept : next_{(family << 40) + 16} {}

    Handle add(std::unique_ptr<Object> object) {
        Handle const handle = reserve();
        add(handle, std::move(object));
        return handle;
    }
    // A handle for an object that is added later, or never.
    [[nodiscard]] Handle reserve() noexcept {
        auto const number = next_;
        next_ += 16;
        return reinterpret_cast<Handle>(number);
    }
    void add(Handle reserved, std::unique_ptr<Object> object) {
        objects_.emplace(reinterpret_cast<std::uintptr_t>(reserved), std::move(object));
    }
    // Null if the table has no such handle, or no longer.
    [[nodiscard]] Object* find(Handle handle) const {
        auto const found = objects_.find(reinterpret_cast<std::uintptr_t>(handle));
        return found == objects_.end() ? nullptr : found->second.get();
    }
    bool remove(Handle handle) { return objects_.erase(reinterpret_cast<std::uintptr_t>(handle)) != 0; }

    template <class Predicate>
    void remove_if(Predicate&& is_removed) {
        std::erase_if(objects_, [&](auto const& entry) { return is_removed(*entry.second); });
    }
    template <class F>
    void for_each_entry(F&& f) const {
        for (auto const& [number, object] : objects_) f(reinterpret_cast<Handle>(number), *object);
    }
    template <class F>
    void for_each(F&& f) const {
        for (auto const& entry : objects_) f(*entry.second);
    }

private:
    std::map<std::uintptr_t, std::unique_ptr<Object>> objects_;
    std::uintptr_t next_;
};

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_HANDLES_HPP
