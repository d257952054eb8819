// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The object of a name, a marker or an overhead.
#ifndef GPUPROF_HW_ACTIVITY_TRACED_OBJECT_HPP
#define GPUPROF_HW_ACTIVITY_TRACED_OBJECT_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include "../abi/cupti_activity_enums.hpp"
#include "not_known.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The kind of an object.
enum class object_kind : unsigned {
    unknown = abi::CUPTI_ACTIVITY_OBJECT_UNKNOWN,
    process = abi::CUPTI_ACTIVITY_OBJECT_PROCESS,
    thread = abi::CUPTI_ACTIVITY_OBJECT_THREAD,
    device = abi::CUPTI_ACTIVITY_OBJECT_DEVICE,
    context = abi::CUPTI_ACTIVITY_OBJECT_CONTEXT,
    stream = abi::CUPTI_ACTIVITY_OBJECT_STREAM
};
[[nodiscard]] constexpr std::string_view to_text(object_kind value) noexcept {
    switch (value) {
        case object_kind::unknown: return "unknown";
        case object_kind::process: return "process";
        case object_kind::thread: return "thread";
        case object_kind::device: return "device";
        case object_kind::context: return "context";
        case object_kind::stream: return "stream";
    }
    return not_known;
}

// An object with the ids of its kind: a process and a thread, or a device, a context and a stream.
struct traced_object {
    object_kind kind{};
    std::uint32_t ids[3]{}; // CUPTI's ids; the functions name them

    [[nodiscard]] constexpr std::optional<std::uint32_t> process() const noexcept { return id(0, on_host()); }
    [[nodiscard]] constexpr std::optional<std::uint32_t> thread() const noexcept {
        return id(1, kind == object_kind::thread);
    }
    [[nodiscard]] constexpr std::optional<std::uint32_t> device() const noexcept {
        return id(0, kind >= object_kind::device && kind <= object_kind::stream);
    }
    [[nodiscard]] constexpr std::optional<std::uint32_t> context() const noexcept {
        return id(1, kind == object_kind::context || kind == object_kind::stream);
    }
    [[nodiscard]] constexpr std::optional<std::uint32_t> stream() const noexcept {
        return id(2, kind == object_kind::stream);
    }

private:
    [[nodiscard]] constexpr bool on_host() const noexcept {
        return kind == object_kind::process || kind == object_kind::thread;
    }
    [[nodiscard]] constexpr std::optional<std::uint32_t> id(int which, bool has) const noexcept {
        if (!has) return {};
        return ids[which];
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_TRACED_OBJECT_HPP
