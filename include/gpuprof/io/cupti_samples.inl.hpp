// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of cupti_samples.hpp.
#ifndef GPUPROF_IO_CUPTI_SAMPLES_INL_HPP
#define GPUPROF_IO_CUPTI_SAMPLES_INL_HPP

#include <cstring>
#include <optional>
#include <utility>

#include "../hw/machine/machine.hpp"
#include "../hw/machine/platform/file.hpp"
#include "../hw/machine/platform/library.hpp"
#include "../hw/machine/platform/library_file.hpp"
#include "../hw/samplers/stall_reason.hpp"
#include "cupti_samples.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A FlatBuffer that nobody has checked. What lies outside of it, or is not there, is nothing.
class flat_buffer {
public:
    using place = std::uint32_t; // from the beginning; 0 is none

    explicit flat_buffer(std::string_view bytes) noexcept : bytes_{bytes} {}

    template <class Number>
    [[nodiscard]] std::optional<Number> number(std::uint64_t at) const noexcept {
        Number value{};
        if (at > bytes_.size() || bytes_.size() - at < sizeof value) return std::nullopt;
        std::memcpy(&value, bytes_.data() + at, sizeof value); // little-endian, as the hosts of CUPTI
        return value;
    }
    // What lies at an offset that is written at a place.
    [[nodiscard]] place follow(place at) const noexcept {
        auto const offset = at != 0 ? number<std::uint32_t>(at) : std::nullopt;
        if (!offset || *offset == 0 || *offset > bytes_.size() - at) return 0;
        return at + *offset;
    }
    [[nodiscard]] place root() const noexcept {
        auto const at = number<std::uint32_t>(0);
        return at && *at < bytes_.size() ? *at : 0;
    }
    // The place of a table's field.
    [[nodiscard]] place field(place table, unsigned index) const noexcept {
        auto const back = table != 0 ? number<std::int32_t>(table) : std::nullopt;
        if (!back) return 0;
        std::int64_t const fields = std::int64_t{table} - *back;
        if (fields < 0) return 0;
        auto const size = number<std::uint16_t>(static_cast<std::uint64_t>(fields));
        unsigned const entry = 4 + 2 * index;
        if (!size || entry + 2 > *size) return 0;
        auto const offset = number<std::uint16_t>(static_cast<std::uint64_t>(fields) + entry);
        return offset && *offset != 0 && *offset < bytes_.size() - table ? table + *offset : 0;
    }
    template <class Number>
    [[nodiscard]] Number value(place table, unsigned index) const noexcept {
        place const at = field(table, index);
        return at != 0 ? number<Number>(at).value_or(Number{}) : Number{};
    }
    [[nodiscard]] place table(place of, unsigned index) const noexcept { return follow(field(of, index)); }

    struct vector {
        place first = 0;
        std::uint32_t size = 0;
    };
    // Empty unless all of it lies in the buffer.
    [[nodiscard]] std::optional<vector> elements(place at, std::size_t element) const noexcept {
        auto const size = at != 0 ? number<std::uint32_t>(at) : std::nullopt;
        if (!size || *size > (bytes_.size() - at - 4) / element) return std::nullopt;
        return vector{at + 4, *size};
    }
    [[nodiscard]] std::optional<std::string_view> text(place at) const noexcept {
        auto const characters = elements(at, 1);
        if (!characters) return std::nullopt;
        return bytes_.substr(characters->first, characters->size);
    }

private:
    std::string_view bytes_;
};

[[nodiscard]] GPUPROF_COLD inline error damaged_samples(std::string_view why) {
    return {errc::invalid_argument, 0, "a file of CUPTI's PC samples", std::string{why},
            "write it anew; a file of gpuprof's own is read by try_read_pc_samples()"};
}

// The tables' fields, by their numbers, as libpcsamplingutil of CUDA 11.8 to 13.5 writes them.
struct sample_file_fields {
    static constexpr unsigned settings = 0, settings_of = 5; // of the buffer, and one more table
    static constexpr unsigned total = 3, dropped = 4, remaining = 6, range = 7, records = 8, non_user = 9;
    static constexpr unsigned period = 0, mode = 4, reason_numbers = 7, reason_names = 8;          // of settings
    static constexpr unsigned module = 1, offset = 2, name = 4, index = 5, stalls = 6, launch = 7; // of a record
};

struct known_reason {
    std::uint32_t number;
    hw::sampled_name name;
};

// @return whether all of it lay in the buffer
[[nodiscard]] inline bool read_sample_buffer(flat_buffer const& from, std::vector<known_reason>& known,
                                             io::cupti_sample_range& to) {
    using field = sample_file_fields;
    flat_buffer::place const root = from.root();
    if (root == 0) return false;
    pc_samples& samples = to.samples;
    to.range = from.value<std::uint64_t>(root, field::range);
    samples.total = from.value<std::uint64_t>(root, field::total);
    samples.dropped = from.value<std::uint64_t>(root, field::dropped);
    samples.lost_records = from.value<std::uint64_t>(root, field::remaining);
    samples.non_user = from.value<std::uint64_t>(root, field::non_user);
    auto const settings = from.table(from.table(root, field::settings), field::settings_of);
    samples.period = from.value<std::uint32_t>(settings, field::period);
    if (from.value<std::uint8_t>(settings, field::mode) == abi::CUPTI_PC_SAMPLING_COLLECTION_MODE_KERNEL_SERIALIZED)
        samples.mode = pc_sampling_mode::kernel_serialized;
    // Names stand in one buffer of a file at least.
    auto const numbers = from.elements(from.table(settings, field::reason_numbers), 4);
    auto const names = from.elements(from.table(settings, field::reason_names), 4);
    if (numbers && names) {
        if (numbers->size != names->size) return false;
        known.clear();
        for (std::uint32_t i = 0; i < names->size; ++i) {
            auto const name = from.text(from.follow(names->first + 4 * i));
            if (!name) return false;
            known.push_back({*from.number<std::uint32_t>(numbers->first + 4 * i), hw::parse_sampled_name(*name)});
        }
    }
    auto const records = from.elements(from.table(root, field::records), 4);
    if (!records) return false;
    for (std::uint32_t i = 0; i < records->size; ++i) {
        flat_buffer::place const at = from.follow(records->first + 4 * i);
        auto const name = from.text(from.table(at, field::name));
        auto const stalls = from.elements(from.table(at, field::stalls), 8);
        if (at == 0 || !name || !stalls) return false;
        pc_record record;
        record.function = *name;
        record.module = from.value<std::uint64_t>(at, field::module);
        record.pc_offset = from.value<std::uint64_t>(at, field::offset);
        record.function_index = from.value<std::uint32_t>(at, field::index);
        if (samples.mode == pc_sampling_mode::kernel_serialized)
            record.launch = from.value<std::uint32_t>(at, field::launch);
        for (std::uint32_t s = 0; s < stalls->size; ++s) {
            auto const number = *from.number<std::uint32_t>(stalls->first + 8 * s);
            auto const count = *from.number<std::uint32_t>(stalls->first + 8 * s + 4);
            known_reason const* reason = nullptr;
            for (known_reason const& each : known)
                if (each.number == number) reason = &each;
            if (reason == nullptr) return false;
            using kind = hw::sampled_name::kind;
            if (count == 0 || reason->name.meaning == kind::samples || reason->name.meaning == kind::dropped) continue;
            std::uint16_t const own = samples.reason_of(reason->name.reason);
            stall_count* found = nullptr;
            for (stall_count& each : record.stalls)
                if (each.reason == own) found = &each;
            if (found == nullptr) found = &record.stalls.emplace_back(stall_count{own, 0, 0});
            (reason->name.meaning == kind::latency ? found->latency_samples : found->samples) += count;
        }
        if (!record.stalls.empty()) samples.add(std::move(record));
    }
    return true;
}

} // namespace detail

namespace io {

GPUPROF_INLINE result<std::vector<cupti_sample_range>> try_parse_cupti_samples(std::string_view content) {
    constexpr std::size_t head = 8, buffer_head = 32; // Header, BufferInfo of cupti_pcsampling_util.h
    gpuprof::detail::flat_buffer const file{content};
    auto const version = file.number<std::uint32_t>(0), buffers = file.number<std::uint32_t>(4);
    if (!version || !buffers) return gpuprof::detail::damaged_samples("it is cut short");
    if (*version != 1) {
        if (*version == 0 || *version > 1000) return gpuprof::detail::damaged_samples("it has another beginning");
        return error{errc::version_mismatch, 0, "a file of CUPTI's PC samples",
                     "its format is of version " + std::to_string(*version) + ", gpuprof knows version 1",
                     "use a newer gpuprof"};
    }
    std::vector<cupti_sample_range> ranges;
    std::vector<gpuprof::detail::known_reason> known;
    std::size_t at = head;
    for (std::uint32_t i = 0; i < *buffers; ++i) {
        auto const size = file.number<std::uint64_t>(at + 24); // BufferInfo::bufferByteSize
        if (!size || *size > content.size() - at - buffer_head)
            return gpuprof::detail::damaged_samples("it is cut short, or has another number of buffers than it says");
        auto const bytes = content.substr(at + buffer_head, *size);
        at += buffer_head + *size;
        cupti_sample_range one;
        if (bytes.size() < 8 || bytes.substr(4, 4) != "CUPS" ||
            !gpuprof::detail::read_sample_buffer(gpuprof::detail::flat_buffer{bytes}, known, one))
            return gpuprof::detail::damaged_samples("buffer " + std::to_string(i + 1) + " of it is damaged");
        cupti_sample_range* same = nullptr;
        for (cupti_sample_range& each : ranges)
            if (each.range == one.range) same = &each;
        if (same == nullptr) ranges.push_back(std::move(one));
        else if (auto merged = same->samples.try_merge(one.samples); !merged) return std::move(merged).error();
    }
    return result<std::vector<cupti_sample_range>>{std::move(ranges)};
}

GPUPROF_INLINE result<std::vector<cupti_sample_range>> try_read_cupti_samples(std::string const& path) {
    auto const content = platform::read_file(path);
    if (!content) return error{errc::io, 0, "read " + path, "there is no such file, or it cannot be read", ""};
    return try_parse_cupti_samples(*content);
}

GPUPROF_INLINE result<abi::pc_sampling_util_table> try_pc_sampling_util(hw::machine const& on, std::string library) {
    constexpr char const* file = "libpcsamplingutil.so";
    constexpr int first_with_launches = 23; // of cuptiGetVersion: CUDA 12.4
    if (on.cupti_library.version != 0 && on.cupti_library.version < first_with_launches)
        return error{errc::version_mismatch, 0, "writing files of CUPTI's PC samples",
                     "the library of CUDA before 12.4 takes shorter records", "use that of a later CUDA release"};
    if (library.empty()) {
        auto const& cupti = on.cupti_library.path;
        library = cupti.substr(0, platform::file_name_begin(cupti)) + file;
    }
    abi::pc_sampling_util_table calls;
    std::string why = platform::names_a_place(library) ? platform::library_defect(library) : std::string{};
    if (why.empty()) {
        auto const opened = platform::open_library(library);
        if (opened.handle == nullptr) {
            why = opened.refusal;
        } else {
#define GPUPROF_FIND_CALL(member, symbol, parameters)                                                                  \
    calls.member = reinterpret_cast<decltype(calls.member)>(platform::find_symbol(opened.handle, #symbol)); /* NOLINT */
            GPUPROF_ABI_PC_SAMPLING_UTIL(GPUPROF_FIND_CALL)
#undef GPUPROF_FIND_CALL
            if (calls.PutPcSampData != nullptr) return calls;
            why = library + " lacks CuptiUtilPutPcSampData";
        }
    }
    return error{errc::unavailable, 0,
                 "files of CUPTI's PC samples cannot be written: there is no libpcsamplingutil.so", why,
                 "put it beside libcupti, as the toolkit and the nvidia-cuda-cupti wheels have it"};
}

GPUPROF_INLINE result<void> try_append_cupti_samples(cupti_sample_range const& of, std::string const& path,
                                                     abi::pc_sampling_util_table const& by) {
    pc_samples const& samples = of.samples;
    if (by.PutPcSampData == nullptr)
        return error{errc::unavailable, 0, "CuptiUtilPutPcSampData", "the library lacks it", ""};
    if (samples.reasons.empty())
        return error{errc::invalid_argument, 0, "write " + path, "the samples have no stall reasons", ""};
    // Two numbers a reason: all samples, and latency samples.
    constexpr std::size_t room = 128;
    std::vector<std::string> texts;
    for (sampled_reason const& each : samples.reasons)
        for (char const* const suffix : {"", "_not_issued"}) {
            texts.push_back("smsp__pcsamp_warps_issue_stalled_" + each.name + suffix);
            texts.back().resize(room - 1);
        }
    std::vector<char*> names;
    std::vector<std::uint32_t> numbers;
    for (std::string& each : texts) {
        names.push_back(each.data());
        numbers.push_back(static_cast<std::uint32_t>(numbers.size()));
    }
    std::vector<abi::CUpti_PCSamplingPCData> records(samples.records.size());
    std::vector<std::vector<abi::CUpti_PCSamplingStallReason>> stalls(records.size());
    std::vector<std::string> functions(records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
        pc_record const& from = samples.records[i];
        for (stall_count const& each : from.stalls) {
            stalls[i].push_back({2u * each.reason, static_cast<std::uint32_t>(each.samples)});
            stalls[i].push_back({2u * each.reason + 1, static_cast<std::uint32_t>(each.latency_samples)});
        }
        functions[i] = from.function;
        records[i].cubinCrc = from.module;
        records[i].pcOffset = from.pc_offset;
        records[i].functionIndex = from.function_index;
        records[i].functionName = functions[i].data();
        records[i].stallReasonCount = stalls[i].size();
        records[i].stallReason = stalls[i].data();
        records[i].correlationId = from.launch;
    }
    abi::CUpti_PCSamplingData data;
    data.collectNumPcs = data.totalNumPcs = records.size();
    data.totalSamples = samples.total;
    data.droppedSamples = samples.dropped;
    data.remainingNumPcs = samples.lost_records;
    data.rangeId = of.range;
    data.pPcData = records.data();
    data.nonUsrKernelsTotalSamples = samples.non_user;
    data.hardwareBufferFull = samples.buffer_full != 0 ? 1 : 0;
    abi::CUpti_PCSamplingConfigurationInfo settings[3];
    settings[0].attributeType = abi::CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON;
    settings[0].attributeData.stallReasonData = {numbers.size(), numbers.data()};
    settings[1].attributeType = abi::CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE;
    settings[1].attributeData.collectionModeData = samples.mode == pc_sampling_mode::continuous
                                                       ? abi::CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS
                                                       : abi::CUPTI_PC_SAMPLING_COLLECTION_MODE_KERNEL_SERIALIZED;
    settings[2].attributeType = abi::CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD;
    settings[2].attributeData.samplingPeriodData = samples.period;
    abi::PcSamplingStallReasons reasons{numbers.size(), names.data(), numbers.data()};
    abi::CUptiUtil_PutPcSampDataParams p;
    p.pSamplingData = &data;
    p.numAttributes = samples.period != 0 ? 3 : 2;
    p.pPCSamplingConfigurationInfo = settings;
    p.pPcSamplingStallReasons = &reasons;
    p.fileName = path.c_str();
    if (auto const status = by.PutPcSampData(&p)) {
        bool const of_memory = status == abi::CUPTI_UTIL_ERROR_OUT_OF_MEMORY;
        return error{of_memory ? errc::internal : errc::io, static_cast<int>(status),
                     "CuptiUtilPutPcSampData of " + path, "it returned " + std::to_string(static_cast<int>(status)),
                     of_memory ? "write fewer samples" : "see whether the file can be written"};
    }
    return {};
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_CUPTI_SAMPLES_INL_HPP
