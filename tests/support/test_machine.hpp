// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU for tests: a minimal driver table, the embedded GPU's CUPTI table, and kernels that are functions of the test.
#ifndef GPUPROF_TESTS_SUPPORT_TEST_MACHINE_HPP
#define GPUPROF_TESTS_SUPPORT_TEST_MACHINE_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "sim/gpu/announced_call.hpp"
#include "sim/counters/raw_counter.hpp"
#include "sim/gpu/gpu_registry.hpp"
#include "sim/chip/chips.hpp"
#include "sim/chip/chip_model.hpp"
#include <gpuprof/hw/abi/cupti.hpp>
#include <gpuprof/hw/abi/driver.hpp>
#include "sim/cupti/cupti.hpp"
#include "sim/gpu/gpu_state.hpp"
#include <gpuprof/hw/machine/status.hpp>

namespace test {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;

// What a launch looked like.
struct launch {
    std::string kernel;
    unsigned grid[3];
    unsigned block[3];
    [[nodiscard]] std::uint64_t ctas() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
    [[nodiscard]] std::uint64_t threads() const { return ctas() * block[0] * block[1] * block[2]; }
};

// Makes the process a machine with these devices until it is destroyed; one at a time. Fill `on_launch` to say what a
// kernel counts; without it, a launch counts itself: CTAs, warps and threads launched, and 1,000 ns.
//
//     test::test_machine machine{gpuprof::sim::gh100};
//     machine.on_launch = [](test::launch const&, sim::counter_values& counted) { counted[…] = 7; };
//     machine.launch("saxpy", 4, 256);   // or through machine.driver
class test_machine {
public:
    explicit test_machine(sim::chip_model const& model = sim::gh100) : test_machine({&model}) {}
    explicit test_machine(std::initializer_list<sim::chip_model const*> models) : models_{models} {
        sim::cupti::table().Finalize();
        sim::shared().registry.reset();
        sim::gpu_registry::set_current(nullptr);
        for (sim::chip_model const* model : models_) sim::shared().registry.add_device(*model);
        primary_.resize(models_.size());
        fill_driver();
        active() = this;
    }
    ~test_machine() {
        sim::cupti::table().Finalize();
        sim::shared().registry.reset();
        sim::gpu_registry::set_current(nullptr);
        active() = nullptr;
        for (void* const block : blocks_) std::free(block);
    }
    test_machine(test_machine const&) = delete;
    test_machine& operator=(test_machine const&) = delete;

    abi::driver_table driver; // calls not implemented here are null, as with an old driver
    abi::cupti_table cupti = sim::cupti::table();

    std::function<void(test::launch const&, sim::counter_values&)> on_launch;

    // The device's primary context, retained and made current on this thread.
    abi::CUcontext use_device(int ordinal = 0) {
        abi::CUcontext context = nullptr;
        driver.DevicePrimaryCtxRetain(&context, ordinal);
        driver.CtxSetCurrent(context);
        return context;
    }

    // Launches without a module; CUDA_ERROR_INVALID_CONTEXT with no context current.
    abi::CUresult launch(std::string kernel, unsigned grid = 1, unsigned block = 32) {
        return announced({std::move(kernel), {grid, 1, 1}, {block, 1, 1}});
    }

    // Counts something on the current context outside of any kernel.
    static void add(sim::raw_counter which, std::uint64_t count) {
        sim::shared().registry.add(sim::gpu_registry::current(), which, count);
    }

    // The current context fails, as after an illegal address.
    static void lose_context() { sim::shared().registry.lose(sim::gpu_registry::current()); }

    [[nodiscard]] std::size_t launches() const {
        std::lock_guard const lock{mutex_};
        return launches_;
    }

private:
    struct function {
        std::string name;
    };

    static test_machine*& active() {
        static test_machine* machine = nullptr;
        return machine;
    }

    // Handles are addresses of what they stand for.
    template <class Handle, class T>
    static Handle handle(T* of) {
        return reinterpret_cast<Handle>(of);
    }

    // As a driver does for tools that subscribed.
    abi::CUresult announced(test::launch const& what) {
        abi::cuLaunchKernel_params const given{nullptr,       what.grid[0],  what.grid[1],  what.grid[2],
                                               what.block[0], what.block[1], what.block[2], 0,
                                               nullptr,       nullptr,       nullptr};
        if (!sim::announced_call::is_heard()) return run(what);
        sim::announced_call known{abi::CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, "cuLaunchKernel", &given};
        known.describe({sim::gpu_registry::current(), 1}, what.kernel.c_str());
        known.enter();
        abi::CUresult const status = run(what);
        known.done(status);
        known.leave();
        return status;
    }

    abi::CUresult run(test::launch const& what) {
        abi::CUcontext const context = sim::gpu_registry::current();
        if (sim::shared().registry.device_of(context) == nullptr) return abi::CUDA_ERROR_INVALID_CONTEXT;
        if (sim::shared().registry.is_lost(context)) return abi::CUDA_ERROR_ILLEGAL_ADDRESS;
        sim::counter_values counted;
        counted[sim::raw_counter::ctas_launched] = what.ctas();
        counted[sim::raw_counter::warps_launched] = what.ctas() * ((what.threads() / what.ctas() + 31) / 32);
        counted[sim::raw_counter::threads_launched] = what.threads();
        counted[sim::raw_counter::gpu_time_ns] = 1000;
        if (on_launch) on_launch(what, counted);
        sim::shared().registry.launched(context, counted);
        std::lock_guard const lock{mutex_};
        ++launches_;
        return abi::CUDA_SUCCESS;
    }

    abi::CUcontext make_context(int device) {
        std::lock_guard const lock{mutex_};
        contexts_.push_back(std::make_unique<int>(device));
        auto const context = handle<abi::CUcontext>(contexts_.back().get());
        sim::shared().registry.attach(context, device);
        return context;
    }

    static bool is_device(int device) { return device >= 0 && device < sim::shared().registry.device_count(); }
    static sim::chip_model const& model_of(int device) { return *active()->models_[static_cast<std::size_t>(device)]; }
    static abi::CUresult healthy() {
        abi::CUcontext const context = sim::gpu_registry::current();
        if (sim::shared().registry.device_of(context) == nullptr) return abi::CUDA_ERROR_INVALID_CONTEXT;
        return sim::shared().registry.is_lost(context) ? abi::CUDA_ERROR_ILLEGAL_ADDRESS : abi::CUDA_SUCCESS;
    }

    void fill_driver() {
        using namespace abi;
        driver.Init = [](unsigned) { return CUDA_SUCCESS; };
        driver.DriverGetVersion = [](int* version) { return *version = 13000, CUDA_SUCCESS; };
        driver.GetErrorName = [](CUresult status, char const** text) {
            auto const found = abi::name(status);
            *text = found.empty() ? nullptr : found.data();
            return found.empty() ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
        };
        driver.GetErrorString = driver.GetErrorName;

        driver.DeviceGetCount = [](int* count) { return *count = sim::shared().registry.device_count(), CUDA_SUCCESS; };
        driver.DeviceGet = [](CUdevice* device, int ordinal) {
            if (!is_device(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
            *device = ordinal;
            return CUDA_SUCCESS;
        };
        driver.DeviceGetName = [](char* name, int length, CUdevice device) {
            if (!is_device(device) || length <= 0) return CUDA_ERROR_INVALID_VALUE;
            std::strncpy(name, model_of(device).device_name, static_cast<std::size_t>(length));
            name[length - 1] = '\0';
            return CUDA_SUCCESS;
        };
        driver.DeviceGetAttribute = [](int* value, CUdevice_attribute attribute, CUdevice device) {
            if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
            sim::chip_model const& model = model_of(device);
            switch (attribute) {
                case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: *value = model.capability().generation; break;
                case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: *value = model.capability().revision; break;
                case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: *value = model.count(sim::hardware_unit::sm); break;
                case CU_DEVICE_ATTRIBUTE_WARP_SIZE: *value = 32; break;
                case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = 1024; break;
                case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR: *value = model.threads_per_sm; break;
                case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: *value = static_cast<int>(model.gpc_hz / 1000); break;
                case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: *value = static_cast<int>(model.l2_bytes); break;
                default: *value = 0;
            }
            return CUDA_SUCCESS;
        };
        driver.DeviceGetUuid = [](CUuuid* uuid, CUdevice device) {
            if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
            *uuid = {};
            uuid->bytes[0] = static_cast<char>(device + 1);
            return CUDA_SUCCESS;
        };
        driver.DeviceTotalMem = [](std::size_t* bytes, CUdevice device) {
            if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
            *bytes = model_of(device).memory_bytes;
            return CUDA_SUCCESS;
        };
        driver.DeviceGetPCIBusId = [](char* id, int length, CUdevice device) {
            if (!is_device(device) || length < 13) return CUDA_ERROR_INVALID_VALUE;
            std::strcpy(id, "0000:00:00.0");
            id[6] = static_cast<char>('0' + device);
            return CUDA_SUCCESS;
        };

        driver.DevicePrimaryCtxRetain = [](CUcontext* context, CUdevice device) {
            if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
            CUcontext& primary = active()->primary_[static_cast<std::size_t>(device)];
            if (primary == nullptr) primary = active()->make_context(device);
            *context = primary;
            return CUDA_SUCCESS;
        };
        driver.DevicePrimaryCtxRelease = [](CUdevice device) {
            return is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
        };
        driver.DevicePrimaryCtxGetState = [](CUdevice device, unsigned* flags, int* is_active) {
            if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
            *flags = 0;
            *is_active = active()->primary_[static_cast<std::size_t>(device)] != nullptr;
            return CUDA_SUCCESS;
        };
        driver.CtxCreate = [](CUcontext* context, unsigned, CUdevice device) {
            if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
            *context = active()->make_context(device);
            sim::gpu_registry::set_current(*context);
            return CUDA_SUCCESS;
        };
        driver.CtxDestroy = [](CUcontext context) {
            if (sim::shared().registry.device_of(context) == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
            sim::shared().registry.detach(context);
            if (sim::gpu_registry::current() == context) sim::gpu_registry::set_current(nullptr);
            return CUDA_SUCCESS;
        };
        driver.CtxSetCurrent = [](CUcontext context) { return sim::gpu_registry::set_current(context), CUDA_SUCCESS; };
        driver.CtxGetCurrent = [](CUcontext* context) { return *context = sim::gpu_registry::current(), CUDA_SUCCESS; };
        driver.CtxPushCurrent = [](CUcontext context) {
            pushed().push_back(sim::gpu_registry::current());
            sim::gpu_registry::set_current(context);
            return CUDA_SUCCESS;
        };
        driver.CtxPopCurrent = [](CUcontext* context) {
            if (pushed().empty()) return CUDA_ERROR_INVALID_CONTEXT;
            if (context != nullptr) *context = sim::gpu_registry::current();
            sim::gpu_registry::set_current(pushed().back());
            pushed().pop_back();
            return CUDA_SUCCESS;
        };
        driver.CtxGetDevice = [](CUdevice* device) {
            auto const* const model = sim::shared().registry.device_of(sim::gpu_registry::current());
            if (model == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
            *device = *reinterpret_cast<int const*>(sim::gpu_registry::current());
            return CUDA_SUCCESS;
        };
        driver.CtxSynchronize = healthy;
        driver.CtxGetApiVersion = [](CUcontext context, unsigned* version) {
            if (context != nullptr && sim::shared().registry.device_of(context) == nullptr)
                return CUDA_ERROR_INVALID_CONTEXT;
            return *version = 3020, CUDA_SUCCESS;
        };

        driver.ModuleLoadData = [](CUmodule* module, void const*) {
            *module = handle<CUmodule>(active());
            return healthy();
        };
        driver.ModuleUnload = [](CUmodule) { return CUDA_SUCCESS; };
        driver.ModuleGetFunction = [](CUfunction* found, CUmodule, char const* name) { // every kernel is there
            std::lock_guard const lock{active()->mutex_};
            *found = handle<CUfunction>(&active()->functions_.try_emplace(name, function{name}).first->second);
            return CUDA_SUCCESS;
        };
        driver.FuncGetName = [](char const** name, CUfunction of) {
            return *name = reinterpret_cast<function const*>(of)->name.c_str(), CUDA_SUCCESS;
        };
        driver.LaunchKernel = [](CUfunction kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                 unsigned bz, unsigned, CUstream, void**, void**) {
            if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
            if (gx * gy * gz == 0 || bx * by * bz == 0) return CUDA_ERROR_INVALID_VALUE;
            return active()->announced({reinterpret_cast<function const*>(kernel)->name, {gx, gy, gz}, {bx, by, bz}});
        };

        driver.MemAlloc = [](CUdeviceptr* address, std::size_t bytes) {
            void* const block = std::malloc(bytes);
            std::lock_guard const lock{active()->mutex_};
            active()->blocks_.push_back(block);
            *address = reinterpret_cast<std::uintptr_t>(block);
            return healthy();
        };
        driver.MemFree = [](CUdeviceptr) { return healthy(); }; // with the machine
        driver.MemcpyHtoD = [](CUdeviceptr to, void const* from, std::size_t bytes) {
            return std::memcpy(reinterpret_cast<void*>(to), from, bytes), healthy();
        };
        driver.MemcpyDtoH = [](void* to, CUdeviceptr from, std::size_t bytes) {
            return std::memcpy(to, reinterpret_cast<void const*>(from), bytes), healthy();
        };
        driver.StreamSynchronize = [](CUstream) { return healthy(); };
    }

    static std::vector<abi::CUcontext>& pushed() {
        thread_local std::vector<abi::CUcontext> stack;
        return stack;
    }

    mutable std::mutex mutex_;
    std::vector<sim::chip_model const*> models_;
    std::vector<abi::CUcontext> primary_;
    std::vector<std::unique_ptr<int>> contexts_; // each holds its device's ordinal
    std::map<std::string, function> functions_;
    std::vector<void*> blocks_;
    std::size_t launches_ = 0;
};

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_TEST_MACHINE_HPP
