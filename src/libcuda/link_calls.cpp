// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking at run time: cuLink…. PTX goes in, as text or in fat binaries, and linked PTX comes out, which modules are loaded from.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/hw/machine/platform/file.hpp>

#include "../sim/driver/module.hpp"
#include "../sim/driver/state.hpp"
#include "../sim/ptx/link.hpp"
#include "../sim/ptx/parse.hpp"

#include "call.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;
namespace driver = sim::driver;

enum input_type : int { cubin, ptx_text, fat_binary, object, archive, nvvm }; // CUjitInputType

struct link_state {
    driver::detail::jit_options options;
    std::vector<std::string> texts{};
    std::string linked{}; // what cuLinkComplete gave, which lives as long as the state
};
struct link_states {
    std::mutex mutex;
    std::map<void*, std::unique_ptr<link_state>> all;
    static link_states& instance() {
        static auto* const one = new link_states;
        return *one;
    }
    link_state* find(void* handle) {
        auto const found = all.find(handle);
        return found == all.end() ? nullptr : found->second.get();
    }
};

CUresult create_link(unsigned count, CUjit_option* options, void** values, void** made) {
    auto const in = driver::enter_context();
    if (!in.ready()) return in.status;
    auto const read = driver::detail::jit_options::read(count, options, values);
    if (made == nullptr || !read) return CUDA_ERROR_INVALID_VALUE;
    read->errors.write({});
    read->information.write({});
    auto state = std::make_unique<link_state>(link_state{*read});
    std::lock_guard const held{link_states::instance().mutex};
    *made = state.get();
    link_states::instance().all.emplace(*made, std::move(state));
    return CUDA_SUCCESS;
}

CUresult add(link_state& to, int type, std::string image) {
    auto const refuse = [&](CUresult status, std::string const& why) {
        to.options.errors.write(why);
        return status;
    };
    if (type < cubin || type > nvvm) return CUDA_ERROR_INVALID_VALUE;
    if (type == nvvm) return refuse(CUDA_ERROR_NOT_SUPPORTED, "NVVM code cannot be linked here: PTX can");
    if (type != ptx_text && type != fat_binary)
        return refuse(CUDA_ERROR_NO_BINARY_FOR_GPU, "machine code cannot be linked: the embedded GPU runs PTX");
    auto const in = driver::enter_context();
    if (!in.ready()) return in.status;
    std::string unpacked;
    auto const text = driver::detail::find_ptx(image.c_str(), *in.context->chip, unpacked);
    if (!text) return refuse(static_cast<CUresult>(text.error().status), text.error().message());
    if (auto const parsed = sim::ptx::parse(*text); !parsed)
        return refuse(CUDA_ERROR_INVALID_PTX, parsed.error().message());
    to.texts.emplace_back(*text);
    return CUDA_SUCCESS;
}
CUresult add_data(void* handle, int type, void* data, std::size_t bytes, char const*, unsigned, CUjit_option*, void**) {
    std::lock_guard const held{link_states::instance().mutex};
    link_state* const to = link_states::instance().find(handle);
    if (to == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (data == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    return add(*to, type, std::string{static_cast<char const*>(data), bytes});
}
CUresult add_file(void* handle, int type, char const* path, unsigned, CUjit_option*, void**) {
    std::lock_guard const held{link_states::instance().mutex};
    link_state* const to = link_states::instance().find(handle);
    if (to == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
    auto image = platform::read_file(path); // nothing for a folder
    return image ? add(*to, type, *std::move(image)) : CUDA_ERROR_FILE_NOT_FOUND;
}

// The linked text, ended by a null character that is counted.
CUresult complete(void* handle, void** image, std::size_t* bytes) {
    std::lock_guard const held{link_states::instance().mutex};
    link_state* const of = link_states::instance().find(handle);
    if (of == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (image == nullptr || of->texts.empty()) return CUDA_ERROR_INVALID_VALUE;
    of->linked = of->texts.size() == 1 ? of->texts.front() : sim::ptx::link(of->texts);
    *image = of->linked.data();
    if (bytes != nullptr) *bytes = of->linked.size() + 1;
    return CUDA_SUCCESS;
}
CUresult destroy(void* handle) {
    std::lock_guard const held{link_states::instance().mutex};
    return link_states::instance().all.erase(handle) != 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

} // namespace

std::span<call const> link_calls() {
    static call const calls[]{call::of<&create_link>("cuLinkCreate_v2"), call::of<&add_data>("cuLinkAddData_v2"),
                              call::of<&add_file>("cuLinkAddFile_v2"), call::of<&complete>("cuLinkComplete"),
                              call::of<&destroy>("cuLinkDestroy")};
    return calls;
}

} // namespace gpuprof::driver_library
