// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members of what a tracer or a sampler hands out, by name: for recordings, which write and read them.
#ifndef GPUPROF_HW_MACHINE_OUTPUT_FIELDS_HPP
#define GPUPROF_HW_MACHINE_OUTPUT_FIELDS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../core/error.hpp"
#include "../activity/release.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Activity records as CUPTI lays them out in a release. Those that were read from a recording are never freed.
struct raw_records {
    activity::cuda_release release{};
    std::vector<void const*> at{};
};

// One function describes an output for both ways: a writer takes the members' values, a reader sets them. A reader that
// misses a member, or finds a value that cannot be, fails as a whole and says why; members that it did not reach keep their
// values.
class output_fields {
public:
    template <class Number>
        requires(std::is_unsigned_v<Number> && !std::is_same_v<Number, bool>)
    void whole(std::string_view name, Number& value) {
        std::uint64_t wide = value;
        whole(name, wide, static_cast<Number>(~Number{0}));
        value = static_cast<Number>(wide);
    }
    // An enumerator up to `last`.
    template <class Enumeration>
    void choice(std::string_view name, Enumeration& value, Enumeration last) {
        auto wide = static_cast<std::uint64_t>(value);
        whole(name, wide, static_cast<std::uint64_t>(last));
        value = static_cast<Enumeration>(wide);
    }
    void flag(std::string_view name, bool& value) {
        std::uint64_t wide = value ? 1 : 0;
        whole(name, wide, 1);
        value = wide != 0;
    }
    // A list of members each: describe(item).
    template <class Item, class F>
    void list(std::string_view name, std::vector<Item>& items, F&& describe) {
        items.resize(begin_list(name, items.size()));
        for (std::size_t i = 0; i < items.size(); ++i) {
            begin_item(i);
            describe(items[i]);
            end_item();
        }
        end_list();
    }
    // An error, or none: a list of at most one.
    void problem(std::string_view name, std::optional<error>& why) {
        std::vector<error> one;
        if (why) one.push_back(*why);
        list(name, one, [this](error& each) {
            choice("code", each.code, errc::internal);
            auto status = static_cast<std::uint32_t>(each.status);
            whole("status", status);
            each.status = static_cast<int>(status);
            text("what", each.what);
            text("cause", each.cause);
            text("remedy", each.remedy);
        });
        why.reset();
        if (!one.empty()) why = std::move(one.front());
    }
    virtual void whole(std::string_view name, std::uint64_t& value, std::uint64_t most) = 0;
    virtual void number(std::string_view name, double& value) = 0; // NaN and infinities, too
    virtual void text(std::string_view name, std::string& value) = 0;
    virtual void wholes(std::string_view name, std::vector<std::uint64_t>& values) = 0;
    virtual void numbers(std::string_view name, std::vector<double>& values) = 0;
    virtual void records(std::string_view name, raw_records& records) = 0;

    // For what members say of each other: a reader fails if it does not hold.
    virtual void check(bool holds, std::string_view why) = 0;

protected:
    output_fields() = default;
    ~output_fields() = default;

private:
    // Returns how many items there are: `size` while writing.
    [[nodiscard]] virtual std::size_t begin_list(std::string_view name, std::size_t size) = 0;
    virtual void begin_item(std::size_t number) = 0;
    virtual void end_item() = 0;
    virtual void end_list() = 0;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_OUTPUT_FIELDS_HPP
