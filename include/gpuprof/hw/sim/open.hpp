// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens an embedded GPU as a device like any other. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_OPEN_HPP
#define GPUPROF_HW_SIM_OPEN_HPP

#include <string>      // texts
#include <string_view> // names

#include "../../result.hpp"
#include "../device.hpp"
#include "../loader.hpp"
#include "chip_model.hpp"
#include "cupti.hpp"
#include "driver.hpp"
#include "machine.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The machine whose tables are those of the embedded GPU. Costs two tables, once; thread-safe.
[[nodiscard]] inline hw::machine const& embedded_machine() {
    // Never destroyed, like the machine of the real libraries.
    static hw::machine const* const one = [] {
        auto* const made = new hw::machine;
        made->driver = driver::table();
        made->cupti = cupti::table();
        made->driver_library.soname = made->driver_library.path = "embedded";
        made->driver_library.version = 13000;
        made->cupti_library.soname = made->cupti_library.path = "embedded";
        made->cupti_library.version = 130000;
        return made;
    }();
    return *one;
}

namespace detail {

// "gh100" for GH100; the two differ in the case of their letters.
[[nodiscard]] constexpr bool same_chip(std::string_view a, std::string_view b) noexcept {
    auto const small_letter = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (small_letter(a[i]) != small_letter(b[i])) return false;
    return true;
}

// The number of the device with that chip, which is made if there is none.
[[nodiscard]] inline int device_with(chip_model const& chip) {
    machine& all = machine::instance();
    auto const held = all.lock();
    for (int i = 0; i < all.device_count(); ++i)
        if (all.device(static_cast<std::size_t>(i)) == &chip) return i;
    return all.add_device(chip);
}

} // namespace detail

// The embedded GPU with that chip, "gh100" or "gv100", in letters of any case; "" is gh100. Opening one chip twice gives
// the same device, in the context that is current on this thread if that is one of its own. Errors: invalid_argument for
// a chip there is no model of, with the list of those there are. Cost: a context. Thread-safe.
[[nodiscard]] inline result<device> open_embedded(std::string_view chip) {
    chip_model const* found = chip.empty() ? &gh100 : nullptr;
    std::string known;
    for (chip_model const* const model : chip_models) {
        if (detail::same_chip(chip, model->chip_name)) found = model;
        known += (known.empty() ? "" : ", ") + std::string{model->chip_name};
    }
    if (found == nullptr)
        return error{errc::invalid_argument, 0,
                     "there is no embedded GPU named \"" + std::string{chip.substr(0, 64)} + '"',
                     "the embedded GPU comes as " + known, "name one of these, or none for the default, GH100"};
    return device::try_open(embedded_machine(), detail::device_with(*found), device_source::embedded);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_OPEN_HPP
