# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles, links and runs a program by the flags of an installed gpuprof.pc.
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE file ${PREFIX}/*/gpuprof.pc)
cmake_path(GET file PARENT_PATH folder)
set(ENV{PKG_CONFIG_PATH} ${folder})

# said(<variable> <option>...): what pkg-config answers, as a list
function(said variable)
    execute_process(COMMAND ${PKG_CONFIG} ${ARGN} gpuprof OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE
                    COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(text UNIX_COMMAND "${text}")
    set(${variable} ${text} PARENT_SCOPE)
endfunction()

said(version --modversion)
if(NOT version STREQUAL VERSION)
    message(FATAL_ERROR "gpuprof.pc is of version ${version}, the library of ${VERSION}")
endif()
said(compile --cflags)
said(link --libs)
execute_process(COMMAND ${COMPILER} -std=c++20 ${compile} ${SOURCES} -o ${PROGRAM} ${link} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
