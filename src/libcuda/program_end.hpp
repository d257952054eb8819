// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of a program on the embedded GPU.
#ifndef GPUPROF_SRC_LIBCUDA_PROGRAM_END_HPP
#define GPUPROF_SRC_LIBCUDA_PROGRAM_END_HPP

namespace gpuprof::driver_library {

// What the end of a program says about its exit status.
struct verdict {
    int finding_status = 0;     // not 0: the exit status, whatever the program's own is
    bool table_is_lost = false; // then a status of 0 becomes 2
};

// Calls `tell` once when the process ends by exit(), by the end of main() or by std::quick_exit: after the exit handlers of
// the program, its statics and those of libraries that use this one. The status changes after all other libraries have
// ended, too. Not called after _exit, abort and signals. Exceptions of `tell` end in it. Thread-safe.
void tell_at_end(verdict (*tell)());

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_PROGRAM_END_HPP
