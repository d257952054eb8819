// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bugs planted by changing a line of a kernel's PTX that works, and how many of them the embedded GPU's checks find.
#ifndef GPUPROF_TESTS_SUPPORT_PLANTED_LINES_HPP
#define GPUPROF_TESTS_SUPPORT_PLANTED_LINES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/sim/open.hpp>

#include "support/driver_fixture.hpp"

// The kernel's first line that begins with `line` gives way to `instead`; "" removes it. A letter of `kinds` for each kind
// of finding that says what is wrong: a asynchronous, p proxy, r race, b barrier.
struct planted_line {
    char const* kernel;
    char const* name;
    char const* line;
    char const* instead;
    char const* kinds;
};

inline std::vector<std::string> lines_of(std::string const& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t const end = (std::min)(text.find('\n', begin), text.size());
        if (end != begin) lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}
inline bool begins(std::string const& line, std::string_view with) { return line.compare(0, with.size(), with) == 0; }

// The line with the bug, which takes its place in `lines`.
inline std::vector<std::string>::iterator plant(planted_line const& bug, std::vector<std::string>& lines) {
    auto const line =
        std::find_if(lines.begin(), lines.end(), [&](std::string const& l) { return begins(l, bug.line); });
    INFO(bug.kernel << ": " << bug.name);
    REQUIRE(line != lines.end());
    *line = bug.instead;
    return line;
}

// "@wait offset, parity" in PTX: waits for the mbarrier `bars + offset`. %p9 is used for it.
inline std::string wait_for(std::string const& line, int& labels) {
    std::size_t const comma = line.find(',');
    std::string const label = "$wait" + std::to_string(labels++);
    return label + ":\nmbarrier.try_wait.parity.shared.b64 %p9, [bars+" + line.substr(6, comma - 6) + "], " +
           line.substr(comma + 2) + ";\n@!%p9 bra " + label + ";\n";
}

struct checked_outcome {
    gpuprof::abi::CUresult status;
    std::vector<gpuprof::sim::finding> findings;
};
// Runs the kernel `k(in, out)` of the PTX with all checks; both buffers have 4096 bytes.
// @param byte each of the input's @param steps after which a warp counts as endless: some bugs are
inline checked_outcome run_checked(std::string const& ptx, gpuprof::abi::CUlaunchConfig const& config,
                                   unsigned char byte, unsigned steps) {
    using namespace gpuprof::abi;
    embedded_context gpu;
    auto const& driver = gpu.driver;
    gpuprof::sim::execution_settings settings;
    settings.checks = gpuprof::sim::all_checks;
    settings.step_budget = steps;
    gpuprof::sim::set_execution(settings);
    gpuprof::sim::forget_findings();
    CUmodule module_handle = nullptr;
    CUfunction function = nullptr;
    CUdeviceptr in = 0, out = 0;
    INFO(ptx);
    REQUIRE(driver.ModuleLoadData(&module_handle, ptx.c_str()) == CUDA_SUCCESS);
    REQUIRE(driver.ModuleGetFunction(&function, module_handle, "k") == CUDA_SUCCESS);
    REQUIRE(driver.MemAlloc(&in, 4096) == CUDA_SUCCESS);
    REQUIRE(driver.MemAlloc(&out, 4096) == CUDA_SUCCESS);
    REQUIRE(driver.MemsetD8(in, byte, 4096) == CUDA_SUCCESS);
    void* parameters[] = {&in, &out};
    checked_outcome done;
    done.status = driver.LaunchKernelEx(&config, function, parameters, nullptr);
    if (done.status == CUDA_SUCCESS) done.status = driver.CtxSynchronize();
    done.findings = gpuprof::sim::findings();
    gpuprof::sim::set_execution({});
    return done;
}

// A third, by FNV-1a of the name, which is the same on every machine.
inline bool is_held_back(std::string_view name) {
    std::uint32_t hash = 2166136261u;
    for (char const c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash % 3 == 0;
}

// Nothing is found in the kernels that work. @param run gives the outcome of a kernel with a bug; null: as it is
template <class Kernel, std::size_t N, class Run>
void check_that_nothing_is_found(Kernel const (&kernels)[N], Run const& run) {
    for (Kernel const& kernel : kernels) {
        checked_outcome const done = run(kernel, nullptr);
        INFO(kernel.name);
        CHECK(done.status == gpuprof::abi::CUDA_SUCCESS);
        for (gpuprof::sim::finding const& one : done.findings) FAIL_CHECK(one.message());
    }
}

struct planted_count {
    std::size_t planted, found;
};
// How many of the bugs are found as what they are; says which are not. @param run as above
template <std::size_t Bugs, class Kernel, std::size_t N, class Run>
planted_count count_found(planted_line const (&bugs)[Bugs], Kernel const (&kernels)[N], Run const& run) {
    auto const letter = [](gpuprof::sim::finding_kind kind) {
        switch (kind) {
            case gpuprof::sim::finding_kind::asynchronous: return 'a';
            case gpuprof::sim::finding_kind::proxy: return 'p';
            case gpuprof::sim::finding_kind::barrier: return 'b';
            case gpuprof::sim::finding_kind::race: return 'r';
            default: return '?';
        }
    };
    planted_count of[2] = {}; // [1]: held back
    std::string missed;
    for (planted_line const& bug : bugs) {
        auto const* const kernel = std::find_if(std::begin(kernels), std::end(kernels), [&](Kernel const& k) {
            return std::string_view{k.name} == bug.kernel;
        });
        REQUIRE(kernel != std::end(kernels));
        std::vector<gpuprof::sim::finding> const findings = run(*kernel, &bug).findings;
        bool const good = std::any_of(findings.begin(), findings.end(), [&](gpuprof::sim::finding const& f) {
            return std::string_view{bug.kinds}.find(letter(f.kind)) != std::string_view::npos;
        });
        bool const held_back = is_held_back(bug.name);
        ++of[held_back].planted;
        of[held_back].found += good;
        if (good) continue;
        missed += std::string{held_back ? "missed, held back: " : "missed: "} + bug.kernel + ": " + bug.name + "\n";
        for (auto const& f : findings) missed += "    " + f.message() + "\n";
    }
    MESSAGE(of[0].found << " of " << of[0].planted << " found, of those held back " << of[1].found << " of "
                        << of[1].planted << "\n"
                        << missed);
    return {of[0].planted + of[1].planted, of[0].found + of[1].found};
}

#endif // GPUPROF_TESTS_SUPPORT_PLANTED_LINES_HPP
