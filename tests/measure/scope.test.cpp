// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scope.hpp: what a target is told, with which name, and when nothing happens at all.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(_WIN32)
#include <gpuprof/hw/machine/platform/windows_api.hpp>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <gpuprof/scope.hpp>

namespace scope_test {

using gpuprof::scope;
using gpuprof::scope_name;

namespace {

// Writes down every call; a scope's token is the number of the call that opened it. The characters of a name are read
// when its scope opens, since a temporary's are gone later.
class notebook final : public gpuprof::scope_target {
public:
    struct call {
        char what;
        std::string name;
        char const* data;
        std::uint64_t token;
    };
    std::vector<call> calls;

    explicit notebook(bool on = true) : scope_target{&enter, &leave} { arm(on); }
    using scope_target::arm;

    [[nodiscard]] std::string story() const {
        std::string text;
        for (call const& each : calls) text += each.what + each.name + ' ';
        return text;
    }

private:
    static ticket enter(scope_target& self, scope_name name) noexcept {
        auto& calls = static_cast<notebook&>(self).calls;
        calls.push_back({'+', {name.data, name.length()}, name.data, calls.size()});
        return {1000 + calls.back().token, calls.back().token};
    }
    static void leave(scope_target& self, scope_name name, ticket opened) noexcept {
        CHECK(opened.begin == 1000 + opened.token);
        auto& calls = static_cast<notebook&>(self).calls;
        calls.push_back({'-', calls[opened.token].name, name.data, opened.token});
    }
};

template <class Name>
std::string recorded(Name const& name) {
    notebook target;
    { scope const open{target, name}; }
    REQUIRE(target.calls.size() == 2);
    CHECK(target.calls[0].data == target.calls[1].data);
    return target.calls[0].name;
}

// An address that cannot be read: whoever looks at the name dies.
class forbidden_page {
public:
#if defined(_WIN32)
    forbidden_page() : at_{::VirtualAlloc(nullptr, 4096, 0x3000, 1)} {} // committed, without access
    ~forbidden_page() { ::VirtualFree(at_, 0, 0x8000); }
    [[nodiscard]] bool made() const { return at_ != nullptr; }
#else
    forbidden_page() : at_{mmap(nullptr, size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)} {}
    ~forbidden_page() { munmap(at_, size()); }
    [[nodiscard]] bool made() const { return at_ != MAP_FAILED; }
#endif
    forbidden_page(forbidden_page const&) = delete;
    forbidden_page& operator=(forbidden_page const&) = delete;
    [[nodiscard]] char* text() const { return static_cast<char*>(at_); }

private:
#if !defined(_WIN32)
    [[nodiscard]] static std::size_t size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
#endif
    void* at_;
};

template <class Scope>
concept made_by_new = requires(gpuprof::scope_target& target) {
    new Scope{target, "name"};
};
template <class Scope>
concept made_by_array_new = requires {
    new Scope[2];
};
template <class Scope>
concept made_by_placement_new = requires(gpuprof::scope_target& target, void* at) {
    new (at) Scope{target, "name"};
};

} // namespace

static_assert(!std::is_copy_constructible_v<scope>);
static_assert(!std::is_move_constructible_v<scope>);
static_assert(!std::is_copy_assignable_v<scope>);
static_assert(!std::is_move_assignable_v<scope>);
static_assert(!std::is_default_constructible_v<scope>);
static_assert(!made_by_new<scope>);
static_assert(!made_by_array_new<scope>);
static_assert(!made_by_placement_new<scope>);
static_assert(std::is_nothrow_constructible_v<scope, notebook&, char const (&)[5]>);
static_assert(std::is_nothrow_constructible_v<scope, notebook&, std::string const&>);
static_assert(std::is_nothrow_destructible_v<scope>);
static_assert(!std::is_copy_constructible_v<notebook>);
static_assert(!std::is_constructible_v<scope_name, int>);
static_assert(!std::is_constructible_v<scope_name, std::nullptr_t>);
static_assert(scope_name{"frame"}.length() == 5);
static_assert(scope_name{static_cast<char const*>("frame")}.length() == 5);
static_assert(scope_name{static_cast<char const*>(nullptr)}.length() == 0);
static_assert(scope_name{std::string_view{"frame"}}.length() == 5);
static_assert(scope_name{"frame", 3}.length() == 3);

TEST_CASE("a scope tells its target when it opens and when it closes, with the ticket it was given") {
    notebook target;
    {
        scope const frame{target, "frame"};
        { scope const step{target, "step"}; }
        { scope const step{target, "step"}; }
    }
    CHECK(target.story() == "+frame +step -step +step -step -frame ");
    CHECK(target.calls[2].token == target.calls[1].token);
    CHECK(target.calls[4].token == target.calls[3].token);
    CHECK(target.calls[5].token == target.calls[0].token);
}

TEST_CASE("a scope closes when an exception leaves its block") {
    notebook target;
    try {
        scope const frame{target, "frame"};
        throw 1;
    } catch (int) {}
    CHECK(target.story() == "+frame -frame ");
}

TEST_CASE("a scope's name can be a literal, a buffer, a C string, a view or a string") {
    char buffer[32] = "buffer";
    char* const writable = buffer;
    char const* const c_string = "C string";
    char const sealed[] = "sealed";
    notebook target;
    { scope const open{target, "literal"}; }
    { scope const open{target, buffer}; }
    { scope const open{target, writable}; }
    { scope const open{target, c_string}; }
    { scope const open{target, sealed}; }
    { scope const open{target, std::string_view{"a view of more"}.substr(0, 6)}; }
    { scope const open{target, std::string{"string"}}; }
    { scope const open{target, scope_name{"explicit", 8}}; }
    CHECK(target.story() == "+literal -literal +buffer -buffer +buffer -buffer +C string -C string +sealed -sealed "
                            "+a view -a view +string -string +explicit -explicit ");
}

TEST_CASE("no name at all is the empty name") {
    CHECK(recorded("").empty());
    CHECK(recorded(std::string_view{}).empty());
    CHECK(recorded(std::string{}).empty());
    CHECK(recorded(static_cast<char const*>(nullptr)).empty());
    CHECK(recorded(static_cast<char*>(nullptr)).empty());
}

TEST_CASE("a name keeps its embedded NULs where its length is known") {
    std::string const expected{"a\0b", 3};
    CHECK(recorded("a\0b") == expected);
    CHECK(recorded(expected) == expected);
    CHECK(recorded(std::string_view{expected}) == expected);
    CHECK(recorded(static_cast<char const*>("a\0b")) == "a");
    notebook target;
    char buffer[] = "a\0b";
    { scope const open{target, buffer}; }
    CHECK(target.calls[0].name == "a");
}

TEST_CASE("a name of 10,000 characters reaches the target whole") {
    std::string const text(10'000, 'n');
    CHECK(recorded(text) == text);
    CHECK(recorded(text.c_str()) == text);
}

TEST_CASE("an idle target is told nothing, and the name's characters are not looked at") {
    forbidden_page const page;
    REQUIRE(page.made());
    notebook target{false};
    CHECK_FALSE(target.armed());
    {
        scope const c_string{target, static_cast<char const*>(page.text())};
        scope const view{target, std::string_view{page.text(), 10}};
        scope const buffer{target, *reinterpret_cast<char(*)[16]>(page.text())};
        scope const explicitly{target, scope_name{page.text(), 10}};
    }
    CHECK(target.calls.empty());
}

TEST_CASE("a scope that was opened idle stays so when its target is armed meanwhile") {
    notebook target{false};
    {
        scope const before{target, "before"};
        target.arm(true);
        CHECK(target.armed());
        { scope const inside{target, "inside"}; }
    }
    CHECK(target.story() == "+inside -inside ");
}

TEST_CASE("a scope that was recorded is closed even when its target is disarmed meanwhile") {
    notebook target;
    {
        scope const before{target, "before"};
        target.arm(false);
        { scope const inside{target, "inside"}; }
    }
    CHECK(target.story() == "+before -before ");
}

TEST_CASE("scopes on different targets do not know of each other") {
    notebook first;
    notebook second;
    {
        scope const a{first, "a"};
        scope const b{second, "b"};
        scope const c{first, "c"};
    }
    CHECK(first.story() == "+a +c -c -a ");
    CHECK(second.story() == "+b -b ");
}

} // namespace scope_test

#endif
