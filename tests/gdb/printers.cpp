// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values for tools/gdb/gpuprof.py. The program prints each as it stands in gpuprof's own words, one a line, NAME=TEXT;
// check.py compares these with what gdb shows.
#include <cstdio>
#include <string>

#include <gpuprof/core/error.inl.hpp>
#include <gpuprof/core/result.hpp>
#include <gpuprof/core/unit_literals.hpp>
#include <gpuprof/core/units.hpp>

namespace {

template <gpuprof::unit Unit>
void print(char const* name, gpuprof::quantity<Unit> value) {
    std::printf("%s=%.17g %.*s\n", name, value.value(), static_cast<int>(value.symbol().size()), value.symbol().data());
}

[[gnu::noinline]] void stop_here() { std::fflush(stdout); }

template <int Gb>
constexpr gpuprof::unit ten_to{{}, Gb};

} // namespace

int main() {
    gpuprof::error const why{gpuprof::errc::unknown_metric, 39, "no \"smsp__x\"", "it is no name", "see the list"};
    gpuprof::result<int> three{3};
    gpuprof::result<gpuprof::sectors> counted{gpuprof::sectors{1048576}};
    gpuprof::result<std::string> failed{why};
    gpuprof::result<void> done;
    gpuprof::result<void> undone{gpuprof::error{gpuprof::errc::io, 0, "open"}};
    std::printf("why=%s\nfailed=error %s\nundone=error %s\n", why.message().c_str(), failed.error().message().c_str(),
                undone.error().message().c_str());
    std::printf("three=result of 3\ncounted=result of 1048576 sector\ndone=result of nothing\n");

    gpuprof::sectors const read{1048576};
    gpuprof::bytes const none{};
    auto const bandwidth = gpuprof::bytes{2.5} / gpuprof::nanoseconds{1};
    gpuprof::percent const share{12.5};
    auto const ratio = gpuprof::sectors{1} / gpuprof::sectors{3};
    auto const spread = gpuprof::sectors{4} / gpuprof::requests{1};
    auto const area = gpuprof::bytes{3} * gpuprof::bytes{5};
    auto const rate = 1.0 / gpuprof::seconds{4};
    gpuprof::quantity<gpuprof::bytes::unit() * ten_to<9>> const many{7};
    gpuprof::quantity<gpuprof::bytes::unit() * ten_to<5>> const odd{7};
    gpuprof::quantity<ten_to<6>> const millions{7};
    gpuprof::quantity<gpuprof::unit{{{gpuprof::dimension::cycle_dram, 1}}, 0}> const cycles{8};
    gpuprof::quantity<gpuprof::unit{{{gpuprof::dimension::branch_target, 1}, {gpuprof::dimension::reg, -2}}, 0}> const
        targets{9};
    print("read", read);
    print("none", none);
    print("bandwidth", bandwidth);
    print("share", share);
    print("ratio", ratio);
    print("spread", spread);
    print("area", area);
    print("rate", rate);
    print("many", many);
    print("odd", odd);
    print("millions", millions);
    print("cycles", cycles);
    print("targets", targets);
    stop_here();
    return three.has_value() && counted && done ? 0 : 1;
}
