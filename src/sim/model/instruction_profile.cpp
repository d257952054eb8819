// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instruction_profile.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../texture/form.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static constexpr raw_counter counter_of_pipe(pipe where) noexcept {
    switch (where) {
        case pipe::none: return raw_counter::none;
        case pipe::alu: return raw_counter::inst_pipe_alu;
        case pipe::fma:
        case pipe::fp16: return raw_counter::inst_pipe_fma;
        case pipe::fp64: return raw_counter::inst_pipe_fp64;
        case pipe::xu: return raw_counter::inst_pipe_xu;
        case pipe::lsu: return raw_counter::inst_pipe_lsu;
        case pipe::adu: return raw_counter::inst_pipe_adu;
        case pipe::cbu: return raw_counter::inst_pipe_cbu;
        case pipe::tensor: return raw_counter::inst_pipe_tensor;
        case pipe::tex: return raw_counter::inst_pipe_tex;
        case pipe::tma: return raw_counter::inst_pipe_tma;
    }
    return raw_counter::none;
}

// The operation that a thread's instruction counts as.
static constexpr raw_counter counter_of_threads(instruction_kind kind) noexcept {
    using enum instruction_kind;
    switch (kind) {
        case fadd: return raw_counter::thread_fadd;
        case fmul: return raw_counter::thread_fmul;
        case ffma: return raw_counter::thread_ffma;
        case hadd: return raw_counter::thread_hadd;
        case hmul: return raw_counter::thread_hmul;
        case hfma: return raw_counter::thread_hfma;
        case dadd: return raw_counter::thread_dadd;
        case dmul: return raw_counter::thread_dmul;
        case dfma: return raw_counter::thread_dfma;
        case integer:
        case integer_multiply:
        case predicate: return raw_counter::thread_integer;
        case bit: return raw_counter::thread_bit;
        case conversion: return raw_counter::thread_conversion;
        case control: return raw_counter::thread_control;
        case inter_thread: return raw_counter::thread_inter_thread_communication;
        case load:
        case store:
        case atomic:
        case reduction:
        case copy_async:
        case texture:
        case parameter_load: return raw_counter::thread_memory;
        default: return raw_counter::thread_misc;
    }
}

// Loads, stores and atomics by the space that the instruction names.
static constexpr raw_counter counter_of_memory(decoded const& op, bool reduces) noexcept {
    using enum raw_counter;
    using ptx::space;
    bool const loads = op.action == action::load;
    switch (op.action) {
        case action::load_matrix: return inst_ldsm;
        case action::store_matrix: return inst_stsm;
        case action::copy_bulk:
            switch (static_cast<bulk_copy>(op.mode)) {
                case bulk_copy::to_shared: return inst_bulk_ld;
                case bulk_copy::to_global: return inst_bulk_st;
                case bulk_copy::within_shared: return none;
            }
            return none;
        case action::copy_tensor:
            return static_cast<tensor_copy>(op.mode) == tensor_copy::load ? inst_bulk_ld : inst_bulk_st;
        case action::copy_async: return inst_ldgsts;
        case action::texture:
            switch (static_cast<texture_operation>(op.mode)) {
                case texture_operation::load_surface: return inst_surface_ld;
                case texture_operation::store_surface: return inst_surface_st;
                case texture_operation::query: return none;
                default: return inst_texture;
            }
        case action::load:
        case action::store: break;
        case action::atomic:
            if (op.memory.space == space::shared) return inst_shared_atom;
            if (op.memory.space == space::generic) return inst_generic_atom;
            return reduces ? inst_global_red : inst_global_atom;
        default: return none;
    }
    switch (op.memory.space) {
        case space::generic: return loads ? inst_generic_ld : inst_generic_st;
        case space::global: return loads ? inst_global_ld : inst_global_st;
        case space::shared: return loads ? inst_shared_ld : inst_shared_st;
        case space::local: return loads ? inst_local_ld : inst_local_st;
        case space::constant:
        case space::param: return none;
    }
    return none;
}

static constexpr raw_counter counter_of_width(decoded const& op) noexcept {
    bool const moves = op.action == action::load || op.action == action::store || op.action == action::atomic ||
                       op.action == action::copy_async;
    if (!moves || op.memory.space == ptx::space::param || op.memory.space == ptx::space::constant)
        return raw_counter::none;
    switch (ptx::size_of(op.memory.element) * op.memory.count) {
        case 1: return raw_counter::inst_memory_8b;
        case 2: return raw_counter::inst_memory_16b;
        case 4: return raw_counter::inst_memory_32b;
        case 8: return raw_counter::inst_memory_64b;
        default: return raw_counter::inst_memory_128b;
    }
}

static constexpr bool is_single_precision(instruction_kind kind) noexcept {
    using enum instruction_kind;
    return kind == fadd || kind == fmul || kind == ffma || kind == fp32_other;
}

// A matrix product by the types of its factors and its result: the instructions that do it, and its multiplications
// and additions. Factors of 8-bit floating point become halves first, and those of 4 bits bytes. The zeros of a sparse
// factor count as numbers (H200, tests/hardware/sparse_products.cu).
struct matrix_product {
    raw_counter instructions;
    raw_counter operations;
};
static constexpr matrix_product matrix_product_of(decoded const& op) noexcept {
    using enum raw_counter;
    if (op.source_type == ptx::type::b8) return {inst_tensor_imma, none}; // bits
    bool const sparse = (op.mode & mma_form::sparse) != 0;
    switch (op.source_type) {
        case ptx::type::f64: return {inst_tensor_dmma, tensor_ops_fp64};
        case ptx::type::s8:
        case ptx::type::u8: return {inst_tensor_imma, sparse ? tensor_ops_sparse_int8 : tensor_ops_int8};
        case ptx::type::bf16: return {inst_tensor_hmma, sparse ? tensor_ops_sparse_bf16 : tensor_ops_bf16};
        case ptx::type::tf32: return {inst_tensor_hmma, sparse ? tensor_ops_sparse_tf32 : tensor_ops_tf32};
        default:
            if (op.type == ptx::type::f16)
                return {inst_tensor_hmma, sparse ? tensor_ops_sparse_fp16_fp16 : tensor_ops_fp16_fp16};
            return {inst_tensor_hmma, sparse ? tensor_ops_sparse_fp16_fp32 : tensor_ops_fp16_fp32};
    }
}
// Rows times columns times depth, of which each is a multiplication and an addition. See decode/matrix.cpp, wmma.cpp.
static constexpr std::uint64_t matrix_operations(decoded const& op) noexcept {
    unsigned const rows = (op.mode & mma_form::tall) != 0 ? 16 : 8, columns = (op.mode & mma_form::wide) != 0 ? 16 : 8;
    return std::uint64_t{2} * rows * columns * op.immediate;
}

// wgmma, of which each warp computes 16 rows. A line of a factor has 32 bytes along k. The matrix pipelines of an SM
// take 64 rows of them times a column in a cycle (1024 multiplications and additions of halves, as the H200's data sheet
// says), so that each is busy for as many cycles as there are columns.
static void count_warpgroup_product(decoded const& op, std::uint64_t warps, counter_values& to) {
    using enum raw_counter;
    constexpr std::uint64_t rows = 16;
    std::uint64_t const columns = op.immediate;
    bool const bits = op.source_type == ptx::type::b8;
    bool const sparse = (op.mode & wgmma_form::sparse) != 0;
    std::uint64_t const k = bits ? 256 : (sparse ? 64 : 32) / ptx::size_of(op.source_type);
    raw_counter const operations = [&] {
        switch (op.source_type) {
            case ptx::type::f16: return sparse ? gmma_ops_sparse_fp16 : gmma_ops_fp16;
            case ptx::type::bf16: return sparse ? gmma_ops_sparse_bf16 : gmma_ops_bf16;
            case ptx::type::tf32: return sparse ? gmma_ops_sparse_tf32 : gmma_ops_tf32;
            case ptx::type::b8: return gmma_ops_int1;
            case ptx::type::s8:
            case ptx::type::u8: return sparse ? gmma_ops_sparse_int8 : gmma_ops_int8;
            default: return sparse ? gmma_ops_sparse_fp8 : gmma_ops_fp8;
        }
    }();
    to[inst_tensor_gmma] += warps;
    // A wavefront has 128 bytes, four lines, or two of b where a is sparse. Each warp reads its rows, and the four of them the columns once (H200,
    // tests/hardware/wgmma.cu).
    bool const reads_a = (op.mode & wgmma_form::a_in_registers) == 0;
    to[shared_wavefronts_gmma] += warps * ((reads_a ? rows : 0) + columns / (sparse ? 2 : 4)) / 4;
    to[op.type == ptx::type::s32 ? gmma_cycle_pairs_integer : gmma_cycle_pairs_float] += warps * columns / 2;
    to[operations] += warps * 2 * rows * columns * k;
}

void count_instruction(std::size_t i, function_code const& code, std::span<sass_estimate const> estimates,
                       std::span<instruction_count const> counts, counter_values& to) {
    using enum raw_counter;
    std::size_t const place = estimates[i].executed_with != 0 ? estimates[i].executed_with - 1 : i;
    instruction_count ran = counts[place];
    if (estimates[i].executed_with != 0) ran.threads_on = ran.threads; // whatever guards that one
    decoded const& op = code.code[i];
    auto const add_chain = [&](dependence_chain const& chain, std::uint64_t times) {
        to[waits_far] += times * chain.distant;
        to[waits_near] += times * chain.nearby;
        to[waits_special] += times * chain.special;
        to[dependent_cycles] += times * chain.cycles;
    };
    std::uint64_t times = counts[i].warps, together = 0; // of an unrolled loop
    if (estimates[i].spins) times = std::min(times, counts[estimates[i].entered_from - 1].warps);
    if (estimates[i].rounds != dependence_chain{})
        together = unrolled_loop::together(counts[i].warps, counts[estimates[i].entered_from - 1].warps);
    add_chain(estimates[i].rounds, together);
    add_chain(estimates[i].chain, times - together * unrolled_loop::at_once);
    if (std::uint32_t const branch = estimates[place].predicated_by) { // so every thread that comes there executes it
        if (op.memory.space == ptx::space::shared && counter_of_memory(op, false) != none)
            to[shared_wavefronts_other] += counts[branch - 1].warps - ran.warps;
        ran.warps = counts[branch - 1].warps;
        ran.threads = counts[branch - 1].threads;
    }
    if (std::uint32_t const before = estimates[i].unrolled_from; before != 0 && ran.warps != 0) {
        std::uint64_t const rounds = ran.warps;
        ran.warps = estimates[i].rest_is_predicated ? unrolled_loop::together(rounds, counts[before - 1].warps)
                                                    : unrolled_loop::counts(rounds, counts[before - 1].warps);
        ran.threads = ran.threads * ran.warps / rounds;
        ran.threads_on = ran.threads_on * ran.warps / rounds;
    }
    if (estimates[i].is_slow_part) {
        ran.warps = counts[i + 1].threads_on;
        ran.threads = ran.threads_on;
    }
    if (ran.warps == 0) return;
    auto const weight = std::uint64_t{estimates[i].instructions};
    auto const add = [&](raw_counter counter, std::uint64_t n) {
        if (counter != none) to[counter] += n;
    };
    std::uint64_t const all = weight + estimates[i].beside;
    add(inst_executed, ran.warps * all);
    add(thread_inst_executed, ran.threads * all);
    add(thread_inst_executed_pred_on, ran.threads_on * all);

    instruction_kind const kind = op.info.kind;
    add(counter_of_threads(kind), ran.threads_on * weight);
    if (expansion const& inside = estimates[i].inside; inside != expansion{}) {
        if (op.action == action::nothing) // what an approximation predicates: its cost has it for all threads
            to[thread_inst_executed_pred_on] -=
                (ran.threads - ran.threads_on) * static_cast<std::uint64_t>(inside.fadd + inside.fmul);
        for (float_operation const& each : float_operations) // modulo 2^64, where it corrects
            to[counter_of_threads(each.kind)] += ran.threads_on * static_cast<std::uint64_t>(inside.*each.inside);
    }
    if (op.packed && kind == instruction_kind::hadd) add(thread_hadd2, ran.threads_on * weight);
    if (op.packed && kind == instruction_kind::hmul) add(thread_hmul2, ran.threads_on * weight);
    if (op.packed && kind == instruction_kind::hfma) add(thread_hfma2, ran.threads_on * weight);
    bool const single = kind == instruction_kind::special_function || kind == instruction_kind::fp32_other;
    if (single && estimates[i].pipe == pipe::xu) add(thread_special, ran.threads_on);
    if (op.action == action::nothing && ran.threads_on != 0) // of pmevent: the triggers; of anything else: none
        for (unsigned trigger = 0; trigger < 8; ++trigger)
            if ((op.immediate >> trigger & 1) != 0)
                to.values[static_cast<std::size_t>(prof_trigger_0) + trigger] += ran.warps;
    if (weight == 0) return;
    // What surrounds a special function or a division is arithmetic.
    bool const expands = kind == instruction_kind::special_function || estimates[i].pipe == pipe::xu;
    auto const special = std::min<std::uint64_t>(estimates[i].special, weight);
    add(inst_pipe_xu, ran.warps * special);
    add(counter_of_pipe(estimates[i].pipe), ran.warps * (expands ? 1 : weight - special));
    if (expands) add(inst_pipe_fma, ran.warps * (weight - 1)), add(inst_pipe_fma_fp32, ran.warps * (weight - 1));
    else if (estimates[i].may_use_fma != 0)
        add(inst_alu_or_fma, ran.warps * std::min<std::uint64_t>(estimates[i].may_use_fma, weight - special));
    else if (op.info.pipe == pipe::fp16) add(inst_pipe_fp16, ran.warps * weight);
    else if (is_single_precision(kind) && estimates[i].pipe == pipe::fma)
        add(inst_pipe_fma_fp32, ran.warps * (weight - special));
    if (op.action == action::multiply_async) {
        count_warpgroup_product(op, ran.warps, to);
    } else if (kind == instruction_kind::matrix && estimates[i].pipe == pipe::tensor) {
        matrix_product const product = matrix_product_of(op);
        add(product.instructions, ran.warps * weight);
        add(product.operations, ran.warps * matrix_operations(op));
    }
    if (op.action == action::atomic && op.memory.operation == atomic_operation::cas)
        add(op.memory.space == ptx::space::shared ? inst_shared_atom_cas : inst_global_atom_cas, ran.warps);
    if (estimates[i].loads_constant) add(inst_ldc, ran.warps);
    add(counter_of_memory(op, estimates[i].reduction || op.mode == 0), ran.warps);
    if (op.info.cache.past_l1) add(inst_ldgsts_past_l1, ran.warps);
    if (estimates[i].pipe == pipe::lsu &&
        (kind == instruction_kind::inter_thread || kind == instruction_kind::special_register))
        add(shared_wavefronts_other, ran.warps);
    add(counter_of_width(op), ran.warps);
    if (kind == instruction_kind::control) add(inst_branch, counts[place].warps); // the end of a thread is one, too
}

void count_instructions(function_code const& code, std::span<sass_estimate const> estimates,
                        std::span<instruction_count const> counts, counter_values& to) {
    for (std::size_t i = 0; i < counts.size(); ++i) count_instruction(i, code, estimates, counts, to);
}

void count_prologue(std::uint64_t warps, std::uint64_t threads, counter_values& to) noexcept {
    using enum raw_counter;
    constexpr unsigned instructions = sass_estimator::prologue;
    to[inst_executed] += warps * instructions;
    to[thread_inst_executed] += threads * instructions;
    to[thread_inst_executed_pred_on] += threads * instructions;
    to[inst_pipe_adu] += warps;
    to[inst_ldc] += warps;
    to[thread_memory] += threads;
}

} // namespace sim
GPUPROF_NAMESPACE_END
