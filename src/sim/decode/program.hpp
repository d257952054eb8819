// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads PTX into the embedded GPU: variables into device memory, kernels into executable form.
#ifndef GPUPROF_SRC_SIM_DECODE_PROGRAM_HPP
#define GPUPROF_SRC_SIM_DECODE_PROGRAM_HPP

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <gpuprof/core/result.hpp>

#include "../code/device_memory.hpp"
#include "../code/kernel.hpp"
#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

struct link_context;

// A variable of a loaded module: its generic address in device memory and its size in bytes.
struct program_variable {
    std::string_view name;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
};

// A loaded module. Owns its variables in device memory, which must outlive it; kernels stay where
// they are until the module is destroyed. Looking up and launching is safe from any thread.
class program {
public:
    // Reads `text`, allocates and initialises the variables, and decodes every function, once for
    // all kernels that reach it. Fails with invalid_argument on malformed PTX, in whatever function
    // (the error names line and column), and on unresolved external variables; with unavailable
    // when memory is exhausted. A kernel that uses what is PTX but not supported is loaded with its
    // fault. @pre `memory` is not in use by a running kernel. Costs time linear in the text, and
    // for each kernel in the number of functions it reaches.
    [[nodiscard]] static result<program> load(std::string_view text, device_memory& memory);

    program(program&& other) noexcept;
    program& operator=(program&&) = delete;
    ~program();

    [[nodiscard]] std::vector<std::unique_ptr<kernel>> const& kernels() const noexcept { return kernels_; }
    [[nodiscard]] std::vector<program_variable> const& variables() const noexcept { return variables_; }
    [[nodiscard]] std::string_view target() const noexcept { return source_->target; }

    // By name as in the PTX (mangled); null when there is none.
    [[nodiscard]] kernel const* find_kernel(std::string_view name) const noexcept;
    // By the address that device code has of it; null for what is no kernel.
    [[nodiscard]] kernel const* kernel_at(std::uint64_t address) const noexcept;
    [[nodiscard]] program_variable const* find_variable(std::string_view name) const noexcept;

private:
    explicit program(device_memory& memory) noexcept : memory_{&memory} {}

    result<void> place_variables();
    result<void> initialize();
    [[nodiscard]] std::uint64_t address_of(std::string_view name) const;

    // The names in a function: functions with a body by number, and shared variables, each once and
    // in order.
    struct mentions {
        std::vector<std::uint32_t> functions;
        std::vector<ptx::variable const*> shared;
        bool indirect = false; // it calls through a register
    };
    // A function's code, good wherever the shared variables it names have these offsets; or why
    // there is none.
    struct decoded_function {
        std::map<ptx::variable const*, std::uint32_t> shared;
        std::unique_ptr<function_code const> code;
        std::optional<error> fault;
    };

    result<void> decode_all();

    void add_function(mentions& m, std::string_view name) const;
    void add_operand(mentions& m, ptx::operand const& o) const;
    [[nodiscard]] mentions mentioned_by(ptx::function const& f) const;
    // What an entry reaches, itself first.
    [[nodiscard]] mentions explore(std::uint32_t entry, std::vector<mentions> const& all) const;

    [[nodiscard]] std::unique_ptr<kernel> link(std::uint32_t entry, mentions const& reached);

    // Decodes it unless that was done for the same offsets.
    [[nodiscard]] decoded_function const& decode(std::uint32_t number, link_context& context);

    // Static shared memory first; arrays of unknown extent all begin where it ends.
    static void place_shared(mentions const& reached, link_context& context, kernel& k);

    device_memory* memory_;
    std::shared_ptr<ptx::parsed_module const> source_;
    std::unordered_map<std::string_view, std::uint32_t> functions_;
    std::vector<std::uint64_t> addresses_; // by variable of the text, 0 for shared ones
    std::vector<program_variable> variables_;
    std::uint32_t constant_bytes_ = 0; // of .const variables
    std::unordered_map<std::string_view, std::uint32_t> variable_numbers_;
    std::vector<std::vector<std::unique_ptr<decoded_function>>> decoded_; // by function
    std::vector<std::unique_ptr<kernel>> kernels_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_PROGRAM_HPP
