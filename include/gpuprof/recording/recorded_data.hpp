// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was measured on a device, as a recording keeps it. Data; recording_file.hpp reads and writes
// it.
#ifndef GPUPROF_RECORDING_RECORDED_DATA_HPP
#define GPUPROF_RECORDING_RECORDED_DATA_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../core/compute_capability.hpp"
#include "../core/device_source.hpp"
#include "../core/error.hpp"
#include "../core/fidelity.hpp"
#include "traced_calls.hpp"
#include "../detail/config.hpp"
#include "../hw/counters/uncounted/provided_value.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The device that was measured on, as its driver described it.
struct recorded_device {
    std::string name;
    std::string chip; // empty below capability 7.0
    compute_capability capability;
    device_source source = device_source::hardware;
    int driver = 0;                                // cuDriverGetVersion
    int cupti = 0;                                 // cuptiGetVersion
    std::size_t memory = 0;                        // bytes
    std::vector<std::pair<int, int>> attributes{}; // CUdevice_attribute and its value, in the order of numbers
};

// What one range launched; see range_launches of measure/report.hpp.
struct recorded_launches {
    bool heard = false;
    std::size_t kernels = 0;
    std::size_t graphs = 0;
    std::size_t refused = 0;
    bool alike = true;
    std::string kernel{};

    friend bool operator==(recorded_launches const&, recorded_launches const&) = default;
};

// What a number cannot say of a value: see report_note.
struct recorded_note {
    static constexpr std::size_t every_repetition = static_cast<std::size_t>(-1);

    std::size_t metric = 0;
    std::size_t repetition = every_repetition;
    provided::provided_value value{};
    std::optional<error> missing{};
};

struct recorded_range {
    std::vector<std::string> path{}; // names, outermost first; of a range per kernel, its name
    std::size_t count = 0;           // how often it ran in a pass
    recorded_launches launches{};
    std::vector<std::vector<double>> values{}; // of each metric, one a repetition; NaN: none
    std::vector<recorded_note> notes{};
};

// What one loop over passes() brought. Texts of a recording are UTF-8.
struct recorded_collection {
    std::string label{}; // of the test or the part of the program
    std::string hardware{};
    bool kernels = false; // every kernel was a range
    std::size_t passes_needed = 0;
    std::size_t replay_passes = 0;
    std::size_t other_threads = 0;
    std::size_t cache_flushes = 0;
    std::vector<error> problems{};
    std::optional<error> unwatched{};
    std::vector<std::pair<std::string, fidelity>> metrics{};
    std::vector<recorded_range> ranges{};
};

// What one run of a function under a tracer did; see traced_work of judge/traced_work.hpp.
struct recorded_trace {
    std::string label{};
    std::size_t calls = 0; // all of them
    std::vector<traced_calls> found{};
    std::optional<error> missing{};
};

// What a tracer or a sampler handed out, and what the program had launched since the output before it.
struct recorded_output {
    recorded_launches launches{};
    std::string text{}; // of a JSON object: output_text.hpp
};
// All that a tracer or sampler handed out, in order.
struct recorded_outputs {
    std::string label{};
    std::string what{};               // "trace"; see output_request
    std::vector<std::string> asked{}; // for what
    std::vector<recorded_output> outputs{};
};

// A measuring session: one device and what was collected, traced and sampled on it, in the order in
// which it ended. A file without outputs of tracers and samplers is of format 1.
struct recording {
    static constexpr int format = 2;

    recorded_device device{};
    std::vector<recorded_collection> collections{};
    std::vector<recorded_trace> traces{};
    std::vector<recorded_outputs> outputs{};
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RECORDING_RECORDED_DATA_HPP
