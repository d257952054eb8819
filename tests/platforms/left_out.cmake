# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Which test cases a build for another platform leaves out, for tests/main.cpp, which runs the others.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
if(WIN32)
    set(GPUPROF_PLATFORM_LIST ${CMAKE_CURRENT_SOURCE_DIR}/platforms/windows.txt)
else()
    set(GPUPROF_PLATFORM_LIST ${CMAKE_CURRENT_SOURCE_DIR}/platforms/${CMAKE_SYSTEM_PROCESSOR}.txt)
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${GPUPROF_PLATFORM_LIST})
execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/platforms/cases.py ${GPUPROF_PLATFORM_LIST} --filter
                OUTPUT_VARIABLE left_out OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(CONFIGURE OUTPUT left_out.hpp CONTENT "\"@left_out@\"\n" @ONLY)
target_include_directories(gpuprof_test_main PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
target_compile_definitions(gpuprof_test_main PRIVATE GPUPROF_TEST_LEFT_OUT="left_out.hpp")

# Test cases that start their program again do it as CTest does (support/child_program.hpp).
if(NOT WIN32 AND CMAKE_CROSSCOMPILING_EMULATOR)
    list(JOIN CMAKE_CROSSCOMPILING_EMULATOR "\", \"" emulator)
    file(CONFIGURE OUTPUT ${borrowed}/gpuprof_test_emulator.hpp
         CONTENT "#define GPUPROF_TEST_EMULATOR \"@emulator@\"\n" @ONLY)
endif()
