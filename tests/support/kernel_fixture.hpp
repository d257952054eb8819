// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads the committed PTX kernels, gives them arrays in device memory and launches them, with the counters that the
// driver table launches them with. Test support.
#ifndef GPUPROF_TESTS_SUPPORT_KERNEL_FIXTURE_HPP
#define GPUPROF_TESTS_SUPPORT_KERNEL_FIXTURE_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "sim/chip/gh100.hpp"
#include "sim/counters/raw_counter.hpp"
#include "sim/code/launch.hpp"
#include "sim/decode/program.hpp"

namespace gpuprof_test {
namespace sim = gpuprof::sim;

// The text of tests/kernels/<name>.
inline std::string read_kernel_file(std::string const& name) {
    std::ifstream in{std::string{GPUPROF_TEST_SOURCE_DIR} + "/kernels/" + name, std::ios::binary};
    REQUIRE(in.good());
    return {std::istreambuf_iterator<char>{in}, {}};
}

// An array in device memory and the host's view of it.
template <class T>
class device_array {
public:
    device_array(sim::device_memory& memory, std::vector<T> const& values) : size_{values.size()} {
        address_ = memory.allocate(size_ * sizeof(T)).value();
        data_ = reinterpret_cast<T*>(memory.translate(address_, size_ * sizeof(T)));
        std::memcpy(data_, values.data(), size_ * sizeof(T));
    }
    [[nodiscard]] std::uint64_t address() const { return address_; }
    [[nodiscard]] T const& operator[](std::size_t i) const { return data_[i]; }
    [[nodiscard]] std::vector<T> values() const { return {data_, data_ + size_}; }

private:
    std::uint64_t address_;
    T* data_;
    std::size_t size_;
};

// Kernel arguments laid out as the parameters are: each at the next multiple of its alignment.
class arguments {
public:
    template <class... T>
    explicit arguments(T const&... values) {
        (add(values), ...);
    }
    [[nodiscard]] std::span<std::byte const> bytes() const { return bytes_; }

private:
    template <class T>
    void add(device_array<T> const& a) {
        add(a.address());
    }
    template <class T>
    void add(T const& value) {
        bytes_.resize((bytes_.size() + alignof(T) - 1) / alignof(T) * alignof(T));
        auto const at = bytes_.size();
        bytes_.resize(at + sizeof value);
        std::memcpy(bytes_.data() + at, &value, sizeof value);
    }
    std::vector<std::byte> bytes_;
};

struct counted_launch {
    sim::launch_result result;
    sim::counter_values counted;
};

// Executes a kernel on a GH100, one CTA on an SM at a time, with an L2 cache that holds nothing.
counted_launch execute_counted(sim::kernel const& kernel, sim::launch_config const& config, sim::device_memory& memory,
                               sim::execution_options const& options = {});

struct ptx_text {
    std::string text;
};
struct machine {
    explicit machine(std::string const& file) : machine{ptx_text{read_kernel_file(file)}} {}
    explicit machine(ptx_text const& ptx) : program{sim::program::load(ptx.text, memory).value()} {}

    template <class T>
    [[nodiscard]] device_array<T> array(std::vector<T> const& values) {
        return {memory, values};
    }
    template <class T>
    [[nodiscard]] device_array<T> zeros(std::size_t n) {
        return {memory, std::vector<T>(n)};
    }

    sim::launch_result launch(std::string const& name, sim::extent3 grid, sim::extent3 block, arguments const& with,
                              std::uint32_t dynamic_shared = 0) {
        sim::kernel const* const k = program.find_kernel(name);
        REQUIRE(k != nullptr);
        sim::launch_config config{grid, block, dynamic_shared, with.bytes(), cooperative};
        config.cluster = cluster;
        auto done = execute_counted(*k, config, memory, options);
        counted = done.counted;
        return std::move(done.result);
    }
    // Runs and fails the test if the kernel does not end well.
    void run(std::string const& name, sim::extent3 grid, sim::extent3 block, arguments const& with,
             std::uint32_t dynamic_shared = 0) {
        auto const done = launch(name, grid, block, with, dynamic_shared);
        INFO((done.error ? done.error->message() : std::string{}));
        REQUIRE(!done.error);
    }

    sim::device_memory memory;
    sim::program program;
    sim::execution_options options;
    sim::counter_values counted; // by the latest launch
    bool cooperative = false;
    sim::extent3 cluster{0, 0, 0}; // of launches; 0: none
};

// Values spread over a range, the same in every run.
template <class T>
std::vector<T> spread(std::size_t n, double low, double high, unsigned seed = 1) {
    std::mt19937 generator{seed};
    std::vector<T> values(n);
    for (auto& v : values) {
        double const unit = static_cast<double>(generator()) / 4294967296.0;
        v = static_cast<T>(low + (high - low) * unit);
    }
    return values;
}

// Floating numbers by their bits, of every magnitude, with zeros, infinities, subnormals and NaN among them.
template <class T>
std::vector<T> wild(std::size_t n, unsigned seed) {
    std::mt19937_64 generator{seed};
    std::vector<T> values(n);
    for (auto& v : values) {
        auto bits = generator();
        if (generator() % 8 == 0) bits &= 0x8000'0000'8000'0000; // zeros
        if (generator() % 16 == 0) bits = 0x7ff0'0000'7f80'0000; // infinities
        std::memcpy(&v, &bits, sizeof v);
    }
    return values;
}

// Equal bit for bit, but any NaN equals any NaN.
template <class T>
bool same_number(T a, T b) {
    return (a != a && b != b) || std::memcmp(&a, &b, sizeof a) == 0;
}

} // namespace gpuprof_test

#endif // GPUPROF_TESTS_SUPPORT_KERNEL_FIXTURE_HPP
