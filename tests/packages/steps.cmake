# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the scripts beside do alike. They are given SOURCE, gpuprof's; BUILD, a folder; COMPILER.
cmake_minimum_required(VERSION 3.25)
set(ENV{CXX} ${COMPILER})
file(REMOVE_RECURSE ${BUILD})

function(run)
    execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE text ERROR_VARIABLE text RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\nends with ${status}:\n${text}")
    endif()
    set(text "${text}" PARENT_SCOPE)
endfunction()

# configure(<folder> <option>...): gpuprof in that build folder
function(configure folder)
    run(${CMAKE_COMMAND} -S ${SOURCE} -B ${folder} -DGPUPROF_BUILD_TESTS=OFF -DGPUPROF_BUILD_EXAMPLES=OFF ${ARGN})
endfunction()

# consume(<prefix>): a project that finds gpuprof there is built, and run; `directory` is where it was found
function(consume prefix)
    run(${CMAKE_COMMAND} -S ${SOURCE}/tests/consumer/find_package -B ${BUILD}/consumer -DCMAKE_PREFIX_PATH=${prefix})
    run(${CMAKE_COMMAND} --build ${BUILD}/consumer)
    run(${BUILD}/consumer/consumer)
    load_cache(${BUILD}/consumer READ_WITH_PREFIX "" gpuprof_DIR)
    set(directory ${gpuprof_DIR} PARENT_SCOPE)
endfunction()

function(must_be what value expected)
    if(NOT value STREQUAL expected)
        message(FATAL_ERROR "${what} is ${value}, not ${expected}")
    endif()
endfunction()

# The version, as the header has it.
file(STRINGS ${SOURCE}/include/gpuprof/detail/config.hpp lines REGEX "#define GPUPROF_VERSION_(MAJOR|MINOR|PATCH) [0-9]+")
string(REGEX REPLACE "[^;0-9]+" "" numbers "${lines}")
list(JOIN numbers "." VERSION)
