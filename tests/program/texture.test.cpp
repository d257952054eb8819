// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays, textures and surfaces of the CUDA runtime over the embedded GPU. Structures are declared anew, as CUDA's headers have them.
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "runtime_calls.hpp"

namespace texture_test {

using array_handle = struct CUarray_st*;
struct channel_format { // cudaChannelFormatDesc
    int x, y, z, w, kind;
};
struct extent {
    std::size_t width, height, depth;
};
struct linear_memory {
    void* pointer;
    channel_format format;
    std::size_t bytes;
};
struct pitched_memory {
    void* pointer;
    channel_format format;
    std::size_t width, height, pitch;
};
struct resource { // cudaResourceDesc
    int type = 0; // array, mipmapped array, linear, pitched
    union {
        array_handle array;
        linear_memory linear;
        pitched_memory pitched;
        int reserved[32] = {};
    };
    unsigned flags = 0;
};
struct texture { // cudaTextureDesc
    int modes[3] = {1, 1, 1};
    int filter = 0;
    int read_mode = 0;
    int is_srgb = 0;
    float border[4] = {};
    int is_normalized = 0;
    unsigned anisotropy = 0;
    int mipmap_filter = 0;
    float levels[3] = {};
    int disables_trilinear = 0;
    int is_seamless = 0;
};

extern "C" {
int cudaMallocArray(array_handle* made, channel_format const* format, std::size_t width, std::size_t height,
                    unsigned flags);
int cudaMalloc3DArray(array_handle* made, channel_format const* format, extent size, unsigned flags);
int cudaFreeArray(array_handle gone);
int cudaArrayGetInfo(channel_format* format, extent* size, unsigned* flags, array_handle of);
int cudaMemcpy2DToArray(array_handle to, std::size_t x, std::size_t y, void const* from, std::size_t pitch,
                        std::size_t width, std::size_t height, int kind);
int cudaMemcpy2DFromArray(void* to, std::size_t pitch, array_handle from, std::size_t x, std::size_t y,
                          std::size_t width, std::size_t height, int kind);
int cudaMemcpyToArray(array_handle to, std::size_t x, std::size_t y, void const* from, std::size_t bytes, int kind);
int cudaMemcpyFromArray(void* to, array_handle from, std::size_t x, std::size_t y, std::size_t bytes, int kind);
int cudaCreateTextureObject(unsigned long long* made, resource const* from, texture const* how, void const* view);
int cudaDestroyTextureObject(unsigned long long gone);
int cudaGetTextureObjectResourceDesc(resource* to, unsigned long long of);
int cudaGetTextureObjectTextureDesc(texture* to, unsigned long long of);
int cudaCreateSurfaceObject(unsigned long long* made, resource const* from);
int cudaDestroySurfaceObject(unsigned long long gone);
}

static constexpr channel_format one_float{32, 0, 0, 0, 2};

static std::vector<float> counted(std::size_t count) {
    std::vector<float> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 1.0f);
    return numbers;
}
static resource of_array(array_handle array) {
    resource from;
    from.array = array;
    return from;
}
// What the kernel `fetch` reads at the places.
static std::vector<float> fetched(unsigned long long object, std::vector<std::array<float, 2>> const& places) {
    void* at = nullptr;
    void* to = nullptr;
    REQUIRE(cudaMalloc(&at, places.size() * 8) == 0);
    REQUIRE(cudaMalloc(&to, places.size() * 4) == 0);
    REQUIRE(cudaMemcpy(at, places.data(), places.size() * 8, host_to_device) == 0);
    void* arguments[]{&object, &at, &to};
    CHECK(cudaLaunchKernel(program().fetch_stub(), {1, 1, 1}, {static_cast<unsigned>(places.size()), 1, 1}, arguments,
                           0, nullptr) == 0);
    std::vector<float> got(places.size());
    CHECK(cudaMemcpy(got.data(), to, got.size() * 4, device_to_host) == 0);
    CHECK(cudaFree(at) == 0);
    CHECK(cudaFree(to) == 0);
    return got;
}

TEST_CASE("a kernel reads an array by a texture object") {
    auto const texels = counted(8 * 4);
    array_handle array = nullptr;
    REQUIRE(cudaMallocArray(&array, &one_float, 8, 4, 0) == 0);
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), 32, 32, 4, host_to_device) == 0);
    unsigned long long object = 0;
    auto const from = of_array(array);
    REQUIRE(cudaCreateTextureObject(&object, &from, std::array<texture, 1>{}.data(), nullptr) == 0);
    CHECK(fetched(object, {{0.5f, 0.5f}, {7.5f, 0.5f}, {3.25f, 2.75f}, {-4, 9}}) ==
          std::vector<float>{texels[0], texels[7], texels[2 * 8 + 3], texels[3 * 8]});

    texture smooth;
    smooth.filter = 1;
    unsigned long long filtered = 0;
    REQUIRE(cudaCreateTextureObject(&filtered, &from, &smooth, nullptr) == 0);
    CHECK(fetched(filtered, {{2.0f, 1.5f}, {3.25f, 2.0f}}) ==
          std::vector<float>{(texels[9] + texels[10]) / 2,
                             (0.25f * texels[10] + 0.75f * texels[11] + 0.25f * texels[18] + 0.75f * texels[19]) / 2});

    resource again;
    texture how;
    CHECK(cudaGetTextureObjectResourceDesc(&again, filtered) == 0);
    CHECK(again.array == array);
    CHECK(cudaGetTextureObjectTextureDesc(&how, filtered) == 0);
    CHECK(how.filter == 1);
    CHECK(how.modes[2] == 1);
    CHECK(cudaDestroyTextureObject(object) == 0);
    CHECK(cudaDestroyTextureObject(object) == 1);
    CHECK(cudaDestroyTextureObject(filtered) == 0);
    CHECK(cudaFreeArray(array) == 0);
    static_cast<void>(cudaGetLastError());
}

TEST_CASE("a texture of pitched memory, of which rows are farther apart than they are long") {
    std::vector<float> rows(16 * 3, -1.0f);
    for (std::size_t y = 0; y < 3; ++y)
        for (std::size_t x = 0; x < 5; ++x) rows[16 * y + x] = static_cast<float>(10 * y + x);
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, rows.size() * 4) == 0);
    CHECK(cudaMemcpy(memory, rows.data(), rows.size() * 4, host_to_device) == 0);
    resource from;
    from.type = 3;
    from.pitched = {memory, one_float, 5, 3, 64};
    texture how;
    how.is_normalized = 1;
    how.modes[0] = how.modes[1] = 0; // wrap
    unsigned long long object = 0;
    REQUIRE(cudaCreateTextureObject(&object, &from, &how, nullptr) == 0);
    CHECK(fetched(object, {{0.1f, 0.5f}, {1.3f, -0.1f}}) == std::vector<float>{10, 21});
    CHECK(cudaDestroyTextureObject(object) == 0);
    from.pitched.pitch = 60; // no multiple of 32
    CHECK(cudaCreateTextureObject(&object, &from, &how, nullptr) == 1);
    CHECK(cudaFree(memory) == 0);
    static_cast<void>(cudaGetLastError());
}

TEST_CASE("lines and boxes go into arrays and come back") {
    auto const texels = counted(4 * 3 * 2);
    array_handle array = nullptr;
    REQUIRE(cudaMalloc3DArray(&array, &one_float, {4, 3, 2}, 0) == 0);
    box_copy in;
    in.from = {const_cast<float*>(texels.data()), 16, 4, 3};
    in.to_array = array;
    in.width = 4; // texels
    in.height = 3;
    in.depth = 2;
    in.kind = host_to_device;
    CHECK(cudaMemcpy3D(&in) == 0);
    std::vector<float> part(2 * 2 * 1);
    box_copy out;
    out.from_array = array;
    out.from_x = out.from_y = out.from_z = 1;
    out.to = {part.data(), 8, 2, 2};
    out.width = out.height = 2;
    out.depth = 1;
    out.kind = device_to_host;
    CHECK(cudaMemcpy3D(&out) == 0);
    CHECK(part == std::vector<float>{texels[12 + 5], texels[12 + 6], texels[12 + 9], texels[12 + 10]});
    out.from_z = 2; // beyond
    CHECK(cudaMemcpy3D(&out) == 1);

    extent size{};
    channel_format format{};
    unsigned flags = 9;
    CHECK(cudaArrayGetInfo(&format, &size, &flags, array) == 0);
    CHECK(size.depth == 2);
    CHECK(format.x == 32);
    CHECK(format.kind == 2);
    CHECK(flags == 0);
    CHECK(cudaFreeArray(array) == 0);

    array_handle flat = nullptr;
    REQUIRE(cudaMallocArray(&flat, &one_float, 4, 3, 0) == 0);
    CHECK(cudaMemcpyToArray(flat, 0, 0, texels.data(), 48, host_to_device) == 0);
    std::vector<float> line(6);
    CHECK(cudaMemcpyFromArray(line.data(), flat, 8, 0, 24, device_to_host) == 0); // from the third texel on
    CHECK(line == std::vector<float>(texels.begin() + 2, texels.begin() + 8));
    std::vector<float> column(3);
    CHECK(cudaMemcpy2DFromArray(column.data(), 4, flat, 4, 0, 4, 3, device_to_host) == 0);
    CHECK(column == std::vector<float>{texels[1], texels[5], texels[9]});
    CHECK(cudaMemcpyToArray(flat, 0, 0, texels.data(), 52, host_to_device) == 1);
    CHECK(cudaFreeArray(flat) == 0);
    static_cast<void>(cudaGetLastError());
}

TEST_CASE("what textures and surfaces cannot be made of is refused") {
    array_handle array = nullptr;
    channel_format const odd{32, 16, 0, 0, 2};
    CHECK(cudaMallocArray(&array, &odd, 4, 4, 0) == 1);
    REQUIRE(cudaMallocArray(&array, &one_float, 4, 4, 0) == 0);
    unsigned long long object = 0;
    auto const from = of_array(array);
    CHECK(cudaCreateSurfaceObject(&object, &from) == 1); // not made for surfaces
    texture seamless;
    seamless.is_seamless = 1;
    CHECK(cudaCreateTextureObject(&object, &from, &seamless, nullptr) == 801);
    resource linear;
    linear.type = 2;
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 1024) == 0);
    linear.linear = {static_cast<std::byte*>(memory) + 16, one_float, 64};
    CHECK(cudaCreateTextureObject(&object, &linear, std::array<texture, 1>{}.data(), nullptr) == 1); // not on 512 bytes
    CHECK(cudaFree(memory) == 0);
    CHECK(cudaFreeArray(array) == 0);
    array_handle writable = nullptr;
    REQUIRE(cudaMallocArray(&writable, &one_float, 4, 4, 2) == 0);
    auto const to = of_array(writable);
    REQUIRE(cudaCreateSurfaceObject(&object, &to) == 0);
    CHECK(cudaDestroySurfaceObject(object) == 0);
    CHECK(cudaFreeArray(writable) == 0);
    CHECK(cudaFreeArray(writable) != 0);
    static_cast<void>(cudaGetLastError());
}

} // namespace texture_test
