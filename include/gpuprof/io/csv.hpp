// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records and reports as CSV (RFC 4180). Layer: write out.
#ifndef GPUPROF_IO_CSV_HPP
#define GPUPROF_IO_CSV_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // numbers
#include <string>      // a report's text
#include <string_view> // cells
#include <variant>     // records of any kind

#include "output.hpp"
#include "record_fields.hpp"
#include "sink.hpp"
#if GPUPROF_ENABLED
#include "../measure/report.hpp"
#else
#include "../measure/compiled_out.hpp"
#endif

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A line a range; columns "range" (its path), "count", then one for each metric with its unit: "dram__bytes_read.sum [byte]".
// Numbers have as many digits as read back the same. Empty: not collected, or divided by 0. Lines end with CR LF.
#if GPUPROF_ENABLED
GPUPROF_DECLARE [[nodiscard]] std::string csv(report const& of);
#else
[[nodiscard]] inline std::string csv(report const&) { return {}; }
#endif

// A cell: in quotes where it must be, quotes in it doubled.
template <class Text>
void write_csv_cell(Text& to, std::string_view what) {
    if (what.find_first_of(",\"\r\n") == what.npos) {
        to.text(what);
        return;
    }
    to.text("\"");
    for (std::size_t quote; (quote = what.find('"')) != what.npos; what.remove_prefix(quote + 1)) {
        to.text(what.substr(0, quote + 1));
        to.text("\"");
    }
    to.text(what);
    to.text("\"");
}

// Writes the records of one type, a line each, below a line with the names that CUPTI's structures have for the members. The
// columns do not depend on the release or the records: what a record lacks is an empty cell. Enumerations are words ("host to
// device"), or numbers where gpuprof does not know them; times are nanoseconds; lists have blanks between their numbers.
//
//     gpuprof::io::csv_writer<activity::kernel> csv{file.sink()};
//     batch.visit(csv);      // with kinds chosen at run time: of all records, the kernels
//
// Memory: 256 KB, however many records. One thread at a time. Errors of the sink come out of finish().
template <class Record>
class csv_writer {
public:
    explicit csv_writer(sink to) : out_{to} {
        bool first = true;
        for (record_column const& column : columns_of<Record>()) {
            if (!first) out_.character(',');
            write_csv_cell(out_, column.name);
            first = false;
        }
        out_.text("\r\n");
    }
    ~csv_writer() { static_cast<void>(finish()); }
    csv_writer(csv_writer const&) = delete;
    csv_writer& operator=(csv_writer const&) = delete;

    void write(Record const& record) {
        std::size_t written = 0; // cells before this one
        for_each_field(record, [&](std::size_t column, std::string_view, field_value const& value) {
            for (; written < column; ++written) out_.character(',');
            write_value(value);
        });
        for (; written + 1 < columns_of<Record>().size(); ++written) out_.character(',');
        out_.text("\r\n");
        ++records_;
        if (out_.full()) out_.send({});
    }
    // The record, if the variant holds one of this type.
    template <class... Records>
    void write(std::variant<Records...> const& record) {
        if (auto const* const held = std::get_if<Record>(&record)) write(*held);
    }
    void operator()(Record const& record) { write(record); }

    [[nodiscard]] std::uint64_t records() const noexcept { return records_; }

    // Hands over what was written. Errors: as the sink's, io for a file; the first one there was.
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
            case field_kind::text: write_csv_cell(out_, value.text); break;
            case field_kind::bytes: out_.digits_of(value.text); break;
            case field_kind::address: out_.hexadecimal(value.whole); break;
            case field_kind::list:
                for (std::size_t i = 0; i < value.size; ++i) {
                    if (i > 0) out_.character(' ');
                    out_.number(value.list[i]);
                }
                break;
        }
    }

    output out_;
    std::uint64_t records_ = 0;
};

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "csv.inl.hpp"
#endif

#endif // GPUPROF_IO_CSV_HPP
