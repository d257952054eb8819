// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error.hpp: what a failure says, and how it travels as an exception.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <gpuprof/core/error.hpp>

namespace error_test {

using gpuprof::errc;
using gpuprof::error;

namespace {

error permission() {
    return {errc::permission, 35, "cuptiRangeProfilerEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35)",
            "counters are closed", "run as root"};
}

} // namespace

static_assert(std::is_nothrow_move_constructible_v<error>);
static_assert(std::is_base_of_v<std::runtime_error, gpuprof::exception>);
static_assert(!std::is_convertible_v<error, gpuprof::exception>, "an error becomes an exception on purpose only");

TEST_CASE("every kind of failure has a name of its own") {
    constexpr std::pair<errc, std::string_view> names[] = {
        {errc::unavailable, "unavailable"},
        {errc::permission, "permission"},
        {errc::busy, "busy"},
        {errc::unknown_metric, "unknown metric"},
        {errc::invalid_argument, "invalid argument"},
        {errc::invalid_state, "invalid state"},
        {errc::not_collected, "not collected"},
        {errc::too_many_ranges, "too many ranges"},
        {errc::replay_mismatch, "replay mismatch"},
        {errc::version_mismatch, "version mismatch"},
        {errc::device_lost, "device lost"},
        {errc::io, "io"},
        {errc::inside_callback, "inside callback"},
        {errc::internal, "internal"},
    };
    for (auto const& [code, name] : names) CHECK(gpuprof::name(code) == name);
    CHECK(gpuprof::name(static_cast<errc>(200)) == "unknown");
}

TEST_CASE("a message is the kind, what failed, why, and what to do") {
    CHECK(permission().message() ==
          "permission: cuptiRangeProfilerEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35); because "
          "counters are closed; remedy: run as root");
}

TEST_CASE("a message leaves out what is not known") {
    error why = permission();
    why.cause.clear();
    CHECK(why.message() ==
          "permission: cuptiRangeProfilerEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35); remedy: run as root");
    why.remedy.clear();
    CHECK(why.message() == "permission: cuptiRangeProfilerEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35)");
    why.cause = "counters are closed";
    CHECK(
        why.message() ==
        "permission: cuptiRangeProfilerEnable: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES (35); because counters are closed");
    CHECK(error{}.message() == "internal: ");
}

TEST_CASE("a message keeps long texts and embedded NULs whole") {
    std::string const text(10'000, 'x');
    CHECK(error{errc::io, 0, text, {}, {}}.message() == "io: " + text);
    CHECK(error{errc::io, 0, std::string{"a\0b", 3}, {}, {}}.message() == std::string{"io: a\0b", 7});
}

TEST_CASE("an exception carries the whole error and says its message") {
    gpuprof::exception const thrown{permission()};
    CHECK(thrown.what() == permission().message());
    CHECK(thrown.code() == errc::permission);
    CHECK(thrown.error().status == 35);
    CHECK(thrown.error().cause == "counters are closed");
    CHECK(thrown.error().remedy == "run as root");
}

TEST_CASE("raise throws what a handler of the standard's exceptions catches") {
    std::string said;
    try {
        gpuprof::detail::raise(permission());
    } catch (std::runtime_error const& caught) {
        said = caught.what();
    }
    CHECK(said == permission().message());
    CHECK_THROWS_AS(gpuprof::detail::raise({}), gpuprof::exception);
}

} // namespace error_test

#endif
