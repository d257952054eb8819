// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of callbacks: single ones, and whole domains.
#ifndef GPUPROF_HW_CALLBACKS_CALLBACK_SET_HPP
#define GPUPROF_HW_CALLBACKS_CALLBACK_SET_HPP

#include <concepts>
#include <cstdint>

#include "../../detail/config.hpp"
#include "../abi/cupti_callback.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {
// The first word of bits of each domain. CUDA 13.5 has 877 driver calls, 567 runtime calls and 54
// NVTX calls.
inline constexpr unsigned callback_words[8]{0, 0, 32, 56, 57, 58, 60, 61};
inline constexpr unsigned callback_domains = 7; // with the invalid one
} // namespace detail

namespace hw {

// One callback: a call of the driver or the runtime, or an event of a context or a stream.
struct callback_id {
    abi::CUpti_CallbackDomain domain = abi::CUPTI_CB_DOMAIN_INVALID;
    abi::CUpti_CallbackId number = 0;

    friend bool operator==(callback_id const&, callback_id const&) = default;
};

class callback_set;

// A type whose values name callbacks: as_callbacks() returns the set. See trace/callback_ids.hpp.
template <class T>
concept named_callback = requires(T id) {
    { as_callbacks(id) }
    noexcept->std::same_as<callback_set>;
};

// A set of callbacks. A whole domain includes ids that only a later CUPTI knows. A value of 500
// bytes; never fails.
class callback_set {
public:
    static constexpr unsigned words = detail::callback_words[detail::callback_domains];

    constexpr callback_set() = default;
    constexpr callback_set(callback_id id) noexcept { add(id); }
    template <named_callback Id>
    constexpr callback_set(Id id) noexcept : callback_set{as_callbacks(id)} {}

    // How many numbers of a domain have room; a set ignores numbers beyond.
    [[nodiscard]] static constexpr unsigned room(abi::CUpti_CallbackDomain domain) noexcept {
        return known(domain) ? (detail::callback_words[domain + 1] - detail::callback_words[domain]) * 64 : 0;
    }
    [[nodiscard]] static constexpr bool known(abi::CUpti_CallbackDomain domain) noexcept {
        return domain > abi::CUPTI_CB_DOMAIN_INVALID && domain < detail::callback_domains;
    }
    [[nodiscard]] static constexpr callback_set all_of(abi::CUpti_CallbackDomain domain) noexcept {
        callback_set all;
        if (known(domain)) all.whole_ |= 1u << domain;
        return all;
    }

    constexpr void add(callback_id id) noexcept {
        if (id.number < room(id.domain)) bits_[word(id)] |= bit(id);
    }
    [[nodiscard]] constexpr bool has(callback_id id) const noexcept {
        return whole(id.domain) || (id.number < room(id.domain) && (bits_[word(id)] & bit(id)) != 0);
    }
    [[nodiscard]] constexpr bool whole(abi::CUpti_CallbackDomain domain) const noexcept {
        return known(domain) && (whole_ >> domain & 1u) != 0;
    }
    // Whether anything of the domain is in the set.
    [[nodiscard]] constexpr bool any(abi::CUpti_CallbackDomain domain) const noexcept {
        if (!known(domain)) return false;
        std::uint64_t some = whole_ >> domain & 1u;
        for (unsigned i = detail::callback_words[domain]; i < detail::callback_words[domain + 1]; ++i) some |= bits_[i];
        return some != 0;
    }
    [[nodiscard]] constexpr bool empty() const noexcept { return *this == callback_set{}; }

    constexpr callback_set& operator|=(callback_set const& other) noexcept {
        for (unsigned i = 0; i < words; ++i) bits_[i] |= other.bits_[i];
        whole_ |= other.whole_;
        return *this;
    }
    // Removes the callbacks of `other`. A whole domain in `other` removes all of it; single ids
    // removed from a whole domain leave the domain's other ids that have room.
    constexpr callback_set& operator-=(callback_set const& other) noexcept {
        for (unsigned d = 1; d < detail::callback_domains; ++d) {
            auto const domain = static_cast<abi::CUpti_CallbackDomain>(d);
            bool const opened = whole(domain) && other.any(domain);
            if (opened) whole_ &= ~(1u << d);
            for (unsigned i = detail::callback_words[d]; i < detail::callback_words[d + 1]; ++i)
                bits_[i] = other.whole(domain) ? 0 : (opened ? ~std::uint64_t{0} : bits_[i]) & ~other.bits_[i];
        }
        return *this;
    }
    [[nodiscard]] friend constexpr callback_set operator|(callback_set a, callback_set const& b) noexcept {
        return a |= b;
    }
    [[nodiscard]] friend constexpr callback_set operator-(callback_set a, callback_set const& b) noexcept {
        return a -= b;
    }
    friend constexpr bool operator==(callback_set const&, callback_set const&) = default;

    // Words of bits, by domain: for those who keep a set where threads read it.
    [[nodiscard]] constexpr std::uint64_t bits(unsigned index) const noexcept { return bits_[index]; }
    [[nodiscard]] constexpr unsigned whole_domains() const noexcept { return whole_; } // a bit a domain
    [[nodiscard]] static constexpr unsigned word(callback_id id) noexcept {
        return detail::callback_words[id.domain] + id.number / 64;
    }
    [[nodiscard]] static constexpr std::uint64_t bit(callback_id id) noexcept {
        return std::uint64_t{1} << id.number % 64;
    }

private:
    std::uint64_t bits_[words]{};
    unsigned whole_ = 0;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_CALLBACKS_CALLBACK_SET_HPP
