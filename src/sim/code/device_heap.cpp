// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_heap.hpp"

#include <cstdint>
#include <iterator>
#include <mutex>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

device_heap::device_heap(std::uint64_t begin, std::uint64_t bytes) : bytes_{bytes} {
    if (bytes != 0) free_.emplace(begin, bytes);
}

std::uint64_t device_heap::allocate(std::uint64_t bytes) {
    std::lock_guard const only{mutex_};
    if (bytes == 0 || bytes > bytes_) return 0;
    std::uint64_t const rounded = (bytes + 15) / 16 * 16;
    for (auto piece = free_.begin(); piece != free_.end(); ++piece) {
        if (piece->second < rounded) continue;
        auto const [at, room] = *piece;
        free_.erase(piece);
        if (room > rounded) free_.emplace(at + rounded, room - rounded);
        used_.emplace(at, rounded);
        return at;
    }
    return 0;
}

bool device_heap::release(std::uint64_t address) {
    std::lock_guard const only{mutex_};
    auto const found = used_.find(address);
    if (found == used_.end()) return false;
    auto piece = free_.emplace(address, found->second).first;
    used_.erase(found);
    if (auto const next = std::next(piece); next != free_.end() && piece->first + piece->second == next->first) {
        piece->second += next->second;
        free_.erase(next);
    }
    if (piece == free_.begin()) return true;
    if (auto const last = std::prev(piece); last->first + last->second == piece->first) {
        last->second += piece->second;
        free_.erase(piece);
    }
    return true;
}

} // namespace sim
GPUPROF_NAMESPACE_END
