// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes without their runs of zeros. Counter data has room for ranges that are not there, and counters of units that did
// nothing: on an H200 CUPTI's image for 512 ranges of eight metrics has more than 192 MiB.
#ifndef GPUPROF_MEASURE_ZERO_RUNS_HPP
#define GPUPROF_MEASURE_ZERO_RUNS_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The length of all, then for each run of zero words how many there are, how many other words follow, and those: numbers of
// eight bytes, in the machine's order. The last word is filled with zeros.
[[nodiscard]] inline std::vector<std::uint8_t> without_zero_runs(std::vector<std::uint8_t> const& bytes) {
    std::vector<std::uint8_t> made;
    auto const add = [&](std::uint64_t number) {
        auto const* const at = reinterpret_cast<std::uint8_t const*>(&number);
        made.insert(made.end(), at, at + sizeof number);
    };
    std::size_t const length = (bytes.size() + 7) / 8;
    auto const word = [&](std::size_t index) {
        std::uint64_t number = 0;
        std::memcpy(&number, bytes.data() + index * 8, index * 8 + 8 <= bytes.size() ? 8 : bytes.size() - index * 8);
        return number;
    };
    add(bytes.size());
    for (std::size_t at = 0; at < length;) {
        std::size_t const begin = at;
        while (at < length && word(at) == 0) ++at;
        std::size_t const first = at;
        while (at < length && word(at) != 0) ++at;
        add(first - begin);
        add(at - first);
        for (std::size_t i = first; i < at; ++i) add(word(i));
    }
    return made;
}

// What without_zero_runs() was made of; nothing for other bytes, or for more than `most`.
[[nodiscard]] inline std::optional<std::vector<std::uint8_t>> with_zero_runs(std::vector<std::uint8_t> const& bytes,
                                                                             std::size_t most) {
    if (bytes.size() < 8 || bytes.size() % 8 != 0) return {};
    std::size_t from = 0;
    auto const next = [&] {
        std::uint64_t number = 0;
        std::memcpy(&number, bytes.data() + from, 8);
        from += 8;
        return number;
    };
    std::uint64_t const size = next();
    if (size > most) return {};
    std::uint64_t const length = (size + 7) / 8;
    std::vector<std::uint8_t> made;
    for (bool const writes : {false, true}) { // a wrong length is no reason to ask for gigabytes
        if (writes) made.resize(static_cast<std::size_t>(length * 8));
        from = 8;
        std::uint64_t at = 0;
        while (at < length) {
            if (bytes.size() - from < 16) return {};
            std::uint64_t const zeros = next(), others = next();
            if (zeros > length - at || others > length - at - zeros || others > (bytes.size() - from) / 8 ||
                zeros + others == 0)
                return {};
            at += zeros;
            auto const filled = static_cast<std::size_t>(others * 8);
            if (writes && filled != 0) std::memcpy(made.data() + at * 8, bytes.data() + from, filled);
            at += others;
            from += filled;
        }
        if (from != bytes.size()) return {};
    }
    for (std::size_t i = static_cast<std::size_t>(size); i < made.size(); ++i)
        if (made[i] != 0) return {};
    made.resize(static_cast<std::size_t>(size));
    return made;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_ZERO_RUNS_HPP
