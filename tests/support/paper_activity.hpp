// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small CUPTI for tests of tracers: it records the work that a test makes up, in the layouts of CUDA 11.8 or 13.0, asks for
// buffers and hands them back on a thread of its own, as CUPTI does. Test support.
#ifndef GPUPROF_TESTS_SUPPORT_PAPER_ACTIVITY_HPP
#define GPUPROF_TESTS_SUPPORT_PAPER_ACTIVITY_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gpuprof/hw/abi/cupti.hpp>
#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/hw/machine/platform/condition.hpp>
#include <gpuprof/hw/machine/platform/mutex.hpp>

namespace test {

namespace abi = gpuprof::abi;
namespace platform = gpuprof::platform;

// One at a time. Records lie as NVIDIA's headers have them: CUpti_ActivityAPI (40 bytes), CUpti_ActivityExternalCorrelation (24),
// CUpti_ActivityMarker2 (56), CUpti_ActivityKernel8 of 11.8 (200) or Kernel10 of 13.0 (216), CUpti_ActivityMemcpy5 (88) or Memcpy6 (96).
class paper_activity {
public:
    explicit paper_activity(bool is_11_8 = false) : is_old_{is_11_8} {
        current() = this;
        fill(machine.cupti);
        machine.cupti_library.path = "/paper/libcupti.so";
        machine.cupti_library.soname = is_11_8 ? "libcupti.so.11.8" : "libcupti.so.13";
        machine.cupti_library.version = is_11_8 ? 18 : 130000;
        worker_ = std::thread{[this] { work(); }};
    }
    ~paper_activity() {
        {
            platform::lock const held{mutex_};
            is_ending_ = true;
        }
        changed_.wake_all();
        worker_.join();
        current() = nullptr;
    }
    paper_activity(paper_activity const&) = delete;
    paper_activity& operator=(paper_activity const&) = delete;

    gpuprof::hw::machine machine;

    // What a program does. Each returns the correlation of the call.

    std::uint32_t launch(char const* kernel = "saxpy", std::uint64_t node = 0) { return launch_graph({node}, kernel); }
    // One call, a kernel for each node.
    std::uint32_t launch_graph(std::initializer_list<std::uint64_t> nodes, char const* kernel = "saxpy") {
        platform::lock const held{mutex_};
        std::uint32_t const correlation = call();
        if (is_on(abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL))
            for (std::uint64_t const node : nodes) {
                std::uint64_t const start = tick();
                write_kernel(correlation, kernel, node, start, tick());
            }
        return correlation;
    }
    std::uint32_t copy(std::uint64_t bytes) {
        platform::lock const held{mutex_};
        std::uint32_t const correlation = call();
        if (!is_on(abi::CUPTI_ACTIVITY_KIND_MEMCPY)) return correlation;
        record made{abi::CUPTI_ACTIVITY_KIND_MEMCPY, is_old_ ? 88u : 96u};
        made.put(4, std::uint8_t{1}).put(8, bytes).put(16, tick()).put(24, tick()).put(44, correlation);
        emit(made);
        return correlation;
    }
    // A range of NVTX that a thread pushes; `domain` may be null. Returns its id.
    std::uint32_t push(char const* name, char const* domain = nullptr) { return mark(2, ++range_, name, domain); }
    void pop(std::uint32_t range) { mark(4, range, nullptr, nullptr); }
    // A kernel whose times CUPTI could not take.
    void launch_without_time() {
        platform::lock const held{mutex_};
        write_kernel(call(), "untimed", 0, 0, 0);
    }
    // A kernel that runs until finish(): its record lies in a buffer and is not complete.
    void start() {
        platform::lock const held{mutex_};
        std::uint8_t* const at = write_kernel(call(), "running", 0, tick(), 0);
        if (at != nullptr) running_.push_back(at);
    }
    void finish() {
        platform::lock const held{mutex_};
        std::uint64_t const end = tick();
        for (std::uint8_t* const at : running_) std::memcpy(at + 24, &end, sizeof end);
        running_.clear();
    }
    // A record of that kind with nothing else in it. GetNextRecord does not walk over kind 0.
    void write_strange(unsigned kind, std::size_t bytes) {
        platform::lock const held{mutex_};
        strange_bytes = bytes;
        emit(record{static_cast<abi::CUpti_ActivityKind>(kind), bytes});
    }

    // Nodes of graphs: a number is the node's handle and its id.
    void make_node(std::uint64_t node) { tell(abi::CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, node, 0); }
    void clone_node(std::uint64_t node, std::uint64_t original) {
        tell(abi::CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED, node, original);
    }
    void destroy_node(std::uint64_t node) { tell(abi::CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING, node, 0); }

    // What a test asks.

    [[nodiscard]] std::size_t outstanding() const { return get(outstanding_); } // buffers that CUPTI has
    [[nodiscard]] std::size_t made() const { return get(made_); }               // records, dropped or not
    [[nodiscard]] std::size_t made_unlocked() const {
        return made_;
    } // in the child of a fork, whose parent has the mutex
    [[nodiscard]] std::set<unsigned> kinds() const {
        std::set<unsigned> all;
        std::uint64_t const on = get(kinds_);
        for (unsigned kind = 0; kind < 64; ++kind)
            if ((on >> kind & 1) != 0) all.insert(kind);
        return all;
    }
    // What the tracer has CUPTI call for buffers.
    [[nodiscard]] std::pair<abi::CUpti_BuffersCallbackRequestFunc, abi::CUpti_BuffersCallbackCompleteFunc>
    callbacks() const {
        platform::lock const held{mutex_};
        return {asks_, gives_};
    }
    [[nodiscard]] std::vector<std::string> log() const { return get(log_); } // settings, in order
    [[nodiscard]] std::size_t pushed() const {                               // external ids of this thread
        std::size_t sum = 0;
        for (id_stack const& each : stacks().of) sum += each.size;
        return sum;
    }
    [[nodiscard]] bool subscribed() const { return get(subscriber_) != nullptr; }
    // The device's memory for a buffer: what an attribute holds.
    [[nodiscard]] std::size_t attribute(unsigned which) const {
        platform::lock const held{mutex_};
        auto const found = attributes_.find(which);
        return found != attributes_.end() ? found->second : 0;
    }
    // No buffer is handed back until resumed: CUPTI's thread is held up.
    void pause(bool on) {
        {
            platform::lock const held{mutex_};
            is_paused_ = on;
        }
        changed_.wake_all();
    }
    void set_correlation(std::uint32_t last) {
        platform::lock const held{mutex_};
        correlation_ = last;
    }
    // Another tool is CUPTI's subscriber.
    void take_subscriber() {
        platform::lock const held{mutex_};
        is_taken_ = true;
    }
    // What another tool does: from now on CUPTI asks it for buffers, and hands it those that are out.
    void register_other(abi::CUpti_BuffersCallbackRequestFunc asks, abi::CUpti_BuffersCallbackCompleteFunc gives) {
        platform::lock const held{mutex_};
        asks_ = asks;
        gives_ = gives;
    }

private:
    struct record {
        std::vector<std::uint8_t> bytes;
        record(abi::CUpti_ActivityKind kind, std::size_t size) : bytes(size, 0) { put(0, kind); }
        template <class T>
        record& put(std::size_t offset, T value) {
            std::memcpy(bytes.data() + offset, &value, sizeof value);
            return *this;
        }
    };
    struct buffer {
        std::uint8_t* bytes = nullptr;
        std::size_t size = 0;
        std::size_t used = 0;
    };
    struct id_stack { // without memory of its own
        std::uint64_t ids[64];
        std::size_t size;
    };
    struct stacks_by_kind {
        id_stack of[6];
    };

    static paper_activity*& current() {
        static paper_activity* one = nullptr;
        return one;
    }
    static stacks_by_kind& stacks() {
        static thread_local stacks_by_kind all{};
        return all;
    }
    template <class T>
    [[nodiscard]] T get(T const& member) const {
        platform::lock const held{mutex_};
        return member;
    }

    // The rest needs the mutex.

    std::uint64_t tick() { return ++clock_; }
    [[nodiscard]] bool is_on(abi::CUpti_ActivityKind kind) const { return (kinds_ >> kind & 1) != 0; }
    [[nodiscard]] std::size_t kernel_bytes() const { return is_old_ ? 200 : 216; }

    std::uint32_t call() {
        std::uint32_t const correlation = ++correlation_;
        if (!is_on(abi::CUPTI_ACTIVITY_KIND_DRIVER)) return correlation;
        if (is_on(abi::CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION))
            for (unsigned kind = 0; kind < 6; ++kind)
                if (id_stack const& stack = stacks().of[kind]; stack.size != 0)
                    emit(record{abi::CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, 24}
                             .put(4, kind)
                             .put(8, stack.ids[stack.size - 1])
                             .put(16, correlation));
        emit(record{abi::CUPTI_ACTIVITY_KIND_DRIVER, 40}
                 .put(4, std::uint32_t{307})
                 .put(8, tick())
                 .put(16, tick())
                 .put(32, correlation));
        return correlation;
    }
    std::uint32_t mark(std::uint32_t flags, std::uint32_t id, char const* name, char const* domain) {
        platform::lock const held{mutex_};
        if (!is_on(abi::CUPTI_ACTIVITY_KIND_MARKER)) return id;
        record made{abi::CUPTI_ACTIVITY_KIND_MARKER, 56}; // CUpti_ActivityMarker2
        made.put(4, flags).put(8, tick()).put(16, id).put(20, abi::CUPTI_ACTIVITY_OBJECT_THREAD);
        emit(made.put(40, name).put(48, domain)); // of process 0 and thread 0, as calls are
        return id;
    }
    std::uint8_t* write_kernel(std::uint32_t correlation, char const* name, std::uint64_t node, std::uint64_t start,
                               std::uint64_t end) {
        record made{abi::CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, kernel_bytes()};
        made.put(6, std::uint16_t{32}).put(16, start).put(24, end).put(48, std::uint32_t{7});
        for (std::size_t at = 52; at <= 72; at += 4) made.put(at, std::int32_t{1}); // grid and block
        made.put(92, correlation).put(104, name).put(144, node);
        return emit(made);
    }
    // Where it lies, or null if it was dropped.
    std::uint8_t* emit(record const& made) {
        ++made_;
        if (now_.bytes != nullptr && now_.size - now_.used < made.bytes.size()) retire();
        if (now_.bytes == nullptr && asks_ != nullptr) {
            std::size_t most = 0;
            now_ = {};
            asks_(&now_.bytes, &now_.size, &most);
            if (now_.bytes != nullptr) ++outstanding_;
        }
        if (now_.bytes == nullptr || now_.size < made.bytes.size()) {
            ++dropped_;
            return nullptr;
        }
        std::uint8_t* const at = now_.bytes + now_.used;
        std::memcpy(at, made.bytes.data(), made.bytes.size());
        now_.used += made.bytes.size();
        return at;
    }
    void retire() {
        full_.push_back(now_);
        now_ = {};
        changed_.wake_all();
    }
    void work() {
        for (;;) {
            buffer done;
            decltype(gives_) gives{};
            {
                platform::lock const held{mutex_};
                while (!is_ending_ && (full_.empty() || is_paused_)) changed_.wait(mutex_);
                if (full_.empty() || is_paused_) return;
                done = full_.front();
                full_.pop_front();
                is_handing_ = true;
                gives = gives_;
            }
            gives(nullptr, 0, done.bytes, done.size, done.used);
            platform::lock const held{mutex_};
            is_handing_ = false;
            --outstanding_;
            changed_.wake_all();
        }
    }
    void tell(unsigned what, std::uint64_t node, std::uint64_t original) {
        abi::CUpti_GraphData graph;
        graph.node = handle(node);
        graph.originalNode = handle(original);
        abi::CUpti_ResourceData data;
        data.resourceDescriptor = &graph;
        abi::cupti_callback heard = nullptr;
        void* user = nullptr;
        {
            platform::lock const held{mutex_};
            if ((heard_ >> what & 1) != 0) heard = subscriber_;
            user = user_;
        }
        if (heard != nullptr) heard(user, abi::CUPTI_CB_DOMAIN_RESOURCE, what, &data);
    }
    static abi::CUgraphNode handle(std::uint64_t number) { return reinterpret_cast<abi::CUgraphNode>(number); }

    // A switch of CUPTI's: noted in the log.
    template <class T>
    static abi::CUptiResult note(std::string const& name, T value) {
        paper_activity& self = *current();
        platform::lock const held{self.mutex_};
        self.log_.push_back(name + " " + std::to_string(value));
        return abi::CUPTI_SUCCESS;
    }

    static void fill(abi::cupti_table& table) {
        using namespace abi;
        table.GetVersion = [](std::uint32_t* version) {
            *version = current()->is_old_ ? 18 : 130000;
            return CUPTI_SUCCESS;
        };
        table.GetTimestamp = [](std::uint64_t* time) {
            paper_activity& self = *current();
            platform::lock const held{self.mutex_};
            *time = ++self.clock_;
            return CUPTI_SUCCESS;
        };
        table.ActivityEnable = [](CUpti_ActivityKind kind) {
            paper_activity& self = *current();
            platform::lock const held{self.mutex_};
            self.kinds_ |= std::uint64_t{1} << kind;
            return CUPTI_SUCCESS;
        };
        table.ActivityEnableAndDump = table.ActivityEnable; // nothing is older than it
        table.ActivityDisable = [](CUpti_ActivityKind kind) {
            paper_activity& self = *current();
            platform::lock const held{self.mutex_};
            self.kinds_ &= ~(std::uint64_t{1} << kind);
            return CUPTI_SUCCESS;
        };
        table.ActivityRegisterCallbacks = [](CUpti_BuffersCallbackRequestFunc asks,
                                             CUpti_BuffersCallbackCompleteFunc gives) {
            current()->register_other(asks, gives);
            return CUPTI_SUCCESS;
        };
        table.ActivityGetNextRecord = [](std::uint8_t* bytes, std::size_t valid, CUpti_Activity** at) {
            paper_activity const& self = *current();
            if (bytes == nullptr || at == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
            std::size_t offset = 0;
            if (*at != nullptr) {
                offset = static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(*at) - bytes);
                switch ((*at)->kind) {
                    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: offset += self.kernel_bytes(); break;
                    case CUPTI_ACTIVITY_KIND_MEMCPY: offset += self.is_old_ ? 88 : 96; break;
                    case CUPTI_ACTIVITY_KIND_DRIVER: offset += 40; break;
                    case CUPTI_ACTIVITY_KIND_MARKER: offset += 56; break;
                    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: offset += 24; break;
                    default: offset += self.strange_bytes;
                }
            }
            if (offset >= valid) return CUPTI_ERROR_MAX_LIMIT_REACHED;
            auto* const next = reinterpret_cast<CUpti_Activity*>(bytes + offset);
            if (next->kind == CUPTI_ACTIVITY_KIND_INVALID) return CUPTI_ERROR_INVALID_KIND;
            *at = next;
            return CUPTI_SUCCESS;
        };
        table.ActivityGetNumDroppedRecords = [](CUcontext, std::uint32_t, std::size_t* dropped) {
            paper_activity& self = *current();
            platform::lock const held{self.mutex_};
            *dropped = std::exchange(self.dropped_, 0);
            return CUPTI_SUCCESS;
        };
        table.ActivityFlushAll = [](std::uint32_t forced) {
            paper_activity& self = *current();
            platform::lock const held{self.mutex_};
            if (self.now_.bytes != nullptr && (forced != 0 || (self.running_.empty() && self.now_.used != 0)))
                self.retire();
            if (forced != 0) self.running_.clear(); // they are another's now
            while (!self.is_paused_ && (!self.full_.empty() || self.is_handing_)) self.changed_.wait(self.mutex_);
            return CUPTI_SUCCESS;
        };
        table.ActivityFlushPeriod = [](std::uint32_t milliseconds) { return note("period", milliseconds); };
        table.ActivityGetAttribute = [](CUpti_ActivityAttribute which, std::size_t* size, void* value) {
            std::size_t const has = current()->attribute(which);
            std::size_t const needs = is_flag(which) ? 1 : 8;
            if (*size < needs) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
            *size = needs;
            std::memcpy(value, &has, needs);
            return CUPTI_SUCCESS;
        };
        table.ActivitySetAttribute = [](CUpti_ActivityAttribute which, std::size_t* size, void* value) {
            if (*size != (is_flag(which) ? 1 : 8)) return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
            std::size_t given = 0;
            std::memcpy(&given, value, *size);
            {
                platform::lock const held{current()->mutex_};
                current()->attributes_[which] = given;
            }
            return note("attribute " + std::to_string(which) + " =", given);
        };
        table.ActivityRegisterTimestampCallback = [](CUpti_TimestampCallbackFunc clock) {
            if (clock == nullptr) return CUPTI_ERROR_INVALID_PARAMETER; // as cupti_activity.h says
            std::uint64_t const time = clock();
            return note("clock", time > 1'000'000'000'000'000'000 ? std::uint64_t{0} : time); // 0: of this century
        };
        table.ActivityEnableLatencyTimestamps = [](std::uint8_t on) { return note("latency", on); };
        table.ActivityEnableLaunchAttributes = [](std::uint8_t on) { return note("launch_attributes", on); };
        table.ActivityEnableAllocationSource = [](std::uint8_t on) { return note("allocation_source", on); };
        table.ActivityEnableDeviceGraph = [](std::uint8_t on) { return note("device_graph", on); };
        table.ActivityEnableAllSyncRecords = [](std::uint8_t on) { return note("all_sync", on); };
        table.ActivityEnableCudaEventDeviceTimestamps = [](std::uint8_t on) { return note("event_times", on); };
        table.ActivityEnableHWTrace = [](std::uint8_t on) { return note("hardware_trace", on); };
        table.ActivityEnableDriverApi = [](CUpti_CallbackId id, std::uint8_t on) {
            return note("driver call " + std::to_string(id), on);
        };
        table.ActivityEnableRuntimeApi = [](CUpti_CallbackId id, std::uint8_t on) {
            return id > 460 ? CUPTI_ERROR_INVALID_PARAMETER : note("runtime call " + std::to_string(id), on);
        };
        table.ActivityConfigureUnifiedMemoryCounter = [](CUpti_ActivityUnifiedMemoryCounterConfig* all,
                                                         std::uint32_t count) {
            std::string name = "unified memory";
            for (std::uint32_t i = 0; i < count; ++i)
                name += ' ' + std::to_string(all[i].kind) + '@' + std::to_string(all[i].scope) + ':' +
                        std::to_string(all[i].deviceId);
            return note(name, count != 0 ? all[0].enable : 0);
        };
        table.SetThreadIdType = [](CUpti_ActivityThreadIdType type) { return note("threads", type); };
        table.GetThreadIdType = [](CUpti_ActivityThreadIdType* type) {
            *type = CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT;
            return CUPTI_SUCCESS;
        };
        table.ActivityPushExternalCorrelationId = [](CUpti_ExternalCorrelationKind kind, std::uint64_t id) {
            id_stack& stack = stacks().of[kind];
            stack.ids[stack.size++] = id;
            return CUPTI_SUCCESS;
        };
        table.ActivityPopExternalCorrelationId = [](CUpti_ExternalCorrelationKind kind, std::uint64_t* last) {
            id_stack& stack = stacks().of[kind];
            if (stack.size == 0) return CUPTI_ERROR_QUEUE_EMPTY;
            *last = stack.ids[--stack.size];
            return CUPTI_SUCCESS;
        };
        table.Subscribe = [](CUpti_SubscriberHandle* handle, cupti_callback heard, void* user) {
            paper_activity& self = *current();
            platform::lock const held{self.mutex_};
            if (self.is_taken_ || self.subscriber_ != nullptr) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
            self.subscriber_ = heard;
            self.user_ = user;
            *handle = reinterpret_cast<CUpti_SubscriberHandle>(&self);
            return CUPTI_SUCCESS;
        };
        table.Unsubscribe = [](CUpti_SubscriberHandle) {
            paper_activity& self = *current();
            platform::lock const held{self.mutex_};
            self.subscriber_ = nullptr;
            self.heard_ = 0;
            return CUPTI_SUCCESS;
        };
        table.EnableCallback = [](std::uint32_t on, CUpti_SubscriberHandle, CUpti_CallbackDomain domain,
                                  CUpti_CallbackId id) {
            paper_activity& self = *current();
            platform::lock const held{self.mutex_};
            if (domain != CUPTI_CB_DOMAIN_RESOURCE) return CUPTI_SUCCESS;
            if (on != 0) self.heard_ |= std::uint64_t{1} << id;
            else self.heard_ &= ~(std::uint64_t{1} << id);
            return CUPTI_SUCCESS;
        };
        table.GetGraphNodeId = [](CUgraphNode node, std::uint64_t* id) {
            *id = reinterpret_cast<std::uintptr_t>(node);
            return CUPTI_SUCCESS;
        };
    }
    static bool is_flag(unsigned which) {
        return which == abi::CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER ||
               which == abi::CUPTI_ACTIVITY_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED ||
               which == abi::CUPTI_ACTIVITY_ATTR_PER_THREAD_ACTIVITY_BUFFER;
    }

    mutable platform::mutex mutex_;
    platform::condition changed_;
    bool const is_old_;
    std::size_t strange_bytes = 8;
    std::uint64_t kinds_ = 0; // a bit each
    std::vector<std::string> log_;
    std::map<unsigned, std::size_t> attributes_{{0, 3'200'000}, {2, 250}, {6, 3}, {3, 25'000}, {4, 250}, {7, 3}};
    abi::CUpti_BuffersCallbackRequestFunc asks_ = nullptr;
    abi::CUpti_BuffersCallbackCompleteFunc gives_ = nullptr;
    buffer now_;
    std::deque<buffer> full_;
    bool is_handing_ = false;
    bool is_paused_ = false;
    bool is_ending_ = false;
    std::size_t outstanding_ = 0;
    std::size_t made_ = 0;
    std::size_t dropped_ = 0;
    std::vector<std::uint8_t*> running_;
    std::uint64_t clock_ = 1'000;
    std::uint32_t correlation_ = 0;
    std::uint32_t range_ = 0;
    bool is_taken_ = false;
    abi::cupti_callback subscriber_ = nullptr;
    void* user_ = nullptr;
    std::uint64_t heard_ = 0; // a bit for each id of the resource domain
    std::thread worker_;
};

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_PAPER_ACTIVITY_HPP
