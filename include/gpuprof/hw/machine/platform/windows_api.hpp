// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of kernel32 that this folder calls. Windows.
//
// Declared here, since <windows.h> gives every file that includes gpuprof macros such as min, max
// and small, and takes g++ 12 longer than all of gpuprof; the settings that make it smaller
// (NOMINMAX and the like) are the program's, not a library's. The types are those of <windows.h>,
// by the names of the structures behind its own names, so that a file may include both in either
// order. The binary interface of these functions does not change. Callers pass structures as bytes.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_WINDOWS_API_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_WINDOWS_API_HPP

#include "platform.hpp"

#if GPUPROF_WINDOWS

#include <cstddef>

#include "../../../detail/builtin.hpp"
#include "../../../detail/config.hpp"

struct HINSTANCE__;
struct _BY_HANDLE_FILE_INFORMATION;
struct _FILETIME;
struct _OVERLAPPED;
struct _RTL_CONDITION_VARIABLE;
struct _RTL_SRWLOCK;
struct _SECURITY_ATTRIBUTES;
struct _WIN32_FIND_DATAW;
union _LARGE_INTEGER;

extern "C" {
// libraries
GPUPROF_WINDOWS_IMPORT HINSTANCE__* LoadLibraryExW(wchar_t const*, void*, unsigned long);
GPUPROF_WINDOWS_IMPORT HINSTANCE__* GetModuleHandleW(wchar_t const*);
GPUPROF_WINDOWS_IMPORT int GetModuleHandleExW(unsigned long, wchar_t const*, HINSTANCE__**);
GPUPROF_WINDOWS_IMPORT unsigned long GetModuleFileNameW(HINSTANCE__*, wchar_t*, unsigned long);
GPUPROF_WINDOWS_IMPORT long long (*GetProcAddress(HINSTANCE__*, char const*))();
// this process and its threads
GPUPROF_WINDOWS_IMPORT void* GetCurrentProcess();
GPUPROF_WINDOWS_IMPORT unsigned long GetCurrentProcessId();
GPUPROF_WINDOWS_IMPORT unsigned long GetCurrentThreadId();
GPUPROF_WINDOWS_IMPORT int SwitchToThread();
GPUPROF_WINDOWS_IMPORT int GetProcessAffinityMask(void*, std::size_t*, std::size_t*);
GPUPROF_WINDOWS_IMPORT void Sleep(unsigned long);
GPUPROF_WINDOWS_IMPORT void AcquireSRWLockExclusive(_RTL_SRWLOCK*);
GPUPROF_WINDOWS_IMPORT unsigned char TryAcquireSRWLockExclusive(_RTL_SRWLOCK*);
GPUPROF_WINDOWS_IMPORT void ReleaseSRWLockExclusive(_RTL_SRWLOCK*);
GPUPROF_WINDOWS_IMPORT int SleepConditionVariableSRW(_RTL_CONDITION_VARIABLE*, _RTL_SRWLOCK*, unsigned long,
                                                     unsigned long);
GPUPROF_WINDOWS_IMPORT void WakeAllConditionVariable(_RTL_CONDITION_VARIABLE*);
GPUPROF_WINDOWS_IMPORT void* CreateMutexW(_SECURITY_ATTRIBUTES*, int, wchar_t const*);
GPUPROF_WINDOWS_IMPORT unsigned long WaitForSingleObject(void*, unsigned long);
GPUPROF_WINDOWS_IMPORT int ReleaseMutex(void*);
GPUPROF_WINDOWS_IMPORT unsigned long GetEnvironmentVariableW(wchar_t const*, wchar_t*, unsigned long);
// time
GPUPROF_WINDOWS_IMPORT int QueryPerformanceCounter(_LARGE_INTEGER*);
GPUPROF_WINDOWS_IMPORT int QueryPerformanceFrequency(_LARGE_INTEGER*);
GPUPROF_WINDOWS_IMPORT void GetSystemTimePreciseAsFileTime(_FILETIME*);
// files
GPUPROF_WINDOWS_IMPORT void* CreateFileW(wchar_t const*, unsigned long, unsigned long, _SECURITY_ATTRIBUTES*,
                                         unsigned long, unsigned long, void*);
GPUPROF_WINDOWS_IMPORT int ReadFile(void*, void*, unsigned long, unsigned long*, _OVERLAPPED*);
GPUPROF_WINDOWS_IMPORT int WriteFile(void*, void const*, unsigned long, unsigned long*, _OVERLAPPED*);
GPUPROF_WINDOWS_IMPORT int CloseHandle(void*);
GPUPROF_WINDOWS_IMPORT unsigned long SetFilePointer(void*, long, long*, unsigned long);
GPUPROF_WINDOWS_IMPORT int SetEndOfFile(void*);
GPUPROF_WINDOWS_IMPORT unsigned long GetFileType(void*);
GPUPROF_WINDOWS_IMPORT int GetFileInformationByHandle(void*, _BY_HANDLE_FILE_INFORMATION*);
GPUPROF_WINDOWS_IMPORT unsigned long GetFileAttributesW(wchar_t const*);
GPUPROF_WINDOWS_IMPORT unsigned long GetFullPathNameW(wchar_t const*, unsigned long, wchar_t*, wchar_t**);
GPUPROF_WINDOWS_IMPORT int CreateDirectoryW(wchar_t const*, _SECURITY_ATTRIBUTES*);
GPUPROF_WINDOWS_IMPORT int DeleteFileW(wchar_t const*);
GPUPROF_WINDOWS_IMPORT int MoveFileExW(wchar_t const*, wchar_t const*, unsigned long);
GPUPROF_WINDOWS_IMPORT void* FindFirstFileW(wchar_t const*, _WIN32_FIND_DATAW*);
GPUPROF_WINDOWS_IMPORT int FindNextFileW(void*, _WIN32_FIND_DATAW*);
GPUPROF_WINDOWS_IMPORT int FindClose(void*);
// memory
GPUPROF_WINDOWS_IMPORT void* VirtualAlloc(void*, std::size_t, unsigned long, unsigned long);
GPUPROF_WINDOWS_IMPORT int VirtualFree(void*, std::size_t, unsigned long);
// the console
GPUPROF_WINDOWS_IMPORT void* GetStdHandle(unsigned long);
GPUPROF_WINDOWS_IMPORT int GetConsoleMode(void*, unsigned long*);
GPUPROF_WINDOWS_IMPORT int SetConsoleMode(void*, unsigned long);
// texts
GPUPROF_WINDOWS_IMPORT unsigned long GetLastError();
GPUPROF_WINDOWS_IMPORT void* LocalFree(void*);
GPUPROF_WINDOWS_IMPORT int MultiByteToWideChar(unsigned, unsigned long, char const*, int, wchar_t*, int);
GPUPROF_WINDOWS_IMPORT int WideCharToMultiByte(unsigned, unsigned long, wchar_t const*, int, char*, int, char const*,
                                               int*);
}

GPUPROF_NAMESPACE_BEGIN
namespace platform::inner {

// A module handle of the Windows API.
[[nodiscard]] inline HINSTANCE__* module_of(void* handle) noexcept { return static_cast<HINSTANCE__*>(handle); }

// The handle that CreateFileW and FindFirstFileW return on failure.
[[nodiscard]] inline void* no_handle() noexcept { return reinterpret_cast<void*>(~std::size_t{0}); }

// A function of a system library that few programs need: looked up at each call, so that programs
// need not link the library. Null if this Windows has none. Call is the function's type.
template <class Call>
[[nodiscard]] Call* system_function(wchar_t const* library, char const* name) noexcept {
    constexpr unsigned long search_system32 = 0x800;
    HINSTANCE__* const module = ::LoadLibraryExW(library, nullptr, search_system32);
    return module == nullptr ? nullptr : gpuprof::detail::function_cast<Call>(::GetProcAddress(module, name));
}

} // namespace platform::inner
GPUPROF_NAMESPACE_END

#endif // GPUPROF_WINDOWS

#endif // GPUPROF_HW_MACHINE_PLATFORM_WINDOWS_API_HPP
