// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Storage of what is filled anew in each launch.
#ifndef GPUPROF_SRC_SIM_MODEL_SPARE_STORAGE_HPP
#define GPUPROF_SRC_SIM_MODEL_SPARE_STORAGE_HPP

#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Memory that goes back to the host's system costs more than what is done with it: the system clears it and maps it page by
// page when it is written to again. Thread-safe.
template <class T>
class spare_storage {
public:
    // What was given back, with what is in it; nothing if there is nothing.
    [[nodiscard]] std::optional<T> take() {
        std::lock_guard const lock{mutex_};
        if (free_.empty()) return std::nullopt;
        std::optional<T> spare{std::move(free_.back())};
        free_.pop_back();
        return spare;
    }
    void give_back(T spare) {
        std::lock_guard const lock{mutex_};
        free_.push_back(std::move(spare));
    }

private:
    std::mutex mutex_;
    std::vector<T> free_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_SPARE_STORAGE_HPP
