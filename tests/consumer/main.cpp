// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stranger's program: includes gpuprof in two files, and is the version that the package said it would be.
#include <cstdio>
#include <string>

#include <gpuprof/gpuprof.hpp>

std::string version_in_other_file();

int main() {
    std::string const here = std::to_string(GPUPROF_VERSION_MAJOR) + '.' + std::to_string(GPUPROF_VERSION_MINOR) + '.' +
                             std::to_string(GPUPROF_VERSION_PATCH);
    bool ok = here == version_in_other_file();
#ifdef EXPECTED_VERSION
    ok = ok && here == EXPECTED_VERSION;
#endif
    std::printf("gpuprof %s: %s\n", here.c_str(), ok ? "ok" : "versions differ");
    return ok ? 0 : 1;
}
