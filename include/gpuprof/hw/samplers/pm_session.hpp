// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A session of CUPTI's PM sampling of a device.
#ifndef GPUPROF_HW_SAMPLERS_PM_SESSION_HPP
#define GPUPROF_HW_SAMPLERS_PM_SESSION_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../core/result.hpp"
#include "../abi/cupti.hpp"
#include "../machine/device.hpp"
#include "../machine/lost_device.hpp"
#include "../machine/platform/clock.hpp"
#include "../machine/status.hpp"
#include "../counters/range/metric_host.hpp"
#include "../machine/session_registry.hpp"
#include "pm_plan.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Settings of the hardware. The hardware fills the buffer and decoding empties it; decoding fills
// the image, which takes 14 KB a sample of four metrics on an H200 and has room for the samples
// between two decodings, up to a limit.
struct pm_settings {
    std::uint64_t interval = 0; // in nanoseconds, or cycles of the system clock
    bool by_cycles = false;
    std::size_t buffer_bytes = 0;
    std::uint32_t image_samples = 0; // at most
    bool keep_latest = false;        // a full buffer loses its oldest samples, not the new ones
};

// The outcome of a decoding.
struct pm_decoded {
    std::size_t samples = 0;
    bool overflowed = false; // the buffer was full: samples were lost since the last decoding
    bool more = false;       // the image was full: more samples wait
    bool cut = false;        // the image was full, and the remaining samples are lost
};

// From try_open() to its destruction only this object samples the device. CUPTI may take a second
// to set it up, mostly for the image and the buffer (H200: 1 s with 700 MB). Not thread-safe. CUPTI
// 12.6, PM sampling; guide 5.1.
class pm_session {
public:
    // Errors: busy if this process measures on the context, another tool holds the hardware, or the
    // device is sampled already; permission; unavailable if the device has no intervals of this
    // kind; else what CUPTI says.
    [[nodiscard]] static result<pm_session> try_open(device const& gpu, pm_group group, pm_settings const& settings) {
        auto lease = session_lease::try_take(gpu.context());
        if (!lease) return std::move(lease).error();
        pm_session opened{gpu, std::move(group), *std::move(lease)};
        if (auto ready = opened.try_enable(gpu, settings); !ready) return std::move(ready).error();
        return result<pm_session>{std::move(opened)};
    }

    pm_session(pm_session&& other) noexcept
        : lease_{std::move(other.lease_)},
          driver_{other.driver_},
          cupti_{other.cupti_},
          object_{std::exchange(other.object_, nullptr)},
          group_{std::move(other.group_)},
          names_{std::move(other.names_)}, // still point into the group's strings
          chip_{std::move(other.chip_)},
          host_{std::move(other.host_)},
          image_{std::move(other.image_)},
          spare_{std::move(other.spare_)},
          full_{std::move(other.full_)},
          room_{other.room_},
          most_room_{other.most_room_},
          shortest_{other.shortest_},
          decoded_at_{other.decoded_at_},
          stopped_at_{other.stopped_at_},
          values_{std::move(other.values_)},
          started_{std::exchange(other.started_, false)},
          configured_{other.configured_},
          visited_{other.visited_},
          has_room_{other.has_room_},
          is_whole_{other.is_whole_},
          torn_{other.torn_} {}
    pm_session& operator=(pm_session&&) = delete;
    ~pm_session() {
        if (object_ == nullptr) return;
        if (started_) static_cast<void>(stop());
        abi::CUpti_PmSampling_Disable_Params p;
        p.pPmSamplingObject = object_;
        static_cast<void>(cupti_->PmSamplingDisable(&p)); // the device may be lost
    }

    [[nodiscard]] pm_group const& group() const noexcept { return group_; }
    [[nodiscard]] bool started() const noexcept { return started_; }

    // Cost: 0.6 ms on an H200.
    [[nodiscard]] result<void> try_start() {
        std::uint64_t const before = platform::monotonic_nanoseconds();
        abi::CUpti_PmSampling_Start_Params p;
        p.pPmSamplingObject = object_;
        if (auto const status = cupti_->PmSamplingStart(&p)) return failed("cuptiPmSamplingStart", status);
        started_ = true;
        has_room_ = torn_ = false; // the first sample begins before the start
        decoded_at_ = before;
        return {};
    }
    // Does not wait for the device's work. Cost: 1.8 ms on an H200.
    [[nodiscard]] result<void> try_stop() {
        if (auto const status = stop()) return failed("cuptiPmSamplingStop", status);
        return {};
    }

    // Calls f(begin, end, values) for each sample since the last call, in the order of time:
    // nanoseconds of the activity records' clock, and the group's values. May be called while the
    // device samples: the unfinished sample then waits in the image for the next call (an H200
    // whose image was emptied each millisecond lost 23 % of the counts). A stopped session is
    // decoded once; samples that exceed the image are lost. Cost: 20 us a sample on an H200, and 10
    // us for its values.
    template <class F>
    [[nodiscard]] result<pm_decoded> try_decode(F&& f) {
        pm_decoded all;
        do {
            auto const some = try_decode_some(f);
            if (!some) return some.error();
            all.samples += some->samples;
            all.overflowed = all.overflowed || some->overflowed;
            all.cut = all.more && some->samples == 0 && !started_;
            all.more = some->more;
        } while (all.more);
        return all;
    }
    // The same for as many samples as the image holds, with one call to decode: for callers with
    // little time. Allocates only if there are more samples than ever before.
    template <class F>
    [[nodiscard]] result<pm_decoded> try_decode_some(F&& f) {
        if (!has_room_)
            if (auto cleared = try_clear(); !cleared) return cleared.error();
        decoded_at_ = platform::monotonic_nanoseconds();
        abi::CUpti_PmSampling_DecodeData_Params decode;
        decode.pPmSamplingObject = object_;
        decode.pCounterDataImage = image_.data();
        decode.counterDataImageSize = image_.size();
        auto const status = cupti_->PmSamplingDecodeData(&decode);
        // The header of 12.6 allows this status for an overflow; an H200 with 13.0 gave the flag
        // and success.
        bool const overflowed = decode.overflow != 0 || status == abi::CUPTI_ERROR_OUT_OF_MEMORY;
        if (status != abi::CUPTI_SUCCESS && !overflowed) return failed("cuptiPmSamplingDecodeData", status);
        auto const visited = try_visit(f);
        if (!visited) return visited.error();
        bool const full = decode.decodeStopReason == abi::CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
        // The unfinished sample is in the image and would be lost with it. So the image is emptied
        // only when there is none, or no room.
        has_room_ = !full && !is_whole_ && visited_ < room_ - room_ / 4;
        torn_ = !has_room_ && !is_whole_;
        return pm_decoded{*visited, overflowed, full && *visited != 0 && status == abi::CUPTI_SUCCESS, false};
    }

    // An image beside the one that decoding fills. Emptying an image takes an H200 10 us a sample
    // in it; with a second, empty image try_decode_some() continues at once. @pre none of
    // try_decode…() runs
    using image = std::vector<std::uint8_t>;
    void give(image empty) noexcept { spare_ = std::move(empty); }
    // The full image, to be emptied; none if there is none.
    [[nodiscard]] std::optional<image> take_full() noexcept { return std::exchange(full_, std::nullopt); }
    // Creates a second, empty image. @pre it was decoded once, with room for as many samples as
    // there may be
    [[nodiscard]] result<image> try_make_image() const {
        image spare(image_.size());
        if (auto emptied = try_empty(spare); !emptied) return std::move(emptied).error();
        return spare;
    }
    // Empties an image. Other threads may call other functions meanwhile.
    [[nodiscard]] result<void> try_empty(image& full) const {
        abi::CUpti_PmSampling_CounterDataImage_Initialize_Params clear;
        clear.pPmSamplingObject = object_;
        clear.counterDataSize = full.size();
        clear.pCounterData = full.data();
        if (auto const status = cupti_->PmSamplingCounterDataImageInitialize(&clear))
            return failed("cuptiPmSamplingCounterDataImageInitialize", status);
        return {};
    }

private:
    // So that fewer than 1 in 1,000 are torn: see pm_options::lost_while_running().
    static constexpr std::uint64_t least_running_room = 2048;

    pm_session(device const& gpu, pm_group group, session_lease lease)
        : lease_{std::move(lease)},
          driver_{&gpu.driver()},
          cupti_{&gpu.cupti()},
          group_{std::move(group)},
          names_{group_.names()},
          chip_{gpu.chip()},
          values_(names_.size()) {}

    [[nodiscard]] result<void> try_enable(device const& gpu, pm_settings const& settings) {
        auto host = metric_host::try_open(*cupti_, chip_, {}, gpu.source(), abi::CUPTI_PROFILER_TYPE_PM_SAMPLING);
        if (!host) return std::move(host).error();
        host_.emplace(*std::move(host));
        abi::CUpti_PmSampling_Enable_Params enable;
        enable.deviceIndex = static_cast<std::size_t>(gpu.ordinal());
        if (auto const status = cupti_->PmSamplingEnable(&enable)) {
            error why = failed("cuptiPmSamplingEnable", status);
            if (status == abi::CUPTI_ERROR_INVALID_OPERATION) {
                why.code = errc::busy;
                why.cause = "the device is sampled already, by another user of CUPTI in this process";
                why.remedy = "end the other sampler first";
            }
            return why;
        }
        if (enable.pPmSamplingObject == nullptr)
            return error{errc::busy, 0, "the samples of this device are taken",
                         "another user of CUPTI in this process has them", "end the other sampler first"};
        object_ = enable.pPmSamplingObject;

        abi::CUpti_PmSampling_SetConfig_Params set;
        set.pPmSamplingObject = object_;
        // CUPTI 12.6 cannot choose what a full buffer loses.
        std::uint32_t version = 0;
        if (cupti_->GetVersion != nullptr && cupti_->GetVersion(&version) == abi::CUPTI_SUCCESS && version < 28)
            set.structSize = offsetof(abi::CUpti_PmSampling_SetConfig_Params, hwBufferAppendMode);
        set.configSize = group_.config_image.size();
        set.pConfig = group_.config_image.data();
        set.hardwareBufferSize = settings.buffer_bytes;
        set.samplingInterval = settings.interval;
        set.triggerMode = settings.by_cycles ? abi::CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL
                                             : abi::CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL;
        set.hwBufferAppendMode = settings.keep_latest ? abi::CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_LATEST
                                                      : abi::CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST;
        if (auto const status = cupti_->PmSamplingSetConfig(&set)) {
            error why = failed("cuptiPmSamplingSetConfig", status);
            if (status == abi::CUPTI_ERROR_NOT_SUPPORTED) {
                why.cause = "this chip samples by cycles only (Turing, GA100), or loses no oldest samples (Turing)";
                why.remedy = "give the interval in cycles; keep the oldest samples";
            }
            return why;
        }
        // At 3 GHz, which no clock exceeds.
        shortest_ = settings.by_cycles ? settings.interval / 3 + 1 : settings.interval;
        most_room_ = settings.image_samples;
        return {};
    }

    // Empties the image and sizes it for the samples since the last decoding; larger for a running
    // session, whose image is emptied as late as possible.
    [[nodiscard]] result<void> try_clear() {
        if (spare_ && room_ == most_room_) {
            full_ = std::exchange(image_, *std::exchange(spare_, std::nullopt));
            visited_ = 0;
            has_room_ = true;
            return {};
        }
        std::uint64_t const until = started_ ? platform::monotonic_nanoseconds() : stopped_at_;
        std::uint64_t samples = (until - decoded_at_) / shortest_ + 64;
        if (started_) samples = samples * 4 < least_running_room ? least_running_room : samples * 4;
        if (auto room = try_make_room(samples < most_room_ ? static_cast<std::uint32_t>(samples) : most_room_); !room)
            return room;
        if (auto emptied = try_empty(image_); !emptied) return emptied;
        visited_ = 0;
        has_room_ = true;
        return {};
    }
    [[nodiscard]] result<void> try_make_room(std::uint32_t samples) {
        if (samples <= room_) return {};
        abi::CUpti_PmSampling_GetCounterDataSize_Params size;
        size.pPmSamplingObject = object_;
        size.pMetricNames = names_.data();
        size.numMetrics = names_.size();
        size.maxSamples = samples;
        if (auto const status = cupti_->PmSamplingGetCounterDataSize(&size))
            return failed("cuptiPmSamplingGetCounterDataSize", status);
        image_.assign(size.counterDataSize, 0);
        room_ = samples;
        return {};
    }

    // Visits the complete samples of the image that were not visited yet.
    template <class F>
    [[nodiscard]] result<std::size_t> try_visit(F& f) {
        abi::CUpti_PmSampling_GetCounterDataInfo_Params info;
        info.pCounterDataImage = image_.data();
        info.counterDataImageSize = image_.size();
        if (auto const status = cupti_->PmSamplingGetCounterDataInfo(&info))
            return failed("cuptiPmSamplingGetCounterDataInfo", status);
        is_whole_ = info.numPopulatedSamples == info.numCompletedSamples;
        std::size_t const before = visited_;
        for (; visited_ < info.numCompletedSamples; ++visited_) {
            abi::CUpti_PmSampling_CounterData_GetSampleInfo_Params when;
            when.pPmSamplingObject = object_;
            when.pCounterDataImage = image_.data();
            when.counterDataImageSize = image_.size();
            when.sampleIndex = visited_;
            if (auto const status = cupti_->PmSamplingCounterDataGetSampleInfo(&when))
                return failed("cuptiPmSamplingCounterDataGetSampleInfo", status);
            if (std::exchange(torn_, false)) continue; // its first part was in the previous image
            auto done = host_->try_evaluate(image_, visited_, names_, values_);
            if (!done && !configured_) { // no document says that this is unnecessary
                configured_ = true;
                if (host_->try_configure(names_)) done = host_->try_evaluate(image_, visited_, names_, values_);
            }
            if (!done) return done.error();
            f(when.startTimestamp, when.endTimestamp, std::span<double const>{values_});
        }
        return visited_ - before;
    }

    [[nodiscard]] abi::CUptiResult stop() noexcept {
        abi::CUpti_PmSampling_Stop_Params p;
        p.pPmSamplingObject = object_;
        started_ = false;
        auto const status = cupti_->PmSamplingStop(&p);
        stopped_at_ = platform::monotonic_nanoseconds();
        return status;
    }
    [[nodiscard]] GPUPROF_COLD error failed(std::string_view call, abi::CUptiResult status) const {
        return explain_on(*driver_, lease_.context(), call, status);
    }

    session_lease lease_; // first, so that it is given back last
    abi::driver_table const* driver_;
    abi::cupti_table const* cupti_;
    abi::CUpti_PmSampling_Object* object_ = nullptr;
    pm_group group_; // its configuration must outlive the object
    std::vector<char const*> names_;
    std::string chip_;
    std::optional<metric_host> host_;
    image image_;
    std::optional<image> spare_{}, full_{};
    std::uint32_t room_ = 0; // in samples
    std::uint32_t most_room_ = 0;
    std::uint64_t shortest_ = 1;                    // a sample, in nanoseconds
    std::uint64_t decoded_at_ = 0, stopped_at_ = 0; // by the host's clock
    std::vector<double> values_;                    // of the current sample
    bool started_ = false;
    bool configured_ = false; // of the host object
    std::size_t visited_ = 0; // samples of the image
    bool has_room_ = false;   // the image can take more samples as it is
    bool is_whole_ = true;    // the image has no unfinished sample
    bool torn_ = false;       // the next sample's first part was in the previous image
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SAMPLERS_PM_SESSION_HPP
