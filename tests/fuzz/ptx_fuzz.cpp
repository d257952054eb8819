// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the embedded GPU from text to execution: any text is parsed, loaded as an application loads a module, and its
// kernels run for a few steps, counted. Whatever the text, every call returns, with a status that is explained.
//
//   ./run fuzz [SECONDS]
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "sim/counters/raw_counter.hpp"
#include <gpuprof/sim/open.hpp>
#include "sim/decode/program.hpp"
#include "sim/chip/chips.hpp"
#include "sim/gpu/gpu_state.hpp"

namespace {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;

// A GPU so small that what a text can ask for fits in this process many times over.
constexpr sim::chip_model little_gpu = [] {
    sim::chip_model chip = sim::gh100;
    chip.instances = {1, 1, 2, 8, 2, 2, 2, 1};
    chip.l2_bytes = std::size_t{1} << 18;
    chip.memory_bytes = std::size_t{1} << 24;
    return chip;
}();

void must(bool holds) {
    if (!holds) std::abort();
}

abi::driver_table const& driver() {
    static abi::driver_table const& table = sim::embedded_machine().driver;
    return table;
}
int device() {
    static int const number = [] {
        sim::set_execution({.threads = 1, .step_budget = 2000});
        int const added = sim::shared().registry.add_device(little_gpu);
        must(driver().Init(0) == abi::CUDA_SUCCESS);
        return added;
    }();
    return number;
}

// The launches a module has.
struct kernel {
    std::string name;
    std::size_t parameter_bytes;
    unsigned block[3];
};

// Reads the text as it is, null characters included.
std::vector<kernel> kernels_of(std::string const& text) {
    sim::device_memory memory{little_gpu.memory_bytes};
    auto const loaded = sim::program::load(text, memory);
    std::vector<kernel> kernels;
    if (!loaded) {
        must(!loaded.error().message().empty());
        return kernels;
    }
    for (auto const& k : loaded->kernels()) {
        auto const& block = k->bounds.required_threads;
        if (block[0] != 0) kernels.push_back({k->name, k->parameter_bytes, {block[0], block[1], block[2]}});
        else kernels.push_back({k->name, k->parameter_bytes, {48, 1, 1}});
    }
    return kernels;
}

// A context with the text as a module, which is null if it does not load.
class application {
public:
    explicit application(char const* text) {
        must(driver().CtxCreate(&context_, 0, device()) == abi::CUDA_SUCCESS);
        must(driver().MemAlloc(&buffer_, 4096) == abi::CUDA_SUCCESS);
        char log[64] = "unwritten";
        abi::CUjit_option options[]{abi::CU_JIT_ERROR_LOG_BUFFER, abi::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void* values[]{log, reinterpret_cast<void*>(sizeof log)};
        auto const status = driver().ModuleLoadDataEx(&module_, text, 2, options, values);
        must(std::memchr(log, '\0', sizeof log) != nullptr);
        must((status == abi::CUDA_SUCCESS) == (log[0] == '\0'));
    }
    ~application() {
        if (module_ != nullptr) static_cast<void>(driver().ModuleUnload(module_));
        must(driver().CtxDestroy(context_) == abi::CUDA_SUCCESS);
    }
    application(application const&) = delete;
    application& operator=(application const&) = delete;

    [[nodiscard]] bool loaded() const { return module_ != nullptr; }

    // False when the launch has cost the context.
    bool launch(kernel const& k) {
        abi::CUfunction function = nullptr;
        if (driver().ModuleGetFunction(&function, module_, k.name.c_str()) != abi::CUDA_SUCCESS) return true;
        std::vector<std::byte> parameters(k.parameter_bytes); // every aligned word of them points to the buffer
        for (std::size_t at = 0; at + 8 <= parameters.size(); at += 8) std::memcpy(parameters.data() + at, &buffer_, 8);
        std::size_t size = parameters.size();
        void* extra[]{reinterpret_cast<void*>(1), parameters.data(), reinterpret_cast<void*>(2), &size, nullptr};
        auto const launched =
            driver().LaunchKernel(function, 2, 1, 1, k.block[0], k.block[1], k.block[2], 64, nullptr, nullptr, extra);
        auto const ended = driver().CtxSynchronize();
        if (ended == abi::CUDA_SUCCESS) return true;
        must(launched == abi::CUDA_SUCCESS); // what is refused costs nothing
        auto const why = sim::last_launch_error(context_);
        must(why.has_value() && !why->message().empty());
        return false;
    }

private:
    abi::CUcontext context_ = nullptr;
    abi::CUmodule module_ = nullptr;
    abi::CUdeviceptr buffer_ = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string const text(reinterpret_cast<char const*>(data), size);
    std::vector<kernel> const kernels = kernels_of(text);
    for (std::size_t next = 0; next == 0 || next < kernels.size();) {
        application one{text.c_str()};
        if (!one.loaded() || kernels.empty()) break;
        while (next < kernels.size())
            if (!one.launch(kernels[next++])) break;
    }
    return 0;
}
