// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The video instructions against a GPU: what each form gave there for the same operands (tests/hardware/last_video.txt).
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "support/kernel_fixture.hpp"
#include "support/video_forms.hpp"

namespace kernels_video_test {

using namespace gpuprof_test;

namespace {

// Where the driver's code for capability 9.0 departs from the PTX ISA, which the embedded GPU follows: it saturates sums of
// 32 bits, compares with c by other signs, writes zeros to an upper half, and gives c of an unsigned vmad a sign.
bool may_depart(std::string const& form) {
    auto const has = [&](char const* part) { return form.find(part) != std::string::npos; };
    return has(".sat") || has(".min ") || has(".max ") || has(" d.h1") || has("vmad.u32.u32.u32") ||
           has("vmad.s32.u32.u32");
}

} // namespace

TEST_CASE("video instructions give what an H200 gives, but where its driver departs from PTX") {
    // The forms are the file's: every_form() chooses by random numbers, in the order in which a compiler evaluates.
    std::map<std::string, std::string> of_gpu; // digest by form
    std::vector<std::string> forms;
    std::ifstream file{std::string{GPUPROF_TEST_SOURCE_DIR} + "/hardware/last_video.txt"};
    for (std::string line; std::getline(file, line);)
        if (line.size() > 17 && line[16] == ' ') {
            forms.push_back(line.substr(17));
            of_gpu[forms.back()] = line.substr(0, 16);
        }
    REQUIRE(forms.size() == 1536);
    std::size_t compared = 0, equal = 0, alike = 0;
    constexpr std::size_t in_module = 64;
    for (std::size_t begin = 0; begin < forms.size(); begin += in_module) {
        machine m{ptx_text{video_forms::module(forms, begin, begin + in_module)}};
        auto const operands = m.array(video_forms::operands());
        for (std::size_t i = begin; i < begin + in_module && i < forms.size(); ++i) {
            auto const out = m.zeros<std::uint32_t>(video_forms::threads);
            m.run("f" + std::to_string(i), {1}, {video_forms::threads}, arguments{operands, out});
            char digest[17];
            std::snprintf(digest, sizeof digest, "%016llx",
                          static_cast<unsigned long long>(video_forms::digest(out.values())));
            bool const good = of_gpu[forms[i]] == digest;
            ++compared;
            equal += good;
            if (may_depart(forms[i])) continue;
            INFO(forms[i]);
            CHECK(good);
            ++alike;
        }
    }
    CHECK(compared == forms.size());
    CHECK(alike > 600);
    CHECK(equal >= 1302); // what docs/status.md says
}

} // namespace kernels_video_test
