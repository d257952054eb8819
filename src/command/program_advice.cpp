// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_advice.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include <elf.h>

#include <gpuprof/core/compute_capability_text.hpp>

namespace gpuprof::command {
namespace {

using severity = finding::severity;

constexpr std::string_view runtime_prefix = "libcudart.so.";

// "8.0 and 9.0" of 80 and 90
std::string capabilities(std::set<std::uint32_t> const& targets) {
    std::string text;
    for (std::uint32_t const target : targets)
        text += (text.empty() ? "" : ", ") + std::to_string(target / 10) + '.' + std::to_string(target % 10);
    return text;
}

std::uint32_t number_of(compute_capability of) { return static_cast<std::uint32_t>(of.generation * 10 + of.revision); }

// What holds on any machine; true if the rest can be said.
bool add_first(program_image const& program, std::vector<advice>& all) {
    if (program.is_script) {
        all.push_back({severity::note, "program", "a script: what its interpreter loads decides"});
        return false;
    }
#if defined(__aarch64__)
    constexpr std::uint16_t here = EM_AARCH64;
#else
    constexpr std::uint16_t here = EM_X86_64;
#endif
    if (program.processor != here) {
        all.push_back({severity::obstacle, "program", "it is for another processor than this machine's",
                       "build it for this machine"});
        return false;
    }
    return true;
}

// The runtime's release that it asks for: 13 of libcudart.so.13; 0 if it asks for none.
int runtime_of(program_image const& program) {
    for (std::string const& library : program.needed)
        if (library.starts_with(runtime_prefix)) return std::atoi(library.c_str() + runtime_prefix.size());
    return 0;
}

bool calls_driver(program_image const& program) {
    for (std::string const& library : program.needed)
        if (library == "libcuda.so.1") return true;
    return false;
}

void add_libraries_of_machine_code(program_image const& program, std::vector<advice>& all) {
    constexpr std::string_view prefixes[]{"libcublas", "libcufft", "libcudnn", "libcusparse", "libcusolver",
                                          "libcurand", "libnccl.", "libnpp",   "libnvjpeg"};
    for (std::string const& library : program.needed)
        for (std::string_view const prefix : prefixes)
            if (library.starts_with(prefix))
                all.push_back({severity::caveat, "libraries",
                               library + " has machine code alone: its kernels cannot run",
                               "run what needs it on a GPU"});
}

bool has_ptx_for(gpu_code const& code, std::uint32_t own) { return !code.ptx.empty() && *code.ptx.begin() <= own; }

// The codes of a program together: all of them, and those that do not run, if there are any.
struct judged_code {
    gpu_code all;
    gpu_code bad;
    std::string where; // "in 1 of 2 compiled files, "; empty if they are all alike
    [[nodiscard]] bool is_good() const {
        return bad.ptx.empty() && bad.machines.empty() && !(all.ptx.empty() && all.machines.empty());
    }
};
template <class Runs>
judged_code judge(program_image const& program, Runs&& runs) {
    judged_code of;
    std::size_t bad = 0;
    for (gpu_code const& each : program.codes) {
        of.all.ptx.insert(each.ptx.begin(), each.ptx.end());
        of.all.machines.insert(each.machines.begin(), each.machines.end());
        if (runs(each)) continue;
        ++bad;
        of.bad.ptx.insert(each.ptx.begin(), each.ptx.end());
        of.bad.machines.insert(each.machines.begin(), each.machines.end());
    }
    if (bad != 0 && bad != program.codes.size())
        of.where = "in " + std::to_string(bad) + " of " + std::to_string(program.codes.size()) + " compiled files, ";
    return of;
}

} // namespace

std::vector<advice> advice_for_embedded(program_image const& program, sim::chip_model const& chip) {
    std::vector<advice> all;
    if (!add_first(program, all)) return all;

    int const runtime = runtime_of(program);
    if (runtime != 0 && (runtime < 11 || runtime > 13))
        all.push_back({severity::obstacle, "toolkit",
                       "it was built by CUDA " + std::to_string(runtime) + ", whose runtime gpuprof does not have",
                       "build it by CUDA 11, 12 or 13"});
    else if (runtime != 0)
        all.push_back(
            {severity::good, "runtime", "the CUDA runtime " + std::to_string(runtime) + " as a shared library"});
    else if (program.has_gpu_code && !program.asks_for_runtime)
        all.push_back({severity::obstacle, "runtime",
                       "NVIDIA's runtime is linked statically; it works with NVIDIA's driver alone",
                       "build it with nvcc -cudart shared; in CMake: CUDA_RUNTIME_LIBRARY Shared"});
    else if (calls_driver(program)) all.push_back({severity::good, "runtime", "it calls the driver's API"});
    else if (!program.has_gpu_code)
        all.push_back({severity::note, "program",
                       "it has no GPU code, and asks for no CUDA library: the libraries that it loads decide"});

    std::string const own =
        std::string{chip.chip_name} + ", capability " + std::string{capability_text(chip.capability())};
    std::uint32_t const number = number_of(chip.capability());
    judged_code const code = judge(program, [&](gpu_code const& each) { return has_ptx_for(each, number); });
    if (code.is_good())
        all.push_back({severity::good, "GPU code", "PTX for " + capabilities(code.all.ptx) + " runs on " + own});
    else if (!code.bad.ptx.empty())
        all.push_back({severity::obstacle, "GPU code",
                       code.where + "its PTX is for " + capabilities(code.bad.ptx) + ", later than " + own,
                       "build it with nvcc -arch=compute_" + std::to_string(number)});
    else if (program.has_gpu_code)
        all.push_back({severity::obstacle, "GPU code",
                       code.where + (code.bad.machines.empty()
                                         ? std::string{"it has neither PTX nor machine code"}
                                         : "no PTX, only machine code for " + capabilities(code.bad.machines)),
                       "build it with nvcc -arch=compute_80"});
    if (program.packed_by_zstd && !GPUPROF_HAS_ZSTD)
        all.push_back({severity::obstacle, "GPU code", "its PTX is packed by zstd, which this gpuprof cannot unpack",
                       "build it with nvcc --compress-mode=none, or gpuprof where libzstd.a and zstd.h are"});
    add_libraries_of_machine_code(program, all);
    return all;
}

std::vector<advice> advice_for_gpu(program_image const& program, compute_capability gpu, int driver_version) {
    std::vector<advice> all;
    if (!add_first(program, all)) return all;
    int const release = driver_version / 1000;
    if (int const runtime = runtime_of(program); runtime > release)
        all.push_back({severity::obstacle, "toolkit",
                       "it was built by CUDA " + std::to_string(runtime) + ", and the driver is of CUDA " +
                           std::to_string(release) + '.' + std::to_string(driver_version % 1000 / 10),
                       "install a newer driver, or build it by CUDA " + std::to_string(release)});
    else if (runtime != 0)
        all.push_back({severity::good, "toolkit",
                       "CUDA " + std::to_string(runtime) + ", and the driver is of CUDA " + std::to_string(release) +
                           '.' + std::to_string(driver_version % 1000 / 10)});
    if (!program.has_gpu_code) return all;
    std::uint32_t const own = number_of(gpu);
    judged_code const code = judge(program, [&](gpu_code const& each) {
        bool fits = has_ptx_for(each, own); // the driver compiles it
        for (std::uint32_t const machine : each.machines) fits = fits || (machine / 10 == own / 10 && machine <= own);
        return fits;
    });
    gpu_code const& shown = code.is_good() ? code.all : code.bad;
    std::string const has = (shown.machines.empty() ? "" : "machine code for " + capabilities(shown.machines)) +
                            (shown.machines.empty() || shown.ptx.empty() ? "" : " and ") +
                            (shown.ptx.empty() ? "" : "PTX for " + capabilities(shown.ptx));
    std::string const on = "a GPU of capability " + std::string{capability_text(gpu)};
    if (code.is_good()) all.push_back({severity::good, "GPU code", has + " runs on " + on});
    else
        all.push_back({severity::obstacle, "GPU code",
                       code.where + (has.empty() ? "nothing" : has) + ", which does not run on " + on,
                       "build it with nvcc -arch=native, or -arch=compute_" + std::to_string(own)});
    return all;
}

} // namespace gpuprof::command
