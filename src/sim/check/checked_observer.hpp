// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An observer of a launch that also checks it.
#ifndef GPUPROF_SRC_SIM_CHECK_CHECKED_OBSERVER_HPP
#define GPUPROF_SRC_SIM_CHECK_CHECKED_OBSERVER_HPP

#include <utility>

#include "../code/observer.hpp"
#include "cta_check.hpp"
#include "launch_check.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Counts as `Observer` does. @pre the launch runs on one host thread; both outlive the object
template <observer Observer>
class checked_observer {
public:
    checked_observer(Observer& counts, launch_check& launch) noexcept : counts_{counts}, launch_{launch} {}

    class sm : public Observer::sm {
    public:
        using check_type = cta_check;
        sm(typename Observer::sm&& counts, launch_check& launch) : Observer::sm{std::move(counts)}, launch_{&launch} {}
        [[nodiscard]] launch_check& check() const noexcept { return *launch_; }

    private:
        launch_check* launch_;
    };

    [[nodiscard]] sm make_sm(unsigned index) { return {counts_.make_sm(index), launch_}; }
    void merge(unsigned index, sm&& counted) { counts_.merge(index, std::move(counted)); }

private:
    Observer& counts_;
    launch_check& launch_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHECK_CHECKED_OBSERVER_HPP
