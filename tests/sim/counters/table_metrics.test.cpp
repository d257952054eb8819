// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics of the memory tables and of the pipelines, read by name, of kernels so small that their counts follow from
// their text. Each expected number is arithmetic on that text; what it rests on stands beside it.
#include <array>
#include <cstdint>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "sim/chip/chips.hpp"
#include "sim/counters/metric_table.hpp"
#include "sim/decode/program.hpp"
#include "sim/execute/execute.hpp"
#include "sim/model/launch_counters.hpp"

namespace table_metrics_test {

using namespace gpuprof::sim;

namespace {

// What a GH100 with cold caches counts for a kernel of one CTA. Its parameters are 64 KiB of device memory twice, and as
// much pinned memory; all of them begin at a line.
class counted_kernel {
public:
    explicit counted_kernel(std::string const& body, std::uint32_t threads = 32, std::uint32_t ctas = 1,
                            char const* target = "sm_80")
        : pinned_(2 * bytes) {
        std::string const text = std::string{".version 8.0\n.target "} + target +
                                 "\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 "
                                 "pinned) {\n.reg .pred %p; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .f32 %f<20>;\n"
                                 ".shared .align 128 .b8 tile[8192];\nld.param.u64 %d1, [in];\nld.param.u64 %d2, "
                                 "[out];\nld.param.u64 %d3, [pinned];\nmov.u32 %r1, %laneid;\n" +
                                 body + "ret;\n}\n";
        auto const loaded = program::load(text, memory_);
        REQUIRE(loaded);
        auto const line = (reinterpret_cast<std::uintptr_t>(pinned_.data()) + 127) / 128 * 128;
        std::array<std::uint64_t, 3> const parameters{memory_.allocate(bytes).value(), memory_.allocate(bytes).value(),
                                                      memory_.map(reinterpret_cast<void*>(line), bytes, true).value()};
        kernel const* const code = loaded->find_kernel("k");
        REQUIRE(code != nullptr);
        launch_config const config{{ctas}, {threads}, 0, std::as_bytes(std::span{parameters}), false};
        l2_cache l2{gh100};
        launch_counters counters{gh100, *code, config, 8, l2, &memory_};
        execution_options options;
        options.sm_count = static_cast<unsigned>(gh100.count(hardware_unit::sm));
        auto const done = execute(*code, config, memory_, counters, options);
        INFO((done.error ? done.error->message() : std::string{}));
        REQUIRE(!done.error);
        values_ = counters.finish();
    }

    [[nodiscard]] double operator[](std::string_view metric) const {
        INFO(std::string{metric});
        auto const wanted = find_metric(gh100, std::string{metric} + ".sum");
        REQUIRE(wanted);
        auto one = read(gh100, wanted->row, values_);
        one.replay_passes = 1;
        return derive(gh100, *wanted, one);
    }

private:
    static constexpr std::size_t bytes = std::size_t{64} << 10;
    device_memory memory_;
    std::vector<std::byte> pinned_;
    counter_values values_;
};

// %d4: the address of a lane whose data lie `stride` bytes apart, from a register on.
std::string lane_address(char const* from, unsigned stride) {
    return "mul.wide.u32 %d4, %r1, " + std::to_string(stride) + ";\nadd.u64 %d4, %d4, " + from + ";\n";
}

} // namespace

TEST_CASE("wavefronts of L1: four lines or 128 bytes each - what misses is what L2 sends") {
    // The kernel profiling guide, 10.2: 65,536 loads of 32 sectors in 32 lines are 524,288 wavefronts, eight each.
    counted_kernel const scattered{lane_address("%d1", 128) + "ld.global.u32 %r2, [%d4];\nst.global.u32 [%d2], %r2;\n"};
    CHECK(scattered["l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld"] == 8);
    CHECK(scattered["l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_st"] == 1); // all lanes at one address
    CHECK(scattered["l1tex__t_output_wavefronts_pipe_lsu_mem_lg"] == 9);
    CHECK(scattered["l1tex__t_output_wavefronts"] == 9);
    CHECK(scattered["l1tex__t_sectors_pipe_lsu_mem_lg"] == 33);
    CHECK(scattered["l1tex__t_requests_pipe_lsu_mem_lg"] == 2);
    CHECK(scattered["l1tex__lsu_writeback_active_mem_lgds"] == 8); // loads alone return data
    CHECK(scattered["l1tex__m_xbar2l1tex_read_sectors_mem_lg_op_ld"] == 32);
    CHECK(scattered["l1tex__m_xbar2l1tex_read_sectors"] == 32);
    CHECK(scattered["l1tex__m_l1tex2xbar_write_sectors_mem_lg_op_st"] == 1);
    CHECK(scattered["l1tex__m_l1tex2xbar_req_cycles_active"] == 32 + 1); // a request a line, and the sector stored

    // 32 lanes of 16 bytes are 512 bytes in four lines; the second time they are in L1.
    std::string const wide = "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d4];\n";
    counted_kernel const twice{lane_address("%d1", 16) + wide + wide};
    CHECK(twice["l1tex__t_output_wavefronts_pipe_lsu_mem_global_op_ld"] == 4 + 4);
    CHECK(twice["l1tex__t_sectors_pipe_lsu_mem_lg_lookup_hit"] == 16);
    CHECK(twice["l1tex__t_sectors_pipe_lsu_mem_lg_lookup_miss"] == 16);
    CHECK(twice["l1tex__m_xbar2l1tex_read_sectors_pipe_lsu"] == 16);
    CHECK(twice["l1tex__m_l1tex2xbar_req_cycles_active"] == 4);
    CHECK(twice["lts__t_sectors_srcunit_tex_op_read_evict_normal"] == 16);
}

TEST_CASE("atomics at L2: arithmetic apart from compare-and-swap - L2 keeps them longest") {
    // Each lane has a sector of its own, eight lines in all; the results are stored so that they are no reductions.
    counted_kernel const k{lane_address("%d1", 32) +
                           "atom.global.add.u32 %r2, [%d4], 1;\natom.global.cas.b32 %r3, [%d4+4096], 0, 1;\n"
                           "atom.global.cas.b32 %r4, [%d4+8192], 0, 1;\nred.global.add.u32 [%d4+16384], 1;\n"
                           "add.u32 %r2, %r2, %r3;\nadd.u32 %r2, %r2, %r4;\n" +
                           lane_address("%d2", 4) + "st.global.u32 [%d4], %r2;\n"};
    CHECK(k["lts__t_sectors_srcunit_tex_op_atom"] == 3 * 32);
    CHECK(k["lts__t_sectors_srcunit_tex_op_atom_dot_alu"] == 32);
    CHECK(k["lts__t_sectors_srcunit_tex_op_atom_dot_cas"] == 2 * 32);
    CHECK(k["lts__t_requests_srcunit_tex_op_atom_dot_alu"] == 8);
    CHECK(k["lts__t_requests_srcunit_tex_op_atom_dot_cas"] == 2 * 8);
    // Nothing was in L2: what is home is fetched, and what goes on to the other half counts as passed.
    CHECK(k["lts__t_sectors_srcunit_tex_op_atom_dot_cas_lookup_hit"] +
              k["lts__t_sectors_srcunit_tex_op_atom_dot_cas_lookup_miss"] ==
          2 * 32);
    CHECK(k["lts__t_sectors_op_atom_dot_cas_lookup_miss"] == 2 * 32);
    CHECK(k["lts__t_sectors_srcunit_tex_op_atom_evict_last"] == 3 * 32);
    CHECK(k["lts__t_sectors_srcunit_tex_op_atom_evict_normal"] == 0);
    CHECK(k["lts__t_sectors_srcunit_tex_evict_last"] == 4 * 32); // reductions, too
    CHECK(k["lts__t_sectors_srcunit_tex_evict_normal"] == 4);    // the store
    CHECK(k["l1tex__m_xbar2l1tex_read_sectors_mem_global_op_atom"] == 3 * 32);
    CHECK(k["l1tex__m_l1tex2xbar_write_sectors_mem_global_op_red"] == 32);
}

TEST_CASE("classes of eviction: what an access names") {
    counted_kernel const k{lane_address("%d1", 4) +
                           "ld.global.cs.u32 %r2, [%d4];\nld.global.u32 %r3, [%d4+4096];\nadd.u32 %r2, %r2, %r3;\n" +
                           lane_address("%d2", 32) + "st.global.cs.u32 [%d4], %r2;\nst.global.u32 [%d4+4096], %r2;\n"};
    CHECK(k["lts__t_sectors_srcunit_tex_op_read_evict_first"] == 4);
    CHECK(k["lts__t_sectors_srcunit_tex_op_read_evict_first_lookup_miss"] == 4);
    CHECK(k["lts__t_sectors_srcunit_tex_op_read_evict_normal"] == 4);
    CHECK(k["lts__t_sectors_srcunit_tex_op_write_evict_first"] == 32);
    CHECK(k["lts__t_sectors_srcunit_tex_op_write_evict_normal"] == 32);
    CHECK(k["lts__t_sectors_srcunit_tex_evict_first"] == 36);
    CHECK(k["lts__t_sectors_srcunit_tex_evict_last"] == 0);
    CHECK(k["lts__t_sectors_srcunit_tex_evict_normal_demote"] == 0);
    // All classes together are all sectors, found or not but for barriers of slices that no SM used.
    double sectors = 0, looked_up = 0;
    for (std::string const of : {"first", "last", "normal", "normal_demote"}) {
        std::string const name = "lts__t_sectors_evict_" + of;
        sectors += k[name];
        looked_up += k[name + "_lookup_hit"] + k[name + "_lookup_miss"];
    }
    CHECK(sectors == k["lts__t_sectors"]);
    CHECK(looked_up < sectors);
    CHECK(looked_up >= sectors - 2390); // of an empty kernel, see last_l2_counts.txt
}

TEST_CASE("sectors of the host's memory are told from the device's") {
    counted_kernel const k{lane_address("%d3", 4) +
                           "ld.global.u32 %r2, [%d4];\nld.global.u32 %r3, [%d4+4096];\nst.global.u32 [%d4+8192], %r2;\n"
                           "atom.global.cas.b32 %r5, [%d4+16384], 0, 1;\nadd.u32 %r2, %r2, %r3;\n"
                           "add.u32 %r2, %r2, %r5;\n" +
                           lane_address("%d1", 4) + "ld.global.u32 %r4, [%d4];\nadd.u32 %r2, %r2, %r4;\n" +
                           lane_address("%d2", 4) + "st.global.u32 [%d4], %r2;\nst.global.u32 [%d4+4096], %r2;\n"};
    CHECK(k["lts__t_sectors_srcunit_tex_aperture_sysmem_op_read"] == 2 * 4);
    CHECK(k["lts__t_sectors_srcunit_tex_aperture_sysmem_op_read_lookup_miss"] == 2 * 4);
    CHECK(k["lts__t_sectors_srcunit_tex_aperture_sysmem_op_write"] == 4);
    CHECK(k["lts__t_sectors_srcunit_tex_aperture_sysmem_op_write_lookup_miss"] == 0);
    CHECK(k["lts__t_sectors_srcunit_tex_aperture_sysmem_op_atom_dot_cas"] == 4);
    CHECK(k["lts__t_sectors_srcunit_tex_aperture_sysmem_op_atom_dot_alu"] == 0);
    CHECK(k["lts__t_sectors_srcunit_tex_aperture_sysmem"] == 2 * 4 + 4 + 4);
    CHECK(k["lts__t_sectors_srcunit_tex_aperture_device_op_read"] == 4);
    CHECK(k["lts__t_sectors_srcunit_tex_aperture_device_op_read_lookup_miss"] == 4);
    CHECK(k["lts__t_sectors_srcunit_tex_aperture_device_op_write"] == 2 * 4);
    CHECK(k["lts__t_sectors_srcunit_tex_aperture_device_op_atom_dot_cas"] == 0);
    CHECK(k["lts__t_sectors_srcunit_tex_aperture_peer"] == 0);
    CHECK(k["lts__t_sectors_aperture_device"] + k["lts__t_sectors_aperture_sysmem"] == k["lts__t_sectors"]);
}

TEST_CASE("half of the lines cross the fabric between the halves of L2") {
    // 64 CTAs of eight warps read 64 KiB, a warp 128 bytes: 512 lines, of which each has its home by a hash.
    std::string const read = "mov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %tid.x;\nmad.lo.u32 %r2, %r2, 256, %r3;\n"
                             "mul.wide.u32 %d4, %r2, 4;\nadd.u64 %d4, %d4, %d1;\nld.global.u32 %r4, [%d4];\n"
                             "st.global.u32 [%d4], %r4;\n";
    counted_kernel const k{read, 256, 64};
    double const sectors = 64 * 8 * 4;
    CHECK(k["lts__t_sectors_srcunit_tex_op_read"] == sectors);
    double const crossed = k["lts__t_sectors_srcunit_ltcfabric_op_write"]; // of lines that cross as reads, too
    CHECK(crossed > 0.4 * sectors);
    CHECK(crossed < 0.6 * sectors);
    CHECK(k["lts__t_requests_srcunit_ltcfabric_op_write"] == crossed / 4);       // whole lines
    CHECK(k["lts__t_sectors_srcunit_ltcfabric_op_read_lookup_miss"] == crossed); // nothing was there
    // What the launch itself reads crosses, too, and is there: its 2,304 bytes, code, and 17 sectors of parameters.
    double const own = k["lts__t_sectors_srcunit_ltcfabric_op_read"] - crossed;
    CHECK(own == k["lts__t_sectors_srcunit_ltcfabric_op_read_lookup_hit"]);
    CHECK(own >= gh100.launch_bytes / 32 + 17);
    CHECK(own <= gh100.launch_bytes / 32 + 17 + 32);
    // And a barrier for each SM and slice that it used: an SM has a CTA, which reads 1 KiB, of two slices.
    CHECK(k["lts__t_sectors_srcunit_ltcfabric"] == 2 * crossed + own + 64 * 2);
    CHECK(k["lts__t_sectors_srcunit_ltcfabric_evict_normal"] == 2 * crossed + own + 64 * 2);
    // All eight clusters read it; other units read and write a little.
    CHECK(k["lts__t_sectors_op_read"] >= sectors + crossed + 9 * own);
    CHECK(k["lts__t_sectors_op_read"] <= sectors + crossed + 9 * own + 60);
}

TEST_CASE("asynchronous copies: L1 keeps those of .ca - what they write to one bank meets there") {
    counted_kernel const k{lane_address("%d1", 4) +
                           "mov.u32 %r2, tile;\nmad.lo.u32 %r3, %r1, 128, %r2;\n"
                           "cp.async.ca.shared.global [%r3], [%d4], 4;\n" +
                           lane_address("%d1", 16) +
                           "mad.lo.u32 %r4, %r1, 16, %r2;\ncp.async.cg.shared.global [%r4], [%d4+8192], 16;\n"
                           "cp.async.wait_all;\n"};
    CHECK(k["l1tex__t_requests_pipe_lsu_mem_global_op_ld"] ==
          2); // as an H200 counts them: tests/hardware/h200_kernels.txt
    CHECK(k["l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts_cache_access"] == 1);
    CHECK(k["l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access"] == 4);
    CHECK(k["l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access_lookup_miss"] == 4);
    CHECK(k["smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts"] == 2);
    CHECK(k["smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts_cache_bypass"] == 1);
    CHECK(k["smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts"] == 4 + 16);
    CHECK(k["smsp__sass_inst_executed_op_ldgsts_cache_access"] == 1);
    CHECK(k["smsp__sass_inst_executed_op_ldgsts_cache_bypass"] == 1);
    // 32 words a row apart: one bank, one after the other. 512 bytes side by side: four wavefronts.
    CHECK(k["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts"] == 32 + 4);
    CHECK(k["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ldgsts"] == 31);
    CHECK(k["l1tex__data_bank_conflicts_pipe_lsu_mem_shared"] == 31);
    CHECK(k["smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared"] == 32 + 4);
    CHECK(k["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_misc"] == 32); // past L1, past the pipeline
    CHECK(k["smsp__sass_data_bytes_mem_shared_op_ldgsts"] == 32 * 4 + 32 * 16);
    CHECK(k["l1tex__lsu_writeback_active"] == 0); // nothing goes to registers
}

TEST_CASE("asynchronous copies count the banks of all lanes, also of those that fill, wherever more of them meet") {
    // What an H200 counts of tests/hardware/async_copies.cu (29 November 2026, CUDA 13.0), less the word that it reads: by
    // instructions, and in the pipeline less what it has without a copy. Columns: 4, 8 and 16 bytes by .ca, 16 by .cg.
    constexpr int unlike =
        -1; // limits.md: what passes L1 is not modelled where its pieces lie otherwise than 32-byte sectors
    struct form {
        char const* name;
        int to_step, to_first, from_step, from_first, copying; // bytes; 0: as wide as the copy; lanes that copy
        std::array<int, 4> instructions, pipeline;
    };
    constexpr form forms[]{{"together", 0, 0, 0, 0, 32, {1, 2, 4, 4}, {1, 2, 4, 0}},
                           {"the first", 0, 0, 0, 0, 1, {1, 2, 4, 4}, {2, 3, 5, 4}},
                           {"the first eight", 0, 0, 0, 0, 8, {1, 2, 4, 4}, {2, 3, 4, 3}},
                           {"the first 24", 0, 0, 0, 0, 24, {1, 2, 4, 4}, {2, 3, 4, 1}},
                           {"all but one", 0, 0, 0, 0, 31, {1, 2, 4, 4}, {2, 3, 5, 1}},
                           {"none", 0, 0, 0, 0, 0, {1, 2, 4, 4}, {1, 2, 4, 4}},
                           {"from lines", 0, 0, 128, 0, 32, {32, 32, 32, 32}, {unlike, unlike, unlike, 0}},
                           {"from sectors", 0, 0, 32, 0, 32, {8, 8, 8, unlike}, {unlike, unlike, unlike, 0}},
                           {"from 16", 0, 0, 0, 16, 32, {1, 2, 4, unlike}, {1, 2, unlike, 0}},
                           {"to 16", 0, 16, 0, 0, 32, {1, 2, 4, unlike}, {1, 2, 4, 0}},
                           {"to lines", 128, 0, 0, 0, 32, {32, 32, 32, 32}, {32, 32, 32, 0}}};
    constexpr int widths[]{4, 8, 16, 16};
    std::size_t compared = 0;
    for (form const& f : forms)
        for (std::size_t i = 0; i < std::size(widths); ++i) {
            auto const step = [&](int asked) { return std::to_string(asked == 0 ? widths[i] : asked); };
            std::string const width = std::to_string(widths[i]);
            counted_kernel const k{"mov.u32 %r2, tile;\nmad.lo.u32 %r2, %r1, " + step(f.to_step) +
                                   ", %r2;\nmul.wide.u32 %d4, %r1, " + step(f.from_step) +
                                   ";\nadd.u64 %d4, %d4, %d1;\nsetp.lt.u32 %p, %r1, " + std::to_string(f.copying) +
                                   ";\nselp.u32 %r3, " + width + ", 0, %p;\ncp.async." + (i == 3 ? "cg" : "ca") +
                                   ".shared.global [%r2+" + std::to_string(f.to_first) + "], [%d4+" +
                                   std::to_string(f.from_first) + "], " + width + ", %r3;\ncp.async.wait_all;\n"};
            INFO(f.name, ", ", width, " bytes", i == 3 ? " past L1" : "");
            auto const compare = [&](char const* metric, int expected) {
                if (expected == unlike) return;
                ++compared;
                CHECK(k[metric] == expected);
            };
            compare("smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", f.instructions[i]);
            compare("l1tex__data_pipe_lsu_wavefronts_mem_shared", f.pipeline[i]);
        }
    CHECK(compared == 41 + 37);
}

TEST_CASE("lanes of an asynchronous copy that only fill with zeros read nothing") {
    // 16 lanes copy 16 bytes each, the others none (H200: tests/hardware/last_cutlass_counters.txt).
    counted_kernel const k{lane_address("%d1", 16) +
                           "mov.u32 %r2, tile;\nmad.lo.u32 %r3, %r1, 16, %r2;\n"
                           "setp.lt.u32 %p, %r1, 16;\nselp.u32 %r4, 16, 0, %p;\n"
                           "cp.async.cg.shared.global [%r3], [%d4], 16, %r4;\ncp.async.wait_all;\n"};
    CHECK(k["l1tex__t_requests_pipe_lsu_mem_global_op_ld"] == 1);
    CHECK(k["l1tex__t_sectors_pipe_lsu_mem_global_op_ld"] == 16 * 16 / 32);
}

TEST_CASE("an atomic whose result nobody reads is a reduction where its address is known to be global") {
    counted_kernel const global{lane_address("%d1", 32) + "atom.global.add.u32 %r2, [%d4], 1;\n"};
    CHECK(global["l1tex__t_requests_pipe_lsu_mem_global_op_red"] == 1);
    CHECK(global["l1tex__t_requests_pipe_lsu_mem_global_op_atom"] == 0);
    counted_kernel const generic{lane_address("%d1", 32) + "atom.add.u32 %r2, [%d4], 1;\n"};
    CHECK(generic["l1tex__t_requests_pipe_lsu_mem_global_op_red"] == 0);
    CHECK(generic["l1tex__t_requests_pipe_lsu_mem_global_op_atom"] == 1);
}

TEST_CASE("loads of matrices are loads of shared memory, and told apart") {
    // Four matrices of eight rows of 16 bytes that lie side by side: 512 bytes, four wavefronts.
    counted_kernel const k{"mov.u32 %r2, tile;\nmad.lo.u32 %r3, %r1, 16, %r2;\n"
                           "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r3];\n"
                           "ld.shared.u32 %r8, [%r3];\n"};
    CHECK(k["smsp__inst_executed_op_ldsm"] == 1);
    CHECK(k["sm__inst_executed_op_ldsm"] == 1);
    CHECK(k["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm"] == 4);
    CHECK(k["smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ldsm"] == 0);
    // Words 16 bytes apart: every fourth bank, each asked for four of them.
    CHECK(k["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld"] == 4 + 4);
    CHECK(k["l1tex__lsu_writeback_active_mem_shared"] == 8);
}

TEST_CASE("bulk copies pass by L1, on a pipeline of their own") {
    counted_kernel const k{"setp.eq.u32 %p, %r1, 0;\nmov.u32 %r2, tile;\n"
                           "@%p cp.async.bulk.global.shared::cta.bulk_group [%d2], [%r2], 1024;\n"
                           "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n",
                           32, 1, "sm_90"};
    CHECK(k["smsp__inst_executed_pipe_tma"] == 2); // a group is closed there, too
    CHECK(k["smsp__inst_executed_op_tma_st"] == 1);
    CHECK(k["smsp__inst_executed_op_tma_ld"] == 0);
    CHECK(k["l1tex__m_l1tex2xbar_write_sectors_pipe_tma"] == 1024 / 32);
    CHECK(k["l1tex__m_l1tex2xbar_write_sectors_pipe_lsu"] == 0);
    CHECK(k["l1tex__t_sectors"] == 0);
}

TEST_CASE("operations of matrix products are rows times columns times depth, twice") {
    // Two CTAs of two warps.
    counted_kernel const k{
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r2,%r3,%r4,%r5}, {%r6,%r7}, "
        "{%f1,%f2,%f3,%f4};\n"
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r8,%r9}, {%r2,%r3,%r4,%r5}, {%r6,%r7}, {%r8,%r9};\n"
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1,%f2,%f3,%f4}, {%r2,%r3,%r4,%r5}, {%r6,%r7}, "
        "{%f1,%f2,%f3,%f4};\n"
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r10,%r11,%r12,%r13}, {%r2,%r3,%r4,%r5}, {%r6,%r7}, "
        "{%r10,%r11,%r12,%r13};\n",
        64, 2};
    double const warps = 4;
    CHECK(k["sm__ops_path_tensor_src_fp16"] == warps * 2 * (2 * 16 * 8 * 16));
    CHECK(k["sm__ops_path_tensor_op_hmma_src_fp16_dst_fp32"] == warps * 2 * 16 * 8 * 16);
    CHECK(k["sm__ops_path_tensor_op_hmma_src_fp16_dst_fp16_sparsity_off"] == warps * 2 * 16 * 8 * 16);
    CHECK(k["sm__ops_path_tensor_op_hmma_src_fp16_dst_fp16_sparsity_on"] == 0);
    CHECK(k["sm__ops_path_tensor_src_tf32_dst_fp32"] == warps * 2 * 16 * 8 * 8);
    CHECK(k["smsp__ops_path_tensor_op_imma_src_int8"] == warps * 2 * 16 * 8 * 32);
    CHECK(k["sm__ops_path_tensor_src_bf16_dst_fp32"] == 0);
    CHECK(k["sm__ops_path_tensor_src_fp64"] == 0);
    CHECK(k["sm__inst_executed_pipe_tensor_op_hmma"] == 3 * warps);
    CHECK(k["sm__inst_executed_pipe_tensor_op_imma"] == warps);
    CHECK(k["sm__inst_executed_pipe_tensor"] == 4 * warps);
}

TEST_CASE("the halves of the multiply-add pipeline: integers on one, pairs of halves on both") {
    // As an H200 has half2_math (tests/hardware/last_run.txt): pairs of halves count for both. Single precision may go
    // to either there, and nine times of ten to the lighter one.
    counted_kernel const k{
        "mul.lo.u32 %r2, %r1, %r1;\nfma.rn.f16x2 %r3, %r2, %r2, %r2;\nfma.rn.f16x2 %r4, %r3, %r2, %r3;\n"
        "mov.b32 %f1, %r4;\nfma.rn.f32 %f2, %f1, %f1, %f1;\nmul.f32 %f3, %f2, %f1;\n"
        "add.f32 %f4, %f3, %f3;\nst.global.f32 [%d2], %f4;\n"};
    CHECK(k["smsp__inst_executed_pipe_fma"] == 1 + 2 + 3);
    CHECK(k["smsp__inst_executed_pipe_fmaheavy"] == 1 + 2);
    CHECK(k["smsp__inst_executed_pipe_fmalite"] == 2 + 3);
    CHECK(k["sm__inst_executed_pipe_fma_type_fp16"] == 2);
    CHECK(k["smsp__pipe_fmaheavy_cycles_active"] == 2 * 3); // a warp takes two cycles of 16 lanes
}

TEST_CASE("a scheduler with a warp issues in a cycle, or it does not") {
    counted_kernel const k{lane_address("%d1", 4) + "ld.global.u32 %r2, [%d4];\nst.global.u32 [%d4], %r2;\n", 256, 64};
    CHECK(k["smsp__issue_inst0"] > 0);
    CHECK(k["smsp__issue_inst1"] == k["smsp__issue_active"]);
    CHECK(k["smsp__issue_inst0"] + k["smsp__issue_inst1"] == k["smsp__cycles_active"]);
}

TEST_CASE("device memory's cycles are read or written ones") {
    counted_kernel const k{lane_address("%d1", 128) + "ld.global.u32 %r2, [%d4];\nst.global.u32 [%d2], %r2;\n"};
    // 32 sectors of 32 lines, each fetched with its neighbour, and the line that is stored to stays in L2.
    CHECK(k["dram__cycles_active_read"] >= 64);
    CHECK(k["dram__cycles_active_write"] == 0);
    CHECK(k["dram__cycles_active_read"] + k["dram__cycles_active_write"] == k["dram__cycles_active"]);
}

} // namespace table_metrics_test
