// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: the names of the samplers of instructions, which keep and count nothing. See measure/compiled_out.hpp.
#ifndef GPUPROF_HW_SAMPLERS_COMPILED_OUT_HPP
#define GPUPROF_HW_SAMPLERS_COMPILED_OUT_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/result.hpp"
#include "../machine/compiled_out.hpp"
#include "sass_counts.hpp"
#include "source_location.hpp"

GPUPROF_NAMESPACE_BEGIN

// Keeps no code.
class module_code {
public:
    [[nodiscard]] static result<module_code> try_watch(device const&) { return module_code{}; }
    [[nodiscard]] static result<module_code> try_open(device const&) { return module_code{}; }
    [[nodiscard]] static result<module_code> try_watch(hw::machine const&) { return module_code{}; }
    [[nodiscard]] static result<module_code> try_open(hw::machine const&) { return module_code{}; }

    result<std::uint64_t> try_add(std::span<std::byte const>) { return std::uint64_t{0}; }
    [[nodiscard]] std::string_view find(std::uint64_t) const noexcept { return {}; }
    [[nodiscard]] std::size_t modules() const noexcept { return 0; }
    [[nodiscard]] std::size_t missed() const noexcept { return 0; }
    [[nodiscard]] result<source_location> try_locate(std::uint64_t, std::string const&, std::uint64_t) const {
        return detail::compiled_out();
    }
    [[nodiscard]] result<source_location> try_locate_in(std::string_view, std::string const&, std::uint64_t) const {
        return detail::compiled_out();
    }

private:
    constexpr module_code() noexcept = default;
    detail::moved_only moves_;
};

// Counts nothing, of no metrics.
class sass_counter {
public:
    [[nodiscard]] static result<std::vector<sass_metric>> try_list(device const&) { return std::vector<sass_metric>{}; }
    [[nodiscard]] static result<sass_counter>
    try_open(device const&, std::vector<std::string>) { // NOLINT(performance-unnecessary-value-param)
        return sass_counter{};
    }
    sass_counter(sass_counter&&) noexcept {}
    sass_counter& operator=(sass_counter&&) = delete;
    constexpr ~sass_counter() {} // NOLINT(modernize-use-equals-default): so that an unused one is no warning

    [[nodiscard]] result<sass_counts> try_take() { return sass_counts{}; }
    [[nodiscard]] result<sass_counts> try_finish() { return sass_counts{}; }
    [[nodiscard]] std::vector<std::string> const& metrics() const noexcept {
        return detail::nothing<std::vector<std::string>>();
    }

private:
    constexpr sass_counter() noexcept = default;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SAMPLERS_COMPILED_OUT_HPP
