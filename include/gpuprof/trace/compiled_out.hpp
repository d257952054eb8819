// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: the names of trace.hpp, which record and hear nothing. See measure/compiled_out.hpp.
#ifndef GPUPROF_TRACE_COMPILED_OUT_HPP
#define GPUPROF_TRACE_COMPILED_OUT_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "../core/result.hpp"
#include "../hw/abi/openmp_tool.hpp"
#include "../measure/compiled_out.hpp"
#include "../measure/scope.hpp"
#include "callback_handler.hpp"
#include "callback_ids.hpp"
#include "external_kind.hpp"
#include "function_names.hpp"
#include "kind_list.hpp"
#include "link_flow.hpp"
#include "losses.hpp"
#include "traced_scope.hpp"
#include "tracer_options.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {
class trace_event_writer;
}
namespace detail {
template <class F, class... Record>
constexpr bool takes_each(std::variant<Record...> const*) noexcept {
    return (std::is_invocable_v<F&, Record const&> && ...);
}
} // namespace detail

// No records and no scopes. A visitor is not called, and must take every kind that was asked for, as
// in the other build.
template <class Kinds>
class trace_batch {
public:
    using record = detail::record_of<Kinds>;

    template <class F>
    void visit(F&&) const {
        static_assert(std::is_same_v<Kinds, activity::kind_set> ||
                          detail::takes_each<F>(static_cast<record const*>(nullptr)),
                      "the visitor must take every kind of record that the tracer collects");
    }

    class iterator;
    [[nodiscard]] iterator begin() const noexcept { return iterator{*this}; }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

    [[nodiscard]] std::vector<traced_scope> const& scopes() const noexcept {
        return detail::nothing<std::vector<traced_scope>>();
    }
    [[nodiscard]] trace_losses losses() const noexcept { return {}; }
    [[nodiscard]] std::uint64_t scope_of(std::uint32_t) const noexcept { return 0; }
    template <class Record>
        requires requires(Record const& of) { of.correlation; }
    [[nodiscard]] std::uint64_t scope_of(Record const&) const noexcept { return 0; }
    template <class Record>
        requires requires(Record const& of) { of.correlation; }
    [[nodiscard]] std::optional<std::uint64_t> external_id_of(Record const&, external_kind) const noexcept {
        return std::nullopt;
    }
    [[nodiscard]] std::optional<error> unknown_scopes() const { return detail::compiled_out(); }
    [[nodiscard]] std::optional<error> unknown_nodes() const { return detail::compiled_out(); }
    [[nodiscard]] std::string scope_path(std::uint64_t) const { return {}; }
    [[nodiscard]] bool empty() const noexcept { return true; }
    [[nodiscard]] std::size_t bytes() const noexcept { return 0; }

private:
    template <class>
    friend class tracer;
    constexpr trace_batch() noexcept = default;
    detail::moved_only moves_;
};

template <class Kinds>
class trace_batch<Kinds>::iterator {
public:
    using value_type = record;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using reference = record const&;
    using pointer = record const*;

    iterator() = default;
    explicit iterator(trace_batch const&) noexcept {}
    [[nodiscard]] reference operator*() const noexcept { return detail::nothing<record>(); }
    [[nodiscard]] pointer operator->() const noexcept { return &detail::nothing<record>(); }
    iterator& operator++() noexcept { return *this; }
    void operator++(int) noexcept {}
    [[nodiscard]] friend bool operator==(iterator const&, std::default_sentinel_t) noexcept { return true; }
};

// Takes scopes and does nothing; every batch is empty.
template <class Kinds>
class tracer {
public:
    using batch = trace_batch<Kinds>;

    [[nodiscard]] static result<tracer> try_begin(hw::machine const&, Kinds, tracer_options const& = {}) {
        return tracer{};
    }
    [[nodiscard]] static result<tracer> try_begin(device const&, Kinds, tracer_options const& = {}) { return tracer{}; }
#if GPUPROF_EXCEPTIONS
    tracer(device const&, Kinds, tracer_options const& = {}) noexcept {}
    tracer(hw::machine const&, Kinds, tracer_options const& = {}) noexcept {}
#endif

    operator scope_target&() noexcept { return detail::idle_target(); } // NOLINT(*-explicit-*)

    [[nodiscard]] result<batch> try_flush(flush_mode = flush_mode::completed) { return batch{}; }
    [[nodiscard]] batch take() noexcept { return {}; }
#if GPUPROF_EXCEPTIONS
    [[nodiscard]] batch flush(flush_mode = flush_mode::completed) noexcept { return {}; }
#endif
    [[nodiscard]] result<void> try_stop() { return {}; }
    [[nodiscard]] result<void> try_start() { return {}; }
    [[nodiscard]] result<batch> try_finish() { return batch{}; }
    [[nodiscard]] result<batch> try_detach() { return batch{}; }
    [[nodiscard]] result<void> try_enable(device const&, abi::CUpti_ActivityKind) { return {}; }
    [[nodiscard]] result<void> try_disable(device const&, abi::CUpti_ActivityKind) { return {}; }
    [[nodiscard]] result<void> try_dump(abi::CUpti_ActivityKind) { return {}; }

    [[nodiscard]] trace_losses lost() const noexcept { return {}; }
    [[nodiscard]] std::string scope_path(std::uint64_t) const { return {}; }

private:
    constexpr tracer() noexcept = default;
    detail::moved_only moves_;
};

// Never calls the function.
template <class Kinds, class F>
class trace_consumer {
public:
    [[nodiscard]] static result<trace_consumer> try_begin(tracer<Kinds>&, F) { return trace_consumer{}; }
#if GPUPROF_EXCEPTIONS
    trace_consumer(tracer<Kinds>&, F) noexcept {}
#endif
    trace_consumer(trace_consumer&&) noexcept {}
    trace_consumer& operator=(trace_consumer&&) = delete;
    constexpr ~trace_consumer() {} // NOLINT(modernize-use-equals-default): so that an unused one is no warning

    [[nodiscard]] result<void> try_end() { return {}; }

private:
    constexpr trace_consumer() noexcept = default;
};

// Hears nothing: the handler is never called.
class callbacks {
public:
    template <callback_handler Handler>
    [[nodiscard]] static result<callbacks> try_begin(hw::machine const&, callback_set const&, Handler&&) {
        return callbacks{};
    }
    template <callback_handler Handler>
    [[nodiscard]] static result<callbacks> try_begin(device const&, callback_set const&, Handler&&) {
        return callbacks{};
    }
#if GPUPROF_EXCEPTIONS
    template <callback_handler Handler>
    callbacks(hw::machine const&, callback_set const&, Handler&&) noexcept {}
    template <callback_handler Handler>
    callbacks(device const&, callback_set const&, Handler&&) noexcept {}
#endif
    callbacks(callbacks&&) noexcept {}
    callbacks& operator=(callbacks&&) = delete;
    constexpr ~callbacks() {} // NOLINT(modernize-use-equals-default)

    [[nodiscard]] result<void> try_enable(callback_set const&) { return {}; }
    [[nodiscard]] result<void> try_disable(callback_set const&) { return {}; }
    [[nodiscard]] callback_set heard() const noexcept { return {}; }
    [[nodiscard]] std::uint64_t failures() const noexcept { return 0; }

private:
    constexpr callbacks() noexcept = default;
};

// Compiled out: no member, no instruction.
class [[nodiscard]] external_id {
public:
    template <class Kinds>
    [[nodiscard]] constexpr external_id(tracer<Kinds>&, external_kind, std::uint64_t) noexcept {}
    constexpr ~external_id() {} // NOLINT(modernize-use-equals-default): keeps "unused variable" quiet
    external_id(external_id const&) = delete;
    external_id& operator=(external_id const&) = delete;
    static void* operator new(std::size_t) = delete;
    static void* operator new[](std::size_t) = delete;
    [[nodiscard]] result<void> status() const { return {}; }
};

enum class default_stream : std::uint8_t { of_all_threads, of_this_thread };
[[nodiscard]] inline result<std::uint32_t> try_device_id(device const&) { return detail::compiled_out(); }
[[nodiscard]] inline result<std::uint32_t> try_context_id(device const&) { return detail::compiled_out(); }
[[nodiscard]] inline result<std::uint32_t> try_stream_id(device const&, abi::CUstream,
                                                         default_stream = default_stream::of_all_threads) {
    return detail::compiled_out();
}
[[nodiscard]] inline result<std::uint32_t> try_graph_id(device const&, abi::CUgraph) { return detail::compiled_out(); }
[[nodiscard]] inline result<std::uint32_t> try_graph_id(device const&, abi::CUgraphExec) {
    return detail::compiled_out();
}
[[nodiscard]] inline result<std::uint64_t> try_graph_node_id(device const&, abi::CUgraphNode) {
    return detail::compiled_out();
}

struct cupti_device_facts {
    std::optional<bool> is_supported = {};
    std::optional<bool> knows_capability = {};
    std::optional<abi::CUpti_DeviceVirtualizationMode> virtualization = {};
    std::optional<abi::CUpti_ActivityAutoBoostState> auto_boost = {};
};
// Knows nothing.
[[nodiscard]] inline cupti_device_facts facts_of_cupti(device const&) noexcept { return {}; }
[[nodiscard]] inline result<callback_set> try_supported_callbacks(hw::machine const&) { return detail::compiled_out(); }
template <function_id Id>
[[nodiscard]] constexpr std::string_view name(hw::machine const&, Id function) noexcept {
    return name(function);
}

// Reads no link.
class link_meter {
public:
    [[nodiscard]] static result<link_meter> try_create(device const&) { return link_meter{}; }
    [[nodiscard]] result<void> try_start() { return {}; }
    [[nodiscard]] result<link_traffic> try_read() const { return link_traffic{}; }

private:
    link_meter() = default;
};

// Runtimes go on without a tool.
template <class Add, class Lookup>
[[nodiscard]] result<void> try_hear_openacc(hw::machine const&, Add*, Add*, Lookup*) {
    return {};
}
[[nodiscard]] inline abi::ompt_start_tool_result_t* hear_openmp(hw::machine const&) noexcept { return nullptr; }
[[nodiscard]] inline bool hears_openmp() noexcept { return false; }

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_COMPILED_OUT_HPP
