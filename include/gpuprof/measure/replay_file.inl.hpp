// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of replay_file.hpp.
#ifndef GPUPROF_MEASURE_REPLAY_FILE_INL_HPP
#define GPUPROF_MEASURE_REPLAY_FILE_INL_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/device_source.hpp"
#include "../detail/hash.hpp"
#include "../hw/machine/platform/directory_lock.hpp"
#include "../hw/machine/platform/file.hpp"
#include "../text/base64.hpp"
#include "../text/json_number.hpp"
#include "../text/json_text.hpp"
#include "../text/json_value.hpp"
#include "../text/printable.hpp"
#include "../text/sealed_text.hpp"
#include "replay_file.hpp"
#include "zero_runs.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {
namespace state_file {

inline constexpr int format = 2;
inline constexpr std::string_view anew = "remove the file to begin the replay anew";

[[nodiscard]] inline std::string hexadecimal(std::uint64_t number) {
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[number >> shift & 15u];
    return text;
}

class writer {
public:
    void text(std::string_view part) { to_ += part; } // for write_json_string
    void member(std::string_view name, std::string_view value) {
        begin(name);
        write_json_string(*this, value);
    }
    void number(std::string_view name, std::size_t value) {
        begin(name);
        add_json_number(to_, static_cast<double>(value));
    }
    void flag(std::string_view name, bool value) {
        begin(name);
        to_ += value ? "true" : "false";
    }
    void bytes(std::string_view name, std::vector<std::uint8_t> const& value) {
        begin(name);
        to_ += '"';
        add_base64(to_, value);
        to_ += '"';
    }
    void list(std::string_view name, std::vector<std::string> const& values) {
        begin(name);
        to_ += '[';
        for (std::size_t i = 0; i < values.size(); ++i) {
            to_ += i == 0 ? "" : ", ";
            write_json_string(*this, values[i]);
        }
        to_ += ']';
    }
    void ranges(std::vector<replayed_range> const& all) {
        begin("ranges");
        to_ += '[';
        for (std::size_t i = 0; i < all.size(); ++i) {
            to_ += i == 0 ? "\n    [" : ",\n    [";
            write_json_string(*this, all[i].name);
            to_ += ", ";
            write_json_string(*this, all[i].key);
            to_ += ", ";
            add_json_number(to_, static_cast<double>(all[i].passes));
            to_ += ']';
        }
        to_ += ']';
    }
    [[nodiscard]] std::string take() { return std::move(to_); }

private:
    void begin(std::string_view name) {
        to_ += to_.empty() ? "{\n  " : ",\n  ";
        write_json_string(*this, name);
        to_ += ": ";
    }
    std::string to_;
};

// What is missing, or of another kind, makes it fail; ok() says so in the end.
class reader {
public:
    explicit reader(json_value const& from) : from_{from} {}
    [[nodiscard]] bool ok() const noexcept { return ok_; }

    void read(std::string_view name, std::string& into) {
        if (auto const* const found = find(name, json_value::type::text)) into = found->text;
    }
    void read(std::string_view name, std::size_t& into) {
        if (auto const* const found = find(name, json_value::type::number)) into = whole(*found);
    }
    void read(std::string_view name, bool& into) {
        if (auto const* const found = find(name, json_value::type::boolean)) into = found->boolean;
    }
    void read_hexadecimal(std::string_view name, std::uint64_t& into) {
        auto const* const found = find(name, json_value::type::text);
        if (found == nullptr) return;
        into = 0;
        for (char const c : found->text) {
            std::size_t const digit = std::string_view{"0123456789abcdef"}.find(c);
            if (digit == std::string_view::npos) ok_ = false;
            else into = into << 4 | digit;
        }
        if (hexadecimal(into) != found->text) ok_ = false;
    }
    void read(std::string_view name, std::vector<std::uint8_t>& into) {
        auto const* const found = find(name, json_value::type::text);
        if (found == nullptr) return;
        if (auto bytes = bytes_of_base64(found->text)) into = *std::move(bytes);
        else ok_ = false;
    }
    void read(std::string_view name, std::vector<std::string>& into) {
        auto const* const found = find(name, json_value::type::list);
        if (found == nullptr) return;
        for (json_value const& each : found->items) {
            if (each.is != json_value::type::text) ok_ = false;
            into.push_back(each.text);
        }
    }
    void read(std::vector<replayed_range>& into) {
        auto const* const found = find("ranges", json_value::type::list);
        if (found == nullptr) return;
        for (json_value const& each : found->items) {
            using kind = json_value::type;
            bool const fits = each.is == kind::list && each.items.size() == 3 && each.items[0].is == kind::text &&
                              each.items[1].is == kind::text && each.items[2].is == kind::number;
            if (!fits) return void(ok_ = false);
            into.push_back({each.items[0].text, each.items[1].text, whole(each.items[2])});
        }
    }

private:
    [[nodiscard]] json_value const* find(std::string_view name, json_value::type kind) {
        json_value const* const found = from_.find(name);
        if (found != nullptr && found->is == kind) return found;
        ok_ = false;
        return nullptr;
    }
    [[nodiscard]] std::size_t whole(json_value const& from) {
        constexpr double most = 9007199254740992.0; // 2^53
        bool const fits = from.number >= 0 && from.number <= most &&
                          from.number == static_cast<double>(static_cast<std::size_t>(from.number));
        if (!fits) ok_ = false;
        return fits ? static_cast<std::size_t>(from.number) : 0;
    }

    json_value const& from_;
    bool ok_ = true;
};

[[nodiscard]] inline error damaged(std::string_view cause) {
    return {errc::invalid_argument, 0, "the state of an application replay cannot be read", cause, anew};
}
[[nodiscard]] inline error in_file(error why, std::string const& file) {
    why.what = joined({"\"", printable_path(file), "\": ", why.what});
    return why;
}

} // namespace state_file

GPUPROF_INLINE program_identity identify_program(std::string const& file) {
    auto const content = platform::read_file(file);
    if (!content) return {};
    return {content->size(), fnv1a(fnv1a_start, std::string_view{*content})};
}

GPUPROF_INLINE std::string state_text(replay_state const& of) {
    state_file::writer to;
    to.number("gpuprof_replay", state_file::format);
    to.number("program_bytes", of.program.bytes);
    to.member("program_hash", state_file::hexadecimal(of.program.hash));
    to.member("chip", of.chip);
    to.number("driver", static_cast<std::size_t>(of.driver));
    to.member("hardware", of.hardware);
    to.list("metrics", of.metrics);
    to.list("settings", of.settings);
    to.number("needed", of.needed);
    to.number("done", of.done);
    to.number("levels", of.levels);
    to.flag("complete", of.complete);
    hw::counter_data const& data = of.counters.data;
    to.number("next_pass", of.counters.next.pass);
    to.number("next_level", of.counters.next.nesting_level);
    to.member("cupti", data.version);
    to.flag("embedded", data.source == device_source::embedded);
    to.list("counters", data.counters);
    to.bytes("configuration", data.configuration);
    to.bytes("image", without_zero_runs(data.image));
    to.ranges(of.ranges);
    std::string text = to.take();
    return text + seal_of(text);
}

GPUPROF_INLINE result<replay_state> try_parse_state(std::string_view text) {
    if (!is_sealed(text)) return state_file::damaged("it was cut off, or changed since it was written");
    auto const parsed = try_read_json(text);
    if (!parsed) return state_file::damaged(parsed.error().message());
    if (parsed->number_of("gpuprof_replay", 0) != state_file::format)
        return error{errc::version_mismatch, 0, "the state of an application replay has another format",
                     "another version of gpuprof wrote it", state_file::anew};
    replay_state made;
    std::size_t driver = 0;
    bool is_embedded = false;
    state_file::reader from{*parsed};
    from.read("program_bytes", made.program.bytes);
    from.read_hexadecimal("program_hash", made.program.hash);
    from.read("chip", made.chip);
    from.read("driver", driver);
    from.read("hardware", made.hardware);
    from.read("metrics", made.metrics);
    from.read("settings", made.settings);
    from.read("needed", made.needed);
    from.read("done", made.done);
    from.read("levels", made.levels);
    from.read("complete", made.complete);
    hw::counter_data& data = made.counters.data;
    from.read("next_pass", made.counters.next.pass);
    from.read("next_level", made.counters.next.nesting_level);
    from.read("cupti", data.version);
    from.read("embedded", is_embedded);
    from.read("counters", data.counters);
    from.read("configuration", data.configuration);
    std::vector<std::uint8_t> image;
    from.read("image", image);
    from.read(made.ranges);
    auto whole = with_zero_runs(image, most_image_bytes);
    if (!from.ok() || !whole || driver > 1'000'000'000 || made.counters.next.pass > 0xffff ||
        made.counters.next.nesting_level > 0xffff || made.levels > 0xffff)
        return state_file::damaged("it lacks a part, or has one of another kind");
    data.image = *std::move(whole);
    made.driver = static_cast<int>(driver);
    made.counters.next.last = made.complete;
    data.chip = made.chip;
    data.source = is_embedded ? device_source::embedded : device_source::hardware;
    return result<replay_state>{std::move(made)};
}

GPUPROF_INLINE result<std::optional<replay_state>> try_load_state(std::string const& file) {
    if (!platform::is_there(file)) return std::optional<replay_state>{};
    auto const text = platform::read_file(file, most_state_bytes);
    if (!text)
        return error{errc::io, 0, joined({"the state of an application replay cannot be read: ", printable_path(file)}),
                     "it is no file, or may not be read", state_file::anew};
    auto parsed = try_parse_state(*text);
    if (!parsed) return state_file::in_file(std::move(parsed).error(), file);
    return std::optional<replay_state>{*std::move(parsed)};
}

GPUPROF_INLINE result<void> try_save_state(replay_state const& of, std::string const& file, std::size_t passes_before) {
    platform::directory_lock const held{file};
    auto const found = try_load_state(file);
    bool const is_first = found && (!*found || (*found)->done == 0 || (*found)->complete); // or may be the first again
    bool const fits_before = passes_before == 0 ? is_first : found && *found && (*found)->done == passes_before;
    if (!fits_before)
        return error{errc::replay_mismatch, 0,
                     joined({"\"", printable_path(file), "\" was changed while this pass ran"}),
                     "another process wrote a pass into it, or it was removed",
                     "let one process at a time run the program with this file"};
    std::string const text = state_text(of);
    bool const fits = text.size() <= most_state_bytes;
    if (fits && platform::write_file(file, text, platform::file_readers::as_usual, platform::file_storage::synced))
        return {};
    return error{errc::io, 0, joined({"the state of the replay cannot be written: ", printable_path(file)}),
                 fits ? "its folder does not exist or may not be written, or there is no room"
                      : "it would have more than a gigabyte of counter data",
                 fits ? "name a file that can be written" : "make room for fewer ranges, or ask for fewer metrics"};
}

GPUPROF_INLINE result<void> try_check_same(replay_state const& left, replay_state const& now) {
    auto const differs = [](errc code, std::string_view what, std::string_view cause) {
        return error{code, 0, joined({"the passes of this replay were measured with ", what}), cause,
                     "go on as it was, or remove the file to begin the replay anew"};
    };
    if (left.program.bytes != 0 && now.program.bytes != 0 && left.program != now.program)
        return differs(errc::replay_mismatch, "another program",
                       joined({"its file had ", std::to_string(left.program.bytes), " bytes and now has ",
                               std::to_string(now.program.bytes), ", or others of them"}));
    if (left.chip != now.chip || left.hardware != now.hardware || left.counters.data.source != now.counters.data.source)
        return differs(
            errc::replay_mismatch, "another device",
            joined({"they are of ", left.chip, " by ", left.hardware, ", this is ", now.chip, " by ", now.hardware}));
    if (left.driver != now.driver)
        return differs(
            errc::version_mismatch, "another driver",
            joined({"its version was ", std::to_string(left.driver), " and now is ", std::to_string(now.driver)}));
    if (left.metrics != now.metrics) return differs(errc::replay_mismatch, "other metrics", "their list differs");
    if (left.settings != now.settings) {
        std::string were, are;
        for (std::string const& each : left.settings) were += (were.empty() ? "" : " ") + each;
        for (std::string const& each : now.settings) are += (are.empty() ? "" : " ") + each;
        return differs(errc::replay_mismatch, "other options", joined({"they were ", were, ", they are ", are}));
    }
    return {};
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_REPLAY_FILE_INL_HPP
