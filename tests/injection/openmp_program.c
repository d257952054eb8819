// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An OpenMP program that knows nothing of gpuprof: three threads, each of which launches `first` once by the driver's calls in
// the library that the first argument names, and waits for a task.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void* library;
static void* function(char const* name) {
    void* const found = dlsym(library, name);
    if (found == NULL) exit(2);
    return found;
}

int main(int count, char** words) {
    static char const kernels[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry first() { ret; }\n";
    void *context = NULL, *module = NULL, *first = NULL;
    int failures = 0;
    if (count != 2) return 2;
    library = dlopen(words[1], RTLD_NOW);
    if (library == NULL) return 2;
    int (*const launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                        void**) = function("cuLaunchKernel");
    int (*const make_current)(void*) = function("cuCtxSetCurrent");
    failures += ((int (*)(unsigned))function("cuInit"))(0) != 0;
    failures += ((int (*)(void**, unsigned, int))function("cuCtxCreate_v2"))(&context, 0, 0) != 0;
    failures += ((int (*)(void**, void const*))function("cuModuleLoadData"))(&module, kernels) != 0;
    failures += ((int (*)(void**, void*, char const*))function("cuModuleGetFunction"))(&first, module, "first") != 0;
#pragma omp parallel num_threads(3) reduction(+ : failures)
    {
        failures += make_current(context) != 0;
        failures += launch(first, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL) != 0;
#pragma omp task
        { printf("%s", ""); }
#pragma omp taskwait
#pragma omp barrier
    }
    failures += ((int (*)(void))function("cuCtxSynchronize"))() != 0;
    printf("done\n");
    return failures;
}
