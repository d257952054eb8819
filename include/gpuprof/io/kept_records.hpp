// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps copies of a tracer's last records, to write them later.
#ifndef GPUPROF_IO_KEPT_RECORDS_HPP
#define GPUPROF_IO_KEPT_RECORDS_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../detail/config.hpp"
#include "../hw/activity/record.hpp"
#include "../trace/traced_scope.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {
namespace detail {

// A ring of records whose texts outlive their batch: kernels (CUPTI keeps their names), copies, sets,
// graphs, calls, waits and scopes (valid as long as the tracer). Fixed memory. One thread at a time.
class kept_records {
public:
    using record =
        std::variant<std::monostate, activity::kernel, activity::memcpy, activity::peer_memcpy, activity::memset,
                     activity::graph_trace, activity::api_call, activity::synchronization, traced_scope>;

    // @pre room != 0
    explicit kept_records(std::size_t room) : kept_(room) {}

    template <class Batch>
    void add(Batch const& batch) {
        batch.visit([&]<class Record>(Record const& of) {
            if constexpr (std::is_same_v<Record, traced_scope>) keep(of, 0);
            else if constexpr (is_kept<Record>) keep(of, batch.scope_of(of));
        });
        auto const lost = batch.losses();
        lost_ += lost.dropped + lost.undecoded + lost.scopes_dropped;
    }
    // How many records had to go that were written by nobody, since the beginning.
    [[nodiscard]] std::uint64_t overwritten() const noexcept { return end_ > kept_.size() ? end_ - kept_.size() : 0; }

    // The records that were over at `since` or later, and more scopes, as a batch that a
    // trace_event_writer takes. `path(number)` is a scope's path.
    template <class Path>
    class view {
    public:
        view(kept_records const& of, std::uint64_t since, std::vector<traced_scope> scopes, Path path)
            : of_{&of}, since_{since}, path_{std::move(path)}, scopes_{std::move(scopes)} {
            each([&](auto const& held) {
                if constexpr (std::is_same_v<std::decay_t<decltype(held)>, traced_scope>) scopes_.push_back(held);
            });
        }
        [[nodiscard]] std::vector<traced_scope> const& scopes() const noexcept { return scopes_; }
        template <class F>
        void visit(F&& f) const {
            each([&](auto const& held) { f(held); });
        }
        [[nodiscard]] std::uint64_t scope_of(std::uint32_t) const noexcept { return scope_; }
        template <class Record>
            requires requires(Record const& of) { of.correlation; }
        [[nodiscard]] std::uint64_t scope_of(Record const&) const noexcept { return scope_; }
        [[nodiscard]] std::string scope_path(std::uint64_t number) const { return path_(number); }
        struct losses_of {
            std::uint64_t dropped, undecoded = 0, scopes_dropped = 0;
        };
        [[nodiscard]] losses_of losses() const noexcept { return {of_->lost_}; }

    private:
        template <class F>
        void each(F&& f) const {
            std::size_t const room = of_->kept_.size();
            for (std::uint64_t at = of_->end_ > room ? of_->end_ - room : 0; at != of_->end_; ++at) {
                entry const& kept = of_->kept_[at % room];
                scope_ = kept.scope;
                std::visit(
                    [&](auto const& held) {
                        if constexpr (requires { held.time; })
                            if (held.time.end.ticks >= since_) f(held);
                    },
                    kept.held);
            }
            scope_ = 0;
        }

        kept_records const* of_;
        std::uint64_t since_;
        Path path_;
        std::vector<traced_scope> scopes_;
        mutable std::uint64_t scope_ = 0; // of the record that is visited
    };

private:
    template <class Record>
    static constexpr bool is_kept = std::is_constructible_v<record, Record const&>;

    template <class Record>
    void keep(Record const& of, std::uint64_t scope) {
        entry& to = kept_[end_++ % kept_.size()];
        to.held.template emplace<Record>(of);
        to.scope = scope;
    }

    struct entry {
        record held{};
        std::uint64_t scope = 0;
    };
    std::vector<entry> kept_;
    std::uint64_t end_ = 0; // records so far
    std::uint64_t lost_ = 0;
};

} // namespace detail
} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_KEPT_RECORDS_HPP
