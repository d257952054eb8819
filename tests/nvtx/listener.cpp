// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tool that NVTX loads (NVTX_INJECTION64_PATH): prints every push and pop of the default domain.
#include <cstdio>

#include <nvtx3/nvToolsExt.h>

static int push(char const* name) {
    std::printf("push %s\n", name);
    return 0;
}
static int pop() {
    std::puts("pop");
    return 0;
}

extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
    auto const* const callbacks = static_cast<NvtxExportTableCallbacks const*>(get_table(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable functions = nullptr;
    unsigned size = 0;
    if (callbacks == nullptr || callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &functions, &size) == 0)
        return 0;
    *functions[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(&push);
    *functions[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(&pop);
    return 1;
}
