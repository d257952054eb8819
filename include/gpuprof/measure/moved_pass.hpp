// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scopes of another thread than that of the pass: for the injection library, whose program's threads begin and end ranges.
#ifndef GPUPROF_MEASURE_MOVED_PASS_HPP
#define GPUPROF_MEASURE_MOVED_PASS_HPP

#include <cstddef>

#include "../detail/builtin.hpp"
#include "../hw/machine/platform/thread.hpp"
#include "profiler.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// While it exists, ranges belong to the thread that made it: the program's threads begin and end ranges, one at a time. With
// replay_mode::range alone, since other sessions push a range on the thread that opens it.
class [[nodiscard]] moved_pass {
public:
    // @pre no other thread is in a call of the profiler's
    explicit moved_pass(profiler& of) noexcept : of_{of}, before_{load_relaxed(of.owner_)} {
        store_relaxed(of_.owner_, platform::this_thread());
    }
    ~moved_pass() { store_relaxed(of_.owner_, before_); }
    moved_pass(moved_pass const&) = delete;
    moved_pass& operator=(moved_pass const&) = delete;

private:
    profiler& of_;
    std::size_t before_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_MOVED_PASS_HPP
