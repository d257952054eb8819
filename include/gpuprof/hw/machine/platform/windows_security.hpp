// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows access control: who owns a file, and what this process may do. Windows. Looks its
// functions up at each call: few programs need them.
#ifndef GPUPROF_HW_MACHINE_PLATFORM_WINDOWS_SECURITY_HPP
#define GPUPROF_HW_MACHINE_PLATFORM_WINDOWS_SECURITY_HPP

#include "platform.hpp"

#if GPUPROF_WINDOWS

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../../detail/config.hpp"
#include "windows_api.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace platform::inner {

inline constexpr wchar_t const* security_library = L"advapi32.dll";

// A fact about this process's token (TOKEN_INFORMATION_CLASS), as the system's bytes; empty if the
// system does not say.
[[nodiscard]] inline std::vector<std::uint64_t> token_fact(int which) {
    using open_token = int(void*, unsigned long, void**);
    using read_token = int(void*, int, void*, unsigned long, unsigned long*);
    constexpr unsigned long query = 8;
    auto* const open = system_function<open_token>(security_library, "OpenProcessToken");
    auto* const read = system_function<read_token>(security_library, "GetTokenInformation");
    void* token = nullptr;
    if (open == nullptr || read == nullptr || open(::GetCurrentProcess(), query, &token) == 0) return {};
    unsigned long size = 0;
    static_cast<void>(read(token, which, nullptr, 0, &size));
    std::vector<std::uint64_t> fact(size / 8 + 1); // for alignment
    if (read(token, which, fact.data(), size, &size) == 0) fact.clear();
    ::CloseHandle(token);
    return fact;
}

// Whether this process has administrator rights now (an elevated token).
[[nodiscard]] inline bool token_is_elevated() {
    constexpr int token_elevation = 20;
    std::vector<std::uint64_t> const fact = token_fact(token_elevation);
    return !fact.empty() && static_cast<std::uint32_t>(fact[0]) != 0;
}

// Whether an open file belongs to this process's user, and nobody else may change it but the system
// and administrators, who may do everything anyway. False if the system does not say.
[[nodiscard]] inline bool only_this_user_writes(void* file) {
    using security_of = unsigned long(void*, int, unsigned long, void**, void**, void**, void**, void**);
    using equal = int(void const*, void const*);
    using well_known = int(void const*, int);
    using entry_of = int(void*, unsigned long, void**);
    constexpr int file_object = 1;
    constexpr unsigned long owner_and_access_list = 1 | 4;
    constexpr int token_user = 1;
    constexpr int local_system = 22, administrators = 26, creator_or_owner = 71; // of WELL_KNOWN_SID_TYPE
    // Write or append data, delete, change the access list or the owner; and generic all, or
    // generic write.
    constexpr std::uint32_t changes = 0x2 | 0x4 | 0x1'0000 | 0x4'0000 | 0x8'0000 | 0x1000'0000 | 0x4000'0000;
    auto* const get = system_function<security_of>(security_library, "GetSecurityInfo");
    auto* const same = system_function<equal>(security_library, "EqualSid");
    auto* const known = system_function<well_known>(security_library, "IsWellKnownSid");
    auto* const entry = system_function<entry_of>(security_library, "GetAce");
    std::vector<std::uint64_t> const user = token_fact(token_user); // begins with a pointer to the user's SID
    void* owner = nullptr;
    void* access_list = nullptr;
    void* descriptor = nullptr;
    if (get == nullptr || same == nullptr || known == nullptr || entry == nullptr || user.empty() ||
        get(file, file_object, owner_and_access_list, &owner, nullptr, &access_list, nullptr, &descriptor) != 0)
        return false;
    void const* const self = reinterpret_cast<void const*>(static_cast<std::uintptr_t>(user[0]));
    // Files that an administrator creates may belong to the group.
    bool own = (same(owner, self) != 0 || (known(owner, administrators) != 0 && token_is_elevated())) &&
               access_list != nullptr; // without a list everybody may do everything
    struct access_entry {              // an ACCESS_ALLOWED_ACE
        std::uint8_t kind, flags;
        std::uint16_t size;
        std::uint32_t mask;
        std::uint32_t sid;
    };
    constexpr std::uint8_t inherit_only = 8;
    void* each = nullptr;
    for (unsigned long i = 0; own && entry(access_list, i, &each) != 0; ++i) {
        auto const& allowed = *static_cast<access_entry const*>(each);
        if (allowed.kind != 0 || (allowed.flags & inherit_only) != 0 || (allowed.mask & changes) == 0) continue;
        void const* const who = &allowed.sid;
        own = same(who, self) != 0 || same(who, owner) != 0 || known(who, local_system) != 0 ||
              known(who, administrators) != 0 || known(who, creator_or_owner) != 0;
    }
    static_cast<void>(::LocalFree(descriptor));
    return own;
}

// For CreateFileW and CreateDirectoryW: gives access to the owner, the system and administrators
// alone. Without a descriptor (null) the parent directory decides.
class private_access {
public:
    private_access() noexcept {
        using from_text = int(wchar_t const*, unsigned long, void**, unsigned long*);
        auto* const convert =
            system_function<from_text>(security_library, "ConvertStringSecurityDescriptorToSecurityDescriptorW");
        // Protected from the directory's entries; full access for the owner, the system and
        // administrators, inherited.
        if (convert == nullptr ||
            convert(L"D:P(A;OICI;FA;;;OW)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)", 1, &descriptor_, nullptr) == 0)
            descriptor_ = nullptr;
    }
    ~private_access() { static_cast<void>(::LocalFree(descriptor_)); }
    private_access(private_access const&) = delete;
    private_access& operator=(private_access const&) = delete;

    [[nodiscard]] _SECURITY_ATTRIBUTES* attributes() noexcept {
        return descriptor_ == nullptr ? nullptr : reinterpret_cast<_SECURITY_ATTRIBUTES*>(&size_);
    }

private:
    // A SECURITY_ATTRIBUTES.
    std::uint32_t size_ = 24;
    void* descriptor_ = nullptr;
    [[maybe_unused]] std::uint64_t inherited_by_children_ = 0;
};

} // namespace platform::inner
GPUPROF_NAMESPACE_END

#endif // GPUPROF_WINDOWS

#endif // GPUPROF_HW_MACHINE_PLATFORM_WINDOWS_SECURITY_HPP
