// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remembers what the host side of CUPTI takes long to say: availability images and configurations.
#ifndef GPUPROF_HW_COUNTERS_CONFIG_CACHE_HPP
#define GPUPROF_HW_COUNTERS_CONFIG_CACHE_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../detail/hash.hpp"
#include "../../detail/config.hpp"
#include "../machine/platform/directory.hpp"
#include "../machine/platform/environment.hpp"
#include "../machine/platform/file.hpp"
#include "../machine/platform/mutex.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Blobs by key, in memory and, given a directory, on disk. The key says everything the blob depends
// on (chip, CUPTI version, availability, metric names), so a blob is right or absent. A file is
// believed only if this user owns it, nobody else can write it, and its magic, whole key, lengths
// and checksum agree; anything else is ignored as if it were not there, and written anew. What this
// user wrote elsewhere is believed: on another machine the same key has the same blob.
// Errors: none; a cache that cannot read or write is a slow cache. Thread-safe; the lock is not
// held over files.
class config_cache {
public:
    struct entry {
        std::vector<std::uint8_t> blob;
        std::uint64_t number = 0; // for a configuration, its passes
        bool from_disk = false;   // what another process wrote
    };

    // @param directory where entries outlive the process; empty keeps them in memory only. Made if
    // missing.
    explicit config_cache(std::string directory = {}) : directory_{std::move(directory)} {
        if (!directory_.empty()) platform::make_directory(directory_);
    }

    // The cache that profilers share; its directory is the environment's GPUPROF_CACHE_DIR, when
    // set. Never destroyed: static objects may measure while the process ends.
    [[nodiscard]] static config_cache& shared() {
        static auto* const cache = new config_cache{platform::trusted_variable("GPUPROF_CACHE_DIR")};
        [[maybe_unused]] static bool const safe =
            platform::hold_over_fork([] { shared().mutex_.acquire(); }, [] { shared().mutex_.release(); });
        return *cache;
    }

    [[nodiscard]] std::optional<entry> find(std::string const& key) {
        {
            platform::lock const held{mutex_};
            if (named_entry const* const known = in_memory(key)) return known->what;
        }
        if (directory_.empty()) return {};
        std::optional<entry> loaded = read(path(key), key);
        if (!loaded) return {};
        platform::lock const held{mutex_};
        if (named_entry const* const known = in_memory(key)) return known->what; // another thread was faster
        entries_.push_back({key, *loaded});
        return loaded;
    }

    void store(std::string const& key, entry const& what) {
        {
            platform::lock const held{mutex_};
            if (named_entry* const known = in_memory(key)) known->what = what;
            else entries_.push_back({key, what});
        }
        if (!directory_.empty()) write(path(key), key, what);
    }

    // Forgets what is in memory; entries on disk stay.
    void clear() {
        platform::lock const held{mutex_};
        entries_.clear();
    }

    // After the hardware has refused what was remembered.
    void forget(std::string const& key) {
        {
            platform::lock const held{mutex_};
            std::erase_if(entries_, [&key](named_entry const& each) { return each.key == key; });
        }
        if (!directory_.empty()) platform::remove_file(path(key));
    }

    // To name files and to notice damage.
    [[nodiscard]] static constexpr std::uint64_t hash(std::uint8_t const* data, std::size_t size,
                                                      std::uint64_t seed = gpuprof::detail::fnv1a_start) noexcept {
        for (std::size_t i = 0; i < size; ++i) seed = gpuprof::detail::fnv1a(seed, std::uint64_t{data[i]});
        return seed;
    }

    // Where an entry lies on disk.
    [[nodiscard]] std::string path(std::string const& key) const {
        char name[32];
        std::snprintf(name, sizeof name, "/%016llx.gpuprof", static_cast<unsigned long long>(hash_of(key)));
        return directory_ + name;
    }

private:
    struct named_entry {
        std::string key;
        entry what;
    };
    // A process has a handful: a list is enough. @pre the lock is held
    [[nodiscard]] named_entry* in_memory(std::string const& key) noexcept {
        for (named_entry& each : entries_)
            if (each.key == key) return &each;
        return nullptr;
    }

    [[nodiscard]] static std::uint64_t hash_of(std::string_view text) noexcept {
        return hash(reinterpret_cast<std::uint8_t const*>(text.data()), text.size());
    }

    static constexpr char magic[9] = "GPUPROF1";
    static constexpr std::size_t largest_file = std::size_t{64} << 20;

    // File: magic, key size, number, blob size (8 bytes each, this machine's order), key, blob,
    // checksum of all of it.
    [[nodiscard]] static std::optional<entry> read(std::string const& path, std::string const& key) {
        std::string const file =
            platform::read_file(path, largest_file, platform::file_owner::this_user).value_or(std::string{});
        constexpr std::size_t header = 8 + 3 * 8;
        if (file.size() < header + 8 || std::memcmp(file.data(), magic, 8) != 0) return {};
        std::uint64_t const key_size = number_at(file, 8);
        std::uint64_t const blob_size = number_at(file, 24);
        std::size_t const payload = file.size() - header - 8;
        if (key_size != key.size() || key_size > payload || blob_size != payload - key_size) return {};
        if (std::memcmp(file.data() + header, key.data(), key.size()) != 0) return {};
        if (number_at(file, file.size() - 8) != hash_of({file.data(), file.size() - 8})) return {};
        auto const blob = file.begin() + static_cast<std::ptrdiff_t>(header + key_size);
        return entry{{blob, file.end() - 8}, number_at(file, 16), true};
    }

    // Written beside and renamed over, so that a reader sees all of an entry or none.
    static void write(std::string const& path, std::string const& key, entry const& what) {
        std::string file(magic, 8);
        append(file, key.size());
        append(file, what.number);
        append(file, what.blob.size());
        file += key;
        file.insert(file.end(), what.blob.begin(), what.blob.end());
        append(file, hash_of(file));
        platform::write_file(path, file,
                             platform::file_readers::this_user); // a cache that cannot write is a slow cache
    }

    [[nodiscard]] static std::uint64_t number_at(std::string const& file, std::size_t at) noexcept {
        std::uint64_t value = 0;
        std::memcpy(&value, file.data() + at, sizeof value);
        return value;
    }
    static void append(std::string& file, std::uint64_t value) {
        char raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        file.append(raw, sizeof raw);
    }

    std::string directory_;
    platform::mutex mutex_;
    std::vector<named_entry> entries_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_CONFIG_CACHE_HPP
