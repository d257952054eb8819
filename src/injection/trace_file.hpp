// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file that the injection library writes: records come in, and it can be read at any time.
#ifndef GPUPROF_INJECTION_TRACE_FILE_HPP
#define GPUPROF_INJECTION_TRACE_FILE_HPP

#include <cstdint>     // counts
#include <memory>      // the file
#include <string>      // paths
#include <string_view> // names of calls
#include <utility>     // std::move

#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/io/file_sink.hpp>
#include <gpuprof/io/trace_event.hpp>
#include <gpuprof/trace/tracer.hpp>

#include "settings.hpp"

namespace gpuprof::injection {

// CUPTI knows the names of its callbacks, and so of all calls that its release has.
inline abi::cupti_table const* names_from = nullptr;
inline std::string_view name_of_call(abi::CUpti_ActivityKind kind, std::uint32_t callback) {
    char const* name = nullptr;
    auto const domain =
        kind == abi::CUPTI_ACTIVITY_KIND_DRIVER ? abi::CUPTI_CB_DOMAIN_DRIVER_API : abi::CUPTI_CB_DOMAIN_RUNTIME_API;
    bool const known = names_from != nullptr && names_from->GetCallbackName != nullptr &&
                       names_from->GetCallbackName(domain, callback, &name) == abi::CUPTI_SUCCESS && name != nullptr;
    return known ? std::string_view{name} : std::string_view{};
}

// One thread at a time.
class trace_file {
public:
    // Makes the file anew. Errors: io.
    [[nodiscard]] static result<std::unique_ptr<trace_file>> try_open(settings const& from, hw::machine const& on) {
        auto opened = io::file_sink::try_open(from.file);
        if (!opened) return std::move(opened).error();
        names_from = &on.cupti;
        std::unique_ptr<trace_file> file{new trace_file{*std::move(opened), from}};
        return result<std::unique_ptr<trace_file>>{std::move(file)};
    }

    void write(tracer<activity::kind_set>::batch const& batch) {
        batch.visit([this](auto const& record) {
            writer_.write(record);
            ++records_;
        });
        lost_ += batch.losses();
    }
    // After it the file holds all that was written, and is whole. Errors: io.
    [[nodiscard]] result<void> flush() { return writer_.flush(); }
    [[nodiscard]] result<void> finish() {
        if (auto done = writer_.finish(); !done) return done;
        return file_.close();
    }

    [[nodiscard]] std::string const& path() const& noexcept { return file_.path(); }
    [[nodiscard]] std::uint64_t records() const noexcept { return records_; }
    [[nodiscard]] trace_losses const& lost() const noexcept { return lost_; }

private:
    trace_file(io::file_sink file, settings const& from)
        : file_{std::move(file)}, writer_{file_.sink(), options(from)} {}

    [[nodiscard]] static io::trace_event_options options(settings const&) {
        io::trace_event_options all;
        all.name_of_call = &name_of_call;
        all.scope_kind = tracer_options{}.scope_kind;
        return all;
    }

    io::file_sink file_;
    io::trace_event_writer writer_;
    std::uint64_t records_ = 0;
    trace_losses lost_;
};

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_TRACE_FILE_HPP
