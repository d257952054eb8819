// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// profiler_options::lock_counters and hw/machine/counter_lock: processes that count wait for each other by Nsight Compute's
// lock file; what keeps the lock from being had is a problem of the report, which has its values.
#if !defined(_WIN32) // locks of other programs are made by POSIX calls, and other processes by fork

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/machine/counter_lock.hpp>

#include "support/measured.hpp"
#include "support/scratch_directory.hpp"

namespace counter_lock_test {

namespace metrics = gpuprof::metrics;
using gpuprof::errc;
using gpuprof::scope;
using gpuprof::hw::counter_lock;

namespace {

// A directory of its own for the lock file, while it lives.
class own_directory {
public:
    explicit own_directory(std::string const& below = {}) {
        if (char const* const now = std::getenv("TMPDIR")) before_ = now;
        ::setenv("TMPDIR", (scratch_.path() + below).c_str(), 1);
    }
    ~own_directory() {
        if (before_) ::setenv("TMPDIR", before_->c_str(), 1);
        else ::unsetenv("TMPDIR");
    }
    own_directory(own_directory const&) = delete;
    own_directory& operator=(own_directory const&) = delete;

    [[nodiscard]] std::string file() const { return scratch_.path() + "/nsight-compute-lock"; }
    [[nodiscard]] std::string const& path() const { return scratch_.path(); }

private:
    scratch_directory scratch_;
    std::optional<std::string> before_;
};

enum class kind { by_flock, by_record, by_gpuprof };

// Whether a program that uses this kind of lock would get it at once, in a process of its own.
bool is_free(std::string const& path, kind of) {
    ::pid_t const child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        int const file = ::open(path.c_str(), O_RDWR);
        if (file < 0) ::_exit(2);
        struct flock record = {};
        record.l_type = F_WRLCK;
        ::_exit((of == kind::by_flock ? ::flock(file, LOCK_EX | LOCK_NB) : ::fcntl(file, F_SETLK, &record)) == 0 ? 0
                                                                                                                 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) != 2);
    return WEXITSTATUS(status) == 0;
}

// A process that holds the lock until it is killed.
class holder {
public:
    holder(std::string const& path, kind of) {
        int ready[2];
        REQUIRE(::pipe(ready) == 0);
        child_ = ::fork();
        REQUIRE(child_ >= 0);
        if (child_ == 0) {
            bool got = false;
            counter_lock ours;
            if (of == kind::by_gpuprof) {
                if (auto had = counter_lock::try_acquire(0)) {
                    ours = *std::move(had);
                    got = true;
                }
            } else {
                int const file = ::open(path.c_str(), O_RDWR | O_CREAT, 0666);
                struct flock record = {};
                record.l_type = F_WRLCK;
                got = (of == kind::by_flock ? ::flock(file, LOCK_EX) : ::fcntl(file, F_SETLK, &record)) == 0;
            }
            char const answer = got ? 'y' : 'n';
            if (::write(ready[1], &answer, 1) != 1) ::_exit(1);
            for (;;) ::pause();
        }
        char answer = 'n';
        REQUIRE(::read(ready[0], &answer, 1) == 1);
        ::close(ready[0]);
        ::close(ready[1]);
        REQUIRE(answer == 'y');
    }
    void end() {
        if (child_ <= 0) return;
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
        child_ = 0;
    }
    ~holder() { end(); }
    holder(holder const&) = delete;
    holder& operator=(holder const&) = delete;

private:
    ::pid_t child_ = 0;
};

// One collection; calls during() in the measured pass.
template <class F>
gpuprof::report measure(gpuprof::device const& gpu, test::measured_device& machine, gpuprof::profiler_options options,
                        F during) {
    options.max_ranges = 1;
    auto made = gpuprof::profiler::try_create(gpu, options, metrics::warps_launched);
    REQUIRE(made);
    auto& prof = *made;
    for ([[maybe_unused]] auto each : prof.passes()) {
        scope all{prof, "all"};
        machine.launch(3);
        during();
    }
    auto report = prof.try_report();
    REQUIRE(report);
    return *std::move(report);
}
gpuprof::report measure(gpuprof::device const& gpu, test::measured_device& machine,
                        gpuprof::profiler_options const& options = {}) {
    return measure(gpu, machine, options, [] {});
}

double warps_of(gpuprof::report const& report) {
    auto const value = report.at(0).try_value(metrics::warps_launched.name());
    return value ? value->value : -1;
}

} // namespace

TEST_CASE("counter lock: both kinds of locks are held while counters are armed, and the file stays for all users") {
    own_directory const here;
    test::measured_device machine;
    auto const gpu = machine.open();
    ::mode_t const before = ::umask(077);
    bool flock_free = true, record_free = true;
    auto const report = measure(gpu, machine, {}, [&] {
        flock_free = is_free(here.file(), kind::by_flock);
        record_free = is_free(here.file(), kind::by_record);
    });
    ::umask(before);
    CHECK_FALSE(flock_free);
    CHECK_FALSE(record_free);
    CHECK(report.complete());
    struct stat left = {};
    REQUIRE(::stat(here.file().c_str(), &left) == 0);
    CHECK((left.st_mode & 0777) == 0666);
    CHECK(left.st_size == 0);
    CHECK(is_free(here.file(), kind::by_flock));
    CHECK(is_free(here.file(), kind::by_record));
}

TEST_CASE(
    "counter lock: a profiler that stays armed keeps it, one that is off or embedded or counts nothing takes none") {
    own_directory const here;
    test::measured_device machine;
    auto const gpu = machine.open();
    gpuprof::profiler_options off;
    off.lock_counters = false;
    CHECK(measure(gpu, machine, off).complete());
    auto embedded = gpuprof::device::try_open(machine.tables(), 0, gpuprof::device_source::embedded);
    REQUIRE(embedded);
    CHECK(measure(*embedded, machine).complete());
    CHECK(::access(here.file().c_str(), F_OK) != 0);

    gpuprof::profiler_options options;
    options.stay_armed = true;
    {
        auto prof = gpuprof::profiler::try_create(gpu, options, metrics::warps_launched);
        REQUIRE(prof);
        for ([[maybe_unused]] auto each : prof->passes()) {
            scope all{*prof, "all"};
            machine.launch(1);
        }
        CHECK_FALSE(is_free(here.file(), kind::by_flock));
        gpuprof::profiler const moved = *std::move(prof);
        CHECK_FALSE(is_free(here.file(), kind::by_flock));
    }
    CHECK(is_free(here.file(), kind::by_flock));
}

TEST_CASE("counter lock: a holder of either kind keeps a profiler waiting for the stated time, then it measures with a "
          "problem") {
    for (kind const of : {kind::by_flock, kind::by_record, kind::by_gpuprof}) {
        own_directory const here;
        test::measured_device machine;
        auto const gpu = machine.open();
        holder other{here.file(), of};
        gpuprof::profiler_options options;
        options.longest_wait_ms = 60;
        auto const start = std::chrono::steady_clock::now();
        auto const report = measure(gpu, machine, options);
        CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds{60});
        CHECK(warps_of(report) == 3);
        REQUIRE(report.completeness().problems.size() == 1);
        gpuprof::error const& why = report.completeness().problems[0];
        CHECK(why.code == errc::busy);
        CHECK(why.what.find(here.file()) != std::string::npos);
        CHECK(why.cause.find("60 ms") != std::string::npos);
        CHECK_FALSE(why.remedy.empty());
        other.end(); // killed: the lock is free
        CHECK(measure(gpu, machine, options).complete());
    }
}

TEST_CASE("counter lock: profilers of one process share it, and the last gives it back") {
    own_directory const here;
    auto first = counter_lock::try_acquire(0);
    REQUIRE(first);
    auto second = counter_lock::try_acquire(0);
    REQUIRE(second);
    counter_lock moved = *std::move(first);
    CHECK_FALSE(first->held());
    moved = *std::move(second); // gives the first one back
    CHECK_FALSE(is_free(here.file(), kind::by_record));
    moved.release();
    CHECK(is_free(here.file(), kind::by_record));
    moved.release(); // again: nothing
    REQUIRE(counter_lock::try_acquire(0));
}

TEST_CASE("counter lock: a forked child has none of its parent's, waits for it, and does not give it back") {
    own_directory const here;
    auto mine = counter_lock::try_acquire(0);
    REQUIRE(mine);
    ::pid_t const child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        auto const denied = counter_lock::try_acquire(10);
        mine->release();
        bool const well = !denied && denied.error().code == errc::busy && !is_free(here.file(), kind::by_flock);
        ::_exit(well ? 0 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK_FALSE(is_free(here.file(), kind::by_flock));
    // A child that lives on keeps nothing that the parent gave back.
    ::pid_t const sleeper = ::fork();
    REQUIRE(sleeper >= 0);
    if (sleeper == 0)
        for (;;) ::pause();
    mine->release();
    CHECK(is_free(here.file(), kind::by_flock));
    CHECK(is_free(here.file(), kind::by_record));
    ::kill(sleeper, SIGKILL);
    ::waitpid(sleeper, nullptr, 0);
}

TEST_CASE("counter lock: what keeps it from being had is a typed problem with a remedy, and the values are there") {
    auto const problem = [] {
        test::measured_device machine;
        auto const gpu = machine.open();
        auto const report = measure(gpu, machine);
        CHECK(warps_of(report) == 3);
        REQUIRE(report.completeness().problems.size() == 1);
        CHECK(report.completeness().problems[0].remedy.find("TMPDIR") != std::string::npos);
        return report.completeness().problems[0].code;
    };
    {
        own_directory const here{"/none"};
        CHECK(problem() == errc::io);
    }
    {
        own_directory const here;
        REQUIRE(::symlink("/dev/null", here.file().c_str()) == 0);
        CHECK(problem() == errc::io);
    }
    {
        own_directory const here;
        REQUIRE(::mkdir(here.file().c_str(), 0777) == 0);
        CHECK(problem() == errc::io);
    }
    {
        own_directory const here;
        REQUIRE(::mkfifo(here.file().c_str(), 0666) == 0);
        CHECK(problem() == errc::io);
    }
}

TEST_CASE("counter lock: another user's file is locked if it may be read, and is an error else") {
    if (::geteuid() != 0) {
        MESSAGE("skipped: only root can become another user");
        return;
    }
    own_directory const here;
    // What a user without rights gets for a file of root's with that mode; 100: the lock.
    auto const outcome = [&](::mode_t directory, ::mode_t file, bool exists = true) {
        static_cast<void>(::unlink(here.file().c_str()));
        if (exists) ::close(::open(here.file().c_str(), O_CREAT | O_RDWR, 0666));
        if (exists) REQUIRE(::chmod(here.file().c_str(), file) == 0);
        REQUIRE(::chmod(here.path().c_str(), directory) == 0);
        ::pid_t const child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(99);
            auto const lock = counter_lock::try_acquire(10);
            ::_exit(lock ? 100 : static_cast<int>(lock.error().code));
        }
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        return WEXITSTATUS(status);
    };
    CHECK(outcome(01777, 0666) == 100); // as in /tmp, where fs.protected_regular refuses O_CREAT
    CHECK(outcome(01777, 0644) == 100); // made by a program under a umask
    CHECK(outcome(01777, 0600) == static_cast<int>(errc::permission));
    CHECK(outcome(0755, 0, false) == static_cast<int>(errc::permission)); // it cannot be made
    CHECK(outcome(01777, 0, false) == 100);
    {
        static_cast<void>(::unlink(here.file().c_str()));
        ::close(::open(here.file().c_str(), O_CREAT | O_RDWR, 0644));
        holder const other{here.file(), kind::by_record};
        ::pid_t const child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(99);
            auto const lock = counter_lock::try_acquire(10);
            ::_exit(lock ? 100 : static_cast<int>(lock.error().code));
        }
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(WEXITSTATUS(status) == static_cast<int>(errc::busy)); // also by a file that may only be read
    }
}

} // namespace counter_lock_test

#endif
