// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole small program: a frozen frame of an object, measured pass by pass.
#include <gpuprof/bottleneck.hpp>
#include <gpuprof/gpuprof.hpp>

void draw();

int main() {
    auto gpu = gpuprof::open_device();
    gpuprof::experiment frozen{gpu, gpuprof::metrics::inst_executed};
    frozen.reserve_objects(1);
    frozen.begin();
    for (std::size_t pass = 0; pass < frozen.passes(); ++pass) {
        frozen.begin_pass(pass);
        frozen.begin_object(0);
        draw();
        frozen.end_object(0);
        frozen.end_pass(pass);
    }
    frozen.end();
}
