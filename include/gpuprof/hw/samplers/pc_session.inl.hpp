// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of pc_session.hpp.
#ifndef GPUPROF_HW_SAMPLERS_PC_SESSION_INL_HPP
#define GPUPROF_HW_SAMPLERS_PC_SESSION_INL_HPP

#include <algorithm>
#include <string>

#include "../../core/compute_capability_text.hpp"
#include "../machine/lost_device.hpp"
#include "../machine/machine.hpp"
#include "../machine/output_fields.hpp"
#include "../machine/status.hpp"
#include "pc_samples.hpp"
#include "pc_session.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// The attribute's name for errors: "the sampling period".
[[nodiscard]] constexpr std::string_view pc_attribute(abi::CUpti_PCSamplingConfigurationAttributeType which) noexcept {
    switch (which) {
        case abi::CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD: return "the sampling period";
        case abi::CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON: return "the stall reasons";
        case abi::CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SCRATCH_BUFFER_SIZE: return "the scratch buffer";
        case abi::CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE: return "the hardware buffer";
        case abi::CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE: return "the mode";
        case abi::CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL: return "ranges";
        case abi::CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_OUTPUT_DATA_FORMAT: return "the format";
        case abi::CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER: return "the data buffer";
        case abi::CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_WORKER_THREAD_PERIODIC_SLEEP_SPAN:
            return "the sleep of worker threads";
        case abi::CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_INVALID: break;
    }
    return "an attribute";
}

GPUPROF_INLINE void describe_output(hw::output_fields& fields, pc_samples& samples) {
    fields.list("records", samples.records, [&](pc_record& each) {
        fields.text("function", each.function);
        fields.whole("module", each.module);
        fields.whole("function_index", each.function_index);
        fields.whole("pc_offset", each.pc_offset);
        fields.whole("launch", each.launch);
        fields.list("stalls", each.stalls, [&](stall_count& stall) {
            fields.whole("reason", stall.reason);
            fields.whole("samples", stall.samples);
            fields.whole("latency_samples", stall.latency_samples);
            fields.check(stall.reason < samples.reasons.size(), "samples have a reason that the chip lacks");
        });
    });
    fields.whole("total", samples.total);
    fields.whole("dropped", samples.dropped);
    fields.whole("non_user", samples.non_user);
    fields.whole("unnamed", samples.unnamed);
    fields.whole("buffer_full", samples.buffer_full);
    fields.whole("lost_records", samples.lost_records);
    fields.wholes("ranges", samples.ranges);
}
GPUPROF_INLINE void describe_output(hw::output_fields& fields, pc_sampling_configuration& configuration,
                                    std::vector<sampled_reason>& reasons) {
    // 0 for what CUPTI did not say.
    auto const whole = [&](std::string_view name, auto& of) {
        auto value = of.value_or(0);
        fields.whole(name, value);
        if (value != 0) of = value;
    };
    whole("period", configuration.period);
    whole("scratch_bytes", configuration.scratch_bytes);
    whole("hardware_bytes", configuration.hardware_bytes);
    whole("worker_milliseconds", configuration.worker_milliseconds);
    fields.list("reasons", reasons, [&](sampled_reason& each) {
        fields.text("name", each.name);
        fields.choice("reason", each.reason, stall_reason::unknown);
    });
}

} // namespace detail

namespace hw {

GPUPROF_INLINE error pc_session::failed(std::string_view call, abi::CUptiResult status) const {
    return explain_on(*driver_, lease_.context(), call, status);
}

GPUPROF_INLINE result<void> pc_session::check(device const& gpu, pc_sampling_options const& options) {
    abi::cupti_table const& cupti = gpu.cupti();
    for (auto const& [call, missing] :
         {std::pair{"cuptiPCSamplingEnable", cupti.PCSamplingEnable == nullptr},
          std::pair{"cuptiPCSamplingDisable", cupti.PCSamplingDisable == nullptr},
          std::pair{"cuptiPCSamplingStart", options.ranges && cupti.PCSamplingStart == nullptr},
          std::pair{"cuptiPCSamplingStop", options.ranges && cupti.PCSamplingStop == nullptr},
          std::pair{"cuptiPCSamplingGetData", cupti.PCSamplingGetData == nullptr},
          std::pair{"cuptiPCSamplingSetConfigurationAttribute", cupti.PCSamplingSetConfigurationAttribute == nullptr},
          std::pair{"cuptiPCSamplingGetNumStallReasons", cupti.PCSamplingGetNumStallReasons == nullptr},
          std::pair{"cuptiPCSamplingGetStallReasons", cupti.PCSamplingGetStallReasons == nullptr}})
        if (missing) return unavailable_call(gpu.machine(), call);
    if (options.mode == pc_sampling_mode::kernel_serialized && !pc_layout::of(cupti).has_launches())
        return error{errc::version_mismatch, 0, "serialised samples by this CUPTI",
                     "samples name their launch from CUPTI 12.4 on",
                     "sample continuously, or name a newer CUPTI in GPUPROF_CUPTI_PATH"};
    if (gpu.capability() < compute_capability{7, 0})
        return error{errc::unavailable, 0,
                     gpuprof::detail::joined(
                         {"sampling instructions on ", gpu.name(), ", capability ", capability_text(gpu.capability())}),
                     "PC sampling came with capability 7.0", "sample on a later GPU"};
    if (options.period && (*options.period < options.shortest_period || *options.period > options.longest_period))
        return error{errc::invalid_argument, 0,
                     gpuprof::detail::joined({"a sampling period of 2 to the power ", std::to_string(*options.period)}),
                     "CUPTI takes 5 to 31", "leave the period to CUPTI, or choose one of these"};
    if (options.records_a_fetch == 0)
        return error{errc::invalid_argument, 0, "room for no record", "records_a_fetch is 0", "make it 1 or more"};
    return {};
}

GPUPROF_INLINE result<pc_session> pc_session::try_open(device const& gpu, pc_sampling_options const& options) {
    if (auto fits = check(gpu, options); !fits) return std::move(fits).error();
    auto lease = session_lease::try_take(gpu.context());
    if (!lease) return std::move(lease).error();
    pc_session opened{gpu, options, *std::move(lease)};
    if (auto enabled = opened.try_enable(); !enabled) return std::move(enabled).error();
    if (auto read = opened.try_read_reasons(); !read) return std::move(read).error();
    std::size_t const numbers = opened.names_.size();
    auto const layout = pc_layout::of(*opened.cupti_);
    opened.fetched_ = std::make_unique<pc_buffer>(options.records_a_fetch, numbers, layout);
    opened.last_ = std::make_unique<pc_buffer>(options.records_a_fetch, numbers, layout);
    if (auto set = opened.try_configure(); !set) return std::move(set).error();
    opened.read_configuration();
    opened.profiled_before_ = session_registry::was_profiled(gpu.context());
    return result<pc_session>{std::move(opened)};
}

GPUPROF_INLINE result<void> pc_session::try_enable() {
    abi::CUpti_PCSamplingEnableParams p;
    p.ctx = lease_.context();
    if (auto const status = cupti_->PCSamplingEnable(&p)) return failed("cuptiPCSamplingEnable", status);
    enabled_ = true;
    return {};
}

GPUPROF_INLINE result<void> pc_session::try_read_reasons() {
    std::size_t count = 0;
    abi::CUpti_PCSamplingGetNumStallReasonsParams number;
    number.ctx = lease_.context();
    number.numStallReasons = &count;
    if (auto const status = cupti_->PCSamplingGetNumStallReasons(&number))
        return failed("cuptiPCSamplingGetNumStallReasons", status);
    std::vector<std::uint32_t> numbers(count);
    std::vector<char> texts(count * abi::cupti_stall_reason_bytes);
    std::vector<char*> places;
    for (std::size_t i = 0; i < count; ++i) places.push_back(texts.data() + i * abi::cupti_stall_reason_bytes);
    abi::CUpti_PCSamplingGetStallReasonsParams list;
    list.ctx = lease_.context();
    list.numStallReasons = count;
    list.stallReasonIndex = numbers.data();
    list.stallReasons = places.data();
    if (auto const status = cupti_->PCSamplingGetStallReasons(&list))
        return failed("cuptiPCSamplingGetStallReasons", status);
    std::vector<sampled_reason> found;
    std::vector<std::pair<std::uint32_t, std::string_view>> in_order;
    for (std::size_t i = 0; i < count; ++i) {
        places[i][abi::cupti_stall_reason_bytes - 1] = '\0';
        in_order.emplace_back(numbers[i], places[i]);
    }
    std::sort(in_order.begin(), in_order.end());
    for (auto const& [index, text] : in_order) {
        sampled_name const parsed = parse_sampled_name(text);
        numbered_name entry{index, parsed.meaning, 0};
        if (parsed.meaning != sampled_name::kind::samples && parsed.meaning != sampled_name::kind::dropped) {
            auto const known = std::find_if(found.begin(), found.end(),
                                            [&](sampled_reason const& each) { return each.name == parsed.reason; });
            entry.reason = static_cast<std::uint16_t>(known - found.begin());
            if (known == found.end()) found.push_back({std::string{parsed.reason}, find_stall_reason(parsed.reason)});
        }
        names_.push_back(entry);
    }
    chip_reasons_ = std::move(found);
    return {};
}

GPUPROF_INLINE result<void> pc_session::try_configure() {
    using namespace abi;
    pc_sampling_options const defaults;
    std::vector<CUpti_PCSamplingConfigurationInfo> attributes;
    auto const add = [&](CUpti_PCSamplingConfigurationAttributeType type) -> pc_sampling_attribute& {
        attributes.emplace_back().attributeType = type;
        return attributes.back().attributeData;
    };
    add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE).collectionModeData =
        options_.mode == pc_sampling_mode::continuous ? CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS
                                                      : CUPTI_PC_SAMPLING_COLLECTION_MODE_KERNEL_SERIALIZED;
    if (options_.period)
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD).samplingPeriodData = *options_.period;
    std::vector<std::uint32_t> chosen;
    for (stall_reason const asked : options_.reasons) {
        std::size_t const before = chosen.size();
        for (numbered_name const& each : names_)
            if ((each.kind == sampled_name::kind::stalled || each.kind == sampled_name::kind::latency) &&
                chip_reasons_[each.reason].reason == asked)
                chosen.push_back(each.number);
        if (chosen.size() == before)
            return error{errc::invalid_argument, 0,
                         gpuprof::detail::joined({"sampling the stall reason ", gpuprof::name(asked)}),
                         "this chip does not have it", "leave the list empty for all that it has"};
    }
    if (!chosen.empty())
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON).stallReasonData = {chosen.size(), chosen.data()};
    if (options_.scratch_bytes != defaults.scratch_bytes)
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SCRATCH_BUFFER_SIZE).scratchBufferSizeData =
            options_.scratch_bytes;
    if (options_.hardware_bytes != defaults.hardware_bytes)
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE).hardwareBufferSizeData =
            options_.hardware_bytes;
    if (options_.ranges)
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL).enableStartStopControlData = 1;
    if (options_.worker_milliseconds != defaults.worker_milliseconds)
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_WORKER_THREAD_PERIODIC_SLEEP_SPAN)
            .workerThreadPeriodicSleepSpanData = options_.worker_milliseconds;
    add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_OUTPUT_DATA_FORMAT).outputDataFormatData =
        CUPTI_PC_SAMPLING_OUTPUT_DATA_FORMAT_PARSED;
    add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER).samplingDataBufferData = &last_->data();

    CUpti_PCSamplingConfigurationInfoParams set;
    set.ctx = lease_.context();
    set.numAttributes = attributes.size();
    set.pPCSamplingConfigurationInfo = attributes.data();
    CUptiResult const status = cupti_->PCSamplingSetConfigurationAttribute(&set);
    for (CUpti_PCSamplingConfigurationInfo const& each : attributes)
        if (each.attributeStatus != CUPTI_SUCCESS) {
            error why = failed("cuptiPCSamplingSetConfigurationAttribute", each.attributeStatus);
            why.what += " for " + std::string{gpuprof::detail::pc_attribute(each.attributeType)};
            return why;
        }
    if (status != CUPTI_SUCCESS) return failed("cuptiPCSamplingSetConfigurationAttribute", status);
    return {};
}

// One attribute at a time, so that a CUPTI that does not know one answers for the others.
GPUPROF_INLINE void pc_session::read_configuration() {
    using namespace abi;
    configuration_.period = options_.period;
    if (cupti_->PCSamplingGetConfigurationAttribute == nullptr) return;
    auto const read = [&](CUpti_PCSamplingConfigurationAttributeType type, auto use) {
        CUpti_PCSamplingConfigurationInfo attribute;
        attribute.attributeType = type;
        CUpti_PCSamplingConfigurationInfoParams get;
        get.ctx = lease_.context();
        get.numAttributes = 1;
        get.pPCSamplingConfigurationInfo = &attribute;
        if (cupti_->PCSamplingGetConfigurationAttribute(&get) == CUPTI_SUCCESS &&
            attribute.attributeStatus == CUPTI_SUCCESS)
            use(attribute.attributeData);
    };
    read(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD,
         [&](pc_sampling_attribute const& got) { configuration_.period = got.samplingPeriodData; });
    read(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SCRATCH_BUFFER_SIZE,
         [&](pc_sampling_attribute const& got) { configuration_.scratch_bytes = got.scratchBufferSizeData; });
    read(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE,
         [&](pc_sampling_attribute const& got) { configuration_.hardware_bytes = got.hardwareBufferSizeData; });
    read(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_WORKER_THREAD_PERIODIC_SLEEP_SPAN,
         [&](pc_sampling_attribute const& got) {
             configuration_.worker_milliseconds = got.workerThreadPeriodicSleepSpanData;
         });
}

GPUPROF_INLINE result<void> pc_session::try_start() {
    if (!enabled_ || !options_.ranges || started_)
        return error{errc::invalid_state, 0, "starting a range of samples",
                     !enabled_         ? "sampling has ended"
                     : options_.ranges ? "a range is open"
                                       : "sampling is on from beginning to end",
                     "open the sampler with ranges on, and stop one range before the next"};
    abi::CUpti_PCSamplingStartParams p;
    p.ctx = lease_.context();
    if (auto const status = cupti_->PCSamplingStart(&p)) return failed("cuptiPCSamplingStart", status);
    started_ = true;
    return {};
}

GPUPROF_INLINE result<void> pc_session::try_stop() {
    if (!started_)
        return error{errc::invalid_state, 0, "stopping a range of samples", "none is open", "start one first"};
    abi::CUpti_PCSamplingStopParams p;
    p.ctx = lease_.context();
    if (auto const status = cupti_->PCSamplingStop(&p)) return failed("cuptiPCSamplingStop", status);
    started_ = false;
    return {};
}

GPUPROF_INLINE result<void> pc_session::try_take(pc_samples& collected) {
    if (!enabled_)
        return error{errc::invalid_state, 0, "fetching samples", "sampling has ended", "fetch before the end"};
    if (last_->data().totalNumPcs != 0 || last_->data().totalSamples != 0) { // CUPTI fills it when modules change
        append(*last_, collected);
        last_->clear();
    }
    abi::CUpti_PCSamplingGetDataParams get;
    get.ctx = lease_.context();
    get.pcSamplingData = &fetched_->data();
    for (;;) {
        fetched_->clear();
        auto const status = cupti_->PCSamplingGetData(&get);
        bool const full = fetched_->data().hardwareBufferFull != 0;
        if (status != abi::CUPTI_SUCCESS && !(status == abi::CUPTI_ERROR_OUT_OF_MEMORY && full))
            return failed("cuptiPCSamplingGetData", status);
        append(*fetched_, collected);
        // Do not ask for ever a CUPTI that returns nothing and says that there is more.
        if (fetched_->data().remainingNumPcs == 0 || fetched_->data().totalNumPcs == 0 || full) return {};
    }
}

GPUPROF_INLINE result<void> pc_session::try_close(pc_samples& collected) {
    if (started_)
        if (auto stopped = try_stop(); !stopped) return stopped;
    if (auto taken = try_take(collected); !taken) return taken;
    if (auto const status = disable()) return failed("cuptiPCSamplingDisable", status);
    append(*last_, collected);
    collected.lost_records += last_->data().remainingNumPcs;
    last_->clear();
    return {};
}

GPUPROF_INLINE void pc_session::append(pc_buffer const& from, pc_samples& collected) {
    abi::CUpti_PCSamplingData const& data = from.data();
    collected.total += data.totalSamples;
    collected.dropped += data.droppedSamples;
    collected.non_user += data.nonUsrKernelsTotalSamples;
    if (profiled_before_) collected.unnamed += data.nonUsrKernelsTotalSamples;
    collected.buffer_full += data.hardwareBufferFull != 0 ? 1 : 0;
    if (options_.ranges && data.totalSamples != 0 &&
        std::find(collected.ranges.begin(), collected.ranges.end(), data.rangeId) == collected.ranges.end())
        collected.ranges.push_back(data.rangeId);
    std::vector<std::uint16_t> here;
    for (sampled_reason const& each : chip_reasons_) here.push_back(collected.reason_of(each.name));
    for (std::size_t i = 0; i < data.totalNumPcs && i < data.collectNumPcs; ++i) {
        abi::CUpti_PCSamplingPCData const given = from.record(i);
        pc_record record;
        record.function = given.functionName == nullptr ? "" : given.functionName;
        record.module = given.cubinCrc;
        record.pc_offset = given.pcOffset;
        record.function_index = given.functionIndex;
        record.launch = options_.mode == pc_sampling_mode::kernel_serialized ? given.correlationId : 0;
        for (std::size_t s = 0; s < from.stalls(given); ++s) {
            auto const& [number, samples] = given.stallReason[s];
            auto const name = std::find_if(names_.begin(), names_.end(),
                                           [n = number](numbered_name const& each) { return each.number == n; });
            if (name == names_.end() || samples == 0 || name->kind == sampled_name::kind::samples ||
                name->kind == sampled_name::kind::dropped)
                continue;
            std::uint16_t const reason = here[name->reason];
            auto at = std::find_if(record.stalls.begin(), record.stalls.end(),
                                   [&](stall_count const& each) { return each.reason == reason; });
            if (at == record.stalls.end()) at = record.stalls.insert(at, {reason, 0, 0});
            (name->kind == sampled_name::kind::latency ? at->latency_samples : at->samples) += samples;
        }
        if (!record.stalls.empty()) collected.add(std::move(record));
    }
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SAMPLERS_PC_SESSION_INL_HPP
