// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates the SASS instructions that ptxas makes of PTX instructions.
#ifndef GPUPROF_SRC_SIM_SASS_ESTIMATE_HPP
#define GPUPROF_SRC_SIM_SASS_ESTIMATE_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "../chip/chip_model.hpp"
#include "../code/decoded.hpp"
#include "../code/kernel.hpp"
#include "../ptx/instruction_facts.hpp"
#include "../ptx/module.hpp"
#include "def_use.hpp"
#include "dependence.hpp"
#include "expansion.hpp"
#include "known_bits.hpp"
#include "loops.hpp"
#include "unrolling.hpp"
#include "uniformity.hpp"
#include "word_halves.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The SASS instructions that a decoded instruction stands for.
struct sass_estimate {
    std::uint16_t instructions = 1;
    std::uint8_t special = 0; // of them, what the pipe of special functions does, if it is not the instruction's own
    std::uint8_t may_use_fma = 0;     // of them, what ptxas may give to the fma pipeline in place of the alu's: IMAD
    std::uint16_t beside = 0;         // more that it needs, of no pipe that is told apart: addresses, constants
    sim::pipe pipe = sim::pipe::none; // of the instruction proper; what is expanded around it runs elsewhere
    bool loads_constant = false;      // LDC
    std::uint32_t executed_with = 0;  // an instruction's number and 1, beside which ptxas puts it, for all threads
    std::uint32_t unrolled_from =
        0; // what stands before a loop and 1, if this one counts its rounds and is done once for four
    std::uint32_t entered_from = 0;  // the same, if the loop begins here
    bool rest_is_predicated = false; // what is done once for four does nothing for rounds that are left
    bool spins = false;              // a loop begins here that waits for what others write
    std::uint32_t predicated_by = 0; // a branch's number and 1, if its condition became this instruction's predicate
    bool reduction = false;          // an atomic as atomic_merge::is_reduction says
    bool counts_lanes = false;       // and merge
    bool is_slow_part = false;       // the next one counts the warps that execute this one
    bool awaits_warps = false;       // others of the CTA or the cluster
    expansion inside{};              // operations of a thread that its expansion has
    std::uint8_t words = 1;          // what an access of shared memory moves; 0: another moves it along
    dependence_chain chain{};        // of the basic block that begins here
    dependence_chain rounds{};       // and of rounds that are done at once, if it is a loop that is unrolled
};

// Estimates for each instruction of a function, in its order.
//
// The estimate knows what nvcc's PTX and ptxas's code differ in systematically:
// - conversions of address spaces, moves between registers, and what functions pass in .param space
//   vanish;
// - an instruction may be absorbed by those that read its result: products and shifts by additions
//   (IMAD, LEA), additions by additions (IADD3) and by addresses, logic by logic (LOP3), tests of
//   bits by those bits, negations by what they are an operand of;
// - 64-bit integer operations take an instruction for each word that is needed and not known, see
//   word_halves, rotations two; one instruction does an operation of 16-bit floats for both halves of
//   a word, see half_pairs; divisions, square roots and the like a sequence, of which divisions by one number
//   share a part;
// - constants that are stored, that begin what a loop changes, or that an instruction cannot hold
//   beside another take an instruction, doubles two, in long loops in each round; operations of
//   constants none;
// - divisions and roots call subroutines for numbers that their inlined code does not compute, see
//   slow_way: they are counted by the lanes that come there;
// - a kernel begins by finding its stack and, on some chips, the descriptor of global memory and the
//   place of its shared memory. A parameter or the size of a CTA is loaded by an instruction on
//   some, an operand on others; each basic block does so for itself, and an innermost loop before it
//   begins;
// - accesses of neighbouring words of shared memory and of constants become one;
// - one lane of a warp does an atomic operation for all at an address that they share;
// - instructions that a short branch would skip, or choose between, are predicated instead: every warp
//   executes them, perhaps for no thread. A branch to the end of a kernel ends the thread;
// - short loops that count are unrolled by four;
// - arithmetic that is needed behind a branch to the end of a kernel is done there;
// - a function that calls others saves and restores registers.
// It does not know: loops that ptxas unrolls wholly, the uniform datapath, and integers that are computed twice.
class sass_estimator {
public:
    sass_estimator(chip_model const& chip, sim::kernel const& kernel) noexcept
        : traits_{chip.sass}, latency_{chip.latency}, kernel_{kernel} {}

    [[nodiscard]] std::vector<sass_estimate> of(function_code const& code);

    // Instructions that every warp of a kernel begins with: one that loads where its stack is.
    static constexpr unsigned prologue = 1;

private:
    void estimate_operand(decoded const& op, sass_estimate& e) const noexcept;

    // A branch around few instructions becomes a predicate on them; around more, and around a loop that threads may leave one by one,
    // two instructions bring the warp's threads together again (BSSY, BSYNC).
    void estimate_branches(std::vector<sass_estimate>& estimates);

    // What is done by the operands, the rounding or the predicate of another instruction of floating-point numbers, and what
    // approximations, negations and clamps take more.
    void estimate_floats(function_code const& code, std::vector<sass_estimate>& estimates) const;
    void join_equal_floats(function_code const& code, std::vector<sass_estimate>& estimates) const;
    void join_halves(std::vector<sass_estimate>& estimates) const;
    [[nodiscard]] bool is_one_block(loops::interval const& loop) const noexcept {
        return flow_->block(loop.first) == flow_->block(loop.last);
    }
    // A pointer that a round moves on is two registers, of which accesses need copies that are neighbours, unless IMAD.WIDE leaves
    // them so or accesses outside the loop need them there, too. Of many accesses, the last is often before the step.
    void copy_pointers(std::vector<sass_estimate>& estimates) const;
    // A loop that goes on until memory says otherwise lets other warps issue first (YIELD).
    void let_others_run(std::vector<sass_estimate>& estimates) const;
    // The instruction that loads the parameter to which it adds; nobody, if it does not.
    [[nodiscard]] std::uint32_t parameter_added(std::uint32_t i) const;
    // Whether a loop without branches makes all its addresses of one parameter, by one or two sums, for four loads or more: the
    // parameter is loaded in each round then.
    [[nodiscard]] bool is_only_base(std::uint32_t i) const;
    // Whether it makes of a register in a loop what that holds in the next round.
    [[nodiscard]] bool updates_itself(std::uint32_t i) const;
    // A comparison of floats that another of the same numbers has made, perhaps the other way round.
    void join_comparisons(std::vector<sass_estimate>& estimates) const;
    // Puts arithmetic behind a branch to the end of a kernel that is not needed before.
    void sink_behind_exits(function_code const& code, std::vector<sass_estimate>& estimates) const;
    void estimate_choices(function_code const& code, std::vector<sass_estimate>& estimates) const;
    // Whether a comparison of floats is done by the only choice that it makes, which is 1 or 0 (FSET.BF).
    [[nodiscard]] bool is_made_by_choice(std::uint32_t i) const;

    void find_spins(std::vector<sass_estimate>& estimates) const;
    void estimate_chains(std::vector<sass_estimate>& estimates, std::vector<unrolled_loop> const& unrolled) const;

    [[nodiscard]] std::vector<unrolled_loop> unroll_loops(std::vector<sass_estimate>& estimates) const;

    // The descriptor of global memory is loaded where that is reached, and the end of a kernel stands in each branch that leads
    // there.
    void place_instructions(std::vector<sass_estimate>& estimates) const;
    // An access holds an offset of 24 bits. What is farther needs a sum, which others near there share.
    void find_far_addresses(std::vector<sass_estimate>& estimates) const;
    // The address of a variable that an access names is loaded, by each basic block for itself.
    void find_variables(std::vector<sass_estimate>& estimates) const;
    // Two neighbouring words of constant memory are loaded at once.
    void join_constants(std::vector<sass_estimate>& estimates) const;
    // Tests of bits of one byte that predicate what follows are one instruction (R2P).
    void join_bit_tests(std::vector<sass_estimate>& estimates) const;
    // Divisions by the same number share its reciprocal, and the quotient and the remainder of the same numbers nearly all. That of a
    // number which a loop without branches does not change is made in front of it.
    void join_divisions(std::vector<sass_estimate>& estimates) const;
    // Where shared memory begins depends on the CTA's place in its cluster: it takes three instructions, and the address of a
    // further variable two. Of loops without branches it is found in front.
    void find_shared_memory(std::vector<sass_estimate>& estimates) const;

    void estimate(std::uint32_t i, sass_estimate& e);

    // Whether everything that reads the result does the instruction's work along with its own. An
    // addition or a logic operation has room for one other.
    bool is_absorbed(std::uint32_t i);

    // The instructions of a logic operation of predicates (PLOP3, of three): each comparison of numbers combines its result with
    // another predicate, tests of bits do not.
    [[nodiscard]] std::uint16_t cost_of_predicates(std::uint32_t i) const;
    struct predicate_sources {
        unsigned all = 0, combine = 0;
    };
    void find_predicates(std::uint32_t i, predicate_sources& found, unsigned depth) const;
    // Whether a register of 16 bits may hold more: it is cut before it is compared.
    [[nodiscard]] bool has_upper_part(std::uint32_t i, ptx::operand const& o, unsigned depth = 0) const;
    // Whether its reader, another logic operation, does its work: of three numbers together.
    [[nodiscard]] bool joins_logic(std::uint32_t i, std::uint32_t reader);
    // Whether a maximum or minimum of words does its work: a sum of two, or the same of two others (VIADDMNMX, VIMNMX3).
    [[nodiscard]] bool joins_extremum(std::uint32_t i);
    // Whether it is computed beforehand: an operation of numbers.
    [[nodiscard]] bool is_folded(std::uint32_t i, unsigned depth = 0) const;
    // Whether it puts together what a shift to the left and one to the right leave of the same 64 bits: two funnel shifts do all.
    [[nodiscard]] bool is_rotation(std::uint32_t i) const;

    // Whether the instruction reads the result of one that the predicate accepts.
    template <class Predicate>
    [[nodiscard]] bool reads(std::uint32_t i, Predicate accepts) const;
    // Whether a difference takes a product away that is not a constant's: a factor is negated first.
    [[nodiscard]] bool is_product_taken_away(std::uint32_t i, std::uint32_t from) const noexcept;
    // A 64-bit sum of which one part is a product of words: IMAD.WIDE does all.
    [[nodiscard]] bool reads_product(std::uint32_t i) const;
    // A 64-bit sum with a product of 64 bits.
    [[nodiscard]] bool reads_long_product(std::uint32_t i) const;
    // Whether a sum does part of its work: the upper word of a shift (LEA.HI.X), or the lowest part of a 64-bit product (IMAD.WIDE);
    // the lower word of a shift in front of a loop (LEA).
    [[nodiscard]] bool joins_high_word(std::uint32_t i) const;
    // Constant memory is addressed by 32 bits and an offset.
    [[nodiscard]] bool reads_constant_address(std::uint32_t i) const;
    [[nodiscard]] bool reads_extended(std::uint32_t i) const;
    // Whether a sum or difference of 64 bits is done by the one that reads it: of three parts together (IADD3, IADD3.X).
    [[nodiscard]] bool joins_wide_sum(std::uint32_t i) const;
    // Whether a sum extends a word along with its own work (LEA.HI.X.SX32).
    [[nodiscard]] bool is_extended_by_sum(std::uint32_t i) const;
    // Whether two words are put together that nobody needs side by side, or that may be computed there.
    [[nodiscard]] bool is_pair_of_words(std::uint32_t i) const;
    [[nodiscard]] bool is_wide_sum(std::uint32_t i) const noexcept;
    [[nodiscard]] bool names_constant(ptx::instruction const& w) const;
    // Whether it moves the place of a kernel's parameter, which is constant memory.
    [[nodiscard]] bool names_parameter(ptx::instruction const& w) const;
    // Whether all that reads the result takes no more than its low word: it is an address in a window of memory.
    [[nodiscard]] bool is_narrow(std::uint32_t i, unsigned depth = 0) const;
    // Whether it adds a number to what only addresses memory: the offset of the accesses.
    [[nodiscard]] bool is_offset(std::uint32_t i) const;
    // Whether it adds the place of a shared variable, or another uniform number, to what only addresses shared memory: the access
    // adds them.
    [[nodiscard]] bool is_added_by_access(std::uint32_t i) const;
    // Whether a constant that the text moves to a register must be in one.
    [[nodiscard]] std::uint16_t cost_of_constant(std::uint32_t i) const;
    // Whether a move between registers is one: what the register held is read when the new value is there already.
    [[nodiscard]] bool keeps_two_values(std::uint32_t i) const;
    // The instructions around the first word of a matrix tile that it loads or stores.
    [[nodiscard]] std::uint16_t cost_of_tile(std::uint32_t i) const;
    // The words that a store of several moves to where they stand side by side: those that a load of several words has put elsewhere, and
    // that something else may have overwritten since.
    [[nodiscard]] std::uint16_t moved_words(ptx::instruction const& store) const;
    // The constants that a store must have in registers.
    [[nodiscard]] std::uint16_t stored_constants(ptx::instruction const& i) const noexcept;
    // For each instruction the first one behind it that is reached without it: where the innermost branch around it goes. Nobody
    // where there is none. Branches that became predicates are none.
    [[nodiscard]] std::vector<std::uint32_t> ends_around(std::vector<sass_estimate> const& estimates) const;
    // Adds instructions beside one, wherever ptxas puts that.
    void add_beside(std::vector<sass_estimate>& estimates, std::uint32_t i, unsigned more) const;
    // Basic blocks are divided where a division may go its slow way.
    void find_parts();
    [[nodiscard]] bool begins_part(std::uint32_t i) const; // not the first
    // Whether nothing at that place has what an instruction needs in a register: neither its part nor its arm of a branch.
    template <class Key>
    [[nodiscard]] bool is_first(std::set<std::tuple<std::uint32_t, std::uint32_t, Key>>& found, // part, condition, what
                                std::vector<sass_estimate> const& estimates, std::uint32_t place, Key const& what,
                                std::vector<std::uint32_t> const& parts) const;
    // An instruction holds one constant, of 64 bits only the upper half. Others are moved into registers where they are needed first.
    void place_numbers(std::vector<sass_estimate>& estimates, std::vector<unrolled_loop> const& unrolled) const;
    // A loop, as its constants find it.
    struct loop_round {
        std::set<std::uint64_t> numbers{};      // that need a register
        std::size_t length = 0;                 // instructions without them
        bool keeps_numbers = false;             // however short it is
        std::optional<std::uint32_t> counts_at; // if it is unrolled: what is done once for several rounds
    };
    [[nodiscard]] loop_round round_of(loops::interval const& loop, std::vector<sass_estimate> const& estimates,
                                      std::vector<unrolled_loop> const& unrolled) const;
    // Each basic block loads the parameters that it reads, an innermost loop in front of it, but not again behind a branch to the
    // end of a kernel. Two neighbouring words are loaded at once where both are needed.
    void load_parameters(std::vector<sass_estimate>& estimates) const;
    // Accesses need a parameter in registers of their own, sums with products (IMAD.WIDE) in others, and all else in uniform ones:
    // what is loaded for one use is not there for another.
    enum class parameter_use : std::uint8_t { uniform, product, access };
    [[nodiscard]] parameter_use use_of_parameter(std::uint32_t reader) const;
    // Where a parameter is loaded that an instruction reads.
    [[nodiscard]] std::uint32_t place_of_load(std::uint32_t reader) const;
    // Where the parameter begins that an instruction loads.
    [[nodiscard]] std::int64_t offset_of_parameter(std::uint32_t i) const noexcept;
    // Whether an operand names a variable in shared memory.
    [[nodiscard]] ptx::variable const* shared_variable(ptx::operand const& o) const noexcept;
    [[nodiscard]] bool names_shared_memory(std::uint32_t i) const noexcept;
    // Whether the result is added to a product, perhaps after a conversion.
    [[nodiscard]] bool is_added_to_product(std::uint32_t i) const;

    sass_traits traits_;
    latency_traits latency_;
    sim::kernel const& kernel_;
    ptx::function const* from_ = nullptr;
    std::optional<def_use> flow_;
    std::optional<loops> loops_;
    std::optional<uniformity> uniform_;
    std::optional<word_halves> halves_;
    std::optional<known_bits> known_;
    std::vector<std::size_t> place_;           // of an instruction in the decoded code
    std::vector<std::uint32_t> parts_;         // by instruction
    std::vector<std::uint32_t> uniform_parts_; // those that a branch to the end of a kernel does not end
    std::vector<bool> joined_;                 // whether a basic block that begins there is one with what stands before
    bool calls_ = false;                       // the function calls another
    std::vector<bool> absorbed_;               // by instruction
    using logic_part = std::pair<bool, std::uint64_t>;            // a register's number, or a number itself
    std::map<std::uint32_t, std::set<logic_part>> logic_parts_{}; // by instruction
    std::vector<std::uint8_t> taken_;                             // whether an instruction has absorbed another
};

// sass_estimator::of() for a function of the kernel. Kept with the function until a chip asks whose
// traits differ. Thread-safe.
[[nodiscard]] std::shared_ptr<std::vector<sass_estimate> const>
estimates_of(chip_model const& chip, sim::kernel const& kernel, function_code const& code);

template <class Predicate>
bool sass_estimator::reads(std::uint32_t i, Predicate accepts) const {
    for (std::uint32_t const writer : flow_->writers(i))
        if (accepts(from_->instructions[writer])) return true;
    return false;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_ESTIMATE_HPP
