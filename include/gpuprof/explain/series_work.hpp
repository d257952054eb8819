// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work of a series, of any type, as one that is called by a pointer.
#ifndef GPUPROF_EXPLAIN_SERIES_WORK_HPP
#define GPUPROF_EXPLAIN_SERIES_WORK_HPP

#include <string>
#include <string_view>
#include <type_traits>

#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/abi/results.hpp"
#include "../hw/machine/status.hpp"
#include "series_axis.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// What the work of a series is: called with the values of a combination, it launches. It gives nothing, a result<void>, or the
// status of a call of the driver or the runtime, of which 0 is success.
template <class Work>
concept launches_combination = requires(Work& work, parameters const& values) {
    work(values);
};

namespace detail {

[[nodiscard]] GPUPROF_COLD inline error refused_by_work(int status) {
    auto const known = static_cast<abi::CUresult>(status);
    std::string_view const text = abi::name(known);
    hw::advice const usual = hw::advise(known);
    return {usual.code == errc::device_lost ? usual.code : errc::launch_failed, status,
            gpuprof::detail::joined({"the work of the series: ", text, text.empty() ? "status " : " (",
                                     std::to_string(status), text.empty() ? "" : ")"}),
            usual.cause, usual.remedy};
}

struct series_work {
    void const* work;
    result<void> (*call)(void const* work, parameters const& values);

    template <class Work>
    [[nodiscard]] static series_work of(Work& work) noexcept {
        return {
            &work, [](void const* to, parameters const& values) -> result<void> {
                auto& run = *const_cast<Work*>(static_cast<Work const*>(to));
                using returned = std::remove_cvref_t<decltype(run(values))>;
                if constexpr (std::is_void_v<returned>) {
                    run(values);
                    return {};
                } else if constexpr (std::is_same_v<returned, result<void>>) {
                    return run(values);
                } else {
                    static_assert(
                        (std::is_integral_v<returned> && !std::is_same_v<returned, bool>) || std::is_enum_v<returned>,
                        "gpuprof: the work of a series returns nothing, result<void>, or a CUresult or cudaError_t");
                    auto const status = static_cast<int>(run(values));
                    if (status != 0) return refused_by_work(status);
                    return {};
                }
            }};
    }
};

} // namespace detail
} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_SERIES_WORK_HPP
