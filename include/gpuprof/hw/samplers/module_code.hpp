// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the machine code that a program loads, and looks up the source lines of samples in it.
#ifndef GPUPROF_HW_SAMPLERS_MODULE_CODE_HPP
#define GPUPROF_HW_SAMPLERS_MODULE_CODE_HPP

#include "../../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../../core/result.hpp"
#include "../abi/cupti.hpp"
#include "../callbacks/subscription.hpp"
#include "../machine/device.hpp"
#include "../machine/platform/mutex.hpp"
#include "source_location.hpp"

GPUPROF_NAMESPACE_BEGIN

// Code by CUPTI's CRC, the number by which samples refer to it. Keeps all code that is loaded while
// this object lives, through the driver or the runtime (CUPTI 12.0, 2.10.5: module callbacks); the
// runtime loads a module when one of its kernels is first used. add() adds code that was loaded
// earlier or in another process. Memory: that of the code, each module once. Thread-safe.
// Move-only.
class module_code {
public:
    // Begins to keep loaded code. Errors: unavailable where CUPTI lacks cuptiGetCubinCrc; those of
    // hw::subscription, such as busy.
    [[nodiscard]] static result<module_code> try_watch(device const& gpu) { return try_watch(gpu.machine()); }
    [[nodiscard]] static result<module_code> try_watch(hw::machine const& on); // before there is a device
    // Only for code that try_add() adds. Errors: unavailable, as above.
    [[nodiscard]] static result<module_code> try_open(device const& gpu) { return try_open(gpu.machine()); }
    [[nodiscard]] static result<module_code> try_open(hw::machine const& on);

    // Adds a module and returns its number. Errors: invalid_argument for an empty one; what
    // cuptiGetCubinCrc says.
    result<std::uint64_t> try_add(std::span<std::byte const> code);

    // The module of that number; empty if it is not known. Valid as long as this object.
    [[nodiscard]] std::string_view find(std::uint64_t module) const;
    [[nodiscard]] std::size_t modules() const {
        platform::lock const held{state_->mutex};
        return state_->images.size();
    }
    // The number of loaded modules that could not be kept.
    [[nodiscard]] std::size_t missed() const {
        platform::lock const held{state_->mutex};
        return state_->missed;
    }

    // The line of an instruction. Errors: not_collected if the module is not known, or was compiled
    // without line numbers (nvcc -lineinfo); unavailable where CUPTI lacks
    // cuptiGetSassToSourceCorrelation; what that says. Cost: each time, CUPTI reads the module's
    // line tables.
    [[nodiscard]] result<source_location> try_locate(std::uint64_t module, std::string const& function,
                                                     std::uint64_t pc_offset) const;
    // The same in code that need not be kept here.
    [[nodiscard]] result<source_location> try_locate_in(std::string_view code, std::string const& function,
                                                        std::uint64_t pc_offset) const;

private:
    struct state {
        abi::cupti_table const* cupti = nullptr;
        platform::mutex mutex{};
        std::map<std::uint64_t, std::string> images{};
        std::size_t missed = 0;
    };
    explicit module_code(abi::cupti_table const& cupti) : state_{new state} { state_->cupti = &cupti; }
    static result<std::uint64_t> add_to(state& to, std::span<std::byte const> code);
    static void loaded(void* self, hw::callback_id id, void const* data);

    std::unique_ptr<state> state_;
    std::optional<hw::subscription> listening_{}; // last, so that it ends before the state is destroyed
};

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "module_code.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_HW_SAMPLERS_MODULE_CODE_HPP
