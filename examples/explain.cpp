// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why two kernels take as long as they do: what is wrong, what it costs, which line is to blame, and the page that shows all of
// it. What you learn: explain::measure, sets, findings, a section of one's own, explain::measure_lines, the page.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>

#include <gpuprof/explain_lines.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp> // the embedded GPU, used where there is no real one

#include "support/ptx_program.hpp"

namespace explain = gpuprof::explain;

// copy_columns: the threads of a warp read words that lie 4 KiB apart. copy_rows: they read words side by side. A compiler
// says by .loc which line of the source an instruction comes from (nvcc -lineinfo).
static constexpr char kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.file 1 "copy.cu"
.visible .entry copy_columns(.param .u64 from, .param .u64 to) {
    .reg .u32 %r<8>; .reg .u64 %rd<6>;
    .loc 1 2 5
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;
    mad.lo.u32 %r3, %r2, 1024, %r1;
    ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to];
    cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
    mul.wide.u32 %rd3, %r3, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
    .loc 1 3 5
    ld.global.u32 %r4, [%rd4];
    st.global.u32 [%rd5], %r4;
    .loc 1 4 1
    ret;
}
.visible .entry copy_rows(.param .u64 from, .param .u64 to) {
    .reg .u32 %r<8>; .reg .u64 %rd<6>;
    .loc 1 6 5
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;
    mad.lo.u32 %r3, %r1, 1024, %r2;
    ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to];
    cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
    mul.wide.u32 %rd3, %r3, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
    .loc 1 7 5
    ld.global.u32 %r4, [%rd4];
    st.global.u32 [%rd5], %r4;
    .loc 1 8 1
    ret;
}
)";

// A section of one's own: rows with a label each.
static constexpr explain::section_row my_rows[]{
    {"Sectors a request", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    {"Bytes from DRAM", "dram__bytes_read.sum"},
};
static constexpr explain::section mine{"mine", "My section", "What I always look at.", my_rows};
static constexpr explain::section const* my_sections[]{&explain::sections::speed_of_light,
                                                       &explain::sections::memory_workload, &mine};

int main(int count, char** arguments) try {
    auto const opened = gpuprof::try_open_device();
    if (!opened) {
        std::cout << "No GPU to measure on.\n" << opened.error().message() << '\n';
        return 0;
    }
    gpuprof::device const& gpu = *opened;

    constexpr unsigned blocks = 1024, threads = 1024;
    device_buffer x{gpu, std::size_t{blocks} * threads * 4}, y{gpu, std::size_t{blocks} * threads * 4};
    auto const code = gpuprof::module_code::try_watch(gpu); // before the kernels are loaded
    ptx_program program{gpu, kernels};
    std::uint64_t const from = x.address(), to = y.address();

    auto const work = [&] {
        program.launch("copy_columns", blocks, threads, from, to);
        program.launch("copy_rows", blocks, threads, from, to);
    };
    auto const lines = code ? explain::try_measure_lines(gpu, *code, work) : code.error();
    auto why = explain::measure(gpu, explain::set{"mine", my_sections}, work);
    if (lines) why.locate(*lines);
    for (explain::finding const& each : why.findings()) std::cout << each.path << '\n' << each << '\n';
    for (auto const& range : why.report())
        std::cout << range.name() << ": " << gpuprof::io::number(*explain::value_of(my_rows[0], range).number)
                  << " sectors a request\n";
    std::cout << '\n' << (lines ? gpuprof::io::table(*lines) : lines.error().message()) << '\n';
    gpuprof::io::page_options options;
    if (lines) options.parts.push_back(gpuprof::io::source_part(*lines));
    std::string const page = count > 1 ? arguments[1] : "why.html";
    gpuprof::io::write_page(page, why, options);
    std::cout << "Wrote " << page << ": open it in a browser.\n";
} catch (std::exception const& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
