// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of kernels, one line each with its verdict and its numbers, on the device that GPUPROF_DEVICE names: on a GPU, on the
// embedded GPU, and on recordings of both. recording.sh runs and compares them.
//
//     recording            prints the lines
//     recording library    also a multiplication by cuBLAS, whose kernels have no PTX
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include <dlfcn.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/judge.hpp>
#include <gpuprof/replay.hpp>
#include <gpuprof/sim.hpp>

#include "../../examples/unit_test/kernels.hpp"

namespace expect = gpuprof::expect;
namespace metrics = gpuprof::metrics;
using namespace gpuprof::literals;

namespace {

// The first line of what a check says; the others are advice and where values are from.
void print(char const* what, gpuprof::outcome const& found) {
    std::string text = found.verdict == gpuprof::verdict::inconclusive ? found.reason : found.expanded;
    text.resize(std::min(text.find('\n'), text.size()));
    std::printf("%-34s %-12s %s\n", what, std::string{name(found.verdict)}.c_str(), text.c_str());
}
#define CHECKED(what, ...) print(what, gpuprof::judge::settled(gpuprof::judge::decomposer{} << __VA_ARGS__))

// A product of two matrices by cuBLAS, if there is one that works; nothing else.
class library {
public:
    explicit library(gpuprof::device const& gpu) : driver_{gpu.driver()} {
        for (char const* const name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"})
            if (handle_ == nullptr) handle_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
        int (*create)(void**) = nullptr;
        if (!find("cublasCreate_v2", create) || !find("cublasSgemm_v2", multiply_) || create(&blas_) != 0) return;
        for (auto& each : matrices_)
            if (driver_.MemAlloc(&each, 4ull * size * size) || driver_.MemsetD32(each, 0, 1ull * size * size)) return;
        works_ = true;
    }
    void multiply() const {
        if (!works_) return;
        float const one = 1, zero = 0;
        auto const at = [this](int i) { return reinterpret_cast<float*>(matrices_[i]); };
        static_cast<void>(multiply_(blas_, 0, 0, size, size, size, &one, at(0), size, at(1), size, &zero, at(2), size));
        static_cast<void>(driver_.CtxSynchronize());
    }

private:
    static constexpr int size = 512;
    template <class F>
    bool find(char const* name, F& to) {
        void* const address = handle_ != nullptr ? ::dlsym(handle_, name) : nullptr;
        std::memcpy(&to, &address, sizeof to);
        return address != nullptr;
    }
    gpuprof::abi::driver_table const& driver_;
    void* handle_ = nullptr;
    void* blas_ = nullptr;
    int (*multiply_)(void*, int, int, int, int, int, float const*, float const*, int, float const*, int, float const*,
                     float*, int) = nullptr;
    gpuprof::abi::CUdeviceptr matrices_[3] = {};
    bool works_ = false;
};

} // namespace

int main(int count, char** words) {
    auto const opened = gpuprof::try_open_device();
    if (!opened) {
        std::printf("%s\n", opened.error().message().c_str());
        return 1;
    }
    gpuprof::device const& gpu = *opened;
    std::printf("%s\n", std::string{gpu.name()}.c_str());
    {
        gpuprof::recorded_as const label{"saxpy"};
        auto const m = gpuprof::observe(
            gpu, [&] { saxpy(gpu); }, metrics::global_load_sectors, metrics::global_load_requests,
            metrics::global_store_sectors, metrics::warps_launched);
        CHECKED("saxpy: sectors a request", m.ratio(0, 1) <= 4.0);
        CHECKED("saxpy: warps", m[metrics::warps_launched] == gpuprof::warps{saxpy_elements / 32});
        CHECKED("saxpy: stores", m[metrics::global_store_sectors] == near(512_sectors, 1_percent));
        print("saxpy: one kernel", gpuprof::judge::expected(m, expect::launch_count(1)));
        print("saxpy: two kernels", gpuprof::judge::expected(m, expect::launch_count(2)));
    }
    {
        gpuprof::recorded_as const label{"transpose"};
        auto const m = gpuprof::observe_for(
            gpu, {expect::no_bank_conflicts(), expect::coalesced_global_stores(), expect::no_divergence()},
            [&] { transpose(gpu); });
        print("transpose: bank conflicts", gpuprof::judge::expected(m, expect::no_bank_conflicts()));
        print("transpose: stores", gpuprof::judge::expected(m, expect::coalesced_global_stores()));
        print("transpose: divergence", gpuprof::judge::expected(m, expect::no_divergence()));
    }
    {
        gpuprof::recorded_as const label{"transpose_unpadded"};
        auto const m = gpuprof::observe_for(gpu, {expect::no_bank_conflicts()}, [&] { transpose_unpadded(gpu); });
        print("transpose_unpadded: bank conflicts", gpuprof::judge::expected(m, expect::no_bank_conflicts()));
    }
    if (count > 1 && std::strcmp(words[1], "library") == 0) {
        gpuprof::recorded_as const label{"cuBLAS"};
        library const blas{gpu};
        blas.multiply(); // loads what it needs
        auto const m = gpuprof::observe(
            gpu, [&] { blas.multiply(); }, metrics::warps_launched, gpuprof::metric<"smsp__inst_executed.sum">,
            gpuprof::metric<"dram__bytes_read.sum">, gpuprof::metric<"launch__grid_size">);
        CHECKED("cuBLAS: warps", m[metrics::warps_launched] >= 1_warps);
        CHECKED("cuBLAS: instructions",
                m[gpuprof::metric<"smsp__inst_executed.sum">] >= gpuprof::instructions{262144}); // 512^3 / 32 / 16
        CHECKED("cuBLAS: bytes from DRAM", m[gpuprof::metric<"dram__bytes_read.sum">] <= gpuprof::bytes{1e9});
    }
    return 0;
}
