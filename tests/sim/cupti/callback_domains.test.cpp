// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of what the embedded CUPTI tells of contexts, streams, modules, waits and failures: CUPTI 12.0, 2.4.2 and 2.4.3, and
// the comments of cupti_callbacks.h.
#include <cstdint>
#include <string>
#include <vector>

#include "sim/driver/state.hpp"

#include "support/driver_kernels.hpp"
#include "support/heard_callbacks.hpp"

namespace callback_domains_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;
using texts = std::vector<std::string>;

namespace {

// Everything of all domains but the driver's calls, if these are not wanted.
struct hears_all : heard_callbacks {
    explicit hears_all(bool calls = false) {
        CHECK(cupti.EnableAllDomains(1, subscriber) == CUPTI_SUCCESS);
        if (!calls) CHECK(cupti.EnableDomain(0, subscriber, CUPTI_CB_DOMAIN_DRIVER_API) == CUPTI_SUCCESS);
    }
};

} // namespace

TEST_CASE("callback domains: a context is known from its creation to its end") {
    embedded_context gpu;
    hears_all heard;
    CUcontext own = nullptr;
    REQUIRE(gpu.driver.CtxCreate(&own, 0, gpu.device) == CUDA_SUCCESS);
    REQUIRE(heard.texts() == texts{"resource 1"});
    CHECK(heard.all[0].context == own);
    CHECK(gpu.driver.CtxDestroy(own) == CUDA_SUCCESS);
    REQUIRE(heard.texts() == texts{"resource 1", "resource 2"});
    CHECK(heard.all[1].context == own);
    CHECK(gpu.driver.CtxDestroy(own) == CUDA_ERROR_INVALID_CONTEXT); // nothing to tell
    CHECK(heard.all.size() == 2);

    heard.all.clear();
    CUcontext primary = nullptr;
    REQUIRE(gpu.driver.DevicePrimaryCtxRetain(&primary, gpu.device) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.DevicePrimaryCtxRetain(&primary, gpu.device) == CUDA_SUCCESS); // the same one
    REQUIRE(heard.texts() == texts{"resource 1"});
    CHECK(heard.all[0].context == primary);
    CHECK(gpu.driver.DevicePrimaryCtxRelease(gpu.device) == CUDA_SUCCESS);
    CHECK(heard.all.size() == 1);
    CHECK(gpu.driver.DevicePrimaryCtxRelease(gpu.device) == CUDA_SUCCESS);
    REQUIRE(heard.texts() == texts{"resource 1", "resource 2"});
    CHECK(heard.all[1].context == primary);
    REQUIRE(gpu.driver.DevicePrimaryCtxRetain(&primary, gpu.device) == CUDA_SUCCESS);
    CHECK(gpu.driver.DevicePrimaryCtxReset(gpu.device) == CUDA_SUCCESS);
    CHECK(heard.texts() == texts{"resource 1", "resource 2", "resource 1", "resource 2"});
    CHECK(gpu.driver.DevicePrimaryCtxRelease(gpu.device) == CUDA_SUCCESS);
    CHECK(heard.all.size() == 4); // it was gone
}

TEST_CASE("callback domains: a context's modules and streams go with it") {
    embedded_context gpu;
    hears_all heard;
    CUcontext own = nullptr;
    CUstream stream = nullptr;
    CUmodule module = nullptr;
    REQUIRE(gpu.driver.CtxCreate(&own, 0, gpu.device) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.StreamCreate(&stream, 0) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.ModuleLoadData(&module, driver_kernels) == CUDA_SUCCESS);
    heard.all.clear();
    CHECK(gpu.driver.CtxDestroy(own) == CUDA_SUCCESS);
    REQUIRE(heard.texts() == texts{"resource 2", "resource 7", "resource 4"});
    CHECK(heard.all[1].module_image == driver_kernels);
    CHECK(heard.all[2].context == own);
    CHECK(heard.all[2].stream == stream);
}

TEST_CASE("callback domains: a stream is there when its creation and its destruction are told") {
    embedded_context gpu;
    hears_all heard;
    struct asking {
        embedded_context const* gpu;
        unsigned asked = 0;
    } asking{&gpu};
    heard.inside_self = &asking;
    heard.inside = [](void* self, heard_callback const& told) {
        auto& by = *static_cast<struct asking*>(self);
        unsigned long long id = 0;
        if (told.stream == nullptr) return;
        CHECK(by.gpu->driver.StreamGetId(told.stream, &id) == CUDA_SUCCESS);
        ++by.asked;
    };
    CUstream plain = nullptr, urgent = nullptr;
    REQUIRE(gpu.driver.StreamCreate(&plain, 0) == CUDA_SUCCESS);
    REQUIRE(gpu.driver.StreamCreateWithPriority(&urgent, 0, -1) == CUDA_SUCCESS);
    CHECK(gpu.driver.StreamDestroy(plain) == CUDA_SUCCESS);
    CHECK(gpu.driver.StreamDestroy(plain) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(gpu.driver.StreamDestroy(urgent) == CUDA_SUCCESS);
    REQUIRE(heard.texts() == texts{"resource 3", "resource 3", "resource 4", "resource 4"});
    for (auto const& told : heard.all) CHECK(told.context == gpu.handle);
    CHECK(heard.all[0].stream == plain);
    CHECK(heard.all[1].stream == urgent);
    CHECK(heard.all[2].stream == plain);
    CHECK(heard.all[3].stream == urgent);
    CHECK(asking.asked == 4);
}

TEST_CASE("callback domains: a stream that another thread destroys meanwhile is destroyed once") {
    embedded_context gpu;
    CUstream stream = nullptr;
    REQUIRE(gpu.driver.StreamCreate(&stream, 0) == CUDA_SUCCESS);
    struct racing {
        embedded_context const* gpu;
        CUstream stream;
        bool inner = false;
    } racing{&gpu, stream};
    heard_callbacks heard;
    heard.enable(CUPTI_CB_DOMAIN_RESOURCE);
    heard.inside_self = &racing;
    heard.inside = [](void* self, heard_callback const&) {
        auto& by = *static_cast<struct racing*>(self);
        if (by.inner) return;
        by.inner = true;
        CHECK(by.gpu->driver.StreamDestroy(by.stream) == CUDA_SUCCESS);
    };
    CHECK(gpu.driver.StreamDestroy(stream) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(heard.texts() == texts{"resource 4", "resource 4"});
}

TEST_CASE("callback domains: a module comes with its number and its image") {
    embedded_context gpu;
    hears_all heard;
    CUmodule first = nullptr, second = nullptr;
    REQUIRE(gpu.driver.ModuleLoadData(&first, driver_kernels) == CUDA_SUCCESS);
    std::string const small = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry e() { ret; }\n";
    REQUIRE(gpu.driver.ModuleLoadDataEx(&second, small.c_str(), 0, nullptr, nullptr) == CUDA_SUCCESS);
    CHECK(gpu.driver.ModuleLoadData(&second, "no PTX") == CUDA_ERROR_INVALID_IMAGE);
    CHECK(gpu.driver.ModuleUnload(first) == CUDA_SUCCESS);
    CHECK(gpu.driver.ModuleUnload(first) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(gpu.driver.ModuleUnload(second) == CUDA_SUCCESS);
    REQUIRE(heard.texts() == texts{"resource 6", "resource 6", "resource 7", "resource 7"});
    CHECK(heard.all[0].module_image == driver_kernels);
    CHECK(heard.all[1].module_image == small);
    CHECK(heard.all[2].module_image == driver_kernels);
    CHECK(heard.all[3].module_image == small);
    CHECK(heard.all[0].module_id != 0);
    CHECK(heard.all[1].module_id == heard.all[0].module_id + 1);
    CHECK(heard.all[2].module_id == heard.all[0].module_id);
    CHECK(heard.all[3].module_id == heard.all[1].module_id);
    for (auto const& told : heard.all) CHECK(told.context == gpu.handle);
}

TEST_CASE("callback domains: the driver's start is told once") {
    embedded_context gpu;
    hears_all heard;
    CHECK(gpu.driver.Init(0) == CUDA_SUCCESS);
    CHECK(heard.all.empty());
    sim::driver::process_state().initialized = false; // as in a new process
    CHECK(gpu.driver.Init(1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(heard.all.empty());
    CHECK(gpu.driver.Init(0) == CUDA_SUCCESS);
    CHECK(heard.texts() == texts{"resource 5"});
}

TEST_CASE("callback domains: waits that succeed are told") {
    embedded_context gpu;
    CUstream stream = nullptr;
    REQUIRE(gpu.driver.StreamCreate(&stream, 0) == CUDA_SUCCESS);
    hears_all heard;
    CHECK(gpu.driver.StreamSynchronize(stream) == CUDA_SUCCESS);
    CHECK(gpu.driver.StreamSynchronize(nullptr) == CUDA_SUCCESS);
    CHECK(gpu.driver.CtxSynchronize() == CUDA_SUCCESS);
    CHECK(gpu.driver.StreamSynchronize(reinterpret_cast<CUstream>(std::uintptr_t{0x7000})) ==
          CUDA_ERROR_INVALID_HANDLE);
    REQUIRE(heard.texts() == texts{"synchronize 1", "synchronize 1", "synchronize 2"});
    for (auto const& told : heard.all) CHECK(told.context == gpu.handle);
    CHECK(heard.all[0].stream == stream);
    CHECK(heard.all[1].stream == nullptr);
    heard.end();
    CHECK(gpu.driver.StreamDestroy(stream) == CUDA_SUCCESS);
}

TEST_CASE("callback domains: what happens in a call is told between its entry and its exit") {
    embedded_context gpu;
    hears_all heard{true};
    CUstream stream = nullptr;
    REQUIRE(gpu.driver.StreamCreate(&stream, 0) == CUDA_SUCCESS);
    CHECK(gpu.driver.StreamSynchronize(stream) == CUDA_SUCCESS);
    CHECK(gpu.driver.StreamDestroy(stream) == CUDA_SUCCESS);
    heard.end();
    CHECK(heard.texts() == texts{"enter cuStreamCreate", "resource 3", "exit cuStreamCreate 0",
                                 "enter cuStreamSynchronize", "synchronize 1", "exit cuStreamSynchronize 0",
                                 "enter cuStreamDestroy_v2", "resource 4", "exit cuStreamDestroy_v2 0"});
}

TEST_CASE("callback domains: a kernel that fails is told of, with the reason, on the call that launched it") {
    with_kernels gpu;
    CUfunction const kernel = gpu.kernel("trapping");
    hears_all heard{true};
    CHECK(gpu.driver.LaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == CUDA_SUCCESS);
    CHECK(gpu.driver.CtxSynchronize() == CUDA_ERROR_LAUNCH_FAILED); // told once
    heard.end();
    REQUIRE(heard.texts() == texts{"enter cuLaunchKernel", "state 2", "exit cuLaunchKernel 0", "enter cuCtxSynchronize",
                                   "exit cuCtxSynchronize 719"});
    CHECK(heard.all[1].state_result == CUPTI_ERROR_INVALID_CONTEXT);
    CHECK(heard.all[1].message.find("kernel trapping") != std::string::npos);
}

} // namespace callback_domains_test
