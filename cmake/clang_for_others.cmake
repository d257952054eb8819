# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What clang++ is told to compile for Windows and for AArch64 with the standard library of Debian's cross compilers:
# GPUPROF_CLANG_WINDOWS and GPUPROF_CLANG_AARCH64, empty where that compiler, or clang, is missing. clang does not find mingw-w64's
# library itself: Debian has it under the name of a version and a kind of threads.
find_program(GPUPROF_CLANGXX clang++)
find_program(GPUPROF_MINGW x86_64-w64-mingw32-g++-posix)
find_program(GPUPROF_AARCH64 aarch64-linux-gnu-g++)
set(GPUPROF_CLANG_WINDOWS "")
set(GPUPROF_CLANG_AARCH64 "")
if(GPUPROF_CLANGXX AND GPUPROF_MINGW)
    execute_process(COMMAND ${GPUPROF_MINGW} -print-libgcc-file-name OUTPUT_VARIABLE libgcc OUTPUT_STRIP_TRAILING_WHITESPACE
                    COMMAND_ERROR_IS_FATAL ANY)
    get_filename_component(of_gcc ${libgcc} DIRECTORY)
    set(GPUPROF_CLANG_WINDOWS --target=x86_64-w64-mingw32 -stdlib++-isystem ${of_gcc}/include/c++
                              -stdlib++-isystem ${of_gcc}/include/c++/x86_64-w64-mingw32)
endif()
if(GPUPROF_CLANGXX AND GPUPROF_AARCH64)
    set(GPUPROF_CLANG_AARCH64 --target=aarch64-linux-gnu)
endif()
