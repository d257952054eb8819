// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Backend policy for range-profiling hardware (compute capability 7.0 and later) under CUPTI 11.8 to 12.5.
#ifndef GPUPROF_HW_COUNTERS_TARGET_TARGET_HARDWARE_HPP
#define GPUPROF_HW_COUNTERS_TARGET_TARGET_HARDWARE_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../core/compute_capability.hpp"
#include "../../../core/device_source.hpp"
#include "../../../core/error.hpp"
#include "../../../core/result.hpp"
#include "../../../detail/builtin.hpp"
#include "../../abi/cupti.hpp"
#include "../../abi/nvperf_host.hpp"
#include "../../machine/device.hpp"
#include "../../machine/library_files.hpp"
#include "../../machine/lost_device.hpp"
#include "../../machine/machine.hpp"
#include "../../machine/session_registry.hpp"
#include "../../machine/status.hpp"
#include "../config_cache.hpp"
#include "../counter_availability.hpp"
#include "../range_profiler_faults.hpp"
#include "../counter_data.hpp"
#include "../counter_hardware.hpp"
#include "nvperf_library.hpp"
#include "target_calls.hpp"
#include "target_evaluator.hpp"
#include "target_host.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// CUPTI's profiling API before the range profiler, with libnvperf_host as its host library (CUPTI 12.0, 2.7 and 2.8):
// user ranges nested to any depth, or a range per kernel; replayed by the application or by CUPTI. Newer CUPTIs have these
// calls, too, up to 13.5; profiler_options::backend chooses them there.
struct target_hardware {
    static constexpr std::string_view name = "profiling API";
    static constexpr bool replays_kernels_in_scopes = false;

    [[nodiscard]] static constexpr bool supports(compute_capability capability) noexcept {
        return capability.has_range_hardware();
    }
    // Where CUPTI has these calls and no range profiler, or one that crashes, or that misses what is asked for.
    [[nodiscard]] static result<bool> wants(device const& gpu, std::span<std::string const>, range_mode ranges) {
        machine const& on = gpu.machine();
        if (missing_target_call(on.cupti) != nullptr) return false;
        if (on.cupti.RangeProfilerEnable == nullptr || why_range_profiler_crashes(on)) return true;
        return ranges == range_mode::auto_range && range_profiler_misses_kernels(gpu);
    }

    // What to count on one device, and in how many passes.
    struct plan {
        std::vector<std::string> metrics;
        target_configuration config;
        abi::nvperf_table host;
        bool cached = false;     // what the device can count was asked earlier
        std::string cache_key{}; // what forget() forgets

        [[nodiscard]] std::size_t passes() const noexcept { return config.passes(1); }
        [[nodiscard]] bool remembered() const noexcept { return cached; }
        [[nodiscard]] std::string_view hardware() const noexcept { return target_hardware::name; }
    };

    // Plans for the device at hand. Asks CUPTI what the device can count, which `cache` remembers, and libnvperf_host for
    // a configuration, anew each time. Errors: unavailable where a call or libnvperf_host is missing; permission;
    // unknown_metric; invalid_argument for an empty list.
    [[nodiscard]] static result<plan> try_plan(device const& gpu, std::span<std::string const> metrics,
                                               config_cache& cache = config_cache::shared()) {
        auto host = try_initialize(gpu);
        if (!host) return std::move(host).error();
        if (auto named = try_check_names(metrics); !named) return std::move(named).error();
        std::string const key = availability_key(gpu);
        auto known = cache.find(key);
        if (known && (known->blob.empty() || known->blob.size() > largest_availability)) known.reset();
        if (known) {
            auto made = try_plan(gpu, *host, metrics, known->blob);
            // What another process wrote may be what the library refuses: ask the device once.
            if (made || !known->from_disk || made.error().status == 0) {
                if (made) {
                    made->cached = true;
                    made->cache_key = key;
                }
                return made;
            }
        }
        auto asked = try_availability(gpu);
        if (!asked) return std::move(asked).error();
        cache.store(key, {*asked, 0});
        auto made = try_plan(gpu, *host, metrics, *asked);
        if (made) made->cache_key = key;
        return made;
    }

    // After the hardware refused a remembered plan: ask the device for the next one.
    static void forget(plan const& refused, config_cache& cache = config_cache::shared()) {
        cache.forget(refused.cache_key);
    }

    // As range_hardware's: the values of metrics in the ranges of counter data. Needs CUPTI's folder, no GPU. The library
    // does not check what it reads: data from a file is to be trusted like a program. Errors: unknown_metric with the
    // nearest names; version_mismatch for data of another CUPTI; unavailable.
    [[nodiscard]] static result<evaluated_counters> try_evaluate(machine const& here, counter_data const& kept,
                                                                 std::span<std::string const> metrics) {
        auto const host = try_nvperf_of(here);
        if (!host) return host.error();
        if (std::string const version = version_of(here.cupti); version != kept.version)
            return unreadable(kept, detail::joined({"this is CUPTI ", version}), 0);
        auto const evaluator = target_evaluator::try_open(*host, kept.chip, {}, kept.source);
        if (!evaluator) return evaluator.error();
        auto const wanted = evaluator->try_find_all(metrics);
        if (!wanted) return wanted.error();
        if (kept.image.empty()) return unreadable(kept, "it is empty", 0);
        auto const ranges = try_count_ranges(*host, kept.image);
        if (!ranges) return unreadable(kept, ranges.error().what, ranges.error().status);
        if (auto used = evaluator->try_use_device_of(kept.image); !used)
            return unreadable(kept, used.error().what, used.error().status);
        evaluated_counters made;
        made.ranges.assign(*ranges, std::vector<double>(metrics.size(), detail::quiet_nan));
        made.missing.resize(metrics.size());
        for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
            error why{errc::not_collected, 0, metrics[metric], "its counters are not in the counter data",
                      "name this metric, too, when measuring"};
            bool found = made.ranges.empty();
            for (std::string const& planned : kept.counters) found = found || planned == metrics[metric];
            for (std::size_t range = 0; range < made.ranges.size(); ++range) {
                double& value = made.ranges[range][metric];
                auto done = evaluator->try_evaluate(kept.image, range, {&(*wanted)[metric], 1}, {&value, 1});
                if (!done) {
                    value = detail::quiet_nan;
                    why.status = done.error().status;
                }
                found = found || value == value; // no NaN
            }
            if (!found) made.missing[metric] = std::move(why);
        }
        return made;
    }

    class session;

private:
    // The library is not told how long an image of what the device can count is: zeros behind it, so that a wrong one is
    // not read over its end.
    static constexpr std::size_t least_room = 65'536;

    [[nodiscard]] static result<plan> try_plan(device const& gpu, abi::nvperf_table const& host,
                                               std::span<std::string const> metrics,
                                               std::vector<std::uint8_t> availability) {
        if (availability.size() < least_room) availability.resize(least_room);
        std::vector<std::string> names{metrics.begin(), metrics.end()};
        auto config = try_configure_target(host, gpu.chip(), names, availability, gpu.source());
        if (!config) return std::move(config).error();
        return plan{std::move(names), *std::move(config), host};
    }

    // Once a process and table. cuptiProfilerInitialize is not counted against DeInitialize, so it is never undone here.
    [[nodiscard]] static result<abi::nvperf_table> try_initialize(device const& gpu) {
        machine const& on = gpu.machine();
        if (char const* const missing = missing_target_call(on.cupti)) return unavailable_call(on, missing);
        open_companion(on.cupti_library, nvperf_target_file);
        abi::CUpti_Profiler_Initialize_Params p;
        if (auto status = on.cupti.ProfilerInitialize(&p)) return explain("cuptiProfilerInitialize", status);
        if (gpu.chip().empty()) return gpu.why_no_chip();
        return try_nvperf_of(on);
    }

    [[nodiscard]] static error unreadable(counter_data const& kept, std::string_view cause, int status) {
        return {errc::version_mismatch, status,
                detail::joined({"counter data of ", kept.chip, ", CUPTI ", kept.version}), cause,
                "evaluate it by the CUPTI, or the gpuprof with the embedded GPU, that it was measured by"};
    }
};

// The profiler of one context. CUPTI's session begins with try_prepare() and ends when it is read: the calls have no
// other way to collect anew. Not thread-safe: replay passes and ranges belong to one thread.
class target_hardware::session {
public:
    // Errors: busy if this process already has a session on the context. What CUPTI says comes with try_prepare().
    [[nodiscard]] static result<session> try_open(device const& gpu, plan const& what) {
        auto lease = session_lease::try_take(gpu.context());
        if (!lease) return std::move(lease).error();
        return result<session>{session{gpu, what, *std::move(lease)}};
    }

    session(session&& other) noexcept
        : lease_{std::move(other.lease_)},
          driver_{other.driver_},
          cupti_{other.cupti_},
          plan_{std::move(other.plan_)},
          chip_{std::move(other.chip_)},
          source_{other.source_},
          shape_{other.shape_},
          counter_data_{std::move(other.counter_data_)},
          scratch_{std::move(other.scratch_)},
          stage_{std::exchange(other.stage_, stage::ended)},
          open_ranges_{std::exchange(other.open_ranges_, std::size_t{0})} {}
    session& operator=(session&&) = delete;
    ~session() { static_cast<void>(end()); } // the context may be lost: there is no more to do then

    // Makes room and begins CUPTI's session. The previous collection's values are gone then.
    [[nodiscard]] result<void> try_prepare(session_shape const& shape) {
        if (auto fits = try_check(shape); !fits) return fits;
        if (auto ended = try_end(); !ended) return ended;
        std::size_t const room = room_of(shape);
        if (auto made = try_make_images(room, shape.carried); !made) return made;

        abi::CUpti_Profiler_BeginSession_Params begin;
        begin.ctx = lease_.context();
        begin.counterDataImageSize = counter_data_.size();
        begin.pCounterDataImage = counter_data_.data();
        begin.counterDataScratchBufferSize = scratch_.size();
        begin.pCounterDataScratchBuffer = scratch_.data();
        begin.range = shape.ranges == range_mode::user_range ? abi::CUPTI_UserRange : abi::CUPTI_AutoRange;
        begin.replayMode = cupti_mode_of(shape.replay);
        begin.maxRangesPerPass = room;
        begin.maxLaunchesPerPass = room < least_launches ? least_launches : room;
        if (auto status = cupti_->ProfilerBeginSession(&begin)) return failed("cuptiProfilerBeginSession", status);
        stage_ = stage::begun;
        session_registry::note_profiled(lease_.context());

        abi::CUpti_Profiler_SetConfig_Params set;
        set.ctx = lease_.context();
        set.pConfig = plan_.config.image.data();
        set.configSize = plan_.config.image.size();
        set.minNestingLevel = 1;
        set.numNestingLevels = static_cast<std::uint16_t>(shape.nesting_levels);
        set.targetNestingLevel = 1;
        if (shape.carried != nullptr) {
            set.passIndex = shape.carried->next.pass;
            set.targetNestingLevel = static_cast<std::uint16_t>(shape.carried->next.nesting_level);
        }
        if (auto status = cupti_->ProfilerSetConfig(&set)) return failed("cuptiProfilerSetConfig", status);
        stage_ = stage::configured;
        shape_ = shape;
        shape_.carried = nullptr; // it need not live on
        return {};
    }

    // Where CUPTI replays kernels there is one replay pass, which the calls do not begin or end (CUPTI 12.0, 2.7.2.1).
    [[nodiscard]] result<void> try_begin_replay_pass() {
        if (shape_.replay != replay_mode::kernel) {
            if (auto status = on_context(cupti_->ProfilerBeginPass)) return failed("cuptiProfilerBeginPass", status);
            stage_ = stage::in_pass;
        }
        if (auto status = on_context(cupti_->ProfilerEnableProfiling))
            return failed("cuptiProfilerEnableProfiling", status);
        stage_ = stage::counting;
        return {};
    }

    // Opens a range under the one that is open. Numbers for names: CUPTI merges equal names.
    [[nodiscard]] result<void> try_push(std::uint32_t id) {
        char text[16];
        char* at = text + sizeof text - 1;
        *at = '\0';
        do *--at = static_cast<char>('0' + id % 10);
        while ((id /= 10) != 0);
        abi::CUpti_Profiler_PushRange_Params p;
        p.ctx = lease_.context();
        p.pRangeName = at;
        if (auto status = cupti_->ProfilerPushRange(&p)) [[unlikely]]
            return failed("cuptiProfilerPushRange", status);
        ++open_ranges_;
        return {};
    }
    [[nodiscard]] result<void> try_pop() {
        if (open_ranges_ > 0) --open_ranges_;
        if (auto status = on_context(cupti_->ProfilerPopRange)) [[unlikely]]
            return failed("cuptiProfilerPopRange", status);
        return {};
    }

    // Within a pass (CUPTI 12.0, 2.7.2.1: kernels are then replayed and not counted).
    [[nodiscard]] result<void> try_pause() {
        stage_ = shape_.replay != replay_mode::kernel ? stage::in_pass : stage::configured;
        if (auto status = on_context(cupti_->ProfilerDisableProfiling))
            return failed("cuptiProfilerDisableProfiling", status);
        return {};
    }
    [[nodiscard]] result<void> try_resume() {
        if (auto status = on_context(cupti_->ProfilerEnableProfiling))
            return failed("cuptiProfilerEnableProfiling", status);
        stage_ = stage::counting;
        return {};
    }

    // @pre every pushed range is popped
    [[nodiscard]] result<replay_progress> try_end_replay_pass() {
        bool const in_pass = shape_.replay != replay_mode::kernel;
        stage_ = in_pass ? stage::in_pass : stage::configured;
        if (auto status = on_context(cupti_->ProfilerDisableProfiling))
            return failed("cuptiProfilerDisableProfiling", status);
        if (!in_pass) return replay_progress{};
        stage_ = stage::configured;
        abi::CUpti_Profiler_EndPass_Params p;
        p.ctx = lease_.context();
        if (auto status = cupti_->ProfilerEndPass(&p)) return failed("cuptiProfilerEndPass", status);
        return replay_progress{p.passIndex, p.targetNestingLevel, p.allPassesSubmitted != 0};
    }

    // Every range collected so far; also worth calling after an abandoned collection: metrics whose passes are through
    // have values. Ends CUPTI's session, since its image is whole only then. Errors: not_collected where CUPTI dropped
    // ranges or what kernels counted for want of room.
    [[nodiscard]] result<std::vector<range_values>> try_read() {
        if (stage_ != stage::ended) {
            if (auto flushed = try_flush(); !flushed) return std::move(flushed).error();
            if (auto ended = try_end(); !ended) return std::move(ended).error();
        }
        auto const evaluator = target_evaluator::try_open(plan_.host, chip_, {}, source_);
        if (!evaluator) return evaluator.error();
        auto const wanted = evaluator->try_find_all(plan_.metrics);
        if (!wanted) return wanted.error();
        auto const count = try_count_ranges(plan_.host, counter_data_);
        if (!count) return count.error();
        if (auto used = evaluator->try_use_device_of(counter_data_); !used) return std::move(used).error();
        std::vector<range_values> ranges(*count);
        for (std::size_t i = 0; i < ranges.size(); ++i) {
            ranges[i].values.assign(plan_.metrics.size(), detail::quiet_nan);
            auto done = evaluator->try_evaluate(counter_data_, i, *wanted, ranges[i].values);
            if (!done) return std::move(done).error();
            ranges[i].id = static_cast<std::uint32_t>(i);
            if (shape_.ranges == range_mode::auto_range) continue;
            auto const text = try_range_name(plan_.host, counter_data_, i);
            if (!text) return text.error();
            char* end = nullptr;
            ranges[i].id = static_cast<std::uint32_t>(std::strtoul(text->c_str(), &end, 10));
            if (end == text->c_str() || *end != '\0')
                return error{errc::internal, 0, "CUPTI returned a range this session did not open: " + *text,
                             "another user of CUPTI pushed ranges on this context", "profile with one tool at a time"};
        }
        return ranges;
    }

    // @pre try_read() decoded it
    [[nodiscard]] result<counter_data> try_keep() const {
        counter_data kept{chip_, source_, version_of(*cupti_), plan_.metrics, counter_data_};
        if (shape_.replay == replay_mode::application) kept.configuration = plan_.config.image;
        return kept;
    }

private:
    // How far CUPTI's session is. Leaving a stage calls what ends it, then that of those before.
    enum class stage : unsigned char { ended, begun, configured, in_pass, counting };

    // Kernels in a pass that there is room for, where ranges are fewer. What more room costs was not measured.
    static constexpr std::size_t least_launches = 1024;
    static constexpr std::uint32_t longest_range_name = 64; // with its NUL; CUPTI names auto ranges itself

    session(device const& gpu, plan const& what, session_lease lease)
        : lease_{std::move(lease)},
          driver_{&gpu.driver()},
          cupti_{&gpu.cupti()},
          plan_{what},
          chip_{gpu.chip()},
          source_{gpu.source()} {}

    // An image for counter data, empty or as the process before left it, and the memory that CUPTI
    // needs beside it.
    [[nodiscard]] result<void> try_make_images(std::size_t room, carried_counters const* carried) {
        abi::CUpti_Profiler_CounterDataImageOptions options;
        options.pCounterDataPrefix = plan_.config.counter_data_prefix.data();
        options.counterDataPrefixSize = plan_.config.counter_data_prefix.size();
        options.maxNumRanges = static_cast<std::uint32_t>(room);
        options.maxNumRangeTreeNodes = static_cast<std::uint32_t>(room); // each node is a range here
        options.maxRangeNameLength = longest_range_name;
        abi::CUpti_Profiler_CounterDataImage_CalculateSize_Params size;
        size.pOptions = &options;
        if (auto status = cupti_->ProfilerCounterDataImageCalculateSize(&size))
            return failed("cuptiProfilerCounterDataImageCalculateSize", status);
        counter_data_.assign(size.counterDataImageSize, 0);
        abi::CUpti_Profiler_CounterDataImage_Initialize_Params clear;
        clear.pOptions = &options;
        clear.counterDataImageSize = counter_data_.size();
        clear.pCounterDataImage = counter_data_.data();
        if (auto status = cupti_->ProfilerCounterDataImageInitialize(&clear))
            return failed("cuptiProfilerCounterDataImageInitialize", status);
        if (carried != nullptr)
            if (auto taken =
                    try_take_up(*carried, chip_, version_of(*cupti_), plan_.metrics, counter_data_, plan_.config.image);
                !taken)
                return taken;
        abi::CUpti_Profiler_CounterDataImage_CalculateScratchBufferSize_Params beside;
        beside.counterDataImageSize = counter_data_.size();
        beside.pCounterDataImage = counter_data_.data();
        if (auto status = cupti_->ProfilerCounterDataImageCalculateScratchBufferSize(&beside))
            return failed("cuptiProfilerCounterDataImageCalculateScratchBufferSize", status);
        scratch_.assign(beside.counterDataScratchBufferSize, 0);
        abi::CUpti_Profiler_CounterDataImage_InitializeScratchBuffer_Params prepare;
        prepare.counterDataImageSize = counter_data_.size();
        prepare.pCounterDataImage = counter_data_.data();
        prepare.counterDataScratchBufferSize = scratch_.size();
        prepare.pCounterDataScratchBuffer = scratch_.data();
        if (auto status = cupti_->ProfilerCounterDataImageInitializeScratchBuffer(&prepare))
            return failed("cuptiProfilerCounterDataImageInitializeScratchBuffer", status);
        return {};
    }

    // Decodes what the application replayed; what CUPTI replays it decodes itself (CUPTI 12.0, 2.7.2.1).
    [[nodiscard]] result<void> try_flush() {
        if (shape_.replay == replay_mode::kernel) return {};
        abi::CUpti_Profiler_FlushCounterData_Params p;
        p.ctx = lease_.context();
        if (auto status = cupti_->ProfilerFlushCounterData(&p)) return failed("cuptiProfilerFlushCounterData", status);
        if (p.numRangesDropped == 0 && p.numTraceBytesDropped == 0) return {};
        return error{errc::not_collected, 0,
                     detail::joined({"CUPTI dropped ", std::to_string(p.numRangesDropped), " ranges and ",
                                     std::to_string(p.numTraceBytesDropped), " bytes of what kernels counted"}),
                     "there was no room for so many ranges or kernels in a pass",
                     "measure fewer kernels in a pass, or use CUPTI 12.6 or later"};
    }

    // Of several calls that end a session: the first that failed.
    struct ending {
        char const* call = "";
        abi::CUptiResult status = abi::CUPTI_SUCCESS;
        void note(char const* made, abi::CUptiResult with) noexcept {
            if (status == abi::CUPTI_SUCCESS) *this = {made, with};
        }
    };
    // Ends CUPTI's session, whatever its stage. Later calls are made also where an earlier one failed.
    ending end() noexcept {
        ending made;
        for (; open_ranges_ > 0; --open_ranges_)
            made.note("cuptiProfilerPopRange", on_context(cupti_->ProfilerPopRange));
        if (stage_ == stage::counting)
            made.note("cuptiProfilerDisableProfiling", on_context(cupti_->ProfilerDisableProfiling));
        if (stage_ >= stage::in_pass && shape_.replay != replay_mode::kernel)
            made.note("cuptiProfilerEndPass", on_context(cupti_->ProfilerEndPass));
        if (stage_ >= stage::configured) made.note("cuptiProfilerUnsetConfig", on_context(cupti_->ProfilerUnsetConfig));
        if (stage_ >= stage::begun) made.note("cuptiProfilerEndSession", on_context(cupti_->ProfilerEndSession));
        stage_ = stage::ended;
        return made;
    }
    [[nodiscard]] result<void> try_end() {
        ending const made = end();
        if (made.status != abi::CUPTI_SUCCESS) return failed(made.call, made.status);
        return {};
    }

    // Makes a call that takes nothing but the context.
    template <class Params>
    [[nodiscard]] abi::CUptiResult on_context(abi::CUptiResult (*call)(Params*)) const noexcept {
        Params p;
        p.ctx = lease_.context();
        return call(&p);
    }
    [[nodiscard]] GPUPROF_COLD error failed(std::string_view call, abi::CUptiResult status) const {
        return explain_on(*driver_, lease_.context(), call, status);
    }

    session_lease lease_; // the context's; given back last
    abi::driver_table const* driver_;
    abi::cupti_table const* cupti_;
    plan plan_; // the config image must outlive the session
    std::string chip_;
    device_source source_;
    session_shape shape_{};
    std::vector<std::uint8_t> counter_data_;
    std::vector<std::uint8_t> scratch_;
    stage stage_ = stage::ended;
    std::size_t open_ranges_ = 0;
};

static_assert(counter_hardware<target_hardware>);

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_TARGET_TARGET_HARDWARE_HPP
