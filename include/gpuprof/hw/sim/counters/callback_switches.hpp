// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which callbacks are switched on: a bit for each id of each domain. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_COUNTERS_CALLBACK_SWITCHES_HPP
#define GPUPROF_HW_SIM_COUNTERS_CALLBACK_SWITCHES_HPP

#include <array>   // words
#include <atomic>  // calls look while a tool switches
#include <cstddef> // std::size_t
#include <cstdint> // words

#include "../../../detail/config.hpp"
#include "../../abi/cupti_callback.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Ids of each domain run from 1 to below this: CUPTI_DRIVER_TRACE_CBID_SIZE and its like in the headers of CUPTI 13.0.
[[nodiscard]] constexpr std::uint32_t callback_id_end(abi::CUpti_CallbackDomain domain) noexcept {
    switch (domain) {
        case abi::CUPTI_CB_DOMAIN_INVALID: return 0;
        case abi::CUPTI_CB_DOMAIN_DRIVER_API: return 807;
        case abi::CUPTI_CB_DOMAIN_RUNTIME_API: return 523;
        case abi::CUPTI_CB_DOMAIN_RESOURCE: return 24;
        case abi::CUPTI_CB_DOMAIN_SYNCHRONIZE: return 3;
        case abi::CUPTI_CB_DOMAIN_NVTX: return 50;
        case abi::CUPTI_CB_DOMAIN_STATE: return 4;
    }
    return 0;
}
[[nodiscard]] constexpr bool is_callback(abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) noexcept {
    return id != 0 && id < callback_id_end(domain);
}

// Any thread may look while one switches; a look is one relaxed load.
class callback_switches {
public:
    // @pre is_callback(domain, id), here and below
    [[nodiscard]] bool is_on(abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) const noexcept {
        return ((word(domain, id).load(std::memory_order_relaxed) >> (id % 64)) & 1) != 0;
    }
    void set(bool on, abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) noexcept {
        std::uint64_t const bit = std::uint64_t{1} << (id % 64);
        auto& where = word(domain, id);
        if (on) where.fetch_or(bit, std::memory_order_relaxed);
        else where.fetch_and(~bit, std::memory_order_relaxed);
    }
    void set_domain(bool on, abi::CUpti_CallbackDomain domain) noexcept {
        for (abi::CUpti_CallbackId id = 1; id < callback_id_end(domain); ++id) set(on, domain, id);
    }
    void clear() noexcept {
        for (auto& each : words_) each.store(0, std::memory_order_relaxed);
    }

private:
    static constexpr std::size_t domain_count = 7;
    using word_type = std::atomic<std::uint64_t>;

    // Where the words of a domain begin.
    static constexpr auto first_words = [] {
        std::array<std::size_t, domain_count + 1> first{};
        for (unsigned i = 0; i < domain_count; ++i)
            first[i + 1] = first[i] + (callback_id_end(static_cast<abi::CUpti_CallbackDomain>(i)) + 63) / 64;
        return first;
    }();

    template <class Self>
    static auto& word_of(Self& self, abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) noexcept {
        return self.words_[first_words[static_cast<std::size_t>(domain)] + id / 64];
    }
    word_type& word(abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) noexcept {
        return word_of(*this, domain, id);
    }
    word_type const& word(abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) const noexcept {
        return word_of(*this, domain, id);
    }

    std::array<word_type, first_words[domain_count]> words_{};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_CALLBACK_SWITCHES_HPP
