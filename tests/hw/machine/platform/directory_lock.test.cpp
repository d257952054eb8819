// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/directory_lock: the next one waits, nothing is left behind, and no directory is no obstacle.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include <gpuprof/hw/machine/platform/directory_lock.hpp>

#include "support/scratch_directory.hpp"

namespace directory_lock_test {

using gpuprof::platform::directory_lock;

TEST_CASE("directory_lock: who comes second waits until the first has gone") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/file";
    std::atomic<bool> entered = false;
    std::thread second;
    {
        directory_lock const first{file};
        second = std::thread{[&] {
            directory_lock const mine{scratch.path() + "/other"}; // of the same directory
            entered = true;
        }};
        std::this_thread::sleep_for(std::chrono::milliseconds{50});
        CHECK_FALSE(entered.load());
    }
    second.join();
    CHECK(entered.load());
    CHECK(scratch.files() == 0);
}

TEST_CASE("directory_lock: nobody waits for ever for a lock that somebody keeps") {
    scratch_directory scratch;
    std::string const file = scratch.path() + "/file";
    directory_lock const first{file};
    CHECK_FALSE(first.late());
    bool late = false;
    std::thread{[&] { late = directory_lock{file, 20}.late(); }}.join();
    CHECK(late);
}

TEST_CASE("directory_lock: a directory that is not there keeps nobody") {
    directory_lock const nowhere{"/no/such/directory/file"};
    directory_lock const again{"/no/such/directory/file"};
    CHECK(true); // came here
}

} // namespace directory_lock_test
