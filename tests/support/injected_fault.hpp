// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an error has to tell of a call that a test made fail: the kind, the call, the status by name and number, and a
// remedy where there is one. Test support.
#ifndef GPUPROF_TESTS_SUPPORT_INJECTED_FAULT_HPP
#define GPUPROF_TESTS_SUPPORT_INJECTED_FAULT_HPP

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <gpuprof/core/error.hpp>
#include <gpuprof/hw/abi/results.hpp>

namespace test {

// How often each call, by exported name, was made to fail.
using calls_by_name = std::map<std::string, std::size_t>;

inline std::size_t total(calls_by_name const& calls) {
    std::size_t sum = 0;
    for (auto const& call : calls) sum += call.second;
    return sum;
}

// A status to fail with, and what an error must make of it.
template <class Status>
struct injected_fault {
    Status status;
    char const* name;
    gpuprof::errc code;
    bool has_remedy;

    // "cuptiRangeProfilerEnable: CUPTI_ERROR_HARDWARE_BUSY (26)"; errors leave the version of an exported name out.
    [[nodiscard]] std::string text(std::string_view call) const {
        return std::string{call.substr(0, call.find("_v2"))} + ": " + name + " (" +
               std::to_string(static_cast<int>(status)) + ')';
    }
    void check(gpuprof::error const& why, std::string_view call) const {
        CAPTURE(why.message());
        CHECK(why.code == code);
        CHECK(why.status == static_cast<int>(status));
        CHECK(why.what.find(text(call)) != std::string::npos);
        CHECK(why.cause.empty() != has_remedy);
        CHECK(why.remedy.empty() != has_remedy);
    }
};

inline constexpr injected_fault<gpuprof::abi::CUptiResult> hardware_fault{
    gpuprof::abi::CUPTI_ERROR_HARDWARE, "CUPTI_ERROR_HARDWARE", gpuprof::errc::device_lost, true};
inline constexpr injected_fault<gpuprof::abi::CUptiResult> hardware_busy{
    gpuprof::abi::CUPTI_ERROR_HARDWARE_BUSY, "CUPTI_ERROR_HARDWARE_BUSY", gpuprof::errc::busy, true};
inline constexpr injected_fault<gpuprof::abi::CUptiResult> no_privileges{
    gpuprof::abi::CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES", gpuprof::errc::permission,
    true};
inline constexpr injected_fault<gpuprof::abi::CUptiResult> unknown_error{
    gpuprof::abi::CUPTI_ERROR_UNKNOWN, "CUPTI_ERROR_UNKNOWN", gpuprof::errc::internal, false};
inline constexpr injected_fault<gpuprof::abi::CUresult> launch_failed{
    gpuprof::abi::CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", gpuprof::errc::device_lost, true};

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_INJECTED_FAULT_HPP
