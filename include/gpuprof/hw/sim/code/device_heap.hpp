// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What malloc and free of device code take memory from. Layer: embedded GPU, memory.
#ifndef GPUPROF_HW_SIM_CODE_DEVICE_HEAP_HPP
#define GPUPROF_HW_SIM_CODE_DEVICE_HEAP_HPP

#include <cstdint>  // addresses
#include <iterator> // neighbours
#include <map>      // pieces by address
#include <mutex>    // blocks that run side by side

#include "../../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Pieces of one stretch of device memory, which lives as long as its context: what a kernel allocates, a later one may use and
// free. First fit; a piece begins at a multiple of 16 bytes. Thread-safe. Costs the logarithm of the number of pieces, and a
// walk over those in use when memory is scattered.
class device_heap {
public:
    device_heap(std::uint64_t begin, std::uint64_t bytes) : bytes_{bytes} {
        if (bytes != 0) free_.emplace(begin, bytes);
    }

    // Zero where there is no such piece, and for zero bytes: what malloc of device code answers then.
    [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes) {
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

    // False for what allocate() did not give, or was given back already.
    [[nodiscard]] bool release(std::uint64_t address) {
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

private:
    std::mutex mutex_;
    std::uint64_t bytes_;
    std::map<std::uint64_t, std::uint64_t> free_; // bytes by address; neighbours are one piece
    std::map<std::uint64_t, std::uint64_t> used_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CODE_DEVICE_HEAP_HPP
