// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who holds memory of the GPU: allocations and their ends, pools, and what was never freed.
// What you learn: memory_operation and memory_pool records, and the scope that a record belongs to.
#include <cstdint>
#include <iostream>
#include <map>
#include <string>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp> // the embedded GPU, used where there is no real one
#include <gpuprof/trace.hpp>

namespace abi = gpuprof::abi;
namespace activity = gpuprof::activity;

int main() try {
    auto opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "No GPU to trace.\n" << opened.error().message() << '\n';
        return 0;
    }
    gpuprof::device const& gpu = *opened;
    abi::driver_table const& driver = gpu.driver();

    gpuprof::tracer trace{gpu, activity::kinds<activity::memory_operation, activity::memory_pool>};
    abi::CUdeviceptr weights = 0, scratch = 0, cache = 0;
    bool done = false;
    {
        gpuprof::scope load{trace, "load"};
        done = driver.MemAlloc(&weights, 4 << 20) == abi::CUDA_SUCCESS &&
               driver.MemAlloc(&cache, 1 << 20) == abi::CUDA_SUCCESS; // which nothing frees
    }
    {
        gpuprof::scope step{trace, "step"};
        done = done && driver.MemAllocAsync(&scratch, 2 << 20, nullptr) == abi::CUDA_SUCCESS && // from a pool
               driver.MemFreeAsync(scratch, nullptr) == abi::CUDA_SUCCESS;
    }
    done = done && driver.MemFree(weights) == abi::CUDA_SUCCESS && driver.CtxSynchronize() == abi::CUDA_SUCCESS;
    if (!done) {
        std::cout << "This device does not give the memory.\n";
        return 0;
    }

    struct allocation {
        double mebibytes;
        std::string scope;
    };
    std::map<std::uint64_t, allocation> live; // by address
    auto const batch = trace.flush(gpuprof::flush_mode::forced);
    batch.visit(gpuprof::overloaded{
        [&](activity::memory_operation const& each) {
            bool const begins = each.type == activity::memory_operation_type::allocation;
            double const mebibytes = each.size.value() / (1 << 20);
            std::string const scope = batch.scope_path(batch.scope_of(each));
            if (begins) live[each.address] = {mebibytes, scope};
            else live.erase(each.address);
            std::cout << to_text(each.type) << " of " << mebibytes << " MiB, " << to_text(each.memory)
                      << (each.pool == activity::memory_pool_type::invalid ? "" : ", from a pool") << ", in "
                      << (scope.empty() ? "no scope" : scope) << '\n';
        },
        [](activity::memory_pool const& each) { std::cout << "pool " << to_text(each.operation) << '\n'; }});
    for (auto const& [address, leaked] : live)
        std::cout << "never freed: " << leaked.mebibytes << " MiB of " << leaked.scope << '\n';
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
