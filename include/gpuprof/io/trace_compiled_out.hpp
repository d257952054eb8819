// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: the writers of trace.hpp, which write nothing. See measure/compiled_out.hpp.
#ifndef GPUPROF_IO_TRACE_COMPILED_OUT_HPP
#define GPUPROF_IO_TRACE_COMPILED_OUT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "../core/result.hpp"
#include "../hw/abi/cupti_activity.hpp"
#include "../hw/activity/timestamp.hpp"
#include "../measure/compiled_out.hpp"
#include "../trace/compiled_out.hpp"
#include "activity_line.hpp"
#include "sink.hpp"
#include "trace_event_options.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Creates no file.
class file_sink {
public:
    [[nodiscard]] static result<file_sink> try_open(std::string) {
        return file_sink{};
    } // NOLINT(performance-unnecessary-value-param)

    [[nodiscard]] io::sink sink() noexcept {
        return {[](void*, std::string_view, std::string_view) -> result<void> { return {}; }, nullptr};
    }
    [[nodiscard]] std::string const& path() const& noexcept { return gpuprof::detail::nothing<std::string>(); }
    [[nodiscard]] result<void> close() { return {}; }

private:
    constexpr file_sink() noexcept = default;
    gpuprof::detail::moved_only moves_;
};

// Empty.
[[nodiscard]] inline std::string json(report const&) { return {}; }

template <class Record>
class csv_writer {
public:
    explicit constexpr csv_writer(sink) noexcept {}
    constexpr ~csv_writer() {} // NOLINT(modernize-use-equals-default)
    csv_writer(csv_writer const&) = delete;
    csv_writer& operator=(csv_writer const&) = delete;

    void write(Record const&) noexcept {}
    template <class... Records>
    void write(std::variant<Records...> const&) noexcept {}
    void operator()(Record const&) noexcept {}
    [[nodiscard]] std::uint64_t records() const noexcept { return 0; }
    result<void> finish() { return {}; }
};

class ndjson_writer {
public:
    explicit constexpr ndjson_writer(sink) noexcept {}
    constexpr ~ndjson_writer() {} // NOLINT(modernize-use-equals-default)
    ndjson_writer(ndjson_writer const&) = delete;
    ndjson_writer& operator=(ndjson_writer const&) = delete;

    template <class Record>
    void write(Record const&) noexcept {}
    template <class... Records>
    void write(std::variant<Records...> const&) noexcept {}
    template <class Record>
    void operator()(Record const&) noexcept {}
    [[nodiscard]] std::uint64_t records() const noexcept { return 0; }
    result<void> finish() { return {}; }
};

class trace_event_writer {
public:
    explicit constexpr trace_event_writer(sink, trace_event_options const& = {}) noexcept {}
    constexpr ~trace_event_writer() {} // NOLINT(modernize-use-equals-default)
    trace_event_writer(trace_event_writer const&) = delete;
    trace_event_writer& operator=(trace_event_writer const&) = delete;

    template <class Record>
    void write(Record const&) noexcept {}
    template <class... Records>
    void write(std::variant<Records...> const&) noexcept {}
    template <class Record>
    void operator()(Record const&) noexcept {}
    void counter(std::string_view, activity::timestamp, double, std::optional<std::uint32_t> = {}) noexcept {}
    result<void> flush() { return {}; }
    result<void> finish() { return {}; }
    [[nodiscard]] trace_event_losses const& losses() const noexcept {
        return gpuprof::detail::nothing<trace_event_losses>();
    }
    [[nodiscard]] std::uint64_t events() const noexcept { return 0; }
    [[nodiscard]] std::uint64_t size() const noexcept { return 0; }
};

// Creates no file.
template <class Kinds>
[[nodiscard]] result<trace_event_losses> try_write_trace(std::string,
                                                         tracer<Kinds>&, // NOLINT(performance-unnecessary-value-param)
                                                         trace_event_options const& = {}) {
    return trace_event_losses{};
}
#if GPUPROF_EXCEPTIONS
template <class Kinds>
trace_event_losses write_trace(std::string, tracer<Kinds>&, // NOLINT(performance-unnecessary-value-param)
                               trace_event_options const& = {}) noexcept {
    return {};
}
#endif

// No lines.
class activity_summary {
public:
    static constexpr std::size_t most_lines = 10'000;
    using call_names = std::string_view (*)(abi::CUpti_ActivityKind kind, std::uint32_t callback);
    explicit constexpr activity_summary(call_names = nullptr) noexcept {}
    activity_summary(activity_summary&&) noexcept {}
    activity_summary& operator=(activity_summary&&) noexcept { return *this; }
    constexpr ~activity_summary() {} // NOLINT(modernize-use-equals-default)

    template <class Record>
    void add(Record const&) noexcept {}
    template <class... Records>
    void add(std::variant<Records...> const&) noexcept {}
    template <class Record>
    void operator()(Record const&) noexcept {}
    [[nodiscard]] std::vector<activity_line> lines() const { return {}; }
    [[nodiscard]] std::vector<scope_line> scopes() const { return {}; }
    [[nodiscard]] std::uint64_t late_markers() const noexcept { return 0; }
    [[nodiscard]] std::uint64_t gpu_time() const noexcept { return 0; }
    [[nodiscard]] std::uint64_t without_time() const noexcept { return 0; }
};
// Empty.
[[nodiscard]] inline std::string table(activity_summary const&, std::size_t = 50) { return {}; }
[[nodiscard]] inline std::string csv(activity_summary const&) { return {}; }
[[nodiscard]] inline std::string json(activity_summary const&) { return {}; }

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_TRACE_COMPILED_OUT_HPP
