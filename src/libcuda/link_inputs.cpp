// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "link_inputs.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include <gpuprof/hw/abi/results.hpp>

#include "../sim/driver/module.hpp"
#include "../sim/image/choose_ptx.hpp"
#include "../sim/image/fat_binary.hpp"
#include "../sim/ptx/link.hpp"
#include "../sim/ptx/parse.hpp"

namespace gpuprof::driver_library {
namespace {

error no_ptx(std::string_view name, std::string_view what, std::string_view remedy) {
    return {errc::unavailable, abi::CUDA_ERROR_NO_BINARY_FOR_GPU,
            std::string{name} + ": " + std::string{what} + " cannot be linked: the embedded GPU runs PTX", "",
            std::string{remedy}};
}

// The containers that lie in an object or an archive, each at a multiple of 8 from the beginning of its section.
std::vector<std::span<std::byte const>> containers_within(std::string const& bytes) {
    using namespace sim::image;
    std::vector<std::span<std::byte const>> found;
    auto const all = std::as_bytes(std::span{bytes});
    std::string_view const magic{reinterpret_cast<char const*>(&container_magic), sizeof container_magic};
    for (std::size_t at = bytes.find(magic); at != bytes.npos; at = bytes.find(magic, at)) {
        std::uint64_t payload = 0;
        bool const is_whole = all.size() - at >= container_header_bytes;
        if (is_whole) std::memcpy(&payload, bytes.data() + at + 8, sizeof payload);
        if (!is_whole || payload > all.size() - at - container_header_bytes) {
            at += magic.size(); // a number like any other
            continue;
        }
        found.push_back(all.subspan(at, container_header_bytes + static_cast<std::size_t>(payload)));
        at += found.back().size();
    }
    return found;
}

// Calls of the device runtime by which the blocks of a cooperative launch meet, for PTX that leaves them open, as Numba's does:
// the toolkit has them in machine code. The block that is first adds what makes the others' sum change the highest bit.
constexpr std::string_view grid_calls = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .func (.param .b64 result) cudaCGGetIntrinsicHandle(.param .b32 scope) {
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    mov.u32 %r1, %envreg1;
    mov.u32 %r2, %envreg2;
    mov.b64 %rd1, {%r2, %r1};
    st.param.b64 [result], %rd1;
    ret;
}
.visible .func (.param .b32 result) cudaCGSynchronize(.param .b64 handle, .param .b32 flags) {
    .reg .pred %p<4>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<2>;
    ld.param.b64 %rd1, [handle];
    setp.eq.u64 %p1, %rd1, 0;
    mov.u32 %r1, 1; // cudaErrorInvalidValue: the launch was not cooperative
    @%p1 bra $ends;
    mov.u32 %r1, 0;
    bar.sync 0;
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %tid.y;
    mov.u32 %r4, %tid.z;
    or.b32 %r2, %r2, %r3;
    or.b32 %r2, %r2, %r4;
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra $all_met;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ctaid.y;
    mov.u32 %r4, %ctaid.z;
    or.b32 %r2, %r2, %r3;
    or.b32 %r2, %r2, %r4;
    setp.eq.u32 %p2, %r2, 0;
    mov.u32 %r5, %nctaid.x;
    mov.u32 %r6, %nctaid.y;
    mov.u32 %r7, %nctaid.z;
    mul.lo.u32 %r5, %r5, %r6;
    mul.lo.u32 %r5, %r5, %r7;
    sub.u32 %r5, 0x80000001, %r5;
    selp.u32 %r5, %r5, 1, %p2;
    fence.acq_rel.gpu;
    atom.global.gpu.add.u32 %r8, [%rd1 + 4], %r5;
$waits:
    ld.acquire.gpu.global.u32 %r9, [%rd1 + 4];
    xor.b32 %r9, %r9, %r8;
    setp.ge.s32 %p3, %r9, 0;
    @%p3 bra $waits;
    fence.acq_rel.gpu;
$all_met:
    bar.sync 0;
$ends:
    st.param.b32 [result], %r1;
    ret;
}
)";

} // namespace

result<std::vector<std::string>> ptx_of(link_input type, std::string const& bytes, std::string_view name,
                                        sim::chip_model const& chip) {
    std::vector<std::string> texts;
    switch (type) {
        case link_input::cubin: return no_ptx(name, "machine code", "link the PTX that it was made of");
        case link_input::lto_ir: return no_ptx(name, "code for link-time optimisation", "compile to PTX");
        case link_input::object:
        case link_input::archive: {
            for (auto const container : containers_within(bytes))
                if (auto text = sim::image::choose_ptx(container, chip)) texts.push_back(std::move(*text));
            if (texts.empty() && type == link_input::object)
                return no_ptx(name, "an object without PTX for this chip",
                              "compile it with -rdc=true -arch=compute_80");
            break;
        }
        case link_input::ptx:
        case link_input::fat_binary: {
            std::string unpacked;
            auto const text = sim::driver::detail::find_ptx(bytes.c_str(), chip, unpacked);
            if (!text) return text.error();
            texts.emplace_back(*text);
        }
    }
    for (std::string const& text : texts)
        if (auto const parsed = sim::ptx::parse(text); !parsed)
            return error{errc::invalid_argument, abi::CUDA_ERROR_INVALID_PTX,
                         std::string{name} + ": " + parsed.error().message()};
    return texts;
}

std::string linked(std::vector<std::string> texts) {
    bool const leaves_open = std::any_of(texts.begin(), texts.end(), [](std::string const& text) {
        return text.find("cudaCGGetIntrinsicHandle") != text.npos;
    });
    if (leaves_open) texts.emplace_back(grid_calls);
    return texts.size() == 1 ? std::move(texts.front()) : sim::ptx::link(texts);
}

} // namespace gpuprof::driver_library
