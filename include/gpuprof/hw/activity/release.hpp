// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA release of a libcupti, which decides the layout of its activity records.
#ifndef GPUPROF_HW_ACTIVITY_RELEASE_HPP
#define GPUPROF_HW_ACTIVITY_RELEASE_HPP

#include <cstdint>

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// A CUDA release as a number that compares: 12.8 is 12080. 0 is a release whose records are not
// known here.
enum class cuda_release : unsigned {};

// The release first.second: `release(12, 8)`. An update, where its records differ from the first
// ones: `release(13, 2, 1)`.
[[nodiscard]] constexpr cuda_release release(unsigned first, unsigned second, unsigned update = 0) noexcept {
    return static_cast<cuda_release>(first * 1000 + second * 10 + update);
}

// A range of releases: from `first` on, and before `end`.
struct releases {
    cuda_release first{};
    cuda_release end = static_cast<cuda_release>(~0u);
    [[nodiscard]] constexpr bool contain(cuda_release release) const noexcept {
        return first <= release && release < end;
    }
};

// Releases from this one on; releases before this one.
[[nodiscard]] constexpr releases since(unsigned first, unsigned second, unsigned update = 0) noexcept {
    return {release(first, second, update)};
}
[[nodiscard]] constexpr releases before(unsigned first, unsigned second) noexcept {
    return {cuda_release{}, release(first, second)};
}

// The release of a cuptiGetVersion number. If several releases have the same number, it is the
// oldest, whose records are the beginnings of the others': 15 is 11.2 to 11.4, 17 is 11.6 and 11.7,
// 18 is 11.8, 12.0 and 12.1. `library_number` is the number in the library's name, libcupti.so.12;
// it distinguishes 12.0 from 11.8, whose kernel records end before max_active_clusters. Versions
// before 14 (CUDA 11.1) are release 0. An update counts as its release, but for those of 13.2, whose
// green contexts have more members. A version after 13.5 is its own release, and is read with the
// newest layouts known here.
[[nodiscard]] constexpr cuda_release release_of_cupti(std::uint32_t version, unsigned library_number = 0) noexcept {
    if (version >= 130000)
        return release(version / 10000, version / 100 % 100, version / 100 == 1302 && version % 100 > 0 ? 1 : 0);
    switch (version) {
        case 14: return release(11, 1);
        case 15: return release(11, 2);
        case 16: return release(11, 5);
        case 17: return release(11, 6);
        case 18: return library_number == 12 ? release(12, 0) : release(11, 8);
        case 19: return release(12, 0);
        case 20: return release(12, 2);
        case 21: return release(12, 3);
        case 22: return release(12, 4);
        case 23: return release(12, 5);
        case 24: return release(12, 6);
        case 25: return release(12, 6); // 12.7 was never published
        case 26: return release(12, 8);
        default: return version < 14 ? cuda_release{} : release(12, 9); // 27 and 28
    }
}

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_RELEASE_HPP
