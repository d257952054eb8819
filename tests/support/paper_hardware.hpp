// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counter hardware of a test: every value is 1, it notices pops without a push, and runs out of memory where a test says.
#ifndef GPUPROF_TESTS_SUPPORT_PAPER_HARDWARE_HPP
#define GPUPROF_TESTS_SUPPORT_PAPER_HARDWARE_HPP

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/hw/counters/counter_hardware.hpp>

namespace test {

// What a test sets, and what happened.
struct paper_knobs {
    std::size_t passes = 1;
    char const* without_memory = ""; // the member of the session that throws std::bad_alloc
    std::size_t most_ranges = 0;     // of the shape last prepared
    std::size_t sessions = 0;        // that exist
    std::size_t pops_too_many = 0;
    std::size_t left_pushed = 0; // when a replay pass ended
    std::vector<gpuprof::hw::range_values> kernels{};
};

struct paper_hardware {
    static inline paper_knobs now{};

    static constexpr std::string_view name = "paper hardware";
    static constexpr bool replays_kernels_in_scopes = false;
    [[nodiscard]] static bool supports(gpuprof::compute_capability) { return true; }
    [[nodiscard]] static gpuprof::result<bool> wants(gpuprof::device const&, std::span<std::string const>,
                                                     gpuprof::range_mode) {
        return true;
    }

    struct plan {
        std::size_t metrics = 0;
        [[nodiscard]] std::size_t passes() const { return now.passes; }
        [[nodiscard]] bool remembered() const { return false; }
        [[nodiscard]] std::string_view hardware() const { return name; }
    };
    [[nodiscard]] static gpuprof::result<plan> try_plan(gpuprof::device const&, std::span<std::string const> metrics) {
        return plan{metrics.size()};
    }
    static void forget(plan const&) {}
    [[nodiscard]] static gpuprof::result<gpuprof::hw::evaluated_counters>
    try_evaluate(gpuprof::hw::machine const&, gpuprof::hw::counter_data const&, std::span<std::string const>) {
        return gpuprof::hw::no_counter_data();
    }

    class session {
    public:
        [[nodiscard]] static gpuprof::result<session> try_open(gpuprof::device const&, plan const& of) {
            run("try_open");
            return session{of.metrics};
        }
        session(session&& other) noexcept
            : metrics_{other.metrics_}, alive_{std::exchange(other.alive_, false)}, ids_{std::move(other.ids_)} {}
        session& operator=(session&&) = delete;
        ~session() {
            if (alive_) --now.sessions;
        }

        [[nodiscard]] gpuprof::result<void> try_prepare(gpuprof::hw::session_shape const& shape) {
            run("try_prepare");
            now.most_ranges = shape.max_ranges;
            auto_range_ = shape.ranges == gpuprof::range_mode::auto_range;
            total_ = now.passes * shape.nesting_levels;
            pass_ = 0;
            return {};
        }
        [[nodiscard]] gpuprof::result<void> try_begin_replay_pass() {
            run("try_begin_replay_pass");
            ids_.clear();
            return {};
        }
        [[nodiscard]] gpuprof::result<void> try_push(std::uint32_t id) {
            run("try_push");
            ids_.push_back(id);
            ++depth_;
            return {};
        }
        [[nodiscard]] gpuprof::result<void> try_pop() {
            run("try_pop");
            if (depth_ == 0) ++now.pops_too_many;
            else --depth_;
            return {};
        }
        [[nodiscard]] gpuprof::result<void> try_pause() { return {}; }
        [[nodiscard]] gpuprof::result<void> try_resume() { return {}; }
        [[nodiscard]] gpuprof::result<gpuprof::hw::replay_progress> try_end_replay_pass() {
            run("try_end_replay_pass");
            now.left_pushed += std::exchange(depth_, std::size_t{0});
            ++pass_;
            return gpuprof::hw::replay_progress{pass_, 0, pass_ >= total_};
        }
        [[nodiscard]] gpuprof::result<std::vector<gpuprof::hw::range_values>> try_read() {
            run("try_read");
            if (auto_range_) return now.kernels;
            std::vector<gpuprof::hw::range_values> list;
            for (std::uint32_t const id : ids_) list.push_back({id, std::vector<double>(metrics_, 1.0)});
            return list;
        }

        [[nodiscard]] gpuprof::result<gpuprof::hw::counter_data> try_keep() const {
            return gpuprof::hw::no_counter_data();
        }

    private:
        explicit session(std::size_t metrics) : metrics_{metrics}, alive_{true} { ++now.sessions; }
        static void run(std::string_view member) {
#if GPUPROF_EXCEPTIONS
            if (member == now.without_memory) throw std::bad_alloc{};
#else
            static_cast<void>(member);
#endif
        }

        std::size_t metrics_;
        bool alive_;
        bool auto_range_ = false;
        std::size_t total_ = 1;
        std::size_t pass_ = 0;
        std::size_t depth_ = 0;
        std::vector<std::uint32_t> ids_{};
    };
};
static_assert(gpuprof::hw::counter_hardware<paper_hardware>);

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_PAPER_HARDWARE_HPP
