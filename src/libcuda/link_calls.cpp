// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking at run time: cuLink…. PTX goes in, as text or in what holds it, and linked PTX comes out, which modules are loaded from.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/hw/machine/platform/file.hpp>

#include "../sim/driver/module.hpp"
#include "../sim/driver/state.hpp"

#include "call.hpp"
#include "link_inputs.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;
namespace driver = sim::driver;

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

CUresult add(link_state& to, int type, std::string const& bytes, char const* name) {
    if (type < 0 || type > static_cast<int>(link_input::lto_ir)) return CUDA_ERROR_INVALID_VALUE;
    auto const in = driver::enter_context();
    if (!in.ready()) return in.status;
    auto texts = ptx_of(static_cast<link_input>(type), bytes, name == nullptr ? "an input" : name, *in.context->chip);
    if (!texts) {
        to.options.errors.write(texts.error().message());
        return static_cast<CUresult>(texts.error().status);
    }
    for (std::string& text : *texts) to.texts.push_back(std::move(text));
    return CUDA_SUCCESS;
}
CUresult add_data(void* handle, int type, void* data, std::size_t bytes, char const* name, unsigned, CUjit_option*,
                  void**) {
    std::lock_guard const held{link_states::instance().mutex};
    link_state* const to = link_states::instance().find(handle);
    if (to == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (data == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    return add(*to, type, std::string{static_cast<char const*>(data), bytes}, name);
}
CUresult add_file(void* handle, int type, char const* path, unsigned, CUjit_option*, void**) {
    std::lock_guard const held{link_states::instance().mutex};
    link_state* const to = link_states::instance().find(handle);
    if (to == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
    auto const image = platform::read_file(path); // nothing for a folder
    return image ? add(*to, type, *image, path) : CUDA_ERROR_FILE_NOT_FOUND;
}

// The linked text, ended by a null character that is counted.
CUresult complete(void* handle, void** image, std::size_t* bytes) {
    std::lock_guard const held{link_states::instance().mutex};
    link_state* const of = link_states::instance().find(handle);
    if (of == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (image == nullptr || of->texts.empty()) return CUDA_ERROR_INVALID_VALUE;
    of->linked = linked(of->texts);
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
