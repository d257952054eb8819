// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding and loading libcuda and libcupti: order, bad input, every CUPTI release to be had. Needs no GPU. Libraries are
// loaded in child processes, so that no test case sees what another one mapped.
#include <gpuprof/hw/machine/library_search.hpp>
#include <gpuprof/hw/machine/library.hpp>
#include <gpuprof/hw/machine/machine.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "support/sanitized.hpp"
#include "support/system.hpp"

namespace machine_test {

namespace {

namespace hw = gpuprof::hw;
using gpuprof::errc;

// What `body` returns, computed in a child process; "died" if the child crashed.
std::string in_child(std::function<std::string()> const& body) {
#if defined(_WIN32)
    return body(); // CTest runs each test case as a program of its own
#else
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    pid_t const child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        std::string const text = body();
        bool const whole = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
        _exit(whole ? 0 : 1);
    }
    close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : "died";
#endif
}

hw::load_options cupti_at(std::string path) {
    hw::load_options options;
    options.cupti_path = std::move(path);
    return options;
}

// The message of the error that loading CUPTI from a path ends in.
std::string refusal_of(std::string const& path) {
    return in_child([&] {
        auto const loaded = hw::try_load_machine(cupti_at(path));
        if (loaded) return std::string{"loaded"};
        return loaded.error().code == errc::unavailable ? loaded.error().message() : "wrong code";
    });
}

// A process keeps the first CUPTI that it maps, and none is refused after that. Under CTest each case has a process of its own.
bool is_too_late_to_refuse() {
    std::ifstream maps{"/proc/self/maps"};
    std::string const all{std::istreambuf_iterator<char>{maps}, {}};
    if (all.find("libcupti") == std::string::npos) return false;
    MESSAGE("skipped: another case of this process has mapped a libcupti");
    return true;
}

bool contains(std::string const& text, std::string_view part) { return text.find(part) != std::string::npos; }

struct scratch_file {
    std::string directory = new_directory("gpuprof-loader-");
    std::string path = directory + "/library.so";
    explicit scratch_file(std::string const& content) {
        REQUIRE_FALSE(directory.empty());
        std::ofstream{path, std::ios::binary} << content;
    }
    scratch_file(scratch_file const&) = delete;
    scratch_file& operator=(scratch_file const&) = delete;
    ~scratch_file() { std::filesystem::remove_all(directory); }
};

std::string content_of(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

// The file of a shared library every process has: it is one, and it is not CUPTI.
std::string c_library() { return gpuprof::platform::library_path_at(gpuprof::platform::find_visible_symbol("abort")); }

std::string wheel(char const* release) {
    auto const root = gpuprof::platform::variable_or_empty("GPUPROF_CUPTI_WHEELS");
    std::string const path = root + '/' + release;
    return !root.empty() && std::ifstream{path + "/.complete"} ? path : std::string{};
}

} // namespace

TEST_CASE("an empty path is refused by that name") {
    if (is_too_late_to_refuse()) return;
    CHECK(contains(refusal_of(""), "the path is empty"));
}

TEST_CASE("a path with a NUL inside is refused, not cut short") {
    if (is_too_late_to_refuse()) return;
    CHECK(contains(refusal_of(std::string{"/tmp\0/x", 7}), "the path contains a NUL character"));
}

TEST_CASE("a path of 10000 characters is refused with a message a person can read") {
    if (is_too_late_to_refuse()) return;
    auto const message = refusal_of(std::string(10000, 'a'));
    CHECK(contains(message, "(10000 characters)"));
    CHECK(message.size() < 1000);
}

TEST_CASE("a path to nothing, to a directory without a library and to a device are told apart") {
    if (is_too_late_to_refuse()) return;
    CHECK(contains(refusal_of("/nonexistent/libcupti.so"), "no such file"));
    CHECK(contains(refusal_of("/"), "it is a directory without such a library"));
    CHECK(contains(refusal_of(null_device), "it is not a regular file"));
}

TEST_CASE("a text file is not a shared library") {
    if (is_too_late_to_refuse()) return;
    scratch_file const text{"this is not a library, however long it goes on: " + std::string(4096, '.')};
    CHECK(contains(refusal_of(text.path), "it is not a shared library"));
}

TEST_CASE("a library cut at any length is refused and the process goes on") {
    if (is_too_late_to_refuse()) return;
    auto const whole = content_of(c_library());
    REQUIRE(whole.size() > 65536);
    for (std::size_t const length : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{500},
                                     std::size_t{4096}, std::size_t{65536}}) { // all within what is loaded
        CAPTURE(length);
        scratch_file const cut{whole.substr(0, length)};
        auto const message = refusal_of(cut.path);
        CHECK(contains(message, "unavailable"));
        bool const named = contains(message, "it is truncated") || contains(message, "it is not a shared library");
        CHECK(named);
    }
}

TEST_CASE("a library that is not CUPTI is refused for what it lacks") {
    if (is_too_late_to_refuse()) return;
    CHECK(contains(refusal_of(c_library()), "it is not a CUPTI library"));
}

TEST_CASE("a path for the driver is held to the same") {
    auto const message = in_child([] {
        hw::load_options options;
        options.driver_path = c_library();
        auto const loaded = hw::try_load_machine(options);
        return loaded ? std::string{"loaded"} : loaded.error().message();
    });
    CHECK(contains(message, "it is not a CUDA driver library"));
    CHECK(contains(message, "GPUPROF_CUDA_PATH"));
}

TEST_CASE("a name in the environment binds: if it is wrong, nothing else is loaded in its place") {
    if (is_too_late_to_refuse()) return;
    auto const text = in_child([] {
        setenv("GPUPROF_CUPTI_PATH", "/nonexistent/libcupti.so", 1);
        auto const loaded = hw::try_load_machine({});
        if (!loaded || !loaded->cupti_error || loaded->cupti.GetVersion != nullptr) return std::string{"wrong"};
        auto const& tried = loaded->cupti_library.tried;
        if (tried.size() != 1 || tried[0].where != hw::found_by::environment) return std::string{"wrong attempts"};
        return loaded->cupti_error->message();
    });
    CHECK(contains(text, "\"/nonexistent/libcupti.so\" (environment): no such file"));
}

TEST_CASE("a machine without CUDA says why each half is unavailable") {
    if (is_too_late_to_refuse()) return;
    auto const text = in_child([] {
        setenv("GPUPROF_CUDA_PATH", "/nonexistent/libcuda.so.1", 1);
        setenv("GPUPROF_CUPTI_PATH", "/nonexistent/libcupti.so", 1);
        auto const& machine = hw::real_machine();
        bool null = true;
        gpuprof::abi::for_each_symbol(machine.driver, [&](char const*, auto const& call) { null &= call == nullptr; });
        gpuprof::abi::for_each_symbol(machine.cupti, [&](char const*, auto const& call) { null &= call == nullptr; });
        if (!null || &machine != &hw::real_machine()) return std::string{"wrong"};
        return hw::unavailable_call(machine, "cuInit").message() + '\n' +
               hw::unavailable_call(machine, "cuptiGetVersion").message();
    });
    CHECK(contains(text, std::string{"unavailable: the CUDA driver, "} + hw::driver_file + ", could not be loaded"));
    CHECK(contains(text, "unavailable: CUPTI could not be loaded"));
}

TEST_CASE("file names of repackaged libraries are known, those of other libraries are not") {
    CHECK(hw::is_named_so("libcupti.so", "libcupti"));
    CHECK(hw::is_named_so("libcupti.so.2025.3.1", "libcupti"));
    CHECK(hw::is_named_so("libcupti-1a2b3c4d.so.12", "libcupti"));
    CHECK_FALSE(hw::is_named_so("libcupti_static.a", "libcupti"));
    CHECK_FALSE(hw::is_named_so("libcudart.so.13", "libcuda"));
    CHECK_FALSE(hw::is_named_so("libcudadebugger.so.1", "libcuda"));
    CHECK(hw::is_named_dll("nvcuda.dll", "nvcuda"));
    CHECK(hw::is_named_dll("NvCuda.DLL", "nvcuda"));
    CHECK(hw::is_named_dll("cupti64_2025.3.1.dll", "cupti64"));
    CHECK_FALSE(hw::is_named_dll("cupti64_2025.3.1.lib", "cupti64"));
    CHECK_FALSE(hw::is_named_dll("nvcudadebugger.dll", "nvcuda"));
    CHECK_FALSE(hw::is_named_dll(".dll", "nvcuda"));
}

TEST_CASE("toolkits are ordered by number, not by letter") {
    CHECK(hw::version_less("cuda-12.9", "cuda-12.10"));
    CHECK(hw::version_less("cuda-9.2", "cuda-12.0"));
    CHECK(hw::version_less("libcupti.so", "libcupti.so.12"));
    CHECK_FALSE(hw::version_less("cuda-13.0", "cuda-13.0"));
    CHECK_FALSE(hw::version_less("cuda-13.0", "cuda-12.9"));
}

TEST_CASE("version numbers of CUPTI read as releases of CUDA") {
    CHECK(hw::cupti_version_text(18) == "11.8, 12.0 or 12.1"); // the headers of all three define 18
    CHECK(hw::cupti_version_text(24) == "12.6");
    CHECK(hw::cupti_version_text(130001) == "13.0");
    CHECK(hw::cupti_version_text(130500) == "13.5");
    CHECK(hw::cupti_version_text(99) == "API 99");
    CHECK(hw::cupti_release(18) == 11);
    CHECK(hw::cupti_release(28) == 12);
    CHECK(hw::cupti_release(130001) == 13);
}

TEST_CASE("every CUPTI release loads from its wheel, and lacks exactly what came later") {
    struct expectation {
        char const* release;
        int version;            // CUPTI_API_VERSION in the header of the same wheel
        std::size_t host_calls; // of the 13 host and 12 range profiler calls, which came with 12.6
    };
    bool any = false;
    for (auto const& expected : {expectation{"11.8", 18, 0}, expectation{"12.0", 18, 0}, expectation{"12.6", 24, 25},
                                 expectation{"12.9", 28, 25}, expectation{"13.0", 130001, 25}}) {
        auto const path = wheel(expected.release);
        if (path.empty()) continue;
        any = true;
        CAPTURE(expected.release);
        auto const text = in_child([&] {
            auto const loaded = hw::try_load_machine(cupti_at(path));
            if (!loaded) return loaded.error().message();
            std::size_t calls = 0;
            gpuprof::abi::for_each_symbol(loaded->cupti, [&](std::string_view symbol, auto const& call) {
                bool const late = symbol.starts_with("cuptiProfilerHost") || symbol.starts_with("cuptiRangeProfiler");
                calls += late && call != nullptr;
            });
            auto const& report = loaded->cupti_library;
            bool const listed = (calls == 0) == (report.missing.size() >= 25);
            return std::to_string(report.version) + ' ' + std::to_string(calls) + ' ' +
                   std::string{hw::name(report.how)} + (listed ? "" : " report differs from table") +
                   (report.path.starts_with(path) ? "" : " " + report.path);
        });
        CHECK(text == std::to_string(expected.version) + ' ' + std::to_string(expected.host_calls) + " explicit path");
    }
    if (!any) MESSAGE("skipped: GPUPROF_CUPTI_WHEELS names no directory filled by tests/setup/fetch_cupti_wheels.sh");
}

TEST_CASE("a call that an old CUPTI lacks is explained by version, file and remedy") {
    auto const path = wheel("11.8");
    if (path.empty()) {
        MESSAGE("skipped: no CUPTI 11.8 wheel");
        return;
    }
    auto const text = in_child([&] {
        auto const loaded = hw::try_load_machine(cupti_at(path));
        if (!loaded) return loaded.error().message();
        return hw::unavailable_call(*loaded, "cuptiProfilerHostInitialize").message();
    });
    CHECK(contains(text, "unavailable: cuptiProfilerHostInitialize is not in " + path));
    CHECK(contains(text, "this is CUPTI 11.8"));
    CHECK(contains(text, "12.6 or later"));
}

TEST_CASE("a libcupti that is mapped already is reused, whatever path is asked for") {
    auto const first = wheel("12.6");
    auto const second = wheel("12.9");
    if (first.empty() || second.empty()) {
        MESSAGE("skipped: needs the CUPTI 12.6 and 12.9 wheels");
        return;
    }
    auto const text = in_child([&] {
        if (!hw::try_load_machine(cupti_at(first))) return std::string{"first failed"};
        auto const again = hw::try_load_machine(cupti_at(second));
        if (!again) return again.error().message();
        return std::string{hw::name(again->cupti_library.how)} + ' ' + std::to_string(again->cupti_library.version);
    });
    CHECK(text == "already mapped 24");
}

TEST_CASE("CUPTI uses the nvperf library beside it once that was opened, not the dynamic linker's choice") {
    if (sanitized) {
        MESSAGE("skipped: CUPTI opens it with RTLD_DEEPBIND, which sanitizers end the process for");
        return;
    }
    auto const path = wheel("12.6");
    if (path.empty()) {
        MESSAGE("skipped: no CUPTI 12.6 wheel");
        return;
    }
    auto const text = in_child([&] {
        auto const loaded = hw::try_load_machine(cupti_at(path));
        if (!loaded) return loaded.error().message();
        hw::open_companion(loaded->cupti_library, "libnvperf_host.so");
        gpuprof::abi::CUpti_Profiler_Host_Initialize_Params init;
        init.pChipName = "GA100";
        if (loaded->cupti.ProfilerHostInitialize(&init) != gpuprof::abi::CUPTI_SUCCESS)
            return std::string{"host failed"};
        std::string mapped;
        std::ifstream maps{"/proc/self/maps"};
        for (std::string line; std::getline(maps, line);)
            if (auto const at = line.find('/'); at != std::string::npos && contains(line, "libnvperf_host"))
                if (!contains(mapped, line.substr(at))) mapped += line.substr(at) + '\n';
        return mapped;
    });
    CHECK(text == path + "/nvidia/cuda_cupti/lib/libnvperf_host.so\n");
}

} // namespace machine_test
