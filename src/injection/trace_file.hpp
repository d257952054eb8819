// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file that the injection library writes: batches come in, and it can be read at any time.
#ifndef GPUPROF_INJECTION_TRACE_FILE_HPP
#define GPUPROF_INJECTION_TRACE_FILE_HPP

#include <cstdint>
#include <memory>

#include <gpuprof/core/result.hpp>
#include <gpuprof/trace/tracer.hpp>

#include "settings.hpp"

namespace gpuprof::injection {

using trace_batch = tracer<activity::kind_set>::batch;

// One thread at a time. After an error nothing more is written; finish() says the first one.
class trace_file {
public:
    virtual ~trace_file() = default;
    virtual void write(trace_batch const& batch) = 0;
    // The file now holds all that was written, and can be read.
    virtual void flush() = 0;
    // Errors: io.
    [[nodiscard]] virtual result<void> finish() = 0;
    [[nodiscard]] virtual std::uint64_t written() const noexcept = 0;
    [[nodiscard]] virtual char const* unit() const noexcept = 0; // of written(): "events"
};

// Makes the file of the settings anew, in its format. Errors: io.
[[nodiscard]] result<std::unique_ptr<trace_file>> try_open_file(settings const& from);

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_TRACE_FILE_HPP
