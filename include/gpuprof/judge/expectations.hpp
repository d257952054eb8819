// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people expect of kernels, ready to be asserted.
#ifndef GPUPROF_JUDGE_EXPECTATIONS_HPP
#define GPUPROF_JUDGE_EXPECTATIONS_HPP

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "../core/units.hpp"
#include "../detail/config.hpp"
#include "observation.hpp"
#include "outcome.hpp"

GPUPROF_NAMESPACE_BEGIN

// What an expectation found of a range, in parts.
struct examination {
    gpuprof::outcome outcome{}; // without the next two
    std::string meaning{};      // of a failure's numbers: "32 sectors per request, where 4 would do"
    std::string_view advice{};  // what to do about a failure; a constant of the program
    double share = 1;           // of a failure: how much of what was counted is superfluous or lacks, from 0 to 1
};

// One thing that is expected of a range. GPUPROF_EXPECT(m, expect::no_bank_conflicts()); a failure tells numbers, what they
// mean and what to do. observe_for (observe_for.hpp) measures what expectations need. Texts are constants of the program.
struct expectation {
    std::string_view name;
    std::array<std::string_view, 4> metrics{}; // that it needs; empty names at the end
    double number = 0;                         // a limit, a factor
    double other = 0;
    examination (*judge)(expectation const& what, observation const& of) = nullptr;
    std::string_view where_known{}; // a metric that only some chips have, and that it needs there
    std::string_view flaw{};        // what a range has that breaks it: "uncoalesced global loads"

    // With meaning and advice in its text.
    [[nodiscard]] outcome operator()(observation const& of) const;
    // The same in parts. find_flaws (flaws.hpp) makes sentences of them.
    [[nodiscard]] examination examine(observation const& of) const { return judge(*this, of); }
};

namespace judge {
// @return what one expectation finds, each in expectations.inl.hpp
[[nodiscard]] examination judge_coalesced(expectation const& what, observation const& of);
[[nodiscard]] examination judge_bank_conflicts(expectation const& what, observation const& of);
[[nodiscard]] examination judge_local_memory(expectation const& what, observation const& of);
[[nodiscard]] examination judge_divergence(expectation const& what, observation const& of);
[[nodiscard]] examination judge_tensor_cores(expectation const& what, observation const& of);
[[nodiscard]] examination judge_dram_bytes(expectation const& what, observation const& of);
[[nodiscard]] examination judge_occupancy(expectation const& what, observation const& of);
[[nodiscard]] examination judge_atomics(expectation const& what, observation const& of);
[[nodiscard]] examination judge_launches(expectation const& what, observation const& of);
} // namespace judge

namespace expect {

// Global loads touch no more 32-byte sectors than warps of full width need: a warp's 32 threads that read 4 bytes each side by
// side need 4 sectors. Inconclusive without a global load. Nsight Compute guide, L1/TEX cache tables, "Sectors/Req".
// @param bytes_a_thread the width of one access: 1 to 16
[[nodiscard]] inline expectation coalesced_global_loads(double bytes_a_thread = 4) noexcept {
    return {"coalesced global loads",
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
            bytes_a_thread,
            0,
            &judge::judge_coalesced,
            {},
            "uncoalesced global loads"};
}
// The same of stores.
[[nodiscard]] inline expectation coalesced_global_stores(double bytes_a_thread = 4) noexcept {
    return {"coalesced global stores",
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
            bytes_a_thread,
            0,
            &judge::judge_coalesced,
            {},
            "uncoalesced global stores"};
}
// No access to shared memory has to be split because of its addresses. On hardware noise::arbitration is allowed. Inconclusive
// without a load from or a store to shared memory. Nsight Compute guide, shared memory table, "Bank Conflicts".
[[nodiscard]] inline expectation no_bank_conflicts() noexcept {
    return {"no bank conflicts",
            {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
             "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
             "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
            0,
            0,
            &judge::judge_bank_conflicts,
            {},
            "bank conflicts"};
}
// Nothing goes to or comes from local memory: no register is spilled there, no array that is indexed at run time lies there.
// The embedded GPU runs PTX, in which registers are not spilled yet: it sees arrays only.
[[nodiscard]] inline expectation no_local_memory() noexcept {
    return {"no local memory",
            {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"},
            0,
            0,
            &judge::judge_local_memory,
            {},
            "local memory"};
}
// No branch sends threads of one warp different ways.
[[nodiscard]] inline expectation no_divergence() noexcept {
    return {"no divergence",
            {"smsp__sass_branch_targets_threads_divergent.sum", "smsp__sass_branch_targets.sum"},
            0,
            0,
            &judge::judge_divergence,
            {},
            "divergence"};
}
// Some matrix product ran on the tensor cores. Packed products of halves, by which compilers also make constants, run there
// as well on GA100 and GH100 and are none: an H200 counts one HFMA2.MMA a warp for x * 1.5f + 0.5f.
[[nodiscard]] inline expectation tensor_cores_used() noexcept {
    return {"tensor cores used",
            {"sm__inst_executed_pipe_tensor.sum", "sm__inst_executed.sum"},
            0,
            0,
            &judge::judge_tensor_cores,
            "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum",
            "idle tensor cores"};
}
// Device memory moves at most `factor` times the bytes that the work cannot do without.
[[nodiscard]] inline expectation dram_bytes_within(double factor, bytes least) noexcept {
    return {"bytes of device memory",         {"dram__bytes.sum"}, factor, least.value(), &judge::judge_dram_bytes, {},
            "too many bytes of device memory"};
}
// Of the warps that an SM has room for, so many were there on average.
[[nodiscard]] inline expectation occupancy_at_least(percent share) noexcept {
    return {"occupancy",
            {"sm__warps_active.avg.pct_of_peak_sustained_active"},
            share.value(),
            0,
            &judge::judge_occupancy,
            {},
            "low occupancy"};
}
// No atomic operation on shared memory waits for another of its warp. Inconclusive if there are atomic operations on global
// memory, whose waiting nothing here counts, and without any.
[[nodiscard]] inline expectation no_serialised_atomics() noexcept {
    return {"no serialised atomics",
            {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
             "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
             "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"},
            0,
            0,
            &judge::judge_atomics,
            {},
            "serialised atomics"};
}
// So many kernels are launched in the range each time it runs, and none is refused. From the log of launches: inconclusive
// where launches are not heard, and where a graph launches them. Needs no metric.
[[nodiscard]] inline expectation launch_count(std::size_t kernels) noexcept {
    return {"launches", {}, static_cast<double>(kernels), 0, &judge::judge_launches, {}, "other launches"};
}

} // namespace expect

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "expectations.inl.hpp"
#endif

#endif // GPUPROF_JUDGE_EXPECTATIONS_HPP
