# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles one file twice: as it is, which must work, and with GPUPROF_COMPILE_FAIL, which must fail with the message that
# the file's "expect:" line has (a regular expression in which only alternatives, repetition and '.' are special).
# cmake -DCOMPILER=… -DFLAGS=… -DSOURCE=… -P run.cmake
file(STRINGS ${SOURCE} expected REGEX "^// expect: ")
string(REGEX REPLACE "^// expect: " "" expected "${expected}")
if(expected STREQUAL "")
    message(FATAL_ERROR "${SOURCE} has no '// expect:' line")
endif()

execute_process(COMMAND ${COMPILER} ${FLAGS} -fsyntax-only ${SOURCE}
                RESULT_VARIABLE status ERROR_VARIABLE diagnostics OUTPUT_QUIET)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "the twin that should compile does not:\n${diagnostics}")
endif()

execute_process(COMMAND ${COMPILER} ${FLAGS} -DGPUPROF_COMPILE_FAIL -fsyntax-only ${SOURCE}
                RESULT_VARIABLE status ERROR_VARIABLE diagnostics OUTPUT_QUIET)
if(status EQUAL 0)
    message(FATAL_ERROR "what should not compile does")
endif()
if(NOT diagnostics MATCHES "${expected}")
    message(FATAL_ERROR "the diagnostic does not have \"${expected}\":\n${diagnostics}")
endif()
