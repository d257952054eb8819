// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The callbacks that a tool enabled: a bit for each id of each domain.
#ifndef GPUPROF_SRC_SIM_GPU_CALLBACK_SWITCHES_HPP
#define GPUPROF_SRC_SIM_GPU_CALLBACK_SWITCHES_HPP

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti_callback.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The end of a domain's ids, which begin at 1: CUPTI_DRIVER_TRACE_CBID_SIZE and its like in the
// headers of CUPTI 13.0.
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

// Threads may ask while another one sets a switch; asking is one relaxed load.
class callback_switches {
public:
    // @pre is_callback(domain, id), here and below
    [[nodiscard]] bool is_on(abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) const noexcept {
        return ((words_[index(domain, id)].load(std::memory_order_relaxed) >> (id % 64)) & 1) != 0;
    }
    void set(bool on, abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) noexcept;
    void set_domain(bool on, abi::CUpti_CallbackDomain domain) noexcept;
    void clear() noexcept;

private:
    static constexpr std::size_t domain_count = 7;
    using word_type = std::atomic<std::uint64_t>;

    // The index of each domain's first word.
    static constexpr auto first_words = [] {
        std::array<std::size_t, domain_count + 1> first{};
        for (unsigned i = 0; i < domain_count; ++i)
            first[i + 1] = first[i] + (callback_id_end(static_cast<abi::CUpti_CallbackDomain>(i)) + 63) / 64;
        return first;
    }();

    [[nodiscard]] static std::size_t index(abi::CUpti_CallbackDomain domain, abi::CUpti_CallbackId id) noexcept {
        return first_words[static_cast<std::size_t>(domain)] + id / 64;
    }

    std::array<word_type, first_words[domain_count]> words_{};
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_CALLBACK_SWITCHES_HPP
