// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprof/ranks.hpp for programs with MPI. Needs the <mpi.h> that the program is compiled with; nothing of it is in gpuprof::compiled.
// A list, nothing else.
#ifndef GPUPROF_MPI_HPP
#define GPUPROF_MPI_HPP

#include "ranks.hpp"
#include "ranks/mpi_communicator.hpp"

#endif // GPUPROF_MPI_HPP
