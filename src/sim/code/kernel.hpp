// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel ready to launch: its code and the facts that a launch needs.
#ifndef GPUPROF_SRC_SIM_CODE_KERNEL_HPP
#define GPUPROF_SRC_SIM_CODE_KERNEL_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <gpuprof/core/compute_capability.hpp>
#include <gpuprof/core/error.hpp>
#include "decoded.hpp"
#include "device_runtime.hpp"
#include "machine_listing.hpp"
#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// An argument or result of a call. In memory it is `bytes` bytes a lane at `offset` of the
// function's frame memory, else the register `slot`.
struct call_value {
    bool in_memory = false;
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
    operand_ref slot;
};

// The functions that the embedded GPU itself provides to device code.
enum class system_call : std::uint8_t { none, print, fail_assertion, allocate, release, set_condition, device_runtime };

struct call_site {
    std::uint32_t callee = 0; // the module's number of the function, when direct
    bool indirect = false;    // the callee's address is operand a
    sim::system_call system = system_call::none;
    runtime_call runtime = runtime_call::none; // which, of the device runtime
    std::vector<call_value> inputs;
    std::vector<call_value> outputs;
};

// Facts that not every launch derives again. `made_for` says what they depend on besides the code; their owner alone
// knows the type of `facts`.
struct kept_facts {
    compute_capability made_for; // of a chip; 0.0: nothing yet
    std::shared_ptr<void const> facts;
};

// Facts derived from a function, and from the kernel that it is. Read and written under the lock.
struct derived_facts {
    std::mutex mutex;
    kept_facts of_function;
    kept_facts of_kernel;
    std::optional<std::uint32_t> rare_cases; // see code_size.cpp; of every chip
};

// Bytes of a warp's registers.
struct frame_part {
    std::uint32_t begin = 0;
    std::uint32_t bytes = 0;
};

// Move-only: instructions point into `slots`.
struct function_code {
    function_code() = default;
    function_code(function_code&&) = default;
    function_code& operator=(function_code&&) = default;
    function_code(function_code const&) = delete;
    function_code& operator=(function_code const&) = delete;

    std::string name;
    std::vector<decoded> code;   // ends with a ret
    std::vector<std::byte> pool; // constants, 32 lanes each
    std::vector<operand_slot> slots;
    std::vector<call_site> calls;
    std::vector<std::vector<std::uint32_t>> branch_tables;
    std::vector<call_value> inputs;
    std::vector<call_value> outputs;
    std::map<ptx::variable const*, std::uint32_t> shared; // where the shared variables lie that it names
    std::vector<frame_part> cleared;   // what is zero where the function begins; the rest is written before it is read
    std::uint32_t frame_bytes = 0;     // registers of a warp
    std::uint32_t local_bytes = 0;     // frame memory a lane: .local variables and parameters
    std::uint32_t stack_bytes = 0;     // .local variables a lane
    std::uint32_t register_count = 0;  // 32-bit registers a thread needs at once
    std::uint32_t module_index = 0;    // its number among the module's functions
    bool uses_reserved_shared = false; // memory of the block that the system keeps for libraries
    bool uses_heap = false;            // calls malloc or free
    bool uses_device_runtime = false;  // launches kernels, or calls what belongs to it
    std::unique_ptr<derived_facts> derived = std::make_unique<derived_facts>();
};

// A parameter of a kernel in launch_config::parameters; bytes.
struct kernel_parameter {
    std::string name;
    ptx::type type = ptx::type::b8;
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
    std::uint32_t alignment = 1;
};

// A kernel, as the driver table describes it and execute() runs it. `fault` is set when the kernel
// cannot run: the error names the line and column of what is not supported. Immutable after
// loading, so shared by any threads.
struct kernel {
    std::string name;
    std::vector<kernel_parameter> parameters;
    std::uint32_t parameter_bytes = 0;
    std::uint32_t static_shared_bytes = 0;
    std::uint32_t local_bytes = 0;     // a thread, the deepest direct call chain included; recursion counts once
    std::uint32_t stack_bytes = 0;     // the part of it that is no parameter
    std::uint32_t register_count = 0;  // of machine code beside the PTX, or else an estimate: the widest live set
    std::uint32_t constant_bytes = 0;  // .const variables of the module
    bool uses_reserved_shared = false; // by any of its functions
    bool uses_heap = false;            // by any of its functions
    bool uses_device_runtime = false;  // by any of its functions
    ptx::launch_bounds bounds;
    std::vector<function_code const*> functions; // the first is the kernel itself; the program's, shared by its kernels
    std::vector<std::uint32_t> by_module_index;  // function of that number, or nowhere when not reachable
    std::shared_ptr<ptx::parsed_module const> source;
    std::shared_ptr<listed_module const>
        machine_code; // what ptxas made of it for the chip; null where it is not asked for
    std::optional<error> fault;

    // The name of a .file, empty when unknown.
    [[nodiscard]] std::string file_name(std::uint32_t index) const;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CODE_KERNEL_HPP
