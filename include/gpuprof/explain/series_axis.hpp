// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters of a launch that a series changes, and the values of one combination.
#ifndef GPUPROF_EXPLAIN_SERIES_AXIS_HPP
#define GPUPROF_EXPLAIN_SERIES_AXIS_HPP

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/abi/attributes.hpp"
#include "../hw/abi/types.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// What a series sets at kernels, through the driver, before a combination runs.
enum class kernel_setting : unsigned char {
    nothing,           // the work reads the value
    shared_carveout,   // CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: percent, or -1 for the driver's choice
    cache_config,      // cuFuncSetCacheConfig: a CUfunc_cache
    max_dynamic_shared // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: bytes a block
};

// A parameter and the values that are tried: axis{"block", {64, 128, 256}}.
struct axis {
    std::string name;              // for the work and the table
    std::vector<long long> values; // in the order of the table
    kernel_setting sets = kernel_setting::nothing;
    std::vector<abi::CUfunction> kernels{}; // that it is set at

    // "50 %", "prefer L1", "256"
    [[nodiscard]] std::string text_of(long long value) const {
        constexpr std::string_view configs[]{"prefer none", "prefer shared", "prefer L1", "prefer equal"};
        if (sets == kernel_setting::shared_carveout && value < 0) return "driver's choice";
        if (sets == kernel_setting::cache_config && value >= 0 && value < 4)
            return std::string{configs[static_cast<std::size_t>(value)]};
        return std::to_string(value) + (sets == kernel_setting::shared_carveout ? " %" : "");
    }
};

// Axes that the series itself sets, for one kernel or several (variants with different registers). What was set before is put
// back when the combination is over; the driver cannot tell a cache configuration, so "prefer none" is what is put back.
// A kernel of the runtime: cudaGetFuncBySymbol().

// "carveout": the share of L1 that is to be shared memory, in per cent of the most that can be; the driver takes it as a hint.
[[nodiscard]] inline axis carveout_axis(std::vector<abi::CUfunction> kernels, std::vector<long long> percents) {
    return {"carveout", std::move(percents), kernel_setting::shared_carveout, std::move(kernels)};
}
[[nodiscard]] inline axis carveout_axis(abi::CUfunction kernel, std::vector<long long> percents) {
    return carveout_axis(std::vector<abi::CUfunction>{kernel}, std::move(percents));
}
// "cache": which of L1 and shared memory is to be larger; a hint, too, which chips from 7.0 on need not follow.
[[nodiscard]] inline axis cache_axis(std::vector<abi::CUfunction> kernels,
                                     std::vector<abi::CUfunc_cache> const& configs) {
    axis made{"cache", {}, kernel_setting::cache_config, std::move(kernels)};
    for (abi::CUfunc_cache const each : configs) made.values.push_back(static_cast<long long>(each));
    return made;
}
[[nodiscard]] inline axis cache_axis(abi::CUfunction kernel, std::vector<abi::CUfunc_cache> const& configs) {
    return cache_axis(std::vector<abi::CUfunction>{kernel}, configs);
}
// "shared": bytes of dynamic shared memory a block. The series lets the kernel have so much; the work launches with it.
[[nodiscard]] inline axis dynamic_shared_axis(std::vector<abi::CUfunction> kernels, std::vector<long long> bytes) {
    return {"shared", std::move(bytes), kernel_setting::max_dynamic_shared, std::move(kernels)};
}
[[nodiscard]] inline axis dynamic_shared_axis(abi::CUfunction kernel, std::vector<long long> bytes) {
    return dynamic_shared_axis(std::vector<abi::CUfunction>{kernel}, std::move(bytes));
}

// The values of one combination, by the names of their axes.
class parameters {
public:
    struct parameter {
        std::string name;
        long long value = 0;
    };

    parameters() = default;
    explicit parameters(std::vector<parameter> list) : list_{std::move(list)} {}

    [[nodiscard]] std::vector<parameter> const& list() const noexcept { return list_; }
    // Errors: invalid_argument if there is no axis of that name.
    [[nodiscard]] result<long long> try_value(std::string_view name) const {
        std::string names;
        for (parameter const& each : list_) {
            if (each.name == name) return each.value;
            names += (names.empty() ? "\"" : ", \"") + each.name + "\"";
        }
        return error{errc::invalid_argument, 0, "\"" + std::string{name} + "\" is no parameter of this series",
                     names.empty() ? "it has none" : "it has " + names, "use the name of an axis"};
    }
    // @pre there is an axis of that name; else it raises the error, as result::value() does
    [[nodiscard]] long long operator[](std::string_view name) const { return try_value(name).value(); }
    template <std::integral Number>
    [[nodiscard]] Number get(std::string_view name) const {
        return static_cast<Number>((*this)[name]);
    }

private:
    std::vector<parameter> list_;
};

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_SERIES_AXIS_HPP
