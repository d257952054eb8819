# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a test program on a device and records it, replays the recording without one, and compares what both print:
#     cmake -DPROGRAM=… -DRECORDING=… [-DDEVICE=cuda:0] -P record_and_replay.cmake
# Then each test case alone, since a program may be run in parts. With REPLAY_ONLY the recording is there already.
if(NOT DEFINED DEVICE)
    set(DEVICE sim)
endif()

# run(<variable> <device> <recording or none> <option>...): what the program prints, and its exit status
function(run variable device record)
    set(ENV{GPUPROF_DEVICE} ${device})
    set(ENV{GPUPROF_RECORD} ${record})
    execute_process(COMMAND ${PROGRAM} --no-time-in-output ${ARGN} OUTPUT_VARIABLE text ERROR_VARIABLE text
                    RESULT_VARIABLE status)
    string(REGEX REPLACE "[ \n]+" " " plain "${text}") # lines may break elsewhere
    string(REPLACE ", a recording: not measured now" "" plain "${plain}")
    set(${variable} "${plain}exit status ${status}" PARENT_SCOPE)
    set(${variable}_as_printed "${text}" PARENT_SCOPE)
endfunction()
function(same what measured replayed)
    if(NOT measured STREQUAL replayed)
        message(FATAL_ERROR "${what} differs. Measured:\n${measured}\nReplayed:\n${replayed}")
    endif()
endfunction()

if(NOT REPLAY_ONLY)
    file(REMOVE ${RECORDING})
    run(measured ${DEVICE} ${RECORDING})
    run(replayed replay:${RECORDING} "")
    same("the program" "${measured}" "${replayed}")
    # The planted regression fails in both, with its numbers, and the replay says that it is one.
    foreach(part IN ITEMS "992 conflict" "1 failed" "exit status 1")
        if(NOT replayed MATCHES "${part}")
            message(FATAL_ERROR "\"${part}\" is not in\n${replayed}")
        endif()
    endforeach()
    if(NOT replayed_as_printed MATCHES "a recording:[ \n]+not[ \n]+measured[ \n]+now")
        message(FATAL_ERROR "it is not said that this is a recording:\n${replayed_as_printed}")
    endif()
endif()

foreach(test IN ITEMS saxpy transpose transpose_unpadded)
    run(measured ${DEVICE} "" --test-case=${test})
    run(replayed replay:${RECORDING} "" --test-case=${test})
    same(${test} "${measured}" "${replayed}")
endforeach()

# Recorded one test a process, in another order, the file is the same.
if(NOT REPLAY_ONLY)
    file(READ ${RECORDING} together)
    file(REMOVE ${RECORDING})
    foreach(test IN ITEMS transpose_unpadded saxpy transpose)
        run(measured ${DEVICE} ${RECORDING} --test-case=${test})
    endforeach()
    file(READ ${RECORDING} apart)
    if(DEVICE STREQUAL "sim" AND NOT together STREQUAL apart)
        message(FATAL_ERROR "recorded one by one, ${RECORDING} differs")
    endif()
endif()

# What was not recorded is inconclusive, by name, and no test passes by it.
set(ENV{GPUPROF_INCONCLUSIVE} fail)
run(lost replay:${RECORDING}.lost "" --test-case=saxpy)
if(NOT lost MATCHES "cannot be read" OR lost MATCHES "exit status 0")
    message(FATAL_ERROR "a missing recording is not told:\n${lost}")
endif()
