# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs with MPI, by each implementation that is installed (Debian: libopenmpi-dev openmpi-bin, libmpich-dev mpich), since a
# machine may have both and find_package(MPI) finds one.

# gpuprof_add_mpi_program(<target> <mpi> <source> <library>...): <mpi> is openmpi or mpich. Makes no target where it is not installed.
function(gpuprof_add_mpi_program target mpi source)
    find_program(GPUPROF_MPICXX_${mpi} mpicxx.${mpi})
    find_program(GPUPROF_MPIRUN_${mpi} mpirun.${mpi})
    mark_as_advanced(GPUPROF_MPICXX_${mpi} GPUPROF_MPIRUN_${mpi})
    if(NOT GPUPROF_MPICXX_${mpi} OR NOT GPUPROF_MPIRUN_${mpi} OR CMAKE_CROSSCOMPILING)
        return()
    endif()
    if(CMAKE_CXX_FLAGS MATCHES "-fsanitize") # which finds what MPI's own libraries leave behind
        return()
    endif()
    # "g++ -I... -L... -lmpi": the compiler is this project's
    execute_process(COMMAND ${GPUPROF_MPICXX_${mpi}} -show OUTPUT_VARIABLE line OUTPUT_STRIP_TRAILING_WHITESPACE)
    separate_arguments(words UNIX_COMMAND "${line}")
    list(POP_FRONT words)
    add_executable(${target} ${source})
    foreach(word IN LISTS words)
        if(word MATCHES "^-I(.+)$")
            target_include_directories(${target} SYSTEM PRIVATE ${CMAKE_MATCH_1})
        elseif(word MATCHES "^-L(.+)$")
            target_link_directories(${target} PRIVATE ${CMAKE_MATCH_1})
        elseif(word MATCHES "^-l")
            target_link_libraries(${target} PRIVATE ${word})
        endif()
    endforeach()
    target_compile_definitions(${target} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX) # the C interface is all that is used
    target_link_libraries(${target} PRIVATE ${ARGN})
endfunction()

# Also as root and with more ranks than processors, as in a container.
function(gpuprof_set_mpi_properties name)
    set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 300 ENVIRONMENT
        "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_btl_vader_single_copy_mechanism=none;GPUPROF_DEVICE=sim")
endfunction()

# gpuprof_add_mpi_test(<name> <target> <mpi> <ranks> <argument>...)
function(gpuprof_add_mpi_test name target mpi ranks)
    if(NOT TARGET ${target})
        return()
    endif()
    add_test(NAME ${name} COMMAND ${GPUPROF_MPIRUN_${mpi}} -n ${ranks} $<TARGET_FILE:${target}> ${ARGN})
    gpuprof_set_mpi_properties(${name})
endfunction()
