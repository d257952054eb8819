// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a profiler holds of the timeline it records into: either may end first. Defined in
// timeline.hpp.
#ifndef GPUPROF_MEASURE_ATTACHED_TIMELINE_HPP
#define GPUPROF_MEASURE_ATTACHED_TIMELINE_HPP

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

class timeline;

namespace detail {

// A target's pointer to the timeline that it records into, which is null from the timeline's end
// on. Cold but for get().
class attached_timeline {
public:
    explicit attached_timeline(timeline* to) noexcept { attach(to); }
    attached_timeline(attached_timeline&& other) noexcept { attach(other.detach()); }
    attached_timeline& operator=(attached_timeline&&) = delete;
    ~attached_timeline() { detach(); }

    // Relaxed, on machines of weak memory order too: who has the target was handed it after it was
    // attached, and null says nothing of what was written before.
    [[nodiscard]] timeline* get() const noexcept { return load_relaxed(to_); }

private:
    friend class gpuprof::timeline;
    void attach(timeline* to) noexcept;
    timeline* detach() noexcept; // returns what it was attached to

    timeline* to_ = nullptr;
    attached_timeline* next_ = nullptr; // of the same timeline
};

// Held while a list of attached targets is read or changed: as rare as making a profiler.
class attachment_lock {
public:
    attachment_lock() noexcept {
        while (exchange(held_, 1u) != 0) {}
    }
    ~attachment_lock() { store_release(held_, 0u); }
    attachment_lock(attachment_lock const&) = delete;
    attachment_lock& operator=(attachment_lock const&) = delete;

private:
    static inline constinit unsigned held_ = 0;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_ATTACHED_TIMELINE_HPP
