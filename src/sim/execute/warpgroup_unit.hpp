// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Executes wgmma: matrix products of the four warps of a warpgroup, and the groups they are awaited in.
#ifndef GPUPROF_SRC_SIM_EXECUTE_WARPGROUP_UNIT_HPP
#define GPUPROF_SRC_SIM_EXECUTE_WARPGROUP_UNIT_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../code/decoded.hpp"
#include "../code/launch.hpp"
#include "../code/stop_report.hpp"
#include "../code/warp.hpp"
#include "../ops/matrix_descriptor.hpp"
#include "../ops/matrix_ops.hpp"
#include "../ops/sparse_metadata.hpp"
#include "cta_memory.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Each warp computes its own 16 rows when it issues the product, the earliest that PTX allows. But
// to other warps a product is done when all four have issued it: whoever waits for a group waits for
// that, since afterwards its operands may be overwritten. Functions give false when the kernel is to
// stop. @pre the warps, those of the CTA, memory, report and check outlive it.
template <class Check>
class warpgroup_unit {
public:
    warpgroup_unit(std::vector<warp>& warps, cta_memory& memory, stop_report& stop, Check& check) noexcept
        : warps_{warps}, memory_{memory}, stop_{stop}, check_{check} {}

    // wgmma.mma_async. False also when an operand is not in shared memory; the reason is in cta_memory::fault().
    bool multiply(warp& w, registers const& r, decoded const& op, lane_mask mask) {
        detail::matrix_operands<float> of;
        product p{w, r, op, mask, lowest_lane(mask), matrix_descriptor{0}, matrix_descriptor{0}};
        p.b = matrix_descriptor{r.read_lane(op.b, p.lane, 8)};
        if ((op.mode & wgmma_form::a_in_registers) == 0) p.a = matrix_descriptor{r.read_lane(op.a, p.lane, 8)};
        if (op.source_type == ptx::type::b8) return multiply_bits(p, of);
        unsigned const k = line_bytes / ptx::size_of(op.source_type);
        if (!bring_a(p, of, k)) return false;
        if ((op.mode & wgmma_form::negated) != 0)
            for (auto& row : of.a)
                for (unsigned i = 0; i < k; ++i) row[i] = -row[i];
        auto const how = tensor_core::of(op.source_type, op.type, false);
        if (op.type != ptx::type::s32) detail::find_exponents_of_a(of, k, how);
        if ((op.mode & wgmma_form::sparse) == 0)
            return for_each_block(p, of, [&](unsigned block) {
                if (!bring_b<line_bytes>(p, of, block)) return false;
                detail::multiply_narrow(of, 0, rows, k, op.type, how, nullptr);
                return true;
            });
        sparse_metadata const metadata{
            r.read<std::uint32_t>(op.slots[op.immediate / (op.type == ptx::type::f16 ? 4 : 2)].ref),
            8 * ptx::size_of(op.source_type), 2 * k, (op.mode & wgmma_form::second) != 0 ? 1u : 0u};
        return for_each_block(p, of, [&](unsigned block) {
            if (!bring_b<2 * line_bytes>(p, of, block)) return false;
            detail::multiply_narrow(of, 0, rows, 2 * k, op.type, how, &metadata);
            return true;
        });
    }

    // wgmma.commit_group
    void commit(warp& w) noexcept {
        ++w.product_groups;
        settle(w);
    }
    // wgmma.wait_group, executed again when the others have come as far.
    [[nodiscard]] bool wait(warp& w, decoded const& op, lane_mask execute) {
        bool const again = w.released;
        w.released = false;
        if (execute != 0) {
            w.awaited_group = w.product_groups > op.immediate ? w.product_groups - op.immediate : 0;
            if (!again && is_blocked(w)) {
                w.waiting_at = warp::warpgroup;
                return true;
            }
            for (unsigned i = first_of(w); i < first_of(w) + 4; ++i)
                if (i >= warps_.size() ? w.awaited_group != 0 : warps_[i].product_groups < w.awaited_group)
                    return stop_.stop(w, launch_failure::divergent_barrier, lowest_lane(execute),
                                      "a warp of the warpgroup did not issue the products that are waited for");
            check_.products_awaited(w);
        }
        ++w.top().pc;
        return true;
    }
    // A warp has committed a group, or has exited: those who wait for it may go on.
    void settle(warp const& by) noexcept {
        for (unsigned i = first_of(by); i < first_of(by) + 4 && i < warps_.size(); ++i) {
            warp& w = warps_[i];
            if (w.waiting_at != warp::warpgroup || is_blocked(w)) continue;
            w.waiting_at = warp::no_barrier;
            w.released = true;
        }
    }

private:
    static constexpr unsigned rows = 16;                                 // of a warp
    static constexpr unsigned line_bytes = 2 * matrix_descriptor::piece; // along k; of a sparse product, those of a

    // A product of a warp under way.
    struct product {
        warp& w;
        registers const& r;
        decoded const& op;
        lane_mask mask;
        unsigned lane; // in whose place faults are told
        matrix_descriptor a, b;
    };

    [[nodiscard]] static unsigned first_of(warp const& w) noexcept { return w.number() / 4 * 4; }
    [[nodiscard]] bool is_blocked(warp const& w) const noexcept {
        for (unsigned i = first_of(w); i < first_of(w) + 4 && i < warps_.size(); ++i)
            if (!warps_[i].finished() && warps_[i].product_groups < w.awaited_group) return true;
        return false;
    }

    // All that a product reads of shared memory comes by here.
    [[nodiscard]] bool fetch(product const& p, std::uint32_t address, std::byte* to) {
        std::byte const* const from =
            memory_.locate(ptx::space::shared, p.w, p.lane, address, matrix_descriptor::piece);
        if (from == nullptr) {
            memory_.describe("shared memory, by the descriptor of a matrix");
            return false;
        }
        std::memcpy(to, from, matrix_descriptor::piece);
        check_.product_reads(p.w, p.op, p.lane, address, matrix_descriptor::piece);
        return true;
    }
    // Lines as they lie along k. @param first line
    [[nodiscard]] bool fetch_lines(product const& p, matrix_descriptor const& of, unsigned first, unsigned count,
                                   std::byte* to, unsigned bytes = line_bytes) {
        for (unsigned line = first; line < first + count; ++line)
            for (unsigned which = 0; which < bytes / matrix_descriptor::piece; ++which, to += matrix_descriptor::piece)
                if (!fetch(p, of.along_k(line, which), to)) return false;
        return true;
    }
    // Lines of 2 bytes an element that lie across k: for each k, those of 8 lines and the next 8.
    [[nodiscard]] bool fetch_across(product const& p, matrix_descriptor const& of, unsigned first, unsigned count,
                                    std::byte* to, unsigned bytes = line_bytes) {
        for (unsigned k = 0; k < bytes / 2; ++k)
            for (unsigned which = first / 8; which < (first + count) / 8; ++which, to += matrix_descriptor::piece)
                if (!fetch(p, of.across_k(k, which), to)) return false;
        return true;
    }

    [[nodiscard]] bool bring_a(product const& p, detail::matrix_operands<float>& of, unsigned k) {
        if ((p.op.mode & wgmma_form::a_in_registers) != 0) {
            detail::with_element(p.op.source_type, [&](auto const& convert) {
                detail::read_a(of, p.r, p.op.slots + p.op.list_count - 4, 4, true, convert);
            });
            return true;
        }
        bool const across = (p.op.mode & wgmma_form::a_across) != 0;
        std::byte bytes[rows * line_bytes];
        unsigned const first = p.w.number() % 4 * rows;
        if (!(across ? fetch_across(p, p.a, first, rows, bytes) : fetch_lines(p, p.a, first, rows, bytes)))
            return false;
        detail::with_element(p.op.source_type, [&](auto const& convert) {
            each_element<rows>(bytes, k, across, convert, [&](unsigned row, unsigned i, float x) { of.a[row][i] = x; });
        });
        return true;
    }
    template <unsigned LineBytes>
    [[nodiscard]] bool bring_b(product const& p, detail::matrix_operands<float>& of, unsigned block) {
        bool const across = (p.op.mode & wgmma_form::b_across) != 0;
        std::byte bytes[8 * LineBytes];
        if (!(across ? fetch_across(p, p.b, 8 * block, 8, bytes, LineBytes)
                     : fetch_lines(p, p.b, 8 * block, 8, bytes, LineBytes)))
            return false;
        detail::with_element(p.op.memory.element, [&](auto const& convert) {
            each_element<8>(bytes, LineBytes / ptx::size_of(p.op.memory.element), across, convert,
                            [&](unsigned column, unsigned i, float x) { of.b[i][column] = x; });
        });
        return true;
    }
    // Calls f(line, k, number).
    template <unsigned Lines, class Convert, class F>
    static void each_element(std::byte const* bytes, unsigned k, bool across, Convert const& convert,
                             F const& f) noexcept {
        using bits = decltype(detail::element_bits(&Convert::operator()));
        auto const at = [&](unsigned index) {
            bits element;
            std::memcpy(&element, bytes + index * sizeof element, sizeof element);
            return convert(element);
        };
        for (unsigned line = 0; line < Lines; ++line)
            for (unsigned i = 0; i < k; ++i) f(line, i, at(across ? i * Lines + line : line * k + i));
    }

    // Calls f for each 8 columns, whose sums are in `of` while it adds to them.
    template <class F>
    [[nodiscard]] bool for_each_block(product const& p, detail::matrix_operands<float>& of, F const& f) {
        decoded const& op = p.op;
        bool const adds = (p.r.read_predicate(op.c) >> p.lane & 1) != 0;
        unsigned const count = op.type == ptx::type::f16 ? 2 : 4; // registers of 8 columns
        for (unsigned block = 0; block < op.immediate / 8; ++block) {
            operand_slot const* const slots = op.slots + block * count;
            if (adds) detail::read_sums(of, p.r, slots, count, rows, op.type);
            else
                for (auto& row : of.c) std::fill(row, row + 8, 0.);
            if (!f(block)) return false;
            detail::write_results(of, p.r, op, slots, count, rows, p.mask);
        }
        return true;
    }

    // Bits: a and b are words of 32 along k.
    [[nodiscard]] bool multiply_bits(product const& p, detail::matrix_operands<float>& of) {
        constexpr unsigned words = line_bytes / 4;
        std::uint32_t a[rows][words], b[8][words];
        if ((p.op.mode & wgmma_form::a_in_registers) != 0) {
            for (unsigned reg = 0; reg < 4; ++reg)
                for (unsigned lane = 0; lane < warp_size; ++lane) {
                    auto const at = place_in_a(lane, reg, 0, 1, true);
                    a[at.row][at.column] =
                        static_cast<std::uint32_t>(p.r.read_lane(p.op.slots[p.op.list_count - 4 + reg].ref, lane, 4));
                }
        } else if (!fetch_lines(p, p.a, p.w.number() % 4 * rows, rows, reinterpret_cast<std::byte*>(a))) {
            return false;
        }
        return for_each_block(p, of, [&](unsigned block) {
            if (!fetch_lines(p, p.b, 8 * block, 8, reinterpret_cast<std::byte*>(b))) return false;
            for (unsigned row = 0; row < rows; ++row)
                for (unsigned column = 0; column < 8; ++column)
                    for (unsigned i = 0; i < words; ++i) of.c[row][column] += std::popcount(a[row][i] & b[column][i]);
            return true;
        });
    }

    std::vector<warp>& warps_;
    cta_memory& memory_;
    stop_report& stop_;
    Check& check_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_EXECUTE_WARPGROUP_UNIT_HPP
