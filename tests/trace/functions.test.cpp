// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions by names that are checked when this is compiled. Numbers are those of CUPTI's headers;
// tests/abi compares them all.
#include <doctest/doctest.h>

#include <string_view>

#include <gpuprof/trace/functions.hpp>

namespace functions_test {

using namespace gpuprof;

TEST_CASE("functions: a full name is CUPTI's number, an old name the number of the new one") {
    static_assert(static_cast<unsigned>(driver_call<"cuInit">) == 1);
    static_assert(static_cast<unsigned>(driver_call<"cuLaunchKernel">) == 307);
    static_assert(static_cast<unsigned>(driver_call<"cuMemAlloc">) == 29);
    static_assert(static_cast<unsigned>(driver_call<"cuMemAlloc_v2">) == 243);
    static_assert(static_cast<unsigned>(runtime_call<"cudaLaunchKernel_v7000">) == 211);
    static_assert(static_cast<unsigned>(nvtx_call<"nvtxRangePushA">) == 8);
    static_assert(driver_call<"cuStreamCreateForCaptureToCig"> == driver_call<"cuStreamBeginCaptureToCig">);
    static_assert(runtime_call<"cudaMemAdvise_v2_v12020"> == runtime_call<"cudaMemAdvise_v12020">);
}

TEST_CASE("functions: each row is found by its number and by its name, and nothing else is") {
    for (auto const* const table : {&detail::driver_names, &detail::runtime_names, &detail::nvtx_names}) {
        CHECK(table->by_name.size() == table->rows.size());
        for (detail::function_row const& row : table->rows) {
            CHECK(table->find(row.number) == &row);
            CHECK(table->find(std::string_view{row.name}) == &row);
        }
        for (detail::function_row const& alias : table->aliases) {
            CHECK(table->find(std::string_view{alias.name}) == &alias);
            CHECK(table->find(alias.number) != nullptr);
        }
        for (std::string_view const name : {"", "a", "cu", "cuInitial", "nvtx", "zzz"})
            CHECK(table->find(name) == nullptr);
        CHECK(table->find(0u) == nullptr);
        CHECK(table->find(60'000u) == nullptr);
    }
}

TEST_CASE("functions: the nearest name differs in the shortest stretch") {
    auto const nearest = [](detail::function_table const& table, std::string_view name) {
        return detail::nearest_function(table, name);
    };
    CHECK(nearest(detail::driver_names, "cuLaunchKernal") == "cuLaunchKernel");
    CHECK(nearest(detail::driver_names, "cuMemAlloc_v3") == "cuMemAlloc_v2");
    CHECK(nearest(detail::driver_names, "cuMemcpyHtoDAsinc") == "cuMemcpyHtoDAsync");
    CHECK(nearest(detail::runtime_names, "cudaMaloc") == "cudaMalloc_v3020");
    CHECK(nearest(detail::nvtx_names, "nvtxRangePush") == "nvtxRangePushA");
    CHECK(detail::differing_stretch("abcd", "abcd") == 0);
    CHECK(detail::differing_stretch("aa", "aaa") == 1);
    CHECK(detail::differing_stretch("", "abc") == 3);
}

} // namespace functions_test
