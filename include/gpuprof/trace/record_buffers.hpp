// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffers that CUPTI writes records to: a fixed number, lent and given back.
#ifndef GPUPROF_TRACE_RECORD_BUFFERS_HPP
#define GPUPROF_TRACE_RECORD_BUFFERS_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "../detail/config.hpp"
#include "../hw/machine/platform/fork.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "../hw/activity/kind_set.hpp"
#include "activity_calls.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A buffer that CUPTI has handed back, with records in its first `valid` bytes.
struct filled_buffer {
    std::size_t number = 0;
    std::uint8_t* bytes = nullptr;
    std::size_t valid = 0;

    // Bytes from a record to the end.
    [[nodiscard]] std::size_t readable(void const* at) const noexcept {
        return valid - static_cast<std::size_t>(static_cast<std::uint8_t const*>(at) - bytes);
    }
};

// How records are counted that nobody will read.
struct record_counting {
    next_record next{};
    activity::kind_set asked{};

    [[nodiscard]] std::size_t records_in(std::uint8_t* bytes, std::size_t valid) const noexcept {
        std::size_t count = 0;
        abi::CUpti_Activity* at = nullptr;
        while (next(bytes, valid, &at) == abi::CUPTI_SUCCESS && at != nullptr) count += asked.has(at->kind) ? 1 : 0;
        return count;
    }
};

// A buffer is free, lent to CUPTI, filled, or read by somebody, who gives it back. Free buffers hold zeros, which spares CUPTI
// zeroing them in the application's thread. Where none is free CUPTI gets a spare one, whose records are counted and lost: left
// without a buffer, CUPTI 13.0 loses nearly all records and 94 bytes of memory with each. Thread-safe; a call holds a mutex for
// tens of nanoseconds. In the child of a fork nothing is given back: CUPTI does not ask there.
class record_buffers {
public:
    // The system gives the pages when they are written. Fewer than asked for, or none, where memory ends.
    record_buffers(std::size_t count, std::size_t bytes, record_counting of_lost)
        : bytes_{bytes}, forks_{platform::forks_so_far()}, of_lost_{of_lost} {
        if (count > most) count = most;
        buffers_.reserve(count + spares);
        free_.reserve(count);
        filled_.reserve(count);
        list_.reserve(count);
        spare_.reserve(spares);
        for (std::size_t i = 0; i < count + spares; ++i) {
            auto* const made = static_cast<std::uint8_t*>(std::calloc(bytes, 1));
            if (made == nullptr) break;
            buffers_.emplace_back(made);
        }
        count_ = buffers_.size() < count ? buffers_.size() : count;
        for (std::size_t i = count_; i > 0; --i) free_.push_back(i - 1);
        for (std::size_t i = count_; i < buffers_.size(); ++i) spare_.push_back(i);
    }
    record_buffers(record_buffers const&) = delete;
    record_buffers& operator=(record_buffers const&) = delete;

    [[nodiscard]] std::size_t size() const noexcept { return count_; } // without the spare ones
    [[nodiscard]] std::size_t bytes_each() const noexcept { return bytes_; }

    // A buffer for CUPTI: a free one, else a spare one, else null.
    [[nodiscard]] std::uint8_t* lend() noexcept {
        platform::lock const held{mutex_};
        std::vector<std::size_t>& from = free_.empty() ? spare_ : free_;
        if (from.empty()) return nullptr;
        std::uint8_t* const lent = buffers_[from.back()].get();
        from.pop_back();
        ++lent_;
        return lent;
    }
    // CUPTI hands a buffer back. False if it is none of these.
    bool take_back(std::uint8_t* bytes, std::size_t valid) noexcept {
        if (valid > bytes_) valid = bytes_;
        std::size_t number = 0;
        {
            platform::lock const held{mutex_};
            while (number < buffers_.size() && buffers_[number].get() != bytes) ++number;
            if (number == buffers_.size()) return false;
            if (number < count_) {
                --lent_;
                if (valid == 0) free_.push_back(number);
                else filled_.push_back({number, bytes, valid});
                return true;
            }
        }
        std::size_t const lost = of_lost_.records_in(bytes, valid);
        std::memset(bytes, 0, valid);
        platform::lock const held{mutex_};
        lost_ += lost;
        --lent_;
        spare_.push_back(number);
        return true;
    }
    // How many records were lost for want of a buffer since the last call.
    [[nodiscard]] std::size_t take_lost() noexcept {
        platform::lock const held{mutex_};
        return std::exchange(lost_, 0);
    }
    // All that are filled, in the order in which CUPTI handed them back. The list of those that were given back before is used
    // again, so that taking allocates only while another list is out.
    [[nodiscard]] std::vector<filled_buffer> take_filled() {
        platform::lock const held{mutex_};
        std::vector<filled_buffer> taken = std::exchange(list_, {});
        taken.reserve(count_);
        taken.swap(filled_);
        return taken;
    }
    // Whoever read buffers gives them back.
    void give_back(std::vector<filled_buffer>&& read) noexcept {
        if (forks_ != platform::forks_so_far()) return;
        for (filled_buffer const& each : read) std::memset(each.bytes, 0, each.valid);
        platform::lock const held{mutex_};
        for (filled_buffer const& each : read) free_.push_back(each.number);
        read.clear();
        if (list_.capacity() == 0) list_ = std::move(read);
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
    static constexpr std::size_t spares = 2;
    struct free_memory {
        void operator()(std::uint8_t* bytes) const noexcept { std::free(bytes); }
    };
    platform::mutex mutex_;
    std::size_t bytes_;
    unsigned forks_;
    record_counting of_lost_;
    std::size_t count_ = 0;
    std::size_t lent_ = 0;
    std::size_t lost_ = 0;
    std::vector<std::unique_ptr<std::uint8_t, free_memory>> buffers_;
    std::vector<std::size_t> free_;
    std::vector<std::size_t> spare_;
    std::vector<filled_buffer> filled_;
    std::vector<filled_buffer> list_; // empty, with room: for those that are taken next
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_RECORD_BUFFERS_HPP
