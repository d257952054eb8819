// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which rank of which job this process is, as the variables of launchers say it. Knows nothing of MPI.
#ifndef GPUPROF_SRC_COMMAND_LAUNCHED_RANK_HPP
#define GPUPROF_SRC_COMMAND_LAUNCHED_RANK_HPP

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <gpuprof/hw/machine/platform/environment.hpp>

namespace gpuprof::command {

// Names of variables. A launcher's rank counts only where its size is there, too.
struct launcher_row {
    std::string_view name;
    char const* rank;
    char const* size;
    char const* local_size; // ranks on this machine; null: it does not say
    char const* job[3];     // together they tell this job from others at the same time; null: no more
};

// Those that start others go last: srun may start torchrun, and a batch script mpirun. Of Slurm, the size of a step: sbatch sets
// SLURM_NTASKS for a script, too, which is one process.
inline constexpr launcher_row launchers[]{
    {"Open MPI",
     "OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_SIZE",
     "OMPI_COMM_WORLD_LOCAL_SIZE",
     {"PMIX_NAMESPACE", nullptr, nullptr}},
    {"MPICH", "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", {"SLURM_JOB_ID", "SLURM_STEP_ID", nullptr}},
    {"torchrun",
     "RANK",
     "WORLD_SIZE",
     "LOCAL_WORLD_SIZE",
     {"TORCHELASTIC_RUN_ID", "MASTER_PORT", "TORCHELASTIC_RESTART_COUNT"}},
    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", nullptr, {"SLURM_JOB_ID", "SLURM_STEP_ID", nullptr}},
};

struct launched_rank {
    std::string_view launcher;
    std::size_t rank = 0;
    std::size_t size = 1;     // more than rank
    bool one_machine = false; // all ranks are on this one
    std::string job = {};     // letters, digits, '.', '-' and '_'; empty: the launcher does not say
};

// A whole number; nothing for any other text.
[[nodiscard]] inline std::optional<std::size_t> number_of_variable(char const* name) {
    std::string const text = name == nullptr ? std::string{} : platform::variable_or_empty(name);
    std::size_t value = 0;
    auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || fault != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

// The first launcher of the table whose rank and size are numbers that fit each other; nothing if there is none.
[[nodiscard]] inline std::optional<launched_rank> find_launched_rank() {
    for (launcher_row const& each : launchers) {
        auto const rank = number_of_variable(each.rank), size = number_of_variable(each.size);
        if (!rank || !size || *rank >= *size) continue;
        launched_rank found{each.name, *rank, *size};
        found.one_machine = number_of_variable(each.local_size) == size;
        for (char const* const name : each.job) {
            std::string const part = name == nullptr ? std::string{} : platform::variable_or_empty(name);
            if (part.empty()) continue;
            if (!found.job.empty()) found.job += '-';
            constexpr std::string_view kept = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
            for (char const c : part) found.job += kept.find(c) == kept.npos ? '_' : c;
        }
        return found;
    }
    return {};
}

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_LAUNCHED_RANK_HPP
