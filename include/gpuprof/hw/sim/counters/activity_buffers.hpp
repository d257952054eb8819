// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tool's buffers that activity records go to. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_COUNTERS_ACTIVITY_BUFFERS_HPP
#define GPUPROF_HW_SIM_COUNTERS_ACTIVITY_BUFFERS_HPP

#include <atomic>  // dropped records
#include <cstddef> // std::size_t
#include <cstdint> // buffers
#include <cstring> // std::memcpy
#include <mutex>   // one lock for the buffers
#include <utility> // std::exchange

#include "../../../detail/config.hpp"
#include "../../abi/cupti_activity.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Asks for a buffer when a record needs one, and gives it back when the next record does not fit, when it has as many as
// the tool wants, or when it is flushed: from the thread that wrote or flushed, with no lock held, so that the tool may
// launch, flush and take its own locks in both functions. Nothing is allocated. Thread-safe.
class activity_buffers {
public:
    void use(abi::CUpti_BuffersCallbackRequestFunc request, abi::CUpti_BuffersCallbackCompleteFunc complete) {
        std::lock_guard const held{mutex_};
        request_ = request;
        complete_ = complete;
    }
    [[nodiscard]] bool ready() const {
        std::lock_guard const held{mutex_};
        return request_ != nullptr;
    }

    // Copies a record into the buffer. One that finds no room, because the tool gives no buffer or too small a one, is
    // dropped and counted; so is one of work that the tool does while it is asked for a buffer. Without functions of the
    // tool nothing is kept or counted.
    void write(std::byte const* record, std::size_t size) noexcept {
        std::unique_lock held{mutex_};
        if (request_ == nullptr) return;
        while (!fits(size)) {
            if (current_.bytes != nullptr) give_back(std::exchange(current_, {}), held); // full
            else if (spare_count_ != 0) current_ = spares_[--spare_count_];
            else {
                buffer const fresh = ask(held);
                bool const good = fresh.bytes != nullptr && fresh.size >= size && request_ != nullptr;
                if (good && current_.bytes == nullptr) current_ = fresh;
                else if (good && spare_count_ < spare_limit) spares_[spare_count_++] = fresh; // a thread was quicker
                else if (fresh.bytes != nullptr) give_back(fresh, held);
                if (!good) return drop();
            }
        }
        std::memcpy(current_.bytes + current_.used, record, size);
        current_.used += size;
        ++current_.records;
        if (current_.records == current_.limit) give_back(std::exchange(current_, {}), held);
    }

    // Gives back the buffer that has records; with `all`, empty ones too.
    void flush(bool all) noexcept {
        std::unique_lock held{mutex_};
        if (current_.bytes != nullptr && (all || current_.records != 0)) give_back(std::exchange(current_, {}), held);
        while (all && spare_count_ != 0) {
            buffer const spare = spares_[--spare_count_];
            give_back(spare, held);
        }
    }

    // Counts a record that could not be kept.
    void drop() noexcept { dropped_.fetch_add(1, std::memory_order_relaxed); }
    // The number since the last call.
    [[nodiscard]] std::size_t take_dropped() noexcept { return dropped_.exchange(0, std::memory_order_relaxed); }

    // Gives everything back and forgets the tool.
    void clear() noexcept {
        use(nullptr, nullptr); // first: nothing is written any more
        flush(true);
        dropped_.store(0, std::memory_order_relaxed);
    }

private:
    struct buffer {
        std::uint8_t* bytes = nullptr;
        std::size_t size = 0;
        std::size_t limit = 0; // records; 0: as many as fit
        std::size_t used = 0;
        std::size_t records = 0;
        abi::CUpti_BuffersCallbackCompleteFunc complete = nullptr; // of the tool that gave it
    };
    static constexpr std::size_t spare_limit = 16;

    [[nodiscard]] static bool& in_tool() noexcept {
        static thread_local constinit bool asked = false;
        return asked;
    }
    [[nodiscard]] bool fits(std::size_t size) const noexcept {
        return current_.bytes != nullptr && size <= current_.size - current_.used;
    }

    // Both give the lock away meanwhile.
    [[nodiscard]] buffer ask(std::unique_lock<std::mutex>& held) noexcept {
        if (in_tool()) return {};
        auto const request = request_;
        buffer made;
        made.complete = complete_;
        held.unlock();
        in_tool() = true;
        request(&made.bytes, &made.size, &made.limit);
        in_tool() = false;
        held.lock();
        return made;
    }
    static void give_back(buffer done, std::unique_lock<std::mutex>& held) noexcept {
        held.unlock();
        done.complete(nullptr, 0, done.bytes, done.size, done.used);
        held.lock();
    }

    mutable std::mutex mutex_;
    abi::CUpti_BuffersCallbackRequestFunc request_ = nullptr;
    abi::CUpti_BuffersCallbackCompleteFunc complete_ = nullptr;
    buffer current_;
    buffer spares_[spare_limit];
    std::size_t spare_count_ = 0;
    std::atomic<std::size_t> dropped_{0};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_ACTIVITY_BUFFERS_HPP
