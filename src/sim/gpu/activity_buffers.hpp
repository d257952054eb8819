// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tool's buffers for activity records.
#ifndef GPUPROF_SRC_SIM_GPU_ACTIVITY_BUFFERS_HPP
#define GPUPROF_SRC_SIM_GPU_ACTIVITY_BUFFERS_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti_activity.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Asks the tool for a buffer when a record needs one. Gives it back when the next record does not
// fit, when it has as many records as the tool wants, or when it is flushed. Both of the tool's
// functions run on the thread that writes or flushes, with no lock held, so that they may launch,
// flush and take locks. Nothing is allocated. Thread-safe.
class activity_buffers {
public:
    // Null functions stop all writing.
    void use(abi::CUpti_BuffersCallbackRequestFunc request, abi::CUpti_BuffersCallbackCompleteFunc complete);
    [[nodiscard]] bool ready() const;

    // Copies a record into the buffer. A record that finds no room, because the tool gives no
    // buffer or too small a one, is dropped and counted. So is a record of work that the tool does
    // while it is asked for a buffer. Without functions of the tool nothing is kept or counted.
    void write(std::byte const* record, std::size_t size) noexcept;

    // Gives back the buffer that has records; with `all`, empty ones too.
    void flush(bool all) noexcept;

    // Counts a record that could not be kept.
    void drop() noexcept { dropped_.fetch_add(1, std::memory_order_relaxed); }
    // The number since the last call.
    [[nodiscard]] std::size_t take_dropped() noexcept { return dropped_.exchange(0, std::memory_order_relaxed); }

    // Gives everything back and forgets the tool.
    void clear() noexcept;

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

    [[nodiscard]] bool fits(std::size_t size) const noexcept {
        return current_.bytes != nullptr && size <= current_.size - current_.used;
    }

    // Both release the lock while they call the tool.
    [[nodiscard]] buffer ask(std::unique_lock<std::mutex>& held) noexcept;
    static void give_back(buffer done, std::unique_lock<std::mutex>& held) noexcept;

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

#endif // GPUPROF_SRC_SIM_GPU_ACTIVITY_BUFFERS_HPP
