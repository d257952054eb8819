// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Backend policy for range-profiling hardware (compute capability 7.0 and later).
#ifndef GPUPROF_HW_COUNTERS_RANGE_RANGE_HARDWARE_HPP
#define GPUPROF_HW_COUNTERS_RANGE_RANGE_HARDWARE_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../core/device_source.hpp"
#include "../../../core/error.hpp"
#include "../../../core/result.hpp"
#include "../../../detail/builtin.hpp"
#include "../../abi/cupti.hpp"
#include "../config_cache.hpp"
#include "../counter_availability.hpp"
#include "../range_profiler_faults.hpp"
#include "../counter_data.hpp"
#include "../counter_hardware.hpp"
#include "../../machine/session_registry.hpp"
#include "../../machine/device.hpp"
#include "../../machine/library.hpp"
#include "../../machine/library_files.hpp"
#include "../../machine/machine.hpp"
#include "metric_host.hpp"
#include "../../machine/lost_device.hpp"
#include "../../machine/status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// CUPTI's range profiler (CUPTI 12.0, 2.7, with the simpler calls of CUPTI 12.6): user ranges
// nested to any depth, or a range per kernel; replayed by the application or by CUPTI. Replay
// passes = passes times nesting levels; CUPTI drives them.
struct range_hardware {
    static constexpr std::string_view name = "range profiler";
    static constexpr bool replays_kernels_in_scopes = false;

    [[nodiscard]] static constexpr bool supports(compute_capability capability) noexcept {
        return capability.has_range_hardware();
    }
    [[nodiscard]] static result<bool> wants(device const&, std::span<std::string const>, range_mode) { return true; }

    // What to count on one chip, and in how many passes.
    struct plan {
        std::vector<std::string> metrics;
        configuration config;
        bool cached = false;                   // the configuration was made for an earlier plan
        std::vector<std::string> cache_keys{}; // what forget() forgets

        [[nodiscard]] std::size_t passes() const noexcept { return config.passes; }
        [[nodiscard]] bool remembered() const noexcept { return cached; }
        [[nodiscard]] std::string_view hardware() const noexcept { return range_hardware::name; }
        [[nodiscard]] std::vector<char const*> names() const {
            std::vector<char const*> list;
            for (std::string const& each : metrics) list.push_back(each.c_str());
            return list;
        }
    };

    // Plans for the device at hand. Asks CUPTI what the device can count (110 ms on an H200) and
    // for a configuration (2 to 20 ms, and again where it takes several passes); both are remembered in `cache`.
    // Errors: unavailable, permission, unknown_metric, invalid_argument for an empty list.
    [[nodiscard]] static result<plan> try_plan(device const& gpu, std::span<std::string const> metrics,
                                               config_cache& cache = config_cache::shared()) {
        if (auto ready = initialize(gpu); !ready) return std::move(ready).error();
        std::string const identity = availability_key(gpu);
        auto known = cache.find(identity);
        if (known && (known->blob.empty() || known->blob.size() > largest_availability)) known.reset();
        if (known) {
            auto made = try_plan(gpu.cupti(), gpu.chip(), metrics, known->blob, cache, gpu.source());
            // What another process wrote may be what CUPTI refuses: ask the device once.
            if (made || !known->from_disk || made.error().status == 0) return remembered_as(identity, std::move(made));
        }
        auto asked = try_availability(gpu);
        if (!asked) return std::move(asked).error();
        cache.store(identity, {*asked, 0});
        auto made = try_plan(gpu.cupti(), gpu.chip(), metrics, *asked, cache, gpu.source());
        if (made) made->cache_keys.push_back(identity);
        return made;
    }

    // Plans for a chip by name, with or without a device: how many passes will this take? Where the metrics take several,
    // CUPTI plans them in both orders, and the plan of fewer passes is taken.
    [[nodiscard]] static result<plan> try_plan(abi::cupti_table const& cupti, std::string const& chip,
                                               std::span<std::string const> metrics,
                                               std::vector<std::uint8_t> const& availability = {},
                                               config_cache& cache = config_cache::shared(),
                                               device_source source = device_source::hardware) {
        if (auto named = try_check_names(metrics); !named) return std::move(named).error();
        plan made;
        std::string key =
            detail::joined({"config\n", chip, "\n", version_of(cupti), "\n",
                            std::to_string(config_cache::hash(availability.data(), availability.size())), "\n"});
        for (std::string const& each : metrics) {
            key += each;
            key += '\n';
            made.metrics.push_back(each);
        }
        made.cache_keys.push_back(key);
        if (auto known = cache.find(key);
            known && !known->blob.empty() && known->number > 0 && known->number <= most_passes) {
            made.config = {std::move(known->blob), static_cast<std::size_t>(known->number)};
            made.cached = true;
            return made;
        }
        std::vector<char const*> const names = made.names();
        auto config = try_configure(cupti, chip, names, availability, source);
        if (!config) return std::move(config).error();
        if (config->passes > 1) { // CUPTI fills passes in the order of the names: backwards there may be fewer
            auto backwards = try_configure(cupti, chip, {names.rbegin(), names.rend()}, availability, source);
            if (backwards && backwards->passes < config->passes) config = std::move(backwards);
        }
        made.config = *std::move(config);
        cache.store(key, {made.config.image, made.config.passes});
        return made;
    }

    // After the hardware refused a remembered plan: make the next one anew.
    static void forget(plan const& refused, config_cache& cache = config_cache::shared()) {
        for (std::string const& key : refused.cache_keys) cache.forget(key);
    }

    // The values of metrics in the ranges of counter data, in the order of CUPTI. Needs CUPTI, no
    // GPU. CUPTI does not check what it reads: data from a file is to be trusted like a program.
    // Errors: unknown_metric with the nearest names; version_mismatch for data of another CUPTI;
    // unavailable. Cost: 1 to 14 us a value, and CUPTI's metric data in a process's first call.
    [[nodiscard]] static result<evaluated_counters> try_evaluate(machine const& here, counter_data const& kept,
                                                                 std::span<std::string const> metrics) {
        abi::cupti_table const& cupti = here.cupti;
        open_companion(here.cupti_library, nvperf_host_file);
        auto host = metric_host::try_open(cupti, kept.chip, {}, kept.source);
        if (!host) return std::move(host).error();
        if (std::string const version = version_of(cupti); version != kept.version)
            return unreadable(kept, detail::joined({"this is CUPTI ", version}), 0);
        std::vector<char const*> names;
        for (std::string const& each : metrics) names.push_back(each.c_str());
        if (auto known = host->try_find(names); !known) return std::move(known).error();
        if (cupti.RangeProfilerGetCounterDataInfo == nullptr)
            return unavailable_call(here, "cuptiRangeProfilerGetCounterDataInfo");
        abi::CUpti_RangeProfiler_GetCounterDataInfo_Params info;
        info.pCounterDataImage = kept.image.data();
        info.counterDataImageSize = kept.image.size();
        abi::CUptiResult const status =
            kept.image.empty() ? abi::CUPTI_ERROR_INVALID_PARAMETER : cupti.RangeProfilerGetCounterDataInfo(&info);
        if (status != abi::CUPTI_SUCCESS)
            return unreadable(kept, "cuptiRangeProfilerGetCounterDataInfo refuses it", static_cast<int>(status));
        evaluated_counters made;
        made.ranges.assign(info.numTotalRanges, std::vector<double>(names.size(), detail::quiet_nan));
        made.missing.resize(names.size());
        for (std::size_t metric = 0; metric < names.size(); ++metric)
            made.missing[metric] = evaluate(*host, kept, names[metric], metric, made.ranges);
        return made;
    }

    class session;

private:
    // An object of CUPTI configures once.
    [[nodiscard]] static result<configuration> try_configure(abi::cupti_table const& cupti, std::string const& chip,
                                                             std::vector<char const*> const& names,
                                                             std::vector<std::uint8_t> const& availability,
                                                             device_source source) {
        auto host = metric_host::try_open(cupti, chip, availability, source);
        if (!host) return std::move(host).error();
        return host->try_configure(names);
    }

    // One metric of all ranges, since CUPTI need not say which of several it has no counters for.
    // The error, if no range has a value of a metric that was not planned for.
    [[nodiscard]] static std::optional<error> evaluate(metric_host const& host, counter_data const& kept,
                                                       char const* metric, std::size_t column,
                                                       std::vector<std::vector<double>>& ranges) {
        error why{errc::not_collected, 0, metric, "its counters are not in the counter data",
                  "name this metric, too, when measuring"};
        bool found = ranges.empty();
        for (std::string const& planned : kept.counters) found = found || planned == metric;
        for (std::size_t range = 0; range < ranges.size(); ++range) {
            auto value = host.try_evaluate(kept.image, range, {metric});
            if (value) {
                ranges[range][column] = value->front();
                found = found || value->front() == value->front(); // no NaN
            } else {
                why.status = value.error().status;
            }
        }
        return found ? std::nullopt : std::optional{std::move(why)};
    }
    [[nodiscard]] static error unreadable(counter_data const& kept, std::string_view cause, int status) {
        return {errc::version_mismatch, status,
                detail::joined({"counter data of ", kept.chip, ", CUPTI ", kept.version}), cause,
                "evaluate it by the CUPTI, or the gpuprof with the embedded GPU, that it was measured by"};
    }

    // Of what a file says: no list of metrics takes so many passes.
    static constexpr std::size_t most_passes = 65'535;

    [[nodiscard]] static result<plan> remembered_as(std::string const& identity, result<plan> made) {
        if (made) {
            made->cached = true;
            made->cache_keys.push_back(identity);
        }
        return made;
    }

    // Once a process and table. cuptiProfilerInitialize is not counted against DeInitialize, so it
    // is never undone here.
    [[nodiscard]] static result<void> initialize(device const& gpu) {
        abi::cupti_table const& cupti = gpu.cupti();
        if (auto crash = why_range_profiler_crashes(gpu.machine())) return *std::move(crash);
        for (auto const& [call, missing] :
             {std::pair{"cuptiProfilerInitialize", cupti.ProfilerInitialize == nullptr},
              std::pair{"cuptiProfilerHostInitialize", cupti.ProfilerHostInitialize == nullptr},
              std::pair{"cuptiRangeProfilerEnable", cupti.RangeProfilerEnable == nullptr}})
            if (missing) return unavailable_call(gpu.machine(), call);
        abi::CUpti_Profiler_Initialize_Params p;
        if (auto status = cupti.ProfilerInitialize(&p)) return explain("cuptiProfilerInitialize", status);
        if (gpu.chip().empty()) return gpu.why_no_chip();
        return {};
    }
};

// The range profiler of one context, enabled from try_open to destruction. Enabling costs
// microseconds, the first replay pass 130 ms and more, later ones 1.4 ms, disabling 10 ms (H200).
// Not thread-safe: replay passes and ranges belong to one thread.
class range_hardware::session {
public:
    // Errors: busy if this process already has a session on the context; else what CUPTI says.
    [[nodiscard]] static result<session> try_open(device const& gpu, plan const& what) {
        auto lease = session_lease::try_take(gpu.context());
        if (!lease) return std::move(lease).error();
        // Copies before it enables: when memory runs out nothing is held.
        session opened{gpu, what, *std::move(lease)};
        if (auto enabled = opened.try_enable(); !enabled) return std::move(enabled).error();
        session_registry::note_profiled(gpu.context());
        return result<session>{std::move(opened)};
    }

    session(session&& other) noexcept
        : lease_{std::move(other.lease_)},
          driver_{other.driver_},
          cupti_{other.cupti_},
          object_{std::exchange(other.object_, nullptr)},
          plan_{std::move(other.plan_)},
          chip_{std::move(other.chip_)},
          source_{other.source_},
          misses_kernels_{other.misses_kernels_},
          names_{std::move(other.names_)}, // still point into the plan's strings
          shape_{other.shape_},
          prepared_{other.prepared_},
          counter_data_{std::move(other.counter_data_)} {}
    session& operator=(session&&) = delete;
    ~session() { static_cast<void>(disable()); } // the context may be lost: there is no more to do then

    // Makes room. Called before the first replay pass of a collection; the previous collection's
    // values are gone then.
    [[nodiscard]] result<void> try_prepare(session_shape const& shape) {
        if (auto fits = try_check(shape); !fits) return fits;
        if (shape.ranges == range_mode::auto_range && misses_kernels_)
            return error{errc::version_mismatch, 0, "the range profiler of this CUPTI has no ranges of single kernels",
                         "that of CUPTI 12.6 to 12.9 ends without a range",
                         "use hw::target_hardware, which profilers choose by themselves, or CUPTI 13.0 or later"};
        std::size_t const room = room_of(shape);
        bool const same = prepared_ && shape == shape_;
        if (prepared_ && !same) { // an enabled profiler keeps the room of its first start
            prepared_ = false;
            if (auto status = disable()) return failed("cuptiRangeProfilerDisable", status);
            if (auto enabled = try_enable(); !enabled) return enabled;
        }
        if (!same) {
            abi::CUpti_RangeProfiler_GetCounterDataSize_Params size;
            size.pRangeProfilerObject = object_;
            size.pMetricNames = names_.data();
            size.numMetrics = names_.size();
            size.maxNumOfRanges = room;
            size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(room);
            if (auto status = cupti_->RangeProfilerGetCounterDataSize(&size))
                return failed("cuptiRangeProfilerGetCounterDataSize", status);
            counter_data_.assign(size.counterDataSize, 0);
        }
        abi::CUpti_RangeProfiler_CounterDataImage_Initialize_Params clear;
        clear.pRangeProfilerObject = object_;
        clear.counterDataSize = counter_data_.size();
        clear.pCounterData = counter_data_.data();
        if (auto status = cupti_->RangeProfilerCounterDataImageInitialize(&clear))
            return failed("cuptiRangeProfilerCounterDataImageInitialize", status);
        if (shape.carried != nullptr)
            if (auto taken = try_take_up(*shape.carried, chip_, version_of(*cupti_), plan_.metrics, counter_data_,
                                         plan_.config.image);
                !taken)
                return taken;

        abi::CUpti_RangeProfiler_SetConfig_Params set;
        set.pRangeProfilerObject = object_;
        set.configSize = plan_.config.image.size();
        set.pConfig = plan_.config.image.data();
        set.counterDataImageSize = counter_data_.size();
        set.pCounterDataImage = counter_data_.data();
        set.range = shape.ranges == range_mode::user_range ? abi::CUPTI_UserRange : abi::CUPTI_AutoRange;
        set.replayMode = cupti_mode_of(shape.replay);
        set.maxRangesPerPass = room;
        set.numNestingLevels = static_cast<std::uint16_t>(shape.nesting_levels);
        set.minNestingLevel = 1;
        if (shape.carried != nullptr) {
            set.passIndex = shape.carried->next.pass;
            set.targetNestingLevel = static_cast<std::uint16_t>(shape.carried->next.nesting_level);
        }
        if (auto status = cupti_->RangeProfilerSetConfig(&set)) return failed("cuptiRangeProfilerSetConfig", status);
        shape_ = shape;
        shape_.carried = nullptr; // it need not live on
        prepared_ = true;
        return {};
    }

    [[nodiscard]] result<void> try_begin_replay_pass() {
        abi::CUpti_RangeProfiler_Start_Params p;
        p.pRangeProfilerObject = object_;
        if (auto status = cupti_->RangeProfilerStart(&p)) return failed("cuptiRangeProfilerStart", status);
        return {};
    }

    // Opens a range under the one that is open. Numbers for names: CUPTI merges equal names, and
    // dies of long ones.
    [[nodiscard]] result<void> try_push(std::uint32_t id) {
        char text[16];
        char* at = text + sizeof text - 1;
        *at = '\0';
        do *--at = static_cast<char>('0' + id % 10);
        while ((id /= 10) != 0);
        abi::CUpti_RangeProfiler_PushRange_Params p;
        p.pRangeProfilerObject = object_;
        p.pRangeName = at;
        if (auto status = cupti_->RangeProfilerPushRange(&p)) [[unlikely]]
            return failed("cuptiRangeProfilerPushRange", status);
        return {};
    }
    [[nodiscard]] result<void> try_pop() {
        abi::CUpti_RangeProfiler_PopRange_Params p;
        p.pRangeProfilerObject = object_;
        if (auto status = cupti_->RangeProfilerPopRange(&p)) [[unlikely]]
            return failed("cuptiRangeProfilerPopRange", status);
        return {};
    }

    // The range profiler has no calls for it. Where CUPTI replays, a stop and a start are none: each has
    // all passes, and numbers of kernels go on. Where the application does, a stop ends the pass.
    // Errors: unavailable there.
    [[nodiscard]] result<void> try_pause() {
        if (!range_profiler_pauses(shape_.ranges, shape_.replay))
            return error{errc::unavailable, 0, "a pause between kernels that are counted one by one",
                         "the range profiler stops only at the end of a pass",
                         "use replay_mode::kernel, scopes, or profiler_options::backend = "
                         "&hw::backend<hw::target_hardware>"};
        auto stopped = try_end_replay_pass();
        if (!stopped) return std::move(stopped).error();
        return {};
    }
    [[nodiscard]] result<void> try_resume() { return try_begin_replay_pass(); }

    // @pre every pushed range is popped: CUPTI gives NaN for a range that is open when the replay
    // pass ends
    [[nodiscard]] result<replay_progress> try_end_replay_pass() {
        abi::CUpti_RangeProfiler_Stop_Params p;
        p.pRangeProfilerObject = object_;
        if (auto status = cupti_->RangeProfilerStop(&p)) return failed("cuptiRangeProfilerStop", status);
        return replay_progress{p.passIndex, p.targetNestingLevel, p.isAllPassSubmitted != 0};
    }

    // Every range collected so far; also worth calling after an abandoned collection: metrics whose
    // passes are through have values. The order is CUPTI's.
    [[nodiscard]] result<std::vector<range_values>> try_read() {
        abi::CUpti_RangeProfiler_DecodeData_Params decode;
        decode.pRangeProfilerObject = object_;
        if (auto status = cupti_->RangeProfilerDecodeData(&decode))
            return failed("cuptiRangeProfilerDecodeData", status);
        abi::CUpti_RangeProfiler_GetCounterDataInfo_Params info;
        info.pCounterDataImage = counter_data_.data();
        info.counterDataImageSize = counter_data_.size();
        if (auto status = cupti_->RangeProfilerGetCounterDataInfo(&info))
            return failed("cuptiRangeProfilerGetCounterDataInfo", status);
        auto host = metric_host::try_open(*cupti_, chip_);
        if (!host) return std::move(host).error();

        std::vector<range_values> ranges(info.numTotalRanges);
        for (std::size_t i = 0; i < ranges.size(); ++i) {
            auto values = host->try_evaluate(counter_data_, i, names_);
            if (!values) return std::move(values).error();
            ranges[i].values = *std::move(values);
            if (shape_.ranges == range_mode::auto_range) {
                ranges[i].id = static_cast<std::uint32_t>(i);
                continue;
            }
            auto path = metric_host::try_range_name(*cupti_, counter_data_, i);
            if (!path) return std::move(path).error();
            char const* const last = file_name(*path).data(); // ends where the path does
            char* end = nullptr;
            ranges[i].id = static_cast<std::uint32_t>(std::strtoul(last, &end, 10));
            if (end == last || *end != '\0')
                return error{errc::internal, 0, "CUPTI returned a range this session did not open: " + *path,
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
    session(device const& gpu, plan const& what, session_lease lease)
        : lease_{std::move(lease)},
          driver_{&gpu.driver()},
          cupti_{&gpu.cupti()},
          plan_{what},
          chip_{gpu.chip()},
          source_{gpu.source()},
          misses_kernels_{range_profiler_misses_kernels(gpu)},
          names_{plan_.names()} {}

    // Evaluating needs no configuration and no availability: a host object of its own, opened when
    // first needed.
    [[nodiscard]] result<void> try_enable() {
        abi::CUpti_RangeProfiler_Enable_Params p;
        p.ctx = lease_.context();
        if (auto status = cupti_->RangeProfilerEnable(&p)) return failed("cuptiRangeProfilerEnable", status);
        if (p.pRangeProfilerObject == nullptr)
            return error{errc::busy, 0, "the range profiler of this context is taken",
                         "another user of CUPTI in this process has it", "finish or destroy the other profiler first"};
        object_ = p.pRangeProfilerObject;
        return {};
    }
    [[nodiscard]] abi::CUptiResult disable() noexcept {
        if (object_ == nullptr) return abi::CUPTI_SUCCESS;
        abi::CUpti_RangeProfiler_Disable_Params p;
        p.pRangeProfilerObject = std::exchange(object_, nullptr);
        return cupti_->RangeProfilerDisable(&p);
    }

    [[nodiscard]] GPUPROF_COLD error failed(std::string_view call, abi::CUptiResult status) const {
        return explain_on(*driver_, lease_.context(), call, status);
    }

    session_lease lease_; // the context's; given back last
    abi::driver_table const* driver_;
    abi::cupti_table const* cupti_;
    abi::CUpti_RangeProfiler_Object* object_ = nullptr;
    plan plan_; // the config image must outlive the session
    std::string chip_;
    device_source source_;
    bool misses_kernels_;
    std::vector<char const*> names_;
    session_shape shape_{};
    bool prepared_ = false;
    std::vector<std::uint8_t> counter_data_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_RANGE_RANGE_HARDWARE_HPP
