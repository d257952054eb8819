// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions as an assembler writes them, and the calls through which the compiler inlined them.
#ifndef GPUPROF_HW_SAMPLERS_CODE_TEXT_HPP
#define GPUPROF_HW_SAMPLERS_CODE_TEXT_HPP

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "source_location.hpp"
#if !GPUPROF_ENABLED
#include "../machine/compiled_out.hpp"
#endif

GPUPROF_NAMESPACE_BEGIN

// An instruction.
struct instruction_text {
    std::string text; // "LDG.E R0, desc[UR4][R2.64]"
    std::vector<source_location>
        inlined_at{}; // where the function of its line was called, that call's caller, and so on

    friend bool operator==(instruction_text const&, instruction_text const&) = default;
};

// The instructions of a module by function and place, in bytes from the function's beginning.
using code_text = std::map<std::string, std::map<std::uint64_t, instruction_text>>;

// The SASS of a cubin, by the toolkit's nvdisasm: in CUDA_HOME, CUDA_PATH, /usr/local/cuda* or PATH. Errors: unavailable if
// there is no nvdisasm, or it fails or takes longer than 20 s; io if the cubin cannot be written to the temporary directory.
// Cost: a process, 10 to 100 ms for a small module.
[[nodiscard]] result<code_text> try_disassemble(std::string_view cubin);
// What `nvdisasm -c -gi` printed. Lines that it does not know are left out.
[[nodiscard]] code_text parse_disassembly(std::string_view listing);

// PTX as text, which is the code of the embedded GPU.
class ptx_text {
public:
    explicit ptx_text(std::string_view ptx);

    // The same PTX, byte for byte, without its .loc: what looks for the line of an instruction finds that of the PTX itself.
    [[nodiscard]] std::string const& without_locations() const noexcept { return text_; }
    // The statement at a line of the PTX, from 1, and the calls that its .loc names; empty for a line that is not there.
    [[nodiscard]] instruction_text at(std::uint32_t line) const;

private:
    using place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>; // file, line, column
    std::string text_;
    std::vector<std::string> lines_{};
    std::vector<std::pair<place, place>> places_{}; // of .loc, and of its call, by line of the PTX
    std::map<place, place> calls_{};                // where an inlined place was called
    std::map<std::uint32_t, std::string> files_{};
};

#if !GPUPROF_ENABLED
inline result<code_text> try_disassemble(std::string_view) { return detail::compiled_out(); }
inline code_text parse_disassembly(std::string_view) { return {}; }
inline ptx_text::ptx_text(std::string_view) {}
inline instruction_text ptx_text::at(std::uint32_t) const { return {}; }
#endif

GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "code_text.inl.hpp"
#endif

#endif // GPUPROF_HW_SAMPLERS_CODE_TEXT_HPP
