// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "activity_buffers.hpp"

#include <cstddef>
#include <cstring>
#include <mutex>
#include <utility>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void activity_buffers::use(abi::CUpti_BuffersCallbackRequestFunc request,
                           abi::CUpti_BuffersCallbackCompleteFunc complete) {
    std::lock_guard const held{mutex_};
    request_ = request;
    complete_ = complete;
}

bool activity_buffers::ready() const {
    std::lock_guard const held{mutex_};
    return request_ != nullptr;
}

void activity_buffers::write(std::byte const* record, std::size_t size) noexcept {
    std::unique_lock held{mutex_};
    if (request_ == nullptr) return;
    while (!fits(size)) {
        if (current_.bytes != nullptr) give_back(std::exchange(current_, {}), held); // full
        else if (spare_count_ != 0) current_ = spares_[--spare_count_];
        else {
            buffer const fresh = ask(held);
            bool const good = fresh.bytes != nullptr && fresh.size >= size && request_ != nullptr;
            if (good && current_.bytes == nullptr) current_ = fresh;
            else if (good && spare_count_ < spare_limit) spares_[spare_count_++] = fresh; // another thread was quicker
            else if (fresh.bytes != nullptr) give_back(fresh, held);
            if (!good) return drop();
        }
    }
    std::memcpy(current_.bytes + current_.used, record, size);
    current_.used += size;
    ++current_.records;
    if (current_.records == current_.limit) give_back(std::exchange(current_, {}), held);
}

void activity_buffers::flush(bool all) noexcept {
    std::unique_lock held{mutex_};
    if (current_.bytes != nullptr && (all || current_.records != 0)) give_back(std::exchange(current_, {}), held);
    while (all && spare_count_ != 0) {
        buffer const spare = spares_[--spare_count_];
        give_back(spare, held);
    }
}

void activity_buffers::clear() noexcept {
    use(nullptr, nullptr); // first: nothing is written any more
    flush(true);
    dropped_.store(0, std::memory_order_relaxed);
}

// Whether this thread is in the tool's request for a buffer.
static thread_local constinit bool is_in_buffer_request = false;

activity_buffers::buffer activity_buffers::ask(std::unique_lock<std::mutex>& held) noexcept {
    if (is_in_buffer_request) return {};
    auto const request = request_;
    buffer fresh;
    fresh.complete = complete_;
    held.unlock();
    is_in_buffer_request = true;
    request(&fresh.bytes, &fresh.size, &fresh.limit);
    is_in_buffer_request = false;
    held.lock();
    return fresh;
}
void activity_buffers::give_back(buffer done, std::unique_lock<std::mutex>& held) noexcept {
    held.unlock();
    done.complete(nullptr, 0, done.bytes, done.size, done.used);
    held.lock();
}

} // namespace sim
GPUPROF_NAMESPACE_END
