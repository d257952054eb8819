// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: saves no memory. See measure/compiled_out.hpp.
#ifndef GPUPROF_HW_MEMORY_COMPILED_OUT_HPP
#define GPUPROF_HW_MEMORY_COMPILED_OUT_HPP

#include "../../core/result.hpp"
#include "../machine/compiled_out.hpp"
#include "checkpoint_options.hpp"

GPUPROF_NAMESPACE_BEGIN

class [[nodiscard]] checkpoint {
public:
    [[nodiscard]] static result<checkpoint> try_save(device const&, checkpoint_options const&) { return checkpoint{}; }
    [[nodiscard]] static result<checkpoint> try_save(device const&) { return checkpoint{}; }
#if GPUPROF_EXCEPTIONS
    explicit checkpoint(device const&, checkpoint_options const& = {}) {}
#endif
    checkpoint(checkpoint&&) noexcept {}
    checkpoint& operator=(checkpoint&&) = delete;
    ~checkpoint() {} // not trivial: one that is never used again is no unused variable
    [[nodiscard]] result<void> try_restore() { return {}; }
    [[nodiscard]] result<void> try_save_again() { return {}; }

private:
    checkpoint() noexcept = default;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MEMORY_COMPILED_OUT_HPP
