// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "product_check.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "data_flow.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static std::uint64_t key_of(warp const& w, operand_ref r) noexcept { return std::uint64_t{w.depth()} << 32 | r.code; }

// Calls f(register, whether it is written) for those of an instruction other than a product. Predicates are none.
template <class F>
static void each_register(decoded const& op, F const& f) {
    auto const reads = [&](operand_ref r) {
        if ((r.code & operand_ref::in_pool) == 0) f(r, false);
    };
    if ((op.sources & 1) != 0) reads(op.a);
    if ((op.sources & 2) != 0) reads(op.b);
    if ((op.sources & 4) != 0) reads(op.c);
    if ((op.sources & 8) != 0) reads(op.e);
    bool const unpacks = op.action == action::compute && op.opcode == detail::opcode_of("mov") && op.sources != 0;
    bool const fills_slots = op.action == action::load || op.action == action::load_matrix || unpacks;
    for (std::uint32_t i = 0; op.slots != nullptr && i < op.list_count; ++i) {
        operand_slot const& slot = op.slots[i];
        if (!slot.sink && (slot.ref.code & operand_ref::in_pool) == 0) f(slot.ref, fills_slots);
    }
    if (op.result_bytes > 1) f(op.d, true);
}

void product_check::found(check_place const& here, char const* did, check_place const& other, char const* other_did,
                          char const* detail, std::uint64_t address) {
    launch_.found(finding_kind::asynchronous, here.instruction, other.instruction, [&] {
        finding f;
        f.here = launch_.side(here, did);
        f.other = launch_.side(other, other_did);
        f.address = address;
        f.detail = detail;
        return f;
    });
}

void product_check::step(warp& w, decoded const& op, lane_mask lanes) {
    warp_state& s = warps_[w.number()];
    if (lanes == 0) return;
    check_place const here{cta_, w.number() * warp_size + (static_cast<unsigned>(std::countr_zero(lanes)) & 31),
                           launch_.number(*w.frame().function, op)};
    if (op.opcode == detail::opcode_of("wgmma")) {
        if (op.action == action::multiply_async) return issue(w, op, here);
        if (op.action != action::nothing) return;
        s.fenced = true;
        s.touched.clear();
        return;
    }
    bool const moves = op.action == action::compute && op.opcode == detail::opcode_of("mov") && op.list_count == 0;
    if (moves) {
        if (op.result_bytes < 2) return;
        std::uint64_t const to = key_of(w, op.d), from = key_of(w, op.a);
        bool const from_register = (op.sources & 1) != 0 && (op.a.code & operand_ref::in_pool) == 0;
        if (auto const found = s.used.find(from); from_register && found != s.used.end()) s.used[to] = found->second;
        else s.used.erase(to);
        if (auto const found = s.touched.find(from); from_register && found != s.touched.end())
            s.touched[to] = found->second;
        else s.touched.erase(to);
        return;
    }
    each_register(op, [&](operand_ref r, bool writes) {
        std::uint64_t const key = key_of(w, r);
        s.touched[key] = here.instruction;
        auto const at = s.used.find(key);
        if (at == s.used.end()) return;
        if (writes || at->second.as == role::sum)
            found(
                here, writes ? "write" : "read", groups_[w.number() / 4].products[at->second.product].place,
                "wgmma.mma_async",
                at->second.as == role::sum
                    ? "of a register of the sums of a product that may be under way: commit its group and wait for it "
                      "(wgmma.commit_group, wgmma.wait_group) first"
                    : "of a register of the first factor of a product that may still read it: commit its group and "
                      "wait "
                      "for it (wgmma.commit_group, wgmma.wait_group) first");
        if (writes || at->second.as == role::sum) // said once for all its registers
            std::erase_if(s.used, [of = at->second.product](auto const& one) { return one.second.product == of; });
    });
}

void product_check::issue(warp& w, decoded const& op, check_place const& here) {
    warp_state& s = warps_[w.number()];
    warpgroup& g = groups_[w.number() / 4];
    if (g.readers.empty()) g.readers.resize(cells_);
    std::uint32_t const number = s.issued++;
    if (number == g.products.size()) g.products.push_back({here, w.product_groups, {}});
    if (!s.fenced)
        found(here, "wgmma.mma_async", here, "wgmma.mma_async",
              "before any wgmma.fence: the warp must execute one before its first product");
    s.fenced = true; // said once
    bool const in_registers = (op.mode & wgmma_form::a_in_registers) != 0;
    for (std::uint32_t i = 0; i < op.list_count; ++i) {
        std::uint64_t const key = key_of(w, op.slots[i].ref);
        role const as = in_registers && i + 4 >= op.list_count ? role::factor : role::sum;
        if (auto const touched = s.touched.find(key); touched != s.touched.end()) {
            found(here, "wgmma.mma_async", {here.cta, here.thread, touched->second}, "access",
                  "to a register of the product, with no wgmma.fence between");
            s.touched.erase(touched);
        }
        bool const is_metadata = (op.mode & wgmma_form::sparse) != 0 && i + (in_registers ? 5 : 1) == op.list_count;
        if (is_metadata) continue;
        auto const at = s.used.find(key);
        if (at != s.used.end() && as == role::factor && at->second.as == role::sum)
            found(here, "wgmma.mma_async", g.products[at->second.product].place, "wgmma.mma_async",
                  "reads as a factor the sums of a product that may be under way: wait for its group "
                  "(wgmma.wait_group) first");
        s.used[key] = {number, w.product_groups, as};
    }
}

void product_check::reads(warp const& w, check_place const& here, std::uint32_t offset, std::uint32_t bytes,
                          std::uint32_t written_in, check_place const& writer) {
    if (written_in != 0 && writer.thread / warp_size != w.number() && !clocks_.all_know(w.number(), written_in, false))
        found(here, "wgmma.mma_async", writer, "write",
              "to shared memory that the product reads, with no barrier between", address_map::shared_window + offset);
    warpgroup& g = groups_[w.number() / 4];
    for (std::uint32_t i = offset / 4; i < (offset + bytes) / 4 && i < g.readers.size(); ++i)
        g.readers[i] = warps_[w.number()].issued;
}

void product_check::awaited(warp const& w) {
    warp_state& s = warps_[w.number()];
    warpgroup& g = groups_[w.number() / 4];
    for (std::uint32_t i = s.issued; i-- != 0;) {
        product& p = g.products[i];
        if (p.group >= w.awaited_group) continue;
        bool const known =
            std::any_of(p.waits.begin(), p.waits.end(), [&](wait const& one) { return one.warp == w.number(); });
        if (known) break; // and so of those before
        p.waits.push_back({w.number(), clocks_.segment(w.number())});
    }
    std::erase_if(s.used, [&](auto const& one) { return one.second.group < w.awaited_group; });
}

void product_check::left(warp const& w) {
    auto const is_gone = [depth = w.depth()](auto const& one) { return one.first >> 32 > depth; };
    std::erase_if(warps_[w.number()].used, is_gone);
    std::erase_if(warps_[w.number()].touched, is_gone);
}

bool product_check::is_complete(product const& p, cta_clocks& clocks, unsigned warp, std::uint32_t cta) {
    return std::any_of(p.waits.begin(), p.waits.end(), [&](wait const& one) {
        return (clocks.cta() == cta && one.warp == warp) || clocks.all_know(warp, one.segment, true);
    });
}

void product_check::written(cta_clocks& clocks, unsigned warp, check_place const& here, std::uint32_t offset,
                            std::uint32_t bytes, bool is_copy) {
    for (warpgroup& g : groups_)
        for (std::uint32_t i = offset / 4; i <= (offset + bytes - 1) / 4 && i < g.readers.size(); ++i) {
            if (g.readers[i] == 0) continue;
            product const& p = g.products[g.readers[i] - 1];
            if (!is_complete(p, clocks, warp, cta_))
                found(here, is_copy ? "asynchronous write" : "write", p.place, "wgmma.mma_async",
                      "to shared memory that the product may still read: its warpgroup must commit the group and wait "
                      "for it "
                      "(wgmma.commit_group, wgmma.wait_group), and the writer know of that, first",
                      address_map::shared_window + std::uint64_t{i} * 4);
            g.readers[i] = 0;
        }
}

} // namespace sim
GPUPROF_NAMESPACE_END
