# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# For projects that use gpuprof: their CUDA programs as tests that need no GPU (docs/cuda-programs.md).
#
# gpuprof_add_embedded_test(<target> [NAME <test>] [CHIP <chip>] [PTX <number>] [KERNELS text|csv|json|none] [OUTPUT <file>]
#                           [CHECK <words>] [DISCOVER <function>] [ARGUMENTS <word>...])
#
# Makes <target>_embedded from the same sources and settings as <target>, an executable with CUDA sources, but with PTX in it
# (compute_<number>, 80 if nothing is said) and CUDA's runtime as a shared library; and registers a test (<target>_embedded)
# that runs it on the embedded GPU. CHIP chooses the GPU; KERNELS and OUTPUT say how and where its kernels are told when it
# ends: a test that passes or fails by itself tells none, unless one of the two is given. CHECK ("all", "races,memory") lets the
# test fail if its kernels have such errors. DISCOVER makes a test of each test case: doctest_discover_tests,
# catch_discover_tests or gtest_discover_tests, of the framework's own CMake module. The target itself stays as it is: for
# machines with a GPU. What it gets after this call (sources, libraries, definitions) counts, too. Of an installed gpuprof
# this needs the part that GPUPROF_INSTALL_COMPILED installs.

# Copies what was set for the target. Called when all folders of the project have been read.
function(gpuprof_copy_target target embedded)
    get_target_property(folder ${target} SOURCE_DIR)
    get_target_property(sources ${target} SOURCES)
    list(TRANSFORM sources PREPEND ${folder}/ REGEX "^[^/$]")
    set_property(TARGET ${embedded} APPEND PROPERTY SOURCES ${sources})
    # The name of the target in what was set for it must go on to mean that target's folder: absolute paths, as CMake keeps them.
    foreach(property IN ITEMS INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FEATURES LINK_OPTIONS
                              LINK_DIRECTORIES)
        get_target_property(value ${target} ${property})
        if(value)
            set_property(TARGET ${embedded} APPEND PROPERTY ${property} "${value}")
        endif()
    endforeach()
    foreach(property IN ITEMS CUDA_STANDARD CXX_STANDARD CUDA_EXTENSIONS CXX_EXTENSIONS)
        get_target_property(value ${target} ${property})
        if(NOT value STREQUAL "value-NOTFOUND")
            set_target_properties(${embedded} PROPERTIES ${property} "${value}")
        endif()
    endforeach()
    get_target_property(libraries ${target} LINK_LIBRARIES)
    if(libraries)
        list(TRANSFORM libraries REPLACE "^CUDA::cudart_static$" "CUDA::cudart")
        set_property(TARGET ${embedded} APPEND PROPERTY LINK_LIBRARIES "${libraries}")
    endif()
endfunction()

# Called once for each target.
function(gpuprof_add_embedded_test target)
    cmake_parse_arguments(PARSE_ARGV 1 given "" "NAME;CHIP;PTX;KERNELS;OUTPUT;CHECK;DISCOVER" "ARGUMENTS")
    if(given_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "gpuprof_add_embedded_test: what is ${given_UNPARSED_ARGUMENTS}?")
    endif()
    if(NOT TARGET ${target})
        message(FATAL_ERROR "gpuprof_add_embedded_test: there is no target ${target}")
    endif()
    set(embedded ${target}_embedded)
    if(NOT given_NAME)
        set(given_NAME ${embedded})
    endif()
    if(NOT given_PTX)
        set(given_PTX 80)
    endif()

    add_executable(${embedded})
    cmake_language(EVAL CODE
        "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL gpuprof_copy_target [[${target}]] [[${embedded}]])")
    set_target_properties(${embedded} PROPERTIES CUDA_RUNTIME_LIBRARY Shared CUDA_ARCHITECTURES ${given_PTX}-virtual)
    # The folder of the toolkit's libcudart, if it gets into the program, must come after LD_LIBRARY_PATH.
    target_link_options(${embedded} PRIVATE LINKER:--enable-new-dtags)
    if(TARGET gpuprof_runtime) # gpuprof is a folder of this project: its libraries are built with the program
        add_dependencies(${embedded} gpuprof_runtime)
    endif()

    if(NOT given_KERNELS AND NOT given_OUTPUT)
        set(given_KERNELS none)
    endif()
    set(options)
    foreach(option IN ITEMS CHIP KERNELS OUTPUT CHECK)
        if(given_${option})
            string(TOLOWER ${option} word)
            list(APPEND options --${word} ${given_${option}})
        endif()
    endforeach()
    if(given_CHECK)
        list(APPEND options --check-exit-code 1)
    endif()
    set(on_embedded_gpu ${GPUPROF_COMMAND} run ${options} --)
    if(given_DISCOVER)
        # By the first of these the frameworks' functions list and run cases; from CMake 3.29 on, by the second.
        set_target_properties(${embedded} PROPERTIES CROSSCOMPILING_EMULATOR "${on_embedded_gpu}"
                              TEST_LAUNCHER "${on_embedded_gpu}")
        if(given_ARGUMENTS)
            set(given_ARGUMENTS EXTRA_ARGS ${given_ARGUMENTS})
        endif()
        cmake_language(CALL ${given_DISCOVER} ${embedded} TEST_PREFIX ${given_NAME}/ ${given_ARGUMENTS})
        return()
    endif()
    add_test(NAME ${given_NAME} COMMAND ${on_embedded_gpu} $<TARGET_FILE:${embedded}> ${given_ARGUMENTS})
endfunction()
