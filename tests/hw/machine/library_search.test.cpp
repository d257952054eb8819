// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/library_search.hpp: whose word counts when libraries are looked for, and in which order.
#include <gpuprof/hw/machine/library_search.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gpuprof/hw/machine/library_table.hpp>
#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/hw/counters/config_cache.hpp>

#if !defined(_WIN32)
#include <sys/auxv.h>
#endif

#include "support/child_program.hpp"
#include "support/scratch_directory.hpp"

namespace library_search_test {

namespace hw = gpuprof::hw;
namespace platform = gpuprof::platform;

namespace {

void write(std::string const& path, std::string const& content = "no library") {
    std::filesystem::create_directories(std::filesystem::path{path}.parent_path());
    REQUIRE(platform::write_file(path, content));
}

std::string const cupti_file = platform::is_windows ? "cupti64_2025.3.1.dll" : "libcupti.so.13";
std::string const in_toolkit = "/toolkit/extras/CUPTI/lib64/" + cupti_file;

class working_directory {
public:
    explicit working_directory(std::string const& path) : before_{std::filesystem::current_path()} {
        std::filesystem::current_path(path);
    }
    ~working_directory() { std::filesystem::current_path(before_); }
    working_directory(working_directory const&) = delete;
    working_directory& operator=(working_directory const&) = delete;

private:
    std::filesystem::path before_;
};

// Which of the variables that name code or files have an effect: a bit each; 32 where the program has more rights than its
// caller.
enum effects { driver = 1, cupti = 2, toolkits = 4, cache = 8, more_rights = 32 };

#if !defined(_WIN32)
int effects_of_the_environment() {
    int found = ::getauxval(AT_SECURE) != 0 ? more_rights : 0;
    if (!gpuprof::detail::named_candidates({}, "GPUPROF_CUDA_PATH", "libcuda").empty()) found |= driver;
    if (!gpuprof::detail::named_candidates({}, "GPUPROF_CUPTI_PATH", "libcupti").empty()) found |= cupti;
    for (auto const& each : hw::cupti_candidates(""))
        if (each.path.find("/toolkit_of_the_caller/") != std::string::npos) found |= toolkits;
    if (hw::config_cache::shared().path("key").find("/cache_of_the_caller/") != std::string::npos) found |= cache;
    return found;
}
#endif

} // namespace

#if !defined(_WIN32)
TEST_CASE("a program with rights that its caller lacks loads nothing and believes nothing that its caller names") {
    scratch_directory const here;
    std::filesystem::permissions(here.path(), std::filesystem::perms{0755});
    for (char const* const toolkit : {"1", "2", "3", "4"})
        write(here.path() + "/toolkit_of_the_caller/" + toolkit + "/lib64/libcupti.so");
    std::string const toolkit = here.path() + "/toolkit_of_the_caller/";
    test::variables const environment{{"GPUPROF_CUDA_PATH", "/of/the/caller/libcuda.so.1"},
                                      {"GPUPROF_CUPTI_PATH", "/of/the/caller/libcupti.so"},
                                      {"CUDA_HOME", toolkit + '1'},
                                      {"CUDA_PATH", toolkit + '2'},
                                      {"CUDA_ROOT", toolkit + '3'},
                                      {"CONDA_PREFIX", toolkit + '4'},
                                      {"GPUPROF_CACHE_DIR", here.path() + "/cache_of_the_caller"}};
    char const* const told = "tells what the environment names";
    CHECK(test::run_test_case(told, environment) == (driver | cupti | toolkits | cache));
    std::string const program = test::copy_with_more_rights(here.path());
    int const found = program.empty() ? 0 : test::run_test_case(told, environment, program);
    if ((found & more_rights) == 0) {
        MESSAGE("skipped: this user, or this file system, cannot give a program more rights");
        return;
    }
    CHECK(found == more_rights);
}
#endif

#if !defined(_WIN32)
TEST_CASE("tells what the environment names" * doctest::skip()) { std::_Exit(effects_of_the_environment()); }
#endif

TEST_CASE("toolkits come before what lies beside the driver, which LD_LIBRARY_PATH may have named") {
    scratch_directory const here;
    write(here.path() + "/driver/" + cupti_file);
    write(here.path() + in_toolkit);
    ::setenv("CUDA_HOME", (here.path() + "/toolkit").c_str(), 1);
    auto const list = hw::cupti_candidates(here.path() + "/driver/" + hw::driver_file);
    ::unsetenv("CUDA_HOME");
    REQUIRE_FALSE(list.empty());
    CHECK(list.front().path == here.path() + in_toolkit);
    CHECK(list.front().where == hw::found_by::toolkit);
    auto const beside = std::find_if(list.begin(), list.end(),
                                     [](auto const& each) { return each.where == hw::found_by::next_to_driver; });
    REQUIRE(beside != list.end());
    CHECK(beside->path == here.path() + "/driver/" + cupti_file);
    CHECK(std::is_sorted(list.begin(), list.end(), [](auto const& a, auto const& b) { return a.where < b.where; }));
}

TEST_CASE("a name without a slash is the dynamic linker's, whatever lies in the working directory") {
    scratch_directory const here;
    write(here.path() + "/libgpuprof_of_nobody.so");
    write(here.path() + in_toolkit);
    working_directory const inside{here.path()};
    for (char const* const name : {"libgpuprof_of_nobody.so", "toolkit"}) {
        CAPTURE(std::string{name});
        std::vector<hw::candidate> list;
        hw::add_named(list, hw::found_by::explicit_path, name, hw::cupti_stem);
        REQUIRE(list.size() == 1);
        CHECK(list[0].path == name);
        hw::library_report report;
        CHECK(gpuprof::detail::open_candidate(list[0], report) == nullptr);
        REQUIRE(report.tried.size() == 1);
        // The linker's own words on what it did not find.
        CHECK(report.tried[0].reason.find(name) == 0);
        if (!platform::is_windows)
            CHECK(report.tried[0].reason.find("cannot open shared object file") != std::string::npos);
    }
    std::vector<hw::candidate> list;
    hw::add_named(list, hw::found_by::explicit_path, "./toolkit", hw::cupti_stem); // said to be here
    REQUIRE(list.size() == 1);
    CHECK(list[0].path == "." + in_toolkit);
}

TEST_CASE("the dynamic linker's words are made printable") {
    hw::library_report report;
    CHECK(gpuprof::detail::open_candidate({hw::found_by::explicit_path, "lib\x1b[31m\ngpuprof, all is well.so"},
                                          report) == nullptr);
    REQUIRE(report.tried.size() == 1);
    for (char const c : report.tried[0].reason) CHECK(static_cast<unsigned char>(c) >= 0x20);
    CHECK(report.tried[0].reason.find("lib?[31m?gpuprof") != std::string::npos);
}

constexpr int survived = 42;

#if !defined(_WIN32)
TEST_CASE("a truncated driver on the linker's way is named, and the process lives") {
    scratch_directory const here;
    auto const whole = platform::read_file(platform::library_path_at(platform::find_visible_symbol("abort"))).value();
    write(here.path() + "/libcuda.so.1", whole.substr(0, 65'536));
    CHECK(test::run_test_case("loads the driver of LD_LIBRARY_PATH", {{"LD_LIBRARY_PATH", here.path()}}) == survived);
}
#endif

#if !defined(_WIN32)
TEST_CASE("loads the driver of LD_LIBRARY_PATH" * doctest::skip()) {
    hw::load_options options;
    options.reuse_mapped = false;
    options.with_cupti = false;
    auto const loaded = hw::try_load_machine(options);
    REQUIRE(loaded);
    auto const& tried = loaded->driver_library.tried;
    if (!tried.empty() && tried[0].reason.find("it is truncated") != std::string::npos) std::_Exit(survived);
}
#endif

} // namespace library_search_test
