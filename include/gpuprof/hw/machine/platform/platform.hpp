// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which operating systems gpuprof knows. Layer: hw, lowest; includes nothing. Every header of this folder includes it: the
// folder is the one place that calls an operating system, and its declarations name no type of one, so that another system
// is added here and nowhere else.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_PLATFORM_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_PLATFORM_HPP

#if defined(_WIN32)
#error "gpuprof: this platform is not supported yet"
#endif

#endif // GPUPROF_HW_MACHINE_PLATFORM_PLATFORM_HPP
