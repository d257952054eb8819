// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of the functions that can be listened to. Numbers are those of CUPTI's headers; tests/abi compares them all.
#include <doctest/doctest.h>

#include <string>

#include <gpuprof/trace/function_families.hpp>
#include <gpuprof/trace/function_names.hpp>

namespace function_names_test {

using gpuprof::callback_domain;
using gpuprof::callback_set;
using gpuprof::driver_call;
using gpuprof::driver_function;
using gpuprof::errc;
using gpuprof::first_release;
using gpuprof::nvtx_call;
using gpuprof::runtime_call;
using gpuprof::activity::release;
namespace abi = gpuprof::abi;

TEST_CASE("function names: a number has a name and the release that brought it") {
    static_assert(name(driver_call<"cuLaunchKernel">) == "cuLaunchKernel");
    static_assert(static_cast<unsigned>(driver_call<"cuLaunchKernel">) == 307);
    static_assert(static_cast<unsigned>(runtime_call<"cudaLaunchKernel_v7000">) == 211);
    static_assert(name(nvtx_call<"nvtxRangePushA">) == "nvtxRangePushA");
    CHECK(name(static_cast<driver_function>(1)) == "cuInit");
    CHECK(name(static_cast<driver_function>(0)).empty());
    CHECK(name(static_cast<driver_function>(60'000)).empty());
    CHECK(first_release(driver_call<"cuLaunchKernel">) == release(11, 8));
    CHECK(first_release(driver_call<"cuLibraryGetUnifiedFunction">) == release(12, 0));
    CHECK(first_release(runtime_call<"cudaGetDriverEntryPointByVersion_v12050">) == release(12, 5));
    CHECK(first_release(driver_call<"cuDriverGetGpuCodeIsaVersion">) == release(13, 0));
    CHECK(first_release(static_cast<driver_function>(60'000)) == gpuprof::activity::cuda_release{});
}

TEST_CASE("function names: calls by the name that programs write, all variants of it") {
    static_assert(gpuprof::calls<"cudaMemcpyAsync"> ==
                  (runtime_call<"cudaMemcpyAsync_v3020"> | runtime_call<"cudaMemcpyAsync_ptsz_v7000">));
    static_assert(gpuprof::calls<"cudaMemcpyAsync_v3020"> == callback_set{runtime_call<"cudaMemcpyAsync_v3020">});
    static_assert(gpuprof::calls<"cuMemAlloc"> == (driver_call<"cuMemAlloc"> | driver_call<"cuMemAlloc_v2">));
    static_assert(gpuprof::calls<"nvtxRangePop"> == callback_set{nvtx_call<"nvtxRangePop">});
    auto const found = gpuprof::try_calls("cuLaunchKernel");
    REQUIRE(found);
    CHECK(*found == (driver_call<"cuLaunchKernel"> | driver_call<"cuLaunchKernel_ptsz">));
}

TEST_CASE("function names: an unknown name is refused with the nearest ones") {
    auto const misspelt = gpuprof::try_calls("cudaMemcpyAsinc");
    REQUIRE_FALSE(misspelt);
    CHECK(misspelt.error().code == errc::invalid_argument);
    CHECK(misspelt.error().what == "cudaMemcpyAsinc");
    CHECK(misspelt.error().remedy.find("perhaps cudaMemcpyAsync") == 0);
    CHECK(gpuprof::try_calls("cuLaunchKernal").error().remedy.find("perhaps cuLaunchKernel") == 0);
    CHECK(gpuprof::try_calls("nvtxRangePush").error().remedy.find("nvtxRangePushA") != std::string::npos);
    CHECK_FALSE(gpuprof::try_calls(""));
    CHECK_FALSE(gpuprof::try_calls("_v3020"));
    CHECK_FALSE(gpuprof::try_calls(std::string(100'000, 'c')));
    CHECK_FALSE(gpuprof::try_calls(std::string_view{"cuInit\0", 7}));
}

TEST_CASE("function families: what launches, copies, fills, allocates, frees and waits") {
    using namespace gpuprof;
    auto const has = [](callback_set const& set, auto function) { return !(set - as_callbacks(function) == set); };
    CHECK(has(driver_calls::launches, driver_call<"cuLaunchKernelEx_ptsz">));
    CHECK(has(driver_calls::launches, driver_call<"cuGraphLaunch">));
    CHECK_FALSE(has(driver_calls::launches, driver_call<"cuLaunchHostFunc">));
    CHECK(has(driver_calls::copies, driver_call<"cuMemcpy3DPeerAsync_ptsz">));
    CHECK_FALSE(has(driver_calls::copies, driver_call<"cuGraphAddMemcpyNode">));
    CHECK(has(driver_calls::sets, driver_call<"cuMemsetD2D32Async">));
    CHECK(has(driver_calls::allocations, driver_call<"cuMemAllocFromPoolAsync">));
    CHECK_FALSE(has(driver_calls::allocations, driver_call<"cuMemGetAllocationGranularity">));
    CHECK(has(driver_calls::frees, driver_call<"cuMemFreeAsync_ptsz">));
    CHECK(has(driver_calls::synchronizations, driver_call<"cuStreamSynchronize">));
    CHECK(has(runtime_calls::launches, runtime_call<"__cudaLaunchKernel_v13000">)); // what <<<>>> is in CUDA 13
    CHECK(has(runtime_calls::copies, runtime_call<"cudaMemcpyToSymbol_v3020">));
    CHECK(has(runtime_calls::frees, runtime_call<"cudaFreeAsync_v11020">));
    CHECK_FALSE(driver_calls::launches.any(abi::CUPTI_CB_DOMAIN_RUNTIME_API));
}

TEST_CASE("callback ids: typed ids are joined to sets, and taken from domains") {
    callback_set const set = callback_domain::driver - driver_call<"cuCtxGetCurrent">;
    CHECK_FALSE(set.has({abi::CUPTI_CB_DOMAIN_DRIVER_API, 304}));
    CHECK(set.has({abi::CUPTI_CB_DOMAIN_DRIVER_API, 305}));
    CHECK(
        (gpuprof::resource_change::stream_created | gpuprof::state_kind::warning).has({abi::CUPTI_CB_DOMAIN_STATE, 3}));
    CHECK((callback_domain::nvtx | gpuprof::synchronization_kind::context).has({abi::CUPTI_CB_DOMAIN_SYNCHRONIZE, 2}));
}

} // namespace function_names_test
