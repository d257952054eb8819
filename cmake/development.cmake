# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What gpuprof's own programs are built with; a project that uses gpuprof never reads this.

# Linked by every test and example: gpuprof, compiled once, and the warnings it promises not to cause. Header-only use has
# tests of its own. gpuprof_development_core: the same for programs that include no opt-in header but sim.hpp.
# gpuprof_sim_inside: for tests that include the embedded GPU's own headers ("sim/...").
add_library(gpuprof_warnings INTERFACE)
target_compile_options(gpuprof_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion
                                                  $<$<BOOL:${GPUPROF_WERROR}>:-Werror>)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64|ARM64") # as src/CMakeLists.txt, for what headers bring
    target_compile_options(gpuprof_warnings INTERFACE -ffp-contract=off)
endif()
add_library(gpuprof_development_core INTERFACE)
target_link_libraries(gpuprof_development_core INTERFACE gpuprof::embedded gpuprof::core gpuprof_warnings)
add_library(gpuprof_development INTERFACE)
target_link_libraries(gpuprof_development INTERFACE gpuprof::sim gpuprof_warnings)
add_library(gpuprof_sim_inside INTERFACE)
target_include_directories(gpuprof_sim_inside INTERFACE ${PROJECT_SOURCE_DIR}/src)

# g++ looks for garbage of its own from 128 MiB on, which takes a tenth of its time: from 600 MB on is enough.
set(late_garbage)
if(GPUPROF_BUILD_TESTS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(late_garbage --param=ggc-min-heapsize=600000)
    add_compile_options(${late_garbage})
endif()

# For clang, which takes two seconds less for each file then; g++ gains little.
option(GPUPROF_PRECOMPILE "Precompile what most tests include" OFF)

if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_CXX_EXTENSIONS OFF)
    find_program(GPUPROF_CCACHE ccache)
    if(GPUPROF_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
        set(CMAKE_CXX_COMPILER_LAUNCHER ${GPUPROF_CCACHE})
    endif()
    # A quarter of ld's time for each of a build's 170 programs.
    find_program(GPUPROF_LLD ld.lld)
    if(GPUPROF_LLD AND NOT CMAKE_CROSSCOMPILING AND NOT WIN32 AND NOT CMAKE_EXE_LINKER_FLAGS MATCHES "-fuse-ld")
        add_link_options(-fuse-ld=lld)
    endif()
endif()

# The library itself is held to the same warnings, and to one that a user may have who copied its headers.
foreach(library IN ITEMS gpuprof_core gpuprof_opt_in gpuprof_embedded gpuprof_core_noexcept gpuprof_opt_in_noexcept
                gpuprof_embedded_noexcept gpuprof_injection gpuprof_driver gpuprof_runtime_objects
                gpuprof_runtime_11 gpuprof_runtime_12 gpuprof_runtime_13 gpuprof_command)
    if(NOT TARGET ${library})
        continue()
    endif()
    target_compile_options(${library} PRIVATE $<TARGET_PROPERTY:gpuprof_warnings,INTERFACE_COMPILE_OPTIONS> -Wshadow ${late_garbage})
endforeach()
# What executes kernels, some of them a million threads wide, is never slow. The rest is compiled by g++ with -Og, which takes no
# longer than -O0, and by others as the build type says.
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_options(gpuprof_embedded PRIVATE -O1)
    set(level $<$<CXX_COMPILER_ID:GNU>:-Og>)
endif()
foreach(library IN ITEMS gpuprof_core gpuprof_opt_in gpuprof_core_noexcept gpuprof_opt_in_noexcept gpuprof_embedded_noexcept)
    target_compile_options(${library} PRIVATE ${level})
endforeach()
# In groups, which take three quarters of the time. Users have a file for each header, of which a program links what it uses.
foreach(library IN ITEMS gpuprof_opt_in gpuprof_opt_in_noexcept gpuprof_injection)
    if(TARGET ${library})
        set_target_properties(${library} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
    endif()
endforeach()
