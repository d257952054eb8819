// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// main() of unit tests that mpirun starts, with doctest's MPI extension where it is installed.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <mpi.h>

#if __has_include(<doctest/extensions/doctest_mpi.h>)
#include <doctest/extensions/doctest_mpi.h>
#endif

int main(int count, char** arguments) {
#if __has_include(<doctest/extensions/doctest_mpi.h>)
    doctest::mpi_init_thread(count, arguments, MPI_THREAD_FUNNELED);
#else
    MPI_Init(&count, &arguments);
#endif
    int const failed = doctest::Context{count, arguments}.run();
#if __has_include(<doctest/extensions/doctest_mpi.h>)
    doctest::mpi_finalize();
#else
    MPI_Finalize();
#endif
    return failed;
}
