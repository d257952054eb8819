// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of what is read from nvdisasm's listing of machine code.
#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sim/code/machine_listing.hpp"

namespace machine_listing_test {

using gpuprof::sim::listed_module;
using gpuprof::sim::machine_function;
using gpuprof::sim::read_listing;

// The form of `nvdisasm -c` of CUDA 13.0 for sm_90: two kernels, of which the first calls the slow way of a division.
static constexpr std::string_view listing = R"(	.target	sm_90

	.section	.text.quotient,"ax",@progbits
	.align	128
        .global         quotient
        .type           quotient,@function
quotient:
.text.quotient:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_1:
        /*0010*/                   MUFU.RCP R0, R2 ;
        /*0020*/              @!P0 BRA `(.L_x_0) ;
        /*0030*/                   CALL.REL.NOINC `($__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath) ;
.L_x_0:
        /*0040*/               @P1 BRA `(.L_x_1) ;
        /*0050*/                   EXIT ;
.L_x_2:
        /*0060*/                   BRA `(.L_x_2);
        /*0070*/                   NOP;
        .weak           $__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath
$__internal_0_$__cuda_sm3x_div_rn_noftz_f32_slowpath:
        /*0080*/                   RET.REL.NODEC R4 `(quotient) ;
.L_x_3:
	.section	.nv.info,"",@"SHT_CUDA_INFO"
        /*0000*/ 	.byte	0x04, 0x2f
	.section	.text.other,"ax",@progbits
other:
.text.other:
        /*0000*/                   { IMAD R0, R0, R1, R2 ;
        /*0010*/                   CALL.REL.NOINC `(helper) }
        /*0020*/                   EXIT ;
)";

TEST_CASE("a kernel of a listing has its own instructions, and its branches go to some of them") {
    auto const found = read_listing(listing);
    REQUIRE(found.size() == 2);
    machine_function const& code = found.at("quotient");
    std::vector<std::string> opcodes;
    std::vector<unsigned> targets;
    for (auto const& i : code) opcodes.push_back(i.opcode), targets.push_back(i.target);
    CHECK(opcodes == std::vector<std::string>{"LDC", "MUFU.RCP", "BRA", "CALL.REL.NOINC", "BRA", "EXIT"});
    CHECK(targets == std::vector<unsigned>{0, 0, 5, 0, 2, 0});
    CHECK(code[3].calls_slow_way);
    CHECK(code[2].may_branch);
    CHECK(!code[3].may_branch);
    machine_function const& other = found.at("other");
    REQUIRE(other.size() == 3);
    CHECK(other[0].opcode == "IMAD");
    CHECK(other[1].opcode == "CALL.REL.NOINC");
    CHECK(!other[1].calls_slow_way);
}

TEST_CASE("a listing that is cut anywhere, or damaged, is read as far as it goes") {
    std::size_t read = 0;
    for (std::size_t size = 0; size <= listing.size(); ++size)
        for (auto const& [name, code] : read_listing(listing.substr(0, size))) {
            CHECK(code.size() <= 8);
            for (auto const& i : code) CHECK(i.target <= code.size());
            read += code.size();
        }
    CHECK(read > 1000);
    for (std::size_t at = 0; at < listing.size(); ++at)
        for (char const put : {'\0', ':', ';', '/', '.', '\n', '`'}) {
            std::string damaged{listing};
            damaged[at] = put;
            for (auto const& [name, code] : read_listing(damaged))
                for (auto const& i : code) CHECK(i.target <= code.size());
        }
}

TEST_CASE("a module is listed once, when it is first asked for") {
    std::atomic<unsigned> times{0};
    listed_module const module{[&] {
        ++times;
        return std::string{listing};
    }};
    CHECK(times == 0);
    std::vector<std::thread> threads;
    std::atomic<unsigned> found{0};
    for (unsigned t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            auto const* const code = module.find("quotient");
            if (code != nullptr && code->size() == 6) ++found;
        });
    for (std::thread& each : threads) each.join();
    CHECK(times == 1);
    CHECK(found == 4);
    CHECK(module.find("nobody") == nullptr);
    listed_module const none{[] { return std::string{}; }};
    CHECK(none.find("quotient") == nullptr);
}

} // namespace machine_listing_test
