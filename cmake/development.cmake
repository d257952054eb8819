# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What gpuprof's own programs are built with; a project that uses gpuprof never reads this.

# Linked by every test and example: gpuprof and the warnings it promises not to cause.
add_library(gpuprof_development INTERFACE)
target_link_libraries(gpuprof_development INTERFACE gpuprof::gpuprof)
target_compile_options(gpuprof_development INTERFACE -Wall -Wextra -Wpedantic -Wconversion
                                                     $<$<BOOL:${GPUPROF_WERROR}>:-Werror>)

if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_CXX_EXTENSIONS OFF)
    find_program(GPUPROF_CCACHE ccache)
    if(GPUPROF_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
        set(CMAKE_CXX_COMPILER_LAUNCHER ${GPUPROF_CCACHE})
    endif()
endif()
