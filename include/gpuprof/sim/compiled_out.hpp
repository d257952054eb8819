// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: the names of sim.hpp. There is no embedded GPU, and it finds nothing.
#ifndef GPUPROF_SIM_COMPILED_OUT_HPP
#define GPUPROF_SIM_COMPILED_OUT_HPP

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "../hw/machine/compiled_out.hpp"
#include "check_set.hpp"
#include "collection.hpp"
#include "embedded_metrics.hpp"
#include "execution_settings.hpp"
#include "finding.hpp"
#include "launch_error.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Whoever calls these three includes gpuprof/hw/machine/machine.hpp, as for device::machine().
template <class Machine = hw::machine>
[[nodiscard]] Machine const& embedded_machine() {
    static Machine const none{gpuprof::detail::no_driver()};
    return none;
}
template <class Machine = hw::machine>
[[nodiscard]] Machine const& embedded_legacy_machine() {
    return embedded_machine<Machine>();
}
template <class Machine = hw::machine>
[[nodiscard]] Machine const& embedded_target_machine() {
    return embedded_machine<Machine>();
}
[[nodiscard]] inline result<device> open_embedded(std::string_view, collection, unsigned = 0) {
    return try_open_device();
}
[[nodiscard]] inline result<device> open_embedded(std::string_view) { return try_open_device(); }
inline void set_execution(execution_settings const&) noexcept {}
inline void set_cold_caches(bool) noexcept {}
[[nodiscard]] inline std::optional<launch_error> last_launch_error(abi::CUcontext) { return {}; }
inline void listen_to_failures(void (*)(launch_error const&)) noexcept {}
[[nodiscard]] inline std::vector<finding> findings() { return {}; }
inline void forget_findings() noexcept {}
inline void find_leaks() noexcept {}
inline void listen_to_findings(void (*)(finding const&)) noexcept {}

[[nodiscard]] inline result<std::vector<embedded_metric>> try_embedded_metrics(std::string_view) {
    return gpuprof::detail::compiled_out();
}
[[nodiscard]] inline std::vector<std::string_view> embedded_chip_names() { return {}; }
[[nodiscard]] inline result<check_set> checks_named(std::string_view) { return check_set{}; }
[[nodiscard]] inline std::string_view name(finding_kind) noexcept { return {}; }
[[nodiscard]] inline std::string_view name(launch_failure) noexcept { return {}; }
inline std::string finding_side::text() const { return {}; }
inline std::string finding::message() const { return {}; }
inline std::string launch_error::message() const { return {}; }

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SIM_COMPILED_OUT_HPP
