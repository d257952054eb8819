#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# ./run tells what it can do where it is asked, and what there is where a name is wrong: run_test.sh RUN
set -eu
run=$1
status=0

# expect STATUS STREAM TEXT [argument...]: of ./run with these arguments; the other stream stays empty
expect() {
    wanted=$1 stream=$2 text=$3
    shift 3
    code=0
    out=$("$run" "$@" 2>/dev/null) || code=$?
    err=$("$run" "$@" 2>&1 >/dev/null) || true
    if [ "$stream" = out ]; then said=$out silent=$err; else said=$err silent=$out; fi
    if [ "$code" -ne "$wanted" ] || [ -n "$silent" ]; then
        echo "./run $*: status $code, and on the other stream: $silent"
        status=1
    fi
    case $said in
        *"$text"*) ;;
        *)
            echo "./run $*: \"$text\" is not in: $said"
            status=1
            ;;
    esac
}

for help in --help -h help; do
    expect 0 out './run demo [example [arguments]]' $help
    expect 0 out 'hot_loop' $help
done
expect 2 err './run demo [example [arguments]]'
expect 2 err './run test [ctest options]' no_such_preset
expect 1 err 'there is no example nosuch; there are: attach_detach' demo nosuch
exit $status
