// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes records as CSV (RFC 4180).
#ifndef GPUPROF_IO_CSV_WRITER_HPP
#define GPUPROF_IO_CSV_WRITER_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "trace_compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "../core/result.hpp"
#include "csv_cell.hpp"
#include "output.hpp"
#include "record_fields.hpp"
#include "sink.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Writes records of one type, a line each, below a line with the members' names in CUPTI's
// structures. The columns do not depend on the release or the records: a member that a record lacks
// is an empty cell. Enumerations are words ("host to device"), or numbers if gpuprof does not know
// them; times are nanoseconds; lists have blanks between their numbers.
//
//     gpuprof::io::csv_writer<activity::kernel> csv{file.sink()};
//     batch.visit(csv);      // with kinds chosen at run time: of all records, the kernels
//
// Memory: 256 KB, however many records. One thread at a time. finish() returns the sink's errors.
template <class Record>
class csv_writer {
public:
    explicit csv_writer(sink to) : out_{to} {
        bool first = true;
        for (std::string_view const column : columns_of<Record>()) {
            if (!first) out_.character(',');
            write_csv_cell(out_, column);
            first = false;
        }
        out_.text("\r\n");
    }
    ~csv_writer() { static_cast<void>(finish()); }
    csv_writer(csv_writer const&) = delete;
    csv_writer& operator=(csv_writer const&) = delete;

    void write(Record const& record) {
        std::vector<std::string_view> const& columns = columns_of<Record>();
        std::size_t written = 0; // cells of this line
        for_each_field(record, [&](std::string_view name, field_value const& value) {
            for (; columns[written] != name; ++written) out_.character(',');
            write_value(value);
        });
        for (; written + 1 < columns.size(); ++written) out_.character(',');
        out_.text("\r\n");
        ++records_;
        if (out_.full()) out_.send({});
    }
    // Writes the record if the variant holds one of this type.
    template <class... Records>
    void write(std::variant<Records...> const& record) {
        if (auto const* const held = std::get_if<Record>(&record)) write(*held);
    }
    void operator()(Record const& record) { write(record); }

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

#endif // GPUPROF_ENABLED

#endif // GPUPROF_IO_CSV_WRITER_HPP
