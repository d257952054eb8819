// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of the functions that can be listened to. Numbers are those of CUPTI's headers; tests/abi compares them all.
#include <doctest/doctest.h>

#include <string>

#include <gpuprof/trace/function_families.hpp>
#include <gpuprof/trace/function_names.hpp>

namespace function_names_test {

using gpuprof::callback_domain;
using gpuprof::callback_set;
using gpuprof::driver_function;
using gpuprof::errc;
using gpuprof::first_release;
using gpuprof::nvtx_function;
using gpuprof::runtime_function;
using gpuprof::activity::release;
namespace abi = gpuprof::abi;

TEST_CASE("function names: a number has a name and the release that brought it") {
    static_assert(name(driver_function::cuLaunchKernel) == "cuLaunchKernel");
    static_assert(static_cast<unsigned>(driver_function::cuLaunchKernel) == 307);
    static_assert(static_cast<unsigned>(runtime_function::cudaLaunchKernel_v7000) == 211);
    static_assert(name(nvtx_function::nvtxRangePushA) == "nvtxRangePushA");
    CHECK(name(static_cast<driver_function>(1)) == "cuInit");
    CHECK(name(static_cast<driver_function>(0)).empty());
    CHECK(name(static_cast<driver_function>(60'000)).empty());
    CHECK(first_release(driver_function::cuLaunchKernel) == release(11, 8));
    CHECK(first_release(driver_function::cuLibraryGetUnifiedFunction) == release(12, 0));
    CHECK(first_release(runtime_function::cudaGetDriverEntryPointByVersion_v12050) == release(12, 5));
    CHECK(first_release(driver_function::cuDriverGetGpuCodeIsaVersion) == release(13, 0));
    CHECK(first_release(static_cast<driver_function>(60'000)) == gpuprof::activity::cuda_release{});
    // Names of other releases are the same function.
    CHECK(driver_function::cuStreamCreateForCaptureToCig == driver_function::cuStreamBeginCaptureToCig);
    CHECK(runtime_function::cudaMemAdvise_v2_v12020 == runtime_function::cudaMemAdvise_v12020);
}

TEST_CASE("function names: calls by the name that programs write, all variants of it") {
    static_assert(gpuprof::calls<"cudaMemcpyAsync"> ==
                  (runtime_function::cudaMemcpyAsync_v3020 | runtime_function::cudaMemcpyAsync_ptsz_v7000));
    static_assert(gpuprof::calls<"cudaMemcpyAsync_v3020"> == callback_set{runtime_function::cudaMemcpyAsync_v3020});
    static_assert(gpuprof::calls<"cuMemAlloc"> == (driver_function::cuMemAlloc | driver_function::cuMemAlloc_v2));
    static_assert(gpuprof::calls<"nvtxRangePop"> == callback_set{nvtx_function::nvtxRangePop});
    auto const found = gpuprof::try_calls("cuLaunchKernel");
    REQUIRE(found);
    CHECK(*found == (driver_function::cuLaunchKernel | driver_function::cuLaunchKernel_ptsz));
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
    CHECK(has(driver_calls::launches, driver_function::cuLaunchKernelEx_ptsz));
    CHECK(has(driver_calls::launches, driver_function::cuGraphLaunch));
    CHECK_FALSE(has(driver_calls::launches, driver_function::cuLaunchHostFunc));
    CHECK(has(driver_calls::copies, driver_function::cuMemcpy3DPeerAsync_ptsz));
    CHECK_FALSE(has(driver_calls::copies, driver_function::cuGraphAddMemcpyNode));
    CHECK(has(driver_calls::sets, driver_function::cuMemsetD2D32Async));
    CHECK(has(driver_calls::allocations, driver_function::cuMemAllocFromPoolAsync));
    CHECK_FALSE(has(driver_calls::allocations, driver_function::cuMemGetAllocationGranularity));
    CHECK(has(driver_calls::frees, driver_function::cuMemFreeAsync_ptsz));
    CHECK(has(driver_calls::synchronizations, driver_function::cuStreamSynchronize));
    CHECK(has(runtime_calls::launches, runtime_function::__cudaLaunchKernel_v13000)); // what <<<>>> is in CUDA 13
    CHECK(has(runtime_calls::copies, runtime_function::cudaMemcpyToSymbol_v3020));
    CHECK(has(runtime_calls::frees, runtime_function::cudaFreeAsync_v11020));
    CHECK_FALSE(driver_calls::launches.any(abi::CUPTI_CB_DOMAIN_RUNTIME_API));
}

TEST_CASE("callback ids: typed ids are joined to sets, and taken from domains") {
    callback_set const set = callback_domain::driver - driver_function::cuCtxGetCurrent;
    CHECK_FALSE(set.has({abi::CUPTI_CB_DOMAIN_DRIVER_API, 304}));
    CHECK(set.has({abi::CUPTI_CB_DOMAIN_DRIVER_API, 305}));
    CHECK(
        (gpuprof::resource_change::stream_created | gpuprof::state_kind::warning).has({abi::CUPTI_CB_DOMAIN_STATE, 3}));
    CHECK((callback_domain::nvtx | gpuprof::synchronization_kind::context).has({abi::CUPTI_CB_DOMAIN_SYNCHRONIZE, 2}));
}

} // namespace function_names_test
