// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens embedded GPUs, and what applications ask of them beside the two C interfaces.
#include <gpuprof/sim.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <gpuprof/core/result.hpp>
#include <gpuprof/hw/machine/device.hpp>
#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/detail/any_case.hpp>
#include <gpuprof/text/printable.hpp>

#include "chip/chips.hpp"
#include "code/device_memory.hpp"
#include "counters/event_table.hpp"
#include "counters/metric_table.hpp"
#include "cupti/cupti.hpp"
#include "cupti/nvperf.hpp"
#include "driver/checkpoint.hpp"
#include "driver/checks.hpp"
#include "driver/driver.hpp"
#include "driver/state.hpp"
#include "embedded_device.hpp"
#include "gpu/gpu_registry.hpp"
#include "gpu/gpu_state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace detail {

GPUPROF_COMPILED_HERE(define_GPUPROF_SIM_IMPLEMENTATION_in_one_file_or_link_gpuprof_sim);

// How an embedded chip's values of a metric or an event come about. What is put in relation to a clock follows from the model
// of time.
[[nodiscard]] inline fidelity fidelity_of(std::string_view chip, std::string_view metric) {
    chip_model const* const model = find_embedded_chip(chip);
    if (model == nullptr) return fidelity::estimated;
    if (auto const row = find_row(*model, metric.substr(0, metric.find('.')))) {
        fidelity const how = metric_rows[*row].how;
        bool const timed = metric.find(".per_") != metric.npos || metric.find(".pct_of_peak") != metric.npos;
        return timed && how == fidelity::exact ? fidelity::modelled : how;
    }
    event_table const* const events = event_table::of(*model);
    if (events == nullptr) return fidelity::estimated;
    chip_event const* const event = events->find_event(metric);
    return event != nullptr && event->count != nullptr ? event->count->how : fidelity::estimated;
}

// Never destroyed, like the machine of the real libraries.
[[nodiscard]] inline hw::machine* make_machine(abi::driver_table const& driver, abi::cupti_table const& cupti) {
    auto* const made = new hw::machine;
    made->driver = driver;
    made->cupti = cupti;
    made->checkpoint = &driver::checkpoint_calls();
    made->nvperf = &cupti::nvperf_calls();
    made->driver_library.soname = made->driver_library.path = "embedded";
    made->cupti_library.soname = made->cupti_library.path = "embedded";
    std::uint32_t version = 0;
    static_cast<void>(driver.DriverGetVersion(&made->driver_library.version));
    static_cast<void>(cupti.GetVersion(&version));
    made->cupti_library.version = static_cast<int>(version);
    made->last_fault = [](abi::CUcontext context) {
        auto const fault = last_launch_error(context);
        return fault ? fault->message() : std::string{};
    };
    made->fidelity_of = &fidelity_of;
    made->record_time = [] {
        activity_log& log = shared().activity;
        if (activity_log::is_on()) log.time.pass(1); // so that two of them differ
        return log.time.now().ticks;
    };
    return made;
}

} // namespace detail

hw::machine const& embedded_machine() {
    static hw::machine const* const one = detail::make_machine(driver::table(), cupti::table());
    return *one;
}

hw::machine const& embedded_target_machine() {
    static hw::machine const* const one = detail::make_machine(driver::legacy_table(), cupti::target_table());
    return *one;
}

hw::machine const& embedded_legacy_machine() {
    static hw::machine const* const one = detail::make_machine(driver::legacy_table(), cupti::legacy_table());
    return *one;
}

namespace detail {

int device_with(chip_model const& chip, collection how, unsigned which) {
    static_assert(most_embedded_devices <= address_map::slots);
    if (!chip.has_range_profiling()) how = collection::in_passes;
    gpu_registry& all = shared().registry;
    auto const held = all.lock();
    unsigned next = 0;
    for (int i = 0; i < all.device_count(); ++i) {
        auto const ordinal = static_cast<std::size_t>(i);
        if (all.device(ordinal) != &chip || all.collection_on(ordinal) != how) continue;
        if (next++ == which) return i;
    }
    for (; next < which; ++next) static_cast<void>(all.add_device(chip, how, next));
    return all.add_device(chip, how, which);
}

error no_such_chip(std::string_view chip) {
    std::string known;
    for (chip_model const* const model : embedded_chips)
        known += (known.empty() ? "" : ", ") + std::string{model->chip_name};
    return {errc::invalid_argument, 0, "there is no embedded GPU named \"" + gpuprof::detail::printable(chip) + '"',
            "the embedded GPU comes as " + known,
            "name one of these or its compute capability, or none for the default, GH100"};
}

[[nodiscard]] static hw::machine const& machine_with(chip_model const& chip) {
    return chip.capability().has_event_hardware() ? embedded_legacy_machine() : embedded_machine();
}

hw::machine const* machine_with(std::string_view chip) {
    chip_model const* const found = find_embedded_chip(chip);
    return found != nullptr ? &machine_with(*found) : nullptr;
}
} // namespace detail

[[nodiscard]] static result<device> open_on(hw::machine const* machine, std::string_view chip, collection how,
                                            unsigned number) {
    // A check that is not made must not look like one that found nothing.
    if (auto checks = driver::checks_of_environment(); !checks) return std::move(checks).error();
    chip_model const* const found = chip.empty() ? &gh100 : find_embedded_chip(chip);
    if (found == nullptr) return detail::no_such_chip(chip);
    if (number >= most_embedded_devices)
        return error{errc::invalid_argument, 0, "there is no embedded GPU number " + std::to_string(number),
                     "a program has at most " + std::to_string(most_embedded_devices) + " of a chip, numbered from 0",
                     "use a smaller number"};
    return device::try_open(machine != nullptr ? *machine : detail::machine_with(*found),
                            detail::device_with(*found, how, number), device_source::embedded);
}

result<device> open_embedded(std::string_view chip, collection how, unsigned number) {
    return open_on(nullptr, chip, how, number);
}

result<device> open_embedded(std::string_view chip_and_words) {
    std::size_t comma = chip_and_words.find(',');
    std::string_view const chip = chip_and_words.substr(0, comma);
    collection how = collection::at_once;
    hw::machine const* machine = nullptr;
    std::optional<unsigned> number;
    while (comma != std::string_view::npos) {
        std::size_t const next = chip_and_words.find(',', comma + 1);
        std::string_view const word = chip_and_words.substr(comma + 1, next - comma - 1);
        comma = next;
        unsigned digits = 0;
        auto const [end, fault] = std::from_chars(word.data(), word.data() + word.size(), digits);
        if (!number && fault == std::errc{} && end == word.data() + word.size()) number = digits;
        else if (gpuprof::detail::same_letters(word, "passes") && how != collection::in_passes)
            how = collection::in_passes;
        else if (gpuprof::detail::same_letters(word, "target") && machine == nullptr)
            machine = &embedded_target_machine();
        else
            return error{errc::invalid_argument, 0,
                         "the embedded GPU has no option \"" + gpuprof::detail::printable(word) + '"',
                         "after a chip and a comma it knows two words, passes and target, and a number",
                         "write " + (chip.empty() ? "gh100" : gpuprof::detail::printable(chip)) +
                             ",passes for as many passes as the hardware needs, or only the chip for one"};
    }
    return open_on(machine, chip, how, number.value_or(0));
}

void set_execution(execution_settings const& settings) {
    auto const in = driver::enter();
    in.driver.execution = settings;
}

void listen_to_failures(void (*listener)(launch_error const&)) {
    auto const in = driver::enter();
    in.driver.on_failure = listener;
}

void listen_to_progress(void (*listener)(std::uint64_t ended, std::uint64_t ctas)) {
    auto const in = driver::enter();
    in.driver.on_progress = listener;
}

void set_cold_caches(bool cold) {
    auto const in = driver::enter();
    in.driver.cold_caches = cold;
}

void use_machine_code(machine_code_use use) {
    auto const in = driver::enter();
    in.driver.machine_code = use;
}

void listen_to_ends(void (*listener)(kernel_end const&)) {
    auto const in = driver::enter();
    in.driver.on_end = listener;
}

void listen_to_images(void (*listener)(void const* image)) {
    auto const in = driver::enter();
    in.driver.on_image = listener;
}

void listen_to_refused_images(void (*listener)(error const& why)) {
    auto const in = driver::enter();
    in.driver.on_refused_image = listener;
}

std::vector<finding> findings() { return driver::enter().driver.findings.all(); }
void forget_findings() { driver::enter().driver.findings.clear(); }
void listen_to_findings(void (*listener)(finding const&)) { driver::enter().driver.findings.listener = listener; }
void find_leaks() {
    auto in = driver::enter();
    in.driver.contexts.for_each([&](driver::context_state const& context) {
        for (auto const& [address, what] : context.allocations)
            driver::add_finding(in, finding_kind::leak, address,
                                std::to_string(what.bytes) + " bytes at " + driver::hexadecimal(address) +
                                    " were not freed");
    });
}
std::optional<launch_error> last_launch_error(abi::CUcontext context) {
    auto const in = driver::enter();
    auto const* const found = in.driver.contexts.find(context);
    return found == nullptr ? std::nullopt : found->failure;
}

} // namespace sim
GPUPROF_NAMESPACE_END
