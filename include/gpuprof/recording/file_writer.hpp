// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the JSON of files that gpuprof reads again: numbers that come back with the same bits, errors, values, launches.
#ifndef GPUPROF_RECORDING_FILE_WRITER_HPP
#define GPUPROF_RECORDING_FILE_WRITER_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "../core/error.hpp"
#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../hw/counters/uncounted/provided_value.hpp"
#include "../text/json_number.hpp"
#include "../text/json_text.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The base of writers. `before` is what separates a member from the text before it.
class file_writer {
public:
    void text(std::string_view part) { to_ += part; } // for write_json_string
    [[nodiscard]] std::string take() { return std::move(to_); }

protected:
    void string(std::string_view what) { write_json_string(*this, what); }
    // JSON has neither NaN nor infinities: null and texts.
    void number(double value) {
        if (value != value) to_ += "null";
        else if (value - value != 0) to_ += value > 0 ? "\"infinite\"" : "\"-infinite\"";
        else add_json_number(to_, value);
    }
    void name(std::string_view before, std::string_view of) {
        to_ += before;
        string(of);
        to_ += ": ";
    }
    void list(std::string_view before, std::string_view of) {
        name(before, of);
        to_ += '[';
    }
    void member(std::string_view before, std::string_view of, std::string_view value) {
        name(before, of);
        string(value);
    }
    void member(std::string_view before, std::string_view of, double value) {
        name(before, of);
        number(value);
    }
    void count(std::string_view before, std::string_view of, std::size_t value) {
        member(before, of, static_cast<double>(value));
    }
    // A number, or null for the one that means none.
    void place(std::size_t value, std::size_t none) {
        if (value == none) to_ += "null";
        else number(static_cast<double>(value));
    }
    void place(std::string_view before, std::string_view of, std::size_t value, std::size_t none) {
        name(before, of);
        place(value, none);
    }
    void flag(std::string_view before, std::string_view of, bool value) {
        name(before, of);
        to_ += value ? "true" : "false";
    }

    void write(error const& why) {
        member("{", "code", gpuprof::name(why.code));
        member(", ", "status", why.status);
        member(", ", "what", why.what);
        member(", ", "cause", why.cause);
        member(", ", "remedy", why.remedy);
        to_ += '}';
    }
    void write(std::optional<error> const& why) {
        if (why) write(*why);
        else to_ += "null";
    }
    // The members of a value that is more than a number, and why there is none.
    void write_value(hw::provided::provided_value const& value, std::optional<error> const& missing) {
        member(", ", "number", value.number ? *value.number : quiet_nan);
        member(", ", "text", value.text);
        list(", ", "instances");
        for (std::size_t i = 0; i < value.instances.size(); ++i) {
            auto const& each = value.instances[i];
            to_ += i == 0 ? "[" : ", [";
            string(each.key);
            to_ += ", ";
            number(each.number);
            to_ += ", ";
            string(each.text);
            to_ += ']';
        }
        name("], ", "missing");
        write(missing);
    }
    // What a range launched: an object. `Launches` has the members of range_launches.
    template <class Launches>
    void write_launches(Launches const& of) {
        flag("{", "heard", of.heard);
        count(", ", "kernels", of.kernels);
        count(", ", "graphs", of.graphs);
        count(", ", "refused", of.refused);
        flag(", ", "alike", of.alike);
        member(", ", "kernel", of.kernel);
        to_ += '}';
    }

    std::string to_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RECORDING_FILE_WRITER_HPP
