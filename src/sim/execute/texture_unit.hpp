// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes texture and surface instructions of a warp.
#ifndef GPUPROF_SRC_SIM_EXECUTE_TEXTURE_UNIT_HPP
#define GPUPROF_SRC_SIM_EXECUTE_TEXTURE_UNIT_HPP

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../code/decoded.hpp"
#include "../code/observer.hpp"
#include "../code/warp.hpp"
#include "../ops/memory_cell.hpp"
#include "../texture/footprint.hpp"
#include "../texture/form.hpp"
#include "cta_memory.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Functions give false when a lane faults; the reason is in cta_memory::fault(). Objects are read
// for each lane, so lanes may have different ones.
template <sm_observer Sm>
class texture_unit {
public:
    texture_unit(cta_memory& memory, Sm& sm) noexcept : memory_{memory}, sm_{sm} {}

    bool execute(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        auto const what = static_cast<texture_operation>(op.mode);
        auto const form = texture_form::of(op.immediate);
        access_.begin(mask);
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (!(mask >> lane & 1)) continue;
            if (!load_object(w, lane, r.read_lane(op.a, lane, 8), what)) return false;
            bool good = true;
            switch (what) {
                case texture_operation::query: r.write_lane(op.d, lane, 4, answer(form)); break;
                case texture_operation::fetch: good = fetch(w, r, op, form, lane); break;
                case texture_operation::gather: good = gather(w, r, op, form, lane); break;
                case texture_operation::load_surface:
                case texture_operation::store_surface: good = surface(w, r, op, form, lane); break;
            }
            if (!good) return false;
        }
        if (what != texture_operation::query) tell(w, op, what, mask);
        return true;
    }

private:
    // What the lanes read or write: a list of addresses for each, of as many texels as the most
    // that one has. A lane that has fewer repeats its first.
    struct touched {
        std::array<std::array<std::uint64_t, warp_size>, 8> address;
        std::array<std::uint8_t, warp_size> count{};
        unsigned most = 0;
        std::uint32_t bytes = 0;

        void begin(lane_mask mask) noexcept {
            for (unsigned i = 0; i < warp_size; ++i)
                if (mask >> i & 1) count[i] = 0;
            most = 0;
            bytes = 0;
        }
        void add(unsigned lane, std::uint64_t at, std::uint32_t size) noexcept {
            address[count[lane]++][lane] = at;
            if (count[lane] > most) most = count[lane];
            if (size > bytes) bytes = size;
        }
    };

    bool load_object(warp&, unsigned lane, std::uint64_t handle, texture_operation what) {
        bool const stores = what == texture_operation::load_surface || what == texture_operation::store_surface;
        if (handle != handle_) {
            handle_ = 0;
            std::byte const* const at = (handle & address_map::window_mask) == address_map::constant_base
                                            ? memory_.global().translate(handle, sizeof(texture_object))
                                            : nullptr;
            object_.tag = 0;
            if (at != nullptr) std::memcpy(&object_, at, sizeof object_);
            if (object_.tag == texture_object::texture_tag || object_.tag == texture_object::surface_tag)
                handle_ = handle;
        }
        bool const fits = handle == handle_ && handle != 0 &&
                          (what == texture_operation::query ||
                           object_.tag == (stores ? texture_object::surface_tag : texture_object::texture_tag));
        if (fits) return true;
        memory_.fail(launch_failure::invalid_instruction, ptx::space::global, lane, handle, 0);
        memory_.describe(stores ? "the handle is not that of a surface object"
                                : "the handle is not that of a texture object");
        return false;
    }

    [[nodiscard]] texture_place place_of(registers const& r, decoded const& op, texture_form const& form,
                                         unsigned lane) const noexcept {
        texture_place place;
        operand_slot const* slot = op.slots + op.memory.count;
        if (form.is_layered) place.layer = static_cast<std::uint32_t>(r.read_lane((slot++)->ref, lane, 4));
        place.is_integer = op.source_type != ptx::type::f32;
        for (unsigned d = 0; d < form.dimensions; ++d) {
            auto const bits = static_cast<std::uint32_t>(r.read_lane(slot[d].ref, lane, 4));
            place.at[d] = place.is_integer ? double{static_cast<double>(static_cast<std::int32_t>(bits))}
                                           : double{std::bit_cast<float>(bits)};
        }
        return place;
    }

    // The texel in memory; a null pointer without a fault for the border.
    bool locate(warp& w, unsigned lane, texture_footprint::part const& part, std::byte const*& texel) {
        texel = nullptr;
        if (!part.is_inside) return true;
        texel = memory_.locate(ptx::space::global, w, lane, part.address, object_.texel_bytes());
        if (texel != nullptr) access_.add(lane, part.address, object_.texel_bytes());
        return texel != nullptr;
    }

    bool fits(texture_form const& form, unsigned lane) {
        bool const same = form.dimensions == (object_.is_cube ? 3 : object_.dimensions) &&
                          form.is_cube == object_.is_cube && (!form.is_layered || object_.is_layered);
        // A texture of two dimensions may be of one row, and so on: hardware reads the first.
        bool const fewer = !form.is_cube && !object_.is_cube && form.dimensions <= object_.dimensions;
        if (same || fewer) return true;
        memory_.fail(launch_failure::invalid_instruction, ptx::space::global, lane, handle_, 0);
        memory_.describe("the object has fewer dimensions than the instruction, or is no cube");
        return false;
    }

    bool fetch(warp& w, registers const& r, decoded const& op, texture_form const& form, unsigned lane) {
        if (!fits(form, lane)) return false;
        texture_footprint const footprint = footprint_of(object_, place_of(r, op, form, lane));
        std::array<std::byte const*, 8> texels{};
        for (unsigned p = 0; p < footprint.count; ++p)
            if (!locate(w, lane, footprint.parts[p], texels[p])) return false;
        texel_bits const value =
            footprint.count == 1 ? read_texel(object_, texels[0]) : filtered(object_, footprint, texels);
        for (unsigned c = 0; c < 4; ++c)
            if (!op.slots[c].sink) r.write_lane(op.slots[c].ref, lane, 4, value[c]);
        return true;
    }

    bool gather(warp& w, registers const& r, decoded const& op, texture_form const& form, unsigned lane) {
        if (!fits(form, lane)) return false;
        texture_footprint const footprint = gathered(object_, place_of(r, op, form, lane));
        for (unsigned p = 0; p < 4; ++p) {
            std::byte const* texel = nullptr;
            if (!locate(w, lane, footprint.parts[p], texel)) return false;
            if (!op.slots[p].sink) r.write_lane(op.slots[p].ref, lane, 4, read_texel(object_, texel)[form.detail]);
        }
        return true;
    }

    // Bytes of a row, at a multiple of what is moved.
    bool surface(warp& w, registers const& r, decoded const& op, texture_form const& form, unsigned lane) {
        bool const loads = static_cast<texture_operation>(op.mode) == texture_operation::load_surface;
        auto const bounds = static_cast<surface_bounds>(form.detail);
        unsigned const element = ptx::size_of(op.memory.element);
        std::int64_t const bytes = std::int64_t{element} * op.memory.count;
        texture_place const place = place_of(r, op, form, lane);
        std::int64_t const most[3] = {std::int64_t{object_.size[0]} * object_.texel_bytes() - bytes,
                                      std::int64_t{object_.size[1]} - 1, std::int64_t{object_.size[2]} - 1};
        std::int64_t at[3]{};
        bool inside = true;
        for (unsigned d = 0; d < 3; ++d) {
            auto x = d < form.dimensions ? static_cast<std::int64_t>(place.at[d]) : 0;
            if (x < 0 || x > most[d]) {
                inside = false;
                x = x < 0 ? 0 : (std::max<std::int64_t>)(most[d], 0);
            }
            at[d] = x;
        }
        if (object_.is_layered || object_.is_cube) {
            inside = inside && place.layer < object_.layers;
            at[2] = (std::min)(place.layer, object_.layers - 1);
        }
        if (most[0] < 0 || (!inside && bounds == surface_bounds::trap)) {
            memory_.fail(launch_failure::illegal_address, ptx::space::global, lane,
                         object_.at(0, static_cast<std::uint64_t>(at[1]), static_cast<std::uint64_t>(at[2])),
                         static_cast<unsigned>(bytes));
            memory_.describe("beyond the surface");
            return false;
        }
        if (!inside && bounds == surface_bounds::zero) {
            for (unsigned e = 0; loads && e < op.memory.count; ++e)
                if (!op.slots[e].sink) r.write_lane(op.slots[e].ref, lane, op.slots[e].bytes, 0);
            return true;
        }
        std::uint64_t const address =
            object_.at(0, static_cast<std::uint64_t>(at[1]), static_cast<std::uint64_t>(at[2])) +
            static_cast<std::uint64_t>(at[0]);
        std::byte* const texel = memory_.locate(ptx::space::global, w, lane, address, static_cast<unsigned>(bytes));
        if (texel == nullptr) return false;
        access_.add(lane, address, static_cast<std::uint32_t>(bytes));
        for (unsigned e = 0; e < op.memory.count; ++e) {
            operand_slot const slot = op.slots[e];
            std::byte* const cell = texel + std::size_t{e} * element;
            std::uint64_t value = 0;
            if (loads) {
                std::memcpy(&value, cell, element);
                if (!slot.sink) r.write_lane(slot.ref, lane, slot.bytes, value);
            } else {
                value = r.read_lane(slot.ref, lane, slot.bytes);
                std::memcpy(cell, &value, element);
            }
        }
        return true;
    }

    [[nodiscard]] std::uint32_t answer(texture_form const& form) const noexcept {
        switch (static_cast<texture_query>(form.detail)) {
            case texture_query::width: return object_.size[0];
            case texture_query::height: return object_.dimensions > 1 ? object_.size[1] : 0;
            case texture_query::depth: return object_.dimensions > 2 ? object_.size[2] : 0;
            case texture_query::array_size: return object_.is_layered ? object_.layers : 0;
            case texture_query::num_mipmap_levels:
            case texture_query::num_samples: return 1;
            case texture_query::normalized_coords: return object_.is_normalized ? 1 : 0;
        }
        return 0;
    }

    // One request a warp, with every texel that it touches: how hardware divides a warp's fetches
    // is not known.
    void tell(warp& w, decoded const& op, texture_operation what, lane_mask mask) {
        auto const operation = what == texture_operation::load_surface    ? memory_operation::load_surface
                               : what == texture_operation::store_surface ? memory_operation::store_surface
                                                                          : memory_operation::texture;
        lane_mask touching = 0;
        for (unsigned i = 0; i < warp_size; ++i)
            if ((mask >> i & 1) && access_.count[i] != 0) touching |= lane_mask{1} << i;
        for (unsigned t = 0; t < access_.most; ++t)
            for (unsigned i = 0; i < warp_size; ++i)
                if ((touching >> i & 1) && access_.count[i] <= t) access_.address[t][i] = access_.address[0][i];
        memory_access told{ptx::space::global, operation, false, access_.bytes, touching, access_.address[0].data()};
        told.places = static_cast<std::uint8_t>(access_.most);
        sm_.memory(w.number(), op.info, told);
    }

    cta_memory& memory_;
    Sm& sm_;
    std::uint64_t handle_ = 0; // of object_
    texture_object object_;
    touched access_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_TEXTURE_UNIT_HPP
