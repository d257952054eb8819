// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of devices.hpp.
#ifndef GPUPROF_HW_MACHINE_DEVICES_INL_HPP
#define GPUPROF_HW_MACHINE_DEVICES_INL_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../detail/any_case.hpp"
#include "devices.hpp"
#include "embedded_count.hpp"
#include "platform/environment.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {

// Whether a text such as "sim:gh100,passes,1" says which of several it is.
[[nodiscard]] inline bool names_one_of_several(std::string_view text) noexcept {
    for (std::size_t comma = text.find(','); comma != text.npos; comma = text.find(',', comma + 1))
        if (comma + 1 < text.size() && text[comma + 1] >= '0' && text[comma + 1] <= '9') return true;
    return false;
}

// Adds devices until there are `count`. @param open gives the next one, by its number
template <class Open>
[[nodiscard]] result<std::vector<device>> open_all(std::size_t count, Open open) {
    std::vector<device> all;
    all.reserve(count);
    while (all.size() < count) {
        auto opened = open(all.size());
        if (!opened) return std::move(opened).error();
        all.push_back(*std::move(opened));
    }
    device const& first = all.front();
    if (auto status = first.driver().CtxSetCurrent(first.context())) return hw::explain("cuCtxSetCurrent", status);
    return result<std::vector<device>>{std::move(all)};
}

[[nodiscard]] inline result<std::vector<device>> open_all_embedded(std::string_view chip_and_words) {
    auto const count = hw::try_embedded_count();
    if (!count) return count.error();
    if (hw::embedded_device == nullptr || names_one_of_several(chip_and_words))
        return open_all(1, [](std::size_t) { return try_open_device(); });
    return open_all(*count, [&](std::size_t number) {
        return hw::embedded_device(std::string{chip_and_words} + ',' + std::to_string(number));
    });
}

} // namespace detail

GPUPROF_INLINE result<std::vector<device>> try_open_devices() {
    std::string const wanted = platform::variable_or_empty("GPUPROF_DEVICE");
    std::string_view const text = wanted;
    bool const embedded = detail::same_letters(text.substr(0, 3), "sim");
    if (embedded) return detail::open_all_embedded(text.substr(text.size() > 3 && text[3] == ':' ? 4 : 3));
    if (!wanted.empty()) return detail::open_all(1, [](std::size_t) { return try_open_device(); });
    auto real = device::try_open(hw::real_machine());
    if (!real && hw::embedded_device != nullptr) return detail::open_all_embedded({});
    if (!real) return std::move(real).error();
    int count = 0;
    if (auto status = real->driver().DeviceGetCount(&count)) return hw::explain("cuDeviceGetCount", status);
    return detail::open_all(static_cast<std::size_t>(count),
                            [](std::size_t number) { return try_open_device(static_cast<int>(number)); });
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_DEVICES_INL_HPP
