// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Storage of lists that are filled anew in each launch.
#ifndef GPUPROF_SRC_SIM_MODEL_SPARE_STORAGE_HPP
#define GPUPROF_SRC_SIM_MODEL_SPARE_STORAGE_HPP

#include <mutex>
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
    // An empty list, or one that was given back, with what is in it.
    [[nodiscard]] std::vector<T> take() {
        std::lock_guard const lock{mutex_};
        if (free_.empty()) return {};
        std::vector<T> list = std::move(free_.back());
        free_.pop_back();
        return list;
    }
    void give_back(std::vector<T> list) {
        if (list.capacity() == 0) return;
        std::lock_guard const lock{mutex_};
        free_.push_back(std::move(list));
    }

private:
    std::mutex mutex_;
    std::vector<std::vector<T>> free_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_MODEL_SPARE_STORAGE_HPP
