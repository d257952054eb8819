// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf and assert in device code.
#ifndef GPUPROF_SRC_SIM_EXECUTE_SYSTEM_CALLS_HPP
#define GPUPROF_SRC_SIM_EXECUTE_SYSTEM_CALLS_HPP

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "cta_memory.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Shared by all CTAs of a launch; print() may be called by several host threads.
class system_services {
public:
    explicit system_services(std::function<void(std::string_view)> const& out) : out_{out} {}

    // vprintf(format, arguments). Returns the number of arguments, as CUDA's printf does, or -1 for
    // a format that is no string.
    std::uint64_t print(cta_memory& memory, warp& w, unsigned lane, std::uint64_t format_at,
                        std::uint64_t arguments_at);

    // __assertfail(message, file, line, function, character size)
    static std::string assertion(cta_memory& memory, warp& w, unsigned lane, std::uint64_t const (&arguments)[5]);

private:
    std::function<void(std::string_view)> const& out_;
    std::mutex mutex_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_SYSTEM_CALLS_HPP
