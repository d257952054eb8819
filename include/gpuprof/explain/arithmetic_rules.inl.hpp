// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules of what is computed: lanes that do nothing, precision, fused operations, slow functions.
#ifndef GPUPROF_EXPLAIN_ARITHMETIC_RULES_INL_HPP
#define GPUPROF_EXPLAIN_ARITHMETIC_RULES_INL_HPP

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "memory_rules.inl.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {
namespace detail {

// What is left if all threads of a warp do what this share of them does now.
[[nodiscard]] inline change full_warps(examination_of_range& of, double share) {
    change together;
    together.instructions = share;
    for (gpu_unit const unit : {gpu_unit::alu, gpu_unit::fma, gpu_unit::fp64, gpu_unit::xu, gpu_unit::lsu})
        together.scale(unit, share);
    for (std::string_view const reason : {"branch_resolving", "no_instruction", "short_scoreboard", "mio_throttle"})
        together.scale(reason, share);
    // Where accesses to memory have words of as few threads, they lie in the same code, and there are fewer of them, too.
    auto const sum = [&of](std::string_view one, std::string_view other) {
        return of.values.find_or(one, 0) + of.values.find_or(other, 0);
    };
    double const shared = sum("smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_st.sum");
    double const shared_bytes =
        sum("smsp__sass_data_bytes_mem_shared_op_ld.sum", "smsp__sass_data_bytes_mem_shared_op_st.sum");
    if (shared > 0 && shared_bytes > 0 && shared_bytes < 1.2 * share * 128 * shared)
        together.scale(gpu_unit::shared, share).scale(gpu_unit::l1, share);
    auto const loads = global_traffic(of.values, true);
    auto const stores = global_traffic(of.values, false);
    if (!loads || !stores) return together;
    double const requests = loads->requests + stores->requests;
    double const bytes =
        sum("smsp__sass_data_bytes_mem_global_op_ld.sum", "smsp__sass_data_bytes_mem_global_op_st.sum");
    // Threads may share a word, and words that each lie in a sector of their own stay as many.
    double const sectors = loads->sectors + stores->sectors;
    bool const near = sectors > 1.2 * requests && sectors < 0.7 * bytes / 4;
    bool const atomics = 2 * of.values.find_or("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", 0) > requests;
    if (requests > 0 && share < 0.6 && near && !atomics && bytes < 1.2 * share * 128 * requests) {
        // Stores that fill a sector bit by bit: L2 gets more of them than it can keep, and DRAM a part.
        double const stored = 32 * stores->sectors, written = of.values.find_or("dram__bytes_write.sum", stored);
        bool const again = stored > written + of.values.find_or("device__attribute_l2_cache_size", 64e6);
        double const read = of.values.find_or("lts__t_sectors_op_read.sum", 0);
        double const by_stores = again ? of.values.find_or("lts__t_sectors_op_write.sum", 0) : 0;
        together.scale(gpu_unit::l1, share).scale("long_scoreboard", share).scale("lg_throttle", share);
        together.scale(gpu_unit::l2, 1 - (1 - share) * by_stores / std::max(1.0, read + by_stores));
    }
    return together;
}

// Threads of a warp that part.
inline void judge_divergence(examination_of_range& of) {
    auto const threads = of.values.find("smsp__thread_inst_executed.sum");
    auto const instructions = of.values.find("smsp__inst_executed.sum");
    auto const divergent = of.values.find("smsp__sass_branch_targets_threads_divergent.sum");
    if (!threads || !instructions || !divergent) return static_cast<void>(of.lacks_values());
    if (*instructions <= 0) return;
    double const block = of.values.find_or("launch__block_size", 32);
    double const filled = block / (std::ceil(block / 32) * 32); // partial warps are partial_warps' matter
    double const of_warp = *threads / *instructions;
    // Threads that wait for others to swap a word are shared_atomics' matter: as many as an attempt may leave aside.
    double const swapping = attempts::instructions * attempts::of(of.values).made / *instructions;
    double const share = std::min(1.0, of_warp / (32 * filled) + swapping * 31 / 32);
    if (share > 1 - least_gain) return;
    finding what;
    what.condition = "threads of a warp that execute an instruction";
    what.measured = of_warp;
    what.threshold = (1 - least_gain) * 32 * filled;
    what.meaning = joined({about(of_warp), " of 32 threads execute an instruction on average; ",
                           *divergent > 0 ? about(*divergent) + " branches sent threads of a warp different ways"
                                          : std::string{"others ended before"}});
    what.what_if = instead_of(*instructions * share, *instructions, "instructions of warps");
    of.say(std::move(what), full_warps(of, share));
}

inline constexpr std::string_view predicate_metrics[]{"smsp__thread_inst_executed.sum",
                                                      "smsp__thread_inst_executed_pred_on.sum",
                                                      "smsp__inst_executed_op_shared_ld.sum",
                                                      "smsp__inst_executed_op_shared_st.sum",
                                                      "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                                      "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                                                      "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
                                                      "l1tex__data_pipe_lsu_wavefronts.sum"};

// Loads and stores of shared memory of which the predicates of a whole warp are off: those that moved nothing. They take a
// wavefront all the same.
[[nodiscard]] inline double idle_shared_accesses(evidence& values) {
    double idle = 0;
    for (int i = 2; i < 4; ++i) {
        double const executed = values.find_or(predicate_metrics[i], 0);
        idle += std::max(0.0, executed - values.find_or(predicate_metrics[i + 2], executed));
    }
    return idle;
}

// What is left without the instructions of which the predicate is off, where `share` of what threads execute has an effect.
[[nodiscard]] inline change without_idle_threads(evidence& values, double share) {
    change without;
    double const rest = std::min(1.0, share + 0.05); // a few predicates are always off: the ends of loops
    without.instructions = rest;
    for (gpu_unit const unit : {gpu_unit::alu, gpu_unit::fma, gpu_unit::fp64, gpu_unit::xu}) without.scale(unit, rest);
    double const idle = idle_shared_accesses(values);
    auto const without_idle = [&](std::string_view wavefronts) {
        double const now = values.find_or(wavefronts, 0);
        return now > 0 ? std::max(0.05, 1 - idle / now) : 1;
    };
    double const shared = without_idle("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum");
    double const data = without_idle("l1tex__data_pipe_lsu_wavefronts.sum");
    without.scale(gpu_unit::shared, shared).scale(gpu_unit::l1, data).scale(gpu_unit::lsu, data);
    // Nobody waits for the answer of an access that moves nothing; who waits for others still does.
    return without.scale("mio_throttle", shared);
}

// Threads whose predicate is off.
inline constexpr double threads_of_effect = 0.75; // of all: from there on predicates are not worth a word
inline void judge_predicates(examination_of_range& of) {
    auto const threads = of.values.find("smsp__thread_inst_executed.sum");
    auto const on = of.values.find("smsp__thread_inst_executed_pred_on.sum");
    if (!threads || !on) return static_cast<void>(of.lacks_values());
    if (*threads <= 0 || *on > threads_of_effect * *threads) return;
    double const share = *on / *threads;
    finding what;
    what.condition = "threads that are not predicated off, of those that execute an instruction";
    what.measured = share;
    what.threshold = threads_of_effect;
    what.meaning =
        joined({percent_text(1 - share), " of what threads execute has no effect, since its predicate is off"});
    of.say(std::move(what), without_idle_threads(of.values, share));
}

inline constexpr std::string_view precision_metrics[]{"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum",
                                                      "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
                                                      "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
                                                      "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                                                      "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
                                                      "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                                                      "smsp__sass_thread_inst_executed_op_conversion_pred_on.sum",
                                                      "smsp__thread_inst_executed_pred_on.sum",
                                                      "sm__inst_executed_pipe_tensor.sum",
                                                      "sm__inst_executed_pipe_xu.sum",
                                                      "sm__inst_executed.sum",
                                                      "smsp__sass_thread_inst_executed_op_fp16_pred_on.sum",
                                                      "smsp__inst_executed_op_shared_ld.sum",
                                                      "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
                                                      "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                                      "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum",
                                                      "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                                                      "smsp__sass_data_bytes_mem_global_op_ld.sum"};

inline constexpr std::string_view of_division_alone[]{"smsp__thread_inst_executed.sum"};
inline constexpr auto division_metrics = both_lists(precision_metrics, of_division_alone);

inline constexpr std::string_view half_metrics[]{"smsp__sass_thread_inst_executed_op_fp16_pred_on.sum",
                                                 "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                                                 "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
                                                 "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                                                 "smsp__thread_inst_executed_pred_on.sum",
                                                 "sm__inst_executed_pipe_tensor.sum",
                                                 "smsp__sass_data_bytes_mem_global_op_ld.sum",
                                                 "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"};

// Additions, multiplications and both together, of threads.
[[nodiscard]] inline double operations(evidence& values, int first) {
    double sum = 0;
    for (int i = first; i < first + 3; ++i) sum += values.find_or(precision_metrics[i], 0);
    return sum;
}
[[nodiscard]] inline double double_precision(evidence& values) { return operations(values, 0); }
[[nodiscard]] inline double single_precision(evidence& values) { return operations(values, 3); }

// What is left of the loads of a product whose multiply-adds warps execute, if tensor cores do it: a product of 16 x 16 x 16 reads
// two tiles of 512 bytes, each sector or wavefront of them once, for 128 multiply-adds of warps.
[[nodiscard]] inline double read_by_tensor_cores(double multiply_adds, double moved, double bytes_of_each) {
    return std::min(1.0, 2 * 512 / bytes_of_each / 128 * multiply_adds / std::max(moved, 1.0));
}

// A product of matrices of halves by single precision instructions. With tiles in shared memory each value is converted once
// and multiplied many times, so that there are few conversions, but more loads.
inline void judge_no_tensor_cores(examination_of_range& of) {
    auto const fused = of.values.find("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum");
    auto const halves = of.values.find("smsp__sass_thread_inst_executed_op_fp16_pred_on.sum");
    auto const all = of.values.find("smsp__thread_inst_executed_pred_on.sum");
    auto const tensor = of.values.find("sm__inst_executed_pipe_tensor.sum");
    if (!fused || !halves || !all || !tensor) return static_cast<void>(of.lacks_values());
    // Moves of constants that the tensor pipe does count as operations on halves.
    double const converted = *halves - 32 * *tensor;
    double const loads = of.values.find_or("smsp__inst_executed_op_shared_ld.sum", 0);
    bool const tiled = converted > 0.005 * *all && 32 * loads > 2 * converted;
    bool const many = *fused >= 0.4 * *all || (*fused >= 0.2 * *all && *fused + converted >= 0.6 * *all);
    if (*all <= 0 || !many || *tensor > 0.05 * *fused / 32) return;
    if (converted < 0.05 * *all && !tiled) return;
    finding what;
    what.condition =
        "fused multiply-adds of single precision, of all that threads execute, on values of half precision";
    what.measured = *fused / *all;
    what.threshold = 0.4;
    what.meaning =
        joined({percent_text(what.measured), " of what threads execute multiplies and adds in single precision, ",
                percent_text(converted / *all), " converts from half precision, and no tensor core works"});
    what.what_if = instead_of(0, *fused, "fused multiply-adds of threads outside of tensor cores");
    change matrix;
    double rest = 1 - (*fused + converted) / *all * 0.95;
    matrix.scale(gpu_unit::fma, 0.1).scale(gpu_unit::alu, 0.5).scale("math_pipe_throttle", 0.2);
    double const sectors = of.values.find_or("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 0);
    if (tiled) {
        double const wavefronts = of.values.find_or("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", loads);
        double const read = read_by_tensor_cores(*fused / 32, wavefronts, 128);
        rest -= 32 * loads / *all * (1 - read);
        matrix.scale(gpu_unit::shared, read).scale(gpu_unit::l1, read).scale(gpu_unit::lsu, read);
        matrix.scale("short_scoreboard", read).scale("mio_throttle", read);
    } else if (sectors > 0 && of.values.find_or("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum", sectors) <
                                  0.5 * sectors) { // L1 serves as shared memory does
        double const read = read_by_tensor_cores(*fused / 32, sectors, 32);
        matrix.scale(gpu_unit::l1, read).scale(gpu_unit::lsu, read);
        matrix.scale("lg_throttle", read).scale("long_scoreboard", of.now.waits_after(read, 1, 1));
    }
    // The turns of the loops get as few as the multiply-adds: what counts them and computes addresses goes, too, most of it.
    matrix.instructions = std::max(0.05, 0.25 * rest);
    of.say(std::move(what), matrix);
}

// Double precision between conversions from and to single precision.
inline void judge_double_precision(examination_of_range& of) {
    double doubles = 0;
    for (int i = 0; i < 3; ++i) {
        auto const value = of.values.find(precision_metrics[i]);
        if (!value) return static_cast<void>(of.lacks_values());
        doubles += *value;
    }
    auto const conversions = of.values.find("smsp__sass_thread_inst_executed_op_conversion_pred_on.sum");
    auto const all = of.values.find("smsp__thread_inst_executed_pred_on.sum");
    if (!conversions || !all) return static_cast<void>(of.lacks_values());
    if (*all <= 0 || doubles < 0.02 * *all || *conversions < 0.05 * doubles) return;
    double const share = doubles / *all;
    double const converted = std::min(*conversions, 2 * doubles) / *all; // to it and back
    finding what;
    what.condition = "instructions of double precision, of all that threads execute, where values are converted";
    what.measured = share;
    what.threshold = 0.02;
    what.meaning = joined({percent_text(share), " of what threads execute is double precision, and ",
                           percent_text(converted), " converts from and to it"});
    change lighter;
    // A literal of single precision is a part of its instruction. One of double precision is moved to two registers, which a loop may
    // keep: a move on average for each expression that converts to double and back.
    double const moved = std::min(doubles, *conversions / 2) / *all;
    lighter.instructions = std::max(0.1, 1 - converted - moved);
    // Conversions go through the pipe of transcendental functions; where it is busy, that is what warps wait for.
    bool const converts = of.now.saturation({gpu_unit::xu}) > 0.5;
    lighter.scale(gpu_unit::fp64, 0).scale(gpu_unit::xu, 0.1).scale("math_pipe_throttle", converts ? 0.05 : 0.3);
    // Loads wait in the same queue: what they keep busy stays.
    double const xu = std::max(0.0, of.now.busy[static_cast<std::size_t>(gpu_unit::xu)]);
    double const lsu = std::max(0.0, of.now.busy[static_cast<std::size_t>(gpu_unit::lsu)]);
    double const of_loads = xu + lsu > 0 ? lsu / (xu + lsu) : 0;
    for (std::string_view const reason : {"short_scoreboard", "mio_throttle"})
        lighter.scale(reason, std::max(of_loads, converts ? 0.05 : 0.3));
    // An expression has two operations for each conversion at most; the others are functions of double precision. Those of single
    // precision have some two instructions less for each operation: shorter polynomials, whose constants take no moves. (Code of
    // nvcc 13.0 for sm_90: 1.3 to 3 less.) Whether they are precise enough nobody can tell from counters: likely is half of it, and
    // nothing where a load brings eight bytes, which may be a double.
    double const of_functions = std::max(0.0, doubles - 2 * *conversions) / *all;
    auto const without_functions = [&](double instructions) {
        change made = lighter;
        made.instructions = std::max(0.1, lighter.instructions - instructions * of_functions);
        return made;
    };
    double const loads = of.values.find_or("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 0);
    double const of_load =
        of.values.find_or("smsp__sass_data_bytes_mem_global_op_ld.sum", 0) / 32 / std::max(1.0, loads);
    bool const loads_doubles = of_load > 7 && of_load < 9;
    of.say(std::move(what), without_functions(loads_doubles ? 0 : 1), lighter, without_functions(2));
}

// Additions and multiplications that could be one instruction.
inline void judge_unfused(examination_of_range& of) {
    struct kind {
        std::string_view add, multiply, fused;
        gpu_unit unit;
    };
    constexpr kind kinds[]{{precision_metrics[3], precision_metrics[4], precision_metrics[5], gpu_unit::fma},
                           {precision_metrics[0], precision_metrics[1], precision_metrics[2], gpu_unit::fp64}};
    auto const all = of.values.find("smsp__thread_inst_executed_pred_on.sum");
    for (kind const& each : kinds) {
        auto const add = of.values.find(each.add);
        auto const multiply = of.values.find(each.multiply);
        auto const fused = of.values.find(each.fused);
        if (!add || !multiply || !fused || !all) return static_cast<void>(of.lacks_values());
        double const pairs = std::min(*add, *multiply);
        double const together = *add + *multiply + *fused;
        if (*all <= 0 || pairs < 0.1 * together || pairs < 0.05 * *all) continue;
        finding what;
        what.condition = "pairs of an addition and a multiplication, of the arithmetic of that precision";
        what.measured = pairs / together;
        what.threshold = 0.1;
        what.meaning =
            joined({about(pairs), " additions have a multiplication beside them; if each pair is one value's, ",
                    percent_text(pairs / *all), " of what threads execute goes away"});
        change fewer;
        // Compilers fuse by default. Where they did elsewhere, they had a reason not to here. A few are of divisions and roots.
        double const fusable = *fused < 0.1 * pairs ? pairs : 0.25 * pairs;
        fewer.instructions = 1 - fusable / *all;
        fewer.scale(each.unit, 1 - fusable / together).scale("math_pipe_throttle", 1 - fusable / together);
        of.say(std::move(what), fewer);
    }
}

// Functions of the mathematical library: instructions around the pipe of transcendental functions and conversions. Where that
// pipe itself is what bounds the kernel, they are fast versions already.
inline void judge_slow_functions(examination_of_range& of) {
    auto const xu = of.values.find("sm__inst_executed_pipe_xu.sum");
    auto const all = of.values.find("sm__inst_executed.sum");
    auto const conversions = of.values.find("smsp__sass_thread_inst_executed_op_conversion_pred_on.sum");
    auto const executed = of.values.find("smsp__thread_inst_executed_pred_on.sum");
    if (!xu || !all || !conversions || !executed) return static_cast<void>(of.lacks_values());
    double const busy = of.now.busy[static_cast<std::size_t>(gpu_unit::xu)];
    double const issue = of.now.busy[static_cast<std::size_t>(gpu_unit::issue)];
    if (busy < 0.1 || busy > 0.75 || issue < 0.5) return;
    if (double_precision(of.values) > 0.02 * *executed) return; // judge_double_precision has their conversions
    // Their values are polynomials: sinf has nine operations of floats for each of that pipe, and is one of the shortest. Fast
    // versions and quotients of floats have two or three, and where integers are converted or divided there are few. (Code of nvcc
    // 13.0 for sm_90.)
    double const floats = single_precision(of.values);
    bool const polynomials = floats >= 8 * 32 * *xu;
    // Those functions convert. Remainders and large arguments are worked out bit by bit, by comparisons and integers instead.
    bool const bit_by_bit =
        floats > 0.05 * *executed && floats < 0.3 * *executed && of.now.saturation({gpu_unit::alu}) > 0.5;
    bool const converts = *conversions >= 0.01 * *executed;
    // Exponentials and quotients do neither. expf takes nine instructions and a / b ten, __expf and __fdividef five, two of which scale
    // what is tiny: their predicates are mostly off. expf moves a constant by the pipe of halves.
    double const off = of.values.find_or("smsp__thread_inst_executed.sum", 2 * *executed) - *executed;
    double const halves = of.values.find_or("smsp__sass_thread_inst_executed_op_fp16_pred_on.sum", 0);
    bool const exact = floats >= 4 * 32 * *xu && off < 0.3 * 32 * *xu && halves > 0.1 * 32 * *xu;
    bool const long_ones = polynomials && (converts || bit_by_bit);
    if (!long_ones && !exact) return;
    finding what;
    what.condition = "time in which the pipe of transcendental functions and conversions works";
    what.measured = busy;
    what.threshold = 0.1;
    what.meaning =
        joined({percent_text(*xu / *all), " of the instructions are transcendental functions and conversions, and the "
                                          "instructions around them take issue slots"});
    // What remains is bound by that pipe. logf has 14 operations of floats among 23 instructions, __logf four in all: some 1.4 go for
    // each operation of floats. Of what is worked out bit by bit, the arithmetic remains, and as much around it.
    // Of exact ones, four instructions go for each operation of that pipe, or five for two of them.
    double const rest = !long_ones ? std::max(0.25, 1 - 3.5 * *xu / *all)
                        : converts ? std::clamp(1 - 1.4 * floats / *executed, 0.1, 0.5)
                                   : 0.1 + 2 * floats / *executed;
    change fewer;
    fewer.instructions = rest;
    for (gpu_unit const unit : {gpu_unit::alu, gpu_unit::fma, gpu_unit::fp64}) fewer.scale(unit, rest);
    of.say(std::move(what), fewer);
}

// Divisions of integers by what is known at run time only. Each divisor is converted, its reciprocal taken and converted back: two
// conversions for each other operation of that pipe, and ten instructions with the step that mends the reciprocal. Each quotient
// then takes some seven: two multiplications, and two corrections of which the predicate is mostly off. Around functions of the
// library there is arithmetic of floats, around these are multiplications of integers. (Code of nvcc 13.0 for sm_90.)
inline void judge_integer_division(examination_of_range& of) {
    auto const xu = of.values.find("sm__inst_executed_pipe_xu.sum");
    auto const all = of.values.find("smsp__thread_inst_executed_pred_on.sum");
    auto const conversions = of.values.find("smsp__sass_thread_inst_executed_op_conversion_pred_on.sum");
    if (!xu || !all || !conversions) return static_cast<void>(of.lacks_values());
    constexpr double of_divisor = 10, of_quotient = 7, of_wide_quotient = 75;
    double const others = 32 * *xu - *conversions; // reciprocals, if all of them are divisions
    double const divisors = std::min(*conversions / 2, others);
    double const floats = single_precision(of.values);
    if (*all <= 0 || divisors <= 0 || double_precision(of.values) > 5 * divisors) return;
    // Floats go to both halves of the FMA pipe, multiplications of integers to one: if that one does three times what the other
    // does, they are more than the floats.
    auto const busy = [&of](std::string_view pipe) { return of.values.find_or(joined({pipe, of_peak}), 0); };
    bool const multiplies = busy("sm__pipe_fmaheavy_cycles_active") > 1.5 * busy("sm__pipe_fma_cycles_active");
    if (floats > 5 * divisors && !multiplies) return;
    double const executed = of.values.find_or("smsp__thread_inst_executed.sum", *all);
    double const corrections = executed - *all;
    // Where that pipe does more than reciprocals, such as positions of bits, predicates that are off belong to something else, too.
    bool const corrected = multiplies && others <= *conversions;
    double const quotients = corrected ? std::max(divisors, corrections / 2) : divisors;
    // A quotient of 64 bits is a function of 75 instructions, without corrections by predicates. 29 of them multiply, most at half the
    // rate, so that they keep that half of the pipe busy as some fifty do.
    double const issued = of.now.busy[static_cast<std::size_t>(gpu_unit::issue)];
    double const multiplications = // of threads; each takes that half for two cycles
        issued > 0 ? busy("sm__pipe_fmaheavy_cycles_active") / 200 / issued * executed : 0;
    bool const wide = multiplications > 40 * divisors && corrections < 1.5 * divisors;
    double const share =
        (wide ? of_wide_quotient * divisors : of_divisor * divisors + of_quotient * quotients) / executed;
    if (share < least_gain) return;
    finding what;
    what.condition = "instructions of divisions of integers, of all that threads execute";
    what.measured = std::min(1.0, share);
    what.threshold = least_gain;
    what.meaning = joined({"threads divide integers by ", about(divisors), " divisors, which takes some ",
                           percent_text(what.measured), " of what they execute"});
    change shifts;
    shifts.instructions = std::max(0.1, 1 - share);
    what.what_if = instead_of(executed * shifts.instructions, executed, "instructions of threads");
    double const other = std::max(0.0, 1 - 3 * divisors / (32 * *xu)); // of the pipe of conversions
    shifts.scale(gpu_unit::xu, other).scale("short_scoreboard", std::max(other, 0.2));
    for (gpu_unit const unit : {gpu_unit::alu, gpu_unit::fma}) shifts.scale(unit, shifts.instructions);
    of.say(std::move(what), shifts);
}

// Arithmetic of half precision, a value an instruction, where an instruction takes two.
inline void judge_scalar_half(examination_of_range& of) {
    auto const halves = of.values.find("smsp__sass_thread_inst_executed_op_fp16_pred_on.sum");
    auto const all = of.values.find("smsp__thread_inst_executed_pred_on.sum");
    auto const bytes = of.values.find("smsp__sass_data_bytes_mem_global_op_ld.sum");
    auto const loads = of.values.find("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
    auto const tensor = of.values.find("sm__inst_executed_pipe_tensor.sum");
    if (!halves || !all || !bytes || !loads || !tensor) return static_cast<void>(of.lacks_values());
    // Conversions count as operations on halves, too; the arithmetic is then in single precision.
    double const arithmetic = *halves - 32 * *tensor - single_precision(of.values);
    if (*all <= 0 || *loads <= 0 || arithmetic < 0.2 * *all) return;
    double const of_thread = *bytes / *loads / 32; // by one load
    if (of_thread > 2.2) return;                   // two halves at a time
    finding what;
    what.condition = "instructions of half precision, of all that threads execute, where a load brings a single half";
    what.measured = arithmetic / *all;
    what.threshold = 0.2;
    what.meaning =
        joined({percent_text(what.measured), " of what threads execute is half precision, and a load brings a thread ",
                about(of_thread), " bytes: one value at a time, where an instruction takes two"});
    what.what_if = instead_of(arithmetic / 2, arithmetic, "instructions of half precision");
    change packed;
    packed.instructions = 1 - arithmetic / 2 / *all;
    // Operations on two halves share the work between the pipe of multiply-adds and that of tensors: of mended kernels, the latter was
    // busy half as long as the former, and as long. (H200, tests/hardware/last_pairs_values.csv.)
    packed.scale(gpu_unit::fma, 0.5 * packed.instructions).scale("math_pipe_throttle", packed.instructions);
    change all_of_it = packed; // loops, addresses and loads are shared by two values, too
    all_of_it.instructions = 0.5;
    of.say(std::move(what), packed, packed, all_of_it);
}

inline constexpr rule arithmetic_rules[]{
    {"thread_divergence", "Divergent threads", "source_counters",
     "Let the threads of a warp take the same way: sort work by kind, or compute both ways and choose.", lane_metrics,
     &judge_divergence},
    {"predicated_off", "Threads whose instructions have no effect", "source_counters",
     "Move conditions out of inner loops, or give each thread work.", predicate_metrics, &judge_predicates},
    {"double_precision", "Double precision between single precision values", "instruction_statistics",
     "Write literals as 1.0f and call functions of single precision (sinf, sqrtf), if that is precise enough.",
     precision_metrics, &judge_double_precision},
    {"unfused_arithmetic", "Additions and multiplications that are not fused", "instruction_statistics",
     "Write a * b + c in one expression, and do not compile with -fmad=false.", precision_metrics, &judge_unfused},
    {"no_tensor_cores", "A product of matrices without tensor cores", "compute_workload",
     "Use the tensor cores: wmma, mma, or a library (cuBLAS, CUTLASS).", precision_metrics, &judge_no_tensor_cores},
    {"slow_functions", "Slow functions", "compute_workload",
     "Compute less of them: use multiplications by a reciprocal, fast versions (__sinf, __expf), or tables.",
     division_metrics, &judge_slow_functions},
    {"integer_division", "Integers divided by what is known at run time", "compute_workload",
     "Divide by constants (template arguments), by shifts and masks of powers of two, or multiply by a reciprocal that "
     "is computed once.",
     division_metrics, &judge_integer_division},
    {"scalar_half", "Half precision one value at a time", "compute_workload",
     "Give a thread two values beside each other as __half2: one instruction computes both, and one load brings both.",
     half_metrics, &judge_scalar_half},
};

} // namespace detail
} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_ARITHMETIC_RULES_INL_HPP
