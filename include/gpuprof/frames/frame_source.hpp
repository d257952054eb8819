// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources of frame counters: the concept, and any source behind one type.
#ifndef GPUPROF_FRAMES_FRAME_SOURCE_HPP
#define GPUPROF_FRAMES_FRAME_SOURCE_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../detail/builtin.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// Counters that the hardware reads together: indices of the requested list.
using frame_group = std::vector<std::size_t>;

// A reading of a group.
struct frame_reading {
    // Nanoseconds of the activity records' clock. Both are 0 if the source is not timed; the
    // reading is then of the time since the previous one.
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    double cycles = detail::quiet_nan; // of the multiprocessors in that time, if counted
    std::span<double const> values;    // of the group's counters; NaN: not collected
};

// A function that takes readings. Called only during a read.
struct frame_sink {
    void (*take)(void* self, frame_reading const& reading) noexcept = nullptr;
    void* self = nullptr;

    void operator()(frame_reading const& reading) const noexcept { take(self, reading); }
};

// The outcome of a read.
struct frame_read {
    std::size_t readings = 0;
    std::size_t lost = 0; // times that readings were lost since the last read
    bool more = false;    // more readings wait
};

// A source reads the counters of one group at a time while the program runs, and waits for nothing.
// try_read() allocates nothing after its first call, nor does try_select() if it is
// `cheap_to_select`.
template <class T>
concept frame_source = std::move_constructible<T> &&
    requires(T source, T const& constant, std::size_t number, frame_sink sink) {
    { T::timed } -> std::convertible_to<bool>;           // readings have times; else each is of a frame
    { T::cheap_to_select } -> std::convertible_to<bool>; // changing groups costs little
    { constant.groups() } -> std::convertible_to<std::span<frame_group const>>; // one at least
    { source.try_select(number) } -> std::same_as<result<void>>;                // @pre number < groups().size()
    { source.try_read(number, sink) } -> std::same_as<result<frame_read>>;      // `number` readings at most
};

// A source of any kind, or none. Move-only.
class any_frame_source {
public:
    any_frame_source() = default;
    template <class Source>
        requires(!std::same_as<Source, any_frame_source> &&
                 frame_source<Source>) // excludes itself first, or the concept would depend on itself
    explicit any_frame_source(Source source) : held_{std::make_unique<model<Source>>(std::move(source))} {}

    [[nodiscard]] explicit operator bool() const noexcept { return held_ != nullptr; }
    void reset() noexcept { held_.reset(); }

    // @pre of all that follows: there is a source
    [[nodiscard]] bool timed() const noexcept { return held_->timed(); }
    [[nodiscard]] bool cheap_to_select() const noexcept { return held_->cheap_to_select(); }
    [[nodiscard]] std::span<frame_group const> groups() const noexcept { return held_->groups(); }
    [[nodiscard]] result<void> try_select(std::size_t group) { return held_->try_select(group); }
    [[nodiscard]] result<frame_read> try_read(std::size_t most, frame_sink sink) { return held_->try_read(most, sink); }

private:
    struct holder {
        virtual ~holder() = default;
        [[nodiscard]] virtual bool timed() const noexcept = 0;
        [[nodiscard]] virtual bool cheap_to_select() const noexcept = 0;
        [[nodiscard]] virtual std::span<frame_group const> groups() const noexcept = 0;
        [[nodiscard]] virtual result<void> try_select(std::size_t group) = 0;
        [[nodiscard]] virtual result<frame_read> try_read(std::size_t most, frame_sink sink) = 0;
    };
    template <class Source>
    struct model final : holder {
        explicit model(Source&& given) : source{std::move(given)} {}
        [[nodiscard]] bool timed() const noexcept override { return Source::timed; }
        [[nodiscard]] bool cheap_to_select() const noexcept override { return Source::cheap_to_select; }
        [[nodiscard]] std::span<frame_group const> groups() const noexcept override { return source.groups(); }
        [[nodiscard]] result<void> try_select(std::size_t group) override { return source.try_select(group); }
        [[nodiscard]] result<frame_read> try_read(std::size_t most, frame_sink sink) override {
            return source.try_read(most, sink);
        }
        Source source;
    };

    std::unique_ptr<holder> held_;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_SOURCE_HPP
