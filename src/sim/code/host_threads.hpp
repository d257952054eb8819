// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work in equal shares on several host threads.
#ifndef GPUPROF_SRC_SIM_CODE_HOST_THREADS_HPP
#define GPUPROF_SRC_SIM_CODE_HOST_THREADS_HPP

#include <exception>
#include <thread>
#include <vector>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Calls share(0), share(1), … share(shares - 1), each on a thread of its own, the calling one among
// them, and returns when all have. Shares for which the system gives no thread run on the calling
// one. @pre no share throws, or waits for another
template <class Share>
void on_host_threads(unsigned shares, Share const& share) {
    std::vector<std::thread> helpers;
#if GPUPROF_EXCEPTIONS
    try {
        helpers.reserve(shares);
        for (unsigned i = 1; i < shares; ++i) helpers.emplace_back([&share, i] { share(i); });
    } catch (std::exception const&) {}
#else
    helpers.reserve(shares);
    for (unsigned i = 1; i < shares; ++i) helpers.emplace_back([&share, i] { share(i); });
#endif
    share(0);
    for (auto i = static_cast<unsigned>(helpers.size()) + 1; i < shares; ++i) share(i);
    for (std::thread& helper : helpers) helper.join();
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CODE_HOST_THREADS_HPP
