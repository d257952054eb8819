// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A measurement of the process that goes on until it exits.
#ifndef GPUPROF_INJECTION_UNTIL_EXIT_HPP
#define GPUPROF_INJECTION_UNTIL_EXIT_HPP

#include <cstdlib>
#include <memory>
#include <utility>

#include <gpuprof/core/result.hpp>
#include <gpuprof/hw/machine/machine.hpp>

#include "contained.hpp"

namespace gpuprof::injection {

class measurement {
public:
    measurement() = default;
    measurement(measurement const&) = delete;
    measurement& operator=(measurement const&) = delete;
    virtual ~measurement() = default;

    // At the process's exit, on the thread that exits.
    virtual void end() = 0;

    measurement* begun_before = nullptr;
};

// The one that began last. Never destroyed: the program's own end must not meet a half of it.
inline measurement* running_measurement = nullptr;

inline void end_at_exit() {
    for (measurement* each = running_measurement; each != nullptr; each = each->begun_before)
        contained("the measurement", [&] { each->end(); });
}

// Says why, where nothing can be measured. On a GPU, a process has one measurement: they use the same hardware.
template <class Measurement, class Settings>
void measure_until_exit(result<Settings> with) {
    if (!with) return say("the program runs on unmeasured: " + with.error().message());
    auto begun = std::make_unique<Measurement>(*std::move(with), hw::real_machine());
    if (auto started = begun->try_begin(); !started)
        return say("the program runs on unmeasured: " + started.error().message());
    begun->begun_before = running_measurement;
    running_measurement = begun.release();
    if (running_measurement->begun_before != nullptr) return;
    if (std::atexit(&end_at_exit) != 0 || std::at_quick_exit(&end_at_exit) != 0)
        say("the measurement may lack its end: atexit has no room");
}

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_UNTIL_EXIT_HPP
