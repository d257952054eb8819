// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/counters/registry.hpp: which backend of a program gets a device, and whose error is told where several fail.
#include <doctest/doctest.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/hw/counters/range/range_hardware.hpp>
#include <gpuprof/hw/counters/range/range_registration.hpp>

#include "support/hand_filled.hpp"
#include "support/paper_hardware.hpp"

namespace registry_test {

namespace hw = gpuprof::hw;
using gpuprof::errc;
using gpuprof::error;
using gpuprof::result;

namespace {

enum class answer : unsigned char { absent, wants, declines, cannot_say };

// Paper hardware that answers as a test says; absent from the program's list otherwise.
template <int Number>
struct asked_hardware : test::paper_hardware {
    static constexpr std::string_view name = Number == 1 ? "first" : "second";
    static constexpr bool replays_kernels_in_scopes = false;
    static inline answer says = answer::absent;
    static inline bool plans = true;
    static inline bool opens = true;

    [[nodiscard]] static bool supports(gpuprof::compute_capability) { return says != answer::absent; }
    [[nodiscard]] static result<bool> wants(gpuprof::device const&, std::span<std::string const>, gpuprof::range_mode) {
        if (says == answer::cannot_say) {
            error const why{errc::busy, 0, Number == 1 ? "first" : "second", "it is held"};
            return why;
        }
        return says == answer::wants;
    }

    struct plan : test::paper_hardware::plan {
        [[nodiscard]] std::string_view hardware() const { return name; }
    };
    [[nodiscard]] static result<plan> try_plan(gpuprof::device const&, std::span<std::string const> metrics) {
        error const why{errc::unknown_metric, 0, "no plan"};
        if (!plans) return why;
        plan planned;
        planned.metrics = metrics.size();
        return planned;
    }
    static void forget(plan const&) {}

    class session : public test::paper_hardware::session {
    public:
        [[nodiscard]] static result<session> try_open(gpuprof::device const& gpu, plan const& of) {
            error const why{errc::permission, 0, "not opened", "it is closed"};
            if (!opens) return why;
            return session{*test::paper_hardware::session::try_open(gpu, of)};
        }

    private:
        explicit session(test::paper_hardware::session opened) : test::paper_hardware::session{std::move(opened)} {}
    };
};
using first_hardware = asked_hardware<1>;
using second_hardware = asked_hardware<2>;

hw::registration const first_registered{hw::backend<first_hardware>};
hw::registration const second_registered{hw::backend<second_hardware>};

std::vector<std::string> const metrics{"smsp__warps_launched.sum"};

struct paper {
    gpuprof::hw::machine machine = test::hand_filled_machine({{}});
    gpuprof::device gpu = *gpuprof::device::try_open(machine);

    paper(answer first, answer second) {
        test::paper_hardware::now = {};
        first_hardware::says = first;
        second_hardware::says = second;
    }
    ~paper() {
        first_hardware::says = second_hardware::says = answer::absent;
        first_hardware::plans = second_hardware::plans = first_hardware::opens = second_hardware::opens = true;
    }
    paper(paper const&) = delete;
    paper& operator=(paper const&) = delete;

    [[nodiscard]] std::string hardware() const {
        auto const plan = hw::try_plan_counters(gpu, metrics);
        return plan ? std::string{(*plan)->hardware()} : plan.error().what;
    }
};

} // namespace

TEST_CASE("registry: entries are in the order of construction, and the range profiler is the last") {
    std::vector<hw::counter_backend const*> order;
    for (auto const* entry = hw::registration::first(); entry != nullptr; entry = entry->next())
        order.push_back(&entry->backend());
    REQUIRE(order.size() >= 3);
    CHECK(order.back() == &hw::backend<hw::range_hardware>);
    std::size_t first = 0, second = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i] == &hw::backend<first_hardware>) first = i;
        if (order[i] == &hw::backend<second_hardware>) second = i;
    }
    CHECK(first + 1 == second);
}

TEST_CASE("registry: the first backend that supports the device and wants the metrics plans") {
    CHECK(paper{answer::wants, answer::wants}.hardware() == "first");
    CHECK(paper{answer::declines, answer::wants}.hardware() == "second");
    CHECK(paper{answer::absent, answer::wants}.hardware() == "second");
    CHECK_FALSE(hw::has_backend_for({1, 0}));
    paper const any{answer::absent, answer::wants};
    CHECK(hw::has_backend_for({1, 0}));
}

TEST_CASE("registry: a backend that cannot say whether it wants the metrics is passed over, and its error is kept") {
    paper const machine{answer::cannot_say, answer::wants};
    auto const plan = hw::try_plan_counters(machine.gpu, metrics);
    REQUIRE(plan);
    CHECK((*plan)->hardware() == "second");
    CHECK((*plan)->passes() == 1);
    {
        auto const session = (*plan)->try_open(machine.gpu);
        REQUIRE(session);
        CHECK(test::paper_hardware::now.sessions == 1);
    }
    CHECK(test::paper_hardware::now.sessions == 0);
    second_hardware::opens = false;
    auto const closed = (*plan)->try_open(machine.gpu);
    REQUIRE_FALSE(closed);
    CHECK(closed.error().code == errc::busy);
    CHECK(closed.error().what == "first");
    CHECK(closed.error().cause == "it is held; what was tried instead failed, too: not opened, because it is closed");
    second_hardware::plans = false;
    auto const refused = hw::try_plan_counters(machine.gpu, metrics);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::busy);
    CHECK(refused.error().cause == "it is held; what was tried instead failed, too: no plan");
}

TEST_CASE("registry: the error of the backend that is asked is its own where none was passed over") {
    paper const machine{answer::declines, answer::wants};
    second_hardware::opens = false;
    auto const plan = hw::try_plan_counters(machine.gpu, metrics);
    REQUIRE(plan);
    auto const closed = (*plan)->try_open(machine.gpu);
    REQUIRE_FALSE(closed);
    CHECK(closed.error().what == "not opened");
}

} // namespace registry_test
