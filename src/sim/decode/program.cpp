// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../ptx/cursor.hpp"
#include "../ptx/parse.hpp"
#include "decode.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

program::program(program&& other) noexcept
    : memory_{std::exchange(other.memory_, nullptr)},
      source_{std::move(other.source_)},
      functions_{std::move(other.functions_)},
      addresses_{std::move(other.addresses_)},
      variables_{std::move(other.variables_)},
      constant_bytes_{other.constant_bytes_},
      variable_numbers_{std::move(other.variable_numbers_)},
      decoded_{std::move(other.decoded_)},
      kernels_{std::move(other.kernels_)} {}

program::~program() {
    if (memory_ == nullptr) return;
    for (auto const& v : variables_) (void)memory_->free(v.address);
}

kernel const* program::find_kernel(std::string_view name) const noexcept {
    auto const found = std::find_if(kernels_.begin(), kernels_.end(), [&](auto const& k) { return k->name == name; });
    return found == kernels_.end() ? nullptr : found->get();
}

kernel const* program::kernel_at(std::uint64_t address) const noexcept {
    std::uint64_t const number = (address - address_map::code_base) / 16;
    bool const known = address >= address_map::code_base && address % 16 == 0 && number < source_->functions.size();
    return known ? find_kernel(source_->functions[number].name) : nullptr;
}

program_variable const* program::find_variable(std::string_view name) const noexcept {
    auto const found =
        std::find_if(variables_.begin(), variables_.end(), [&](auto const& v) { return v.name == name; });
    return found == variables_.end() ? nullptr : &*found;
}

result<program> program::load(std::string_view text, device_memory& memory) {
    auto parsed = ptx::parse(text);
    if (!parsed) return std::move(parsed).error();
    program m{memory};
    m.source_ = std::make_shared<ptx::parsed_module const>(*std::move(parsed));
    if (auto placed = m.place_variables(); !placed) return std::move(placed).error();
    if (auto filled = m.initialize(); !filled) return std::move(filled).error();
    if (auto linked = m.decode_all(); !linked) return std::move(linked).error();
    return result<program>{std::move(m)};
}

result<void> program::place_variables() {
    for (std::uint32_t i = 0; i < source_->functions.size(); ++i) functions_[source_->functions[i].name] = i;
    for (auto const& v : source_->variables) {
        variable_numbers_.try_emplace(v.name, static_cast<std::uint32_t>(addresses_.size()));
        addresses_.push_back(0);
        if (v.space == ptx::space::constant) constant_bytes_ += static_cast<std::uint32_t>(v.bytes);
        if (v.space == ptx::space::shared) continue;
        if (v.bytes == 0) return ptx::error_at(v.at, "'" + std::string{v.name} + "' has no size in this module");
        auto const where =
            v.space == ptx::space::constant ? device_memory::area::constant : device_memory::area::global;
        auto const at = v.is_managed ? memory_->allocate_on_host(v.bytes, v.alignment)
                                     : memory_->allocate(v.bytes, v.alignment, where);
        if (!at) return at.error();
        addresses_.back() = *at;
        variables_.push_back({v.name, *at, v.bytes});
    }
    return {};
}

result<void> program::initialize() {
    for (std::size_t i = 0; i < source_->variables.size(); ++i) {
        auto const& v = source_->variables[i];
        if (v.values.empty() || v.space == ptx::space::shared) continue;
        std::byte* to = memory_->translate(addresses_[i], v.bytes);
        unsigned const bytes = ptx::size_of(v.type);
        for (auto const& word : v.values) {
            std::uint64_t value = word.value;
            if (!word.name.empty()) {
                auto const address = address_of(word.name);
                if (address == 0) return ptx::error_at(v.at, "'" + std::string{word.name} + "' is not declared");
                value = (value + address) >> word.shift;
            }
            std::memcpy(to, &value, bytes < 8 ? bytes : 8);
            to += bytes;
        }
    }
    return {};
}

std::uint64_t program::address_of(std::string_view name) const {
    if (auto const variable = variable_numbers_.find(name); variable != variable_numbers_.end())
        return addresses_[variable->second];
    auto const found = functions_.find(name);
    return found == functions_.end() ? 0 : address_map::code_base + std::uint64_t{found->second} * 16;
}

// Every kernel, and every function that no kernel reaches: malformed PTX is refused wherever it
// stands.
result<void> program::decode_all() {
    auto const& functions = source_->functions;
    decoded_.resize(functions.size());
    std::vector<mentions> all;
    all.reserve(functions.size());
    for (auto const& f : functions) all.push_back(mentioned_by(f));
    for (std::uint32_t i = 0; i < functions.size(); ++i)
        if (functions[i].is_entry && functions[i].has_body) kernels_.push_back(link(i, explore(i, all)));
    link_context no_kernel{*source_, addresses_, functions_, {}, {}};
    for (std::uint32_t i = 0; i < functions.size(); ++i) {
        if (!functions[i].has_body) continue;
        if (decoded_[i].empty()) (void)decode(i, no_kernel);
        auto const& fault = decoded_[i].front()->fault;
        if (fault && fault->code != errc::unavailable) return *fault;
    }
    return {};
}

void program::add_function(mentions& m, std::string_view name) const {
    auto const found = functions_.find(name);
    if (found == functions_.end()) return;
    ptx::function const& f = source_->functions[found->second];
    if (f.has_body && !f.is_entry) m.functions.push_back(found->second); // a kernel is launched, not called
}

void program::add_operand(mentions& m, ptx::operand const& o) const {
    if (o.kind == ptx::operand_kind::name) add_function(m, o.text);
    if (o.kind == ptx::operand_kind::module_variable && source_->variables[o.index].space == ptx::space::shared)
        m.shared.push_back(&source_->variables[o.index]);
    for (auto const& e : o.elements) add_operand(m, e);
}

program::mentions program::mentioned_by(ptx::function const& f) const {
    mentions m;
    for (auto const& v : f.variables)
        if (v.space == ptx::space::shared) m.shared.push_back(&v);
    for (auto const& op : f.instructions) {
        for (auto const& o : op.operands) add_operand(m, o);
        m.indirect |= op.opcode == "call" && std::any_of(op.operands.begin(), op.operands.end(), [](auto const& o) {
                          return o.kind == ptx::operand_kind::reg;
                      });
    }
    auto const once = [](auto& list) {
        std::unordered_set<std::decay_t<decltype(list.front())>> seen;
        std::erase_if(list, [&](auto const& entry) { return !seen.insert(entry).second; });
    };
    once(m.functions);
    once(m.shared);
    return m;
}

program::mentions program::explore(std::uint32_t entry, std::vector<mentions> const& all) const {
    mentions r;
    std::vector<bool> known(all.size());
    std::unordered_set<ptx::variable const*> known_shared;
    auto const reach = [&](std::uint32_t f) {
        if (!known[f]) known[f] = true, r.functions.push_back(f);
    };
    reach(entry);
    for (std::size_t next = 0; next < r.functions.size(); ++next) {
        mentions const& here = all[r.functions[next]];
        for (auto const* const v : here.shared)
            if (known_shared.insert(v).second) r.shared.push_back(v);
        for (auto const f : here.functions) reach(f);
        if (!here.indirect || r.indirect) continue;
        r.indirect = true; // then any function whose address a table holds may be called
        mentions in_tables;
        for (auto const& v : source_->variables)
            for (auto const& word : v.values)
                if (!word.name.empty()) add_function(in_tables, word.name);
        for (auto const f : in_tables.functions) reach(f);
    }
    return r;
}

program::decoded_function const& program::decode(std::uint32_t number, link_context& context) {
    for (auto const& known : decoded_[number]) {
        bool const fits = std::all_of(known->shared.begin(), known->shared.end(), [&](auto const& used) {
            auto const placed = context.shared.find(used.first);
            return (placed == context.shared.end() ? 0 : placed->second) == used.second;
        });
        if (fits) return *known;
    }
    auto function = std::make_unique<decoded_function>();
    context.used_shared.clear();
    auto code = decode_function(context, source_->functions[number]);
    function->shared = std::move(context.used_shared);
    if (code) {
        code->module_index = number;
        code->shared = function->shared;
        function->code = std::make_unique<function_code const>(*std::move(code));
    } else {
        function->fault = std::move(code).error();
    }
    decoded_[number].push_back(std::move(function));
    return *decoded_[number].back();
}

std::unique_ptr<kernel> program::link(std::uint32_t entry, mentions const& reached) {
    auto k = std::make_unique<kernel>();
    auto const& f = source_->functions[entry];
    k->name = f.name;
    k->bounds = f.bounds;
    k->source = source_;
    k->constant_bytes = constant_bytes_;
    std::uint64_t offset = 0;
    for (auto const i : f.inputs) {
        auto const& v = f.variables[i];
        offset = (offset + v.alignment - 1) & ~(std::uint64_t{v.alignment} - 1);
        k->parameters.push_back({std::string{v.name}, v.type, static_cast<std::uint32_t>(offset),
                                 static_cast<std::uint32_t>(v.bytes), v.alignment});
        offset += v.bytes;
    }
    k->parameter_bytes = static_cast<std::uint32_t>(offset);
    constexpr std::uint64_t most_parameters = 32764; // bytes, since PTX 8.1
    if (offset > most_parameters) k->fault = ptx::not_supported_at(f.at, "the kernel's parameters are too large");
    if (f.bounds.grid_counts_clusters)
        k->fault = ptx::not_supported_at(f.at, "grids that count clusters ('.blocksareclusters') are not supported");

    link_context context{*source_, addresses_, functions_, {}, {}};
    place_shared(reached, context, *k);
    if (k->fault) return k;
    k->by_module_index.assign(source_->functions.size(), decoded::nowhere);
    for (auto const number : reached.functions) {
        decoded_function const& function = decode(number, context);
        if (function.fault) {
            k->fault = function.fault;
            break;
        }
        k->by_module_index[number] = static_cast<std::uint32_t>(k->functions.size());
        k->local_bytes += function.code->local_bytes;
        k->stack_bytes += function.code->stack_bytes;
        k->register_count = (std::max)(k->register_count, function.code->register_count);
        k->uses_reserved_shared = k->uses_reserved_shared || function.code->uses_reserved_shared;
        k->uses_heap = k->uses_heap || function.code->uses_heap;
        k->uses_device_runtime = k->uses_device_runtime || function.code->uses_device_runtime;
        k->functions.push_back(function.code.get());
    }
    return k;
}

void program::place_shared(mentions const& r, link_context& context, kernel& k) {
    std::uint64_t used = 0;
    std::uint64_t dynamic_alignment = 16;
    for (auto const* v : r.shared) {
        if (v->bytes == 0) {
            dynamic_alignment = std::max<std::uint64_t>(dynamic_alignment, v->alignment);
            continue;
        }
        used = (used + v->alignment - 1) & ~(std::uint64_t{v->alignment} - 1);
        context.shared[v] = static_cast<std::uint32_t>(used);
        used += v->bytes;
    }
    std::uint64_t const dynamic = (used + dynamic_alignment - 1) & ~(dynamic_alignment - 1);
    bool any = false;
    for (auto const* v : r.shared)
        if (v->bytes == 0) context.shared[v] = static_cast<std::uint32_t>(dynamic), any = true;
    if (any) used = dynamic;
    constexpr std::uint64_t most = std::uint64_t{1} << 20;
    if (used > most) k.fault = ptx::not_supported_at(r.shared.front()->at, "the kernel's shared memory is too large");
    k.static_shared_bytes = static_cast<std::uint32_t>(used > most ? 0 : used);
}

} // namespace sim
GPUPROF_NAMESPACE_END
