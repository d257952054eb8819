// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -arch=compute_90
// Matrix products of a warpgroup (wgmma) against plain products on the host, a line a form: "name ok" or "name wrong".
// Exits with 0 if all are ok. Their PTX is made at run time (../support/wgmma_forms.hpp) and needs capability 9.0. First,
// for programs.py, six types in 264 blocks each. What --rounding adds: sums of random numbers against sums that are
// rounded once, and how far they are from each other, which decides nothing.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

#include "../support/wgmma_forms.hpp"

using namespace wgmma_forms;

template <class F>
F* driver_function(char const* name) {
    void* address = nullptr;
    cudaDriverEntryPointQueryResult found{};
    if (cudaGetDriverEntryPointByVersion(name, &address, 12000, cudaEnableDefault, &found) != cudaSuccess ||
        address == nullptr) {
        std::printf("the driver has no %s\n", name);
        std::exit(2);
    }
    return reinterpret_cast<F*>(address);
}

template <class T>
struct on_device {
    explicit on_device(std::vector<T> const& values) : bytes{values.size() * sizeof(T)} {
        if (cudaMalloc(&at, bytes) != cudaSuccess) std::exit(2);
        cudaMemcpy(at, values.data(), bytes, cudaMemcpyHostToDevice);
    }
    on_device(on_device const&) = delete;
    ~on_device() { cudaFree(at); }
    std::size_t bytes;
    T* at = nullptr;
};

// Runs a form on that problem, in blocks that all do the same. The sums of all of them; empty when the driver refuses.
std::vector<std::uint32_t> run(std::string const& name, form const& f, problem const& p, unsigned blocks) {
    static auto* const load = driver_function<CUresult(CUmodule*, void const*)>("cuModuleLoadData");
    static auto* const unload = driver_function<CUresult(CUmodule)>("cuModuleUnload");
    static auto* const find = driver_function<CUresult(CUfunction*, CUmodule, char const*)>("cuModuleGetFunction");
    static auto* const launch =
        driver_function<CUresult(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                 CUstream, void**, void**)>("cuLaunchKernel");
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUresult status = load(&module, kernel(name, f).c_str());
    if (status == CUDA_SUCCESS) status = find(&function, module, name.c_str());
    std::vector<std::uint32_t> sums(p.sums.size() * blocks, 0xffffffffu);
    on_device<std::uint8_t> const shared{p.shared};
    on_device<std::uint32_t> const fragment{p.fragment}, added{p.sums}, results{sums};
    std::uint32_t adds = f.adds;
    void const* arguments[] = {&shared.at, &fragment.at, &added.at, &results.at, &p.of_a, &p.of_b, &adds};
    if (status == CUDA_SUCCESS)
        status = launch(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, const_cast<void**>(arguments), nullptr);
    if (status == CUDA_SUCCESS) status = static_cast<CUresult>(cudaDeviceSynchronize());
    if (status == CUDA_SUCCESS) cudaMemcpy(sums.data(), results.at, results.bytes, cudaMemcpyDeviceToHost);
    else sums.clear(), std::printf("%s: error %d\n", name.c_str(), static_cast<int>(status));
    // CUPTI names a kernel as one of a module that was there before it, where the driver gives both the same handle.
    if (module != nullptr && blocks == 1) unload(module);
    return sums;
}

std::string describe(form const& f) {
    auto const lies = [](layout const& l) {
        return std::string{l.across ? "across" : "along"} + std::to_string(l.swizzle) +
               (l.shift != 0 ? "+" + std::to_string(l.shift) : "");
    };
    return "m64n" + std::to_string(f.n) + "k" + std::to_string(f.k()) + " " + f.sums + " " + f.a.name + " " + f.b.name +
           (f.saturates ? " satfinite" : "") + " a " + (f.a_in_registers ? "registers" : lies(f.of_a)) + " b " +
           lies(f.of_b) + (f.scale_a < 0 ? " -a" : "") + (f.scale_b < 0 ? " -b" : "") + (f.adds ? "" : " alone");
}

bool is_right(std::string const& name, form const& f, unsigned blocks) {
    problem const p{f};
    auto const sums = run(name, f, p, blocks);
    bool good = !sums.empty();
    for (unsigned b = 0; b < blocks && good; ++b)
        good = std::equal(p.expected.begin(), p.expected.end(), sums.begin() + b * p.sums.size());
    std::printf("%s%s %s\n", describe(f).c_str(), blocks == 1 ? "" : " in many blocks", good ? "ok" : "wrong");
    return good;
}

// Random numbers of a type: bits for the matrix, and their value.
struct random_number {
    std::uint32_t bits;
    double value;
};
random_number random_of(std::string const& type, std::uint32_t& seed) {
    seed = seed * 1664525u + 1013904223u;
    float const x = static_cast<float>(static_cast<int>(seed >> 8) - (1 << 23)) / (1 << 22); // -2 to 2
    if (type == "f16") {
        __half const h = __float2half(x);
        return {__half_as_ushort(h), __half2float(h)};
    }
    if (type == "bf16") {
        __nv_bfloat16 const h = __float2bfloat16(x);
        return {__bfloat16_as_ushort(h), __bfloat162float(h)};
    }
    if (type == "tf32") {
        std::uint32_t bits = 0;
        float rounded = x;
        std::memcpy(&bits, &rounded, 4);
        bits &= ~0x1fffu;
        std::memcpy(&rounded, &bits, 4);
        return {bits, rounded};
    }
    bool const e4m3 = type == "e4m3";
    auto const byte = __nv_cvt_float_to_fp8(x, __NV_SATFINITE, e4m3 ? __NV_E4M3 : __NV_E5M2);
    return {byte, __half2float(__half(__nv_cvt_fp8_to_halfraw(byte, e4m3 ? __NV_E4M3 : __NV_E5M2)))};
}

// How many sums of random tiles, each with one product along k, differ from the sum that is rounded once, and how far, as
// shares of 2^-23 (f32) or 2^-10 (f16) of the largest product or sum.
void compare_rounding(form const& f, unsigned tiles) {
    std::uint32_t seed = 1;
    std::map<int, std::size_t> distances; // in halves of that, rounded up
    std::size_t all = 0;
    for (unsigned tile = 0; tile < tiles; ++tile) {
        form plain = f;
        problem p{plain};
        std::vector<double> a(rows * f.k()), b(f.n * f.k());
        std::fill(p.fragment.begin(), p.fragment.end(), 0u);
        std::fill(p.shared.begin(), p.shared.end(), std::uint8_t{0});
        std::size_t const size = f.a.bits / 8;
        // Without a swizzle, the descriptors of `problem` give two pieces of 16 bytes a line, 8 lines to an atom.
        auto const fill = [&](std::vector<double>& values, std::size_t lines, std::string const& type,
                              std::uint32_t begin, std::uint64_t descriptor) {
            std::size_t const leading = (descriptor >> 16 & 0x3fff) * 16, stride = (descriptor >> 32 & 0x3fff) * 16;
            for (std::size_t line = 0; line < lines; ++line)
                for (std::size_t k = 0; k < f.k(); ++k) {
                    random_number const x = random_of(type, seed);
                    std::size_t const byte = k * size;
                    std::size_t const at = begin + byte / 16 * leading + line / 8 * stride + line % 8 * 16 + byte % 16;
                    std::memcpy(&p.shared[at], &x.bits, size);
                    values[line * f.k() + k] = x.value;
                }
        };
        fill(a, rows, f.a.name, 0, p.of_a);
        fill(b, f.n, f.b.name, begin_of_b, p.of_b);
        std::fill(p.sums.begin(), p.sums.end(), 0u);
        auto const sums = run("rounding", f, p, 1);
        if (sums.empty()) return;
        for (std::size_t thread = 0; thread < threads; ++thread)
            for (std::size_t value = 0; value < f.n / 2; ++value) {
                spot const at = place_of(thread, value);
                double sum = 0, largest = 0;
                for (std::size_t k = 0; k < f.k(); ++k) {
                    double const product = a[at.row * f.k() + k] * b[at.column * f.k() + k];
                    sum += product;
                    largest = (std::max)({largest, std::fabs(product), std::fabs(sum)});
                }
                bool const halves = f.sums == "f16";
                std::uint32_t const word = sums[thread * f.registers() + value / (halves ? 2 : 1)];
                float single = 0;
                std::memcpy(&single, &word, 4);
                double const got =
                    halves ? __half2float(__ushort_as_half(static_cast<unsigned short>(word >> (16 * (value % 2)))))
                           : single;
                double const once = halves ? __half2float(__double2half(sum)) : static_cast<float>(sum);
                double const unit = std::ldexp(1.0, std::ilogb(largest == 0 ? 1 : largest) - (halves ? 10 : 23));
                ++distances[static_cast<int>(std::ceil(2 * std::fabs(got - once) / unit))];
                ++all;
            }
    }
    std::printf("rounding %s:", describe(f).c_str());
    for (auto const& [distance, count] : distances)
        std::printf(" %.1f units %.3f %%", distance / 2.0,
                    100.0 * static_cast<double>(count) / static_cast<double>(all));
    std::printf(" of %zu sums\n", all);
}

int main(int argc, char** argv) {
    cudaFree(nullptr); // makes the context that the driver's calls need
    std::size_t wrong = 0;
    std::vector<form> counted;
    for (factor const& type : floats()) counted.push_back({type, type, "f32", 64});
    counted.push_back({small_floats()[0], small_floats()[1], "f32", 64});
    counted.push_back({bytes()[0], bytes()[0], "s32", 64});
    counted.push_back({bits(), bits(), "s32", 64});
    for (form& f : counted) {
        f.rounds = 8;
        f.of_a.swizzle = f.of_b.swizzle = 128;
        wrong += !is_right(std::string{"wgmma_"} + f.a.name, f, 264);
    }
    for (auto const& forms : {every_width(), every_type(), every_layout(), every_base_offset(), every_scale()})
        for (form const& f : forms) wrong += !is_right("form", f, 1);
    if (argc > 1 && std::strcmp(argv[1], "--rounding") == 0) {
        for (factor const& type : floats()) compare_rounding({type, type, "f32", 64}, 32);
        compare_rounding({floats()[0], floats()[0], "f16", 64}, 32);
        for (factor const& type : small_floats())
            for (char const* const sums : {"f32", "f16"}) compare_rounding({type, type, sums, 64}, 32);
    }
    std::printf("%zu wrong, %s\n", wrong, cudaGetErrorString(cudaDeviceSynchronize()));
    return wrong != 0;
}
