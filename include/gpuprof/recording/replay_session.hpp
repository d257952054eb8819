// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recording that a program replays: its contents, and how far the program has come.
#ifndef GPUPROF_RECORDING_REPLAY_SESSION_HPP
#define GPUPROF_RECORDING_REPLAY_SESSION_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../detail/config.hpp"
#include "../hw/machine/machine.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "recorded_data.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// One for each recording that this process has opened, never destroyed. Thread-safe where it says
// so.
struct replay_session {
    std::string file;
    recording contents;
    hw::machine machine{}; // its tables are those of replay_driver.hpp
    int ordinal = 0;

    replay_session(std::string path, recording from) : file{std::move(path)}, contents{std::move(from)} {}

    // How often the values of that key were asked for before; this is once more. Thread-safe.
    [[nodiscard]] std::size_t next_visit(std::string const& key) {
        platform::lock const held{mutex_};
        return visits_[key]++;
    }
    // The program begins anew: every range is met for the first time. Thread-safe.
    void rewind() {
        platform::lock const held{mutex_};
        visits_.clear();
    }

    // What records of this recording point to, and their bytes: they stay until the process ends. Thread-safe.
    [[nodiscard]] char const* keep(std::string const& text) {
        platform::lock const held{mutex_};
        return texts_.insert(text).first->c_str();
    }
    void keep(std::vector<std::vector<std::uint64_t>> records) {
        platform::lock const held{mutex_};
        for (auto& each : records) records_.push_back(std::move(each));
    }

private:
    platform::mutex mutex_;
    std::map<std::string, std::size_t> visits_;
    std::set<std::string> texts_;
    std::vector<std::vector<std::uint64_t>> records_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RECORDING_REPLAY_SESSION_HPP
