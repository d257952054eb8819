// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One session a context, whichever the policy. Layer: hw.
#ifndef GPUPROF_HW_SESSION_REGISTRY_HPP
#define GPUPROF_HW_SESSION_REGISTRY_HPP

#include <vector> // contexts

#include "abi/types.hpp"
#include "machine/platform/mutex.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Contexts with a session of this process. CUPTI itself answers a second cuptiRangeProfilerEnable with success and a
// null object, and crashes on its use. Thread-safe.
class session_registry {
public:
    // False if the context has a session already.
    GPUPROF_LAZY [[nodiscard]] static bool take(abi::CUcontext context) {
        platform::lock const lock{mutex()};
        for (abi::CUcontext const each : held())
            if (each == context) return false;
        held().push_back(context);
        return true;
    }
    GPUPROF_LAZY static void give(abi::CUcontext context) {
        platform::lock const lock{mutex()};
        std::erase(held(), context);
    }

private:
    static platform::mutex& mutex() {
        static platform::mutex one;
        return one;
    }
    GPUPROF_LAZY static std::vector<abi::CUcontext>& held() {
        static auto* const contexts = new std::vector<abi::CUcontext>; // outlives every static profiler
        return *contexts;
    }
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SESSION_REGISTRY_HPP
