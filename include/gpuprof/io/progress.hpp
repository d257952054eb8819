// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shows the progress of long work on a terminal.
#ifndef GPUPROF_IO_PROGRESS_HPP
#define GPUPROF_IO_PROGRESS_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "../text/printable.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/platform/terminal.hpp"
#include "../measure/profiler_options.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// "restores 1.2 GB a pass, 0.9 GB of it from the host, about 80 ms": what memory_control::restore_written
// puts back before each pass. Decimal units; empty if that is nothing.
[[nodiscard]] inline std::string restore_text(restore_cost const& cost) {
    if (cost.bytes() == 0) return {};
    auto const rounded = [](double value) { // two digits or more, one decimal below 10
        char text[32] = {};
        std::snprintf(text, sizeof text, value < 9.95 ? "%.1f" : "%.0f", value);
        for (char& c : text)
            if (c == ',') c = '.';
        return std::string{text};
    };
    auto const size = [&](std::size_t bytes) {
        constexpr char const* units[]{" bytes", " kB", " MB", " GB", " TB"};
        double value = static_cast<double>(bytes);
        std::size_t unit = 0;
        for (; value >= 1000 && unit + 1 < sizeof units / sizeof *units; ++unit) value /= 1000;
        return (unit == 0 ? std::to_string(bytes) : rounded(value)) + units[unit];
    };
    std::string text = "restores " + size(cost.bytes()) + " a pass";
    if (cost.on_host != 0) text += ", " + size(cost.on_host) + " of it from the host";
    if (cost.in_file != 0) text += ", " + size(cost.in_file) + " of it from a file";
    double const time = cost.milliseconds;
    return text + (time < 0.1 ? ", less than 0.1 ms" : ", about " + rounded(time) + " ms");
}

// Writes one line on standard error, "profiling: 3 of 12 passes", rewrites it, and removes it when
// all is done, so that a report begins a line, and at the end. After 2 s it says how long the rest
// will take, ", 9 s left", if it goes on as fast. Writes nothing if standard error is no terminal, or one that cannot rewrite a line
// (TERM=dumb), and at most ten times a second, so that you can call it for every pass. Never throws
// and never fails.
//
//     gpuprof::io::progress line{"profiling", "passes"};
//     gpuprof::profiler_options options;
//     options.on_pass = line.of_passes();
//     options.on_restore = line.of_restores();
//
// Cost: a reading of the clock, 25 ns, if nothing is written; no allocation after the construction.
// One thread at a time.
class progress {
public:
    explicit progress(std::string_view activity, std::string_view of = "passes")
        : progress{activity, of, platform::error_stream_rewrites_lines(), &platform::write_to_error_stream} {}

    // For another stream: `shown` says whether to write at all.
    progress(std::string_view activity, std::string_view of, bool shown, void (*write)(std::string_view) noexcept)
        : activity_{gpuprof::detail::printable(activity)},
          of_{gpuprof::detail::printable(of)},
          write_{write},
          shown_{shown} {
        line_.reserve(activity_.size() + of_.size() + 96);
    }
    ~progress() { clear(); }
    progress(progress const&) = delete;
    progress& operator=(progress const&) = delete;

    // Shows `done` of `needed`; 0 if it is not known how many are needed.
    void show(std::size_t done, std::size_t needed) noexcept {
        if (shown_) show(done, needed, platform::monotonic_nanoseconds());
    }
    // The same at the given time, in nanoseconds.
    void show(std::size_t done, std::size_t needed, std::uint64_t now) noexcept {
        if (!begun_ || done < done_) { // other work
            begun_ = true;
            begin_ = now;
            first_ = done;
        }
        done_ = done;
        if (needed > 0 && done >= needed) return clear();
        bool const soon = written_ && now - last_ < interval;
        if (!shown_ || soon) return;
        last_ = now;
        written_ = true;
        // "\r" goes to the beginning of the line, "ESC [K" erases the rest of it.
        line_ = "\r";
        line_ += activity_;
        line_ += ": ";
        append(done);
        if (needed > 0) {
            line_ += " of ";
            append(needed);
        }
        line_ += ' ';
        line_ += of_;
        if (std::uint64_t const took = now - begin_; took >= worth_saying && done > first_ && needed > done) {
            double const left =
                static_cast<double>(took) * static_cast<double>(needed - done) / static_cast<double>(done - first_);
            line_ += ", ";
            append(static_cast<std::size_t>(left / 1e9 + 0.5));
            line_ += " s left";
        }
        if (!restores_.empty()) {
            line_ += "; ";
            line_ += restores_;
        }
        line_ += "\x1b[K";
        write_(line_);
    }

    // Removes the line.
    void clear() noexcept {
        if (written_) write_("\r\x1b[K");
        written_ = false;
    }

    // Says at the end of the line what restoring memory costs, from here on.
    void show(restore_cost const& cost) noexcept {
        if (!shown_ || cost.bytes() == 0) return;
#if GPUPROF_EXCEPTIONS
        try {
            restores_ = restore_text(cost);
            line_.reserve(line_.capacity() + restores_.size());
        } catch (...) {
            restores_.clear();
        }
#else
        restores_ = restore_text(cost);
#endif
    }
    // A listener for profiler_options::on_restore; valid as long as this object.
    [[nodiscard]] restore_listener of_restores() noexcept {
        return {[](void* to, restore_cost const& cost) noexcept { static_cast<progress*>(to)->show(cost); }, this};
    }

    // A listener for profiler_options::on_pass; valid as long as this object.
    [[nodiscard]] pass_listener of_passes() noexcept {
        return {[](void* to, std::size_t done, std::size_t needed) noexcept {
                    static_cast<progress*>(to)->show(done, needed);
                },
                this};
    }

private:
    static constexpr std::uint64_t interval = 100'000'000; // nanoseconds
    static constexpr std::uint64_t worth_saying = 2'000'000'000;

    void append(std::size_t number) noexcept {
        char digits[20];
        std::size_t at = sizeof digits;
        do digits[--at] = static_cast<char>('0' + number % 10);
        while ((number /= 10) != 0);
        line_.append(digits + at, sizeof digits - at);
    }

    std::string activity_;
    std::string of_;
    std::string line_;
    std::string restores_;
    void (*write_)(std::string_view) noexcept;
    std::uint64_t last_ = 0;
    std::uint64_t begin_ = 0; // of the work that is shown
    std::size_t first_ = 0;   // what was done then
    std::size_t done_ = 0;
    bool begun_ = false;
    bool shown_;
    bool written_ = false;
};

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_PROGRESS_HPP
