// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mbarrier.hpp"

#include <cstddef>
#include <cstdint>

#include "../ops/mbarrier.hpp"
#include "memory.hpp"
#include "operands.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::decode {

// `mode` is the operation, b the count, the bytes or the parity, c (64 bits) the state to test. d
// gets the state of an arrival or the predicate of a test.
static bool finish_mbarrier(instruction_decoder& in, mbarrier_operation operation) {
    in.op.mode = static_cast<std::uint8_t>(operation);
    in.op.action = action::mbarrier;
    in.op.memory.element = type::b64;
    in.classify(instruction_kind::barrier, pipe::lsu); // cp.async.mbarrier.arrive, too
    return in.finish();
}

bool mbarrier(instruction_decoder& in) {
    using operation = mbarrier_operation;
    bool const init = in.take("init");
    bool const invalidates = in.take("inval");
    bool const arrives = in.take("arrive");
    bool const drops = in.take("arrive_drop");
    bool const expects = in.take("expect_tx");
    bool const completes = in.take("complete_tx");
    bool const tests = in.take("test_wait") || in.take("try_wait");
    bool const by_parity = in.take("parity");
    bool const counts = in.take("pending_count");
    in.take("noComplete");
    take_space(in);
    take_memory_modifiers(in);
    in.take_type();
    in.op.b = in.builder.constant(1, 4);
    if (counts) {
        if (!in.has_operands(2, 2)) return false;
        bind(in, 0, {place::d, type::b32});
        bind(in, 1, {place::c, type::b64});
        return finish_mbarrier(in, operation::pending_count);
    }
    if (init || invalidates || ((expects || completes) && !arrives && !drops)) {
        if (!in.has_operands(invalidates ? 1 : 2, invalidates ? 1 : 2) ||
            !take_address(in, 0, in.op.a, in.op.offset, in.op.memory))
            return in.unsupported();
        if (!invalidates) bind(in, 1, {place::b, type::u32});
        return finish_mbarrier(in, init          ? operation::init
                                   : invalidates ? operation::invalidate
                                   : expects     ? operation::expect_bytes
                                                 : operation::complete_bytes);
    }
    if (tests) {
        if (!in.has_operands(3, 4) || !take_address(in, 1, in.op.a, in.op.offset, in.op.memory))
            return in.unsupported();
        bind(in, 0, {place::d, type::pred});
        if (by_parity) bind(in, 2, {place::b, type::u32});
        else bind(in, 2, {place::c, type::b64});
        return finish_mbarrier(in, by_parity ? operation::test_parity : operation::test_state);
    }
    if ((!arrives && !drops) || (drops && expects)) return in.unsupported();
    bool const has_state = in.operand(0).kind != ptx::operand_kind::address;
    std::size_t const at = has_state ? 1 : 0;
    if (!in.has_operands(at + 1, at + 2) || !take_address(in, at, in.op.a, in.op.offset, in.op.memory))
        return in.unsupported();
    if (has_state) bind(in, 0, {place::d, type::b64});
    else in.op.d = in.builder.scratch(8);
    if (in.operand_count() > at + 1) bind(in, at + 1, {place::b, type::u32});
    return finish_mbarrier(in, drops     ? operation::arrive_drop
                               : expects ? operation::arrive_expect_bytes
                                         : operation::arrive);
}

// cp.async.mbarrier.arrive{.noinc}
static bool copies_arrive(instruction_decoder& in) {
    in.take("arrive");
    bool const counted = in.take("noinc");
    take_space(in);
    in.take_type();
    in.op.b = in.builder.constant(1, 4);
    in.op.d = in.builder.scratch(8);
    if (!in.has_operands(1, 1) || !take_address(in, 0, in.op.a, in.op.offset, in.op.memory)) return in.unsupported();
    return finish_mbarrier(in, counted ? mbarrier_operation::arrive_for_copies_noinc
                                       : mbarrier_operation::arrive_for_copies);
}

bool cp_async(instruction_decoder& in) { return in.take("mbarrier") ? (in.take("async"), copies_arrive(in)) : cp(in); }

} // namespace sim::decode
GPUPROF_NAMESPACE_END
