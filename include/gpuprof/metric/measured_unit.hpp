// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The unit of a counter or ratio, from the words of its name.
#ifndef GPUPROF_METRIC_MEASURED_UNIT_HPP
#define GPUPROF_METRIC_MEASURED_UNIT_HPP

#include <string_view>

#include "decoder.hpp"
#include "../core/unit.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {

// Is told the words of a name's base one after the other, and knows in the end what is measured and whether as a ratio.
// No document states these rules; they are what makes the units of all names that CUPTI 13.0 lists come out as its own
// dimensional units do (the tests say where they differ, and why).
class measured_unit {
public:
    constexpr explicit measured_unit(dimension clock) noexcept : clock_{clock} {}

    // Precondition: `word` is neither qualifier nor key. `previous` is the word before it, null if the decoder lacks
    // it.
    constexpr void note(term const& word, term const* previous) noexcept {
        switch (word.kind) {
            case term_kind::quantity:
                // The first plural counts, unless a later one says more than "event": workids_granted_as_ctas.
                if (plural_ == dimension::none || plural_ == dimension::event) plural_ = refine(word.of, previous);
                break;
            case term_kind::singular:
                if (singular_ == dimension::none) singular_ = word.of;
                break;
            case term_kind::level: level_ = true; break;
            case term_kind::state: stalled_ = stalled_ || word.word == std::string_view{"stalled"}; break;
            case term_kind::maker: make(word.word); break;
            default: break;
        }
    }

    [[nodiscard]] constexpr bool is_ratio() const noexcept { return ratio_; }

    [[nodiscard]] constexpr unit get() const noexcept {
        if (!ratio_) return measured();
        if (amortized_) return unit_of(clock_) / unit_of(dimension::warp);
        if (latency_) return unit_of(clock_); // warps times cycles over warps
        if (share_ || !divided_) return one;  // hits over look-ups, a part over the whole
        return numerator_ / measured();
    }

private:
    constexpr void make(std::string_view word) noexcept {
        if (word == "throughput") return;
        if (word == "latency") {
            latency_ = true;
            return;
        }
        ratio_ = true;
        if (word == "rate") share_ = true;
        if (word == "amortized") amortized_ = true;
        if (word == "per") {
            numerator_ = measured();
            divided_ = true;
            plural_ = singular_ = dimension::none;
            level_ = false;
        }
    }

    // Words for what is counted mean different things in company.
    [[nodiscard]] constexpr dimension refine(dimension of, term const* previous) const noexcept {
        bool const after_unit = previous != nullptr && previous->kind == term_kind::hw_unit;
        bool const after_adjective = previous != nullptr && previous->kind == term_kind::adjective;
        char const initial = after_adjective ? previous->word[0] : '\0';
        switch (of) {
            case dimension::cycle_gpc: return after_unit ? previous->of : clock_;
            case dimension::bank_conflict: return initial == 's' ? clock_ : of;   // set conflicts: the cycles they cost
            case dimension::request: return initial == 't' ? dimension::tag : of; // tag requests
            case dimension::operation: return clock_ == dimension::cycle_gpc ? of : dimension::event; // commands
            default: return of;
        }
    }

    // What was noted since the beginning or since "per". What lasts is added up on every cycle, so that warps_active
    // counts warps times cycles; a level of nothing in particular counts cycles, and so does a stall of nothing in
    // particular (CUPTI 12.0, 2.8.1: "cycles where the source unit had data").
    [[nodiscard]] constexpr unit measured() const noexcept {
        dimension const of = plural_ != dimension::none ? plural_ : singular_;
        switch (of) {
            case dimension::none: return unit_of(level_ || stalled_ ? clock_ : dimension::event);
            case dimension::second: return unit_of(of, -9);
            case dimension::warp:
            case dimension::cta:
            case dimension::cluster:
            case dimension::byte:
            case dimension::kilobyte:
            case dimension::line:
            case dimension::reg:
            case dimension::event: return level_ ? unit_of(of) * unit_of(clock_) : unit_of(of);
            default: return unit_of(of);
        }
    }

    dimension clock_;
    dimension plural_ = dimension::none;   // the first plural
    dimension singular_ = dimension::none; // the first singular, which counts where there is no plural
    bool level_ = false;
    bool stalled_ = false;
    bool ratio_ = false;
    bool divided_ = false;
    bool latency_ = false;
    bool share_ = false;
    bool amortized_ = false;
    unit numerator_;
};

} // namespace detail

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_MEASURED_UNIT_HPP
