// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensor maps: tiles in shared memory and in global memory, swizzles, what lies outside, reductions, and what is refused.
#include <algorithm>
#include <array>
#include <cstring>

#include "support/kernel_fixture.hpp"
#include "sim/ops/tensor_map.hpp"

namespace kernels_tensor_maps_test {

using namespace gpuprof_test;
using sim::launch_failure;
using sim::tensor_map_status;

namespace {

constexpr std::size_t room = 16384;

struct alignas(64) map_bytes {
    std::array<unsigned char, 128> bytes{};
};
struct place {
    std::array<int, 5> at{};
};

// A tensor, the tiles taken of it, and what the driver would be asked for. Lists are from the innermost dimension on.
struct tensor {
    int data_type;       // as CUtensorMapDataType has it
    std::size_t element; // bytes
    std::vector<std::uint64_t> sizes;
    std::vector<std::uint32_t> box;
    std::vector<std::uint32_t> steps;
    int swizzle = 0; // 0, or 16 << swizzle bytes
    int fill = 0;
    std::vector<std::uint64_t> strides{}; // bytes, of all dimensions; made by complete()

    void complete() {
        std::uint64_t stride = element;
        strides.clear();
        for (auto const size : sizes) {
            strides.push_back(stride);
            stride = (stride * size + 15) / 16 * 16 + 32; // with gaps
        }
        if (steps.empty()) steps.assign(sizes.size(), 1);
    }
    [[nodiscard]] std::size_t bytes() const { return strides.back() * sizes.back(); }
    [[nodiscard]] std::uint32_t tile_bytes() const {
        std::size_t all = box[0] * element;
        for (std::size_t d = 1; d < box.size(); ++d) all *= (box[d] + steps[d] - 1) / steps[d];
        return static_cast<std::uint32_t>(all);
    }
    [[nodiscard]] sim::tiled_tensor asked(std::uint64_t address) const {
        return {data_type,
                static_cast<std::uint32_t>(sizes.size()),
                address,
                sizes.data(),
                strides.data() + 1,
                box.data(),
                steps.data(),
                0,
                swizzle,
                0,
                fill};
    }
    [[nodiscard]] map_bytes map(std::uint64_t address) const {
        sim::tensor_map made;
        REQUIRE(sim::encode_tiled(asked(address), made) == tensor_map_status::good);
        map_bytes out;
        std::memcpy(out.bytes.data(), &made, sizeof made);
        return out;
    }
    // Calls f(offset in the tile, offset in the tensor, whether it is there) for each element of a tile, by counting.
    template <class F>
    void for_each(place const& p, F const& f) const {
        std::size_t const pitch = swizzle == 0 ? box[0] * element : std::size_t{16} << swizzle;
        std::vector<std::uint32_t> k(sizes.size());
        for (std::size_t row = 0;; ++row) {
            for (std::uint32_t e = 0; e < box[0]; ++e) {
                std::int64_t at = (p.at[0] + std::int64_t{e}) * static_cast<std::int64_t>(element);
                bool inside =
                    p.at[0] + std::int64_t{e} >= 0 && p.at[0] + std::int64_t{e} < static_cast<std::int64_t>(sizes[0]);
                for (std::size_t d = 1; d < sizes.size(); ++d) {
                    std::int64_t const c = p.at[d] + std::int64_t{k[d]} * steps[d];
                    inside = inside && c >= 0 && c < static_cast<std::int64_t>(sizes[d]);
                    at += c * static_cast<std::int64_t>(strides[d]);
                }
                f(mixed(row * pitch + e * element), static_cast<std::size_t>(at), inside);
            }
            std::size_t d = 1;
            for (; d < sizes.size(); ++d) {
                if (++k[d] * steps[d] < box[d]) break;
                k[d] = 0;
            }
            if (d == sizes.size()) return;
        }
    }
    // In lines of 128 bytes, the 16-byte pieces of a line change places within 32, 64 or 128 bytes by the line's number.
    [[nodiscard]] std::size_t mixed(std::size_t offset) const {
        std::size_t const line = offset / 128, piece = offset % 128 / 16, group = std::size_t{1} << swizzle;
        std::size_t const to = piece / group * group + (piece % group ^ line % group);
        return line * 128 + to * 16 + offset % 16;
    }
};

void check_load(tensor t, place const& p, unsigned shift = 0, std::uint64_t filling = 0) {
    t.complete();
    machine m{"tensor_maps.sm_90a.ptx"};
    auto const data = spread<unsigned char>(t.bytes(), 1, 256);
    auto const in = m.array(data);
    auto const out = m.zeros<unsigned char>(room);
    m.run("load_" + std::to_string(t.sizes.size()) + "d", {1}, {64},
          arguments{t.map(in.address()), p, t.tile_bytes(), shift, out});
    std::vector<unsigned char> expected(room, 0xee);
    t.for_each(p, [&](std::size_t to, std::size_t from, bool inside) {
        // The pattern goes by the address in shared memory, not by the tile.
        std::size_t const at = shift == 0 ? to : t.mixed(shift + t.mixed(to));
        std::memcpy(&expected[at], inside ? static_cast<void const*>(&data[from]) : &filling, t.element);
    });
    CHECK(out.values() == expected);
}

} // namespace

TEST_CASE("tiles of one to five dimensions come as they are asked for, with zeros outside of the tensor") {
    check_load({2, 4, {100}, {64}, {}}, {{8}});
    check_load({2, 4, {100}, {64}, {}}, {{80}});
    check_load({0, 1, {200}, {64}, {}}, {{-16}});
    check_load({6, 2, {40, 30}, {16, 8}, {}}, {{8, 7}});
    check_load({6, 2, {40, 30}, {16, 8}, {}}, {{-8, 26}});
    check_load({8, 8, {9, 5, 7}, {4, 3, 2}, {}}, {{6, -1, 6}});
    check_load({2, 4, {9, 5, 7, 3}, {8, 2, 3, 2}, {}}, {{0, 3, 5, 1}});
    check_load({2, 4, {9, 5, 4, 3, 6}, {4, 2, 3, 2, 4}, {}}, {{8, -1, 2, 2, 3}});
    check_load({4, 8, {9, 5, 4, 3, 6}, {2, 2, 2, 2, 2}, {}}, {{50, 50, 50, 50, 50}}); // nothing of it
}

// What a tile holds, by pieces of 16 bytes in the order of its rows: where in the tensor they begin. Found on an H200
// (tests/hardware/tensor_maps.cu), where the innermost dimension counts slices, and the last but one names one.
TEST_CASE("interleaved channels are slices along the innermost dimension, of which the last but one names one") {
    struct interleaved {
        std::vector<std::uint64_t> sizes, strides;
        std::vector<std::uint32_t> box, steps;
        place at;
        int interleave, swizzle;
        std::vector<std::size_t> starts; // of rows
    };
    for (interleaved const& one : {
             interleaved{{24, 6, 5}, {256, 4096}, {8, 4, 3}, {1, 1, 1}, {{3, 1, 1}}, 1, 0, {4400, 8496, 12592}},
             interleaved{{24, 6, 5}, {256, 4096}, {16, 4, 2}, {2, 1, 1}, {{2, 1, 0}}, 1, 0, {288, 4384}},
             interleaved{{24, 16, 8},
                         {256, 8192},
                         {8, 16, 8},
                         {1, 1, 1},
                         {{0, 0, 0}},
                         1,
                         3,
                         {0, 8192, 16384, 24576, 32768, 40960, 49152, 57344}},
             interleaved{{24, 6, 5, 3},
                         {256, 2048, 16384},
                         {8, 3, 2, 2},
                         {1, 1, 1, 1},
                         {{0, 1, 1, 1}},
                         1,
                         0,
                         {18688, 18944, 19200, 35072, 35328, 35584}},
             interleaved{{48, 6, 5}, {256, 4096}, {8, 4, 3}, {1, 1, 1}, {{2, 1, 1}}, 2, 1, {4416, 8512, 12608}},
         }) {
        auto const data = spread<unsigned char>(std::size_t{1} << 17, 1, 256);
        machine m{"tensor_maps.sm_90a.ptx"};
        auto const in = m.array(data);
        auto const out = m.zeros<unsigned char>(room);
        sim::tensor_map made;
        REQUIRE(
            sim::encode_tiled({1, static_cast<std::uint32_t>(one.sizes.size()), in.address(), one.sizes.data(),
                               one.strides.data(), one.box.data(), one.steps.data(), one.interleave, one.swizzle, 0, 0},
                              made) == tensor_map_status::good);
        std::size_t const slice = 16u * static_cast<unsigned>(one.interleave), slices = one.box[0] / one.steps[0];
        map_bytes map;
        std::memcpy(map.bytes.data(), &made, sizeof made);
        m.run("load_" + std::to_string(one.sizes.size()) + "d", {1}, {64},
              arguments{map, one.at, static_cast<std::uint32_t>(one.starts.size() * slices * slice), 0u, out});
        std::vector<unsigned char> expected(room, 0xee);
        tensor const mix{1, 2, {}, {}, {}, one.swizzle};
        for (std::size_t row = 0; row < one.starts.size(); ++row)
            for (std::size_t i = 0; i < slices; ++i)
                for (std::size_t byte = 0; byte < slice; ++byte)
                    expected[mix.mixed((row * slices + i) * slice + byte)] =
                        data[one.starts[row] + i * one.steps[0] * slice + byte];
        CHECK(out.values() == expected);
    }
}

// Measured on an H200 for tiles of two dimensions (tests/hardware/last_tensor_maps.txt).
TEST_CASE("a first coordinate that is no multiple of 16 bytes stops the kernel") {
    for (int const data_type : {0, 1, 2, 6, 8}) {
        constexpr std::size_t sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8};
        std::size_t const element = sizes[data_type];
        for (bool const loads : {true, false})
            for (int const bytes : {-16, -8, 0, 8, 16}) {
                tensor t{data_type, element, {64, 30}, {static_cast<std::uint32_t>(32 / element), 4}, {}};
                t.complete();
                machine m{"tensor_maps.sm_90a.ptx"};
                auto const in = m.zeros<unsigned char>(t.bytes());
                auto const out = m.zeros<unsigned char>(room);
                place const p{{bytes / static_cast<int>(element), 1}};
                auto const done =
                    loads ? m.launch("load_2d", {1}, {64}, arguments{t.map(in.address()), p, t.tile_bytes(), 0u, out})
                          : m.launch("store_2d", {1}, {64}, arguments{t.map(in.address()), p, 0, 0});
                CHECK(done.error.has_value() == (bytes % 16 != 0));
                if (!done.error) continue;
                CHECK(done.error->kind == launch_failure::invalid_instruction);
                CHECK(done.error->detail.find("first coordinate") != std::string::npos);
            }
    }
}

TEST_CASE("what lies outside may be filled with a NaN") {
    check_load({6, 2, {40, 30}, {16, 8}, {}, 0, 1}, {{-8, 26}}, 0, 0x7fff);
    check_load({7, 4, {40, 30}, {16, 8}, {}, 0, 1}, {{36, -2}}, 0, 0x7fffffff);
}

TEST_CASE("swizzles mix the pieces of rows, by the address in shared memory") {
    for (int const swizzle : {1, 2, 3}) {
        auto const whole = static_cast<std::uint32_t>(16 << swizzle) / 2;
        check_load({6, 2, {100, 90}, {whole, 40}, {}, swizzle}, {{8, 7}});
        check_load({6, 2, {100, 90}, {whole / 2, 40}, {}, swizzle}, {{32, 60}}); // rows narrower than the swizzle
        check_load({6, 2, {100, 90}, {whole, 16}, {}, swizzle}, {{8, 7}}, 1024);
    }
    check_load({9, 2, {64, 20, 9}, {64, 5, 3}, {}, 3}, {{0, 2, 1}});
}

TEST_CASE("steps between the elements of a tile leave some out, but for the innermost dimension") {
    check_load({2, 4, {50, 60}, {16, 15}, {1, 2}}, {{4, 3}});
    check_load({2, 4, {50, 60, 9}, {16, 8, 4}, {3, 8, 3}}, {{4, 50, -1}});
}

TEST_CASE("stores and reductions write what lies within the tensor") {
    struct operation {
        int number;
        int data_type;
    };
    for (operation const& each : {operation{0, 2}, {1, 2}, {2, 3}, {3, 2}, {1, 6}, {1, 7}})
        for (place const& p : {place{{8, 3}}, place{{-8, 27}}}) {
            int const number = each.number, data_type = each.data_type;
            bool const halves = data_type == 6;
            tensor t{data_type, halves ? 2u : 4u, {40, 30}, {16, 8}, {}, 0, 0, {}};
            t.complete();
            machine m{"tensor_maps.sm_90a.ptx"};
            std::vector<unsigned> data(t.bytes() / 4);
            for (std::size_t i = 0; i < data.size(); ++i)
                data[i] = halves           ? 0x40004000u
                          : data_type == 7 ? 0x40000000u
                                           : static_cast<unsigned>(i * 7919 % 200) - 100;
            auto const in = m.array(data);
            m.run("store_2d", {1}, {64}, arguments{t.map(in.address()), p, number, halves ? 1 : 0});
            auto expected = data;
            auto* const bytes = reinterpret_cast<unsigned char*>(expected.data());
            t.for_each(p, [&](std::size_t from, std::size_t to, bool inside) {
                if (!inside) return;
                if (halves) { // 2 + 1
                    std::uint16_t const three = 0x4200;
                    std::memcpy(bytes + to, &three, 2);
                    return;
                }
                unsigned value = 0;
                std::memcpy(&value, bytes + to, 4);
                auto const given = static_cast<unsigned>(from / 4 + 1);
                if (data_type == 7) value = 0x40000000u; // a subnormal number: the sum is 2
                else if (number == 0) value = given;
                else if (number == 1) value += given;
                else if (number == 2)
                    value = static_cast<unsigned>(std::max(static_cast<int>(value), static_cast<int>(given)));
                else value ^= given;
                std::memcpy(bytes + to, &value, 4);
            });
            CAPTURE(number);
            CHECK(in.values() == expected);
        }
}

TEST_CASE("bulk reductions of many blocks lose nothing") {
    machine m{"tensor_maps.sm_90a.ptx"};
    m.options.sm_count = 8;
    m.options.threads = 4;
    m.options.alone_steps = 1;
    auto const to = m.zeros<unsigned>(1024);
    m.run("reduce_rows", {20}, {64}, arguments{to, 4000u});
    for (unsigned i = 0; i < 1024; ++i) REQUIRE(to[i] == (i < 1000 ? 20 * i + 190 : 0));
}

TEST_CASE("one block of a cluster loads a tile for all, and it is read once") {
    tensor t{2, 4, {40, 30}, {16, 8}, {}, 0, 0, {}};
    t.complete();
    machine m{"tensor_maps.sm_90a.ptx"};
    m.cluster = {2, 1, 1};
    m.options.sm_count = 2;
    auto const data = spread<unsigned char>(t.bytes(), 1, 256);
    auto const in = m.array(data);
    auto const out = m.zeros<unsigned char>(2 * room);
    place const p{{8, 2}};
    m.run("load_for_both", {2}, {64}, arguments{t.map(in.address()), p, t.tile_bytes(), out});
    std::vector<unsigned char> expected(2 * room);
    t.for_each(p, [&](std::size_t to, std::size_t from, bool) {
        std::memcpy(&expected[to], &data[from], 4);
        std::memcpy(&expected[room + to], &data[from], 4);
    });
    CHECK(out.values() == expected);
    CHECK(m.counted[sim::raw_counter::l2_sectors_tex_read] == 8 * 64 / 32);
    CHECK(m.counted[sim::raw_counter::inst_bulk_ld] == 1);
}

TEST_CASE("floats change on their way into shared memory as the type of the map says") {
    // Loaded by FLOAT32_FTZ and by TFLOAT32, of an H200 (tests/hardware/last_tensor_types.txt). TFLOAT32_FTZ is as TFLOAT32.
    struct value {
        std::uint32_t bits;
        std::array<std::uint32_t, 2> loaded;
    };
    std::vector<value> const values{{0x3f800000, {0x3f800000, 0x3f800000}}, {0x3f800fff, {0x3f800fff, 0x3f800000}},
                                    {0x3f801000, {0x3f801000, 0x3f800000}}, {0x3f801001, {0x3f801001, 0x3f802000}},
                                    {0x3f803000, {0x3f803000, 0x3f804000}}, {0x7f7ff000, {0x7f7ff000, 0x7f800000}},
                                    {0x7f800000, {0x7f800000, 0x7f800000}}, {0x7f800001, {0x7f800001, 0x7fffe000}},
                                    {0x00000001, {0x00000001, 0x00000000}}, {0x00001001, {0x00001001, 0x00002000}},
                                    {0x00003000, {0x00003000, 0x00004000}}, {0x00801000, {0x00801000, 0x00800000}},
                                    {0x7fc00000, {0x7fc00000, 0x7fffe000}}, {0xbf800fff, {0xbf800fff, 0xbf800000}}};
    std::vector<std::uint32_t> data(64);
    for (std::size_t i = 0; i < values.size(); ++i) data[i] = values[i].bits;
    for (std::size_t type = 0; type < 3; ++type) {
        tensor t{10 + static_cast<int>(type), 4, {64}, {64}, {}, 0, 0, {}};
        t.complete();
        machine m{"tensor_maps.sm_90a.ptx"};
        auto const in = m.array(data);
        auto const out = m.zeros<std::uint32_t>(room / 4);
        m.run("load_1d", {1}, {64}, arguments{t.map(in.address()), place{}, t.tile_bytes(), 0u, out});
        CAPTURE(type);
        for (std::size_t i = 0; i < values.size(); ++i) CHECK(out[i] == values[i].loaded[type == 0 ? 0 : 1]);
    }
}

TEST_CASE("a tile or map that is not aligned, or no map, is a fault that says so") {
    tensor t{2, 4, {40, 30}, {16, 8}, {}, 0, 0, {}};
    t.complete();
    auto const failure = [&](char const* kernel, map_bytes const& map, unsigned shift) {
        machine m{"tensor_maps.sm_90a.ptx"};
        auto const in = m.zeros<unsigned char>(t.bytes());
        auto const out = m.zeros<unsigned char>(room);
        bool const made = map.bytes[0] != 0;
        auto const done = m.launch(kernel, {1}, {64},
                                   arguments{made ? t.map(in.address()) : map, place{}, t.tile_bytes(), shift, out});
        REQUIRE(done.error);
        return *done.error;
    };
    map_bytes some;
    some.bytes[0] = 1;
    auto const tile = failure("load_2d", some, 64);
    CHECK(tile.kind == launch_failure::misaligned_address);
    CHECK(tile.message().find("128 bytes") != std::string::npos);
    auto const empty = failure("load_2d", {}, 0);
    CHECK(empty.kind == launch_failure::invalid_instruction);
    CHECK(empty.message().find("no tensor map") != std::string::npos);
    CHECK(failure("load_3d", some, 0).kind == launch_failure::invalid_instruction);
    CHECK(failure("load_2d", some, room - 128).kind == launch_failure::illegal_address); // the tile has 512 bytes
}

namespace {
// As tests/kernels/tensor_maps.cu has it.
struct changes {
    std::uint64_t address, stride;
    std::uint32_t width, height, box_width, box_height, step;
};
changes changes_to(tensor const& t, std::uint64_t address) {
    return {address,
            t.strides[1],
            static_cast<std::uint32_t>(t.sizes[0]),
            static_cast<std::uint32_t>(t.sizes[1]),
            t.box[0],
            t.box[1],
            t.steps[1]};
}
} // namespace

TEST_CASE("kernels change tensor maps in shared and in global memory and load by them") {
    tensor before{2, 4, {9, 5, 7}, {4, 3, 2}, {}}, after{6, 2, {40, 30}, {16, 8}, {1, 2}, 1, 1};
    before.complete();
    after.complete();
    place const p{{-8, 26}};
    struct beginning {
        int in_global;
        bool is_empty; // zeros, of which the kernel gives every field
    };
    for (beginning const& begin : {beginning{0, false}, {1, false}, {0, true}}) {
        machine m{"tensor_maps.sm_90a.ptx"};
        auto const data = spread<unsigned char>(after.bytes(), 1, 256);
        auto const old = m.zeros<unsigned char>(before.bytes());
        auto const in = m.array(data);
        auto const made = m.zeros<unsigned char>(128);
        auto const out = m.zeros<unsigned char>(room);
        m.run("load_changed", {1}, {64},
              arguments{begin.is_empty ? map_bytes{} : before.map(old.address()), made, changes_to(after, in.address()),
                        begin.in_global, p, after.tile_bytes(), out});
        std::vector<unsigned char> expected(room, 0xee);
        std::uint16_t const filling = 0x7fff;
        after.for_each(p, [&](std::size_t to, std::size_t from, bool inside) {
            std::memcpy(&expected[to], inside ? static_cast<void const*>(&data[from]) : &filling, 2);
        });
        CAPTURE(begin.in_global);
        CAPTURE(begin.is_empty);
        CHECK(out.values() == expected);
        // The map is published once, which is an atomic; its fields are stored before that, in shared memory or not.
        CHECK(m.counted[sim::raw_counter::l1_requests_global_atom] == 1);
        CHECK(m.counted[sim::raw_counter::l1_sectors_global_atom] == 4);
    }
}

TEST_CASE("a value that a tensor map cannot have, or what is no map, is a fault that says so") {
    tensor t{6, 2, {40, 30}, {16, 8}, {}};
    t.complete();
    auto const failure = [&](auto change, bool is_map) {
        machine m{"tensor_maps.sm_90a.ptx"};
        auto const in = m.zeros<unsigned char>(t.bytes());
        auto const made = m.zeros<unsigned char>(128);
        auto const out = m.zeros<unsigned char>(room);
        changes c = changes_to(t, in.address());
        change(c);
        map_bytes other;
        other.bytes[0] = 1;
        auto const done =
            m.launch("load_changed", {1}, {64},
                     arguments{is_map ? t.map(in.address()) : other, made, c, 0, place{}, t.tile_bytes(), out});
        REQUIRE(done.error);
        CHECK(done.error->kind == launch_failure::invalid_instruction);
        return done.error->message();
    };
    std::string const refused = "cannot give";
    CHECK(failure([](changes&) {}, false).find("is no tensor map") != std::string::npos);
    CHECK(failure([](changes& c) { c.stride += 8; }, true).find(refused) != std::string::npos);
    CHECK(failure([](changes& c) { c.address += 8; }, true).find(refused) != std::string::npos);
    CHECK(failure([](changes& c) { c.height = 0; }, true).find(refused) != std::string::npos);
    CHECK(failure([](changes& c) { c.step = 0; }, true).find(refused) != std::string::npos);
    CHECK(failure([](changes& c) { c.box_height = 257; }, true).find(refused) != std::string::npos);
    // Each value may be, but not together: rows of 64 bytes in a swizzle of 32.
    CHECK(failure([](changes& c) { c.box_width = 32; }, true).find("no tensor map") != std::string::npos);
}

namespace {
// Images of 6 x 5 pixels of 24 channels, of which a column takes the 16 from the 8th on.
struct image {
    std::array<int, 2> lower, upper; // width, height
    std::uint32_t pixels;
    int step = 1; // of both
    int swizzle = 0;
};
constexpr int image_width = 6, image_height = 5, image_count = 3, image_channels = 24, first_channel = 8, channels = 16;

tensor image_tensor(image const& of) {
    auto const step = static_cast<std::uint32_t>(of.step);
    tensor t{2, 4, {image_channels, image_width, image_height, image_count}, {}, {1, step, step, 1}, of.swizzle};
    t.complete();
    return t;
}
map_bytes image_map(image const& of, std::uint64_t address) {
    tensor const t = image_tensor(of);
    sim::tensor_map made;
    REQUIRE(sim::encode_image(t.asked(address), {of.lower.data(), of.upper.data(), channels, of.pixels}, made) ==
            tensor_map_status::good);
    map_bytes out;
    std::memcpy(out.bytes.data(), &made, sizeof made);
    return out;
}
// Calls f(number of the pixel in the column, offset of its first channel in the tensor, whether it is there): all base
// pixels that a bounding box has, in order, of which the column takes those from `start` on.
template <class F>
void for_each_pixel(image const& of, std::array<int, 3> start, std::array<int, 2> offset, F const& f) {
    tensor const t = image_tensor(of);
    std::vector<std::array<int, 3>> all;
    for (int n = 0; n < image_count + 40; ++n)
        for (int y = of.lower[1]; y < image_height + of.upper[1]; y += of.step)
            for (int x = of.lower[0]; x < image_width + of.upper[0]; x += of.step) all.push_back({x, y, n});
    auto const first = static_cast<std::size_t>(std::find(all.begin(), all.end(), start) - all.begin());
    REQUIRE(first + of.pixels <= all.size());
    for (std::size_t i = 0; i < of.pixels; ++i) {
        int const x = all[first + i][0] + offset[0], y = all[first + i][1] + offset[1], n = all[first + i][2];
        bool const inside = x >= 0 && x < image_width && y >= 0 && y < image_height && n < image_count;
        auto const stride = [&](std::size_t d) { return static_cast<std::int64_t>(t.strides[d]); };
        f(i, static_cast<std::size_t>(first_channel * 4 + x * stride(1) + y * stride(2) + n * stride(3)), inside);
    }
}
void check_image(image const& of, std::array<int, 3> start, std::array<int, 2> offset) {
    tensor const t = image_tensor(of);
    machine m{"tensor_maps.sm_90a.ptx"};
    auto const data = spread<unsigned char>(t.bytes(), 1, 256);
    auto const in = m.array(data);
    auto const out = m.zeros<unsigned char>(room);
    m.run("load_image", {1}, {64},
          arguments{image_map(of, in.address()), place{{first_channel, start[0], start[1], start[2]}},
                    static_cast<unsigned short>(offset[0]), static_cast<unsigned short>(offset[1]),
                    of.pixels * channels * 4, out});
    std::vector<unsigned char> expected(room, 0xee);
    for_each_pixel(of, start, offset, [&](std::size_t pixel, std::size_t from, bool inside) {
        for (std::size_t byte = 0; byte < channels * 4; ++byte)
            expected[t.mixed(pixel * channels * 4 + byte)] = inside ? data[from + byte] : 0;
    });
    CHECK(out.values() == expected);
}
} // namespace

TEST_CASE("columns of images come from the bounding box, pixel by pixel, moved by the offsets of the filter") {
    check_image({{0, 0}, {0, 0}, 64}, {0, 0, 0}, {0, 0});       // a filter of 1 x 1, over two images
    check_image({{-1, -1}, {-1, -1}, 40}, {-1, -1, 0}, {0, 0}); // 3 x 3 with a border of one pixel: its first
    check_image({{-1, -1}, {-1, -1}, 40}, {2, 1, 1}, {2, 1});   // another, from within an image
    check_image({{-1, -1}, {-1, -1}, 70}, {-1, 2, 2}, {1, 2});  // beyond the last image
    check_image({{-1, -1}, {-1, -1}, 20}, {1, 1, 0}, {1, 0});   // in steps
    check_image({{-2, 0}, {1, -2}, 33, 2}, {0, 2, 0}, {0, 1});
    check_image({{0, 0}, {0, 0}, 64, 1, 2}, {3, 2, 0}, {0, 0}); // swizzled
}

TEST_CASE("columns are stored to the pixels that there are") {
    image const of{{-1, 0}, {1, 0}, 60};
    tensor const t = image_tensor(of);
    machine m{"tensor_maps.sm_90a.ptx"};
    auto const in = m.zeros<unsigned>(t.bytes() / 4);
    m.run("store_image", {1}, {64}, arguments{image_map(of, in.address()), place{{first_channel, -1, 3, 1}}});
    std::vector<unsigned> expected(t.bytes() / 4);
    for_each_pixel(of, {-1, 3, 1}, {0, 0}, [&](std::size_t pixel, std::size_t to, bool inside) {
        for (std::size_t c = 0; inside && c < channels; ++c)
            expected[to / 4 + c] = static_cast<unsigned>(pixel * channels + c + 1);
    });
    CHECK(in.values() == expected);
}

TEST_CASE("maps of images and of tiles are not the same, and those of images have rules of their own") {
    machine m{"tensor_maps.sm_90a.ptx"};
    tensor t{2, 4, {image_channels, image_width, image_height, image_count}, {16, 1, 1, 1}, {}};
    t.complete();
    auto const in = m.zeros<unsigned char>(t.bytes());
    auto const done = m.launch("store_image", {1}, {64}, arguments{t.map(in.address()), place{}});
    REQUIRE(done.error);
    CHECK(done.error->message().find("cuTensorMapEncodeIm2col") != std::string::npos);
    auto const with = [&](auto change) {
        std::array<int, 2> lower{-128, 0}, upper{127, 0};
        auto asked = t.asked(0x1000);
        sim::image_columns columns{lower.data(), upper.data(), 16, 1024};
        change(asked, columns, lower);
        sim::tensor_map made;
        return sim::encode_image(asked, columns, made);
    };
    using lower_corner = std::array<int, 2>;
    using enum tensor_map_status;
    CHECK(with([](sim::tiled_tensor&, sim::image_columns&, lower_corner&) {}) == good);
    CHECK(with([](sim::tiled_tensor& a, sim::image_columns&, lower_corner&) { a.rank = 2; }) == invalid);
    CHECK(with([](sim::tiled_tensor&, sim::image_columns& c, lower_corner&) { c.pixels = 1025; }) == invalid);
    CHECK(with([](sim::tiled_tensor&, sim::image_columns& c, lower_corner&) { c.channels = 257; }) == invalid);
    CHECK(with([](sim::tiled_tensor&, sim::image_columns& c, lower_corner&) { c.upper = nullptr; }) == invalid);
    CHECK(with([](sim::tiled_tensor&, sim::image_columns&, lower_corner& l) { l[0] = -129; }) == invalid);
}

TEST_CASE("the driver's rules for tensor maps are kept") {
    sim::tensor_map made;
    auto const with = [&](auto change) {
        tensor t{6, 2, {40, 30}, {16, 8}, {}, 0, 0, {}};
        t.complete();
        auto asked = t.asked(0x1000);
        change(t, asked);
        return sim::encode_tiled(asked, made);
    };
    using enum tensor_map_status;
    CHECK(with([](tensor&, sim::tiled_tensor&) {}) == good);
    CHECK(with([](tensor&, sim::tiled_tensor& a) { a.address += 8; }) == invalid);
    CHECK(with([](tensor&, sim::tiled_tensor& a) { a.rank = 6; }) == invalid);
    CHECK(with([](tensor&, sim::tiled_tensor& a) { a.rank = 0; }) == invalid);
    CHECK(with([](tensor& t, sim::tiled_tensor&) { t.box[0] = 4; }) == invalid); // 8 bytes
    CHECK(with([](tensor& t, sim::tiled_tensor&) { t.box[1] = 257; }) == invalid);
    CHECK(with([](tensor& t, sim::tiled_tensor&) { t.sizes[1] = 0; }) == invalid);
    CHECK(with([](tensor& t, sim::tiled_tensor&) { t.strides[1] += 8; }) == invalid);
    CHECK(with([](tensor& t, sim::tiled_tensor&) { t.steps[1] = 9; }) == invalid);
    CHECK(with([](tensor& t, sim::tiled_tensor& a) { t.box[0] = 32, a.swizzle = 1; }) == invalid); // 64 bytes in 32
    CHECK(with([](tensor&, sim::tiled_tensor& a) { a.data_type = 0, a.fill = 1; }) == invalid);    // no NaN of integers
    CHECK(with([](tensor&, sim::tiled_tensor& a) { a.data_type = 16; }) == invalid);
    CHECK(with([](tensor&, sim::tiled_tensor& a) { a.data_type = 13; }) == invalid); // of 4 bits: an H200 refuses them
    CHECK(with([](tensor&, sim::tiled_tensor& a) { a.swizzle = 4; }) == invalid);    // swizzles of atoms, too
    CHECK(with([](tensor&, sim::tiled_tensor& a) { a.interleave = 1; }) == invalid); // of two dimensions
}

} // namespace kernels_tensor_maps_test
