// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that pass messages as files of a folder they all see.
#ifndef GPUPROF_RANKS_FOLDER_COMMUNICATOR_HPP
#define GPUPROF_RANKS_FOLDER_COMMUNICATOR_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "communicator.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

// For programs without MPI, and for those whose ranks may die: a launcher that tells each process its number is enough.
//
//     auto all = gpuprof::ranks::folder_communicator::try_create("/scratch/job-1234", rank, size).value();
//
// A message is a file, written beside and renamed, that its reader removes. The reader looks for it every 0.1 to 5 ms, so that an
// exchange takes about as long as the file system needs to show a new file to other machines: NFS may take seconds, which the
// deadline must allow. What a rank that died has left stays in the folder: give each run a folder of its own.
class folder_communicator final : public communicator {
public:
    // Makes the folder if it is not there. @pre all ranks name the same folder and size, each its own rank
    // Errors: invalid_argument for a rank that is not less than size; io if the folder can neither be made nor read;
    // invalid_state if it has messages of this rank, which are an earlier run's.
    [[nodiscard]] static result<folder_communicator> try_create(std::string folder, std::size_t rank, std::size_t size);

    [[nodiscard]] std::size_t rank() const noexcept override { return rank_; }
    [[nodiscard]] std::size_t size() const noexcept override { return size_; }
    [[nodiscard]] std::string const& folder() const noexcept { return folder_; }
    [[nodiscard]] result<messages> try_gather(gather_call const& call) override;

private:
    folder_communicator(std::string folder, std::size_t rank, std::size_t size) noexcept
        : folder_{std::move(folder)}, rank_{rank}, size_{size} {}
    [[nodiscard]] std::string file_of(std::uint64_t number, std::size_t from, std::size_t to) const;

    std::string folder_;
    std::size_t rank_;
    std::size_t size_;
};

} // namespace ranks
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "folder_communicator.inl.hpp"
#endif

#endif // GPUPROF_RANKS_FOLDER_COMMUNICATOR_HPP
