// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of trace_session.hpp.
#ifndef GPUPROF_TRACE_TRACE_SESSION_INL_HPP
#define GPUPROF_TRACE_TRACE_SESSION_INL_HPP

#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../hw/callbacks/inside.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/platform/fork.hpp"
#include "../hw/machine/status.hpp"
#include "scope_names_output.hpp"
#include "trace_session.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The number in libcupti.so.12; 0 where the name has none.
[[nodiscard]] inline unsigned library_number(std::string_view soname) noexcept {
    std::size_t at = soname.find(".so.");
    unsigned number = 0;
    if (at == soname.npos) return 0;
    for (at += 4; at < soname.size() && soname[at] >= '0' && soname[at] <= '9'; ++at)
        number = number * 10 + static_cast<unsigned>(soname[at] - '0');
    return number;
}

// The kinds by which records know their scope: CUPTI writes external correlations beside calls of the two interfaces.
inline constexpr activity::kind_set scope_kinds{abi::CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
                                                abi::CUPTI_ACTIVITY_KIND_DRIVER, abi::CUPTI_ACTIVITY_KIND_RUNTIME};

inline trace_session::trace_session(hw::machine const& on, activity::kind_set asked, tracer_options const& options)
    : scope_target{&trace_session::enter, &trace_session::leave},
      machine_{&on},
      calls_{&on.cupti, nullptr},
      asked_{asked},
      options_{options},
      forks_{platform::forks_so_far()},
      names_{std::make_shared<trace_names>(options.scope_names)},
      scopes_{options.scopes_per_thread == 0 ? 1 : options.scopes_per_thread, options.system_thread_numbers} {}

// The error for what was begun before a fork.
[[nodiscard]] inline error refused_in_child() {
    return {errc::invalid_state, 0, "tracing in a forked child", "CUPTI does not work in a child of the process",
            "begin to trace after fork(), in a process that has not used CUDA"};
}

GPUPROF_INLINE result<std::unique_ptr<trace_session>> trace_session::try_begin(hw::machine const& on,
                                                                               activity::kind_set asked,
                                                                               tracer_options const& options,
                                                                               device const* gpu) {
    abi::cupti_table const& cupti = on.cupti;
    struct needed {
        bool is_there;
        char const* symbol;
    };
    needed const calls[] = {{cupti.ActivityEnable != nullptr, "cuptiActivityEnable"},
                            {cupti.ActivityDisable != nullptr, "cuptiActivityDisable"},
                            {cupti.ActivityRegisterCallbacks != nullptr, "cuptiActivityRegisterCallbacks"},
                            {cupti.ActivityGetNextRecord != nullptr, "cuptiActivityGetNextRecord"},
                            {cupti.ActivityGetNumDroppedRecords != nullptr, "cuptiActivityGetNumDroppedRecords"},
                            {cupti.ActivityFlushAll != nullptr, "cuptiActivityFlushAll"},
                            {cupti.GetVersion != nullptr, "cuptiGetVersion"},
                            {cupti.GetTimestamp != nullptr, "cuptiGetTimestamp"}};
    for (needed const& each : calls)
        if (!each.is_there) return hw::unavailable_call(on, each.symbol);
    if (auto const both = activity::excluding_pair(asked); both.first != abi::CUPTI_ACTIVITY_KIND_INVALID) {
        error why{errc::invalid_argument, 0,
                  joined({"kinds ", activity::name_of(both.first), " and ", activity::name_of(both.second)}),
                  "CUPTI does not record these two together", "ask for one of them at a time"};
        return why;
    }
    if (on.recorded != nullptr && gpu == nullptr) {
        error why{errc::not_collected, 0, "tracing the machine of a recording", "records were recorded for a device",
                  "begin the tracer on the device"};
        return why;
    }
    platform::watch_forks();
    hold_names_over_fork();
    bool const can_share = activity_calls::has_own_calls(cupti);
    bool const is_shared = can_share && hw::subscription::shared_handle(on) != nullptr;
    auto begun = try_begin_by(is_shared, on, asked, options, gpu);
    if (begun || !can_share || is_shared || begun.error().status == 0) return begun;
    // What CUPTI refuses to the process it may give to a subscriber beside another tool's.
    auto const beside = try_share(on);
    if (!beside || hw::subscription::shared_handle(on) == nullptr) return begun;
    return try_begin_by(true, on, asked, options, gpu);
}

// Subscribes to no callback, for CUPTI's handle.
GPUPROF_INLINE result<hw::subscription> trace_session::try_share(hw::machine const& on) {
    constexpr auto nothing = [](void*, hw::callback_id, void const*) {};
    return hw::subscription::try_begin(on, hw::callback_set{}, nothing, nullptr, {});
}

GPUPROF_INLINE result<std::unique_ptr<trace_session>> trace_session::try_begin_by(bool shared, hw::machine const& on,
                                                                                  activity::kind_set asked,
                                                                                  tracer_options const& options,
                                                                                  device const* gpu) {
    std::unique_ptr<trace_session> session{new trace_session{on, asked, options}};
    if (shared) {
        auto beside = try_share(on);
        if (!beside) return std::move(beside).error();
        session->calls_.subscriber = hw::subscription::shared_handle(on);
        session->beside_.emplace(*std::move(beside));
    }
    session->buffers_ = std::make_shared<record_buffers>(options.buffers, options.buffer_bytes,
                                                         record_counting{session->calls_.next(), asked});
    if (session->buffers_->size() == 0 || options.buffer_bytes < 1024) {
        error why{errc::invalid_argument, 0, "no buffers for activity records",
                  "there is no memory for them, none was asked for, or they are smaller than 1,024 bytes",
                  "see tracer_options::buffers and buffer_bytes"};
        return why;
    }
    if (gpu != nullptr)
        if (auto begun = session->begin_outputs(*gpu); !begun) return std::move(begun).error();
    if (auto begun = session->begin(); !begun) return std::move(begun).error();
    result<std::unique_ptr<trace_session>> done{std::move(session)}; // nvcc would copy what is returned by its own name
    return done;
}

GPUPROF_INLINE result<void> trace_session::begin() {
    std::uint32_t version = 0;
    if (auto const status = cupti().GetVersion(&version)) return hw::explain("cuptiGetVersion", status);
    release_ = activity::release_of_cupti(version, library_number(machine_->cupti_library.soname));
    if (release_ == activity::cuda_release{}) {
        error why{errc::version_mismatch, 0, joined({"CUPTI of version ", std::to_string(version)}),
                  "the layout of its activity records is not known: it is older than CUDA 11.1",
                  "use the CUPTI of CUDA 11.1 or later"};
        return why;
    }
    if (auto known = check_devices(); !known) return known;
    auto port = activity_port::try_take(*machine_, calls_, buffers_);
    if (!port) return std::move(port).error();
    port_ = *port;
    if (auto applied = apply_settings(); !applied) return applied;
    return try_start();
}

// The CUDA release that brought support of a capability to CUPTI.
[[nodiscard]] constexpr activity::cuda_release first_release_for(int generation, int revision) noexcept {
    if ((generation == 10 && revision < 3) || (generation == 12 && revision == 0)) return activity::release(12, 8);
    if (generation >= 10) return activity::release(12, 9);
    if (generation == 9 || (generation == 8 && revision >= 9)) return activity::release(11, 8);
    return activity::release(11, 1);
}

// A CUPTI that is older than a device records no kernels of it; those of CUDA 11.2 and 11.7 crash in the first copy on an H200,
// and cuptiComputeCapabilitySupported does not tell.
GPUPROF_INLINE result<void> trace_session::check_devices() const {
    abi::driver_table const& driver = machine_->driver;
    int devices = 0;
    if (driver.DeviceGetCount == nullptr) return {};
    auto counted = driver.DeviceGetCount(&devices);
    // Before the program's first call, the driver must be started: such a CUPTI crashes in the calls that follow.
    if (counted == abi::CUDA_ERROR_NOT_INITIALIZED && release_ < first_release_for(9, 0) && driver.Init != nullptr &&
        driver.Init(0) == abi::CUDA_SUCCESS)
        counted = driver.DeviceGetCount(&devices);
    if (counted != abi::CUDA_SUCCESS) return {};
    int capability[2] = {0, 0};
    for (int i = 0; i < devices; ++i) {
        abi::CUdevice device = 0;
        if (driver.DeviceGet(&device, i) != abi::CUDA_SUCCESS ||
            driver.DeviceGetAttribute(&capability[0], abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) !=
                abi::CUDA_SUCCESS ||
            driver.DeviceGetAttribute(&capability[1], abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) !=
                abi::CUDA_SUCCESS ||
            first_release_for(capability[0], capability[1]) <= release_)
            return {}; // there is a device that this CUPTI knows
    }
    if (devices == 0) return {};
    error why{errc::version_mismatch, 0,
              joined({"CUPTI ", hw::cupti_version_text(machine_->cupti_library.version), " on a device of capability ",
                      std::to_string(capability[0]), ".", std::to_string(capability[1])}),
              "this CUPTI is older than the device: it records no kernels of it, or crashes",
              "use the CUPTI of a later CUDA release: GPUPROF_CUPTI_PATH names one"};
    return why;
}

GPUPROF_INLINE result<void> trace_session::try_start() {
    if (is_in_child()) return refused_in_child();
    platform::lock const held{control_};
    result<void> done;
    activity::kind_set wanted = asked_;
    // CUPTI hands these out with the samples, and refuses to enable them (12.6 and 12.9 on an H200).
    if (asked_.has(abi::CUPTI_ACTIVITY_KIND_PC_SAMPLING)) {
        wanted.remove(abi::CUPTI_ACTIVITY_KIND_PC_SAMPLING_RECORD_INFO);
        wanted.remove(abi::CUPTI_ACTIVITY_KIND_SOURCE_LOCATOR);
    }
    // CUPTI records copies between devices only beside those within one (CUDA 13.0 on two H200s, two_gpus.sh).
    if (asked_.has(abi::CUPTI_ACTIVITY_KIND_MEMCPY2)) wanted.add(abi::CUPTI_ACTIVITY_KIND_MEMCPY);
    if (tie_.load(std::memory_order_relaxed) == 1) wanted.add(scope_kinds);
    activity::kind_set before = enabled_;
    wanted.for_each([&](abi::CUpti_ActivityKind kind) {
        if (!done || enabled_.has(kind)) return;
        if (is_call_by_call(kind)) {
            enabled_calls_.add(kind);
            done = record_calls(kind, true);
            return;
        }
        if (auto const status = calls_.enable(kind)) {
            done =
                hw::explain(joined({"cuptiActivityEnable", calls_.suffix(), " of ", activity::name_of(kind)}), status);
            return;
        }
        enabled_.add(kind);
    });
    if (!done) { // all or none
        enabled_.for_each([&](abi::CUpti_ActivityKind kind) {
            if (!before.has(kind)) static_cast<void>(calls_.disable(kind));
        });
        static_cast<void>(stop_calls());
        enabled_ = before;
        return done;
    }
    is_running_ = true;
    arm(true);
    return done;
}

// Whether single calls are recorded in place of the kind.
GPUPROF_INLINE bool trace_session::is_call_by_call(abi::CUpti_ActivityKind kind) const noexcept {
    if (!options_.recorded_calls || !asked_.has(kind)) return false;
    if (kind == abi::CUPTI_ACTIVITY_KIND_DRIVER)
        return !options_.recorded_calls->whole(abi::CUPTI_CB_DOMAIN_DRIVER_API);
    return kind == abi::CUPTI_ACTIVITY_KIND_RUNTIME &&
           !options_.recorded_calls->whole(abi::CUPTI_CB_DOMAIN_RUNTIME_API);
}

// A set may have numbers that this CUPTI has no function for.
GPUPROF_INLINE result<void> trace_session::record_calls(abi::CUpti_ActivityKind kind, bool on) {
    bool const of_driver = kind == abi::CUPTI_ACTIVITY_KIND_DRIVER;
    auto const domain = of_driver ? abi::CUPTI_CB_DOMAIN_DRIVER_API : abi::CUPTI_CB_DOMAIN_RUNTIME_API;
    auto const call = of_driver ? cupti().ActivityEnableDriverApi : cupti().ActivityEnableRuntimeApi;
    char const* const symbol = of_driver ? "cuptiActivityEnableDriverApi" : "cuptiActivityEnableRuntimeApi";
    if (call == nullptr) return hw::unavailable_call(*machine_, symbol);
    for (abi::CUpti_CallbackId id = 0; id < hw::callback_set::room(domain); ++id) {
        if (!options_.recorded_calls->has({domain, id})) continue;
        auto const status = call(id, on ? 1 : 0);
        if (status != abi::CUPTI_SUCCESS && status != abi::CUPTI_ERROR_INVALID_PARAMETER)
            return hw::explain(symbol, status);
    }
    return {};
}

GPUPROF_INLINE result<void> trace_session::stop_calls() {
    result<void> done;
    enabled_calls_.for_each([&](abi::CUpti_ActivityKind kind) {
        if (auto off = record_calls(kind, false); !off && done) done = std::move(off);
    });
    enabled_calls_ = {};
    return done;
}

GPUPROF_INLINE result<void> trace_session::try_stop() {
    arm(false);
    if (is_in_child()) return {};
    platform::lock const held{control_};
    result<void> done;
    enabled_.for_each([&](abi::CUpti_ActivityKind kind) {
        if (auto const status = calls_.disable(kind); status != abi::CUPTI_SUCCESS && done)
            done =
                hw::explain(joined({"cuptiActivityDisable", calls_.suffix(), " of ", activity::name_of(kind)}), status);
    });
    enabled_ = {};
    if (auto off = stop_calls(); !off && done) done = std::move(off);
    is_running_ = false;
    for (context_kind const& each : enabled_in_)
        static_cast<void>(cupti().ActivityDisableContext(each.context, each.kind)); // the context may be gone
    enabled_in_.clear();
    return done;
}

GPUPROF_INLINE result<void> trace_session::check_asked(abi::CUpti_ActivityKind kind) const {
    if (asked_.has(kind)) return {};
    error why{errc::invalid_argument, 0, joined({"kind ", activity::name_of(kind)}),
              "the tracer was not made for it: its records would be passed over", "name it where the tracer is made"};
    return why;
}

GPUPROF_INLINE result<void> trace_session::try_enable(abi::CUcontext context, abi::CUpti_ActivityKind kind, bool on) {
    if (is_in_child()) return refused_in_child();
    if (auto asked = check_asked(kind); !asked) return asked;
    char const* const symbol = on ? "cuptiActivityEnableContext" : "cuptiActivityDisableContext";
    auto const call = on ? cupti().ActivityEnableContext : cupti().ActivityDisableContext;
    if (call == nullptr || cupti().ActivityDisableContext == nullptr) return hw::unavailable_call(*machine_, symbol);
    if (calls_.is_shared())
        return error{errc::unavailable, 0, symbol,
                     "another tool shares CUPTI, which then records a kind in all contexts or none",
                     "end the other tool, or ask for the kind when the tracer begins"};
    platform::lock const held{control_};
    if (auto const status = call(context, kind))
        return hw::explain(joined({symbol, " of ", activity::name_of(kind)}), status);
    std::erase(enabled_in_, context_kind{context, kind});
    if (on) enabled_in_.push_back({context, kind});
    return {};
}

GPUPROF_INLINE result<void> trace_session::try_dump(abi::CUpti_ActivityKind kind) {
    if (is_in_child()) return refused_in_child();
    if (auto asked = check_asked(kind); !asked) return asked;
    if (cupti().ActivityEnableAndDump == nullptr) return hw::unavailable_call(*machine_, "cuptiActivityEnableAndDump");
    platform::lock const held{control_};
    if (auto const status = calls_.dump(kind))
        return hw::explain(joined({"cuptiActivityEnableAndDump", calls_.suffix(), " of ", activity::name_of(kind)}),
                           status);
    enabled_.add(kind);
    return {};
}

GPUPROF_INLINE result<void> trace_session::try_flush(flush_mode mode) {
    if (is_in_child()) return {};
    if (hw::inside_callback().in_stream_destruction()) return hw::refused_inside_callback("flushing activity records");
    if (auto const status = cupti().ActivityFlushAll(mode == flush_mode::forced ? 1 : 0))
        return hw::explain("cuptiActivityFlushAll", status);
    return {};
}

GPUPROF_INLINE result<trace_session::taken> trace_session::try_take(taking how) {
    result<taken> done{taken{held_buffers{buffers_}, {}, {}}};
    if (is_in_child()) return done;
    taken& all = *done;
    platform::lock const held{taking_};
    bool const plays = line_ && line_->plays();
    if (plays)
        if (auto played = play(how, all); !played) return std::move(played).error();
    all.buffers.take();
    if (!plays)
        scopes_.drain([&](ended_scope const& one) {
            scope_tree const& tree = names_->scopes;
            all.scopes.push_back({one.number,
                                  tree.parent_of(one.number),
                                  tree.name_of(one.number),
                                  {{one.begin}, {one.end}},
                                  one.thread});
            if (!all.scopes.back().time.known()) ++all.lost.without_time;
        });
    if (tie_.load(std::memory_order_relaxed) == 1 || asked_.has(abi::CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION))
        read_links(all.buffers);
    std::size_t dropped = 0;
    if (calls_.dropped(&dropped) == abi::CUPTI_SUCCESS) all.lost.dropped += dropped;
    all.lost.dropped += buffers_->take_lost();
    all.lost.scopes_dropped += scopes_.take_dropped();
    bool const is_empty = all.buffers.all().empty() && all.scopes.empty() && all.lost.complete();
    if (line_ && !plays && !(how == taking::by_arrival && is_empty))
        if (auto kept = keep(all); !kept) return std::move(kept).error();
    if (!knows_devices_ && !all.buffers.all().empty()) read_devices();
    platform::lock const named{names_mutex};
    names_->lost += all.lost;
    return done;
}

// ---- recordings ---------------------------------------------------------------------------------

// What a take has, as a recording keeps it.
struct trace_session::output {
    scope_names_output names;
    hw::raw_records records;
    std::vector<ended_scope> scopes;
    trace_losses lost;
};

GPUPROF_INLINE void trace_session::describe(hw::output_fields& fields, output& all) const {
    std::uint64_t const most = names_->scopes.size();
    all.names.describe(fields);
    fields.records("records", all.records);
    fields.list("scopes", all.scopes, [&](ended_scope& each) {
        fields.whole("number", each.number);
        fields.whole("begin", each.begin);
        fields.whole("end", each.end);
        fields.whole("thread", each.thread);
        fields.check(each.number - 1 < most, "a scope has no name");
    });
    fields.whole("dropped", all.lost.dropped);
    fields.whole("without_time", all.lost.without_time);
    fields.whole("scopes_dropped", all.lost.scopes_dropped);
}

GPUPROF_INLINE result<void> trace_session::begin_outputs(device const& gpu) {
    hw::output_request request{"trace", {}};
    asked_.for_each([&](abi::CUpti_ActivityKind kind) { request.asked.emplace_back(activity::name_of(kind)); });
    auto line = hw::try_begin_outputs(gpu, std::move(request));
    if (!line) return std::move(line).error();
    line_ = *std::move(line);
    if (line_) scope_names_output::number_all(*line_, names_->scopes);
    return {};
}

GPUPROF_INLINE result<void> trace_session::keep(taken const& all) {
    record_walk const by = walk();
    output kept;
    kept.names = scope_names_output::of(names_->scopes, names_kept_);
    kept.records.release = by.release;
    record_cursor cursor{by};
    for (filled_buffer const& each : all.buffers.all())
        for (abi::CUpti_Activity* at = nullptr; cursor.advance(each, at);)
            if (at->kind < record_walk::kinds && by.bytes_of[at->kind] != 0 &&
                each.readable(at) >= by.bytes_of[at->kind])
                kept.records.at.push_back(at);
    for (traced_scope const& each : all.scopes)
        kept.scopes.push_back({each.number, each.time.start.ticks, each.time.end.ticks, each.thread});
    kept.lost = all.lost;
    return line_->pass([&](hw::output_fields& fields) { describe(fields, kept); });
}

// Fills the buffers and the scopes with what was recorded for this take, or for all that are left.
GPUPROF_INLINE result<void> trace_session::play(taking how, taken& all) {
    scopes_.drain([&](ended_scope const& one) { played_scopes_.push_back(one); });
    if (unlike_) return *unlike_;
    if (how == taking::by_arrival || (line_->left() == 0 && played_scopes_.empty())) return {};
    std::vector<ended_scope> scopes;
    std::size_t count = how == taking::last && line_->left() != 0 ? line_->left() : 1;
    for (; count != 0; --count) {
        output part;
        if (auto passed = line_->pass([&](hw::output_fields& fields) { describe(fields, part); }); !passed)
            return *(unlike_ = std::move(passed).error());
        put(part.records);
        scopes.insert(scopes.end(), part.scopes.begin(), part.scopes.end());
        all.lost += part.lost;
    }
    if (auto same = compare_scopes(scopes); !same) return *(unlike_ = std::move(same).error());
    for (ended_scope const& each : scopes)
        all.scopes.push_back({each.number,
                              names_->scopes.parent_of(each.number),
                              names_->scopes.name_of(each.number),
                              {{each.begin}, {each.end}},
                              each.thread});
    return {};
}

// The numbers of `given` in the order of `wanted`, as far as they are there, and then the others.
[[nodiscard]] inline std::vector<std::uint64_t> in_order_of(std::vector<std::uint64_t> const& wanted,
                                                            std::vector<std::uint64_t> const& given) {
    std::unordered_map<std::uint64_t, std::size_t> left;
    for (std::uint64_t const each : given) ++left[each];
    std::vector<std::uint64_t> ordered;
    for (std::uint64_t const each : wanted)
        if (auto const at = left.find(each); at != left.end() && at->second != 0) {
            --at->second;
            ordered.push_back(each);
        }
    for (std::uint64_t const each : given)
        if (std::size_t& count = left[each]; count != 0) {
            --count;
            ordered.push_back(each);
        }
    return ordered;
}

// The scopes that have ended must be those that were recorded: in their order if one thread opened them, else as many of each.
GPUPROF_INLINE result<void> trace_session::compare_scopes(std::vector<ended_scope> const& recorded) {
    std::vector<std::uint64_t> then, now;
    bool is_one_thread = true;
    for (ended_scope const& each : recorded) {
        then.push_back(each.number);
        is_one_thread = is_one_thread && each.thread == recorded[0].thread;
    }
    for (ended_scope const& each : played_scopes_) {
        now.push_back(each.number);
        is_one_thread = is_one_thread && each.thread == played_scopes_[0].thread;
    }
    if (!is_one_thread) then = in_order_of(now, then);
    played_scopes_.clear();
    std::size_t at = 0;
    while (at < then.size() && at < now.size() && then[at] == now[at]) ++at;
    if (at == then.size() && at == now.size()) return {};
    auto const path_text = [&](std::vector<std::uint64_t> const& of) {
        return at < of.size() ? joined({"\"", names_->scopes.path_of(of[at]), "\""}) : std::string{"none"};
    };
    return hw::unlike_recording(joined({"scope ", std::to_string(at + 1), " of a trace is ", path_text(now),
                                        ", where the recording has ", path_text(then)}));
}

// As CUPTI hands over buffers.
GPUPROF_INLINE void trace_session::put(hw::raw_records const& records) {
    record_walk const by = walk();
    std::uint8_t* buffer = nullptr;
    std::size_t used = 0;
    for (void const* const each : records.at) {
        auto const kind = static_cast<abi::CUpti_Activity const*>(each)->kind;
        std::size_t const size = (std::size_t{by.bytes_of[kind]} + 7) / 8 * 8;
        if (buffer != nullptr && used + size > buffers_->bytes_each()) {
            static_cast<void>(buffers_->take_back(buffer, used));
            buffer = nullptr;
        }
        if (buffer == nullptr) buffer = buffers_->lend(), used = 0;
        if (buffer == nullptr) return;
        std::memcpy(buffer + used, each, size);
        used += size;
    }
    if (buffer != nullptr) static_cast<void>(buffers_->take_back(buffer, used));
}

// What each device holds, for the occupancy of its kernels. Not before there are records: CUDA may still begin.
GPUPROF_INLINE void trace_session::read_devices() {
    knows_devices_ = true;
    abi::driver_table const& driver = machine_->driver;
    int devices = 0;
    if (driver.DeviceGetCount == nullptr || driver.DeviceGetCount(&devices) != abi::CUDA_SUCCESS) return;
    std::vector<hw::provided::multiprocessor> all;
    for (int i = 0; i < devices; ++i) {
        abi::CUdevice device = 0;
        bool const found = driver.DeviceGet(&device, i) == abi::CUDA_SUCCESS;
        auto const attribute = [&](abi::CUdevice_attribute which) {
            int value = 0;
            return found && driver.DeviceGetAttribute(&value, which, device) == abi::CUDA_SUCCESS ? value : 0;
        };
        compute_capability const capability{attribute(abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                                            attribute(abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)};
        auto sm = hw::provided::multiprocessor_by(capability, attribute);
        if (!sm.complete()) sm.count = 0;
        all.push_back(sm);
    }
    platform::lock const named{names_mutex};
    names_->devices = std::move(all);
}

// Which scope each call was made in, and which ids it has: CUPTI writes an external correlation beside the record of a call in a scope.
GPUPROF_INLINE void trace_session::read_links(held_buffers const& buffers) {
    record_walk const by = walk();
    record_cursor cursor{by};
    for (filled_buffer const& each : buffers.all()) {
        abi::CUpti_Activity* at = nullptr;
        while (cursor.advance(each, at)) {
            bool const is_call =
                at->kind == abi::CUPTI_ACTIVITY_KIND_DRIVER || at->kind == abi::CUPTI_ACTIVITY_KIND_RUNTIME;
            if (!is_call && at->kind != abi::CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION) continue;
            if (each.readable(at) < by.bytes_of[at->kind]) continue;
            activity::field_reader const read{at, by.bytes_of[at->kind], by.release};
            if (is_call) {
                std::uint32_t call = 0;
                read("correlationId", 32, 4, call); // as in activity::api_call
                names_->links.saw(call);
                for (scope_links& of_kind : names_->ids) of_kind.saw(call);
            } else {
                activity::external_correlation link;
                link.layout(read);
                if (link.kind == options_.scope_kind) names_->links.add(link.correlation, link.id);
                else if (link.kind < std::size(names_->ids)) names_->ids[link.kind].add(link.correlation, link.id);
            }
        }
    }
}

GPUPROF_INLINE result<void> trace_session::set(abi::CUpti_ActivityAttribute which, void const* value,
                                               std::size_t size) {
    if (cupti().ActivitySetAttribute == nullptr) return hw::unavailable_call(*machine_, "cuptiActivitySetAttribute");
    old_setting old{which, sizeof old.value, 0};
    bool const is_known =
        cupti().ActivityGetAttribute != nullptr && calls_.get(which, &old.size, &old.value) == abi::CUPTI_SUCCESS;
    std::size_t copy = 0;
    std::memcpy(&copy, value, size);
    old_settings_.reserve(old_settings_.size() + 1);
    if (auto const status = calls_.set(which, &size, &copy))
        return hw::explain(joined({"cuptiActivitySetAttribute", calls_.suffix()}), status);
    if (is_known) old_settings_.push_back(old);
    return {};
}

GPUPROF_INLINE result<void> trace_session::sample_instructions_each(std::uint32_t power) {
    constexpr char const* symbol = "cuptiActivityConfigurePCSampling";
    if (power < 5 || power > 31)
        return error{errc::invalid_argument, 0,
                     joined({"tracer_options::pc_sampling_period is ", std::to_string(power)}),
                     "samples are taken every 2^5 to 2^31 cycles", "give a power of two from 5 to 31"};
    if (cupti().ActivityConfigurePCSampling == nullptr) return hw::unavailable_call(*machine_, symbol);
    abi::CUcontext context = nullptr;
    if (auto const status = machine_->driver.CtxGetCurrent(&context)) return hw::explain("cuCtxGetCurrent", status);
    abi::CUpti_ActivityPCSamplingConfig period;
    period.samplingPeriod2 = power;
    if (auto const status = cupti().ActivityConfigurePCSampling(context, &period)) return hw::explain(symbol, status);
    return {};
}

GPUPROF_INLINE result<void> trace_session::count_unified_memory(unified_memory_counters const& which, bool on) {
    constexpr char const* symbol = "cuptiActivityConfigureUnifiedMemoryCounter";
    if (cupti().ActivityConfigureUnifiedMemoryCounter == nullptr) return hw::unavailable_call(*machine_, symbol);
    abi::CUpti_ActivityUnifiedMemoryCounterConfig counters[8];
    std::uint32_t count = 0;
    auto const add = [&](bool wanted, abi::CUpti_ActivityUnifiedMemoryCounterKind kind) {
        if (!wanted) return;
        auto& each = counters[count++];
        each.scope = which.device ? abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE
                                  : abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_ALL_DEVICES;
        each.kind = kind;
        each.deviceId = which.device.value_or(0);
        each.enable = on ? 1 : 0;
    };
    add(which.transfers, abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD);
    add(which.transfers, abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH);
    add(which.peer_transfers, abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD);
    add(which.page_faults, abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_CPU_PAGE_FAULT_COUNT);
    add(which.page_faults, abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_GPU_PAGE_FAULT);
    add(which.thrashing, abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THRASHING);
    add(which.thrashing, abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_THROTTLING);
    add(which.remote_maps, abi::CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_REMOTE_MAP);
    if (count == 0) return {};
    if (auto const status = cupti().ActivityConfigureUnifiedMemoryCounter(counters, count))
        return hw::explain(symbol, status);
    return {};
}

GPUPROF_INLINE result<void> trace_session::apply_settings() {
    result<void> done;
    auto const number = [&](abi::CUpti_ActivityAttribute which, std::optional<std::size_t> value) {
        if (done && value) done = set(which, &*value, sizeof *value);
    };
    auto const flag = [&](abi::CUpti_ActivityAttribute which, std::optional<bool> value) {
        std::uint8_t const byte = value.value_or(false) ? 1 : 0;
        if (done && value) done = set(which, &byte, sizeof byte);
    };
    activity_settings const& given = options_.settings;
    number(abi::CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_SIZE, given.device_buffer_bytes);
    number(abi::CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_POOL_LIMIT, given.device_buffer_limit);
    number(abi::CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, given.device_buffers_at_start);
    number(abi::CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_SIZE, given.semaphore_pool_kernels);
    number(abi::CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_POOL_LIMIT, given.semaphore_pool_limit);
    number(abi::CUPTI_ACTIVITY_ATTR_PROFILING_SEMAPHORE_PRE_ALLOCATE_VALUE, given.semaphore_pools_at_start);
    flag(abi::CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED, given.pinned_host_memory);
    flag(abi::CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER, given.buffer_per_thread);
    if (!done) return done;
    // Ours are zeroed by whoever read them; a CUPTI that does not know the setting zeroes them once more.
    std::uint8_t const zeroed = 1;
    static_cast<void>(set(abi::CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &zeroed, sizeof zeroed));

    std::optional<bool> graphs_as_a_whole; // has no setting where CUPTI is not shared
    if (asked_.has(abi::CUPTI_ACTIVITY_KIND_GRAPH_TRACE)) graphs_as_a_whole = true;
    auto const switch_on = [&](bool wanted, flag_call call, char const* symbol, abi::CUpti_ActivityAttribute own) {
        if (!done || !wanted) return;
        if (calls_.is_shared()) return flag(own, true);
        switched_on_.reserve(switched_on_.size() + 1);
        if (call == nullptr) done = hw::unavailable_call(*machine_, symbol);
        else if (auto const status = call(1)) done = hw::explain(symbol, status);
        else switched_on_.push_back(call);
    };
    switch_on(options_.kernel_latency, cupti().ActivityEnableLatencyTimestamps, "cuptiActivityEnableLatencyTimestamps",
              abi::CUPTI_ACTIVITY_ATTR_ENABLE_KERNEL_LATENCY_TIMESTAMPS);
    switch_on(options_.launch_attributes, cupti().ActivityEnableLaunchAttributes, "cuptiActivityEnableLaunchAttributes",
              abi::CUPTI_ACTIVITY_ATTR_ENABLE_KERNEL_LAUNCH_ATTRIBUTES);
    switch_on(options_.allocation_source, cupti().ActivityEnableAllocationSource, "cuptiActivityEnableAllocationSource",
              abi::CUPTI_ACTIVITY_ATTR_ENABLE_ALLOCATION_SOURCE_TRACKING);
    switch_on(options_.device_graphs, cupti().ActivityEnableDeviceGraph, "cuptiActivityEnableDeviceGraph",
              abi::CUPTI_ACTIVITY_ATTR_ENABLE_DEVICE_GRAPH_TRACE);
    switch_on(options_.all_synchronizations, cupti().ActivityEnableAllSyncRecords, "cuptiActivityEnableAllSyncRecords",
              abi::CUPTI_ACTIVITY_ATTR_ENABLE_ALL_SYNC_RECORDS);
    switch_on(options_.event_times, cupti().ActivityEnableCudaEventDeviceTimestamps,
              "cuptiActivityEnableCudaEventDeviceTimestamps",
              abi::CUPTI_ACTIVITY_ATTR_ENABLE_CUDA_EVENT_DEVICE_TIMESTAMPS);
    if (calls_.is_shared()) flag(abi::CUPTI_ACTIVITY_ATTR_ENABLE_MULTI_SUBSCRIBER_GRAPH_TRACE, graphs_as_a_whole);
    switch_on(options_.hardware_trace, cupti().ActivityEnableHWTrace, "cuptiActivityEnableHWTrace",
              abi::CUPTI_ACTIVITY_ATTR_ENABLE_HES);
    if (!done) return done;
    if (options_.unified_memory) {
        if (done = count_unified_memory(*options_.unified_memory, true); !done) return done;
        counts_unified_memory_ = true;
    }
    if (options_.pc_sampling_period)
        if (done = sample_instructions_each(*options_.pc_sampling_period); !done) return done;
    if (options_.clock != nullptr && calls_.is_shared()) {
        if (done = set(abi::CUPTI_ACTIVITY_ATTR_TIMESTAMP_CALLBACK, &options_.clock, sizeof options_.clock); !done)
            return done;
    } else if (options_.clock != nullptr) {
        if (cupti().ActivityRegisterTimestampCallback == nullptr)
            return hw::unavailable_call(*machine_, "cuptiActivityRegisterTimestampCallback");
        if (auto const status = cupti().ActivityRegisterTimestampCallback(options_.clock))
            return hw::explain("cuptiActivityRegisterTimestampCallback", status);
        has_clock_ = true;
    }
    if (options_.flush_period_ms != 0) {
        if (cupti().ActivityFlushPeriod == nullptr) return hw::unavailable_call(*machine_, "cuptiActivityFlushPeriod");
        if (auto const status = cupti().ActivityFlushPeriod(options_.flush_period_ms))
            return hw::explain("cuptiActivityFlushPeriod", status);
        has_period_ = true;
    }
    if (options_.system_thread_numbers && calls_.is_shared()) {
        constexpr auto numbers = abi::CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM;
        static_cast<void>(set(abi::CUPTI_ACTIVITY_ATTR_THREAD_ID_TYPE, &numbers, sizeof numbers));
    } else if (options_.system_thread_numbers && cupti().SetThreadIdType != nullptr &&
               cupti().GetThreadIdType != nullptr) {
        abi::CUpti_ActivityThreadIdType old{};
        if (cupti().GetThreadIdType(&old) == abi::CUPTI_SUCCESS &&
            cupti().SetThreadIdType(abi::CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM) == abi::CUPTI_SUCCESS)
            old_thread_numbers_ = old;
    }
    return {};
}

// The last first.
GPUPROF_INLINE void trace_session::put_back_settings() noexcept {
    if (old_thread_numbers_) static_cast<void>(cupti().SetThreadIdType(*old_thread_numbers_));
    if (has_period_) static_cast<void>(cupti().ActivityFlushPeriod(0));
    // CUPTI does not take null back for its own clock, which on Linux is this one.
    if (has_clock_ && cupti().ActivityRegisterTimestampCallback(nullptr) != abi::CUPTI_SUCCESS)
        static_cast<void>(cupti().ActivityRegisterTimestampCallback(&platform::realtime_nanoseconds));
    if (counts_unified_memory_) static_cast<void>(count_unified_memory(*options_.unified_memory, false));
    for (; !switched_on_.empty(); switched_on_.pop_back()) static_cast<void>(switched_on_.back()(0));
    for (; !old_settings_.empty(); old_settings_.pop_back()) {
        old_setting& each = old_settings_.back();
        static_cast<void>(calls_.set(each.which, &each.size, &each.value));
    }
}

GPUPROF_INLINE trace_session::~trace_session() {
    if (port_ == nullptr) return; // it never began
    if (is_in_child()) {          // CUPTI is the parent's, and so are its recordings
        static_cast<void>(line_.release());
        return;
    }
    nodes_.reset();
    static_cast<void>(try_stop());
    static_cast<void>(try_flush(flush_mode::forced)); // CUPTI hands back what it has
    put_back_settings();
    port_->give();
}

// Records know their scopes from the first scope on: a program without scopes does not pay for records of its calls.
GPUPROF_INLINE void trace_session::tie_scopes() noexcept {
    if (hw::inside_callback()) return; // the next scope will do
    auto status = abi::CUPTI_SUCCESS;
    {
        platform::lock const held{control_};
        if (tie_.load(std::memory_order_relaxed) != 0 || !is_running_) return;
        if (cupti().ActivityPushExternalCorrelationId == nullptr || cupti().ActivityPopExternalCorrelationId == nullptr)
            status = abi::CUPTI_ERROR_NOT_SUPPORTED;
        scope_kinds.for_each([&](abi::CUpti_ActivityKind kind) {
            if (status != abi::CUPTI_SUCCESS || enabled_.has(kind) || is_call_by_call(kind)) return;
            status = calls_.enable(kind);
            if (status == abi::CUPTI_SUCCESS) enabled_.add(kind);
        });
        tie_.store(status == abi::CUPTI_SUCCESS ? 1 : -1, std::memory_order_release);
    }
#if GPUPROF_EXCEPTIONS
    try {
#endif
        if (status != abi::CUPTI_SUCCESS) {
            error why = hw::explain(
                joined({"cuptiActivityEnable", calls_.suffix(), " of external_correlation and calls"}), status);
            platform::lock const named{names_mutex};
            names_->scopes_problem = std::move(why);
        }
        watch_nodes(); // without the mutex: it may wait for callbacks, and they for the mutex
#if GPUPROF_EXCEPTIONS
    } catch (...) {} // no memory: nodes are not known
#endif
}

GPUPROF_INLINE void trace_session::watch_nodes() {
    if (cupti().GetGraphNodeId == nullptr) {
        names_->nodes.cannot(hw::unavailable_call(*machine_, "cuptiGetGraphNodeId"));
        return;
    }
    constexpr hw::callback_id ids[] = {
        {abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED},
        {abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED},
        {abi::CUPTI_CB_DOMAIN_RESOURCE, abi::CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING}};
    auto begun = hw::subscription::try_begin(*machine_, ids, &trace_session::heard, this);
    if (begun) nodes_.emplace(*std::move(begun));
    else names_->nodes.cannot(std::move(begun).error());
}

GPUPROF_INLINE void trace_session::heard(void* self, hw::callback_id id, void const* data) {
    auto& session = *static_cast<trace_session*>(self);
    if (data == nullptr || session.is_in_child()) return;
    auto const* const graph =
        static_cast<abi::CUpti_GraphData const*>(static_cast<abi::CUpti_ResourceData const*>(data)->resourceDescriptor);
    std::uint64_t node = 0;
    if (graph == nullptr || session.cupti().GetGraphNodeId(graph->node, &node) != abi::CUPTI_SUCCESS) return;
    node_scopes& nodes = session.names_->nodes;
    if (id.number == abi::CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED) {
        nodes.created(node, session.scopes_.open_here());
    } else if (id.number == abi::CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING) {
        nodes.destroyed(node);
    } else {
        std::uint64_t original = 0;
        static_cast<void>(session.cupti().GetGraphNodeId(graph->originalNode, &original));
        nodes.cloned(node, original);
    }
}

// The time that records have.
inline std::uint64_t trace_session::now() const noexcept {
    if (options_.clock != nullptr) return options_.clock();
    if (machine_->record_time != nullptr) return machine_->record_time();
    std::uint64_t time = 0;
    static_cast<void>(calls_.timestamp(&time));
    return time;
}

GPUPROF_INLINE abi::CUptiResult trace_session::push_id(abi::CUpti_ExternalCorrelationKind kind,
                                                       std::uint64_t id) noexcept {
    if (is_in_child()) return abi::CUPTI_ERROR_NOT_SUPPORTED;
    if (is_of_scopes(kind)) return abi::CUPTI_ERROR_INVALID_PARAMETER;
    if (tie_.load(std::memory_order_acquire) == 0) tie_scopes();
    if (tie_.load(std::memory_order_relaxed) != 1) return abi::CUPTI_ERROR_NOT_SUPPORTED;
    return calls_.push(kind, id);
}
GPUPROF_INLINE void trace_session::pop_id(abi::CUpti_ExternalCorrelationKind kind) noexcept {
    std::uint64_t last = 0;
    if (!is_in_child()) static_cast<void>(calls_.pop(kind, &last));
}

GPUPROF_INLINE scope_target::ticket trace_session::enter(scope_target& self, scope_name name) noexcept {
    auto& session = static_cast<trace_session&>(self);
    if (session.is_in_child()) return {0, 0};
    thread_scopes* const mine = session.scopes_.mine();
    if (mine == nullptr) {
        session.scopes_.drop();
        return {0, 0};
    }
    std::uint64_t number = 0;
#if GPUPROF_EXCEPTIONS
    try {
#endif
        number = session.names_->scopes.number_of(mine->open, {name.data, name.length()});
#if GPUPROF_EXCEPTIONS
    } catch (...) {} // no memory for one more name
#endif
    if (number == 0) {
        session.scopes_.drop();
        return {0, 0};
    }
    mine->open = number;
    if (session.tie_.load(std::memory_order_acquire) == 0) session.tie_scopes();
    bool const is_pushed = session.tie_.load(std::memory_order_relaxed) == 1 &&
                           session.calls_.push(session.options_.scope_kind, number) == abi::CUPTI_SUCCESS;
    return {session.now(), number | (is_pushed ? pushed : 0)};
}

GPUPROF_INLINE void trace_session::leave(scope_target& self, scope_name, ticket opened) noexcept {
    auto& session = static_cast<trace_session&>(self);
    if (opened.token == 0 || session.is_in_child()) return;
    std::uint64_t const end = session.now();
    std::uint64_t last = 0;
    if ((opened.token & pushed) != 0) static_cast<void>(session.calls_.pop(session.options_.scope_kind, &last));
    thread_scopes* const mine = session.scopes_.mine();
    if (mine == nullptr) return;
    std::uint64_t const number = opened.token & ~pushed;
    mine->open = session.names_->scopes.parent_of(number);
    if (mine->write({number, opened.begin, end, mine->thread_number})) session.port_->wake();
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_TRACE_SESSION_INL_HPP
