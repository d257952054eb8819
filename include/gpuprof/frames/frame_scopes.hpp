// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums host times of scopes by name, from any thread, in fixed memory.
#ifndef GPUPROF_FRAMES_FRAME_SCOPES_HPP
#define GPUPROF_FRAMES_FRAME_SCOPES_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../detail/hash.hpp"
#include "../hw/machine/platform/mutex.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Sums of times since the last take(). The first 63 characters of a name identify it. Everything is
// thread-safe, except that only one thread at a time may take. Cost: a scope hashes its name and
// adds two numbers; the first of a name takes a lock.
class frame_scopes {
public:
    // Names that find no room are counted. @pre most != 0
    explicit frame_scopes(std::size_t most) : most_{most} {
        std::size_t places = 4;
        while (places < 2 * most) places *= 2;
        slots_ = std::vector<slot>(places);
        order_.resize(most);
    }

    void add(std::string_view name, std::uint64_t ticks) noexcept {
        add_relaxed(scopes_, std::uint64_t{1});
        slot* const at = find_or_add(name);
        if (at == nullptr) {
            add_relaxed(dropped_, std::uint64_t{1});
            return;
        }
        add_relaxed(at->ticks, ticks);
        add_relaxed(at->count, std::uint64_t{1});
    }
    // The index of a name, which gets one if it is new; none if it finds no room.
    [[nodiscard]] std::optional<std::size_t> index_of(std::string_view name) noexcept {
        slot const* const at = find_or_add(name);
        if (at == nullptr) return {};
        return at->index;
    }

    // The number of names so far; a name keeps its index.
    [[nodiscard]] std::size_t size() const noexcept { return load_acquire(size_); }
    // @pre at < size()
    [[nodiscard]] std::string_view name(std::size_t at) const noexcept { return slots_[order_[at]].text(); }
    // The ticks and the number of scopes since the last call. @pre at < size()
    struct taken {
        std::uint64_t ticks;
        std::uint64_t scopes;
    };
    [[nodiscard]] taken take(std::size_t at) noexcept {
        slot& from = slots_[order_[at]];
        std::uint64_t const scopes = exchange(from.count, 0);
        return {exchange(from.ticks, 0), scopes};
    }
    // The scopes of all names, and those whose names found no room.
    [[nodiscard]] std::uint64_t scopes() const noexcept { return load_relaxed(scopes_); }
    [[nodiscard]] std::uint64_t dropped() const noexcept { return load_relaxed(dropped_); }

private:
    static constexpr std::size_t longest = 63;

    struct alignas(64) slot { // one cache line for what threads write, one for the name
        std::uint64_t ticks = 0;
        std::uint64_t count = 0;
        std::uint64_t hash = 0;
        std::uint32_t index = 0;
        unsigned used = 0;
        unsigned char size = 0;
        char name[longest]{};
        [[nodiscard]] std::string_view text() const noexcept { return {name, size}; }
    };

    [[nodiscard]] slot* find_or_add(std::string_view name) noexcept {
        name = name.substr(0, longest);
        std::uint64_t const hash = fnv1a(fnv1a_start, name);
        if (slot* const known = find(name, hash)) return known;
        if (load_relaxed(size_) == most_) return nullptr;
        platform::lock const lock{adding_};
        if (slot* const known = find(name, hash)) return known;
        if (size_ == most_) return nullptr;
        std::size_t at = first(hash);
        while (slots_[at].used != 0) at = next(at);
        slot& fresh = slots_[at];
        fresh.hash = hash;
        fresh.size = static_cast<unsigned char>(name.size());
        if (!name.empty()) std::memcpy(fresh.name, name.data(), name.size());
        fresh.index = static_cast<std::uint32_t>(size_);
        order_[size_] = at;
        store_release(fresh.used, 1u);
        store_release(size_, size_ + 1);
        return &fresh;
    }
    [[nodiscard]] slot* find(std::string_view name, std::uint64_t hash) noexcept {
        for (std::size_t at = first(hash); load_acquire(slots_[at].used) != 0;
             at = next(at)) // ends, since half of the slots are free
            if (slots_[at].hash == hash && slots_[at].text() == name) return &slots_[at];
        return nullptr;
    }
    [[nodiscard]] std::size_t first(std::uint64_t hash) const noexcept {
        return static_cast<std::size_t>(hash ^ (hash >> 32)) & (slots_.size() - 1);
    }
    [[nodiscard]] std::size_t next(std::size_t at) const noexcept { return (at + 1) & (slots_.size() - 1); }

    std::size_t most_;
    std::vector<slot> slots_;
    std::vector<std::size_t> order_; // slots in the order of first scopes
    std::size_t size_ = 0;
    std::uint64_t scopes_ = 0;
    std::uint64_t dropped_ = 0;
    platform::mutex adding_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_SCOPES_HPP
