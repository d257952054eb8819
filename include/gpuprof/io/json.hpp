// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes records and reports as JSON (RFC 8259).
#ifndef GPUPROF_IO_JSON_HPP
#define GPUPROF_IO_JSON_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "trace_compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "../text/json_text.hpp"
#include "output.hpp"
#include "record_fields.hpp"
#include "sink.hpp"
#include "../measure/report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A report as one object: device, chip, source, hardware, completeness with its problems, metrics
// with their units, and ranges in the order of the report, whose "parent" is the index of the
// enclosing range in this list, or null. A range has "values", an object with a member a metric:
// the number in the metric's unit, its text, or null if there is none. "each" has the values of its
// repetitions, and "instances" those of a metric's instances, if there are any. Numbers have as
// many digits as read back the same. docs/trace.md shows one.
[[nodiscard]] std::string json(report const& of);

// Writes records of any kind, an object a line (NDJSON): "record" is the name of its type, the
// other members have their names in CUPTI's structures; members that a record lacks are omitted.
// Enumerations are words ("host to device"), or numbers if gpuprof does not know them; times are
// nanoseconds as whole numbers, which some readers round to 53 bits.
//
//     gpuprof::io::ndjson_writer lines{file.sink()};
//     batch.visit(lines);
//
// Memory: 256 KB, however many records. One thread at a time. finish() returns the sink's errors.
class ndjson_writer {
public:
    explicit ndjson_writer(sink to) : out_{to} {}
    ~ndjson_writer() { static_cast<void>(finish()); }
    ndjson_writer(ndjson_writer const&) = delete;
    ndjson_writer& operator=(ndjson_writer const&) = delete;

    template <class Record>
    void write(Record const& record) {
        static_assert(!record_name<Record>.empty(), "gpuprof: write() takes activity records and scopes");
        out_.text("{\"record\":\"");
        out_.text(record_name<Record>);
        out_.character('"');
        for_each_field(record, [this](std::string_view name, field_value const& value) {
            if (value.kind == field_kind::absent) return;
            out_.text(",\"");
            out_.text(name);
            out_.text("\":");
            write_value(value);
        });
        out_.text("}\n");
        ++records_;
        if (out_.full()) out_.send({});
    }
    template <class... Records>
    void write(std::variant<Records...> const& record) {
        std::visit([this](auto const& held) { this->write(held); }, record);
    }
    // The same, as a visitor: batch.visit(lines).
    template <class Record>
    void operator()(Record const& record) {
        write(record);
    }

    [[nodiscard]] std::uint64_t records() const noexcept { return records_; }

    // Hands all text to the sink. Errors: the sink's first error, io for a file.
    result<void> finish() {
        out_.send({});
        if (out_.failure()) return *out_.failure();
        return {};
    }

private:
    void write_value(field_value const& value) {
        switch (value.kind) {
            case field_kind::absent: break;
            case field_kind::negative: out_.character('-'); [[fallthrough]];
            case field_kind::whole: out_.number(value.whole); break;
            case field_kind::real: out_.real(value.real); break;
            case field_kind::yes_no: out_.text(value.whole != 0 ? "true" : "false"); break;
            case field_kind::text: gpuprof::detail::write_json_string(out_, value.text); break;
            case field_kind::bytes:
                out_.character('"');
                out_.digits_of(value.text);
                out_.character('"');
                break;
            case field_kind::address:
                out_.character('"');
                out_.hexadecimal(value.whole);
                out_.character('"');
                break;
            case field_kind::list:
                out_.character('[');
                for (std::size_t i = 0; i < value.size; ++i) {
                    if (i > 0) out_.character(',');
                    out_.number(value.list[i]);
                }
                out_.character(']');
                break;
        }
    }

    output out_;
    std::uint64_t records_ = 0;
};

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "json.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_IO_JSON_HPP
