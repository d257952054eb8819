// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of traced_work.hpp.
#ifndef GPUPROF_JUDGE_TRACED_WORK_INL_HPP
#define GPUPROF_JUDGE_TRACED_WORK_INL_HPP

#include "../detail/config.hpp"
#include "traced_work.hpp"

#if !GPUPROF_ENABLED

#include <cstddef>

GPUPROF_NAMESPACE_BEGIN
namespace judge {

// Runs the work once, without a tracer.
inline traced_work work_traced(device const&, void (*run)(void*), void* work) {
    run(work);
    return traced_work{gpuprof::detail::compiled_out()};
}
inline outcome judge_waits(traced_work const&, std::size_t) { return not_answered(gpuprof::detail::compiled_out()); }
inline outcome judge_copies(traced_work const&, std::size_t) { return not_answered(gpuprof::detail::compiled_out()); }

} // namespace judge
GPUPROF_NAMESPACE_END

#else

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/counted.hpp"
#include "../hw/machine/recorder.hpp"
#include "../measure/scope.hpp"
#include "../recording/recorded_data.hpp"
#include "../trace/function_families.hpp"
#include "../trace/function_names.hpp"
#include "../trace/tracer.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace judge {

namespace detail {

// A record of a call, in the order that they were made on their thread.
struct call_made {
    bool of_runtime = false;
    std::uint32_t function = 0;
    std::uint32_t thread = 0;
    std::uint32_t correlation = 0;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::size_t outer = 0; // the call that made this one: itself for calls of the application
};

struct copy_made {
    activity::memcpy_kind direction{};
    bool waits = false;    // not asynchronous
    bool pageable = false; // at one end
    bool of_graph = false;
    double bytes = 0;
    std::uint32_t correlation = 0;
};

// What a trace has of it.
struct calls_and_copies {
    std::vector<call_made> calls;
    std::vector<copy_made> copies;
};

[[nodiscard]] std::string_view name_of(call_made const& of);
GPUPROF_INLINE std::string_view name_of(call_made const& of) {
    namespace names = gpuprof::detail;
    auto const* const row = (of.of_runtime ? names::runtime_names : names::driver_names).find(of.function);
    return row != nullptr ? names::base_of_function(row->name) : "a call that this gpuprof does not know";
}

[[nodiscard]] hw::callback_id id_of(call_made const& of);
GPUPROF_INLINE hw::callback_id id_of(call_made const& of) {
    return {of.of_runtime ? abi::CUPTI_CB_DOMAIN_RUNTIME_API : abi::CUPTI_CB_DOMAIN_DRIVER_API, of.function};
}

// A release of memory that waits until the GPU no longer uses it.
[[nodiscard]] bool frees_and_waits(call_made const& of);
GPUPROF_INLINE bool frees_and_waits(call_made const& of) {
    auto const& frees = of.of_runtime ? runtime_calls::frees : driver_calls::frees;
    if (!frees.has(id_of(of))) return false;
    std::string_view const name = name_of(of);
    return name.find("Async") == name.npos && (name.find("cuMemFree") == 0 || name.find("cudaFree") == 0);
}

// Finds for each call the runtime's call that made it.
void find_outer_calls(std::vector<call_made>& calls);
GPUPROF_INLINE void find_outer_calls(std::vector<call_made>& calls) {
    std::stable_sort(calls.begin(), calls.end(), [](call_made const& a, call_made const& b) {
        if (a.thread != b.thread) return a.thread < b.thread;
        if (a.start != b.start) return a.start < b.start;
        return a.of_runtime && !b.of_runtime; // the clock did not tick between
    });
    std::size_t last = calls.size(); // the runtime's latest
    for (std::size_t i = 0; i < calls.size(); ++i) {
        call_made& each = calls[i];
        bool const inside = last < i && calls[last].thread == each.thread && each.end <= calls[last].end;
        each.outer = inside ? calls[last].outer : i;
        if (each.of_runtime && !inside) last = i;
    }
}

void add(std::vector<traced_calls>& to, traced_effect effect, std::string_view name, std::string what);
GPUPROF_INLINE void add(std::vector<traced_calls>& to, traced_effect effect, std::string_view name, std::string what) {
    for (traced_calls& each : to) {
        if (each.effect != effect || each.name != name || each.what != what) continue;
        ++each.times;
        return;
    }
    to.push_back({effect, std::string{name}, std::move(what), 1});
}

[[nodiscard]] std::vector<traced_calls> found_in(calls_and_copies& all);
GPUPROF_INLINE std::vector<traced_calls> found_in(calls_and_copies& all) {
    find_outer_calls(all.calls);
    std::vector<traced_calls> found;
    std::vector<bool> counted(all.calls.size()); // a call of the application waits once
    auto const waits = [&](std::size_t at, traced_effect effect, std::string what) {
        std::size_t const outer = all.calls[at].outer;
        if (counted[outer]) return;
        counted[outer] = true;
        add(found, effect, name_of(all.calls[outer]), std::move(what));
    };
    constexpr std::string_view unknown = "a call that was not recorded";
    std::vector<std::size_t> by_correlation(all.calls.size());
    for (std::size_t i = 0; i < by_correlation.size(); ++i) by_correlation[i] = i;
    auto const correlation_of = [&](std::size_t at) { return all.calls[at].correlation; };
    std::ranges::sort(by_correlation, {}, correlation_of);
    for (copy_made const& each : all.copies) {
        auto const place = std::ranges::lower_bound(by_correlation, each.correlation, {}, correlation_of);
        bool const known = place != by_correlation.end() && correlation_of(*place) == each.correlation;
        std::size_t const at = known ? *place : 0;
        std::string what =
            gpuprof::detail::joined({gpuprof::detail::counted(each.bytes, "byte"), ", ", to_text(each.direction)});
        bool const within = each.direction == activity::memcpy_kind::device_to_device;
        if (!each.of_graph && !within && (each.waits || each.pageable)) {
            auto const effect = each.waits ? traced_effect::waits_to_copy : traced_effect::waits_pageable;
            if (known) waits(at, effect, what);
            else add(found, effect, unknown, what);
        }
        add(found, traced_effect::copies, known ? name_of(all.calls[all.calls[at].outer]) : unknown, std::move(what));
    }
    for (std::size_t i = 0; i < all.calls.size(); ++i) {
        call_made const& each = all.calls[i];
        auto const& synchronizations =
            each.of_runtime ? runtime_calls::synchronizations : driver_calls::synchronizations;
        if (synchronizations.has(id_of(each))) waits(i, traced_effect::waits, {});
        else if (frees_and_waits(each)) waits(i, traced_effect::waits_to_free, {});
    }
    return found;
}

// What does not let anything be said, if there is something.
[[nodiscard]] std::string objection_to(traced_work const& work);
GPUPROF_INLINE std::string objection_to(traced_work const& work) {
    if (work.why_not()) return work.why_not()->message();
    if (work.calls() == 0) return "no call of CUDA was made: the function did not do its work, or made it before";
    return {};
}

[[nodiscard]] std::string_view advice_for(traced_effect effect);
GPUPROF_INLINE std::string_view advice_for(traced_effect effect) {
    switch (effect) {
        case traced_effect::waits:
            return "wait once, where the host needs the result; let streams wait for each other by events "
                   "(cudaStreamWaitEvent), for which the host does not wait";
        case traced_effect::waits_to_copy:
            return "copy by the asynchronous call, on a stream, from or to pinned memory";
        case traced_effect::waits_pageable:
            return "pin the memory of the host (cudaMallocHost, cudaHostRegister): an asynchronous copy of pageable "
                   "memory "
                   "waits";
        case traced_effect::waits_to_free:
            return "release memory after the work, keep it for the next time, or free it in the stream (cudaFreeAsync)";
        case traced_effect::copies: break;
    }
    return "leave data on the GPU between steps, copy what has changed only, and many small pieces together";
}

template <class Which>
[[nodiscard]] outcome judged(traced_work const& work, std::string_view name, std::size_t known, Which which) {
    outcome made;
    if (std::string against = objection_to(work); !against.empty()) {
        made.verdict = verdict::inconclusive;
        made.expanded = std::string{name};
        made.reason = std::move(against);
        return made;
    }
    std::size_t times = 0;
    for (traced_calls const& each : work.found())
        if (which(each.effect)) times += each.times;
    made.expanded =
        gpuprof::detail::joined({name, ": ", std::to_string(times), " is to be at most ", std::to_string(known)});
    if (times <= known) return made;
    made.verdict = verdict::fail;
    std::vector<std::string_view> advice;
    for (traced_calls const& each : work.found()) {
        if (!which(each.effect)) continue;
        made.details += gpuprof::detail::joined(
            {made.details.empty() ? "  " : "\n  ", std::to_string(each.times), each.times == 1 ? " time " : " times ",
             each.name, each.what.empty() ? "" : ": ", each.what,
             each.effect == traced_effect::waits_pageable ? ", asynchronous, of memory of the host that is not pinned"
                                                          : ""});
        std::string_view const line = advice_for(each.effect);
        if (std::find(advice.begin(), advice.end(), line) == advice.end()) advice.push_back(line);
    }
    made.details +=
        gpuprof::detail::joined({"\n  of ", std::to_string(work.calls()), " calls of CUDA\n  device: ", work.device()});
    if (work.unrecorded())
        made.details += gpuprof::detail::joined({"\n  not recorded: ", work.unrecorded()->message()});
    for (std::string_view const line : advice) made.details += gpuprof::detail::joined({"\n  advice: ", line});
    return made;
}

[[nodiscard]] result<hw::recorded_trace> try_trace(device const& gpu, void (*run)(void*), void* work);
GPUPROF_INLINE result<hw::recorded_trace> try_trace(device const& gpu, void (*run)(void*), void* work) {
    constexpr activity::kind_set kinds{abi::CUPTI_ACTIVITY_KIND_DRIVER, abi::CUPTI_ACTIVITY_KIND_RUNTIME,
                                       abi::CUPTI_ACTIVITY_KIND_MEMCPY, abi::CUPTI_ACTIVITY_KIND_MEMCPY2};
    auto begun = tracer<activity::kind_set>::try_begin(gpu.machine(), kinds);
    if (!begun) return std::move(begun).error();
    run(work);
    abi::CUresult status = abi::CUDA_SUCCESS;
    {
        scope const own{*begun, "gpuprof waits"};
        status = gpu.driver().CtxSynchronize();
    }
    auto batch = begun->try_finish();
    if (!batch) return std::move(batch).error();
    if (status != abi::CUDA_SUCCESS) return hw::explain("cuCtxSynchronize", status);
    calls_and_copies all;
    auto const add_copy = [&](auto const& copy) {
        auto const pageable = activity::memory_kind::pageable;
        all.copies.push_back({copy.direction, !copy.asynchronous(), copy.from == pageable || copy.to == pageable,
                              copy.graph_node.has_value(), copy.size.value(), copy.correlation});
    };
    batch->visit([&](auto const& record) {
        using type = std::remove_cvref_t<decltype(record)>;
        if constexpr (std::is_same_v<type, activity::api_call>)
            all.calls.push_back({record.kind == abi::CUPTI_ACTIVITY_KIND_RUNTIME, record.callback, record.thread,
                                 record.correlation, record.time.start.ticks, record.time.end.ticks, 0});
        else if constexpr (std::is_same_v<type, activity::memcpy> || std::is_same_v<type, activity::peer_memcpy>)
            add_copy(record);
    });
    if (auto const unknown = batch->unknown_scopes()) return *unknown;
    trace_losses const lost = batch->losses();
    if (!lost.complete()) {
        error const why{errc::not_collected, 0, "the trace of this work",
                        gpuprof::detail::joined({std::to_string(lost.dropped), " records were dropped, ",
                                                 std::to_string(lost.without_time), " have no time, ",
                                                 std::to_string(lost.undecoded), " are of a kind not known"}),
                        "trace less work at once"};
        return why;
    }
    std::erase_if(all.calls, [&](call_made const& each) { return batch->scope_of(each.correlation) != 0; });
    hw::recorded_trace made;
    made.found = found_in(all);
    for (std::size_t i = 0; i < all.calls.size(); ++i) made.calls += all.calls[i].outer == i ? 1 : 0;
    return made;
}

} // namespace detail

GPUPROF_INLINE outcome judge_waits(traced_work const& of, std::size_t known) {
    return detail::judged(of, "no hidden synchronisation", known,
                          [](traced_effect effect) { return effect != traced_effect::copies; });
}
GPUPROF_INLINE outcome judge_copies(traced_work const& of, std::size_t known) {
    return detail::judged(of, "no hidden copies", known,
                          [](traced_effect effect) { return effect == traced_effect::copies; });
}

GPUPROF_INLINE traced_work work_traced(device const& gpu, void (*run)(void*), void* work) {
    bool const replayed = gpu.machine().recorded != nullptr;
    hw::recorded_trace made;
    if (replayed) {
        run(work);
    } else {
        auto traced = detail::try_trace(gpu, run, work);
        if (traced) made = *std::move(traced);
        else made.missing.emplace(std::move(traced).error());
    }
    auto recorded =
        hw::program_recorder != nullptr ? hw::program_recorder->finish_trace(gpu, made) : hw::try_go_without_recorder();
    std::optional<error> unrecorded;
    if (!recorded) unrecorded.emplace(std::move(recorded).error());
    if (made.missing) return traced_work{*std::move(made.missing), std::move(unrecorded)};
    std::string device{gpu.name()};
    if (replayed) device += recorded_words;
    return traced_work{std::move(made.found), made.calls, std::move(device), std::move(unrecorded)};
}

} // namespace judge
GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_JUDGE_TRACED_WORK_INL_HPP
