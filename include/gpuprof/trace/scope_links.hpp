// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which scope a call was made in, or which id it has, by the correlation that its records bear.
#ifndef GPUPROF_TRACE_SCOPE_LINKS_HPP
#define GPUPROF_TRACE_SCOPE_LINKS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../detail/config.hpp"
#include "names_mutex.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The newest 2^18 calls: CUPTI counts them, and the records of what a call started come soon after the call's, so memory stays
// at 4 MB however long a trace is. Correlations have 32 bits and begin anew after 2^32 calls; here they go on. Thread-safe.
class scope_links {
public:
    // A call was recorded, in whatever scope.
    void saw(std::uint32_t correlation) {
        platform::lock const held{names_mutex};
        advance(correlation);
    }
    // It was made in that scope.
    void add(std::uint32_t correlation, std::uint64_t scope) {
        platform::lock const held{names_mutex};
        if (links_.empty()) links_.resize(count);
        advance(correlation);
        links_[correlation % count] = {widened(correlation), scope};
    }
    // 0: in none, or longer ago.
    [[nodiscard]] std::uint64_t scope_of(std::uint32_t correlation) const { return find(correlation).value_or(0); }
    // Nothing: none, or longer ago.
    [[nodiscard]] std::optional<std::uint64_t> find(std::uint32_t correlation) const {
        platform::lock const held{names_mutex};
        if (links_.empty()) return std::nullopt;
        link const& found = links_[correlation % count];
        return found.call == widened(correlation) ? std::optional{found.scope} : std::nullopt;
    }

private:
    static constexpr std::size_t count = std::size_t{1} << 18;
    struct link {
        std::uint64_t call = 0; // its number, of 64 bits
        std::uint64_t scope = 0;
    };
    // The number next to the newest that has these lower bits.
    [[nodiscard]] std::uint64_t widened(std::uint32_t correlation) const noexcept {
        auto const apart = static_cast<std::int32_t>(correlation - static_cast<std::uint32_t>(newest_));
        return newest_ + static_cast<std::uint64_t>(static_cast<std::int64_t>(apart));
    }
    void advance(std::uint32_t correlation) noexcept {
        if (newest_ == 0) newest_ = (std::uint64_t{1} << 32) + correlation;
        std::uint64_t const call = widened(correlation);
        if (call > newest_) newest_ = call;
    }

    std::vector<link> links_;
    std::uint64_t newest_ = 0;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_SCOPE_LINKS_HPP
