// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine code that a program loads, kept for looking up what samples lie in. Layer: hw.
#ifndef GPUPROF_HW_PC_MODULE_CODE_HPP
#define GPUPROF_HW_PC_MODULE_CODE_HPP

#include <cstddef>     // std::byte
#include <cstdint>     // numbers
#include <map>         // images by number
#include <memory>      // what a callback knows the address of
#include <optional>    // listening or not
#include <span>        // images
#include <string>      // images
#include <string_view> // functions

#include "../../core/result.hpp"
#include "../abi/cupti.hpp"
#include "../callbacks/subscription.hpp"
#include "../machine/device.hpp"
#include "../machine/platform/mutex.hpp"

GPUPROF_NAMESPACE_BEGIN

// A line that an instruction was made of.
struct source_location {
    std::string directory; // empty if the file's name has it, or nobody knows
    std::string file;
    std::uint32_t line = 0;

    // Where the file lies, as the compiler had it.
    [[nodiscard]] std::string path() const {
        return directory.empty() || file.starts_with('/') ? file : directory + '/' + file;
    }
    friend bool operator==(source_location const&, source_location const&) = default;
};

// Code by the number that samples name it with, CUPTI's CRC. Code is kept that is loaded while this object lives, through the
// driver or the runtime (CUPTI 12.0, 2.10.5: module callbacks); the runtime loads a module when one of its kernels is first
// used. Code that was loaded earlier, or in another process, is added by add(). Memory: the code's, each module once.
// Thread-safe. Move-only.
class module_code {
public:
    // Begins to listen. Errors: unavailable where CUPTI lacks cuptiGetCubinCrc; those of hw::subscription, among them busy.
    GPUPROF_DECLARE [[nodiscard]] static result<module_code> try_watch(device const& gpu);
    // Code that was read from files only: nothing is listened to. Errors: unavailable, as above.
    GPUPROF_DECLARE [[nodiscard]] static result<module_code> try_open(device const& gpu);

    // Adds a module and gives its number. Errors: invalid_argument for none; what cuptiGetCubinCrc says.
    GPUPROF_DECLARE result<std::uint64_t> try_add(std::span<std::byte const> code);

    // The module of that number; empty if it was not seen. Valid as long as this object.
    GPUPROF_DECLARE [[nodiscard]] std::string_view find(std::uint64_t module) const;
    [[nodiscard]] std::size_t modules() const {
        platform::lock const held{state_->mutex};
        return state_->images.size();
    }
    // Modules that were loaded and could not be kept.
    [[nodiscard]] std::size_t missed() const {
        platform::lock const held{state_->mutex};
        return state_->missed;
    }

    // The line of an instruction. Errors: not_collected if the module was not seen, or was compiled without line numbers (nvcc
    // -lineinfo); unavailable where CUPTI lacks cuptiGetSassToSourceCorrelation; what that says. Cost: CUPTI reads the module's
    // tables of lines, each time.
    GPUPROF_DECLARE [[nodiscard]] result<source_location> try_locate(std::uint64_t module, std::string const& function,
                                                                     std::uint64_t pc_offset) const;

private:
    struct state {
        abi::cupti_table const* cupti = nullptr;
        platform::mutex mutex{};
        std::map<std::uint64_t, std::string> images{};
        std::size_t missed = 0;
    };
    explicit module_code(abi::cupti_table const& cupti) : state_{new state} { state_->cupti = &cupti; }
    GPUPROF_DECLARE static result<std::uint64_t> add_to(state& to, std::span<std::byte const> code);
    GPUPROF_DECLARE static void loaded(void* self, hw::callback_id id, void const* data);

    std::unique_ptr<state> state_;
    std::optional<hw::subscription> listening_{}; // ends before the state goes
};

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "module_code.inl.hpp"
#endif

#endif // GPUPROF_HW_PC_MODULE_CODE_HPP
