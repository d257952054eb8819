// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records decoded from bytes that the test writes, at places that stand in the test: those of CUPTI's structures Kernel7 to
// Kernel13, Memcpy5, Memcpy6 and NvLink. tests/abi/activity.py does the same for every kind with CUPTI's own headers.
#include <gpuprof/hw/activity/record.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <type_traits>
#include <variant>

namespace record_test {

using namespace gpuprof::activity;
namespace abi = gpuprof::abi;

namespace {

// Bytes of a record on the heap, exactly as many as asked for, so that a sanitizer sees what is read beyond.
class written {
public:
    written(std::size_t size, unsigned kind) : size_{size}, bytes_{new char[size]{}} { put(0, kind); }
    template <class T>
    written& put(std::size_t offset, T value) {
        if (offset + sizeof value <= size_) std::memcpy(bytes_.get() + offset, &value, sizeof value);
        return *this;
    }
    record decoded(cuda_release of) const { return decoded(of, size_); }
    record decoded(cuda_release of, std::size_t readable) const {
        return decode(of, reinterpret_cast<abi::CUpti_Activity const*>(bytes_.get()), readable);
    }

private:
    std::size_t size_;
    std::unique_ptr<char[]> bytes_;
};

constexpr char name[] = "_Z5saxpyfPfS_";

written kernel_bytes(std::size_t size) {
    written bytes{size, 10};
    bytes.put<std::uint16_t>(6, 32).put<std::uint8_t>(4, 0x21).put<std::uint8_t>(5, 2);
    bytes.put<std::uint64_t>(16, 1'763'790'000'000'000'001).put<std::uint64_t>(24, 1'763'790'000'000'001'501);
    bytes.put<std::uint32_t>(40, 1).put<std::uint32_t>(44, 2).put<std::uint32_t>(48, 13);
    bytes.put<std::int32_t>(52, 1024).put<std::int32_t>(56, 3).put<std::int32_t>(60, 1);
    bytes.put<std::int32_t>(64, 256).put<std::int32_t>(68, 1).put<std::int32_t>(72, 1);
    bytes.put<std::int32_t>(76, 512).put<std::int32_t>(80, 4096);
    bytes.put<std::uint32_t>(88, 77).put<std::uint32_t>(92, 4711).put<std::int64_t>(96, -5).put(104, &name[0]);
    bytes.put<std::uint8_t>(136, 1).put<std::uint64_t>(144, 901).put<std::uint32_t>(156, 9);
    bytes.put<std::uint32_t>(168, 8).put<std::uint32_t>(172, 1);
    bytes.put<std::uint32_t>(176, 2).put<std::uint32_t>(180, 1).put<std::uint32_t>(184, 1).put<std::uint32_t>(188, 2);
    bytes.put<std::uint64_t>(192, 1ull << 33).put<std::uint32_t>(200, 8).put<std::uint32_t>(204, 66);
    bytes.put<std::uint8_t>(208, 1).put<std::int32_t>(216, -3).put<std::uint32_t>(224, 2);
    bytes.put<std::uint32_t>(232, 4).put<std::uint64_t>(240, 902);
    return bytes;
}

template <class Type>
Type const& as(record const& any) {
    REQUIRE(std::holds_alternative<Type>(any));
    return *std::get_if<Type>(&any);
}

} // namespace

TEST_CASE("a kernel has what every release writes") {
    for (auto const of : {release(11, 8), release(12, 0), release(13, 0), release(13, 5), release(14, 0)}) {
        auto const bytes = kernel_bytes(248);
        record const any = bytes.decoded(of);
        kernel const& it = as<kernel>(any);
        CHECK(it.kind == abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
        CHECK(it.name == "_Z5saxpyfPfS_");
        CHECK(it.time.duration() == gpuprof::nanoseconds{1500});
        CHECK_FALSE(it.queued.known());
        CHECK(it.device == 1);
        CHECK(it.context == 2);
        CHECK(it.stream == 13);
        CHECK(it.correlation == 4711);
        CHECK(it.grid_id == -5);
        CHECK(it.grid == dimensions{1024, 3, 1});
        CHECK(it.block == dimensions{256, 1, 1});
        CHECK(it.registers_per_thread == 32);
        CHECK(it.static_shared_memory == gpuprof::bytes{512});
        CHECK(it.dynamic_shared_memory == gpuprof::bytes{4096});
        CHECK(it.local_memory == gpuprof::bytes{8589934592}); // 2^33: beyond the older member of 32 bits
        CHECK(it.cache.requested() == 1);
        CHECK(it.cache.executed() == 2);
        CHECK(it.launch == launch_type::cooperative_single_device);
        CHECK(it.graph_node == 901);
        CHECK(it.graph == 9);
        CHECK(it.channel_kind == channel_type::compute);
        CHECK(it.cluster_x == 2);
    }
}

TEST_CASE("what a release does not write of a kernel is absent, even if there are bytes") {
    auto const bytes = kernel_bytes(248);
    record const older = bytes.decoded(release(11, 7)), at11_8 = bytes.decoded(release(11, 8)),
                 at12_0 = bytes.decoded(release(12, 0)), at13_0 = bytes.decoded(release(13, 0)),
                 at13_5 = bytes.decoded(release(13, 5));
    CHECK(as<kernel>(older).local_memory == gpuprof::bytes{77});
    CHECK_FALSE(as<kernel>(older).cluster_x);
    CHECK_FALSE(as<kernel>(at11_8).max_active_clusters);
    CHECK(as<kernel>(at12_0).max_active_clusters == 66);
    CHECK(as<kernel>(at12_0).max_cluster_size == 8);
    CHECK_FALSE(as<kernel>(at12_0).device_launched);
    CHECK(as<kernel>(at13_0).device_launched == true);
    CHECK_FALSE(as<kernel>(at13_0).priority);
    CHECK(as<kernel>(at13_5).priority == -3);
    CHECK(as<kernel>(at13_5).model == execution_model::tile);
    CHECK(as<kernel>(at13_5).source_graph == 4);
    CHECK(as<kernel>(at13_5).source_graph_node == 902);
}

TEST_CASE("kernels of one graph share a correlation and differ in the node, and a kernel of no graph has no node") {
    auto first = kernel_bytes(208), second = kernel_bytes(208), alone = kernel_bytes(208);
    second.put<std::uint64_t>(144, 903);
    alone.put<std::uint64_t>(144, 0).put<std::uint32_t>(156, 0);
    record const a = first.decoded(release(12, 0)), b = second.decoded(release(12, 0)),
                 c = alone.decoded(release(12, 0));
    CHECK(as<kernel>(a).correlation == as<kernel>(b).correlation);
    CHECK(as<kernel>(a).graph_node != as<kernel>(b).graph_node);
    CHECK_FALSE(as<kernel>(c).graph_node);
    CHECK_FALSE(as<kernel>(c).graph);
}

TEST_CASE("a kernel whose times CUPTI could not take has no duration") {
    auto bytes = kernel_bytes(208);
    bytes.put<std::uint64_t>(16, 0).put<std::uint64_t>(24, 0);
    record const any = bytes.decoded(release(12, 0));
    CHECK_FALSE(as<kernel>(any).time.known());
    CHECK_FALSE(as<kernel>(any).time.duration());
}

TEST_CASE("a copy of memory has what its release writes") {
    written bytes{112, 1};
    bytes.put<std::uint8_t>(4, 1).put<std::uint8_t>(5, 2).put<std::uint8_t>(6, 3).put<std::uint8_t>(7, 1);
    bytes.put<std::uint64_t>(8, 1048576).put<std::uint64_t>(16, 100).put<std::uint64_t>(24, 350);
    bytes.put<std::uint32_t>(40, 7).put<std::uint32_t>(44, 42).put<std::uint32_t>(80, 2);
    bytes.put<std::uint8_t>(84, 1).put<std::uint64_t>(88, 12).put<std::uint64_t>(104, 5);
    record const at11_8 = bytes.decoded(release(11, 8)), at12_8 = bytes.decoded(release(12, 8)),
                 at13_0 = bytes.decoded(release(13, 0)), at13_4 = bytes.decoded(release(13, 4));
    gpuprof::activity::memcpy const& it = as<gpuprof::activity::memcpy>(at11_8);
    CHECK(it.direction == memcpy_kind::host_to_device);
    CHECK(it.from == memory_kind::pinned);
    CHECK(it.to == memory_kind::device);
    CHECK(it.asynchronous());
    CHECK(it.size == gpuprof::bytes{1048576});
    CHECK(it.size / *it.time.duration() == gpuprof::bytes_per_nanosecond{1048576 / 250.0});
    CHECK(it.stream == 7);
    CHECK(it.correlation == 42);
    CHECK(it.channel_kind == channel_type::async_memcpy);
    CHECK_FALSE(it.copies);
    CHECK(as<gpuprof::activity::memcpy>(at12_8).copies == 12);
    CHECK_FALSE(as<gpuprof::activity::memcpy>(at12_8).device_launched); // padding until 13.0
    CHECK(as<gpuprof::activity::memcpy>(at13_0).device_launched == true);
    CHECK_FALSE(as<gpuprof::activity::memcpy>(at13_0).source_graph_node);
    CHECK(as<gpuprof::activity::memcpy>(at13_4).source_graph_node == 5);
    CHECK_FALSE(as<gpuprof::activity::memcpy>(at13_4).source_graph);
}

TEST_CASE("ports of a link are read where its release has them") {
    written older{136, 40};
    older.put<std::uint32_t>(52, 2).put<std::uint8_t>(56, 5).put<std::uint8_t>(57, 0xff).put<std::uint64_t>(120, 25);
    record const at13_1 = older.decoded(release(13, 1));
    CHECK(as<nvlink>(at13_1).links == 2);
    CHECK(as<nvlink>(at13_1).first_ports.port(0) == 5);
    CHECK_FALSE(as<nvlink>(at13_1).first_ports.port(1));
    CHECK(as<nvlink>(at13_1).bandwidth == 25);

    std::uint32_t const ports[2] = {300, 0xffffffff};
    written newer{88, 40};
    newer.put<std::uint32_t>(52, 2).put(56, &ports[0]).put<std::uint64_t>(72, 26);
    record const at13_2 = newer.decoded(release(13, 2));
    CHECK(as<nvlink>(at13_2).first_ports.port(0) == 300);
    CHECK_FALSE(as<nvlink>(at13_2).first_ports.port(1));
    CHECK_FALSE(as<nvlink>(at13_2).second_ports.port(0));
    CHECK(as<nvlink>(at13_2).bandwidth == 26);
}

TEST_CASE("a thread, a stream and a device have the ids that their kind has") {
    auto const marked = [](unsigned kind) {
        written bytes{56, 12};
        return bytes.put(20, kind)
            .put<std::uint32_t>(24, 11)
            .put<std::uint32_t>(28, 22)
            .put<std::uint32_t>(32, 33)
            .decoded(release(12, 0));
    };
    record const thread = marked(2), device_of = marked(3), stream_of = marked(5), nothing = marked(0);
    CHECK(as<marker>(thread).object.process() == 11);
    CHECK(as<marker>(thread).object.thread() == 22);
    CHECK_FALSE(as<marker>(thread).object.device());
    CHECK(as<marker>(device_of).object.device() == 11);
    CHECK_FALSE(as<marker>(device_of).object.context());
    CHECK_FALSE(as<marker>(device_of).object.thread());
    CHECK(as<marker>(stream_of).object.device() == 11);
    CHECK(as<marker>(stream_of).object.context() == 22);
    CHECK(as<marker>(stream_of).object.stream() == 33);
    CHECK_FALSE(as<marker>(stream_of).object.process());
    CHECK_FALSE(as<marker>(nothing).object.process());
    CHECK(as<marker>(nothing).name.data() == nullptr);
}

TEST_CASE("members of the environment that are not of the record's kind are absent") {
    written bytes{40, 20};
    bytes.put<std::uint32_t>(16, 2).put<std::uint32_t>(20, 54).put<std::uint32_t>(24, 99);
    record const any = bytes.decoded(release(12, 0));
    CHECK(as<environment>(any).kind == environment_kind::temperature);
    CHECK(as<environment>(any).temperature == 54);
    CHECK_FALSE(as<environment>(any).sm_clock);
    CHECK_FALSE(as<environment>(any).power);
    CHECK_FALSE(as<environment>(any).fan_speed);
}

TEST_CASE("a kind that is not declared is kept with its bytes") {
    for (unsigned const kind : {0u, 60u, 63u, 64u, 65u, 4711u, 0x7fffffffu, 0xffffffffu}) {
        written const bytes{24, kind};
        record const any = bytes.decoded(release(12, 0));
        CHECK(as<unknown>(any).kind == static_cast<abi::CUpti_ActivityKind>(kind));
        CHECK(as<unknown>(any).reason == unknown_reason::undeclared_kind);
        CHECK(as<unknown>(any).size == 24);
        unsigned kept = 0;
        std::memcpy(&kept, as<unknown>(any).bytes, sizeof kept);
        CHECK(kept == kind);
    }
}

TEST_CASE("a kind that the release does not have is kept with its bytes") {
    written const bytes{304, 59}; // a green context, of 13.2
    record const at12_0 = bytes.decoded(release(12, 0)), at13_2 = bytes.decoded(release(13, 2)),
                 at_none = kernel_bytes(248).decoded(cuda_release{});
    CHECK(as<unknown>(at12_0).reason == unknown_reason::release_without);
    CHECK(std::holds_alternative<green_context>(at13_2));
    CHECK(as<unknown>(at_none).reason == unknown_reason::release_without);
}

TEST_CASE("a green context has work queues from the update on that has them") {
    written bytes{168, 59};
    bytes.put<std::uint32_t>(4, 7).put<std::uint16_t>(20, 16).put<std::uint64_t>(152, 3).put<std::uint32_t>(160, 4);
    record const first = bytes.decoded(release(13, 2), 152), update = bytes.decoded(release(13, 2, 1)),
                 cut = bytes.decoded(release(13, 2, 1), 152);
    CHECK(as<green_context>(first).id == 7);
    CHECK(as<green_context>(first).multiprocessors == 16);
    CHECK_FALSE(as<green_context>(first).work_queue);
    CHECK_FALSE(as<green_context>(first).work_queue_concurrency);
    CHECK(as<green_context>(update).work_queue == 3);
    CHECK(as<green_context>(update).work_queue_concurrency == 4);
    CHECK(as<green_context>(update).work_queue_sharing == 0);
    CHECK(as<unknown>(cut).reason == unknown_reason::truncated);
}

TEST_CASE("a record of any kind, release and length is read within its length") {
    std::size_t decoded = 0, kept = 0;
    for (auto const of : {cuda_release{}, release(11, 1), release(11, 8), release(12, 0), release(12, 6),
                          release(12, 9), release(13, 0), release(13, 5), release(99, 9)}) {
        for (unsigned kind = 0; kind < 70; ++kind) {
            record_form const* const form = form_of(static_cast<abi::CUpti_ActivityKind>(kind), of);
            for (std::size_t size = 4; size <= 320; size += 4) {
                bool const whole = form != nullptr && size >= form->size;
                record const any = written{size, kind}.decoded(of);
                if (std::holds_alternative<unknown>(any) == whole) FAIL("kind " << kind << ", " << size << " bytes");
                ++(whole ? decoded : kept);
            }
        }
    }
    CHECK(decoded > 0);
    CHECK(kept > 0);
    written const bytes{8, 3};
    for (std::size_t const size : {0u, 1u, 3u}) {
        record const any = bytes.decoded(release(12, 0), size);
        CHECK(as<unknown>(any).reason == unknown_reason::truncated);
        CHECK(as<unknown>(any).size == size);
    }
    record const none = decode(release(12, 0), nullptr, 100);
    CHECK(as<unknown>(none).reason == unknown_reason::truncated);
}

template <class... Types>
static void check_types(std::type_identity<std::variant<unknown, Types...>>) {
    std::set<unsigned> kinds;
    std::size_t count = 0;
    auto const check = [&]<class Type>(std::type_identity<Type>) {
        for (auto const kind : Type::kinds) kinds.insert(kind), ++count;
        record_form const* before = nullptr;
        for (auto const& form : Type::forms) {
            CHECK_MESSAGE((before == nullptr || before->first < form.first), form.structure);
            CHECK(form.size % 8 == 0);
            before = &form;
        }
    };
    (check(std::type_identity<Types>{}), ...);
    CHECK(kinds.size() == count); // no kind twice
    // Every kind that CUPTI 13.5 declares: 1 to 59.
    CHECK(*kinds.begin() == 1);
    CHECK(*kinds.rbegin() == 59);
    CHECK(count == 59);
}
TEST_CASE("every kind of record has one type, and its forms are in the order of releases") {
    check_types(std::type_identity<record>{});
}

} // namespace record_test
