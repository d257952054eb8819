// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole small program: work that is traced, with a handler of callbacks, and what writes records out.
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/trace.hpp>

namespace activity = gpuprof::activity;

void work();
void show(unsigned blocks);

int main() {
    auto gpu = gpuprof::open_device();
    gpuprof::callbacks heard{gpu, gpuprof::driver_calls::launches, [](gpuprof::api_call_event const& call) {
                                 if (auto const launch = call.launch()) show(launch->grid[0]);
                             }};
    gpuprof::tracer trace{gpu, activity::kinds<activity::kernel>};
    {
        gpuprof::scope step{trace, "step"};
        work();
    }
    auto const batch = trace.flush();
    batch.visit(gpuprof::overloaded{[](activity::kernel const& each) { show(each.grid.x); }});
    gpuprof::io::trace_event_writer picture{gpuprof::io::sink{}};
    picture.write(batch);
    return static_cast<int>(picture.events());
}
