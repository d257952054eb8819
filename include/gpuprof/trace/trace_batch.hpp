// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records that CUPTI has handed over, read where they lie.
#ifndef GPUPROF_TRACE_TRACE_BATCH_HPP
#define GPUPROF_TRACE_TRACE_BATCH_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../core/error.hpp"
#include "../hw/abi/cupti.hpp"
#include "../hw/counters/uncounted/multiprocessor_limits.hpp"
#include "external_kind.hpp"
#include "kind_list.hpp"
#include "losses.hpp"
#include "node_scopes.hpp"
#include "record_buffers.hpp"
#include "record_walk.hpp"
#include "scope_links.hpp"
#include "scope_tree.hpp"
#include "traced_scope.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {
class trace_event_writer;
}
namespace detail {

// What batches of one tracer share.
struct trace_names {
    explicit trace_names(std::size_t most_scopes) : scopes{most_scopes} {}
    scope_tree scopes;
    scope_links links;
    scope_links ids[abi::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2 + 1]; // of the program's own, by their kinds
    node_scopes nodes;
    std::optional<error> scopes_problem;
    trace_losses lost;                                 // since the tracer began, but for those that only visiting shows
    std::vector<hw::provided::multiprocessor> devices; // known once there are records
};

// Filled buffers, given back when this ends.
class held_buffers {
public:
    explicit held_buffers(std::shared_ptr<record_buffers> from) : from_{std::move(from)} {}
    held_buffers(held_buffers&& other) noexcept
        : from_{std::move(other.from_)}, filled_{std::exchange(other.filled_, {})} {}
    held_buffers& operator=(held_buffers&&) = delete;
    ~held_buffers() {
        if (from_ != nullptr) from_->give_back(std::move(filled_)); // moved from: another one has them
    }
    void take() { filled_ = from_->take_filled(); }
    [[nodiscard]] std::vector<filled_buffer> const& all() const noexcept { return filled_; }

private:
    std::shared_ptr<record_buffers> from_;
    std::vector<filled_buffer> filled_;
};

// Whether a record has a time that CUPTI did not take.
template <class Record>
[[nodiscard]] constexpr bool lacks_time(Record const& record) noexcept {
    if constexpr (requires { record.time.known(); }) return !record.time.known();
    else return false;
}

} // namespace detail

// Some of a tracer's records and scopes, in no order: CUPTI's own buffers, not copied, given back to CUPTI when the batch ends.
// What records point to (texts) is valid as long as the batch. Kinds: activity::kind_list<...> or activity::kind_set.
// Move-only; one thread at a time. It may outlive its tracer.
template <class Kinds>
class trace_batch {
public:
    // What iterating gives: a std::variant of the record types asked for, or activity::record, which has all.
    using record = detail::record_of<Kinds>;

    // Calls f(record type const&) for each record and f(traced_scope const&) for each scope, decoding only what f reads. With
    // kinds chosen when compiling, f must take each of them; with a kind_set, records that f does not take are passed over.
    // Scopes are passed over if f does not take them.
    template <class F>
    void visit(F&& f) const {
        trace_losses counts;
        walk(counts, [&](abi::CUpti_ActivityKind kind, abi::CUpti_Activity const* at, std::size_t readable) {
            dispatch(kind, at, readable, f, counts);
        });
        counted_ = counts;
        is_counted_ = true;
        if constexpr (std::is_invocable_v<F&, traced_scope const&>)
            for (traced_scope const& each : scopes_) f(each);
    }

    // Records one after the other: `for (auto const& record : batch) std::visit(f, record);`. Each is valid until the next.
    class iterator;
    [[nodiscard]] iterator begin() const { return iterator{*this}; }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

    [[nodiscard]] std::vector<traced_scope> const& scopes() const noexcept { return scopes_; }

    // What is missing in this batch and what was lost since the one before. Reads the records if nothing has read all of them.
    [[nodiscard]] trace_losses losses() const {
        if (!is_counted_) visit([](auto const&) {});
        trace_losses all = lost_;
        all += counted_;
        return all;
    }

    // The number of the scope that a call was made in, with all that it started, by the correlation of the records; 0 for
    // none. Known once the record of the call has come, for the newest 262,144 calls.
    [[nodiscard]] std::uint64_t scope_of(std::uint32_t correlation) const {
        return names_->links.scope_of(correlation);
    }
    // The number of a record's scope. What a node of a graph did belongs to the scope in which the node was captured or added,
    // however often the graph is launched and from where; anything else, and nodes of no scope, to that of the call. Nodes
    // are known if they were made after the tracer's first scope, until 262,144 later ones were destroyed.
    template <class Record>
        requires requires(Record const& of) { of.correlation; }
    [[nodiscard]] std::uint64_t scope_of(Record const& of) const {
        std::uint64_t captured = 0;
        if constexpr (requires { of.graph_node.has_value(); }) {
            if (of.graph_node) captured = names_->nodes.scope_of(*of.graph_node);
        } else if constexpr (requires { of.graph_node; }) { // a host node always has one
            captured = names_->nodes.scope_of(of.graph_node);
        }
        if constexpr (requires { of.source_graph_node; })
            if (captured == 0 && of.source_graph_node) captured = names_->nodes.scope_of(*of.source_graph_node);
        if (captured != 0) return captured;
        if constexpr (requires { of.correlation.value_or(0u); }) return scope_of(of.correlation.value_or(0u));
        else return scope_of(std::uint32_t{of.correlation});
    }
    // The id that the program had given its thread when it made the record's call (external_id), or, of kind openacc, that of
    // an OpenACC record: its external_id. Nothing if it had none. Known as scopes are; those of openacc need the tracer to
    // ask for activity::external_correlation.
    template <class Record>
        requires requires(Record const& of) { of.correlation; }
    [[nodiscard]] std::optional<std::uint64_t> external_id_of(Record const& of, external_kind kind) const {
        auto const& ids = names_->ids[static_cast<unsigned>(kind)];
        if constexpr (requires { of.correlation.value_or(0u); }) return ids.find(of.correlation.value_or(0u));
        else return ids.find(std::uint32_t{of.correlation});
    }
    // Why records do not know their scopes, if CUPTI could not be made to tell.
    [[nodiscard]] std::optional<error> unknown_scopes() const {
        platform::lock const held{detail::names_mutex};
        return names_->scopes_problem;
    }
    // Why nodes of graphs are not known by their scopes, if they are not: CUPTI has no callbacks, or serves another tool with
    // them (busy). Nothing while the tracer has had no scope.
    [[nodiscard]] std::optional<error> unknown_nodes() const { return names_->nodes.problem(); }
    // "frame/step" for a scope's number; empty for 0.
    [[nodiscard]] std::string scope_path(std::uint64_t number) const { return names_->scopes.path_of(number); }

    // No records, no scopes, nothing lost.
    [[nodiscard]] bool empty() const noexcept { return buffers_.all().empty() && scopes_.empty() && lost_.complete(); }
    // Bytes of records.
    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t sum = 0;
        for (auto const& each : buffers_.all()) sum += each.valid;
        return sum;
    }

private:
    template <class>
    friend class tracer;
    friend class io::trace_event_writer;
    // Tells a writer what the devices hold.
    template <class Writer>
    void limits_of_devices(Writer& to) const {
        platform::lock const held{detail::names_mutex};
        for (std::size_t i = 0; i < names_->devices.size(); ++i) to.set_limits(i, names_->devices[i]);
    }
    template <class F>
    void walk(trace_losses& counts, F&& f) const {
        detail::record_cursor cursor{walk_};
        for (auto const& each : buffers_.all()) {
            abi::CUpti_Activity* at = nullptr;
            while (cursor.advance(each, at)) f(at->kind, at, each.readable(at));
            if (cursor.is_cut_short()) ++counts.undecoded;
        }
    }

    // What an iterator does with a record.
    struct keeper {
        record& to;
        bool is_kept = false;
        template <class Record>
        void operator()(Record const&) const noexcept {}
    };

    // What passes a record of each kind to F: a table, which is quicker than a chain of comparisons. Null for what F does not
    // take, which only kinds chosen while running allow.
    template <class F>
    struct by_kind {
        using call = void (*)(trace_batch const&, abi::CUpti_Activity const*, std::size_t, F&, trace_losses&);
        call of[64]{};
        constexpr by_kind() {
            if constexpr (std::is_same_v<Kinds, activity::kind_set>) {
#define GPUPROF_ACTIVITY_ADD(type) add<activity::type>();
                GPUPROF_ACTIVITY_RECORDS(GPUPROF_ACTIVITY_ADD)
#undef GPUPROF_ACTIVITY_ADD
            } else {
                add_all(static_cast<record const*>(nullptr));
            }
        }
        template <class... Record>
        constexpr void add_all(std::variant<Record...> const*) {
            static_assert((std::is_invocable_v<F&, Record const&> && ...),
                          "the visitor must take every kind of record that the tracer collects");
            (add<Record>(), ...);
        }
        template <class Record>
        constexpr void add() {
            if constexpr (std::is_invocable_v<F&, Record const&>)
                for (auto const kind : Record::kinds) of[kind] = &trace_batch::pass<Record, F>;
        }
    };

    // One record, if it is one that was asked for.
    template <class F>
    void dispatch(abi::CUpti_ActivityKind kind, abi::CUpti_Activity const* at, std::size_t readable, F& f,
                  trace_losses& counts) const {
        if (!asked_.has(kind)) return; // needed by scopes, or by another kind
        static constexpr by_kind<F> calls{};
        if (calls.of[kind] != nullptr) calls.of[kind](*this, at, readable, f, counts);
        else if (walk_.bytes_of[kind] == 0) ++counts.undecoded;
    }
    template <class Record, class F>
    static void pass(trace_batch const& self, abi::CUpti_Activity const* at, std::size_t readable, F& f,
                     trace_losses& counts) {
        std::size_t const size = self.walk_.bytes_of[at->kind];
        if (size == 0 || readable < size) {
            ++counts.undecoded;
            return;
        }
        activity::field_reader const read{at, size, self.walk_.release};
        if constexpr (std::is_same_v<F, keeper>) { // where it stays: a record has up to 400 bytes
            auto& kept = f.to.template emplace<Record>();
            kept.layout(read);
            if (detail::lacks_time(kept)) ++counts.without_time;
            f.is_kept = true;
        } else {
            Record decoded;
            decoded.layout(read);
            if (detail::lacks_time(decoded)) ++counts.without_time;
            f(static_cast<Record const&>(decoded));
        }
    }

    trace_batch(detail::held_buffers buffers, detail::record_walk walk, activity::kind_set asked,
                std::shared_ptr<detail::trace_names const> names, std::vector<traced_scope> scopes, trace_losses lost)
        : buffers_{std::move(buffers)},
          walk_{walk},
          asked_{asked},
          names_{std::move(names)},
          scopes_{std::move(scopes)},
          lost_{lost} {}

    detail::held_buffers buffers_;
    detail::record_walk walk_;
    activity::kind_set asked_;
    std::shared_ptr<detail::trace_names const> names_;
    std::vector<traced_scope> scopes_;
    trace_losses lost_;            // before the records came
    mutable trace_losses counted_; // while they were visited
    mutable bool is_counted_ = false;
};

// An input iterator: it holds one record.
template <class Kinds>
class trace_batch<Kinds>::iterator {
public:
    using value_type = record;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using reference = record const&;
    using pointer = record const*;

    iterator() = default;
    explicit iterator(trace_batch const& of) : of_{&of}, cursor_{of.walk_} { advance(); }
    [[nodiscard]] reference operator*() const noexcept { return record_; }
    [[nodiscard]] pointer operator->() const noexcept { return &record_; }
    iterator& operator++() {
        advance();
        return *this;
    }
    void operator++(int) { advance(); }
    [[nodiscard]] friend bool operator==(iterator const& at, std::default_sentinel_t) noexcept { return at.is_end_; }

private:
    void advance() {
        auto const& buffers = of_->buffers_.all();
        for (;;) {
            if (buffer_ == buffers.size()) {
                is_end_ = true;
                of_->counted_ = counts_;
                of_->is_counted_ = true;
                return;
            }
            auto const& in = buffers[buffer_];
            if (!cursor_.advance(in, at_)) {
                if (cursor_.is_cut_short()) ++counts_.undecoded;
                at_ = nullptr;
                ++buffer_;
                continue;
            }
            keeper keep{record_};
            of_->dispatch(at_->kind, at_, in.readable(at_), keep, counts_);
            if (keep.is_kept) return;
        }
    }

    trace_batch const* of_ = nullptr;
    detail::record_cursor cursor_{};
    std::size_t buffer_ = 0;
    abi::CUpti_Activity* at_ = nullptr;
    bool is_end_ = false;
    trace_losses counts_;
    record record_{};
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_TRACE_TRACE_BATCH_HPP
