// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the JSON of files that gpuprof wrote: the first thing that is not as it was written ends it, with its place.
#ifndef GPUPROF_RECORDING_FILE_READER_HPP
#define GPUPROF_RECORDING_FILE_READER_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "../core/error.hpp"
#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../hw/counters/uncounted/provided_value.hpp"
#include "../hw/machine/platform/file.hpp"
#include "../text/json_value.hpp"
#include "../text/printable.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The base of readers. What returns bool is false where it failed; why() says then what is wrong,
// and in which member: "ranges[3].count: a number is missing, or out of its bounds".
class file_reader {
public:
    using kind = json_value::type;

    [[nodiscard]] std::string why() const { return place_.empty() ? why_ : joined({place_, ": ", why_}); }

protected:
    bool fail(std::string_view why) {
        if (why_.empty()) why_ = why;
        return false;
    }
    // Says that what failed is in this member. Always false.
    bool fail_in(std::string_view member) {
        place_ = joined({member, place_.empty() ? "" : ".", place_});
        return false;
    }
    // ... in this item of this member.
    bool fail_in(std::string_view member, std::size_t item) {
        return fail_in(joined({member, "[", std::to_string(item), "]"}));
    }

    // The member, which is null if there is none.
    [[nodiscard]] static json_value const& member(json_value const& of, std::string_view name) {
        static json_value const none{};
        json_value const* const found = of.find(name);
        return found != nullptr ? *found : none;
    }
    [[nodiscard]] bool text(json_value const& from, std::string& into) {
        if (from.is != kind::text) return fail("a text is missing");
        into = from.text;
        return true;
    }
    [[nodiscard]] bool flag(json_value const& from, bool& into) {
        if (from.is != kind::boolean) return fail("true or false is missing");
        into = from.boolean;
        return true;
    }
    template <class Number>
    [[nodiscard]] bool whole(json_value const& from, Number& into, double least, double most) {
        if (from.is != kind::number || !(from.number >= least) || !(from.number <= most) ||
            from.number != static_cast<double>(static_cast<long long>(from.number)))
            return fail("a number is missing, or out of its bounds");
        into = static_cast<Number>(from.number);
        return true;
    }
    [[nodiscard]] bool count(json_value const& from, std::size_t& into) {
        return whole(from, into, 0, 9007199254740992.0);
    }
    [[nodiscard]] bool integer(json_value const& from, int& into) {
        return whole(from, into, -2147483648.0, 2147483647.0);
    }
    // The number of one of `end` things.
    [[nodiscard]] bool index(json_value const& from, std::size_t& into, std::size_t end) {
        if (end == 0) return fail("it names what is not there");
        return whole(from, into, 0, static_cast<double>(end - 1));
    }
    // The same, or null, which leaves `into` as it is.
    [[nodiscard]] bool place(json_value const& from, std::size_t& into, std::size_t end) {
        return from.is == kind::null || index(from, into, end);
    }
    [[nodiscard]] bool number(json_value const& from, double& into) {
        if (from.is == kind::number) into = from.number;
        else if (from.is == kind::null) into = quiet_nan;
        else if (from.is == kind::text && from.text == "infinite") into = infinite;
        else if (from.is == kind::text && from.text == "-infinite") into = -infinite;
        else return fail("a value is no number");
        return true;
    }

    [[nodiscard]] bool read(json_value const& from, error& into) {
        std::string code;
        if (!text(member(from, "code"), code) || !integer(member(from, "status"), into.status) ||
            !text(member(from, "what"), into.what) || !text(member(from, "cause"), into.cause) ||
            !text(member(from, "remedy"), into.remedy))
            return false;
        for (unsigned i = 0; i <= static_cast<unsigned>(errc::internal); ++i)
            if (gpuprof::name(static_cast<errc>(i)) == code) {
                into.code = static_cast<errc>(i);
                return true;
            }
        return fail("a problem has no error code");
    }
    [[nodiscard]] bool read(json_value const& from, std::optional<error>& into) {
        return from.is == kind::null || read(from, into.emplace());
    }
    // What file_writer::write_value wrote into an object.
    [[nodiscard]] bool read_value(json_value const& from, hw::provided::provided_value& into,
                                  std::optional<error>& missing) {
        double value = 0;
        if (!number(member(from, "number"), value) || !text(member(from, "text"), into.text)) return false;
        if (value == value) into.number = value;
        json_value const& instances = member(from, "instances");
        if (instances.is != kind::list) return fail("instances are no list");
        into.instances.reserve(instances.items.size());
        for (json_value const& each : instances.items) {
            auto& made = into.instances.emplace_back();
            if (each.is != kind::list || each.items.size() != 3) return fail("an instance has other than three parts");
            if (!text(each.items[0], made.key) || !number(each.items[1], made.number) ||
                !text(each.items[2], made.text))
                return false;
        }
        return read(member(from, "missing"), missing);
    }
    template <class Launches>
    [[nodiscard]] bool read_launches(json_value const& from, Launches& into) {
        return flag(member(from, "heard"), into.heard) && count(member(from, "kernels"), into.kernels) &&
               count(member(from, "graphs"), into.graphs) && count(member(from, "refused"), into.refused) &&
               flag(member(from, "alike"), into.alike) && text(member(from, "kernel"), into.kernel);
    }

private:
    std::string why_;
    std::string place_;
};

// What `parse` makes of a file's text, by whose errors the file is named. @param what "recording"
// Errors: also io, if it cannot be read or has more than `most` bytes.
template <class Parse>
[[nodiscard]] auto try_parse_file(std::string const& path, std::string_view what, std::size_t most,
                                  std::string_view remedy, Parse parse) -> decltype(parse(std::string_view{})) {
    std::string const shown = printable_path(path);
    auto const text = platform::read_file(path, most);
    if (!text) {
        error const why{
            errc::io, 0, joined({"the ", what, " \"", shown, "\" cannot be read"}),
            joined({"there is no such file, or it is none of at most ", std::to_string(most >> 20), " MiB"}), remedy};
        return why;
    }
    auto made = parse(std::string_view{*text});
    if (made) return made;
    error why = made.error();
    why.what = joined({"\"", shown, "\": ", why.what});
    return why;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RECORDING_FILE_READER_HPP
