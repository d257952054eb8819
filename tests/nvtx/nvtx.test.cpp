// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvtx.hpp under a tool that is linked into the program: it sees the names, cut to what fits.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/measure/nvtx.hpp>

namespace nvtx_test {

#if GPUPROF_NVTX

namespace {

std::vector<std::string> seen;

int NVTX_API push(char const* name) {
    seen.emplace_back(name);
    return 0;
}
int NVTX_API pop() {
    seen.emplace_back("-");
    return 0;
}

// What NVTX calls first: the tool puts its functions into the table of calls (nvtxInitDefs.h).
int NVTX_API initialize(NvtxGetExportTableFunc_t export_table) {
    auto const* const tables = static_cast<NvtxExportTableCallbacks const*>(export_table(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable calls = nullptr;
    unsigned count = 0;
    if (tables == nullptr || tables->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &calls, &count) == 0) return 0;
    *calls[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(&push);
    *calls[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(&pop);
    return 1;
}

} // namespace

TEST_CASE("a tool that is attached is noticed, and gets names cut at 255 bytes") {
    InitializeInjectionNvtx2_fnptr = &initialize; // where NVTX looks for a tool in the program itself
    REQUIRE(gpuprof::detail::nvtx_attached());
    for (std::string const& name : {std::string{"frame"}, std::string{}, std::string(255, 'n'), std::string(256, 'n'),
                                    std::string(10'000, 'n')}) {
        seen.clear();
        gpuprof::detail::nvtx_push(name);
        gpuprof::detail::nvtx_pop();
        CHECK(seen == std::vector<std::string>{name.substr(0, 255), "-"});
    }
    seen.clear();
    gpuprof::detail::nvtx_push(std::string_view{}); // no address at all
    CHECK(seen == std::vector<std::string>{""});
}

#else

TEST_CASE("scopes under a tool") { MESSAGE("skipped: no nvtx3/nvToolsExt.h was found"); }

#endif

} // namespace nvtx_test
