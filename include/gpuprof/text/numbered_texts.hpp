// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives equal texts one number.
#ifndef GPUPROF_TEXT_NUMBERED_TEXTS_HPP
#define GPUPROF_TEXT_NUMBERED_TEXTS_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A sorted list: <unordered_map> costs whoever includes a header 6,300 lines, <map> 4,700.
class numbered_texts {
public:
    // 0 for the first text, 1 for the first that differs from it, and so on. Cost: a binary search; for a new text, also
    // that of an insertion into a vector.
    std::size_t number_of(std::string_view text) {
        std::size_t low = 0, high = sorted_.size();
        while (low < high) {
            std::size_t const middle = low + (high - low) / 2;
            if (sorted_[middle].text < text) low = middle + 1;
            else high = middle;
        }
        if (low < sorted_.size() && sorted_[low].text == text) return sorted_[low].number;
        std::size_t const number = sorted_.size();
        sorted_.insert(sorted_.begin() + static_cast<std::ptrdiff_t>(low), {std::string{text}, number});
        return number;
    }
    [[nodiscard]] std::size_t size() const noexcept { return sorted_.size(); }

private:
    struct numbered {
        std::string text;
        std::size_t number;
    };
    std::vector<numbered> sorted_{};
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TEXT_NUMBERED_TEXTS_HPP
