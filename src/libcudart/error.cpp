// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of the runtime: the last one of a thread, names and texts.
#include "runtime.hpp"

namespace gpuprof::runtime {
namespace {

struct described_error {
    cuda_error error;
    char const* name;
    char const* text;
};
constexpr described_error errors[]{
#define X(name, number, text) {name, #name, text},
#include "errors.inc"
#undef X
};

described_error const* find(cuda_error error) {
    for (described_error const& one : errors)
        if (one.error == error) return &one;
    return nullptr;
}

cuda_error get_last_error() {
    cuda_error const last = this_thread().last;
    this_thread().last = cudaSuccess;
    return last;
}
cuda_error peek_at_last_error() { return this_thread().last; }

char const* get_error_name(cuda_error error) {
    described_error const* const found = find(error);
    return found == nullptr ? "unrecognized error code" : found->name;
}
char const* get_error_string(cuda_error error) {
    described_error const* const found = find(error);
    return found == nullptr ? "unrecognized error code" : found->text;
}

} // namespace

std::span<call const> error_calls() {
    static call const calls[]{call::of_any_process<&get_last_error>("cudaGetLastError"),
                              call::of_any_process<&peek_at_last_error>("cudaPeekAtLastError"),
                              call::of_any_process<&get_error_name>("cudaGetErrorName"),
                              call::of_any_process<&get_error_string>("cudaGetErrorString")};
    return calls;
}

} // namespace gpuprof::runtime
