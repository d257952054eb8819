// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every entry point of the embedded GPU's libcuda and libcudart is called with null and garbage arguments: none crashes, none
// waits for ever. Garbage is what a library can see through: handles, host symbols, device addresses, numbers, and null or
// zeros where host memory is asked for. (A host pointer that points nowhere crashes a real driver, too.)
#include <doctest/doctest.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime_calls.hpp"
#include "support/child_program.hpp"

extern "C" {
int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(void**, int);
int cuCtxSetCurrent(void*);
int cuModuleLoadData(void**, void const*);
int cuModuleGetFunction(void**, void*, char const*);
int cuMemAlloc_v2(std::uint64_t*, std::size_t);
int cuStreamCreate(void**, unsigned);
int cuStreamDestroy_v2(void*);
int cuEventCreate(void**, unsigned);
int cuGraphCreate(void**, unsigned);
}

namespace arguments_test {

// A letter for each register that the call reads: see tools/generate_argument_kinds.py.
struct entry_point {
    char const* symbol;
    std::string_view kinds;
};
static constexpr entry_point driver_calls[]{
#define X(symbol, kinds) {#symbol, kinds},
#include "driver_arguments.inc"
#undef X
};
static constexpr entry_point runtime_calls[]{
#define X(symbol, kinds) {#symbol, kinds},
#include "runtime_arguments.inc"
#undef X
};

// The symbols that a loaded library exports, counted in its hash table.
static std::size_t exported_count(char const* library, std::initializer_list<std::string_view> prefixes) {
    void* const handle = ::dlopen(library, RTLD_NOW | RTLD_NOLOAD);
    REQUIRE(handle != nullptr);
    link_map const* map = nullptr;
    REQUIRE(::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0);
    ElfW(Sym) const* symbols = nullptr;
    char const* names = nullptr;
    std::uint32_t const* hash = nullptr;
    for (ElfW(Dyn) const* entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<ElfW(Sym) const*>(entry->d_un.d_ptr);
        if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<char const*>(entry->d_un.d_ptr);
        if (entry->d_tag == DT_GNU_HASH) hash = reinterpret_cast<std::uint32_t const*>(entry->d_un.d_ptr);
    }
    REQUIRE(symbols != nullptr);
    REQUIRE(names != nullptr);
    REQUIRE(hash != nullptr);
    // Header of four words, a filter, buckets of first symbols, and chains that end with an odd value.
    std::uint32_t const bucket_count = hash[0], first = hash[1];
    std::uint32_t const* const buckets = hash + 4 + hash[2] * (sizeof(void*) / 4);
    std::uint32_t const* const chains = buckets + bucket_count;
    std::size_t count = 0;
    for (std::uint32_t const bucket : std::span{buckets, bucket_count}) {
        if (bucket == 0) continue;
        for (std::uint32_t number = bucket;; ++number) {
            std::string_view const name = names + symbols[number].st_name;
            for (std::string_view const prefix : prefixes)
                if (name.starts_with(prefix)) ++count;
            if ((chains[number - first] & 1) != 0) break;
        }
    }
    return count;
}

TEST_CASE("the calls that are tried with garbage are all that the libraries export") {
    // Calls of CUPTI, which libcuda has beside its own, begin with "cupti".
    std::size_t const cupti = exported_count("libcuda.so.1", {"cupti"});
    CHECK(exported_count("libcuda.so.1", {"cu"}) - cupti == std::size(driver_calls));
    CHECK(exported_count("libcudart.so.13", {"cuda", "__cuda"}) == std::size(runtime_calls));
}

// --- what is passed ---

// In memory that a test's process and its children share: what was called last, for the message.
struct progress {
    std::uint64_t arguments[10];
    unsigned number;
};
static constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
struct things {
    std::array<std::uint64_t, 12> handles{};
    std::array<std::uint64_t, 7> addresses{};
    std::array<std::uint64_t, 7> unified{};
    void* zeros = nullptr; // read and written by calls
    void* other_zeros = nullptr;
    void* plausible = nullptr; // memory in which each word is its own address: looks like an object
};
static things* make_things(void* context) {
    auto* const made = new things;
    auto const number = [](void const* pointer) {
        return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(pointer));
    };
    made->zeros = std::calloc(1, buffer_bytes);
    made->other_zeros = std::calloc(1, buffer_bytes);
    made->plausible = std::calloc(1, buffer_bytes);
    auto* const words = static_cast<std::uint64_t*>(made->plausible);
    for (std::size_t i = 0; i < buffer_bytes / 8; ++i) words[i] = number(words);

    void *module = nullptr, *function = nullptr, *stream = nullptr, *gone = nullptr, *event = nullptr, *graph = nullptr;
    std::uint64_t memory = 0;
    bool const is_made = cuModuleLoadData(&module, registered_program::text) == 0 &&
                         cuModuleGetFunction(&function, module, "scale") == 0 && cuStreamCreate(&stream, 0) == 0 &&
                         cuStreamCreate(&gone, 0) == 0 && cuStreamDestroy_v2(gone) == 0 &&
                         cuEventCreate(&event, 0) == 0 && cuGraphCreate(&graph, 0) == 0 &&
                         cuMemAlloc_v2(&memory, 1 << 16) == 0;
    if (!is_made) std::_Exit(1);
    made->handles = {0,
                     1,
                     2,
                     number(made->plausible),
                     ~std::uint64_t{0},
                     number(context),
                     number(module),
                     number(function),
                     number(stream),
                     number(gone),
                     number(event),
                     number(graph)};
    made->addresses = {0, 3, 0xdead'beef'0000, memory, memory + 1, memory + (1 << 16), ~std::uint64_t{0}};
    made->unified = {0, 3, 4095, number(made->zeros), memory, memory + (1 << 16), ~std::uint64_t{0}};
    return made;
}

static int host_function() { return 0; }

struct random_numbers {
    std::uint64_t state;
    std::uint64_t below(std::uint64_t limit) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return (state >> 33) % limit;
    }
};
static std::uint64_t argument(char kind, random_numbers& random, things const& of) {
    static constexpr std::uint64_t sizes[]{0, 1, 2, 3, 8, 1000}; // rows of them fit into a buffer
    static constexpr std::uint64_t numbers[]{0, 1, 2, 7, 64, 12345, 0x7fffffff, 0xffffffff};
    auto const address = [](auto* pointer) {
        return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(pointer));
    };
    switch (kind) {
        case 'h': return of.handles[random.below(of.handles.size())];
        case 'd': return of.addresses[random.below(of.addresses.size())];
        case 'u': return of.unified[random.below(of.unified.size())];
        case 'n': return sizes[random.below(std::size(sizes))];
        case 'i': return numbers[random.below(std::size(numbers))];
        case 'f': return random.below(2) == 0 ? 0 : address(&host_function);
        case 'r': return address(of.zeros);
        case 'p':
        default: return random.below(3) == 0 ? 0 : address(random.below(2) == 0 ? of.zeros : of.other_zeros);
    }
}

static constexpr unsigned tries = 100;

// As many arguments as any call takes: those after the last kind are null. Structures that are passed by value (a box and its
// extent are seven words) lie where the last ones do, and belong to the call, which may write to them.
static void call(void* function, std::uint64_t const (&a)[10]) {
    using word = std::uint64_t;
    using any_call = int (*)(word, word, word, word, word, word, word, word, word, word, // the kinds
                             word, word, word, word, word, word, word, word, word, word);
    static_cast<void>(reinterpret_cast<any_call>(function)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9],
                                                           0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

// One entry point in a process of its own, which has contexts and objects already.
static void try_call(void* function, std::string_view kinds, unsigned seed, things const& of, progress& last) {
    if (kinds == "?") kinds = "pppppp";
    random_numbers random{seed};
    for (unsigned number = 0; number < tries; ++number) {
        last.number = number;
        for (std::size_t i = 0; i < std::size(last.arguments); ++i)
            last.arguments[i] =
                i >= kinds.size() || (number == 0 && kinds[i] != 'r') ? 0 : argument(kinds[i], random, of);
        call(function, last.arguments);
    }
}

// How many of the calls crash or wait for ever; each says so.
static int count_crashes(char const* library, std::span<entry_point const> calls, bool is_in_context) {
    void* const handle = ::dlopen(library, RTLD_NOW | RTLD_NOLOAD);
    auto* const last = static_cast<progress*>(
        ::mmap(nullptr, sizeof(progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (handle == nullptr || last == MAP_FAILED) return -1;
    things* of = new things;
    if (is_in_context) {
        void* context = nullptr;
        if (cuInit(0) != 0 || cuDevicePrimaryCtxRetain(&context, 0) != 0 || cuCtxSetCurrent(context) != 0) return -1;
        static_cast<void>(program());
        of = make_things(context);
        of->handles[2] = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(registered_program::scale_stub()));
    }
    int crashes = 0;
    unsigned seed = 0;
    for (entry_point const& one : calls) {
        ++seed;
        void* const function = ::dlsym(handle, one.symbol);
        std::fflush(stdout);
        // Not by fork(): a child that the libraries know of cannot use the GPU.
        auto const child = static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
        if (child == 0) {
            for (int const signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) std::signal(signal, SIG_DFL);
            ::alarm(60);
            if (std::freopen("/dev/null", "w", stderr) == nullptr)
                std::_Exit(1); // hundreds of refusals name themselves
            try_call(function, one.kinds, seed, *of, *last);
            std::_Exit(0);
        }
        int status = 0;
        if (child < 0 || ::waitpid(child, &status, 0) != child || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
            continue;
        ++crashes;
        std::printf("%s, try %u: status %d, arguments", one.symbol, last->number, status);
        for (std::size_t i = 0; i < one.kinds.size(); ++i)
            std::printf(" %c:%llx", one.kinds[i], static_cast<unsigned long long>(last->arguments[i]));
        std::printf("\n");
    }
    return crashes;
}

TEST_CASE("child: garbage to the driver without a context" * doctest::skip()) {
    std::_Exit(count_crashes("libcuda.so.1", driver_calls, false) == 0 ? 42 : 1);
}
TEST_CASE("child: garbage to the driver" * doctest::skip()) {
    std::_Exit(count_crashes("libcuda.so.1", driver_calls, true) == 0 ? 42 : 1);
}
TEST_CASE("child: garbage to the runtime" * doctest::skip()) {
    std::_Exit(count_crashes("libcudart.so.13", runtime_calls, true) == 0 ? 42 : 1);
}
TEST_CASE("no call of the driver crashes for garbage without a context") {
    CHECK(test::run_test_case("child: garbage to the driver without a context", {}) == 42);
}
TEST_CASE("no call of the driver crashes for garbage") {
    CHECK(test::run_test_case("child: garbage to the driver", {}) == 42);
}
TEST_CASE("no call of the runtime crashes for garbage") {
    CHECK(test::run_test_case("child: garbage to the runtime", {}) == 42);
}

} // namespace arguments_test
