// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/activity_table.hpp: sums by arithmetic of the test, and the text to the character.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/io/activity_table.hpp>
#include <gpuprof/io/call_names.hpp>

namespace activity_table_test {

namespace activity = gpuprof::activity;
namespace cupti = gpuprof::abi;
using gpuprof::io::activity_group;
using gpuprof::io::activity_line;
using gpuprof::io::activity_summary;

namespace {

activity::kernel kernel(std::string_view name, std::uint64_t length, std::int32_t grid = 64) {
    activity::kernel made;
    made.name = name;
    made.time = {{1000}, {1000 + length}};
    made.grid = {grid, 1, 1};
    made.block = {256, 1, 1};
    return made;
}

activity::memcpy copy(activity::memcpy_kind direction, double size, std::uint64_t length) {
    activity::memcpy made;
    made.direction = direction;
    made.size = gpuprof::bytes{size};
    made.time = {{1000}, {1000 + length}};
    return made;
}

// What a batch of a tracer tells a summary: records, and the scope of each call.
struct paper_batch {
    std::vector<activity::kernel> kernels;
    template <class F>
    void visit(F&& f) const {
        for (auto const& each : kernels) f(each);
    }
    [[nodiscard]] std::uint64_t scope_of(std::uint32_t correlation) const { return correlation / 10; }
    [[nodiscard]] std::uint64_t scope_of(activity::kernel const& of) const { return scope_of(of.correlation); }
    [[nodiscard]] std::string scope_path(std::uint64_t number) const { return "scope " + std::to_string(number); }
};

} // namespace

TEST_CASE("lines of a summary are sums, the longest of a group first") {
    activity_summary summary;
    summary.add(kernel("_Z4fillIfEvPT_S0_", 2000));
    summary.add(activity::record{kernel("_Z4fillIfEvPT_S0_", 6500, 65)});
    summary.add(kernel("big", 20'000));
    summary.add(copy(activity::memcpy_kind::host_to_device, 64'000, 1000));
    summary.add(copy(activity::memcpy_kind::host_to_device, 32'000, 500));
    activity::memset set;
    set.memory = activity::memory_kind::device;
    set.size = gpuprof::bytes{16};
    set.time = {{10}, {10}};
    summary.add(set);
    activity::api_call call;
    call.kind = cupti::CUPTI_ACTIVITY_KIND_DRIVER;
    call.callback = 307;
    call.time = {{1}, {4}};
    summary.add(call);
    summary.add(activity::nvlink{}); // no time
    summary.add(kernel("lost", 0));  // a time of 0 is one
    auto unknown = kernel("unknown", 5);
    unknown.time.end = {};
    summary.add(unknown);

    auto const lines = summary.lines();
    REQUIRE(lines.size() == 6);
    CHECK(lines[0].name == "big");
    CHECK(lines[1].name == "void fill<float>(float*, float)");
    CHECK(lines[1].count == 2);
    CHECK(lines[1].total == 8500);
    CHECK(lines[1].least == 2000);
    CHECK(lines[1].most == 6500);
    CHECK_FALSE(lines[1].grid.has_value());
    CHECK(lines[1].block == activity::dimensions{256, 1, 1});
    CHECK(lines[2].name == "lost");
    CHECK(lines[3].group == activity_group::copy);
    CHECK(lines[3].bytes == 96'000);
    CHECK(lines[3].total == 1500);
    CHECK(lines[4].group == activity_group::set);
    CHECK(lines[5].name == "cuLaunchKernel");
    CHECK(summary.gpu_time() == 20'000 + 8500 + 1500);
    CHECK(summary.without_time() == 1);
}

TEST_CASE("the table shows totals, shares and bandwidths") {
    activity_summary summary;
    summary.add(kernel("a", 20'000));
    summary.add(kernel("b", 10'000, 3));
    summary.add(kernel("b", 1000, 4));
    summary.add(copy(activity::memcpy_kind::host_to_device, 1'000'000, 69'000)); // 14.4927… GB/s
    CHECK(gpuprof::io::table(summary) ==                                         // 100 us in all
          "kernel  count  total us  mean us  min us  max us   share  grid     block\n"
          "a           1    20.000   20.000  20.000  20.000  20.0 %  64x1x1   256x1x1\n"
          "b           2    11.000    5.500   1.000  10.000  11.0 %  various  256x1x1\n"
          "\n"
          "copy            count  total us  mean us  min us  max us      bytes   GB/s   share\n"
          "host to device      1    69.000   69.000  69.000  69.000  1,000,000  14.49  69.0 %\n");
    CHECK(gpuprof::io::table(activity_summary{}).empty());
}

TEST_CASE(
    "long names of kernels show where they differ, and calls of the runtime have no version, in the table alone") {
    std::string const begin = "void (anonymous namespace)::apply_to_many_tensors<(anonymous namespace)::Metadata<3>, ";
    std::string const end =
        "<float, 3, 2, 2>, (anonymous namespace)::Copy<float> >(Metadata<3>, Operation, float, float)";
    activity_summary summary;
    for (std::string_view const functor : {"Binary", "Pointwise", "Unary"})
        summary.add(kernel(begin + std::string{functor} + end, 1000));
    activity::api_call call;
    call.kind = cupti::CUPTI_ACTIVITY_KIND_RUNTIME;
    call.callback = 211; // cudaLaunchKernel_v7000
    call.time = {{1}, {4}};
    summary.add(call);
    std::string const text = gpuprof::io::table(summary);
    for (char const* const functor : {"Binary", "Pointwise", "Unary"}) CHECK(text.find(functor) != text.npos);
    CHECK(text.find("\ncudaLaunchKernel  ") != text.npos);
    CHECK(gpuprof::io::csv(summary).find("cudaLaunchKernel_v7000") != std::string::npos);
    CHECK(gpuprof::io::without_version("cuMemAlloc_v2") == "cuMemAlloc_v2");
    CHECK(gpuprof::io::without_version("cudaMalloc_v3020") == "cudaMalloc");
    CHECK(gpuprof::io::without_version("cudaLaunchKernel_ptsz_v7000") == "cudaLaunchKernel_ptsz");
}

TEST_CASE("shares add up to 100 percent whatever is rounded") {
    for (unsigned kinds : {3u, 7u, 11u, 300u}) {
        activity_summary summary;
        for (unsigned i = 0; i < kinds; ++i) summary.add(kernel("k" + std::to_string(i), 1000 + i % 5));
        summary.add(copy(activity::memcpy_kind::device_to_host, 1, 333));
        std::string const text = gpuprof::io::table(summary, kinds);
        std::uint64_t tenths = 0;
        for (std::size_t at = 0; (at = text.find(" %", at)) != std::string::npos; ++at) {
            tenths += static_cast<std::uint64_t>(text[at - 1] - '0'); // "12.3 %"
            std::uint64_t place = 10;
            for (std::size_t i = at - 2; text[--i] >= '0' && text[i] <= '9'; place *= 10)
                tenths += place * static_cast<std::uint64_t>(text[i] - '0');
        }
        CHECK(tenths == 1000);
    }
}

TEST_CASE("lines beyond the most are summed up in one") {
    activity_summary summary;
    for (unsigned i = 0; i < 10; ++i) summary.add(kernel("k" + std::to_string(i), 1000 * (i + 1)));
    std::string const text = gpuprof::io::table(summary, 2);
    CHECK(text.find("(8 more)      8    36.000    4.500   1.000   8.000") != std::string::npos); // 1 + … + 8 = 36
}

TEST_CASE("names without end do not take memory without end") {
    activity_summary summary;
    constexpr std::size_t many = activity_summary::most_lines + 5000;
    for (std::size_t i = 0; i < many; ++i) summary.add(kernel("k" + std::to_string(i), 10));
    auto const lines = summary.lines();
    REQUIRE(lines.size() == activity_summary::most_lines + 1);
    CHECK(lines[0].name == "(others)");
    CHECK(lines[0].count == 5000);
    CHECK(summary.gpu_time() == 10 * many);
}

TEST_CASE("kernels of a batch are told apart by their scopes") {
    paper_batch batch;
    for (std::uint32_t i = 0; i < 30; ++i) {
        batch.kernels.push_back(kernel("k", 100));
        batch.kernels.back().correlation = i;
    }
    activity_summary summary;
    summary.add(batch);
    auto const lines = summary.lines();
    REQUIRE(lines.size() == 3);
    for (activity_line const& line : lines) CHECK(line.count == 10);
    CHECK(lines[0].scope.empty());
    CHECK(lines[1].scope == "scope 1");
    CHECK(gpuprof::io::table(summary).find("256x1x1  scope 2\n") != std::string::npos);
    CHECK(gpuprof::io::table(summary).find("\n\n" // 10 kernels of 100 ns each
                                           "scope      kernels  copies  sets  total us   share\n"
                                           "scope 1         10       0     0     1.000  33.4 %\n"
                                           "scope 2         10       0     0     1.000  33.3 %\n"
                                           "(in none)       10       0     0     1.000  33.3 %\n") !=
          std::string::npos);
    CHECK(gpuprof::io::csv(summary).find("kernel,k,scope 2,10,1000,100,100,100,,,") != std::string::npos);
}

TEST_CASE("a summary as CSV and JSON has its sums") {
    activity_summary summary{[](cupti::CUpti_ActivityKind, std::uint32_t) -> std::string_view { return "cuInit"; }};
    summary.add(kernel("a,\"b\"", 3000));
    summary.add(copy(activity::memcpy_kind::host_to_device, 500, 1000));
    activity::api_call call;
    call.time = {{1}, {4}};
    summary.add(call);
    CHECK(gpuprof::io::csv(summary) ==
          "group,name,scope,count,total [ns],mean [ns],min [ns],max [ns],bytes [byte],bandwidth [GB/s],share [%],grid,"
          "block\r\n"
          "kernel,\"a,\"\"b\"\"\",,1,3000,3000,3000,3000,,,75,64x1x1,256x1x1\r\n"
          "copy,host to device,,1,1000,1000,1000,1000,500,0.5,25,,\r\n"
          "call,cuInit,,1,3,3,3,3,,,,,\r\n");
    CHECK(
        gpuprof::io::json(summary) ==
        "{\"gpu_time_ns\":4000,\"records_without_time\":0,\"lines\":["
        "{\"group\":\"kernel\",\"name\":\"a,\\\"b\\\"\",\"count\":1,\"total_ns\":3000,\"min_ns\":3000,\"max_ns\":3000,"
        "\"grid\":[64,1,1],\"block\":[256,1,1]},"
        "{\"group\":\"copy\",\"name\":\"host to device\",\"count\":1,\"total_ns\":1000,\"min_ns\":1000,"
        "\"max_ns\":1000,\"bytes\":500},"
        "{\"group\":\"call\",\"name\":\"cuInit\",\"count\":1,\"total_ns\":3,\"min_ns\":3,\"max_ns\":3}],"
        "\"scopes\":[{\"kernels\":1,\"copies\":1,\"sets\":0,\"total_ns\":4000}],\"late_markers\":0}\n");
}

} // namespace activity_table_test
