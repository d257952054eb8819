// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three formats of a trace: events for viewers, a line of JSON for each record, CSV.
#include "trace_file.hpp"

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include <gpuprof/io/csv_writer.hpp>
#include <gpuprof/io/file_sink.hpp>
#include <gpuprof/io/json.hpp>
#include <gpuprof/io/trace_event.hpp>

#include "call_name.hpp"

namespace gpuprof::injection {
namespace {

class event_file final : public trace_file {
public:
    explicit event_file(io::file_sink file) : file_{std::move(file)}, writer_{file_.sink(), options()} {}
    void write(trace_batch const& batch) override { writer_.write(batch); }
    void flush() override { static_cast<void>(writer_.flush()); }
    [[nodiscard]] result<void> finish() override {
        if (auto done = writer_.finish(); !done) return done;
        return file_.close();
    }
    [[nodiscard]] std::uint64_t written() const noexcept override { return writer_.events(); }
    [[nodiscard]] char const* unit() const noexcept override { return "events"; }

private:
    static io::trace_event_options options() {
        io::trace_event_options with;
        with.name_of_call = &call_name;
        return with;
    }

    io::file_sink file_;
    io::trace_event_writer writer_;
};

class line_file final : public trace_file {
public:
    explicit line_file(io::file_sink file) : file_{std::move(file)}, writer_{file_.sink()} {}
    void write(trace_batch const& batch) override { batch.visit(writer_); }
    void flush() override { static_cast<void>(writer_.finish()); } // it goes on after that
    [[nodiscard]] result<void> finish() override {
        if (auto done = writer_.finish(); !done) return done;
        return file_.close();
    }
    [[nodiscard]] std::uint64_t written() const noexcept override { return writer_.records(); }
    [[nodiscard]] char const* unit() const noexcept override { return "records"; }

private:
    io::file_sink file_;
    io::ndjson_writer writer_;
};

// Columns differ from kind to kind, so each kind of record that comes has a file of its own: trace.csv stands for
// trace.kernel.csv, trace.memcpy.csv and so on.
class table_files final : public trace_file {
public:
    explicit table_files(std::string const& path) : stem_{path.substr(0, path.size() - sizeof "csv")} {}
    void write(trace_batch const& batch) override {
        batch.visit([this](auto const& record) { write_record(record); });
    }
    void flush() override {
        for_each([](auto& each) { static_cast<void>(each.writer.finish()); });
    }
    [[nodiscard]] result<void> finish() override {
        for_each([this](auto& each) {
            if (auto done = each.writer.finish(); !done) note(std::move(done).error());
            else if (auto closed = each.file.close(); !closed) note(std::move(closed).error());
        });
        if (problem_) return *problem_;
        return {};
    }
    [[nodiscard]] std::uint64_t written() const noexcept override { return records_; }
    [[nodiscard]] char const* unit() const noexcept override { return "records"; }

    // Makes the file of the kernels, so that a place where nothing can be written shows at once.
    [[nodiscard]] result<void> try_begin() {
        static_cast<void>(table_of<activity::kernel>());
        if (problem_) return *problem_;
        return {};
    }

private:
    template <class Record>
    struct table {
        explicit table(io::file_sink opened) : file{std::move(opened)}, writer{file.sink()} {}
        io::file_sink file;
        io::csv_writer<Record> writer;
    };
    template <class Record>
    struct slot {
        std::unique_ptr<table<Record>> held;
        bool failed = false;
    };
#define GPUPROF_INJECTION_SLOT(type) , slot<activity::type>
    std::tuple<slot<traced_scope> GPUPROF_ACTIVITY_RECORDS(GPUPROF_INJECTION_SLOT)> slots_;
#undef GPUPROF_INJECTION_SLOT

    template <class Record>
    table<Record>* table_of() {
        auto& here = std::get<slot<Record>>(slots_);
        if (here.held != nullptr || here.failed) return here.held.get();
        auto opened = io::file_sink::try_open(stem_ + '.' + std::string{io::record_name<Record>} + ".csv");
        if (opened) {
            here.held = std::make_unique<table<Record>>(*std::move(opened));
        } else {
            here.failed = true;
            note(std::move(opened).error());
        }
        return here.held.get();
    }
    template <class Record>
    void write_record(Record const& record) {
        if (auto* const to = table_of<Record>()) {
            to->writer.write(record);
            ++records_;
        }
    }
    template <class F>
    void for_each(F&& f) {
        std::apply([&](auto&... each) { (static_cast<void>(each.held != nullptr && (f(*each.held), true)), ...); },
                   slots_);
    }
    void note(error problem) {
        if (!problem_) problem_.emplace(std::move(problem));
    }

    std::string stem_;
    std::uint64_t records_ = 0;
    std::optional<error> problem_;
};

} // namespace

result<std::unique_ptr<trace_file>> try_open_file(settings const& from) {
    if (from.format == file_format::csv) {
        auto files = std::make_unique<table_files>(from.file);
        if (auto begun = files->try_begin(); !begun) return std::move(begun).error();
        return result<std::unique_ptr<trace_file>>{std::move(files)};
    }
    auto opened = io::file_sink::try_open(from.file);
    if (!opened) return std::move(opened).error();
    std::unique_ptr<trace_file> file;
    if (from.format == file_format::json) file = std::make_unique<event_file>(*std::move(opened));
    else file = std::make_unique<line_file>(*std::move(opened));
    return result<std::unique_ptr<trace_file>>{std::move(file)};
}

} // namespace gpuprof::injection
