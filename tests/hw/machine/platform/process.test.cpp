// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/process.hpp: this process is among those that run, under the name that the system gives it.
#include <gpuprof/hw/machine/platform/process.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "support/system.hpp"

namespace process_test {

namespace platform = gpuprof::platform;

TEST_CASE("this program is among the running ones, its name cut where the system cuts it") {
    std::string own = std::filesystem::path{this_program()}.stem().string();
    own.resize(std::min(own.size(), platform::program_name_length));
    std::vector<std::string> const names = platform::running_programs();
    CHECK(std::find(names.begin(), names.end(), own) != names.end());
    for (std::string const& each : names) CHECK(each.find('\n') == std::string::npos);
}

#if !defined(_WIN32)
TEST_CASE("every process is listed: as many as /proc has numbers, but for those that come and go") {
    std::size_t numbers = 0;
    for (auto const& entry : std::filesystem::directory_iterator{"/proc"})
        numbers += entry.path().filename().string().find_first_not_of("0123456789") == std::string::npos;
    std::size_t const listed = platform::running_programs().size();
    CHECK(listed >= numbers / 2);
    CHECK(listed <= numbers * 2 + 10);
}
#endif

#if !defined(_WIN32)
TEST_CASE("the kernel tells its version, and of this process its number and its rights") {
    CHECK(platform::kernel_version().find("Linux version ") == 0);
    std::string const status = platform::process_status();
    CHECK(status.find("\nPid:\t" + std::to_string(::getpid()) + '\n') != std::string::npos);
    CHECK(status.find("\nCapEff:\t") != std::string::npos);
}
#endif

} // namespace process_test
