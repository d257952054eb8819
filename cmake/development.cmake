# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What gpuprof's own programs are built with; a project that uses gpuprof never reads this.

# Linked by every test and example: gpuprof and the warnings it promises not to cause. The compiled library, so that a
# build makes the embedded GPU once; header-only use has tests of its own.
option(GPUPROF_DEVELOP_HEADER_ONLY "Build tests and examples header-only" OFF)
add_library(gpuprof_development INTERFACE)
if(GPUPROF_DEVELOP_HEADER_ONLY)
    target_link_libraries(gpuprof_development INTERFACE gpuprof::gpuprof)
else()
    target_link_libraries(gpuprof_development INTERFACE gpuprof::sim)
endif()
target_compile_options(gpuprof_development INTERFACE -Wall -Wextra -Wpedantic -Wconversion
                                                     $<$<BOOL:${GPUPROF_WERROR}>:-Werror>)

if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64|ARM64") # as src/CMakeLists.txt, for what headers bring
    target_compile_options(gpuprof_development INTERFACE -ffp-contract=off)
endif()

if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_CXX_EXTENSIONS OFF)
    find_program(GPUPROF_CCACHE ccache)
    if(GPUPROF_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
        set(CMAKE_CXX_COMPILER_LAUNCHER ${GPUPROF_CCACHE})
    endif()
endif()

# The library itself is held to the same warnings, and to one that a user may have who copied its headers.
foreach(library IN ITEMS gpuprof_compiled gpuprof_sim gpuprof_injection gpuprof_driver
                gpuprof_runtime_objects gpuprof_runtime_11 gpuprof_runtime_12 gpuprof_runtime_13)
    if(NOT TARGET ${library})
        continue()
    endif()
    target_compile_options(${library} PRIVATE $<TARGET_PROPERTY:gpuprof_development,INTERFACE_COMPILE_OPTIONS> -Wshadow)
endforeach()
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_options(gpuprof_sim PRIVATE -O1) # it executes kernels, some of them a million threads wide
endif()
