// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cta_schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static bool are_alike(std::vector<std::vector<cta_run>> const& sms) noexcept {
    for (auto const& runs : sms)
        if (runs.size() != 1 || runs.front().work != sms.front().front().work) return false;
    return true;
}

static double real(std::uint64_t n) noexcept { return static_cast<double>(n); }

static cta_schedule of_alike(std::uint64_t ctas, std::uint64_t sms, unsigned ctas_per_sm) noexcept {
    std::uint64_t const places = sms * ctas_per_sm, whole_waves = ctas / places, rest = ctas % places;
    std::uint64_t const active = whole_waves * sms + (std::min)(rest, sms); // lengths of a CTA, of all SMs
    std::uint64_t const busiest = whole_waves * ctas_per_sm + (rest + sms - 1) / sms;
    cta_schedule schedule;
    schedule.span = real(whole_waves + (rest != 0));
    schedule.active = real(active) / real(sms);
    schedule.busiest_share = real(busiest) / real(ctas);
    return schedule;
}

cta_schedule schedule_ctas(std::vector<std::vector<cta_run>> const& sms, unsigned ctas_per_sm, unsigned warps_per_cta) {
    std::uint64_t ctas = 0, length = 0, resident = 0;
    for (auto const& runs : sms)
        for (cta_run const& run : runs) {
            ctas += run.ctas;
            length += run.ctas * run.work.length;
            resident += run.ctas * run.work.resident;
        }
    if (ctas == 0 || length == 0) return {};
    double const residency = real(resident) / (real(length) * warps_per_cta);
    if (are_alike(sms)) {
        cta_schedule schedule = of_alike(ctas, sms.size(), ctas_per_sm);
        schedule.resident = residency;
        return schedule;
    }

    // A place is free from a time on; the least number is the first of an SM.
    using place = std::pair<std::uint64_t, std::uint32_t>;
    auto const later = [](place const& a, place const& b) { return b < a; };
    std::vector<place> places;
    for (std::uint32_t i = 0; i < sms.size() * ctas_per_sm; ++i) places.emplace_back(0, i);
    struct cursor {
        std::size_t run = 0;
        std::uint64_t taken = 0;
    };
    std::vector<cursor> next(sms.size());
    std::vector<std::uint64_t> ends(sms.size()), work(sms.size());
    for (std::uint64_t i = 0; i < ctas; ++i) {
        std::size_t const from = i % sms.size();
        cursor& at = next[from];
        while (at.run < sms[from].size() && at.taken == sms[from][at.run].ctas) at = {at.run + 1, 0};
        if (at.run == sms[from].size()) break; // it executed fewer: the launch ended early
        ++at.taken;
        std::uint64_t const lasts = sms[from][at.run].work.length;
        std::pop_heap(places.begin(), places.end(), later);
        place& taken = places.back();
        taken.first += lasts;
        std::size_t const sm = taken.second % sms.size();
        ends[sm] = (std::max)(ends[sm], taken.first);
        work[sm] += lasts;
        std::push_heap(places.begin(), places.end(), later);
    }
    std::uint64_t active = 0, used = 0;
    for (std::uint64_t const end : ends) active += end, used += end != 0;
    double const mean = real(length) / real(ctas);
    return {real(*std::max_element(ends.begin(), ends.end())) / mean, real(active) / real(used) / mean, residency,
            real(*std::max_element(work.begin(), work.end())) / real(length)};
}

} // namespace sim
GPUPROF_NAMESPACE_END
