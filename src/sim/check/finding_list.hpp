// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of all findings of a process.
#ifndef GPUPROF_SRC_SIM_CHECK_FINDING_LIST_HPP
#define GPUPROF_SRC_SIM_CHECK_FINDING_LIST_HPP

#include <vector>

#include <gpuprof/sim/finding.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// All findings of a process, in their order. Not thread-safe: the driver's lock is held.
class finding_list {
public:
    // Keeps a new finding, and calls the listener with it unless told not to; counts a finding that
    // is there already.
    void add(finding found, bool calls_listener = true);
    [[nodiscard]] std::vector<finding> const& all() const noexcept { return findings_; }
    void clear() noexcept { findings_.clear(); }

    void (*listener)(finding const&) = nullptr;

private:
    static bool is_same(finding const& a, finding const& b);
    std::vector<finding> findings_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHECK_FINDING_LIST_HPP
