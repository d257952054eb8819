// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cta_schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

static bool are_alike(std::vector<executed_ctas> const& sms) noexcept {
    for (executed_ctas const& sm : sms)
        if (sm.last().size() != 1 || sm.last().front().work != sms.front().last().front().work ||
            sm.last().front().ctas != sm.ctas())
            return false;
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

// The CTAs of an SM from one of them on, one after the other.
class cta_cursor {
public:
    // @pre its last runs have CTA number `first`, or there is none
    cta_cursor(executed_ctas const& of, std::uint64_t first) noexcept
        : of_{&of}, taken_{first + of.listed() - of.ctas()} {}
    // @return its length; none: 0
    [[nodiscard]] std::uint64_t next() noexcept {
        while (run_ < of_->last().size() && taken_ >= of_->last()[run_].ctas) taken_ -= of_->last()[run_++].ctas;
        if (run_ == of_->last().size()) return 0;
        ++taken_;
        return of_->last()[run_].work.length;
    }

private:
    executed_ctas const* of_;
    std::size_t run_ = 0;
    std::uint64_t taken_; // of that run
};

// CTAs of an SM of which each SM has so many in its list, or all.
static std::uint64_t least_listed(std::vector<executed_ctas> const& sms) noexcept {
    std::uint64_t least = ~std::uint64_t{0};
    for (executed_ctas const& sm : sms)
        if (std::uint64_t const listed = sm.listed(); listed < sm.ctas()) least = (std::min)(least, listed);
    return least;
}

cta_schedule schedule_ctas(std::vector<executed_ctas> const& sms, unsigned ctas_per_sm, unsigned warps_per_cta) {
    cta_work all;
    std::uint64_t ctas = 0, most = 0; // of all SMs, of one
    for (executed_ctas const& sm : sms) {
        ctas += sm.ctas();
        most = (std::max)(most, sm.ctas());
        all.length += sm.all().length;
        all.resident += sm.all().resident;
    }
    if (ctas == 0 || all.length == 0) return {};
    double const residency = real(all.resident) / (real(all.length) * warps_per_cta);
    if (are_alike(sms)) {
        cta_schedule schedule = of_alike(ctas, sms.size(), ctas_per_sm);
        schedule.resident = residency;
        return schedule;
    }

    constexpr std::uint64_t waves = 3, enough = 1024; // of an SM
    std::uint64_t const followed = (std::min)({most, (std::max)(enough, waves * ctas_per_sm), least_listed(sms)});
    std::vector<cta_cursor> next;
    std::uint64_t before = all.length;
    for (executed_ctas const& sm : sms) {
        next.emplace_back(sm, most - followed);
        for (cta_cursor at = next.back(); std::uint64_t const length = at.next();) before -= length;
    }
    // A place is free from a time on; the least number is the first of an SM.
    using place = std::pair<std::uint64_t, std::uint32_t>;
    auto const later = [](place const& a, place const& b) { return b < a; };
    std::vector<place> places;
    auto const count = static_cast<std::uint32_t>(sms.size() * ctas_per_sm);
    for (std::uint32_t i = 0; i < count; ++i) places.emplace_back(before / count, i);
    std::vector<std::uint64_t> ends(sms.size(), before / count), work(sms.size(), before / sms.size());
    for (std::uint64_t i = 0; i < followed * sms.size(); ++i) {
        std::uint64_t const lasts = next[i % sms.size()].next();
        if (lasts == 0) continue; // of an SM with one CTA less
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
    double const mean = real(all.length) / real(ctas);
    cta_schedule schedule;
    schedule.span = real(*std::max_element(ends.begin(), ends.end())) / mean;
    schedule.active = real(active) / real(used) / mean;
    schedule.resident = residency;
    schedule.busiest_share = real(*std::max_element(work.begin(), work.end())) / real(all.length);
    return schedule;
}

} // namespace sim
GPUPROF_NAMESPACE_END
