// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A whole small program: a loop of frames with a scope, a counter and a display.
#include <gpuprof/frames.hpp>
#include <gpuprof/gpuprof.hpp>

bool running();
void draw();
void show(double instructions);
void show(char const* text);

int main() {
    constexpr auto instructions = gpuprof::metric<"sm__inst_executed.sum">;
    auto gpu = gpuprof::open_device();
    gpuprof::frame_sampler frames{gpu, {}, instructions};
    char text[4000];
    while (running()) {
        frames.begin_frame();
        {
            gpuprof::scope scene{frames, "scene"};
            draw();
        }
        frames.end_frame();
        if (auto last = frames.last(instructions)) show(last->value());
        show(gpuprof::write_hud(text, frames).data());
    }
}
