// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which scope a call was made in, by the correlation that its records bear. Layer: trace.
#ifndef GPUPROF_TRACE_SCOPE_LINKS_HPP
#define GPUPROF_TRACE_SCOPE_LINKS_HPP

#include <cstddef> // std::size_t
#include <cstdint> // ids
#include <vector>  // the newest links

#include "../detail/config.hpp"
#include "../hw/machine/platform/mutex.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The newest 2^18 correlations: CUPTI counts calls, and the records of what a call started come soon after the call's, so
// memory stays at 4 MB however long a trace is. Thread-safe.
class scope_links {
public:
    void add(std::uint32_t correlation, std::uint64_t scope) {
        platform::lock const held{mutex_};
        if (links_.empty()) links_.resize(count);
        links_[correlation % count] = {correlation, scope};
    }
    // 0: in none, or longer ago.
    [[nodiscard]] std::uint64_t scope_of(std::uint32_t correlation) const {
        platform::lock const held{mutex_};
        if (links_.empty()) return 0;
        link const& found = links_[correlation % count];
        return found.correlation == correlation ? found.scope : 0;
    }

private:
    static constexpr std::size_t count = std::size_t{1} << 18;
    struct link {
        std::uint32_t correlation = 0;
        std::uint64_t scope = 0;
    };
    mutable platform::mutex mutex_;
    std::vector<link> links_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_SCOPE_LINKS_HPP
