// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory as measured code first found it, for each pass after the first.
#ifndef GPUPROF_MEASURE_MEMORY_RESTORER_HPP
#define GPUPROF_MEASURE_MEMORY_RESTORER_HPP

#include <optional>
#include <utility>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../detail/owned.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/memory/checkpoint.hpp"
#include "../hw/memory/copy_limits.hpp"
#include "../hw/memory/memory_control.hpp"
#include "../hw/memory/written_memory.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// One of the two ways of memory_control, or none. What fails leaves it without anything to put back.
class memory_restorer {
public:
    void reset() noexcept {
        all_.reset();
        written_.reset();
    }
    // Before the code first runs.
    [[nodiscard]] result<void> try_begin(device const& gpu, memory_control how, copy_limits const& limits = {}) {
        reset();
        if (how == memory_control::restore_written) {
            written_ = owned<hw::written_memory>{new hw::written_memory{gpu, limits}};
            return kept(written_->try_begin_run());
        }
        if (how != memory_control::restore) return {};
        auto saved = checkpoint::try_save(gpu);
        if (!saved) return std::move(saved).error();
        static_cast<void>(all_.emplace(*std::move(saved)));
        return {};
    }
    // After the code first ran, where restore_written needs to know what that wrote.
    [[nodiscard]] result<void> try_end_first_run() { return written_ ? kept(written_->try_end_run()) : result<void>{}; }
    // What restoring costs, where that is known: with restore_written, after the first run.
    [[nodiscard]] restore_cost const* cost() const noexcept { return written_ ? &written_->cost() : nullptr; }
    [[nodiscard]] bool holds() const noexcept { return all_.has_value() || written_; }
    // @pre holds()
    [[nodiscard]] result<void> try_restore() { return kept(all_ ? all_->try_restore() : written_->try_put_back()); }

private:
    [[nodiscard]] result<void> kept(result<void> done) {
        if (!done) reset();
        return done;
    }

    std::optional<checkpoint> all_;
    owned<hw::written_memory> written_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_MEMORY_RESTORER_HPP
