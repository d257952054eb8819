// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens shared libraries and finds their files and symbols. A handle is the dynamic linker's; it is
// never closed.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_LIBRARY_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_LIBRARY_HPP

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "../../../detail/config.hpp"
#include "platform.hpp"
#include "windows_api.hpp"
#include "windows_text.hpp"

#if GPUPROF_WINDOWS
#include <vector>

#else
#include <dlfcn.h>
#include <link.h>
#endif

GPUPROF_NAMESPACE_BEGIN
namespace platform {

// Whether a library's name says where it is; if not, the dynamic linker must find it. "C:x.dll" of
// Windows does.
[[nodiscard]] constexpr bool names_a_place(std::string_view name) noexcept {
    return name.find_first_of(is_windows ? "/\\:" : "/") != std::string_view::npos;
}

// The place of a path's last component: 0 if it has no other.
[[nodiscard]] constexpr std::size_t file_name_begin(std::string_view path) noexcept {
    auto const separator = path.find_last_of(is_windows ? "/\\:" : "/");
    return separator == std::string_view::npos ? 0 : separator + 1;
}

struct opened_library {
    void* handle = nullptr;
    std::string refusal; // the dynamic linker's message if there is no handle
};

#if GPUPROF_WINDOWS
namespace inner {

// Where a library may come from. Never the current directory, nor PATH.
inline constexpr unsigned long search_beside_it = 0x100;   // LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR: its own dependencies
inline constexpr unsigned long search_system_only = 0x800; // LOAD_LIBRARY_SEARCH_SYSTEM32
inline constexpr unsigned long search_defaults = 0x1000;   // the program's directory, System32, AddDllDirectory's
inline constexpr std::wstring_view driver_names = L"nv";   // NVIDIA's driver, nvcuda and nvml, is in System32 alone

// An absolute path; empty if there is none. A relative path is resolved in the current directory.
[[nodiscard]] inline std::wstring whole_path(std::string_view path) {
    std::wstring const given = wide(path);
    std::wstring whole(given.empty() ? 0 : 512, L'\0');
    while (!whole.empty()) {
        unsigned long const room = static_cast<unsigned long>(whole.size());
        unsigned long const size = ::GetFullPathNameW(given.c_str(), room, whole.data(), nullptr);
        whole.resize(size); // the size with NUL, if the buffer was too small
        if (size < room) break;
    }
    return whole;
}

[[nodiscard]] inline std::string path_of(HINSTANCE__* module) {
    std::wstring path(260, L'\0');
    for (;;) {
        unsigned long const room = static_cast<unsigned long>(path.size());
        unsigned long const size = ::GetModuleFileNameW(module, path.data(), room);
        if (size < room) return utf8({path.data(), size});
        path.resize(path.size() * 2);
    }
}

// The modules of this process, in the order in which they were mapped.
[[nodiscard]] inline std::vector<HINSTANCE__*> modules() {
    using list_modules = int(void*, HINSTANCE__**, unsigned long, unsigned long*);
    auto* const list = system_function<list_modules>(L"kernel32.dll", "K32EnumProcessModules");
    std::vector<HINSTANCE__*> found(256);
    for (unsigned long bytes = 0; list != nullptr;) {
        unsigned long const room = static_cast<unsigned long>(found.size() * sizeof found[0]);
        if (list(::GetCurrentProcess(), found.data(), room, &bytes) == 0) break;
        found.resize(bytes / sizeof found[0]);
        if (bytes <= room) return found;
    }
    return {};
}

} // namespace inner

[[nodiscard]] inline opened_library open_library(std::string const& name) {
    bool const placed = names_a_place(name);
    std::wstring const file = placed ? inner::whole_path(name) : inner::wide(name);
    bool const driver = std::wstring_view{file}.substr(0, inner::driver_names.size()) == inner::driver_names;
    unsigned long const where = placed   ? inner::search_beside_it | inner::search_defaults
                                : driver ? inner::search_system_only
                                         : inner::search_defaults;
    if (file.empty()) return {nullptr, name + ": it is no path"};
    if (HINSTANCE__* const module = ::LoadLibraryExW(file.c_str(), nullptr, where)) return {module, {}};
    unsigned long const why = ::GetLastError();
    return {nullptr, name + ": " + inner::words_of(why)};
}

[[nodiscard]] inline void* open_mapped_library(char const* name) {
    std::string_view const given{name};
    std::wstring const file = names_a_place(given) ? inner::whole_path(given) : inner::wide(given);
    return file.empty() ? nullptr : ::GetModuleHandleW(file.c_str());
}

[[nodiscard]] inline void* open_program() { return ::GetModuleHandleW(nullptr); }

template <std::predicate<std::string_view> Accept>
[[nodiscard]] std::string find_mapped_library(Accept accept) {
    for (HINSTANCE__* const each : inner::modules())
        if (std::string path = inner::path_of(each); accept(std::string_view{path})) return path;
    return {};
}

[[nodiscard]] inline std::string library_path(void* handle) { return inner::path_of(inner::module_of(handle)); }

[[nodiscard]] inline std::string library_path_at(void const* address) {
    constexpr unsigned long by_address_uncounted = 4 | 2;
    HINSTANCE__* module = nullptr;
    bool const found = ::GetModuleHandleExW(by_address_uncounted, static_cast<wchar_t const*>(address), &module) != 0;
    return found ? inner::path_of(module) : std::string{};
}

[[nodiscard]] inline void* find_symbol(void* handle, char const* name) {
    return gpuprof::detail::data_cast(::GetProcAddress(inner::module_of(handle), name));
}

// Windows has no common names: the first module that exports one.
[[nodiscard]] inline void* find_visible_symbol(char const* name) {
    for (HINSTANCE__* const each : inner::modules())
        if (void* const address = find_symbol(each, name)) return address;
    return nullptr;
}
#else
// Opens a library by its path or, if the name has no slash, by the dynamic linker's search.
// Resolves all its symbols now, and hides them from other libraries. @pre a path has no
// library_defect(): the linker may end the process
[[nodiscard]] inline opened_library open_library(std::string const& name) {
    if (void* const handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return {handle, {}};
    char const* const text = ::dlerror();
    return {nullptr, text == nullptr ? "the dynamic linker refused it" : text};
}

// A handle to a library that this process has already mapped, by its path or name; else null.
[[nodiscard]] inline void* open_mapped_library(char const* name) {
    return ::dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
}

// A handle to the program and everything that it was linked with.
[[nodiscard]] inline void* open_program() { return ::dlopen(nullptr, RTLD_NOW); }

// The path of the first mapped library that accept(std::string_view path) takes; empty if there is
// none.
template <std::predicate<std::string_view> Accept>
[[nodiscard]] std::string find_mapped_library(Accept accept) {
    struct search {
        Accept& accept;
        std::string path;
    } wanted{accept, {}};
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* data) {
            auto& found = *static_cast<search*>(data);
            if (info->dlpi_name == nullptr || !found.accept(std::string_view{info->dlpi_name})) return 0;
            found.path = info->dlpi_name;
            return 1;
        },
        &wanted);
    return wanted.path;
}

// The file of a handle; empty if the linker does not say.
[[nodiscard]] inline std::string library_path(void* handle) {
    link_map* map = nullptr;
    if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || map->l_name == nullptr) return {};
    return map->l_name;
}

// The file that an address was mapped from; empty if the linker does not say.
[[nodiscard]] inline std::string library_path_at(void const* address) {
    Dl_info info = {};
    if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return {};
    return info.dli_fname;
}

// The address of a library's function or object; null if it has none of that name.
[[nodiscard]] inline void* find_symbol(void* handle, char const* name) { return ::dlsym(handle, name); }

// The same among all globally visible symbols of this process.
[[nodiscard]] inline void* find_visible_symbol(char const* name) { return ::dlsym(RTLD_DEFAULT, name); }
#endif

} // namespace platform
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_PLATFORM_LIBRARY_HPP
