// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way of a tracer's or a sampler's outputs to a recording, and from one.
#ifndef GPUPROF_HW_MACHINE_OUTPUT_LINE_HPP
#define GPUPROF_HW_MACHINE_OUTPUT_LINE_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../core/result.hpp"
#include "../../detail/config.hpp"
#include "../../detail/owned.hpp"
#include "recorder.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

class output_fields;

// What one tracer or sampler hands out, in its order. On a device it is kept for a recording; on a recorded device it is
// replaced by what was recorded in its place. One thread at a time.
class output_line {
public:
    using description = void (*)(output_fields& fields, void* output);

    output_line(output_line const&) = delete;
    output_line& operator=(output_line const&) = delete;
    virtual ~output_line() = default; // hands what was kept to the recording

    // Whether outputs come from a recording: nothing is measured then.
    [[nodiscard]] bool plays() const noexcept { return plays_; }
    // Keeps the output, or fills it. Errors, of a recorded device only: not_collected where there is no more of them;
    // replay_mismatch where the program has launched other kernels than then; invalid_argument for a damaged recording.
    template <class F>
    [[nodiscard]] result<void> pass(F&& describe) {
        return pass(
            [](output_fields& fields, void* output) { (*static_cast<std::remove_reference_t<F>*>(output))(fields); },
            &describe);
    }
    [[nodiscard]] virtual result<void> pass(description describe, void* output) = 0;
    // Calls describe for each output that is still to come, which stays. Does nothing where nothing is played.
    template <class F>
    void look_ahead(F&& describe) {
        look_ahead(
            [](output_fields& fields, void* output) { (*static_cast<std::remove_reference_t<F>*>(output))(fields); },
            &describe);
    }
    virtual void look_ahead(description describe, void* output) = 0;
    // How many outputs are still to come from a recording.
    [[nodiscard]] virtual std::size_t left() const noexcept = 0;
    // The recording's file; empty where nothing is played.
    [[nodiscard]] virtual std::string file() const = 0;

protected:
    explicit output_line(bool plays) noexcept : plays_{plays} {}

private:
    bool plays_;
};

// What a tracer or sampler is asked for when it begins.
struct output_request {
    std::string what;               // "trace", "instruction counts"
    std::vector<std::string> asked; // "kernel", "memcpy": a replay may ask for some of what was recorded
    bool compares_launches = true;  // the program's kernels must be those that were recorded
};

// The error of a replay that does something else than was recorded.
[[nodiscard]] inline error unlike_recording(std::string_view what) {
    return {errc::replay_mismatch, 0, what, "the program has changed since it was recorded",
            "record it anew on a GPU: GPUPROF_RECORD=file, GPUPROF_DEVICE=cuda:0"};
}

// recorder::try_begin_outputs() of the program's recorder. None without one.
[[nodiscard]] inline result<gpuprof::detail::owned<output_line>> try_begin_outputs(device const& gpu,
                                                                                   output_request request) {
    if (program_recorder != nullptr) return program_recorder->try_begin_outputs(gpu, std::move(request));
    return result<gpuprof::detail::owned<output_line>>{gpuprof::detail::owned<output_line>{}};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_OUTPUT_LINE_HPP
