// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bugs that tests/kernels/planted.py planted into working kernels: the checks must find 95 of 100 of them, as what they are,
// and nothing in the kernels that work.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "sim/chip/chips.hpp"
#include "sim/driver/driver.hpp"
#include <gpuprof/sim/open.hpp>
#include "sim/embedded_device.hpp"

#include "support/kernel_fixture.hpp"
#include "support/sanitized.hpp"

namespace planted_bugs_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

namespace {

enum class planted_kind { out_of_bounds, misaligned, use_after_free, uninitialised, race, barrier, exits };
enum class host_bug {
    none,
    in_not_written,
    in_half_written,
    out_freed,
    in_freed,
    in_freed_async,
    out_short,
    in_misaligned,
    n_larger,
    out_is_null,
    aux_not_written,
    aux_garbage,
    shared_short
};
struct planted {
    char const* kernel;
    char const* original;
    host_bug bug;
    planted_kind kind;
    char const* reason;
};
planted const planted_bugs[] = {
#include "../../kernels/planted_bugs.inc"
};

using ints = std::vector<int>;

// How a kernel is launched, and what it then has written if it works.
struct usage {
    unsigned grid_x;
    unsigned grid_y;
    unsigned block_x;
    unsigned block_y;
    ints in;
    std::size_t out; // elements
    ints aux;
    int n;
    bool cooperative;
    unsigned shared;
    std::function<ints(usage const&)> expected; // the first elements of out, or of aux
    bool result_in_aux;
};

ints spread(std::size_t n) {
    ints values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<int>(i * 7919 % 1009);
    return values;
}
template <class F>
ints each(std::size_t n, F f) {
    ints values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = f(i);
    return values;
}

std::map<std::string, usage> const usages = [] {
    std::map<std::string, usage> all;
    auto const add = [&](char const* name, unsigned grid, unsigned block, ints in, std::size_t out, ints aux,
                         auto expected, bool in_aux = false) -> usage& {
        int const n = static_cast<int>(in.size());
        return all[name] = {grid, 1, block, 1, std::move(in), out, std::move(aux), n, false, 0, expected, in_aux};
    };
    ints const none(1);
    add("scale", 8, 128, spread(1000), 1000, none,
        [](usage const& u) { return each(1000, [&](std::size_t i) { return u.in[i] * 3; }); });
    add("block_sum", 4, 256, spread(1000), 4, none, [](usage const& u) {
        return each(4, [&](std::size_t b) {
            auto const from = u.in.begin() + static_cast<std::ptrdiff_t>(b * 256);
            return std::accumulate(from, b == 3 ? u.in.end() : from + 256, 0);
        });
    });
    add(
        "histogram", 4, 128, spread(2000), 1, ints(32),
        [](usage const& u) {
            ints bins(32);
            for (int const v : u.in) ++bins[static_cast<std::size_t>(v & 31)];
            return bins;
        },
        true);
    add("scan", 1, 128, spread(128), 128, none, [](usage const& u) {
        ints sums(128);
        std::partial_sum(u.in.begin(), u.in.end(), sums.begin());
        return sums;
    });
    usage& product = add("product", 2, 16, spread(32 * 32), 32 * 32, none, [](usage const& u) {
        return each(32 * 32, [&](std::size_t i) {
            int sum = 0;
            for (std::size_t k = 0; k < 32; ++k) sum += u.in[i / 32 * 32 + k] * u.in[k * 32 + i % 32];
            return sum;
        });
    });
    product.grid_y = 2, product.block_y = 16, product.n = 32;
    auto const at = [](usage const& u, std::size_t i) { return i < u.in.size() ? u.in[i] : 0; };
    add("stencil", 4, 128, spread(512), 512, none, [at](usage const& u) {
        return each(512, [&](std::size_t i) { return at(u, i - 1) + at(u, i) + at(u, i + 1); });
    });
    add("last_block", 8, 64, spread(8), 1, ints(1),
        [](usage const& u) { return ints{2 * std::accumulate(u.in.begin(), u.in.end(), 0)}; });
    add("chain", 8, 32, spread(8), 8, ints(8), [](usage const& u) {
        ints sums(8);
        std::partial_sum(u.in.begin(), u.in.end(), sums.begin());
        return sums;
    });
    add("grid_phases", 4, 64, spread(256), 256, ints(1), [](usage const& u) {
        return each(256, [&](std::size_t i) { return u.in[(i + 64) % 256] + 1; });
    }).cooperative = true;
    add(
        "largest", 2, 64, spread(128), 1, ints(1),
        [](usage const& u) { return ints{*std::max_element(u.in.begin(), u.in.end())}; }, true);
    add(
        "locked_sum", 8, 32, spread(8), 1, ints(3),
        [](usage const& u) {
            return ints{0, std::accumulate(u.in.begin(), u.in.end(), 0)};
        },
        true);
    add("warp_exchange", 2, 128, spread(256), 256, none, [](usage const& u) {
        return each(256, [&](std::size_t i) { return u.in[i / 32 * 32 + (31 - (i % 32 ^ 1))] + 1; });
    });
    add("warp_sum", 2, 64, spread(128), 4, none, [](usage const& u) {
        return each(4, [&](std::size_t w) {
            auto const from = u.in.begin() + static_cast<std::ptrdiff_t>(w * 32);
            return std::accumulate(from, from + 32, 0);
        });
    });
    add("local_table", 2, 64, spread(128), 128, none,
        [](usage const& u) { return each(128, [&](std::size_t i) { return (u.in[i] & 15) * (u.in[i] & 15); }); });
    add("gather", 2, 64, spread(128), 128, each(128, [](std::size_t i) { return static_cast<int>(127 - i); }),
        [](usage const& u) { return each(128, [&](std::size_t i) { return u.in[127 - i]; }); });
    add(
        "compact", 2, 64, each(128, [](std::size_t i) { return static_cast<int>(i); }), 64, ints(1),
        [](usage const&) { return ints{64}; }, true); // in any order
    add("handed_over", 1, 64, spread(32), 32, none,
        [](usage const& u) { return each(32, [&](std::size_t i) { return u.in[31 - i] + 5; }); });
    usage& staged = add("staged", 2, 64, spread(512), 512, none, [](usage const& u) {
        return each(512, [&](std::size_t i) { return u.in[i / 256 * 256 + 255 - i % 256] + 1; });
    });
    staged.n = 512;
    add("sort", 1, 128, spread(128), 128, none, [](usage const& u) {
        ints sorted = u.in;
        std::sort(sorted.begin(), sorted.end());
        return sorted;
    });
    add("any_negative", 2, 64, spread(128), 1, none, [](usage const&) { return ints{1}; });
    add("dynamic", 1, 128, spread(128), 128, none, [](usage const& u) {
        return each(128, [&](std::size_t i) { return u.in[127 - i]; });
    }).shared = 1024;
    add("vectors", 2, 64, spread(400), 400, none, [](usage const& u) { return u.in; });
    add("relax", 2, 64, spread(128), 128, none,
        [at](usage const& u) { return each(128, [&](std::size_t i) { return at(u, i - 1) + at(u, i + 1); }); });
    add("phases", 1, 64, spread(64), 64, none,
        [](usage const& u) { return each(64, [&](std::size_t i) { return u.in[63 - i]; }); });
    add("bytes", 2, 64, spread(128), 32, none, [](usage const& u) {
        return each(32, [&](std::size_t i) {
            unsigned word = 0;
            for (std::size_t b = 0; b < 4; ++b) word |= (static_cast<unsigned>(u.in[4 * i + b]) & 255) << (8 * b);
            return static_cast<int>(word);
        });
    });
    return all;
}();

// The embedded GPU with a context of its own and the kernels in it.
struct gpu {
    gpu() : driver{sim::driver::table()} {
        static std::string const text = gpuprof_test::read_kernel_file("planted.sm_80.ptx");
        sim::execution_settings settings;
        settings.checks = sim::all_checks | sim::check::exits | sim::check::copies;
        settings.step_budget = 1 << 20; // some bugs are endless
        int const device = sim::detail::device_with(sim::gh100, sim::collection::at_once);
        REQUIRE(driver.Init(0) == CUDA_SUCCESS);
        sim::set_execution(settings);
        sim::forget_findings();
        REQUIRE(driver.CtxCreate(&context, 0, device) == CUDA_SUCCESS);
        REQUIRE(driver.ModuleLoadData(&module_handle, text.c_str()) == CUDA_SUCCESS);
    }
    ~gpu() {
        driver.CtxDestroy(context);
        sim::set_execution({});
    }
    CUdeviceptr buffer(std::size_t bytes) {
        CUdeviceptr made = 0;
        REQUIRE(driver.MemAlloc(&made, bytes) == CUDA_SUCCESS);
        return made;
    }

    driver_table driver;
    CUcontext context = nullptr;
    CUmodule module_handle = nullptr;
};

struct outcome {
    std::vector<sim::finding> findings;
    ints result;
};

outcome run(std::string const& kernel, usage const& u, host_bug bug) {
    gpu on;
    auto& driver = on.driver;
    std::size_t const out_bytes = 4 * u.out - (bug == host_bug::out_short ? 2 : 0);
    CUdeviceptr out = on.buffer(out_bytes);
    std::size_t const aux_more = kernel.rfind("grid_phases", 0) == 0  ? 15 + 256
                                 : kernel.rfind("last_block", 0) == 0 ? 9
                                                                      : 0;
    CUdeviceptr aux = on.buffer(4 * (u.aux.size() + aux_more));
    CUdeviceptr in = on.buffer(4 * u.in.size());
    if (bug != host_bug::in_not_written)
        driver.MemcpyHtoD(in, u.in.data(), 4 * u.in.size() / (bug == host_bug::in_half_written ? 2 : 1));
    ints of_aux = u.aux;
    if (bug == host_bug::aux_garbage) of_aux[77] ^= 1 << 20;
    if (bug != host_bug::aux_not_written) driver.MemcpyHtoD(aux, of_aux.data(), 4 * of_aux.size());
    if (bug == host_bug::out_freed) driver.MemFree(out);
    if (bug == host_bug::in_freed) driver.MemFree(in);
    if (bug == host_bug::in_freed_async) driver.MemFreeAsync(in, nullptr);
    int n = bug == host_bug::n_larger ? 4 * u.n : u.n;
    CUdeviceptr const real_out = out;
    if (bug == host_bug::in_misaligned) in += 2;
    if (bug == host_bug::out_is_null) out = 0;
    void* parameters[] = {&out, &in, &aux, &n};
    CUfunction function = nullptr;
    REQUIRE(driver.ModuleGetFunction(&function, on.module_handle, kernel.c_str()) == CUDA_SUCCESS);
    unsigned const shared = bug == host_bug::shared_short ? u.shared - 8 : u.shared;
    if (u.cooperative)
        driver.LaunchCooperativeKernel(function, u.grid_x, u.grid_y, 1, u.block_x, u.block_y, 1, shared, nullptr,
                                       parameters);
    else
        driver.LaunchKernel(function, u.grid_x, u.grid_y, 1, u.block_x, u.block_y, 1, shared, nullptr, parameters,
                            nullptr);
    outcome done;
    done.result.resize(u.result_in_aux ? u.aux.size() : u.out);
    driver.MemcpyDtoH(done.result.data(), u.result_in_aux ? aux : real_out, 4 * done.result.size());
    done.findings = sim::findings();
    return done;
}

bool is(planted_kind wanted, sim::finding_kind kind) {
    switch (wanted) {
        case planted_kind::out_of_bounds: return kind == sim::finding_kind::out_of_bounds;
        case planted_kind::misaligned: return kind == sim::finding_kind::misaligned;
        case planted_kind::use_after_free: return kind == sim::finding_kind::use_after_free;
        case planted_kind::uninitialised: return kind == sim::finding_kind::uninitialised;
        case planted_kind::race: return kind == sim::finding_kind::race;
        case planted_kind::barrier:
        case planted_kind::exits: return kind == sim::finding_kind::barrier;
    }
    return false;
}

} // namespace

TEST_CASE("kernels that work give what they should, and nothing is found in them") {
    for (auto const& [kernel, u] : usages) {
        std::string const name{kernel};
        INFO(name);
        outcome const done = run(name, u, host_bug::none);
        for (sim::finding const& one : done.findings) FAIL_CHECK(one.message());
        ints const expected = u.expected(u);
        for (std::size_t i = 0; i < expected.size(); ++i) REQUIRE(done.result[i] == expected[i]);
    }
}

TEST_CASE("of the planted bugs 95 of 100 are found, as what they are") {
    std::size_t found = 0;
    std::string missed;
    std::string all;
    std::size_t planted_count = 0;
    for (std::size_t i = 0; i < std::size(planted_bugs); i += sanitized ? 4 : 1) { // they are much alike
        planted const& one = planted_bugs[i];
        ++planted_count;
        outcome const done = run(one.kernel, usages.at(one.original), one.bug);
        bool const good = std::any_of(done.findings.begin(), done.findings.end(),
                                      [&](sim::finding const& f) { return is(one.kind, f.kind); });
        found += good;
        if (!good) {
            missed += std::string{"missed: "} + one.kernel + ": " + one.reason + "\n";
            for (auto const& f : done.findings) missed += "    " + f.message() + "\n";
        }
        all += std::string{good ? "found: " : "missed: "} + one.kernel + ": " + one.reason + "\n";
        for (auto const& f : done.findings) all += "    " + f.message() + "\n";
    }
    MESSAGE(found << " of " << planted_count << " found\n" << missed);
    if (char const* const path = std::getenv("GPUPROF_TEST_PLANTED")) std::ofstream{path} << all;
    CHECK(planted_count >= (sanitized ? 25 : 100));
    CHECK(100 * found >= 95 * planted_count);
}

} // namespace planted_bugs_test
