// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffers that CUPTI writes records to: a fixed number, lent and given back. Layer: trace.
#ifndef GPUPROF_TRACE_RECORD_BUFFERS_HPP
#define GPUPROF_TRACE_RECORD_BUFFERS_HPP

#include <cstddef> // std::size_t
#include <cstdint> // std::uint8_t
#include <cstdlib> // std::calloc
#include <cstring> // std::memset
#include <memory>  // std::unique_ptr
#include <vector>  // buffers

#include "../detail/config.hpp"
#include "../hw/machine/platform/fork.hpp"
#include "../hw/machine/platform/mutex.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A buffer that CUPTI has handed back, with records in its first `valid` bytes.
struct filled_buffer {
    std::size_t number = 0;
    std::uint8_t* bytes = nullptr;
    std::size_t valid = 0;
};

// A buffer is free, lent to CUPTI, filled, or read by somebody, who gives it back. Free buffers hold zeros, which spares CUPTI
// zeroing them in the application's thread. Thread-safe; a call holds a mutex for tens of nanoseconds. In the child of a fork
// nothing is given back: CUPTI does not ask there.
class record_buffers {
public:
    // The system gives the pages when they are written. Fewer than asked for, or none, where memory ends.
    record_buffers(std::size_t count, std::size_t bytes) : bytes_{bytes}, forks_{platform::forks_so_far()} {
        if (count > most) count = most;
        buffers_.reserve(count);
        free_.reserve(count);
        filled_.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            auto* const made = static_cast<std::uint8_t*>(std::calloc(bytes, 1));
            if (made == nullptr) break;
            buffers_.emplace_back(made);
            free_.push_back(count - 1 - i);
        }
        if (buffers_.size() == count) return;
        free_.clear();
        for (std::size_t i = buffers_.size(); i > 0; --i) free_.push_back(i - 1);
    }
    record_buffers(record_buffers const&) = delete;
    record_buffers& operator=(record_buffers const&) = delete;

    [[nodiscard]] std::size_t size() const noexcept { return buffers_.size(); }
    [[nodiscard]] std::size_t bytes_each() const noexcept { return bytes_; }

    // A free buffer for CUPTI, or null.
    [[nodiscard]] std::uint8_t* lend() noexcept {
        platform::lock const held{mutex_};
        if (free_.empty()) return nullptr;
        std::uint8_t* const lent = buffers_[free_.back()].get();
        free_.pop_back();
        ++lent_;
        return lent;
    }
    // CUPTI hands a buffer back. False if it is none of these.
    bool take_back(std::uint8_t* bytes, std::size_t valid) noexcept {
        platform::lock const held{mutex_};
        for (std::size_t i = 0; i < buffers_.size(); ++i) {
            if (buffers_[i].get() != bytes) continue;
            --lent_;
            if (valid == 0) free_.push_back(i);
            else filled_.push_back({i, bytes, valid < bytes_ ? valid : bytes_});
            return true;
        }
        return false;
    }
    // All that are filled, in the order in which CUPTI handed them back; `to` has room for size() of them.
    void take_filled(std::vector<filled_buffer>& to) {
        platform::lock const held{mutex_};
        to.insert(to.end(), filled_.begin(), filled_.end());
        filled_.clear();
    }
    // Whoever read a buffer gives it back.
    void give_back(filled_buffer const& read) noexcept {
        if (forks_ != platform::forks_so_far()) return;
        std::memset(read.bytes, 0, read.valid);
        platform::lock const held{mutex_};
        free_.push_back(read.number);
    }
    [[nodiscard]] bool has_filled() noexcept {
        platform::lock const held{mutex_};
        return !filled_.empty();
    }
    // How many CUPTI has.
    [[nodiscard]] std::size_t lent() noexcept {
        platform::lock const held{mutex_};
        return lent_;
    }

private:
    static constexpr std::size_t most = 65536; // a system maps no more pieces of memory for a process
    struct free_memory {
        void operator()(std::uint8_t* bytes) const noexcept { std::free(bytes); }
    };
    platform::mutex mutex_;
    std::size_t bytes_;
    unsigned forks_;
    std::size_t lent_ = 0;
    std::vector<std::unique_ptr<std::uint8_t, free_memory>> buffers_;
    std::vector<std::size_t> free_;
    std::vector<filled_buffer> filled_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_RECORD_BUFFERS_HPP
