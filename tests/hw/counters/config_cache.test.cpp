// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/config_cache.hpp: an entry is right or absent, whatever lies on the disk and whoever writes there at the same time.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "support/system.hpp"

#include <gpuprof/hw/counters/config_cache.hpp>

#include "support/child_program.hpp"
#include "support/scratch_directory.hpp"

namespace config_cache_test {

using gpuprof::hw::config_cache;

namespace {

using bytes = std::vector<std::uint8_t>;

config_cache::entry entry(std::size_t size, std::uint8_t fill, std::uint64_t number) {
    return {bytes(size, fill), number, false};
}

std::string content_of(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}
void write_file(std::string const& path, std::string const& content) {
    std::ofstream{path, std::ios::binary} << content;
}

// What a process that starts now finds.
std::optional<config_cache::entry> found_anew(std::string const& directory, std::string const& key) {
    return config_cache{directory}.find(key);
}

// FNV-1a by its definition, to write files that are wrong in everything but the checksum.
std::uint64_t fnv(std::string const& text) {
    std::uint64_t value = 14695981039346656037u;
    for (char const c : text) value = (value ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return value;
}
void put_number(std::string& file, std::size_t at, std::uint64_t value) {
    std::memcpy(file.data() + at, &value, sizeof value);
}
void sign(std::string& file) { put_number(file, file.size() - 8, fnv(file.substr(0, file.size() - 8))); }

std::string const key = "config\nGH100\n130001\nsm__inst_executed.sum\n";

} // namespace

TEST_CASE("a cache in memory gives back what was stored, by the whole key") {
    config_cache cache;
    CHECK_FALSE(cache.find(key));
    cache.store(key, entry(100, 7, 3));
    REQUIRE(cache.find(key));
    CHECK(cache.find(key)->blob == bytes(100, 7));
    CHECK(cache.find(key)->number == 3);
    CHECK_FALSE(cache.find(key + '\n'));
    CHECK_FALSE(cache.find(key.substr(1)));
    CHECK_FALSE(cache.find(""));
    cache.store(key, entry(5, 8, 4));
    CHECK(cache.find(key)->blob == bytes(5, 8));
    CHECK(cache.find(key)->number == 4);
    cache.forget(key);
    CHECK_FALSE(cache.find(key));
    cache.forget(key);
}

TEST_CASE("a cache without a directory writes no file") {
    scratch_directory const here;
    auto const before = std::filesystem::current_path();
    std::filesystem::current_path(here.path());
    config_cache{}.store(key, entry(10, 1, 1));
    std::filesystem::current_path(before);
    CHECK(here.files() == 0);
}

TEST_CASE("an entry outlives its cache on disk, in one file that only its owner can read") {
    scratch_directory const here;
    config_cache{here.path()}.store(key, entry(1'000, 9, 12));
    CHECK(here.files() == 1);
    for (auto const& file : std::filesystem::directory_iterator{here.path()})
        if (!gpuprof::platform::is_windows) // which has access lists instead
            CHECK(file.status().permissions() ==
                  (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
    auto const found = found_anew(here.path(), key);
    REQUIRE(found);
    CHECK(found->blob == bytes(1'000, 9));
    CHECK(found->number == 12);
    CHECK_FALSE(found_anew(here.path(), key + 'x'));
}

TEST_CASE("empty blobs, extreme numbers and keys with NULs are kept on disk") {
    scratch_directory const here;
    std::string const with_nul{"a\0b", 3};
    config_cache{here.path()}.store(with_nul, entry(0, 0, std::numeric_limits<std::uint64_t>::max()));
    config_cache{here.path()}.store("a", entry(1, 1, 0));
    config_cache{here.path()}.store("", entry(2, 2, 5));
    REQUIRE(found_anew(here.path(), with_nul));
    CHECK(found_anew(here.path(), with_nul)->blob.empty());
    CHECK(found_anew(here.path(), with_nul)->number == std::numeric_limits<std::uint64_t>::max());
    CHECK(found_anew(here.path(), "a")->blob == bytes(1, 1));
    CHECK(found_anew(here.path(), "")->number == 5);
    CHECK(here.files() == 3);
}

TEST_CASE("a missing directory is made, and forgotten entries leave it") {
    scratch_directory const here;
    std::string const below = here.path() + "/below";
    config_cache cache{below};
    cache.store(key, entry(10, 1, 1));
    CHECK(found_anew(below, key));
    if (!gpuprof::platform::is_windows)
        CHECK((std::filesystem::status(below).permissions() & std::filesystem::perms::others_all) ==
              std::filesystem::perms::none);
    cache.forget(key);
    CHECK_FALSE(found_anew(below, key));
    CHECK(std::filesystem::is_empty(below));
}

TEST_CASE("a directory that cannot be made or written leaves a cache in memory") {
    scratch_directory const here;
    write_file(here.path() + "/file", "not a directory");
    // Below a file, below nothing, in a file system nobody writes to, and with a name no file system takes.
    for (std::string const& directory : {here.path() + "/file/below", here.path() + "/no/such", std::string{"/proc"},
                                         here.path() + '/' + std::string(10'000, 'd')}) {
        CAPTURE(directory.substr(0, 64));
        config_cache cache{directory};
        CHECK_FALSE(cache.find(key));
        cache.store(key, entry(10, 1, 2));
        REQUIRE(cache.find(key));
        CHECK(cache.find(key)->number == 2);
        CHECK_FALSE(found_anew(directory, key));
        cache.forget(key);
        CHECK_FALSE(cache.find(key));
    }
    CHECK(here.files() == 1);
}

TEST_CASE("a file cut at any length is ignored, and written anew") {
    scratch_directory const here;
    config_cache writer{here.path()};
    writer.store(key, entry(40, 6, 2));
    std::string const file = writer.path(key);
    std::string const whole = content_of(file);
    REQUIRE(whole.size() == 8 + 3 * 8 + key.size() + 40 + 8);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        CAPTURE(length);
        write_file(file, whole.substr(0, length));
        REQUIRE_FALSE(found_anew(here.path(), key));
    }
    config_cache again{here.path()};
    CHECK_FALSE(again.find(key));
    again.store(key, entry(40, 6, 2));
    CHECK(content_of(file) == whole);
}

TEST_CASE("a file with any bit flipped is ignored") {
    scratch_directory const here;
    config_cache writer{here.path()};
    writer.store(key, entry(40, 6, 2));
    std::string const file = writer.path(key);
    std::string const whole = content_of(file);
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (int bit = 0; bit < 8; ++bit) {
            CAPTURE(at);
            CAPTURE(bit);
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
            write_file(file, damaged);
            REQUIRE_FALSE(found_anew(here.path(), key));
        }
    write_file(file, whole);
    CHECK(found_anew(here.path(), key)->blob == bytes(40, 6));
}

TEST_CASE("a file with something after its end is ignored") {
    scratch_directory const here;
    config_cache writer{here.path()};
    writer.store(key, entry(40, 6, 2));
    std::string const file = writer.path(key);
    std::string const whole = content_of(file);
    for (std::size_t const more : {std::size_t{1}, std::size_t{8}, std::size_t{5'000}}) {
        write_file(file, whole + std::string(more, '\0'));
        CHECK_FALSE(found_anew(here.path(), key));
    }
    write_file(file, whole + whole);
    CHECK_FALSE(found_anew(here.path(), key));
}

TEST_CASE("the entry of another key in the right file is ignored") {
    scratch_directory const here;
    config_cache writer{here.path()};
    std::string other = key;
    other.back() = ' '; // as long as the key
    writer.store(other, entry(40, 6, 2));
    std::filesystem::rename(writer.path(other), writer.path(key));
    CHECK_FALSE(found_anew(here.path(), key));
    CHECK_FALSE(found_anew(here.path(), other));
}

TEST_CASE("declared sizes that do not fit the file are ignored, also where the checksum is right") {
    scratch_directory const here;
    config_cache writer{here.path()};
    writer.store(key, entry(40, 6, 2));
    std::string const file = writer.path(key);
    std::string const whole = content_of(file);
    std::uint64_t const huge = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t const k = key.size();
    struct sizes {
        std::uint64_t key, blob;
    };
    for (sizes const& declared : {sizes{huge, 40}, sizes{k, huge}, sizes{huge, huge}, sizes{huge - 7, 48 + k},
                                  sizes{k, huge - k + 1 + 40}, sizes{k + 40, 0}, sizes{0, k + 40}, sizes{k, 41},
                                  sizes{k, 39}, sizes{k + 1, 39}, sizes{std::uint64_t{1} << 63, 40}}) {
        CAPTURE(declared.key);
        CAPTURE(declared.blob);
        std::string forged = whole;
        put_number(forged, 8, declared.key);
        put_number(forged, 24, declared.blob);
        sign(forged);
        write_file(file, forged);
        CHECK_FALSE(found_anew(here.path(), key));
    }
    std::string resigned = whole;
    sign(resigned);
    CHECK(resigned == whole); // the forger knows how to sign
}

TEST_CASE("a directory in the place of a file is ignored and survived") {
    scratch_directory const here;
    config_cache cache{here.path()};
    std::filesystem::create_directory(cache.path(key));
    CHECK_FALSE(cache.find(key));
    cache.store(key, entry(10, 1, 1));
    CHECK(cache.find(key));
    CHECK_FALSE(found_anew(here.path(), key));
    CHECK(here.files() == 1); // nothing left beside it
}

TEST_CASE("a file far larger than any entry is ignored") {
    scratch_directory const here;
    config_cache writer{here.path()};
    writer.store(key, entry(40, 6, 2));
    std::filesystem::resize_file(writer.path(key), std::uintmax_t{1} << 33); // sparse
    CHECK_FALSE(found_anew(here.path(), key));
}

#if !defined(_WIN32)
TEST_CASE("processes that write one entry at once leave one of their entries, and readers see whole ones only") {
    constexpr std::size_t size = 300'000;
    constexpr int writers = 3;
    scratch_directory const here;
    std::vector<pid_t> children;
    for (int i = 1; i <= writers; ++i) {
        pid_t const child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            for (int n = 0; n < 40; ++n)
                config_cache{here.path()}.store(
                    key, entry(size, static_cast<std::uint8_t>(i), static_cast<std::uint64_t>(i)));
            _exit(0);
        }
        children.push_back(child);
    }
    auto const consistent = [](config_cache::entry const& one) {
        return one.number >= 1 && one.number <= writers &&
               one.blob == bytes(size, static_cast<std::uint8_t>(one.number));
    };
    std::size_t seen = 0;
    for (std::size_t running = children.size(); running != 0;) {
        if (auto const one = found_anew(here.path(), key)) {
            ++seen;
            REQUIRE(consistent(*one));
        } else {
            REQUIRE(seen == 0); // once there, never gone again
        }
        int status = 0;
        while (running != 0 && waitpid(-1, &status, WNOHANG) > 0) {
            CHECK(status == 0);
            --running;
        }
    }
    auto const last = found_anew(here.path(), key);
    REQUIRE(last);
    CHECK(consistent(*last));
    CHECK(here.files() == 1);
}
#endif

TEST_CASE("caches of one process that share a directory write one entry at once like processes do") {
    constexpr std::size_t size = 300'000;
    scratch_directory const here;
    {
        std::vector<std::jthread> pool;
        for (int i = 1; i <= 3; ++i)
            pool.emplace_back([&here, i] {
                for (int n = 0; n < 40; ++n)
                    config_cache{here.path()}.store(
                        key, entry(size, static_cast<std::uint8_t>(i), static_cast<std::uint64_t>(i)));
            });
    }
    auto const last = found_anew(here.path(), key);
    REQUIRE(last);
    CHECK(last->blob == bytes(size, static_cast<std::uint8_t>(last->number)));
    CHECK(here.files() == 1);
}

TEST_CASE("threads may share one cache") {
    config_cache cache;
    std::vector<std::jthread> pool;
    for (int i = 0; i < 4; ++i)
        pool.emplace_back([&cache, i] {
            for (int n = 0; n < 500; ++n) {
                std::string const mine = "key " + std::to_string(n % 10);
                cache.store(mine, entry(10, static_cast<std::uint8_t>(n % 10), 1));
                auto const found = cache.find(mine);
                if (found) CHECK(found->blob == bytes(10, static_cast<std::uint8_t>(n % 10)));
                if (n % 50 == i) cache.forget(mine);
            }
        });
}

TEST_CASE("the hash is FNV-1a with its published values") {
    auto const hash = [](std::string const& text) {
        return config_cache::hash(reinterpret_cast<std::uint8_t const*>(text.data()), text.size());
    };
    CHECK(hash("") == 0xcbf29ce484222325u);
    CHECK(hash("a") == 0xaf63dc4c8601ec8cu);
    CHECK(hash("foobar") == 0x85944171f73967e8u);
}

#if !defined(_WIN32)
TEST_CASE("a file that another user owns or may write is ignored, and so is a link") {
    scratch_directory const here;
    config_cache writer{here.path()};
    writer.store(key, entry(40, 6, 2));
    std::string const file = writer.path(key);
    REQUIRE(found_anew(here.path(), key));
    REQUIRE(::chmod(file.c_str(), 0666) == 0);
    CHECK_FALSE(found_anew(here.path(), key));
    REQUIRE(::chmod(file.c_str(), 0600) == 0);
    REQUIRE(found_anew(here.path(), key));
    std::filesystem::rename(file, here.path() + "/elsewhere");
    std::filesystem::create_symlink(here.path() + "/elsewhere", file);
    CHECK_FALSE(found_anew(here.path(), key));
    config_cache{here.path()}.store(key, entry(40, 7, 2)); // takes the link's place
    CHECK(found_anew(here.path(), key)->blob == bytes(40, 7));
    if (::geteuid() != 0) return; // only root can give a file away
    REQUIRE(::chown(file.c_str(), 65534, 65534) == 0);
    CHECK_FALSE(found_anew(here.path(), key));
}
#endif

#if !defined(_WIN32)
TEST_CASE("a pipe in the place of a file is neither waited for nor kept") {
    scratch_directory const here;
    REQUIRE(::mkfifo(config_cache{here.path()}.path(key).c_str(), 0600) == 0);
    pid_t const child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        ::alarm(10); // ends a process that waits
        config_cache cache{here.path()};
        bool const nothing = !cache.find(key);
        cache.store(key, entry(40, 6, 2));
        _exit(nothing ? 0 : 1);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(found_anew(here.path(), key));
}
#endif

TEST_CASE("an entry says whether another process wrote it") {
    scratch_directory const here;
    config_cache cache{here.path()};
    cache.store(key, entry(40, 6, 2));
    CHECK_FALSE(cache.find(key)->from_disk);
    config_cache other{here.path()};
    CHECK(other.find(key)->from_disk);
    CHECK(other.find(key)->from_disk); // from memory now
    other.store(key, entry(40, 6, 2));
    CHECK_FALSE(other.find(key)->from_disk);
}

constexpr int still_there = 42;

TEST_CASE("the shared cache outlives every static object") {
    CHECK(test::run_test_case("asks the shared cache while the program ends", {}) == still_there);
}

TEST_CASE("asks the shared cache while the program ends" * doctest::skip()) { // the test case above runs this one
    // Run after the destructors of all static objects that are made from here on.
    REQUIRE(std::atexit([] {
                auto const found = config_cache::shared().find(key);
                std::_Exit(found && found->blob == bytes(100, 7) ? still_there : 1);
            }) == 0);
    config_cache::shared().store(key, entry(100, 7, 3));
    std::exit(0);
}

} // namespace config_cache_test
