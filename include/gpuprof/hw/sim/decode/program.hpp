// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads PTX into the embedded GPU: variables into device memory, kernels into executable form. Layer: embedded GPU.
#ifndef GPUPROF_HW_SIM_DECODE_PROGRAM_HPP
#define GPUPROF_HW_SIM_DECODE_PROGRAM_HPP

#include <algorithm>     // std::find_if
#include <cstdint>       // addresses
#include <map>           // offsets of shared variables
#include <memory>        // the parsed text is shared
#include <optional>      // a fault or none
#include <string_view>   // names
#include <unordered_map> // symbols
#include <utility>       // std::exchange
#include <vector>        // kernels

#include "../../../core/result.hpp"
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

// A loaded module. Owns its variables in device memory, which must outlive it; kernels stay where they are until the
// module is destroyed. Looking up and launching is safe from any thread.
class program {
public:
    // Reads `text`, allocates and initialises the variables, and decodes every function, once for all kernels that reach
    // it. Fails with invalid_argument on malformed PTX, in whatever function (the error names line and column), and on
    // unresolved external variables; with unavailable when memory is exhausted. A kernel that uses what is PTX but not
    // supported is loaded with its fault. @pre `memory` is not in use by a running kernel. Costs time linear in the text,
    // and for each kernel in the number of functions it reaches.
    [[nodiscard]] static result<program> load(std::string_view text, device_memory& memory);

    program(program&& other) noexcept
        : memory_{std::exchange(other.memory_, nullptr)},
          source_{std::move(other.source_)},
          functions_{std::move(other.functions_)},
          addresses_{std::move(other.addresses_)},
          variables_{std::move(other.variables_)},
          constant_bytes_{other.constant_bytes_},
          variable_numbers_{std::move(other.variable_numbers_)},
          decoded_{std::move(other.decoded_)},
          kernels_{std::move(other.kernels_)} {}
    program& operator=(program&&) = delete;
    ~program() {
        if (memory_ == nullptr) return;
        for (auto const& v : variables_) (void)memory_->free(v.address);
    }

    [[nodiscard]] std::vector<std::unique_ptr<kernel>> const& kernels() const noexcept { return kernels_; }
    [[nodiscard]] std::vector<program_variable> const& variables() const noexcept { return variables_; }
    [[nodiscard]] std::string_view target() const noexcept { return source_->target; }

    // By name as in the PTX (mangled); null when there is none.
    [[nodiscard]] kernel const* find_kernel(std::string_view name) const noexcept {
        auto const found =
            std::find_if(kernels_.begin(), kernels_.end(), [&](auto const& k) { return k->name == name; });
        return found == kernels_.end() ? nullptr : found->get();
    }
    [[nodiscard]] program_variable const* find_variable(std::string_view name) const noexcept {
        auto const found =
            std::find_if(variables_.begin(), variables_.end(), [&](auto const& v) { return v.name == name; });
        return found == variables_.end() ? nullptr : &*found;
    }

private:
    explicit program(device_memory& memory) noexcept : memory_{&memory} {}

    result<void> place_variables();

    result<void> initialize();

    [[nodiscard]] std::uint64_t address_of(std::string_view name) const;

    // What a function mentions: functions with a body by number, and shared variables, each once and in order.
    struct mentions {
        std::vector<std::uint32_t> functions;
        std::vector<ptx::variable const*> shared;
        bool indirect = false; // it calls through a register
    };
    // A function's code, good wherever the shared variables it names have these offsets; or why there is none.
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

#if GPUPROF_HEADER_ONLY
#include "program.inl.hpp"
#endif

#endif // GPUPROF_HW_SIM_DECODE_PROGRAM_HPP
