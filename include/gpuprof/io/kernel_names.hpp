// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cache of kernel names, demangled and escaped for JSON.
#ifndef GPUPROF_IO_KERNEL_NAMES_HPP
#define GPUPROF_IO_KERNEL_NAMES_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "../detail/hash.hpp"
#include "../hw/machine/platform/demangle.hpp"
#include "../text/json_text.hpp"
#include "../text/text_appender.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A kernel's name in the forms that a JSON file needs.
struct kernel_name {
    std::string mangled;        // as in CUPTI's record
    std::string shown;          // demangled: "void fill<float>(float*, float)"
    std::string shown_json;     // escaped, without quotes
    std::string mangled_json{}; // the same of `mangled`; empty if it equals shown_json
};

// Keeps the `places` names that were looked up last, of at most `longest` characters each; a longer
// name is demangled at each look-up. Demangling takes some microseconds, a cached name about 20 ns.
// One thread at a time.
class kernel_names {
public:
    static constexpr std::size_t places = 512;
    static constexpr std::size_t longest = 4096;

    kernel_names() : names_{new kernel_name[places + 1]} {}

    // The forms of a name. The reference is valid until the next call.
    [[nodiscard]] kernel_name const& of(std::string_view mangled) {
        std::size_t const first = mangled.size() > longest ? places : place(mangled);
        for (std::size_t const at : {first, first ^ 1})
            if (at < places && names_[at].mangled == mangled && !names_[at].shown.empty()) return names_[at];
        bool const occupied = first < places && !names_[first].shown.empty();
        kernel_name& name = names_[occupied ? first ^ 1 : first];
        name.mangled = mangled;
        name.shown = platform::demangled(name.mangled);
        if (name.shown.empty()) name.shown = "kernel without a name";
        name.shown_json = json(name.shown);
        name.mangled_json = name.shown == mangled ? std::string{} : json(mangled);
        return name;
    }

private:
    [[nodiscard]] static std::string json(std::string_view text) {
        std::string characters;
        gpuprof::detail::text_appender to{characters};
        gpuprof::detail::write_json_characters(to, text);
        return characters;
    }
    // Hashes the begin, the middle and the end of a name; names with the same place are compared.
    [[nodiscard]] static std::size_t place(std::string_view name) noexcept {
        using gpuprof::detail::fnv1a;
        std::uint64_t hash = fnv1a(gpuprof::detail::fnv1a_start, name.size());
        hash = fnv1a(hash, name.substr(0, 24));
        hash = fnv1a(hash, name.substr(name.size() < 24 ? 0 : name.size() - 24));
        hash = fnv1a(hash, name.substr(name.size() / 2, 16));
        return (hash ^ hash >> 32) % places;
    }

    std::unique_ptr<kernel_name[]> names_;
};

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_KERNEL_NAMES_HPP
