// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of kernels as JSON, demangled once. Layer: write out.
#ifndef GPUPROF_IO_KERNEL_NAMES_HPP
#define GPUPROF_IO_KERNEL_NAMES_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // a hash
#include <memory>      // places
#include <string>      // names
#include <string_view> // names

#include "../hw/machine/platform/demangle.hpp"
#include "json_text.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// A name in the forms that a file of JSON needs.
struct kernel_name {
    std::string mangled;        // as CUPTI gives it
    std::string shown;          // "void fill<float>(float*, float)"
    std::string shown_json;     // what stands between quotes
    std::string mangled_json{}; // empty if it is the same
};

// Remembers the names it was asked for last. Bounded: `places` names of at most `longest` characters; others are made anew
// each time. Demangling costs some microseconds, a name that is remembered about 20 ns. One thread at a time.
class kernel_names {
public:
    static constexpr std::size_t places = 512;
    static constexpr std::size_t longest = 4096;

    kernel_names() : names_{new kernel_name[places + 1]} {}

    // Valid until the next call.
    [[nodiscard]] kernel_name const& of(std::string_view mangled) {
        std::size_t const first = mangled.size() > longest ? places : place(mangled);
        for (std::size_t const at : {first, first ^ 1})
            if (at < places && names_[at].mangled == mangled && !names_[at].shown.empty()) return names_[at];
        bool const second = first < places && !names_[first].shown.empty();
        kernel_name& name = names_[second ? first ^ 1 : first];
        name.mangled = mangled;
        name.shown = platform::demangled(name.mangled);
        if (name.shown.empty()) name.shown = "kernel without a name";
        name.shown_json = json(name.shown);
        name.mangled_json = name.shown == mangled ? std::string{} : json(mangled);
        return name;
    }

private:
    struct appender {
        std::string& to;
        void text(std::string_view what) { to += what; }
    };
    [[nodiscard]] static std::string json(std::string_view text) {
        std::string written;
        appender to{written};
        write_json_characters(to, text);
        return written;
    }
    // Some of the characters are enough: what has the same place is compared.
    [[nodiscard]] static std::size_t place(std::string_view name) noexcept {
        std::uint64_t hash = name.size() * 0x9e3779b97f4a7c15u;
        auto const add = [&hash](std::string_view part) {
            for (char const c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
        };
        add(name.substr(0, 24));
        add(name.substr(name.size() < 24 ? 0 : name.size() - 24));
        add(name.substr(name.size() / 2, 16));
        return (hash ^ hash >> 32) % places;
    }

    std::unique_ptr<kernel_name[]> names_;
};

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_KERNEL_NAMES_HPP
