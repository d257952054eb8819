// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the memory checks of driver calls: decides which checks are on, and reports what they find.
#ifndef GPUPROF_SRC_SIM_DRIVER_CHECKS_HPP
#define GPUPROF_SRC_SIM_DRIVER_CHECKS_HPP

#include <cstddef>
#include <cstdint>
#include <string>

#include <gpuprof/core/result.hpp>
#include <gpuprof/sim/check_set.hpp>
#include <gpuprof/sim/finding.hpp>
#include <gpuprof/sim/launch_error.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct call;
struct context_state;
struct state;

// What GPUPROF_CHECK says now. Error: invalid_argument for a word that is no check.
[[nodiscard]] result<check_set> checks_of_environment();

// Starts to watch the context's memory if any check is on. Memory that was allocated before counts
// as written.
void begin_checks(state const& all, context_state& context);

// "0x7f00"
[[nodiscard]] std::string hexadecimal(std::uint64_t address);

void add_finding(call& in, finding_kind kind, std::uint64_t address, std::string detail);

// Call it after a free was refused because nothing is allocated at `address`.
void check_free(call& in, std::uint64_t address);

// Call it after a copy of rows.
void check_copy(call& in, std::uint64_t to, std::size_t to_row, std::uint64_t from, std::size_t from_row,
                std::size_t width, std::size_t height);

// Call it after a kernel was stopped. @param was_freed the kernel accessed memory that was freed
// before
void check_fault(call& in, launch_error const& why, bool was_freed);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_CHECKS_HPP
