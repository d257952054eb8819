// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of numbers in activity records.
#ifndef GPUPROF_HW_ACTIVITY_LISTS_HPP
#define GPUPROF_HW_ACTIVITY_LISTS_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// Device numbers; -1 fills the rest.
struct peer_list {
    std::int32_t devices[32]{};
    friend constexpr bool operator==(peer_list const&, peer_list const&) = default;
};

// A bit for each processor; bit 0 of the first word is the first.
struct processor_set {
    std::uint64_t words[5]{};
    friend constexpr bool operator==(processor_set const&, processor_set const&) = default;
};

// 32 words: bits or numbers, as the member says.
struct words_32 {
    std::uint32_t words[32]{};
    friend constexpr bool operator==(words_32 const&, words_32 const&) = default;
};

// The ports of links: a byte each in the record up to CUDA 13.1, a word each in CUPTI's own memory
// from 13.2 on. Refers to CUPTI's memory, and is valid as long as the record.
class port_list {
public:
    // Nothing if the link is connected to no port. @pre `which` is less than the number of links
    [[nodiscard]] std::optional<std::uint32_t> port(std::size_t which) const noexcept {
        if (bytes_ == nullptr) return {};
        std::uint32_t number = 0;
        std::memcpy(&number, bytes_ + which * width_, width_);
        if (number == (width_ == 1 ? 0xffu : 0xffffffffu)) return {};
        return number;
    }

    // @param bytes those of the record's member: the ports themselves, or a pointer to them
    void read(char const* bytes, std::size_t size) noexcept {
        width_ = size == sizeof(void*) ? 4 : 1;
        bytes_ = bytes;
        if (width_ == 4) std::memcpy(&bytes_, bytes, sizeof bytes_);
    }

private:
    char const* bytes_ = nullptr;
    std::size_t width_ = 1;
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_LISTS_HPP
