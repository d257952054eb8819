// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ranks of an MPI communicator.
#ifndef GPUPROF_RANKS_MPI_COMMUNICATOR_HPP
#define GPUPROF_RANKS_MPI_COMMUNICATOR_HPP

#include "../detail/config.hpp"

#if __has_include(<mpi.h>) // else the program has no MPI_Comm to make one of

#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include "../core/result.hpp"
#include "../detail/owned.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/platform/thread.hpp"
#include "communicator.hpp"
#include "silent_rank.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

// Messages of gpuprof over MPI: point to point and without blocking, so that a rank that is silent costs no more than a deadline.
// Any MPI of version 3 or later; tested with Open MPI and MPICH.
//
//     MPI_Init(&argc, &argv);
//     gpuprof::ranks::mpi_communicator all{MPI_COMM_WORLD};
//
// Calls MPI on the thread that calls gpuprof, where MPI_THREAD_FUNNELED or more is needed if that is not the only thread; never in
// a callback of CUDA, in its destructor or at exit. @pre MPI is initialised, and finalised after the last use; the program receives
// no messages of MPI_ANY_TAG meanwhile (else give it a duplicate of the communicator). What MPI does with an error is the program's
// choice: by MPI's default it ends the program.
class mpi_communicator final : public communicator {
public:
    static constexpr int tag = 26'480; // "gp"; every MPI has tags up to 32,767

    explicit mpi_communicator(MPI_Comm all) noexcept : all_{all} {
        int rank = 0, size = 1;
        MPI_Comm_rank(all_, &rank);
        MPI_Comm_size(all_, &size);
        rank_ = static_cast<std::size_t>(rank);
        size_ = static_cast<std::size_t>(size);
    }
    mpi_communicator(mpi_communicator&&) = default;
    // What MPI has not sent yet stays, for it may still read it.
    ~mpi_communicator() override {
        for (auto& each : sent_) static_cast<void>(each.release());
    }

    [[nodiscard]] std::size_t rank() const noexcept override { return rank_; }
    [[nodiscard]] std::size_t size() const noexcept override { return size_; }
    [[nodiscard]] MPI_Comm handle() const noexcept { return all_; }

    // Errors: io for what MPI refuses, and before MPI_Init or after MPI_Finalize.
    [[nodiscard]] result<messages> try_gather(gather_call const& call) override {
        messages got;
        if (call.ranks.empty()) return result<messages>{std::move(got)};
        int begun = 0, over = 0;
        MPI_Initialized(&begun);
        MPI_Finalized(&over);
        if (begun == 0 || over != 0) return refused("MPI is not initialised, or finalised already");
        std::uint64_t const until = platform::monotonic_nanoseconds() + std::uint64_t{call.deadline_ms} * 1'000'000;
        forget_sent();
        if (call.ranks.front() != rank_) {
            if (auto sent = try_send(call, until); !sent) return std::move(sent).error();
            return result<messages>{std::move(got)};
        }
        std::vector<std::size_t> waiting;
        for (std::size_t const each : call.ranks) {
            if (each != rank_) waiting.push_back(got.size());
            got.emplace_back(each == rank_ ? result<std::string>{std::string{call.message}}
                                           : result<std::string>{problem_of({{each, 0}})});
        }
        for (unsigned round = 0; !waiting.empty(); ++round) {
            bool const is_last = platform::monotonic_nanoseconds() >= until;
            std::size_t left = 0;
            for (std::size_t const at : waiting)
                if (!received(call.ranks[at], call.number, until, got[at])) waiting[left++] = at;
            waiting.resize(left);
            if (is_last) break;
            if (!waiting.empty()) platform::wait_a_little(round);
        }
        return result<messages>{std::move(got)};
    }

private:
    static constexpr std::size_t head = sizeof(std::uint64_t); // the number of the gather, before the message
    struct sent_message {
        std::string bytes;
        MPI_Request request = MPI_REQUEST_NULL;
    };
    struct early_message {
        std::size_t from;
        std::uint64_t number;
        std::string message;
    };

    [[nodiscard]] static error refused(char const* why) {
        return {errc::io, 0, "no messages can be passed by MPI", why, "call it between MPI_Init and MPI_Finalize"};
    }

    [[nodiscard]] result<void> try_send(gather_call const& call, std::uint64_t until) {
        if (call.message.size() > static_cast<std::size_t>(INT_MAX) - head)
            return refused("the message has more than 2 GiB");
        auto& message = *sent_.emplace_back(new sent_message{});
        message.bytes.resize(head);
        std::memcpy(message.bytes.data(), &call.number, head);
        message.bytes.append(call.message);
        int const status = MPI_Isend(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE,
                                     static_cast<int>(call.ranks.front()), tag, all_, &message.request);
        if (status != MPI_SUCCESS) {
            sent_.pop_back();
            return refused("MPI_Isend failed");
        }
        for (unsigned round = 0; !is_done(message.request) && platform::monotonic_nanoseconds() < until; ++round)
            platform::wait_a_little(round);
        forget_sent();
        return {};
    }
    [[nodiscard]] static bool is_done(MPI_Request& request) {
        int done = 1;
        if (request != MPI_REQUEST_NULL) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    }
    void forget_sent() {
        std::erase_if(sent_, [](auto& each) { return is_done(each->request); });
    }

    // Whether the message of that number is there. Older ones, of gathers whose deadline is over, are dropped; newer ones, of a
    // rank that has gone on, are kept.
    [[nodiscard]] bool received(std::size_t from, std::uint64_t number, std::uint64_t until,
                                result<std::string>& into) {
        for (std::size_t i = 0; i < early_.size(); ++i) {
            if (early_[i].from != from || early_[i].number != number) continue;
            into = std::move(early_[i].message);
            early_.erase(early_.begin() + static_cast<std::ptrdiff_t>(i));
            return true;
        }
        for (;;) {
            int is_there = 0, size = 0;
            MPI_Message message = MPI_MESSAGE_NULL;
            MPI_Status status;
            MPI_Improbe(static_cast<int>(from), tag, all_, &is_there, &message, &status);
            if (is_there == 0) return false;
            MPI_Get_count(&status, MPI_BYTE, &size);
            // Not freed before MPI has filled it: a rank that dies in the middle of a long message leaves it behind.
            auto* const bytes = new std::string(static_cast<std::size_t>(size), '\0');
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Imrecv(bytes->data(), size, MPI_BYTE, &message, &request);
            unsigned round = 0;
            while (!is_done(request)) {
                if (platform::monotonic_nanoseconds() >= until) return false;
                platform::wait_a_little(round++);
            }
            std::string const text = std::move(*bytes);
            delete bytes;
            std::uint64_t found = 0;
            if (text.size() < head) continue;
            std::memcpy(&found, text.data(), head);
            if (found == number) {
                into = text.substr(head);
                return true;
            }
            if (found > number) {
                early_.push_back({from, found, text.substr(head)});
                return false;
            }
        }
    }

    MPI_Comm all_;
    std::size_t rank_ = 0;
    std::size_t size_ = 1;
    std::vector<gpuprof::detail::owned<sent_message>> sent_{};
    std::vector<early_message> early_{};
};

} // namespace ranks
GPUPROF_NAMESPACE_END

#endif // <mpi.h>

#endif // GPUPROF_RANKS_MPI_COMMUNICATOR_HPP
