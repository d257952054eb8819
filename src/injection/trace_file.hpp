// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file that the injection library writes: records come in, and it can be read at any time.
#ifndef GPUPROF_INJECTION_TRACE_FILE_HPP
#define GPUPROF_INJECTION_TRACE_FILE_HPP

#include <cstdint>     // counts
#include <memory>      // the file
#include <string>      // paths
#include <utility>     // std::move

#include <gpuprof/io/file_sink.hpp>
#include <gpuprof/io/trace_event.hpp>
#include <gpuprof/trace/tracer.hpp>

#include "settings.hpp"

namespace gpuprof::injection {

// One thread at a time.
class trace_file {
public:
    // Makes the file anew. Errors: io.
    [[nodiscard]] static result<std::unique_ptr<trace_file>> try_open(settings const& from) {
        auto opened = io::file_sink::try_open(from.file);
        if (!opened) return std::move(opened).error();
        std::unique_ptr<trace_file> file{new trace_file{*std::move(opened)}};
        return result<std::unique_ptr<trace_file>>{std::move(file)};
    }

    void write(tracer<activity::kind_set>::batch const& batch) {
        writer_.write(batch);
        lost_ += batch.losses();
    }
    // After it the file holds all that was written, and is whole. Errors: io.
    [[nodiscard]] result<void> flush() { return writer_.flush(); }
    [[nodiscard]] result<void> finish() {
        if (auto done = writer_.finish(); !done) return done;
        return file_.close();
    }

    [[nodiscard]] std::string const& path() const& noexcept { return file_.path(); }
    [[nodiscard]] std::uint64_t events() const noexcept { return writer_.events(); }
    [[nodiscard]] trace_losses const& lost() const noexcept { return lost_; }

private:
    explicit trace_file(io::file_sink file) : file_{std::move(file)}, writer_{file_.sink()} {}

    io::file_sink file_;
    io::trace_event_writer writer_;
    trace_losses lost_;
};

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_TRACE_FILE_HPP
