// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -arch=compute_90
// Sparse matrix products of a warpgroup and of a warp against plain products on the host, a line a form: "name ok" or
// "name wrong". Exits with 0 if all are ok. Their PTX is made at run time (../support/sparse_forms.hpp) and needs capability
// 9.0. First, for counters, some of them in 264 blocks each. --maps adds, of matrices in shared memory that have more bytes
// along k than their swizzle, where each element is read.
#include <cstring>

#include "../support/sparse_forms.hpp"
#include "driver_calls.hpp"

using namespace sparse_forms;

static std::string describe(form const& f) {
    auto const lies = [](layout const& l) {
        return std::string{l.across ? "across" : "along"} + std::to_string(l.swizzle) +
               (l.shift != 0 ? "+" + std::to_string(l.shift) : "");
    };
    return "sparse m64n" + std::to_string(f.n) + "k" + std::to_string(f.k()) + " " + f.sums + " " + f.a.name + " " +
           f.b.name + (f.saturates ? " satfinite" : "") + " selector " + std::to_string(f.selector) + " a " +
           (f.a_in_registers ? "registers" : lies(f.of_a)) + " b " + lies(f.of_b) + (f.scale_a < 0 ? " -a" : "") +
           (f.scale_b < 0 ? " -b" : "") + (f.adds ? "" : " alone");
}

static bool is_right(std::string const& name, form const& f, unsigned blocks, std::uint32_t seed) {
    problem const p{f, seed};
    on_device<std::uint8_t> const shared{p.shared};
    on_device<std::uint32_t> const fragment{p.fragment}, added{p.sums};
    on_device<std::uint32_t> const results{std::vector<std::uint32_t>(p.sums.size() * blocks, 0xffffffffu)};
    std::uint32_t const adds = f.adds;
    static std::vector<loaded_module*> kept; // CUPTI names a kernel as one of a module that had the same handle before
    auto* const module = new loaded_module{wgmma_forms::kernel(name, f)};
    CUresult const status = module->run(name, blocks, wgmma_forms::threads,
                                        {&shared.at, &fragment.at, &added.at, &results.at, &p.of_a, &p.of_b, &adds});
    if (blocks == 1) delete module;
    else kept.push_back(module);
    auto const sums = results.values();
    bool good = status == CUDA_SUCCESS;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) wrong += sums[i] != p.expected[i % p.expected.size()];
    good = good && wrong == 0;
    std::printf("%s%s %s", describe(f).c_str(), blocks == 1 ? "" : " in many blocks", good ? "ok" : "wrong");
    if (!good) std::printf(" status %d, %zu of %zu words", static_cast<int>(status), wrong, sums.size());
    std::printf("\n");
    return good;
}

static bool is_right(std::string const& name, warp_form const& f, unsigned blocks, std::uint32_t seed) {
    warp_problem const p{f, seed};
    on_device<std::uint32_t> const brought{p.brought};
    on_device<std::uint32_t> const results{std::vector<std::uint32_t>(p.expected.size() * blocks, 0xffffffffu)};
    static std::vector<loaded_module*> kept;
    auto* const module = new loaded_module{kernel(name, f, blocks == 1 ? 1 : 8)};
    CUresult const status = module->run(name, blocks, 32, {&brought.at, &results.at});
    if (blocks == 1) delete module;
    else kept.push_back(module);
    auto const sums = results.values();
    std::size_t wrong = 0;
    if (blocks == 1)
        for (std::size_t i = 0; i < sums.size(); ++i) wrong += sums[i] != p.expected[i];
    bool const good = status == CUDA_SUCCESS && wrong == 0;
    std::string const text = instruction(f);
    std::printf("%s selector %u%s %s", text.substr(0, text.find(' ')).c_str(), f.selector,
                blocks == 1 ? "" : " in many blocks", good ? "ok" : "wrong");
    if (!good) std::printf(" status %d, %zu of %zu words", static_cast<int>(status), wrong, sums.size());
    std::printf("\n");
    return good;
}

// Where in shared memory, counted in elements of 2 bytes from b's beginning, the product reads b's element of each k and
// column: a has a one at that k alone, and b, by bits of the place, ones where the place has that bit.
static void map_of(layout const& of_b, bool is_sparse, std::uint32_t leading, std::uint32_t stride) {
    form f{wgmma_forms::floats()[0], wgmma_forms::floats()[0], "f32", 16, {}, of_b};
    f.sparse = is_sparse;
    f.adds = false;
    std::size_t const k = f.k(), columns = f.n;
    std::vector<unsigned> places(k * columns);
    std::uint64_t const mode = of_b.swizzle == 128 ? 1 : of_b.swizzle == 64 ? 2 : of_b.swizzle == 32 ? 3 : 0;
    std::uint64_t const descriptor = wgmma_forms::begin_of_b / 16 | std::uint64_t{leading / 16} << 16 |
                                     std::uint64_t{stride / 16} << 32 | mode << 62;
    loaded_module module{wgmma_forms::kernel("map", f)};
    constexpr unsigned bits = 12; // places in 8 KiB
    for (std::size_t one = 0; one < k; ++one) {
        // Row 0 of a; a sparse one stores what is at even numbers first, at odd ones second.
        problem p{f, 1};
        std::fill(p.shared.begin(), p.shared.end(), std::uint8_t{0});
        std::vector<int> values(wgmma_forms::rows * (is_sparse ? k / 2 : k));
        values[is_sparse ? one / 2 : one] = 1;
        matrix const a{f.a, wgmma_forms::rows, is_sparse ? k / 2 : k, values, {}};
        p.of_a = a.put(p.shared, 0);
        // Chunks keep the elements 0 and 2, or 1 and 3.
        for (std::size_t t = 0; t < wgmma_forms::threads; ++t)
            p.fragment[wgmma_forms::threads * 4 + t] = one % 2 == 0 ? 0x88888888u : 0xddddddddu;
        for (unsigned bit = 0; bit < bits; ++bit) {
            for (unsigned place = 0; place < 1u << bits; ++place) {
                std::uint16_t const half = (place >> bit & 1) != 0 ? 0x3c00 : 0;
                std::memcpy(&p.shared[wgmma_forms::begin_of_b + 2 * place], &half, 2);
            }
            on_device<std::uint8_t> const shared{p.shared};
            on_device<std::uint32_t> const fragment{p.fragment}, added{p.sums};
            on_device<std::uint32_t> const results{std::vector<std::uint32_t>(p.sums.size())};
            std::uint32_t const adds = 0;
            if (module.run("map", 1, wgmma_forms::threads,
                           {&shared.at, &fragment.at, &added.at, &results.at, &p.of_a, &descriptor, &adds}) !=
                CUDA_SUCCESS)
                return;
            auto const sums = results.values();
            for (std::size_t thread = 0; thread < 4; ++thread) // they have row 0
                for (std::size_t value = 0; value < columns / 2; ++value) {
                    auto const at = wgmma_forms::place_of(thread, value);
                    if (at.row == 0 && sums[thread * f.registers() + value] != 0)
                        places[one * columns + at.column] |= 1u << bit;
                }
        }
    }
    std::printf("map %s %s%u leading %u stride %u\n", is_sparse ? "sparse" : "dense", of_b.across ? "across" : "along",
                of_b.swizzle, leading, stride);
    for (std::size_t i = 0; i < k; ++i) {
        std::printf("  k %zu:", i);
        for (std::size_t c = 0; c < columns; ++c) std::printf(" %u", places[i * columns + c]);
        std::printf("\n");
    }
}

int main(int argc, char** argv) {
    cudaFree(nullptr); // makes the context that the driver's calls need
    std::size_t wrong = 0;
    std::uint32_t seed = 0;
    std::vector<form> counted;
    for (factor const& type : wgmma_forms::floats()) counted.push_back({type, type, "f32", 64});
    counted.push_back({wgmma_forms::small_floats()[0], wgmma_forms::small_floats()[1], "f32", 64});
    counted.push_back({wgmma_forms::bytes()[0], wgmma_forms::bytes()[0], "s32", 64});
    for (form& f : counted) {
        f.sparse = true;
        f.rounds = 8;
        f.of_a.swizzle = f.of_b.swizzle = 128;
        wrong += !is_right(std::string{"wgmma_sparse_"} + f.a.name, f, 264, ++seed);
    }
    for (warp_form const& f : every_warp_form()) {
        bool const same = std::string{f.a.name} == f.b.name;
        if (!same || f.how == warp_form::ordered || f.selector != 0 || f.saturates) continue;
        wrong += !is_right(std::string{"mma_"} + (f.is_sparse() ? "sparse_" : "dense_") + f.a.name + "_" + f.sums +
                               "_m" + std::to_string(f.m) + "k" + std::to_string(f.k),
                           f, 264, ++seed);
    }
    if (argc > 1 && std::strcmp(argv[1], "--counted") == 0) return wrong != 0;
    for (warp_form const& f : every_warp_form()) wrong += !is_right("form", f, 1, ++seed);
    for (auto const& forms : {every_width(), every_type(), every_layout(), every_base_offset(), every_scale()})
        for (form const& f : forms) wrong += !is_right("form", f, 1, ++seed);
    if (argc > 1 && std::strcmp(argv[1], "--maps") == 0) {
        map_of({false, 32}, false, 512, 1024);
        for (std::uint32_t const leading : {16u, 512u})
            for (unsigned const swizzle : {0u, 32u, 64u, 128u}) map_of({false, swizzle}, true, leading, 1024);
    }
    std::printf("%zu wrong, %s\n", wrong, cudaGetErrorString(cudaDeviceSynchronize()));
    return wrong != 0;
}
