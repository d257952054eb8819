// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands for a library of NVIDIA's with a CUDA runtime of its own inside: it asks the driver for internal tables.
extern "C" int cuGetExportTable(void const** table, void const* name);

extern "C" __attribute__((visibility("default"))) int use_kernel_library() {
    void const* table = nullptr;
    return cuGetExportTable(&table, nullptr);
}
