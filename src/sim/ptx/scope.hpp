// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nested scopes of names while a PTX function is parsed.
#ifndef GPUPROF_SRC_SIM_PTX_SCOPE_HPP
#define GPUPROF_SRC_SIM_PTX_SCOPE_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// What a name stands for. A family is %r<count>: %r0 … are registers first_index, first_index + 1,
// ….
struct named {
    enum class kind : std::uint8_t { nothing, reg, family, function_variable, module_variable };
    named::kind kind = named::kind::nothing;
    std::uint32_t index = 0;
    std::uint32_t count = 0;
};

// Inner names hide outer ones. A scope has a number for its labels, which stays unique within the
// function.
class scope_stack {
public:
    void open(std::vector<std::uint32_t>& parents);
    void close() { scopes_.pop_back(); }
    [[nodiscard]] std::size_t depth() const noexcept { return scopes_.size(); }
    [[nodiscard]] std::uint32_t number() const noexcept { return scopes_.back().number; }

    void add(std::string_view name, named meaning) { scopes_.back().names[name] = meaning; }

    // Whether the innermost scope has that name.
    [[nodiscard]] bool declares(std::string_view name) const { return scopes_.back().names.count(name) != 0; }

    // What the name stands for in the innermost scope that has it; a numbered name may be of a
    // family.
    [[nodiscard]] named find(std::string_view name) const;

private:
    struct scope {
        std::uint32_t number;
        std::unordered_map<std::string_view, named> names;
    };
    std::vector<scope> scopes_;
};

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_PTX_SCOPE_HPP
