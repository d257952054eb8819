// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// profiler_options::caches: measured code finds the caches as it left them, or cold before each outermost range of each
// pass; the report says which.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

namespace cache_control_test {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;
using gpuprof::cache_control;
using gpuprof::errc;
using gpuprof::metrics::dram_bytes_read;
using gpuprof::metrics::dram_bytes_write;
using gpuprof::metrics::ffma_thread_inst; // takes a pass of its own

namespace {

constexpr std::size_t bytes = std::size_t{1} << 20;

// Reads one array and writes another, 1 MiB each, 16 bytes a thread.
constexpr char copy_ptx[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry copy(.param .u64 from, .param .u64 to) {
    .reg .u32 %r<4>; .reg .u64 %rd<6>; .reg .u64 %v<2>;
    mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;
    mad.lo.u32 %r3, %r0, %r1, %r2;
    mul.wide.u32 %rd0, %r3, 16;
    ld.param.u64 %rd1, [from]; cvta.to.global.u64 %rd2, %rd1; add.u64 %rd2, %rd2, %rd0;
    ld.param.u64 %rd3, [to]; cvta.to.global.u64 %rd4, %rd3; add.u64 %rd4, %rd4, %rd0;
    ld.global.v2.u64 {%v0, %v1}, [%rd2];
    st.global.v2.u64 [%rd4], {%v0, %v1};
    ret;
}
)";

class copier {
public:
    explicit copier(gpuprof::device const& gpu) : gpu_{gpu} {
        auto const& d = gpu.driver();
        REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(d.MemAlloc(&from_, bytes) == abi::CUDA_SUCCESS);
        REQUIRE(d.MemAlloc(&to_, bytes) == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleLoadData(&module_, copy_ptx) == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleGetFunction(&copy_, module_, "copy") == abi::CUDA_SUCCESS);
    }
    copier(copier const&) = delete;
    copier& operator=(copier const&) = delete;
    ~copier() {
        auto const& d = gpu_.driver();
        d.ModuleUnload(module_);
        d.MemFree(from_);
        d.MemFree(to_);
        abi::CUcontext popped = nullptr;
        d.CtxPopCurrent(&popped);
    }
    void operator()() {
        void* arguments[]{&from_, &to_};
        REQUIRE(gpu_.driver().LaunchKernel(copy_, bytes / 16 / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr) ==
                abi::CUDA_SUCCESS);
    }
    // Fills L2 with lines that somebody has to write back.
    void dirty_all() {
        auto const& d = gpu_.driver();
        auto const l2 = static_cast<std::size_t>(gpu_.attribute(abi::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
        abi::CUdeviceptr junk = 0;
        REQUIRE(d.MemAlloc(&junk, 2 * l2) == abi::CUDA_SUCCESS);
        REQUIRE(d.MemsetD8(junk, 1, 2 * l2) == abi::CUDA_SUCCESS);
        REQUIRE(d.MemFree(junk) == abi::CUDA_SUCCESS);
    }

private:
    gpuprof::device const& gpu_;
    abi::CUdeviceptr from_ = 0;
    abi::CUdeviceptr to_ = 0;
    abi::CUmodule module_ = nullptr;
    abi::CUfunction copy_ = nullptr;
};

gpuprof::profiler_options with(cache_control caches) {
    gpuprof::profiler_options options;
    options.caches = caches;
    return options;
}

} // namespace

TEST_CASE("cold caches: a range reads its data from device memory and pays for nobody else's, whatever ran before") {
    gpuprof::device const gpu = sim::open_embedded("gv100").value();
    copier copy{gpu};
    auto const measure = [&](cache_control caches) {
        gpuprof::profiler prof{gpu, with(caches), dram_bytes_read, dram_bytes_write};
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            gpuprof::scope const range{prof, "copy"};
            copy();
        }
        return prof.report();
    };
    copy(); // the data is in L2
    auto const warm = measure(cache_control::leave);
    CHECK(warm.complete());
    CHECK(warm["copy"][dram_bytes_read].count() == 0);
    CHECK(warm.completeness().cache_flushes == 0);
    CHECK(gpuprof::io::table(warm).find("caches:") == std::string::npos);

    auto const cold = measure(cache_control::flush);
    CHECK(cold.complete());
    CHECK(cold["copy"][dram_bytes_read].count() == bytes);
    CHECK(cold["copy"][dram_bytes_write].count() == 0); // what it wrote stays in L2
    CHECK(cold.completeness().cache_flushes == 1);      // the survey is not measured
    CHECK(gpuprof::io::table(cold).find("\ncaches: flushed 1 time\n") != std::string::npos);

    copy.dirty_all();
    auto const after_others = measure(cache_control::leave);
    CHECK(after_others["copy"][dram_bytes_read].count() == 0); // the survey brought it in
    copy.dirty_all();
    auto const cold_again = measure(cache_control::flush);
    CHECK(cold_again["copy"][dram_bytes_read].count() == bytes);
    CHECK(cold_again["copy"][dram_bytes_write].count() == 0);
}

TEST_CASE("cold caches: with room declared, nothing runs before the range but the flush") {
    gpuprof::device const gpu = sim::open_embedded("gv100").value();
    copier copy{gpu};
    copy.dirty_all();
    auto options = with(cache_control::leave);
    options.max_ranges = 1;
    auto const measure = [&] {
        gpuprof::profiler prof{gpu, options, dram_bytes_read, dram_bytes_write};
        for ([[maybe_unused]] auto const& pass : prof.passes()) {
            gpuprof::scope const range{prof, "copy"};
            copy();
        }
        return prof.report();
    };
    // Reading and writing 1 MiB displaces 2 MiB that others wrote; a flush takes that upon itself.
    auto const left = measure();
    CHECK(left["copy"][dram_bytes_read].count() == bytes);
    CHECK(left["copy"][dram_bytes_write].count() == 2 * bytes);
    copy.dirty_all();
    options.caches = cache_control::flush;
    auto const flushed = measure();
    CHECK(flushed["copy"][dram_bytes_read].count() == bytes);
    CHECK(flushed["copy"][dram_bytes_write].count() == 0);
}

TEST_CASE("cold caches: before each outermost range of each pass, never within one") {
    gpuprof::device const gpu = sim::open_embedded("gv100", sim::collection::in_passes).value();
    copier copy{gpu};
    gpuprof::profiler prof{gpu, with(cache_control::flush), dram_bytes_read, ffma_thread_inst};
    CHECK(prof.passes_needed() == 2);
    for ([[maybe_unused]] auto const& pass : prof.passes())
        for (int frame = 0; frame < 2; ++frame) {
            gpuprof::scope const range{prof, "frame"};
            {
                gpuprof::scope const first{prof, "first"};
                copy();
            }
            gpuprof::scope const second{prof, "second"};
            copy();
        }
    auto const report = prof.report();
    CHECK(report.complete());
    CHECK(report.completeness().replay_passes == 2 * 2);     // passes times levels
    CHECK(report.completeness().cache_flushes == 2 * 2 * 2); // times frames
    CHECK(report["frame"][dram_bytes_read].count() == 2 * bytes);
    CHECK(report["frame/first"][dram_bytes_read].count() == 2 * bytes);
    CHECK(report["frame/second"][dram_bytes_read].count() == 0); // finds what the first one left
    CHECK(gpuprof::io::table(report).find("\ncaches: flushed 8 times\n") != std::string::npos);
}

TEST_CASE("cold caches: each kernel a range, flushed before the pass, and the flush is none of the ranges") {
    gpuprof::device const gpu = sim::open_embedded("gv100").value();
    copier copy{gpu};
    copy();
    auto options = with(cache_control::flush);
    options.max_ranges = 4;
    options.ranges = gpuprof::range_mode::auto_range;
    gpuprof::profiler prof{gpu, options, dram_bytes_read};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        copy();
        copy();
    }
    auto const report = prof.report();
    CHECK(report.complete());
    REQUIRE(report.size() == 1); // both launches are repetitions of the kernel's range
    auto const read = report.at(0).values(dram_bytes_read);
    REQUIRE(read.size() == 2);
    CHECK(read[0].count() == bytes);
    CHECK(read[1].count() == 0);
    CHECK(report.completeness().cache_flushes == 1);
}

TEST_CASE("cold caches: kernel replay leaves no place for a flush and is refused") {
    gpuprof::device const gpu = sim::open_embedded("gv100").value();
    auto options = with(cache_control::flush);
    options.max_ranges = 4;
    options.ranges = gpuprof::range_mode::auto_range;
    options.replay = gpuprof::replay_mode::kernel;
    auto const refused = gpuprof::profiler::try_create(gpu, options, dram_bytes_read);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::invalid_argument);
    CHECK(refused.error().remedy.find("replay_mode::user") != std::string::npos);
    options.caches = cache_control::leave;
    CHECK(gpuprof::profiler::try_create(gpu, options, dram_bytes_read));
}

TEST_CASE("cold caches: no memory to flush with is a problem of the report, and the rest is measured") {
    gpuprof::device const real = sim::open_embedded("gv100").value();
    copier copy{real};
    copy();
    gpuprof::hw::machine tables;
    tables.driver = real.driver();
    tables.cupti = real.cupti();
    tables.driver.MemAlloc = [](abi::CUdeviceptr*, std::size_t) { return abi::CUDA_ERROR_OUT_OF_MEMORY; };
    auto const gpu = gpuprof::device::try_open(tables, real.context(), gpuprof::device_source::embedded).value();
    gpuprof::profiler prof{gpu, with(cache_control::flush), dram_bytes_read};
    for ([[maybe_unused]] auto const& pass : prof.passes()) {
        gpuprof::scope const range{prof, "copy"};
        copy();
    }
    auto const report = prof.report();
    CHECK_FALSE(report.complete());
    REQUIRE(report.completeness().problems.size() == 1);
    CHECK(report.completeness().problems[0].message().find("cuMemAlloc") != std::string::npos);
    CHECK(report.completeness().cache_flushes == 0);
    CHECK(report["copy"][dram_bytes_read].count() == 0); // as the survey left it
}

} // namespace cache_control_test

#endif
