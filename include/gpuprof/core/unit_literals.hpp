// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Literals for quantities: 4096_sectors is sectors{4096}.
#ifndef GPUPROF_CORE_UNIT_LITERALS_HPP
#define GPUPROF_CORE_UNIT_LITERALS_HPP

#include "../detail/config.hpp"
#include "units.hpp"

GPUPROF_NAMESPACE_BEGIN

//     using namespace gpuprof::literals;
//     CHECK(report["copy"][metrics::l2_sectors] <= 4096_sectors);
//
// There is a literal for each named unit without a clock, for whole and other numbers:
// 62.5_percent.
namespace literals {
// clang-format off
[[nodiscard]] constexpr bytes operator""_bytes(unsigned long long count) noexcept { return bytes{static_cast<double>(count)}; }
[[nodiscard]] constexpr bytes operator""_bytes(long double amount) noexcept { return bytes{static_cast<double>(amount)}; }
[[nodiscard]] constexpr sectors operator""_sectors(unsigned long long count) noexcept { return sectors{static_cast<double>(count)}; }
[[nodiscard]] constexpr sectors operator""_sectors(long double amount) noexcept { return sectors{static_cast<double>(amount)}; }
[[nodiscard]] constexpr requests operator""_requests(unsigned long long count) noexcept { return requests{static_cast<double>(count)}; }
[[nodiscard]] constexpr requests operator""_requests(long double amount) noexcept { return requests{static_cast<double>(amount)}; }
[[nodiscard]] constexpr wavefronts operator""_wavefronts(unsigned long long count) noexcept { return wavefronts{static_cast<double>(count)}; }
[[nodiscard]] constexpr wavefronts operator""_wavefronts(long double amount) noexcept { return wavefronts{static_cast<double>(amount)}; }
[[nodiscard]] constexpr tags operator""_tags(unsigned long long count) noexcept { return tags{static_cast<double>(count)}; }
[[nodiscard]] constexpr tags operator""_tags(long double amount) noexcept { return tags{static_cast<double>(amount)}; }
[[nodiscard]] constexpr instructions operator""_instructions(unsigned long long count) noexcept { return instructions{static_cast<double>(count)}; }
[[nodiscard]] constexpr instructions operator""_instructions(long double amount) noexcept { return instructions{static_cast<double>(amount)}; }
[[nodiscard]] constexpr operations operator""_operations(unsigned long long count) noexcept { return operations{static_cast<double>(count)}; }
[[nodiscard]] constexpr operations operator""_operations(long double amount) noexcept { return operations{static_cast<double>(amount)}; }
[[nodiscard]] constexpr threads operator""_threads(unsigned long long count) noexcept { return threads{static_cast<double>(count)}; }
[[nodiscard]] constexpr threads operator""_threads(long double amount) noexcept { return threads{static_cast<double>(amount)}; }
[[nodiscard]] constexpr warps operator""_warps(unsigned long long count) noexcept { return warps{static_cast<double>(count)}; }
[[nodiscard]] constexpr warps operator""_warps(long double amount) noexcept { return warps{static_cast<double>(amount)}; }
[[nodiscard]] constexpr ctas operator""_ctas(unsigned long long count) noexcept { return ctas{static_cast<double>(count)}; }
[[nodiscard]] constexpr ctas operator""_ctas(long double amount) noexcept { return ctas{static_cast<double>(amount)}; }
[[nodiscard]] constexpr clusters operator""_clusters(unsigned long long count) noexcept { return clusters{static_cast<double>(count)}; }
[[nodiscard]] constexpr clusters operator""_clusters(long double amount) noexcept { return clusters{static_cast<double>(amount)}; }
[[nodiscard]] constexpr registers operator""_registers(unsigned long long count) noexcept { return registers{static_cast<double>(count)}; }
[[nodiscard]] constexpr registers operator""_registers(long double amount) noexcept { return registers{static_cast<double>(amount)}; }
[[nodiscard]] constexpr bank_conflicts operator""_bank_conflicts(unsigned long long count) noexcept { return bank_conflicts{static_cast<double>(count)}; }
[[nodiscard]] constexpr bank_conflicts operator""_bank_conflicts(long double amount) noexcept { return bank_conflicts{static_cast<double>(amount)}; }
[[nodiscard]] constexpr samples operator""_samples(unsigned long long count) noexcept { return samples{static_cast<double>(count)}; }
[[nodiscard]] constexpr samples operator""_samples(long double amount) noexcept { return samples{static_cast<double>(amount)}; }
[[nodiscard]] constexpr events operator""_events(unsigned long long count) noexcept { return events{static_cast<double>(count)}; }
[[nodiscard]] constexpr events operator""_events(long double amount) noexcept { return events{static_cast<double>(amount)}; }
[[nodiscard]] constexpr percent operator""_percent(unsigned long long count) noexcept { return percent{static_cast<double>(count)}; }
[[nodiscard]] constexpr percent operator""_percent(long double amount) noexcept { return percent{static_cast<double>(amount)}; }
[[nodiscard]] constexpr ratio operator""_ratio(unsigned long long count) noexcept { return ratio{static_cast<double>(count)}; }
[[nodiscard]] constexpr ratio operator""_ratio(long double amount) noexcept { return ratio{static_cast<double>(amount)}; }
[[nodiscard]] constexpr seconds operator""_seconds(unsigned long long count) noexcept { return seconds{static_cast<double>(count)}; }
[[nodiscard]] constexpr seconds operator""_seconds(long double amount) noexcept { return seconds{static_cast<double>(amount)}; }
[[nodiscard]] constexpr nanoseconds operator""_nanoseconds(unsigned long long count) noexcept { return nanoseconds{static_cast<double>(count)}; }
[[nodiscard]] constexpr nanoseconds operator""_nanoseconds(long double amount) noexcept { return nanoseconds{static_cast<double>(amount)}; }
[[nodiscard]] constexpr sectors_per_request operator""_sectors_per_request(unsigned long long count) noexcept { return sectors_per_request{static_cast<double>(count)}; }
[[nodiscard]] constexpr sectors_per_request operator""_sectors_per_request(long double amount) noexcept { return sectors_per_request{static_cast<double>(amount)}; }
// clang-format on
} // namespace literals

GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_UNIT_LITERALS_HPP
