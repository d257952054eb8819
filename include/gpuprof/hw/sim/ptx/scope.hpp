// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nested scopes of names while a PTX function is parsed. Layer: embedded GPU, front end.
#ifndef GPUPROF_HW_SIM_PTX_SCOPE_HPP
#define GPUPROF_HW_SIM_PTX_SCOPE_HPP

#include <cstdint>       // indices
#include <string_view>   // names
#include <unordered_map> // one table a scope
#include <vector>        // the scopes

#include "../../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

// What a name stands for. A family is %r<count>: %r0 … are registers first_index, first_index + 1, ….
struct named {
    enum class kind : std::uint8_t { nothing, reg, family, function_variable, module_variable };
    named::kind kind = named::kind::nothing;
    std::uint32_t index = 0;
    std::uint32_t count = 0;
};

// Inner names hide outer ones. A scope has a number for its labels, which stays unique within the function.
class scope_stack {
public:
    void open(std::vector<std::uint32_t>& parents) {
        parents.push_back(scopes_.empty() ? 0 : scopes_.back().number);
        scopes_.push_back({static_cast<std::uint32_t>(parents.size() - 1), {}});
    }
    void close() { scopes_.pop_back(); }
    [[nodiscard]] std::size_t depth() const noexcept { return scopes_.size(); }
    [[nodiscard]] std::uint32_t number() const noexcept { return scopes_.back().number; }

    void add(std::string_view name, named what) { scopes_.back().names[name] = what; }

    // Whether the innermost scope has that name.
    [[nodiscard]] bool declares(std::string_view name) const { return scopes_.back().names.count(name) != 0; }

    [[nodiscard]] named find(std::string_view name) const {
        std::size_t stem = name.size();
        while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9') --stem;
        std::size_t const digits = name.size() - stem;
        bool const numbered = digits > 0 && digits < 9 && (digits == 1 || name[stem] != '0');
        for (auto level = scopes_.rbegin(); level != scopes_.rend(); ++level) {
            if (auto const found = level->names.find(name);
                found != level->names.end() && found->second.kind != named::kind::family)
                return found->second;
            if (!numbered) continue;
            auto const family = level->names.find(name.substr(0, stem));
            if (family == level->names.end() || family->second.kind != named::kind::family) continue;
            std::uint32_t number = 0;
            for (char const c : name.substr(stem)) number = number * 10 + static_cast<std::uint32_t>(c - '0');
            if (number < family->second.count) return {named::kind::reg, family->second.index + number, 0};
        }
        return {};
    }

private:
    struct scope {
        std::uint32_t number;
        std::unordered_map<std::string_view, named> names;
    };
    std::vector<scope> scopes_;
};

} // namespace sim::ptx
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_PTX_SCOPE_HPP
