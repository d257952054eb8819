// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every umbrella header compiles where <windows.h> was included first, with its macros, and where it comes after; and it brings
// none of these macros itself. Without WINDOWS_BEFORE and WINDOWS_AFTER the macros are made up, as Microsoft's header has them.
#if defined(WINDOWS_BEFORE)
#include <windows.h>
// in this order
#include <psapi.h>
#include <tlhelp32.h>
#elif !defined(WINDOWS_AFTER)
#include <bits/stdc++.h> // all of the standard library, which is not made for these macros everywhere
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define near
#define far
#define small char
#define interface struct
#define ERROR 0
#endif

#include <gpuprof/legacy.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/judge.hpp>
#include <gpuprof/sim.hpp>
#include <gpuprof/trace.hpp>

#if defined(WINDOWS_AFTER)
#if defined(min) || defined(max) || defined(near) || defined(small) || defined(_WINDOWS_)
#error "gpuprof brought <windows.h>"
#endif
#include <windows.h>
// in this order
#include <psapi.h>
#include <tlhelp32.h>
#endif
