// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code as nvdisasm lists it.
#ifndef GPUPROF_SRC_SIM_CODE_MACHINE_LISTING_HPP
#define GPUPROF_SRC_SIM_CODE_MACHINE_LISTING_HPP

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Which machine code is looked at for its instructions: none, what a program has beside its PTX, or, where it has none, what ptxas makes.
enum class machine_code_use : std::uint8_t { none, beside_ptx, compiled };

struct machine_instruction {
    std::string opcode;          // "LDG.E.64"
    std::uint32_t target = 0;    // of a branch: an instruction's number and 1
    bool calls_slow_way = false; // of a division or a root
    bool may_branch = false;     // BRA, BRX
    bool is_predicated = false;
};

// The instructions of a kernel, without the subroutines behind it and the branch to itself that ends it.
using machine_function = std::vector<machine_instruction>;

// What `nvdisasm -c` printed of a cubin, by mangled name. Lines that it does not know are left out.
using machine_functions = std::map<std::string, machine_function, std::less<>>;
[[nodiscard]] machine_functions read_listing(std::string_view listing);

// The machine code of a module, which is listed when it is first asked for. Thread-safe.
class listed_module {
public:
    // @param list what nvdisasm prints of it; empty if that is not there. Called at most once
    explicit listed_module(std::function<std::string()> list) : list_{std::move(list)} {}

    // A kernel's instructions; null if they are not known.
    [[nodiscard]] machine_function const* find(std::string_view kernel) const;

private:
    std::function<std::string()> list_;
    mutable std::once_flag listed_;
    mutable machine_functions functions_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CODE_MACHINE_LISTING_HPP
