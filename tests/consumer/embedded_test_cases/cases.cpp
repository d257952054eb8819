// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the driver, as a CUDA program makes them.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <string>

#include <dlfcn.h>

template <class Function>
static Function driver(char const* name) {
    static void* const library = ::dlopen("libcuda.so.1", RTLD_NOW);
    REQUIRE(library != nullptr);
    return reinterpret_cast<Function>(::dlsym(library, name));
}

TEST_CASE("counts devices") {
    int devices = 0;
    CHECK(driver<int (*)(unsigned)>("cuInit")(0) == 0);
    CHECK(driver<int (*)(int*)>("cuDeviceGetCount")(&devices) == 0);
    CHECK(devices == 1);
}

TEST_CASE("knows its name") {
    char name[100] = "";
    CHECK(driver<int (*)(unsigned)>("cuInit")(0) == 0);
    CHECK(driver<int (*)(char*, int, int)>("cuDeviceGetName")(name, sizeof name, 0) == 0);
    CHECK(std::string{name}.find("GV100") != std::string::npos);
}
