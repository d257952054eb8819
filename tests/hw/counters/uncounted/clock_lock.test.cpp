// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clock_lock, by a management library made up by the test: each of its calls fails in turn, and processes are killed in each.
#if !defined(_WIN32) // processes are killed

#include <doctest/doctest.h>

#include <csignal>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gpuprof/hw/counters/uncounted/clock_lock.hpp>
#include <gpuprof/hw/counters/uncounted/nvml.hpp>
#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/hw/machine/platform/process_identity.hpp>

#include "support/scratch_directory.hpp"

namespace clock_lock_test {

using namespace gpuprof;
using namespace gpuprof::hw::provided;

namespace {

enum call { none, handle, mig, virtualization, set, reset, calls };

// A GPU that all processes of the test share: the clocks outlive the process that locked them.
struct paper_gpu {
    unsigned least = 0, most = 0; // 0: not locked
    unsigned sets = 0, resets = 0;
    call fails = none;
    int status = 0;
    unsigned mig_now = 0, machines = 0;
    call kills_before = none, kills_after = none; // what the call does
};
paper_gpu* shared_gpu() {
    static void* const pages =
        ::mmap(nullptr, sizeof(paper_gpu), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return static_cast<paper_gpu*>(pages);
}

// What a call does: nothing where it fails; the process may die on either side of it.
template <class F>
int made(call which, F effect) {
    paper_gpu& gpu = *shared_gpu();
    if (gpu.kills_before == which) ::kill(::getpid(), SIGKILL);
    if (gpu.fails == which) return gpu.status;
    effect(gpu);
    if (gpu.kills_after == which) ::kill(::getpid(), SIGKILL);
    return 0;
}

nvml_table const& paper_library() {
    static nvml_table const table = [] {
        nvml_table all;
        all.handle_by_bus_id = [](char const* bus_id, nvml_device*) {
            return std::strcmp(bus_id, "0000:18:00.0") == 0 ? made(handle, [](paper_gpu&) {}) : 6;
        };
        all.mig_mode = [](nvml_device, unsigned* now, unsigned*) {
            return made(mig, [&](paper_gpu& gpu) { *now = gpu.mig_now; });
        };
        all.virtualization = [](nvml_device, unsigned* mode) {
            return made(virtualization, [&](paper_gpu& gpu) { *mode = gpu.machines; });
        };
        all.set_locked_clocks = [](nvml_device, unsigned least, unsigned most) {
            return made(set, [&](paper_gpu& gpu) {
                gpu.least = least;
                gpu.most = most;
                ++gpu.sets;
            });
        };
        all.reset_locked_clocks = [](nvml_device) {
            return made(reset, [](paper_gpu& gpu) {
                gpu.least = gpu.most = 0;
                ++gpu.resets;
            });
        };
        return all;
    }();
    return table;
}

struct paper {
    scratch_directory scratch;
    paper_gpu& gpu = *new (shared_gpu()) paper_gpu{};
    clock_lock_place place{&paper_library(), "0000:18:00.0", scratch.path(), false};
    std::string file = scratch.path() + "/gpuprof-clocks-0000-18-00.0";

    [[nodiscard]] result<clock_lock> lock(unsigned megahertz = 0) const {
        return clock_lock::try_create(place, megahertz);
    }
    [[nodiscard]] put_back_clocks put_back() const { return try_put_back_clocks(paper_library(), scratch.path()); }
    [[nodiscard]] bool has_file() const { return platform::is_there(file); }
    [[nodiscard]] bool locked() const { return gpu.most != 0; }
};

// Runs f in a process, which kills itself or is killed at its end. Returns whether it came to its end.
template <class F>
bool killed(F f) {
    int done[2];
    REQUIRE(::pipe(done) == 0);
    ::pid_t const child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        f();
        char const end = 'e';
        if (::write(done[1], &end, 1) != 1) ::_exit(1);
        ::kill(::getpid(), SIGKILL);
    }
    ::close(done[1]);
    char end = 0;
    bool const ended = ::read(done[0], &end, 1) == 1;
    ::close(done[0]);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    return ended;
}

} // namespace

TEST_CASE("clock_lock: the base clock is locked while it lives, or a stated frequency, and put back once") {
    paper here;
    {
        auto lock = here.lock();
        REQUIRE(lock);
        CHECK(here.gpu.least == 0xffff'ff01); // the driver's name for the base clock
        CHECK(here.gpu.most == 0xffff'ff01);
        CHECK(here.has_file());
        clock_lock moved = *std::move(lock);
        CHECK(here.locked());
        CHECK(moved.try_release());
        CHECK_FALSE(here.locked());
        CHECK(moved.try_release());
    }
    CHECK(here.gpu.resets == 1);
    CHECK_FALSE(here.has_file());
    {
        auto const lock = here.lock(1305);
        REQUIRE(lock);
        CHECK(here.gpu.least == 1305);
        CHECK(here.gpu.most == 1305);
    }
    CHECK_FALSE(here.locked());
    CHECK(here.scratch.files() == 0);
}

TEST_CASE("clock_lock: each call that fails in turn is a typed error, and nothing stays locked or behind") {
    struct expectation {
        int status;
        errc code;
    };
    for (call const which : {handle, mig, virtualization, set})
        for (expectation const& with : {expectation{4, errc::permission}, expectation{2, errc::invalid_argument},
                                        expectation{3, errc::unavailable}, expectation{15, errc::device_lost},
                                        expectation{999, errc::internal}}) {
            if (with.status == 3 && (which == mig || which == virtualization)) continue; // a GPU without the feature
            CAPTURE(static_cast<int>(which));
            CAPTURE(with.status);
            paper here;
            here.gpu.fails = which;
            here.gpu.status = with.status;
            auto const lock = here.lock();
            REQUIRE_FALSE(lock);
            CHECK(lock.error().code == with.code);
            CHECK(lock.error().status == with.status);
            CHECK(lock.error().what.starts_with("nvmlDevice"));
            CHECK_FALSE(lock.error().remedy.empty());
            CHECK_FALSE(here.locked());
            CHECK(here.scratch.files() == 0);
        }
    for (call const which : {mig, virtualization}) {
        paper here;
        here.gpu.fails = which;
        here.gpu.status = 3;
        CHECK(here.lock());
    }
}

TEST_CASE("clock_lock: a clock that cannot be put back is an error, and the next one puts it back") {
    for (call const which : {handle, reset}) {
        paper here;
        auto lock = here.lock();
        REQUIRE(lock);
        here.gpu.fails = which;
        here.gpu.status = 4;
        auto const released = lock->try_release();
        REQUIRE_FALSE(released);
        CHECK(released.error().code == errc::permission);
        CHECK(here.locked());
        CHECK(here.has_file());
        // The process lives: the file is taken for a lock that is held.
        here.gpu.fails = none;
        auto const again = here.lock();
        REQUIRE_FALSE(again);
        CHECK(again.error().code == errc::busy);
    }
}

TEST_CASE("clock_lock: calls that the library lacks, and no library, are errors before anything is done") {
    struct lack {
        void (*of)(nvml_table&);
        char const* what;
    };
    for (lack const& each :
         {lack{[](nvml_table& of) { of.handle_by_bus_id = nullptr; }, "nvmlDeviceGetHandleByPciBusId_v2"},
          lack{[](nvml_table& of) { of.set_locked_clocks = nullptr; }, "nvmlDeviceSetGpuLockedClocks"},
          lack{[](nvml_table& of) { of.reset_locked_clocks = nullptr; }, "nvmlDeviceResetGpuLockedClocks"},
          lack{[](nvml_table& of) {
                   of.missing = error{errc::unavailable, 0, "no library"};
               },
               "no library"}}) {
        paper here;
        nvml_table library = paper_library();
        each.of(library);
        here.place.library = &library;
        auto const lock = here.lock();
        REQUIRE_FALSE(lock);
        CHECK(lock.error().code == errc::unavailable);
        CHECK(lock.error().what == each.what);
        CHECK(here.gpu.sets == 0);
        CHECK(here.scratch.files() == 0);
    }
}

TEST_CASE("clock_lock: MIG, virtual GPUs and Jetson are told apart, each with what to do") {
    auto const refused = [](paper const& here) {
        auto const lock = here.lock();
        REQUIRE_FALSE(lock);
        CHECK(lock.error().code == errc::unavailable);
        CHECK(here.gpu.sets == 0);
        return lock.error().message();
    };
    paper here;
    here.gpu.mig_now = 1;
    CHECK(refused(here).find("MIG") != std::string::npos);
    here.gpu.mig_now = 0;
    for (unsigned const mode : {2u, 3u, 4u}) { // in a virtual machine, and two kinds of hosts
        here.gpu.machines = mode;
        CHECK(refused(here).find("virtual machines") != std::string::npos);
    }
    here.gpu.machines = 1; // handed to one virtual machine as a whole
    CHECK(here.lock());
    here.gpu.sets = 0;
    here.place.is_integrated = true;
    CHECK(refused(here).find("jetson_clocks") != std::string::npos);
}

TEST_CASE("clock_lock: a file that cannot be written keeps the clock from being locked") {
    paper here;
    here.place.directory = here.scratch.path() + "/none";
    auto const lock = here.lock();
    REQUIRE_FALSE(lock);
    CHECK(lock.error().code == errc::io);
    CHECK(here.gpu.sets == 0);
}

TEST_CASE("clock_lock: killed before or after any call, the next process finds the clock put back or puts it back") {
    for (bool const before : {true, false})
        for (call const which : {handle, mig, virtualization, set, reset, calls}) {
            CAPTURE(before);
            CAPTURE(static_cast<int>(which));
            for (bool const by_next : {true, false}) {
                paper here;
                (before ? here.gpu.kills_before : here.gpu.kills_after) = which;
                bool const ended = killed([&] {
                    auto lock = here.lock();
                    if (which == reset) static_cast<void>(lock->try_release());
                    if (which == calls) ::kill(::getpid(), SIGKILL); // holding it
                });
                CHECK_FALSE(ended);
                bool const was_set = which == set ? !before : which == reset ? before : which == calls;
                CHECK(here.locked() == was_set);
                CHECK((!here.locked() || here.has_file())); // never locked without the file
                here.gpu.kills_before = here.gpu.kills_after = none;
                if (by_next) {
                    {
                        auto const next = here.lock(900);
                        REQUIRE(next);
                        CHECK(here.gpu.most == 900);
                    }
                } else {
                    bool const left = here.has_file();
                    auto const back = here.put_back();
                    CHECK(back.problems.empty());
                    CHECK(back.gpus == (left ? 1u : 0u));
                }
                CHECK_FALSE(here.locked());
                CHECK(here.scratch.files() == 0);
            }
        }
}

TEST_CASE("clock_lock: what a dead process left stays where it cannot be put back, and is told") {
    paper here;
    CHECK_FALSE(killed([&] {
        auto const lock = here.lock();
        ::kill(::getpid(), SIGKILL);
    }));
    REQUIRE(here.locked());
    here.gpu.fails = reset;
    here.gpu.status = 4;
    auto const back = here.put_back();
    CHECK(back.gpus == 0);
    REQUIRE(back.problems.size() == 1);
    CHECK(back.problems[0].code == errc::permission);
    auto const next = here.lock();
    REQUIRE_FALSE(next);
    CHECK(next.error().code == errc::permission);
    CHECK(here.has_file());
    here.gpu.fails = none;
    CHECK(here.put_back().gpus == 1);
    CHECK_FALSE(here.locked());
}

TEST_CASE("clock_lock: a living process keeps its clock, of any number that was given again the clock is put back") {
    paper here;
    auto lock = here.lock();
    REQUIRE(lock);
    CHECK(here.put_back().gpus == 0);
    CHECK(here.locked());
    ::pid_t const child = ::fork(); // a child does not unlock
    REQUIRE(child >= 0);
    if (child == 0) {
        bool const left = lock->try_release().has_value() && here.locked() && here.lock().error().code == errc::busy;
        ::_exit(left ? 0 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(here.locked());
    // The number of this process, which started at another time: it belonged to one that has died.
    auto const own = platform::this_process();
    REQUIRE(platform::write_file(here.file, "1 0000:18:00.0 " + own.number + " 1 " + own.list + "\n",
                                 platform::file_readers::this_user));
    CHECK(here.put_back().gpus == 1);
    CHECK_FALSE(here.locked());
    // Of another container's processes nothing is known.
    REQUIRE(platform::write_file(here.file, "1 0000:18:00.0 " + own.number + " 1 pid:[1]\n",
                                 platform::file_readers::this_user));
    CHECK(here.put_back().gpus == 0);
    CHECK(here.has_file());
}

TEST_CASE("clock_lock: a file that says nothing, another GPU or belongs to others resets no clock") {
    auto const own = platform::this_process();
    for (std::string const& text : {std::string{}, std::string{"1"}, std::string{"2 0000:18:00.0 1 1 -\n"},
                                    "1 0000:19:00.0 " + own.number + " 1 " + own.list + "\n",
                                    "1 0000:18:00.0 " + own.number + " 1 " + own.list + "\nmore"}) {
        CAPTURE(text);
        paper here;
        REQUIRE(platform::write_file(here.file, text, platform::file_readers::this_user));
        auto const back = here.put_back();
        REQUIRE(back.problems.size() == 1);
        CHECK(back.problems[0].code == errc::io);
        CHECK(here.gpu.resets == 0);
        CHECK(here.has_file());
    }
    paper here;
    REQUIRE(platform::write_file(here.file, "1 0000:18:00.0 " + own.number + " 1 " + own.list + "\n",
                                 platform::file_readers::this_user));
    REQUIRE(::chmod(here.file.c_str(), 0666) == 0); // anybody could have written it
    REQUIRE(here.put_back().problems.size() == 1);
    CHECK(here.put_back().problems[0].code == errc::permission);
    CHECK(here.gpu.resets == 0);
}

TEST_CASE("clock_lock: process identities tell a living process from one that has ended") {
    auto const own = platform::this_process();
    CHECK_FALSE(own.start.empty());
    CHECK(own.start.find_first_not_of("0123456789") == std::string::npos);
    CHECK_FALSE(platform::has_ended(own));
    ::pid_t const child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0)
        for (;;) ::pause();
    std::string const number = std::to_string(child);
    auto const of_child = platform::process_identity{number, platform::process_start(number), own.list};
    CHECK_FALSE(platform::has_ended(of_child));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    CHECK(platform::has_ended(of_child));
}

} // namespace clock_lock_test

#endif
