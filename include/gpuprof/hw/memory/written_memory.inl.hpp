// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of written_memory.hpp.
#ifndef GPUPROF_HW_MEMORY_WRITTEN_MEMORY_INL_HPP
#define GPUPROF_HW_MEMORY_WRITTEN_MEMORY_INL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../machine/in_context.hpp"
#include "../machine/platform/clock.hpp"
#include "memory_hash.hpp"
#include "written_memory.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A call for a piece costs as much as a copy of so many bytes: nearer pieces are one.
inline constexpr std::size_t smallest_gap = 16 * hw::hashed_chunk;

[[nodiscard]] inline result<std::vector<std::uint64_t>> try_hash(hw::memory_hasher& hasher,
                                                                 hw::memory_copy const& copy) {
    if (copy.on_device() != 0) return hasher.try_hash({copy.on_device(), copy.bytes()});
    std::vector<std::uint64_t> hashes;
    std::vector<unsigned char> part(copy.in_file() ? copied_at_once : 0); // whole chunks
    for (std::size_t at = 0; at < copy.bytes(); at += hw::hashed_chunk) {
        std::size_t const rest = copy.bytes() - at;
        unsigned char const* bytes = copy.in_file() ? nullptr : copy.on_host() + at;
        if (copy.in_file()) {
            std::size_t const offset = at % part.size();
            if (offset == 0)
                if (auto read = copy.try_read(at, part.data(), rest < part.size() ? rest : part.size()); !read)
                    return std::move(read).error();
            bytes = part.data() + offset;
        }
        hashes.push_back(hw::hash_of_chunk(bytes, rest < hw::hashed_chunk ? rest : hw::hashed_chunk));
    }
    return hashes;
}

} // namespace detail

namespace hw {

GPUPROF_INLINE written_memory::~written_memory() {
    watch_.end();
    forget_copies();
    if (!changed_.empty())
        static_cast<void>(in_context(gpu_->driver(), gpu_->context(), [this]() -> result<void> {
            changed_.clear();
            return {};
        }));
}

GPUPROF_INLINE void written_memory::forget_copies() noexcept {
    if (copies_.empty()) return;
    static_cast<void>(in_context(gpu_->driver(), gpu_->context(), [this]() -> result<void> {
        copies_.clear();
        return {};
    }));
}

GPUPROF_INLINE result<void> written_memory::try_begin_run() {
    return watch_.try_begin(
        gpu_->machine(), gpu_->context(), [](void*, launch_event const&) {}, this, &written_memory::before_launch);
}

// On the launching thread, whose context is that of the launch.
GPUPROF_INLINE void written_memory::before_launch(void* self, launch_event const& launch) {
    auto& memory = *static_cast<written_memory*>(self);
    if (memory.failure_) return;
    if (auto saved = memory.try_reach(launch); !saved) memory.failure_ = std::move(saved).error();
}

GPUPROF_INLINE result<void> written_memory::try_reach(launch_event const& launch) {
    auto const& driver = gpu_->driver();
    reached_.add(launch, driver, 0);
    if (copies_.size() == reached_.items().size()) return {};
    if (auto ready = try_wait_for_context(driver, "the memory of a launch was not saved",
                                          "end the capture before other kernels are launched");
        !ready)
        return ready;
    for (std::size_t i = copies_.size(); i < reached_.items().size(); ++i) {
        memory_span const& span = reached_.items()[i].span;
        auto copy = memory_copy::try_create(driver, span.bytes, room_);
        if (!copy) return std::move(copy).error();
        copies_.push_back(*std::move(copy));
        if (auto filled = copies_.back().try_fill(0, span.begin, span.bytes); !filled) return filled;
    }
    if (auto status = driver.CtxSynchronize()) return explain("cuCtxSynchronize", status); // before other streams write
    return {};
}

GPUPROF_INLINE result<void> written_memory::try_end_run() {
    watch_.end();
    if (!failure_ && reached_.unread() != 0)
        failure_ = error{errc::not_collected, 0,
                         "memory is not put back: that of " + std::to_string(reached_.unread()) +
                             (reached_.unread() == 1 ? " launch" : " launches") + " is not known",
                         "they are launches of graphs, or the driver is older than that of CUDA 12.4",
                         "profiler_options::memory = memory_control::restore saves all memory of the context"};
    result<void> done = failure_ ? result<void>{*failure_} : try_find_changes();
    if (done) done = in_context(gpu_->driver(), gpu_->context(), [this] { return try_keep_changes(); });
    forget_copies();
    if (!done) { // not in part
        static_cast<void>(in_context(gpu_->driver(), gpu_->context(), [this]() -> result<void> {
            changed_.clear();
            return {};
        }));
        cost_ = {};
    }
    return done;
}

GPUPROF_INLINE result<void> written_memory::try_find_changes() {
    auto hasher = memory_hasher::try_create(*gpu_);
    if (!hasher) return std::move(hasher).error();
    for (std::size_t i = 0; i < copies_.size(); ++i) {
        memory_span const& span = reached_.items()[i].span;
        cost_.reached += span.bytes;
        if (!is_still_there(*gpu_, span)) continue; // the code allocates it anew each time
        auto now = hasher->try_hash(span);
        if (!now) return std::move(now).error();
        auto then = gpuprof::detail::try_hash(*hasher, copies_[i]);
        if (!then) return std::move(then).error();
        bool first = true;
        for (std::size_t chunk = 0; chunk < now->size(); ++chunk) {
            if ((*now)[chunk] == (*then)[chunk]) continue;
            std::size_t const from = chunk * hashed_chunk, rest = span.bytes - from;
            std::size_t const end = from + (rest < hashed_chunk ? rest : hashed_chunk);
            if (first || from - (pieces_.back().from + pieces_.back().bytes) > gpuprof::detail::smallest_gap)
                pieces_.push_back({span, i, from, 0, 0, 0});
            first = false;
            pieces_.back().bytes = end - pieces_.back().from;
        }
    }
    return {};
}

// As much as there is room for on the device, then on the host; the rest in a file.
GPUPROF_INLINE result<void> written_memory::try_keep_changes() {
    auto const& driver = gpu_->driver();
    std::size_t first = 0;
    for (int place = 0; place < 3 && first < pieces_.size(); ++place) {
        std::size_t const room = place == 0   ? memory_copy::room_on_device(driver, room_)
                                 : place == 1 ? memory_copy::room_on_host(room_)
                                              : copy_limits::as_there_is_room;
        std::size_t bytes = 0, end = first;
        for (; end < pieces_.size() && pieces_[end].bytes <= room - bytes; ++end) {
            pieces_[end].kept = changed_.size();
            pieces_[end].at = bytes;
            bytes += pieces_[end].bytes;
        }
        if (end == first) continue;
        auto made = memory_copy::try_create(driver, bytes, room_);
        if (!made) return std::move(made).error();
        std::uint64_t const began = platform::monotonic_nanoseconds();
        for (; first < end; ++first) {
            piece const& each = pieces_[first];
            if (auto filled = made->try_fill(each.at, copies_[each.copy], each.from, each.bytes); !filled)
                return filled;
        }
        // Before the copies of the run are freed, and for the time that it takes.
        if (auto status = driver.CtxSynchronize()) return explain("cuCtxSynchronize", status);
        cost_.milliseconds += static_cast<double>(platform::monotonic_nanoseconds() - began) / 1e6;
        (made->on_device() != 0 ? cost_.on_device : made->in_file() ? cost_.in_file : cost_.on_host) += bytes;
        changed_.push_back(*std::move(made));
    }
    return {};
}

GPUPROF_INLINE result<void> written_memory::try_put_back() {
    if (changed_.empty()) return {};
    auto const& driver = gpu_->driver();
    return in_context(driver, gpu_->context(), [&]() -> result<void> {
        if (auto ready = try_wait_for_context(driver, "memory was not put back", "end the capture in the loop's body");
            !ready)
            return ready;
        abi::CUdeviceptr looked_at = 0;
        bool there = false;
        for (piece const& each : pieces_) {
            if (each.allocation.begin != looked_at) {
                looked_at = each.allocation.begin;
                there = is_still_there(*gpu_, each.allocation);
            }
            if (!there) continue;
            if (auto done = changed_[each.kept].try_put_back(each.at, each.allocation.begin + each.from, each.bytes);
                !done)
                return done;
        }
        if (auto status = driver.CtxSynchronize()) return explain("cuCtxSynchronize", status);
        return {};
    });
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MEMORY_WRITTEN_MEMORY_INL_HPP
