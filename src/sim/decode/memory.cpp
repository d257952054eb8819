// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../code/device_memory.hpp"
#include "../ops/lane_map.hpp"
#include "../ops/select_ops.hpp"
#include "../ops/tensor_map.hpp"
#include "operands.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

bool take_space(instruction_decoder& in) {
    using ptx::space;
    struct row {
        std::string_view name;
        ptx::space where;
    };
    static constexpr row rows[] = {{"global", space::global},      {"shared", space::shared},
                                   {"shared::cta", space::shared}, {"shared::cluster", space::shared},
                                   {"local", space::local},        {"const", space::constant},
                                   {"param", space::param},        {"param::entry", space::param},
                                   {"param::func", space::param}};
    in.op.memory.space = space::generic;
    for (auto const& r : rows)
        if (in.take(r.name)) return in.op.memory.space = r.where, true;
    return false;
}

// The class that an access names for L2: streaming data goes first. Policies in registers (L2::cache_hint) are not
// looked at.
static void take_eviction(instruction_decoder& in) {
    if (in.take("cs") || in.take("L2::evict_first")) in.op.info.cache.eviction = l2_eviction::first;
    if (in.take("L2::evict_last")) in.op.info.cache.eviction = l2_eviction::last;
}

// Ordering, scope and cache hints. Order matters here, the rest changes no result.
void take_memory_modifiers(instruction_decoder& in) {
    static constexpr std::string_view ordering[] = {"volatile", "acquire", "release", "acq_rel", "relaxed", "mmio"};
    for (auto const name : ordering)
        if (in.take(name)) {
            in.op.memory.ordered = in.op.memory.order.strong = true;
            if (name == "release" || name == "acq_rel") in.op.memory.order.releases = true;
        }
    in.op.memory.order.in_cta_only = in.take("cta");
    take_eviction(in);
    bool const is_for_all = in.op.memory.order.strong && !in.op.memory.order.in_cta_only; // L1 is the SM's own
    if (in.take("cg") || in.take("cv") || is_for_all) in.op.info.cache.past_l1 = true;
    static constexpr std::string_view ignored[] = {"weak",
                                                   "cluster",
                                                   "gpu",
                                                   "sys",
                                                   "ca",
                                                   "lu",
                                                   "wb",
                                                   "wt",
                                                   "nc",
                                                   "unified",
                                                   "noftz",
                                                   "L1::evict_normal",
                                                   "L1::evict_unchanged",
                                                   "L1::evict_first",
                                                   "L1::evict_last",
                                                   "L1::no_allocate",
                                                   "L2::evict_normal",
                                                   "L2::cache_hint",
                                                   "L2::64B",
                                                   "L2::128B",
                                                   "L2::256B"};
    for (auto const name : ignored) in.take(name);
    static constexpr std::string_view vectors[] = {"v2", "v4", "v8"};
    int const v = in.take_one(vectors);
    if (v >= 0) in.op.memory.count = static_cast<std::uint8_t>(2 << v);
}

bool take_address(instruction_decoder& in, std::size_t i, operand_ref& base, std::int64_t& offset, memory_form& form) {
    using kind = ptx::operand_kind;
    auto const& o = in.operand(i);
    if (o.kind != kind::address || o.elements.size() != 1) return in.malformed(o.at, "expected an address in brackets");
    auto const& b = o.elements.front();
    auto const move = [&](std::uint64_t by) {
        offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(o.offset) + by);
    };
    switch (b.kind) {
        case kind::reg:
        case kind::special: {
            bool const wide = b.kind == kind::reg && ptx::size_of(in.register_type(b)) == 8;
            form.has_base = true;
            form.narrow_address = !wide;
            form.kernel_parameter = form.space == ptx::space::param && in.builder.from.is_entry;
            base = make_slot(in, b, wide ? type::u64 : type::u32, transfer::read, width::exact).ref;
            move(0);
            return true;
        }
        case kind::integer: move(b.bits); return true;
        case kind::module_variable: {
            auto const& v = in.module_variable(b);
            bool const shared = v.space == ptx::space::shared;
            std::uint64_t address = shared ? in.shared_address(&v) : in.builder.link.variable_addresses[b.index];
            if (shared && form.space == ptx::space::generic) address += address_map::shared_window;
            move(address);
            return true;
        }
        case kind::function_variable: {
            auto const& v = in.builder.from.variables[b.index];
            if (v.space == ptx::space::shared) {
                move(in.shared_address(&v) + (form.space == ptx::space::generic ? address_map::shared_window : 0));
                return true;
            }
            form.kernel_parameter = in.builder.from.is_kernel_parameter(b.index);
            form.frame_relative = !form.kernel_parameter;
            move(in.builder.variable_offset(b.index));
            return true;
        }
        default: return in.malformed(b.at, "'" + std::string{b.text} + "' is not declared");
    }
}

static void classify_memory(instruction_decoder& in) {
    bool const parameter = in.op.memory.space == ptx::space::param && in.op.memory.kernel_parameter;
    if (parameter && in.op.action == action::load) in.classify(instruction_kind::parameter_load, pipe::adu);
    else if (in.op.memory.space == ptx::space::constant) in.op.info.pipe = pipe::adu;
}

// The registers of a load or store, which may be wider than what they hold.
static bool bind_elements(instruction_decoder& in, std::size_t i, transfer way) {
    return bind_slots(in, i, in.op.memory.count, in.op.memory.element, way, width::at_least);
}

bool ld(instruction_decoder& in) {
    in.op.action = action::load;
    take_space(in);
    take_memory_modifiers(in);
    in.op.memory.element = in.take_type();
    if (!in.expect_operands(2, 3) || !take_address(in, 1, in.op.a, in.op.offset, in.op.memory)) return false;
    if (!bind_elements(in, 0, transfer::write)) return false;
    classify_memory(in);
    return in.finish();
}

// The next address of cp.async.bulk and of st.async: two slots, its base and what is added.
static bool add_address(instruction_decoder& in, std::size_t operand, ptx::space where) {
    memory_form form;
    form.space = where;
    operand_ref base = in.builder.constant(0, 8);
    std::int64_t offset = 0;
    if (!take_address(in, operand, base, offset, form)) return false;
    in.add_slot({base, static_cast<std::uint8_t>(form.narrow_address ? 4 : 8), false});
    in.add_slot({in.builder.constant(static_cast<std::uint64_t>(offset), 8), 8, false});
    return true;
}

// What the bytes that st.async or red.async stores are complete on: its last operand.
static bool take_completion(instruction_decoder& in) {
    if (!in.take("mbarrier::complete_tx::bytes") || in.op.memory.space != ptx::space::shared || !in.has_operands(3, 3))
        return in.unsupported();
    in.op.action = action::store_async;
    return add_address(in, 2, ptx::space::shared) && in.finish();
}

bool st(instruction_decoder& in) {
    in.op.action = action::store;
    bool const is_async = in.take("async");
    take_space(in);
    take_memory_modifiers(in);
    in.op.memory.element = in.take_type();
    if (is_async)
        return in.has_operands(3, 3) && take_address(in, 0, in.op.a, in.op.offset, in.op.memory) &&
               bind_elements(in, 1, transfer::read) && take_completion(in);
    if (!in.expect_operands(2, 3) || !take_address(in, 0, in.op.a, in.op.offset, in.op.memory)) return false;
    if (!bind_elements(in, 1, transfer::read)) return false;
    classify_memory(in);
    return in.finish();
}

static bool is_atomic_type(type t, atomic_operation operation) noexcept {
    bool const bitwise = operation == atomic_operation::and_ || operation == atomic_operation::or_ ||
                         operation == atomic_operation::xor_ || operation == atomic_operation::inc ||
                         operation == atomic_operation::dec;
    if (t == type::b16 || t == type::u16 || t == type::s16)
        return operation == atomic_operation::cas || operation == atomic_operation::exch;
    if (ptx::size_of(t) == 2 || ptx::is_floating(t))
        return !bitwise && (operation != atomic_operation::cas || ptx::size_of(t) >= 4);
    return ptx::size_of(t) == 4 || ptx::size_of(t) == 8;
}

// atom d, [a], b{, c} and red [a], b. Slots: the results, as many b, c. Vectors are of floats in global memory.
static bool atomic(instruction_decoder& in, bool returns, bool is_async = false) {
    static constexpr std::string_view names[] = {"add", "exch", "cas", "min", "max", "inc", "dec", "and", "or", "xor"};
    in.op.action = action::atomic;
    take_space(in);
    int const which = in.take_one(names);
    in.op.info.cache.eviction = l2_eviction::last; // what L2 works on, it keeps: kernel profiling guide, 10.4
    take_memory_modifiers(in);
    auto const t = in.op.memory.element = in.take_type();
    if (which < 0) return in.unsupported();
    in.op.memory.operation = static_cast<atomic_operation>(which + 1);
    in.op.info.cache.compares = in.op.memory.operation == atomic_operation::cas;
    in.op.memory.ordered = in.op.memory.order.strong = true;
    in.op.info.cache.sums_floats = ptx::is_floating(t) && in.op.memory.operation == atomic_operation::add;
    in.op.info.cache.sums_halves = in.op.info.cache.sums_floats && t != ptx::type::f32 && t != ptx::type::f64;
    if (!is_atomic_type(t, in.op.memory.operation)) return in.unsupported();
    bool const compares = in.op.memory.operation == atomic_operation::cas;
    unsigned const count = in.op.memory.count;
    bool const is_vector_type = ptx::is_floating(t) && !compares && ptx::size_of(t) * count <= 16;
    if (count != 1 && (!is_vector_type || in.op.memory.space == ptx::space::shared)) return in.unsupported();
    std::size_t const first = returns ? 1 : 0;
    if (!in.expect_operands(first + (compares ? 3 : 2), first + 4)) return false;
    if (!take_address(in, first, in.op.a, in.op.offset, in.op.memory)) return false;
    ptx::operand const nowhere{};
    if (returns && count != 1) {
        if (!bind_elements(in, 0, transfer::write)) return false;
    } else {
        for (unsigned e = 0; e < count; ++e)
            in.add_slot(make_slot(in, returns ? in.operand(0) : nowhere, t, transfer::write, width::at_least));
    }
    if (!bind_slots(in, first + 1, count, t, transfer::read)) return false;
    if (compares && !bind_slots(in, first + 2, 1, t, transfer::read)) return false;
    in.op.mode = returns;
    bool const to_register = returns && in.operand(0).kind == ptx::operand_kind::reg;
    in.op.memory.discards = !to_register || !in.builder.is_read(in.operand(0).index); // nobody asks it of a vector
    classify_memory(in);
    return is_async ? take_completion(in) : in.finish();
}

bool atom(instruction_decoder& in) { return atomic(in, true); }

bool red(instruction_decoder& in) { return atomic(in, false, in.take("async")); }

// cp.async [dst], [src], bytes{, bytes to read}. The source is the address, the destination slot 0
// plus `immediate`.
static bool copy_async(instruction_decoder& in) {
    in.op.action = action::copy_async;
    in.take("ca");
    in.op.info.cache.past_l1 = in.take("cg");
    if (!in.take("shared") && !in.take("shared::cta")) return in.unsupported();
    take_space(in);
    take_memory_modifiers(in);
    if (!in.has_operands(3, 5) || in.operand(2).kind != ptx::operand_kind::integer) return in.unsupported();
    memory_form to;
    to.space = ptx::space::shared;
    operand_ref base = in.builder.constant(0, 4);
    std::int64_t offset = 0;
    if (!take_address(in, 0, base, offset, to) || !take_address(in, 1, in.op.a, in.op.offset, in.op.memory))
        return false;
    auto const bytes = in.operand(2).bits;
    if (bytes != 4 && bytes != 8 && bytes != 16) return in.unsupported();
    in.add_slot({base, static_cast<std::uint8_t>(to.has_base && !to.narrow_address ? 8 : 4), false});
    in.op.immediate = static_cast<std::uint32_t>(offset);
    in.op.memory.element = bytes == 16 ? type::b128 : bytes == 8 ? type::b64 : type::b32;
    bool const sized = in.operand_count() > 3 && in.operand(3).kind != ptx::operand_kind::address;
    if (sized && in.operand(3).kind == ptx::operand_kind::reg && in.register_type(in.operand(3)) == type::pred)
        return in.unsupported();
    if (sized) bind(in, 3, {place::b, type::u32});
    else in.op.b = in.builder.constant(bytes, 4);
    return in.finish();
}

// Hints that move nothing: the addresses are not even looked at, as on hardware.
bool hint(instruction_decoder& in) {
    in.op.action = action::nothing;
    if (in.take("tensormap") || in.take("tensor")) in.classify(instruction_kind::other, pipe::tma);
    while (in.has_modifiers()) in.take(in.next_modifier());
    return in.finish();
}

// cp.reduce: its operation. The order of such sums matters, as that of atomics does.
static bool take_reduction(instruction_decoder& in) {
    if (!in.take("reduce")) return true;
    static constexpr std::string_view names[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};
    static constexpr atomic_operation operations[] = {
        atomic_operation::add, atomic_operation::min,  atomic_operation::max, atomic_operation::inc,
        atomic_operation::dec, atomic_operation::and_, atomic_operation::or_, atomic_operation::xor_};
    int const which = in.take_one(names);
    in.take("noftz");
    if (which < 0) return false;
    in.op.memory.operation = operations[which];
    in.op.memory.space = ptx::space::global;
    in.op.memory.ordered = true;
    return true;
}

// cp.async.bulk.tensor.Nd [dst], [map, {coordinates}], [mbarrier]{, offsets of an image}{, mask}, and to global memory
// [map, {coordinates}], [src]; a hint about caches may follow. cp.reduce as the latter.
static bool copy_tensor(instruction_decoder& in) {
    static constexpr std::string_view sizes[] = {"1d", "2d", "3d", "4d", "5d"};
    auto const dimensions = static_cast<std::size_t>(in.take_one(sizes) + 1);
    bool const has_offsets = in.take("im2col");
    bool const is_image = in.take("im2col_no_offs") || has_offsets;
    if (!is_image) in.take("tile");
    bool const completes = in.take("mbarrier::complete_tx::bytes");
    bool const grouped = in.take("bulk_group");
    bool const cluster = in.take("shared::cluster");
    bool const cta = in.take("shared::cta");
    bool const multicast = in.take("multicast::cluster");
    std::size_t const operands = (grouped ? 2u : 3u) + has_offsets + multicast + in.take("L2::cache_hint");
    bool const reduces = in.op.memory.operation != atomic_operation::none;
    if (dimensions == 0 || !in.take("global") || completes == grouped || cluster == cta ||
        (grouped && (cluster || multicast)) || (reduces && !grouped) ||
        (is_image && (dimensions < 3 || has_offsets == grouped)) || !in.has_operands(operands, operands))
        return in.unsupported();
    in.op.action = action::copy_tensor;
    in.classify(instruction_kind::copy_async, pipe::tma);
    in.op.mode = static_cast<std::uint8_t>(grouped ? tensor_copy::store : tensor_copy::load);
    in.op.immediate = static_cast<std::uint32_t>(dimensions | (multicast ? tensor_copy_multicast : 0) |
                                                 (is_image ? tensor_copy_image : 0));
    auto const& map = in.operand(grouped ? 0 : 1);
    if (map.kind != ptx::operand_kind::address || map.elements.size() != 2)
        return in.malformed(map.at, "expected a tensor map and coordinates in brackets");
    auto const& at = map.elements[1];
    bool const is_vector = at.kind == ptx::operand_kind::vector;
    if ((is_vector ? at.elements.size() : 1) != dimensions)
        return in.malformed(at.at, "not as many coordinates as dimensions");
    if (!add_address(in, grouped ? 1 : 0, ptx::space::shared)) return false;
    in.add_slot(make_slot(in, map.elements[0], type::u64, transfer::read, width::exact));
    in.add_slot({in.builder.constant(static_cast<std::uint64_t>(map.offset), 8), 8, false});
    if (!grouped && !add_address(in, 2, ptx::space::shared)) return false;
    for (std::size_t d = 0; d < dimensions; ++d)
        in.add_slot(make_slot(in, is_vector ? at.elements[d] : at, type::s32, transfer::read, width::exact));
    if (has_offsets && !bind_slots(in, 3, dimensions - 2, type::u16, transfer::read)) return false;
    if (multicast) bind(in, has_offsets ? 4 : 3, {place::c, type::u16});
    return in.finish();
}

// tensormap.replace.tile.field [map], {ordinal, }value and tensormap.cp_fenceproxy [dst], [src], 128.
bool tensormap(instruction_decoder& in) {
    in.op.type = type::b128;
    if (in.take("cp_fenceproxy")) {
        in.op.action = action::copy_tensor_map;
        while (in.has_modifiers()) in.take(in.next_modifier()); // all have to be there
        return in.expect_operands(3, 3) && add_address(in, 0, ptx::space::global) &&
               add_address(in, 1, ptx::space::shared) && in.finish();
    }
    static constexpr std::string_view fields[] = {"global_address", "rank",           "box_dim",  "global_dim",
                                                  "global_stride",  "element_stride", "elemtype", "interleave_layout",
                                                  "swizzle_mode",   "fill_mode"};
    if (!in.take("replace") || !in.take("tile")) return in.unsupported();
    int const which = in.take_one(fields);
    auto const field = static_cast<tensor_map_field>(which);
    bool const has_ordinal = field >= tensor_map_field::box && field <= tensor_map_field::step;
    std::size_t const operands = has_ordinal ? 3 : 2;
    if (which < 0 || !in.take("b1024") || !in.has_operands(operands, operands)) return in.unsupported();
    in.op.memory.space = in.take("global")                             ? ptx::space::global
                         : in.take("shared::cta") || in.take("shared") ? ptx::space::shared
                                                                       : ptx::space::generic;
    in.op.memory.element = in.take_type();
    in.op.action = action::replace_in_tensor_map;
    in.op.mode = static_cast<std::uint8_t>(which);
    if (!add_address(in, 0, in.op.memory.space)) return false;
    if (has_ordinal) bind(in, 1, {place::immediate, type::b32});
    if (in.op.immediate >= tensor_map::most_dimensions) return in.malformed(in.operand(1).at, "no such dimension");
    bind(in, operands - 1, {place::b, in.op.memory.element});
    return in.finish();
}

// cp.async.bulk [dst], [src], bytes, [mbarrier]{, mask} or, to global memory, without one; a hint
// about caches may follow.
static bool copy_bulk(instruction_decoder& in) {
    if (in.take("commit_group")) { // nothing is under way: see bulk_copy_unit
        in.op.action = action::bulk_commit;
        in.classify(instruction_kind::other, pipe::tma);
        return in.finish();
    }
    if (in.take("wait_group")) {
        in.op.mode = in.take("read");
        in.op.action = action::bulk_wait;
        if (!in.expect_operands(1, 1)) return false;
        bind(in, 0, {place::immediate, type::b32});
        return in.finish();
    }
    if (in.take("prefetch")) return hint(in);
    if (!take_reduction(in)) return in.unsupported();
    if (in.take("tensor")) return copy_tensor(in);
    bool const completes = in.take("mbarrier::complete_tx::bytes");
    bool const grouped = in.take("bulk_group");
    bool const global = in.take("global");
    bool const cluster = in.take("shared::cluster");
    bool const cta = in.take("shared::cta");
    bool const hinted = in.take("L2::cache_hint");
    bulk_copy const form = grouped ? bulk_copy::to_global : global ? bulk_copy::to_shared : bulk_copy::within_shared;
    bool const multicast = in.take("multicast::cluster");
    std::size_t const operands = (grouped ? 3u : 4u) + hinted + multicast;
    if ((multicast && form != bulk_copy::to_shared) || completes == grouped ||
        (grouped ? !global || !cta : cluster + cta != (global ? 1 : 2)) || !in.has_operands(operands, operands))
        return in.unsupported();
    using ptx::space;
    in.op.action = action::copy_bulk;
    in.classify(instruction_kind::copy_async, pipe::tma);
    in.op.mode = static_cast<std::uint8_t>(form);
    if (!add_address(in, 0, grouped ? space::global : space::shared) ||
        !add_address(in, 1, form == bulk_copy::to_shared ? space::global : space::shared) ||
        (completes && !add_address(in, 3, space::shared)))
        return false;
    bind(in, 2, {place::b, type::u32});
    if (in.op.memory.operation != atomic_operation::none) {
        if (form == bulk_copy::to_shared) return in.unsupported();
        in.op.memory.space = grouped ? space::global : space::shared;
        in.op.memory.element = in.take_type();
        if (!is_atomic_type(in.op.memory.element, in.op.memory.operation)) return in.unsupported();
    }
    in.op.immediate = multicast;
    if (multicast) bind(in, 4, {place::c, type::u16});
    return in.finish();
}

bool cp(instruction_decoder& in) {
    if (!in.take("async")) return in.unsupported();
    if (in.take("bulk")) return copy_bulk(in); // cp.reduce.async.bulk, too
    if (in.take("commit_group")) {
        in.op.action = action::copy_async_commit;
        return in.finish();
    }
    bool const all = in.take("wait_all");
    if (all || in.take("wait_group")) { // `immediate`: groups that may stay pending; all ones: none, not even open ones
        in.op.action = action::copy_async_wait;
        in.op.immediate = ~std::uint32_t{0};
        if (!all && !in.expect_operands(1, 1)) return false;
        if (!all) bind(in, 0, {place::immediate, type::b16});
        return in.finish();
    }
    return copy_async(in);
}

// createpolicy d: any number will do.
bool createpolicy(instruction_decoder& in) {
    while (in.has_modifiers()) in.take(in.next_modifier());
    in.op.compute = map1<ops::identity, std::uint64_t>;
    in.op.a = in.builder.constant(0, 8);
    bind(in, 0, {place::d, type::b64});
    return in.finish();
}

} // namespace sim::decode
GPUPROF_NAMESPACE_END
