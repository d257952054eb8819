// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "link_inputs.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
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

std::string linked(std::vector<std::string> const& texts) {
    return texts.size() == 1 ? texts.front() : sim::ptx::link(texts);
}

} // namespace gpuprof::driver_library
