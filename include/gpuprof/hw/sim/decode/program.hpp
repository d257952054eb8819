// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads PTX into the embedded GPU: variables into device memory, kernels into executable form. Layer: embedded GPU.
#ifndef GPUPROF_HW_SIM_DECODE_PROGRAM_HPP
#define GPUPROF_HW_SIM_DECODE_PROGRAM_HPP

#include <algorithm>     // std::find_if
#include <cstdint>       // addresses
#include <memory>        // the parsed text is shared
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
    // Reads `text`, allocates and initialises the variables, and decodes every kernel. Fails on malformed PTX (the
    // error names line and column), on unresolved external variables and when memory is exhausted; a kernel that uses
    // what is not supported is loaded with its fault. @pre `memory` is not in use by a running kernel. Costs time
    // linear in the text.
    [[nodiscard]] static result<program> load(std::string_view text, device_memory& memory);

    program(program&& other) noexcept
        : memory_{std::exchange(other.memory_, nullptr)},
          source_{std::move(other.source_)},
          functions_{std::move(other.functions_)},
          addresses_{std::move(other.addresses_)},
          variables_{std::move(other.variables_)},
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

    // What a kernel reaches: functions by name, and shared variables, in order of first mention.
    struct reach {
        std::vector<std::uint32_t> functions;
        std::vector<ptx::variable const*> shared;
        bool indirect = false;
    };

    void add_function(reach& r, std::string_view name) const;
    void add_operand(reach& r, ptx::operand const& o) const;
    [[nodiscard]] reach explore(std::uint32_t entry) const;

    [[nodiscard]] std::unique_ptr<kernel> link(std::uint32_t entry) const;

    // Static shared memory first; arrays of unknown extent all begin where it ends.
    static void place_shared(reach const& r, link_context& context, kernel& k);

    device_memory* memory_;
    std::shared_ptr<ptx::parsed_module const> source_;
    std::unordered_map<std::string_view, std::uint32_t> functions_;
    std::vector<std::uint64_t> addresses_; // by variable of the text, 0 for shared ones
    std::vector<program_variable> variables_;
    std::vector<std::unique_ptr<kernel>> kernels_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "program.inl.hpp"
#endif

#endif // GPUPROF_HW_SIM_DECODE_PROGRAM_HPP
