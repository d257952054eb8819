// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads as the ranks of a program, with a communicator as users write one: over any store of texts by key.
#ifndef GPUPROF_TESTS_SUPPORT_THREAD_RANKS_HPP
#define GPUPROF_TESTS_SUPPORT_THREAD_RANKS_HPP

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gpuprof/ranks.hpp>

namespace test {

// A store as launchers have one: a value by its key, which readers wait for.
class text_store {
public:
    void set(std::string const& key, std::string value) {
        std::lock_guard const lock{mutex_};
        values_[key] = std::move(value);
        changed_.notify_all();
    }
    [[nodiscard]] gpuprof::result<std::string> wait(std::string const& key, unsigned deadline_ms) {
        std::unique_lock lock{mutex_};
        auto const is_there = [&] { return values_.count(key) != 0; };
        if (changed_.wait_for(lock, std::chrono::milliseconds{deadline_ms}, is_there))
            return gpuprof::result<std::string>{values_.extract(key).mapped()};
        return gpuprof::error{gpuprof::errc::not_collected, 0, "nobody has set " + key};
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, std::string> values_;
};

// shown: docs/many-gpus.md
class store_ranks final : public gpuprof::ranks::communicator {
public:
    store_ranks(text_store& store, std::size_t rank, std::size_t size) : store_{&store}, rank_{rank}, size_{size} {}
    std::size_t rank() const noexcept override { return rank_; }
    std::size_t size() const noexcept override { return size_; }
    gpuprof::result<gpuprof::ranks::messages> try_gather(gpuprof::ranks::gather_call const& call) override {
        auto const key = [&](std::size_t from) {
            return std::to_string(call.number) + "/" + std::to_string(from) + "/" + std::to_string(call.ranks[0]);
        };
        gpuprof::ranks::messages got;
        if (call.ranks[0] != rank_) store_->set(key(rank_), std::string{call.message});
        else
            for (std::size_t const each : call.ranks)
                got.push_back(each == rank_ ? std::string{call.message} : store_->wait(key(each), call.deadline_ms));
        return gpuprof::result<gpuprof::ranks::messages>{std::move(got)};
    }

private:
    text_store* store_;
    std::size_t rank_, size_;
};
// end shown

// One call of which fails.
class failing_ranks final : public gpuprof::ranks::communicator {
public:
    failing_ranks(gpuprof::ranks::communicator& all, unsigned fails) : all_{&all}, left_{fails} {}
    std::size_t rank() const noexcept override { return all_->rank(); }
    std::size_t size() const noexcept override { return all_->size(); }
    gpuprof::result<gpuprof::ranks::messages> try_gather(gpuprof::ranks::gather_call const& call) override {
        if (left_-- == 0) return gpuprof::error{gpuprof::errc::io, 0, "this call fails"};
        return all_->try_gather(call);
    }

private:
    gpuprof::ranks::communicator* all_;
    unsigned left_;
};

// Runs work(communicator) on a thread a rank.
template <class Work>
void as_ranks(std::size_t size, Work work) {
    text_store store;
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < size; ++rank)
        threads.emplace_back([&, rank] {
            store_ranks all{store, rank, size};
            work(all);
        });
    for (std::thread& each : threads) each.join();
}

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_THREAD_RANKS_HPP
