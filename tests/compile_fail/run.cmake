# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles one file twice: as it is, which must work, and with GPUPROF_COMPILE_FAIL, which must fail with the messages that
# the file's lines name (regular expressions in which only alternatives, repetition and '.' are special):
#   // expect: MESSAGE         must appear; there may be several of these lines
#   // expect clang: MESSAGE   the same for clang, which the others are not for then
#   // lines: N                the whole diagnostic has at most N lines
# cmake -DCOMPILER=… -DCLANG=ON|OFF -DFLAGS=… -DSOURCE=… -P run.cmake
file(STRINGS ${SOURCE} expected REGEX "^// expect clang: ")
if(NOT CLANG OR NOT expected)
    file(STRINGS ${SOURCE} expected REGEX "^// expect: ")
endif()
if(NOT expected)
    message(FATAL_ERROR "${SOURCE} has no '// expect:' line")
endif()
file(STRINGS ${SOURCE} most REGEX "^// lines: ")
string(REGEX REPLACE "^// lines: " "" most "${most}")

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
foreach(line IN LISTS expected)
    string(REGEX REPLACE "^// expect( clang)?: " "" message "${line}")
    if(NOT diagnostics MATCHES "${message}")
        message(FATAL_ERROR "the diagnostic does not have \"${message}\":\n${diagnostics}")
    endif()
endforeach()
if(most)
    string(REGEX REPLACE "[^\n]" "" newlines "${diagnostics}")
    string(LENGTH "${newlines}" lines)
    if(lines GREATER most)
        message(FATAL_ERROR "the diagnostic has ${lines} lines, and may have ${most}:\n${diagnostics}")
    endif()
endif()
