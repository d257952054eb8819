// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A parsed PTX module: its variables, functions and instructions.
#ifndef GPUPROF_SRC_SIM_PTX_MODULE_HPP
#define GPUPROF_SRC_SIM_PTX_MODULE_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/core/error.hpp>
#include "lexer.hpp"
#include "type.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

enum class space : std::uint8_t { generic, global, constant, shared, local, param };

enum class linkage : std::uint8_t { local, visible, weak, external };

// One word of an initialiser: `value`, plus the address of the variable or function `name` where
// that is not empty. `generic` asks for the generic address; `shift` selects bits of the address
// (the 0xFF00(name) form).
struct initializer {
    std::uint64_t value = 0;
    std::string_view name;
    bool generic = false;
    std::uint8_t shift = 0;
};

// A named piece of memory. `bytes` is 0 for an array of unknown extent, such as extern shared
// memory.
struct variable {
    std::string_view name;
    ptx::space space = ptx::space::global;
    ptx::linkage linkage = ptx::linkage::local;
    ptx::type type = ptx::type::b8;
    std::uint32_t alignment = 1;
    std::uint64_t bytes = 0;
    std::vector<initializer> values; // of `type` each, the rest is zero
    position at;
    bool is_managed = false; // .attribute(.managed): the host reaches it under the same address
};

struct register_variable {
    std::string_view name; // of a numbered family (%r<10>) the common part
    ptx::type type = ptx::type::none;
};

// The kinds of operands, and the members of `operand` that each uses.
enum class operand_kind : std::uint8_t {
    reg,               // index: into function::registers
    special,           // text: tid.x, laneid, clock64, …
    integer,           // bits
    single,            // bits of an f32
    real,              // bits of an f64
    function_variable, // index: into function::variables
    module_variable,   // index: into parsed_module::variables
    name,              // text: a label or a function
    vector,            // elements: {a, b}
    address,           // elements[0] plus offset: [a+4]; further elements are a tensor's coordinates
    list,              // elements: (a, b) of a call
    pair,              // elements: p|q
    sink               // _
};

// An argument of an instruction as written, names already looked up.
struct operand {
    operand_kind kind = operand_kind::sink;
    bool negated = false; // !p, and -r of a video instruction
    std::uint32_t index = 0;
    std::uint64_t bits = 0;
    std::int64_t offset = 0;
    std::string_view text;
    std::vector<operand> elements;
    position at;
};

// A place in the program's own source, from .loc. `file` is the index of .file, 0 when unknown.
struct source_line {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
};

struct instruction_facts; // a row of instruction_set.hpp

struct instruction {
    std::string_view opcode; // "ld"
    // Never null after parsing: an unknown opcode has facts, too.
    instruction_facts const* facts = nullptr;
    std::vector<std::string_view> modifiers; // "global", "v4", "f32"
    std::vector<operand> operands;
    std::uint32_t guard = no_guard; // register index of @p
    bool guard_negated = false;
    std::uint32_t scope = 0; // of labels
    source_line source;
    position at;

    static constexpr std::uint32_t no_guard = ~std::uint32_t{0};
};

struct label {
    std::string_view name;
    std::uint32_t scope = 0;
    std::uint32_t instruction = 0;         // the index of what follows it
    std::vector<std::string_view> targets; // of .branchtargets and .calltargets
};

// What an .entry asks of its launches; 0 where it says nothing.
struct launch_bounds {
    std::uint32_t max_threads[3] = {0, 0, 0};
    std::uint32_t required_threads[3] = {0, 0, 0};
    std::uint32_t min_ctas = 0;
    std::uint32_t max_registers = 0;
    std::uint32_t required_cluster[3] = {0, 0, 0}; // blocks of a cluster, by .reqnctapercluster
    bool explicit_cluster = false;                 // its launches say how large clusters are, or it does itself
    bool grid_counts_clusters = false;             // .blocksareclusters
};

// A .func or .entry. `fault` is set where its body uses something malformed or unknown: the rest of
// the module stands.
struct function {
    std::string_view name;
    bool is_entry = false;
    bool has_body = false;
    ptx::linkage linkage = ptx::linkage::local;
    std::vector<register_variable> registers;
    std::vector<variable> variables;   // .param, .local and .shared of the function
    std::vector<std::uint32_t> inputs; // parameters, indices into variables (or registers, see below)
    std::vector<std::uint32_t> outputs;
    std::vector<std::uint32_t> register_inputs; // .reg parameters of a .func
    std::vector<std::uint32_t> register_outputs;
    std::vector<instruction> instructions;
    std::vector<label> labels;
    std::vector<std::uint32_t> not_unrolled;  // the first instructions of loops with .pragma "nounroll"
    std::vector<std::uint32_t> scope_parents; // scope_parents[s] encloses s; scope 0 is the body
    launch_bounds bounds;
    position at;
    std::optional<error> fault;

    // A kernel's own parameters live in the launch, everything else of .param in the frame.
    [[nodiscard]] bool is_kernel_parameter(std::uint32_t variable) const noexcept {
        return is_entry && variable < inputs.size();
    }
};

struct source_file {
    std::uint32_t index = 0;
    std::string_view name;
};

struct parsed_module {
    std::shared_ptr<std::string const> text; // owns every view in here
    std::string_view target;                 // "sm_90"
    std::uint32_t address_bits = 64;
    std::vector<variable> variables;
    std::vector<function> functions;
    std::vector<source_file> files;
};

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_PTX_MODULE_HPP
