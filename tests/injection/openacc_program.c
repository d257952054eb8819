// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An OpenACC program that knows nothing of gpuprof. Without a compiler that offloads, its parallel construct runs on the host:
// it launches `first` by the driver's calls in the library that the first argument names, and so does what follows it.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void* library;
static void* function(char const* name) {
    void* const found = dlsym(library, name);
    if (found == NULL) exit(2);
    return found;
}
static void* first;

static void launch(void) {
    int (*const call)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                      void**) = function("cuLaunchKernel");
    if (call(first, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL) != 0) exit(3);
}

int main(int count, char** words) {
    static char const kernels[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry first() { ret; }\n";
    void *context = NULL, *module = NULL;
    int failures = 0;
    float x[64] = {0};
    void (*const call_launch)(void) = launch; // a function that is no routine of OpenACC
    if (count != 2) return 2;
    library = dlopen(words[1], RTLD_NOW);
    if (library == NULL) return 2;
    failures += ((int (*)(unsigned))function("cuInit"))(0) != 0;
    failures += ((int (*)(void**, unsigned, int))function("cuCtxCreate_v2"))(&context, 0, 0) != 0;
    failures += ((int (*)(void**, void const*))function("cuModuleLoadData"))(&module, kernels) != 0;
    failures += ((int (*)(void**, void*, char const*))function("cuModuleGetFunction"))(&first, module, "first") != 0;
#pragma acc data copy(x)
    {
#pragma acc parallel num_gangs(1)
        {
            x[0] = 1;
            call_launch();
        }
#pragma acc update self(x)
    }
    launch();
    failures += ((int (*)(void))function("cuCtxSynchronize"))() != 0;
    printf("done\n");
    return failures;
}
