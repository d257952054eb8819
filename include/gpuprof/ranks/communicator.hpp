// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gpuprof needs of a program that runs as many processes: who this one is, and messages to one of them.
#ifndef GPUPROF_RANKS_COMMUNICATOR_HPP
#define GPUPROF_RANKS_COMMUNICATOR_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

// One gather: each of `ranks` calls it with the same number and the same list, and the first of them gets the messages.
struct gather_call {
    // The same on all of these ranks, and never used again between the same two of them.
    std::uint64_t number = 0;
    std::string_view message{}; // of this rank; any bytes
    std::span<std::size_t const> ranks{};
    unsigned deadline_ms = 0; // how long this rank waits at most
};

// The messages of a gather, in the order of gather_call::ranks; an error for a rank that sent nothing in time. Empty on the ranks
// that only send.
using messages = std::vector<result<std::string>>;

// A group of processes, as MPI or a launcher gives them. gpuprof has mpi_communicator (gpuprof/mpi.hpp) and folder_communicator;
// a class of your own takes ten lines (docs/many-gpus.md):
//
//     class my_ranks final : public gpuprof::ranks::communicator {
//         std::size_t rank() const noexcept override;
//         std::size_t size() const noexcept override;
//         gpuprof::result<gpuprof::ranks::messages> try_gather(gpuprof::ranks::gather_call const& call) override;
//     };
//
// Nothing of it is called in a callback of CUDA, in a destructor or at exit: only by functions that say that all ranks call them,
// on the thread that calls those. All ranks call them in the same order.
class communicator {
public:
    communicator() = default;
    communicator(communicator&&) = default; // @pre no operation is under way
    communicator& operator=(communicator&&) = delete;
    virtual ~communicator() = default;

    [[nodiscard]] virtual std::size_t rank() const noexcept = 0; // less than size()
    [[nodiscard]] virtual std::size_t size() const noexcept = 0; // at least 1
    // @pre this rank is in the list. Returns after deadline_ms at the latest, or as soon as all messages are there or sent.
    // Errors: io where this rank could not send or receive at all.
    [[nodiscard]] virtual result<messages> try_gather(gather_call const& call) = 0;

    // Waits until all ranks have called it. All ranks call it. Errors: not_collected after the deadline, with the ranks that did
    // not come. Cost: two messages a rank, one after another as often as the tree is deep.
    [[nodiscard]] result<void> try_barrier(unsigned deadline_ms);

    // A number for the messages of the next operation of all ranks. For code that is written over try_gather(); it leaves 65,536
    // numbers from this one on.
    [[nodiscard]] std::uint64_t next_operation() noexcept { return ++operations_ << 16; }

private:
    std::uint64_t operations_ = 0;
};

} // namespace ranks
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "communicator.inl.hpp"
#endif

#endif // GPUPROF_RANKS_COMMUNICATOR_HPP
