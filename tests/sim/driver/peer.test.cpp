// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of several embedded GPUs of one process: peer access, copies, streams and events between them.
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "support/driver_fixture.hpp"
#include "sim/chip/chips.hpp"

namespace peer_test {

using namespace gpuprof::abi;
namespace sim = gpuprof::sim;

// ys[i] = xs[i] + 1
static constexpr char kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry next(.param .u64 xs, .param .u64 ys) {
    .reg .u32 %r<5>; .reg .u64 %rd<6>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [xs]; ld.param.u64 %rd2, [ys];
    cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
    mul.wide.u32 %rd3, %r4, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;
    ld.global.u32 %r1, [%rd4]; add.u32 %r1, %r1, 1; st.global.u32 [%rd5], %r1;
    ret;
}
)";

constexpr std::size_t n = 1024, bytes = n * sizeof(std::uint32_t);

// A context on one of several GPUs, current in the functions that work in it.
struct gpu {
    explicit gpu(unsigned number, sim::chip_model const& chip = sim::gh100)
        : device{sim::detail::device_with(chip, sim::collection::in_passes, number)} {
        REQUIRE(driver.Init(0) == CUDA_SUCCESS);
        REQUIRE(driver.CtxCreate(&context, 0, device) == CUDA_SUCCESS);
        CUcontext popped = nullptr;
        REQUIRE(driver.CtxPopCurrent(&popped) == CUDA_SUCCESS);
    }
    ~gpu() { CHECK(driver.CtxDestroy(context) == CUDA_SUCCESS); }
    gpu(gpu const&) = delete;
    gpu& operator=(gpu const&) = delete;

    // Calls f with the context current.
    template <class F>
    auto in(F&& f) const {
        struct current {
            explicit current(gpu const& of) : driver{of.driver} {
                REQUIRE(driver.CtxPushCurrent(of.context) == CUDA_SUCCESS);
            }
            ~current() {
                CUcontext popped = nullptr;
                CHECK(driver.CtxPopCurrent(&popped) == CUDA_SUCCESS);
            }
            driver_table const& driver;
        } const now{*this};
        return f();
    }
    CUdeviceptr allocate() const {
        CUdeviceptr address = 0;
        in([&] { REQUIRE(driver.MemAlloc(&address, bytes) == CUDA_SUCCESS); });
        return address;
    }
    void fill(CUdeviceptr address, unsigned value) const {
        in([&] { REQUIRE(driver.MemsetD32(address, value, n) == CUDA_SUCCESS); });
    }
    std::uint32_t last_of(CUdeviceptr address) const {
        std::vector<std::uint32_t> words(n);
        in([&] { REQUIRE(driver.MemcpyDtoH(words.data(), address, bytes) == CUDA_SUCCESS); });
        return words.back();
    }
    CUresult launch(CUdeviceptr from, CUdeviceptr to) const {
        return in([&] {
            CUmodule module = nullptr;
            CUfunction function = nullptr;
            REQUIRE(driver.ModuleLoadData(&module, kernels) == CUDA_SUCCESS);
            REQUIRE(driver.ModuleGetFunction(&function, module, "next") == CUDA_SUCCESS);
            void* parameters[] = {&from, &to};
            CUresult const status =
                driver.LaunchKernel(function, n / 128, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr);
            return status != CUDA_SUCCESS ? status : driver.CtxSynchronize();
        });
    }
    CUresult enable(gpu const& peer) const {
        return in([&] { return driver.CtxEnablePeerAccess(peer.context, 0); });
    }
    CUresult disable(gpu const& peer) const {
        return in([&] { return driver.CtxDisablePeerAccess(peer.context); });
    }

    driver_table const& driver = sim::embedded_machine().driver;
    int device = 0;
    CUcontext context = nullptr;
};

TEST_CASE("devices side by side have ordinals, names and memory of their own") {
    gpu const one{0}, two{1};
    CHECK(one.device != two.device);
    CHECK(sim::detail::device_with(sim::gh100, sim::collection::in_passes, 1) == two.device);
    char bus_of_one[16], bus_of_two[16];
    CHECK(one.driver.DeviceGetPCIBusId(bus_of_one, sizeof bus_of_one, one.device) == CUDA_SUCCESS);
    CHECK(one.driver.DeviceGetPCIBusId(bus_of_two, sizeof bus_of_two, two.device) == CUDA_SUCCESS);
    CHECK(std::string{bus_of_one} != bus_of_two);
    CUdeviceptr const here = one.allocate(), there = two.allocate();
    CHECK(here != there);
    one.in([&] {
        std::size_t free = 0, total = 0, size = 0;
        CHECK(one.driver.MemGetInfo(&free, &total) == CUDA_SUCCESS);
        CHECK(total - free == bytes); // not that of the other one
        int ordinal = -1;
        CHECK(one.driver.PointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, there) == CUDA_SUCCESS);
        CHECK(ordinal == two.device);
        CUdeviceptr base = 0;
        CHECK(one.driver.MemGetAddressRange(&base, &size, there + 4) == CUDA_SUCCESS);
        CHECK(base == there);
        CHECK(size == bytes);
        CHECK(one.driver.MemFree(there) == CUDA_SUCCESS); // from whatever device
        CHECK(one.driver.MemFree(there) == CUDA_ERROR_INVALID_VALUE);
    });
}

TEST_CASE("cuDeviceCanAccessPeer: devices of one chip, not a device and itself, not two chips") {
    gpu const one{0}, two{1}, other{0, sim::gv100};
    auto const can = [&](int device, int peer) {
        int answer = -1;
        CHECK(one.driver.DeviceCanAccessPeer(&answer, device, peer) == CUDA_SUCCESS);
        return answer;
    };
    CHECK(can(one.device, two.device) == 1);
    CHECK(can(two.device, one.device) == 1);
    CHECK(can(one.device, one.device) == 0);
    CHECK(can(one.device, other.device) == 0);
    int answer = -1;
    CHECK(one.driver.DeviceCanAccessPeer(&answer, one.device, 1000) == CUDA_ERROR_INVALID_DEVICE);
    CHECK(one.driver.DeviceCanAccessPeer(&answer, -1, one.device) == CUDA_ERROR_INVALID_DEVICE);
    CHECK(one.driver.DeviceCanAccessPeer(nullptr, one.device, two.device) == CUDA_ERROR_INVALID_VALUE);
    CHECK(one.enable(other) == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
}

TEST_CASE("peer access is enabled once, in one direction, and only what is enabled is disabled") {
    gpu const one{0}, two{1};
    CHECK(one.disable(two) == CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    CHECK(one.enable(two) == CUDA_SUCCESS);
    CHECK(one.enable(two) == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    CHECK(two.disable(one) == CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    CHECK(one.disable(two) == CUDA_SUCCESS);
    CHECK(one.disable(two) == CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    CHECK(one.enable(one) == CUDA_ERROR_INVALID_CONTEXT);
    one.in([&] {
        CHECK(one.driver.CtxEnablePeerAccess(nullptr, 0) == CUDA_ERROR_INVALID_CONTEXT);
        CHECK(one.driver.CtxEnablePeerAccess(two.context, 1) == CUDA_ERROR_INVALID_VALUE);
    });
    std::thread{[&] {
        CHECK(one.driver.CtxEnablePeerAccess(two.context, 0) == CUDA_ERROR_INVALID_CONTEXT); // none is current
    }}.join();
}

TEST_CASE("a kernel reads and writes a peer's memory while access is enabled") {
    gpu const one{0}, two{1};
    CUdeviceptr const mine = one.allocate(), of_peer = two.allocate();
    two.fill(of_peer, 41);
    REQUIRE(one.enable(two) == CUDA_SUCCESS);
    CHECK(one.launch(of_peer, mine) == CUDA_SUCCESS);
    CHECK(one.last_of(mine) == 42);
    CHECK(one.launch(mine, of_peer) == CUDA_SUCCESS);
    CHECK(two.last_of(of_peer) == 43);
}

TEST_CASE("without peer access a kernel that reads a peer's memory fails, and the message says whose it is") {
    gpu const one{0}, two{1};
    CUdeviceptr const mine = one.allocate(), of_peer = two.allocate();
    REQUIRE(two.enable(one) == CUDA_SUCCESS); // the other direction
    CHECK(one.launch(of_peer, mine) == CUDA_ERROR_ILLEGAL_ADDRESS);
    auto const why = sim::last_launch_error(one.context);
    REQUIRE(why);
    CHECK(why->detail.find("memory of device " + std::to_string(two.device) + ", to which device " +
                           std::to_string(one.device) + " has no peer access") != std::string::npos);
    CHECK(two.last_of(of_peer) == 0); // the other device goes on
}

TEST_CASE("peer access ends with the peer's context") {
    gpu const one{0};
    CUdeviceptr const mine = one.allocate();
    CUdeviceptr of_peer = 0;
    {
        gpu const two{1};
        of_peer = two.allocate();
        REQUIRE(one.enable(two) == CUDA_SUCCESS);
    }
    CHECK(one.launch(of_peer, mine) == CUDA_ERROR_ILLEGAL_ADDRESS);
}

TEST_CASE("copies between devices need no peer access, by contexts or by addresses alone") {
    gpu const one{0}, two{1};
    CUdeviceptr const here = one.allocate(), there = two.allocate();
    auto const& driver = one.driver;
    one.fill(here, 5);
    one.in([&] { CHECK(driver.MemcpyPeer(there, two.context, here, one.context, bytes) == CUDA_SUCCESS); });
    CHECK(two.last_of(there) == 5);
    two.fill(there, 6);
    one.in([&] { CHECK(driver.Memcpy(here, there, bytes) == CUDA_SUCCESS); });
    CHECK(one.last_of(here) == 6);
    two.fill(there, 7);
    one.in([&] { CHECK(driver.MemcpyDtoD(here, there, bytes) == CUDA_SUCCESS); });
    CHECK(one.last_of(here) == 7);
    std::uint32_t const word = 8;
    one.in([&] { CHECK(driver.MemcpyHtoD(there + bytes - 4, &word, 4) == CUDA_SUCCESS); }); // to the other one's
    CHECK(two.last_of(there) == 8);
    one.in([&] {
        CHECK(driver.MemcpyPeer(there, one.context, here, one.context, bytes) == CUDA_ERROR_INVALID_VALUE);
        CHECK(driver.MemcpyPeer(there, two.context, here, one.context, bytes + 1) == CUDA_ERROR_INVALID_VALUE);
        CHECK(driver.MemcpyPeer(there, nullptr, here, one.context, bytes) == CUDA_ERROR_INVALID_CONTEXT);
        CHECK(driver.MemcpyPeerAsync(there, two.context, here, one.context, bytes, nullptr) == CUDA_SUCCESS);
    });
    CHECK(two.last_of(there) == 7);
}

TEST_CASE("a copy between devices takes the link's time, and twice that through the host's memory") {
    gpu const one{0}, two{1};
    auto const& driver = one.driver;
    constexpr std::size_t large = std::size_t{16} << 20;
    auto const nanoseconds = [&] {
        float milliseconds = 0;
        one.in([&] {
            CUdeviceptr here = 0, there = 0;
            REQUIRE(driver.MemAlloc(&here, large) == CUDA_SUCCESS);
            two.in([&] { REQUIRE(driver.MemAlloc(&there, large) == CUDA_SUCCESS); });
            CUevent begin = nullptr, end = nullptr;
            REQUIRE(driver.EventCreate(&begin, 0) == CUDA_SUCCESS);
            REQUIRE(driver.EventCreate(&end, 0) == CUDA_SUCCESS);
            CHECK(driver.EventRecord(begin, nullptr) == CUDA_SUCCESS);
            CHECK(driver.MemcpyPeerAsync(there, two.context, here, one.context, large, nullptr) == CUDA_SUCCESS);
            CHECK(driver.EventRecord(end, nullptr) == CUDA_SUCCESS);
            CHECK(driver.EventElapsedTime(&milliseconds, begin, end) == CUDA_SUCCESS);
            CHECK(driver.MemFree(here) == CUDA_SUCCESS);
            CHECK(driver.MemFree(there) == CUDA_SUCCESS);
        });
        return milliseconds * 1e6;
    };
    double const moving = double{large} / sim::gh100.link.bytes_per_nanosecond;
    CHECK(nanoseconds() == doctest::Approx(1000 + 2 * moving).epsilon(1e-4));
    REQUIRE(one.enable(two) == CUDA_SUCCESS);
    CHECK(nanoseconds() == doctest::Approx(1000 + moving).epsilon(1e-4));
}

TEST_CASE("streams and events of another device may be waited for and asked, but not launched in") {
    gpu const one{0}, two{1};
    auto const& driver = one.driver;
    CUdeviceptr const here = one.allocate(), there = two.allocate();
    CUstream of_two = nullptr, of_one = nullptr;
    CUevent done = nullptr, first = nullptr;
    two.in([&] {
        REQUIRE(driver.StreamCreate(&of_two, 1) == CUDA_SUCCESS); // non-blocking
        REQUIRE(driver.EventCreate(&done, 0) == CUDA_SUCCESS);
    });
    one.in([&] {
        REQUIRE(driver.StreamCreate(&of_one, 1) == CUDA_SUCCESS);
        REQUIRE(driver.EventCreate(&first, 0) == CUDA_SUCCESS);
        CHECK(driver.EventRecord(done, of_one) == CUDA_ERROR_INVALID_HANDLE); // another device's event
        CHECK(driver.EventRecord(first, of_one) == CUDA_SUCCESS);
        // In the stream of the other device, whichever is current.
        CHECK(driver.MemcpyPeerAsync(here, one.context, there, two.context, bytes, of_two) == CUDA_SUCCESS);
        CHECK(driver.EventRecord(done, of_two) == CUDA_SUCCESS);
        CHECK(driver.StreamWaitEvent(of_one, done, 0) == CUDA_SUCCESS);
        CHECK(driver.EventQuery(done) == CUDA_SUCCESS);
        CHECK(driver.EventSynchronize(done) == CUDA_SUCCESS);
        CHECK(driver.StreamQuery(of_two) == CUDA_SUCCESS);
        CHECK(driver.StreamSynchronize(of_two) == CUDA_SUCCESS);
        float milliseconds = 0;
        CHECK(driver.EventElapsedTime(&milliseconds, first, done) == CUDA_ERROR_INVALID_HANDLE); // two clocks
        CUmodule module = nullptr;
        CUfunction function = nullptr;
        REQUIRE(driver.ModuleLoadData(&module, kernels) == CUDA_SUCCESS);
        REQUIRE(driver.ModuleGetFunction(&function, module, "next") == CUDA_SUCCESS);
        CUdeviceptr from = here, to = here;
        void* parameters[] = {&from, &to};
        CHECK(driver.LaunchKernel(function, 8, 1, 1, 128, 1, 1, 0, of_two, parameters, nullptr) ==
              CUDA_ERROR_INVALID_HANDLE);
        CHECK(driver.StreamDestroy(of_two) == CUDA_SUCCESS);
        CHECK(driver.StreamQuery(of_two) == CUDA_ERROR_INVALID_HANDLE);
    });
}

TEST_CASE("work behind another device's event begins when that event is over") {
    gpu const one{0}, two{1};
    auto const& driver = one.driver;
    constexpr std::size_t large = std::size_t{16} << 20;
    one.in([&] {
        CUdeviceptr here = 0, there = 0;
        CUstream of_one = nullptr, of_two = nullptr;
        CUevent begin = nullptr, end = nullptr, copied = nullptr;
        REQUIRE(driver.MemAlloc(&here, large) == CUDA_SUCCESS);
        REQUIRE(driver.StreamCreate(&of_one, 1) == CUDA_SUCCESS);
        REQUIRE(driver.EventCreate(&begin, 0) == CUDA_SUCCESS);
        REQUIRE(driver.EventCreate(&end, 0) == CUDA_SUCCESS);
        CHECK(driver.EventRecord(begin, of_one) == CUDA_SUCCESS);
        two.in([&] {
            REQUIRE(driver.MemAlloc(&there, large) == CUDA_SUCCESS);
            REQUIRE(driver.StreamCreate(&of_two, 1) == CUDA_SUCCESS);
            REQUIRE(driver.EventCreate(&copied, 0) == CUDA_SUCCESS);
            CHECK(driver.MemcpyPeerAsync(here, one.context, there, two.context, large, of_two) == CUDA_SUCCESS);
            CHECK(driver.EventRecord(copied, of_two) == CUDA_SUCCESS);
        });
        CHECK(driver.StreamWaitEvent(of_one, copied, 0) == CUDA_SUCCESS);
        CHECK(driver.EventRecord(end, of_one) == CUDA_SUCCESS);
        float milliseconds = 0;
        CHECK(driver.EventElapsedTime(&milliseconds, begin, end) == CUDA_SUCCESS);
        CHECK(milliseconds * 1e6 >= 2 * double{large} / sim::gh100.link.bytes_per_nanosecond);
    });
}

TEST_CASE("pinned and managed memory is reached by kernels of all devices") {
    gpu const one{0}, two{1};
    CUdeviceptr managed = 0;
    void* pinned = nullptr;
    one.in([&] {
        REQUIRE(one.driver.MemAllocManaged(&managed, bytes, CU_MEM_ATTACH_GLOBAL) == CUDA_SUCCESS);
        REQUIRE(one.driver.MemAllocHost(&pinned, bytes) == CUDA_SUCCESS);
    });
    auto* const words = static_cast<std::uint32_t*>(pinned);
    words[n - 1] = 10;
    auto const pinned_address = static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(pinned));
    CHECK(two.launch(pinned_address, managed) == CUDA_SUCCESS);
    CHECK(reinterpret_cast<std::uint32_t*>(static_cast<std::uintptr_t>(managed))[n - 1] == 11);
    two.in([&] { CHECK(two.driver.MemFreeHost(pinned) == CUDA_SUCCESS); });
}

TEST_CASE("threads work on devices of their own at the same time, and copy between them") {
    constexpr unsigned count = 4;
    std::vector<std::thread> threads;
    gpu const all[count]{gpu{0}, gpu{1}, gpu{2}, gpu{3}};
    CUdeviceptr buffers[count];
    for (unsigned i = 0; i < count; ++i) {
        buffers[i] = all[i].allocate();
        all[i].fill(buffers[i], i);
    }
    CUdeviceptr incoming[count];
    for (unsigned i = 0; i < count; ++i) incoming[i] = all[i].allocate();
    for (unsigned i = 0; i < count; ++i)
        threads.emplace_back([&, i] {
            gpu const& mine = all[i];
            gpu const& next = all[(i + 1) % count];
            if (mine.enable(next) != CUDA_SUCCESS) return;
            for (int round = 0; round < 5; ++round) {
                mine.in([&] {
                    CHECK(mine.driver.MemcpyPeer(incoming[(i + 1) % count], next.context, buffers[i], mine.context,
                                                 bytes) == CUDA_SUCCESS);
                });
                CHECK(mine.launch(buffers[i], buffers[i]) == CUDA_SUCCESS);
            }
        });
    for (std::thread& each : threads) each.join();
    for (unsigned i = 0; i < count; ++i) CHECK(all[i].last_of(buffers[i]) == i + 5);
    for (unsigned i = 0; i < count; ++i) CHECK(all[i].last_of(incoming[i]) == (i + count - 1) % count + 4);
}

} // namespace peer_test
