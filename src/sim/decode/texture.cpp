// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "texture.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../texture/form.hpp"
#include "operands.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

struct texture_geometry {
    std::string_view name;
    texture_form form;
};
// Multi-sample ones are not there.
static constexpr texture_geometry texture_geometries[] = {
    {"1d", {1, false, false}}, {"2d", {2, false, false}},  {"3d", {3, false, false}}, {"a1d", {1, true, false}},
    {"a2d", {2, true, false}}, {"cube", {3, false, true}}, {"acube", {3, true, true}}};
static bool take_geometry(instruction_decoder& in, texture_form& form) {
    for (auto const& row : texture_geometries)
        if (in.take(row.name)) return form = row.form, true;
    return in.unsupported();
}

// The object alone: a handle in a register. Named references went with CUDA 12.
static bool bind_object(instruction_decoder& in, ptx::operand const& o) {
    if (o.kind != ptx::operand_kind::reg)
        return in.fail(o.at, "texture and surface references are not supported, objects are");
    bind(in, o, {place::a, type::u64});
    return true;
}

// [object, {coordinates}] of operand `i`: slots for the layer, if there is one, and the
// coordinates. What fills a vector of four is passed over.
static bool bind_place(instruction_decoder& in, std::size_t i, texture_form const& form, type coordinate) {
    auto const& o = in.operand(i);
    if (o.kind != ptx::operand_kind::address)
        return in.malformed(o.at, "expected an object and coordinates in brackets");
    if (o.elements.size() != 2)
        return in.fail(o.at, "texture instructions with a sampler of their own are not supported");
    if (!bind_object(in, o.elements[0])) return false;
    auto const& at = o.elements[1];
    bool const is_vector = at.kind == ptx::operand_kind::vector;
    std::size_t const given = is_vector ? at.elements.size() : 1;
    std::size_t const needed = form.dimensions + std::size_t{form.is_layered};
    if (given < needed) return in.malformed(at.at, "coordinates are missing");
    for (std::size_t k = 0; k < needed; ++k) {
        bool const is_layer = form.is_layered && k == 0;
        in.add_slot(make_slot(in, is_vector ? at.elements[k] : at, is_layer ? type::u32 : coordinate, transfer::read,
                              width::exact));
    }
    return true;
}

static bool finish_texture(instruction_decoder& in, texture_operation operation, texture_form const& form) {
    in.op.action = action::texture;
    in.op.mode = static_cast<std::uint8_t>(operation);
    in.op.immediate = form.packed();
    in.op.memory.space = ptx::space::global;
    return in.finish();
}

// tex{.base,.level,.grad}.geometry.v4.type.coordinates d, [object, {…}]{, level | gradients}:
// textures have one level, so what chooses another is passed over.
bool tex(instruction_decoder& in) {
    texture_form form;
    in.take("base");
    bool const names_level = in.take("level");
    bool const has_gradients = in.take("grad");
    if (!take_geometry(in, form) || !in.take("v4")) return in.unsupported();
    auto const t = in.op.type = in.take_type();
    auto const coordinate = in.op.source_type = in.take_type();
    if (ptx::size_of(t) != 4 || (coordinate != type::f32 && coordinate != type::s32) ||
        (form.is_cube && coordinate != type::f32))
        return in.unsupported();
    std::size_t const more = names_level ? 1 : has_gradients ? 2 : 0;
    if (!in.has_operands(2 + more, 2 + more)) return in.unsupported(); // offsets, depth comparisons
    in.op.memory.count = 4;
    in.op.memory.element = t;
    if (!bind_slots(in, 0, 4, t, transfer::write) || !bind_place(in, 1, form, coordinate)) return false;
    return finish_texture(in, texture_operation::fetch, form);
}

// tld4.channel.2d.v4.type.f32
bool tld4(instruction_decoder& in) {
    static constexpr std::string_view channels[] = {"r", "g", "b", "a"};
    texture_form form;
    int const channel = in.take_one(channels);
    if (channel < 0 || !take_geometry(in, form) || !in.take("v4")) return in.unsupported();
    auto const t = in.op.type = in.take_type();
    in.op.source_type = in.take_type();
    if (ptx::size_of(t) != 4 || in.op.source_type != type::f32 || form.dimensions != 2 || !in.has_operands(2, 2))
        return in.unsupported();
    form.detail = static_cast<std::uint8_t>(channel);
    in.op.memory.count = 4;
    in.op.memory.element = t;
    if (!bind_slots(in, 0, 4, t, transfer::write) || !bind_place(in, 1, form, type::f32)) return false;
    return finish_texture(in, texture_operation::gather, form);
}

// suld.b and sust.b: untyped bytes; the first coordinate is in bytes. Formatted ones (.p) are not
// there.
static bool surface(instruction_decoder& in, bool loads) {
    static constexpr std::string_view cache_operators[] = {"ca", "cg", "cs", "cv", "wb", "wt"};
    static constexpr std::string_view bounds[] = {"trap", "clamp", "zero"};
    static constexpr std::string_view vectors[] = {"v2", "v4"};
    texture_form form;
    if (!in.take("b") || !take_geometry(in, form) || form.is_cube) return in.unsupported();
    in.take_one(cache_operators);
    int const v = in.take_one(vectors);
    int const outside = in.take_one(bounds);
    auto const t = in.take_type();
    bool const is_bits = t == type::b8 || t == type::b16 || t == type::b32 || t == type::b64;
    if (outside < 0 || !is_bits || !in.has_operands(2, 2)) return in.unsupported();
    in.op.memory.count = static_cast<std::uint8_t>(v < 0 ? 1 : 2 << v);
    in.op.memory.element = t;
    if (ptx::size_of(t) * in.op.memory.count > 16) return in.unsupported();
    form.detail = static_cast<std::uint8_t>(outside);
    if (!bind_slots(in, loads ? 0 : 1, in.op.memory.count, t, loads ? transfer::write : transfer::read,
                    width::at_least) ||
        !bind_place(in, loads ? 1 : 0, form, type::s32))
        return false;
    return finish_texture(in, loads ? texture_operation::load_surface : texture_operation::store_surface, form);
}

bool suld(instruction_decoder& in) { return surface(in, true); }

bool sust(instruction_decoder& in) { return surface(in, false); }

// txq.what.b32 d, [object]
bool query(instruction_decoder& in) {
    static constexpr std::string_view names[] = {
        "width", "height", "depth", "array_size", "num_mipmap_levels", "num_samples", "normalized_coords"};
    int const which = in.take_one(names);
    if (which < 0 || !in.take("b32") || !in.has_operands(2, 2)) return in.unsupported();
    auto const& o = in.operand(1);
    if (o.kind != ptx::operand_kind::address || o.elements.size() != 1)
        return in.malformed(o.at, "expected an object in brackets");
    if (!bind_object(in, o.elements[0])) return false;
    bind(in, 0, {place::d, type::b32});
    texture_form form;
    form.detail = static_cast<std::uint8_t>(which);
    return finish_texture(in, texture_operation::query, form);
}

} // namespace sim::decode
GPUPROF_NAMESPACE_END
