// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvJitLink's calls over the same linking as cuLink…: PTX goes in, and what comes out as a "cubin" is linked PTX, which the
// embedded GPU's modules are loaded from. Programs find them by a link libnvJitLink.so to this library, as they find CUPTI's.
// NVIDIA's own would make machine code.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/hw/machine/platform/file.hpp>

#include "../sim/driver/state.hpp"

#include "call.hpp"
#include "link_inputs.hpp"
#include "program_call.hpp"

namespace gpuprof::driver_library::jit {
namespace {

// The numbers of nvJitLink.h (CUDA 13.0).
enum class status : int {
    success,
    missing_architecture = 2,
    invalid_input = 3,
    ptx_compile = 4,
    internal = 6,
    unrecognised_input = 8,
    null_input = 10,
    lto_not_enabled = 18
};
enum input_type : int { none, cubin, ptx, lto_ir, fat_binary, object, library, index, any = 10 };

} // namespace
} // namespace gpuprof::driver_library::jit

namespace gpuprof::program {
template <>
[[nodiscard]] driver_library::jit::status failure_of(abi::CUresult) noexcept {
    return driver_library::jit::status::internal;
}
} // namespace gpuprof::program

namespace gpuprof::driver_library::jit {
namespace {

// nvJitLinkHandle points at one. A program uses it from one thread at a time, and destroys it once.
struct linker {
    std::vector<std::string> texts{};
    std::string linked{};
    std::string errors{};
};

status create(linker** made, std::uint32_t count, char const* const* options) {
    if (made == nullptr || (count != 0 && options == nullptr)) return status::invalid_input;
    bool has_architecture = false; // the others tune a compiler, of which there is none
    for (std::uint32_t i = 0; i < count; ++i)
        has_architecture |= options[i] != nullptr && std::string_view{options[i]}.starts_with("-arch=");
    if (!has_architecture) return status::missing_architecture;
    *made = new linker;
    return status::success;
}
status destroy(linker** gone) {
    if (gone == nullptr) return status::invalid_input;
    delete *gone;
    *gone = nullptr;
    return status::success;
}

// What `any` stands for.
input_type input_of(std::string_view bytes) {
    if (bytes.starts_with("\x7f"
                          "ELF"))
        return object;
    if (bytes.starts_with("!<arch>\n")) return library;
    if (bytes.find(".version") != bytes.npos) return ptx;
    return fat_binary;
}

status add(linker& to, int type, std::string const& bytes, char const* name) {
    link_input input{};
    switch (type == any ? input_of(bytes) : type) {
        case cubin: input = link_input::cubin; break;
        case ptx: input = link_input::ptx; break;
        case lto_ir: input = link_input::lto_ir; break;
        case fat_binary: input = link_input::fat_binary; break;
        case object: input = link_input::object; break;
        case library: input = link_input::archive; break;
        default: return status::unrecognised_input;
    }
    static_cast<void>(table().Init(0)); // nothing else may have asked for a device yet
    sim::chip_model const* const chip = sim::driver::find_device(0);
    if (chip == nullptr) return status::internal;
    auto texts = ptx_of(input, bytes, name == nullptr ? "an input" : name, *chip);
    if (!texts) {
        to.errors += texts.error().message() + '\n';
        return input == link_input::lto_ir ? status::lto_not_enabled
               : input == link_input::ptx  ? status::ptx_compile
                                           : status::invalid_input;
    }
    for (std::string& text : *texts) to.texts.push_back(std::move(text));
    return status::success;
}
status add_data(linker* to, int type, void const* data, std::size_t bytes, char const* name) {
    if (to == nullptr) return status::invalid_input;
    if (data == nullptr || bytes == 0) return status::null_input;
    return add(*to, type, std::string{static_cast<char const*>(data), bytes}, name);
}
status add_file(linker* to, int type, char const* path) {
    if (to == nullptr || path == nullptr) return status::invalid_input;
    auto const bytes = platform::read_file(path);
    return bytes ? add(*to, type, *bytes, path) : status::invalid_input;
}
status complete(linker* of) {
    if (of == nullptr || of->texts.empty()) return status::invalid_input;
    of->linked = linked(of->texts);
    return status::success;
}

// Texts are given with the null character at their end, and sizes count it.
status give_size(std::string const& text, std::size_t* bytes) {
    if (bytes == nullptr) return status::invalid_input;
    *bytes = text.size() + 1;
    return status::success;
}
status give(std::string const& text, void* to) {
    if (to == nullptr) return status::invalid_input;
    std::memcpy(to, text.c_str(), text.size() + 1);
    return status::success;
}
status linked_size(linker* of, std::size_t* bytes) {
    return of == nullptr || of->linked.empty() ? status::invalid_input : give_size(of->linked, bytes);
}
status linked_text(linker* of, void* to) {
    return of == nullptr || of->linked.empty() ? status::invalid_input : give(of->linked, to);
}
status errors_size(linker* of, std::size_t* bytes) {
    return of == nullptr ? status::invalid_input : give_size(of->errors, bytes);
}
status errors(linker* of, char* to) { return of == nullptr ? status::invalid_input : give(of->errors, to); }
status information_size(linker* of, std::size_t* bytes) {
    return of == nullptr ? status::invalid_input : give_size({}, bytes);
}
status information(linker* of, char* to) { return of == nullptr ? status::invalid_input : give({}, to); }

// The last release that Numba does not ask for link-time optimisation.
status version(unsigned* generation, unsigned* revision) {
    if (generation == nullptr || revision == nullptr) return status::invalid_input;
    *generation = 12;
    *revision = 2;
    return status::success;
}

} // namespace
} // namespace gpuprof::driver_library::jit

// Inline functions of each release's header call names with its number; other programs look for the plain ones.
#define GPUPROF_JIT_ALIAS(name, number) __asm__(".globl __" #name #number "\n.set __" #name #number ", " #name "\n");
#define GPUPROF_JIT_EXPORT(name, function)                                                                             \
    extern "C" {                                                                                                       \
    __attribute__((visibility("hidden"), used)) void* gpuprof_slot_##name =                                            \
        reinterpret_cast<void*>(&gpuprof::program::boundary<&gpuprof::driver_library::jit::function>::call);           \
    }                                                                                                                  \
    __asm__(".pushsection .text\n.globl " #name "\n.type " #name ", %function\n" #name                                 \
            ":\n" GPUPROF_JUMP("gpuprof_slot_" #name) ".size " #name ", . - " #name "\n.popsection\n");                \
    GPUPROF_JIT_ALIAS(name, _12_0)                                                                                     \
    GPUPROF_JIT_ALIAS(name, _12_1)                                                                                     \
    GPUPROF_JIT_ALIAS(name, _12_2)                                                                                     \
    GPUPROF_JIT_ALIAS(name, _12_3)                                                                                     \
    GPUPROF_JIT_ALIAS(name, _12_4)                                                                                     \
    GPUPROF_JIT_ALIAS(name, _12_5)                                                                                     \
    GPUPROF_JIT_ALIAS(name, _12_6)                                                                                     \
    GPUPROF_JIT_ALIAS(name, _12_8)                                                                                     \
    GPUPROF_JIT_ALIAS(name, _12_9)                                                                                     \
    GPUPROF_JIT_ALIAS(name, _13_0)

GPUPROF_JIT_EXPORT(nvJitLinkCreate, create)
GPUPROF_JIT_EXPORT(nvJitLinkDestroy, destroy)
GPUPROF_JIT_EXPORT(nvJitLinkAddData, add_data)
GPUPROF_JIT_EXPORT(nvJitLinkAddFile, add_file)
GPUPROF_JIT_EXPORT(nvJitLinkComplete, complete)
GPUPROF_JIT_EXPORT(nvJitLinkGetLinkedCubinSize, linked_size)
GPUPROF_JIT_EXPORT(nvJitLinkGetLinkedCubin, linked_text)
GPUPROF_JIT_EXPORT(nvJitLinkGetLinkedPtxSize, linked_size)
GPUPROF_JIT_EXPORT(nvJitLinkGetLinkedPtx, linked_text)
GPUPROF_JIT_EXPORT(nvJitLinkGetErrorLogSize, errors_size)
GPUPROF_JIT_EXPORT(nvJitLinkGetErrorLog, errors)
GPUPROF_JIT_EXPORT(nvJitLinkGetInfoLogSize, information_size)
GPUPROF_JIT_EXPORT(nvJitLinkGetInfoLog, information)
GPUPROF_JIT_EXPORT(nvJitLinkVersion, version)
