// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a tracer or a sampler hands out, as the text of a JSON object, and back.
#ifndef GPUPROF_RECORDING_OUTPUT_TEXT_HPP
#define GPUPROF_RECORDING_OUTPUT_TEXT_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/output_fields.hpp"
#include "../text/json_value.hpp"
#include "file_writer.hpp"
#include "recorded_records.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::replay {

// Writes an output. Its lists have a line for each item, so that two recordings can be compared.
class output_writer final : public output_fields, private gpuprof::detail::file_writer {
public:
    output_writer() { to_ += '{'; }
    [[nodiscard]] std::string take() {
        to_ += outer;
        to_ += '}';
        return file_writer::take();
    }

    void whole(std::string_view name, std::uint64_t& value, std::uint64_t) override {
        begin_member(name);
        add_whole(to_, value);
    }
    void number(std::string_view name, double& value) override {
        begin_member(name);
        file_writer::number(value);
    }
    void text(std::string_view name, std::string& value) override {
        begin_member(name);
        string(gpuprof::detail::valid_utf8(value));
    }
    void wholes(std::string_view name, std::vector<std::uint64_t>& values) override {
        add_list(name, values, [this](std::uint64_t value) { add_whole(to_, value); });
    }
    void numbers(std::string_view name, std::vector<double>& values) override {
        add_list(name, values, [this](double value) { file_writer::number(value); });
    }
    // Those that this gpuprof does not know are left out.
    void records(std::string_view name, raw_records& records) override {
        std::size_t const before = begin_list(name, 0);
        std::size_t count = before;
        for (void const* const each : records.at) {
            std::size_t const end = to_.size();
            begin_item(count);
            if (add_record(to_, each, records.release)) {
                end_item();
                ++count;
            } else {
                to_.resize(end);
                --depth_;
            }
        }
        end_list();
    }
    void check(bool, std::string_view) override {}

    using output_fields::whole;

    static constexpr std::string_view outer = "\n        ", inner = "\n          ", line = "\n            ";

private:
    // Depths: 1 members of the output, 2 its lists, 3 members of their items, and so on.
    void begin_member(std::string_view of) {
        if (to_.back() != '{') to_ += depth_ == 1 ? "," : ", ";
        name(depth_ == 1 ? inner : std::string_view{}, of);
    }
    template <class Value, class F>
    void add_list(std::string_view of, std::vector<Value> const& values, F add) {
        begin_member(of);
        for (std::size_t i = 0; i < values.size(); ++i) {
            to_ += i == 0 ? "[" : ", ";
            add(values[i]);
        }
        to_ += values.empty() ? "[]" : "]";
    }
    [[nodiscard]] std::size_t begin_list(std::string_view of, std::size_t size) override {
        begin_member(of);
        to_ += '[';
        ++depth_;
        return size;
    }
    void begin_item(std::size_t number) override {
        if (number != 0) to_ += depth_ == 2 ? "," : ", ";
        if (depth_ == 2) to_ += line;
        to_ += '{';
        ++depth_;
    }
    void end_item() override {
        --depth_;
        to_ += '}';
    }
    void end_list() override {
        if (depth_ == 2 && to_.back() == '}') to_ += inner;
        to_ += ']';
        --depth_;
    }

    unsigned depth_ = 1;
};

// The text that the writer made of what try_read_json() read from it.
class output_copier : private gpuprof::detail::file_writer {
public:
    [[nodiscard]] std::string text_of(json_value const& output) {
        write(output, 0);
        return take();
    }

private:
    void write(json_value const& of, unsigned depth) {
        using kind = json_value::type;
        bool const lines =
            depth == 0 || (depth == 1 && of.is == kind::list && !of.items.empty() && of.items[0].is == kind::object);
        std::string_view const before = depth == 0 ? output_writer::inner : output_writer::line;
        std::string_view const after = depth == 0 ? output_writer::outer : output_writer::inner;
        switch (of.is) {
            case kind::null: to_ += "null"; break;
            case kind::boolean: to_ += of.boolean ? "true" : "false"; break;
            case kind::number: number(of.number); break;
            case kind::text: string(of.text); break;
            case kind::list:
            case kind::object:
                to_ += of.is == kind::list ? '[' : '{';
                for (std::size_t i = 0; i < of.items.size(); ++i) {
                    if (i != 0) to_ += lines ? "," : ", ";
                    if (lines) to_ += before;
                    if (of.is == kind::object) name({}, of.names[i]);
                    write(of.items[i], depth + 1);
                }
                if (lines) to_ += after;
                to_ += of.is == kind::list ? ']' : '}';
        }
    }
};

// Reads an output.
class output_reader final : public output_fields {
public:
    output_reader(json_value const& from, activity::cuda_release of, record_reader::keeper keep, void* self)
        : release_{of}, keep_{keep}, self_{self} {
        open_.push_back(&from);
        if (from.is != json_value::type::object) refuse("an output is no object");
    }
    // Why it was not read as a whole; empty if it was.
    [[nodiscard]] std::string const& why() const noexcept { return why_; }
    // Bytes of records that were read. They must live as long as the records.
    [[nodiscard]] std::vector<std::vector<std::uint64_t>> take_records() noexcept { return std::move(kept_); }

    void whole(std::string_view name, std::uint64_t& value, std::uint64_t most) override {
        std::uint64_t number = 0;
        json_value const* const from = member(name);
        if (from == nullptr) return;
        if (!read_whole(*from, number) || number > most) return refuse(name);
        value = number;
    }
    void number(std::string_view name, double& value) override {
        if (json_value const* const from = member(name); from != nullptr) value = number_of(*from, name);
    }
    void text(std::string_view name, std::string& value) override {
        json_value const* const from = member(name);
        if (from == nullptr) return;
        if (from->is != json_value::type::text) return refuse(name);
        value = from->text;
    }
    void wholes(std::string_view name, std::vector<std::uint64_t>& values) override {
        values.clear();
        for (json_value const& each : items(name))
            if (!read_whole(each, values.emplace_back())) refuse(name);
    }
    void numbers(std::string_view name, std::vector<double>& values) override {
        values.clear();
        for (json_value const& each : items(name)) values.push_back(number_of(each, name));
    }
    void records(std::string_view name, raw_records& records) override {
        records.release = release_;
        records.at.clear();
        for (json_value const& each : items(name)) {
            auto bytes = record_of(each, release_, keep_, self_);
            if (bytes.empty()) return refuse(name);
            records.at.push_back(bytes.data());
            kept_.push_back(std::move(bytes)); // its words stay where they are
        }
    }
    void check(bool holds, std::string_view why) override {
        if (!holds) refuse(why);
    }

    using output_fields::whole;

private:
    void refuse(std::string_view why) {
        if (why_.empty()) why_ = why;
    }
    [[nodiscard]] json_value const* member(std::string_view name) {
        json_value const* const found = why_.empty() ? open_.back()->find(name) : nullptr;
        if (found == nullptr) refuse(name);
        return found;
    }
    [[nodiscard]] std::vector<json_value> const& items(std::string_view name) {
        static std::vector<json_value> const none;
        json_value const* const found = member(name);
        if (found != nullptr && found->is == json_value::type::list) return found->items;
        refuse(name);
        return none;
    }
    [[nodiscard]] double number_of(json_value const& from, std::string_view name) {
        if (from.is == json_value::type::number) return from.number;
        if (from.is == json_value::type::text && from.text == "infinite") return gpuprof::detail::infinite;
        if (from.is == json_value::type::text && from.text == "-infinite") return -gpuprof::detail::infinite;
        if (from.is != json_value::type::null) refuse(name);
        return gpuprof::detail::quiet_nan;
    }
    [[nodiscard]] std::size_t begin_list(std::string_view name, std::size_t) override {
        lists_.push_back(&items(name));
        for (json_value const& each : *lists_.back())
            if (each.is != json_value::type::object) refuse(name);
        return why_.empty() ? lists_.back()->size() : 0;
    }
    void begin_item(std::size_t number) override { open_.push_back(&(*lists_.back())[number]); }
    void end_item() override { open_.pop_back(); }
    void end_list() override { lists_.pop_back(); }

    std::vector<json_value const*> open_;
    std::vector<std::vector<json_value> const*> lists_;
    std::string why_;
    std::vector<std::vector<std::uint64_t>> kept_;
    activity::cuda_release release_;
    record_reader::keeper keep_;
    void* self_;
};

} // namespace hw::replay
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RECORDING_OUTPUT_TEXT_HPP
