// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Listeners that share the one subscriber of CUPTI.
#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "support/system.hpp"

#include <gpuprof/hw/callbacks/inside.hpp>
#include <gpuprof/hw/callbacks/subscription.hpp>

#include "support/callback_cupti.hpp"

namespace subscription_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
using gpuprof::errc;
using hw::callback_id;
using hw::callback_set;
using hw::subscription;
using test::callback_cupti;

namespace {

constexpr auto driver = abi::CUPTI_CB_DOMAIN_DRIVER_API;
constexpr auto runtime = abi::CUPTI_CB_DOMAIN_RUNTIME_API;
constexpr auto resource = abi::CUPTI_CB_DOMAIN_RESOURCE;

constexpr auto nothing = [] {};

struct counter {
    std::atomic<std::size_t> heard{0};
    static void listen(void* self, callback_id, void const*) { ++static_cast<counter*>(self)->heard; }
};

subscription begun(callback_cupti& on, callback_set const& ids, counter& of, subscription::extras more = {}) {
    auto result = subscription::try_begin(on.on, ids, &counter::listen, &of, more);
    REQUIRE_MESSAGE(result, (result ? std::string{} : result.error().message()));
    return *std::move(result);
}

} // namespace

TEST_CASE("callback set: domains and single ids, joined and taken away") {
    callback_set set{callback_id{driver, 307}};
    CHECK(set.has({driver, 307}));
    CHECK_FALSE(set.has({driver, 306}));
    CHECK_FALSE(set.has({runtime, 307}));
    CHECK(set.any(driver));
    CHECK_FALSE(set.any(runtime));
    set |= callback_set::all_of(resource);
    CHECK(set.whole(resource));
    CHECK(set.has({resource, 1'000'000})); // of a CUPTI that is yet to come
    set -= callback_id{resource, 4};
    CHECK_FALSE(set.whole(resource));
    CHECK_FALSE(set.has({resource, 4}));
    CHECK(set.has({resource, 3}));
    CHECK((set - callback_set::all_of(resource)) == callback_set{callback_id{driver, 307}});
    CHECK((set - callback_set::all_of(resource) - callback_id{driver, 307}).empty());
    CHECK(callback_set::room(driver) > 877);  // CUDA 13.5
    CHECK(callback_set::room(runtime) > 567); // CUDA 13.5
    CHECK(callback_set{callback_id{driver, 100'000}}.empty());
    CHECK(callback_set{callback_id{abi::CUPTI_CB_DOMAIN_INVALID, 1}}.empty());
    CHECK(callback_set{callback_id{static_cast<abi::CUpti_CallbackDomain>(99), 1}}.empty());
}

TEST_CASE("subscription: whole domains, single ids, and what others listen to stays on") {
    callback_cupti cupti;
    counter all, one;
    std::optional<subscription> whole{begun(cupti, callback_set::all_of(driver), all)};
    CHECK(cupti.own_name == "gpuprof");
    CHECK(cupti.is_on(driver, 12));
    {
        auto const single = begun(cupti, callback_id{driver, 307}, one);
        cupti.call(driver, 307, nothing);
        cupti.call(driver, 12, nothing);
        CHECK(all.heard == 4);
        CHECK(one.heard == 2);
        whole.reset();
        CHECK(cupti.is_on(driver, 307));
        CHECK_FALSE(cupti.is_on(driver, 12));
        cupti.call(driver, 307, nothing);
        cupti.call(driver, 12, nothing);
        CHECK(one.heard == 4);
        CHECK(all.heard == 4);
    }
    CHECK_FALSE(cupti.subscribed());
}

TEST_CASE("subscription: what is heard can change") {
    callback_cupti cupti;
    counter of;
    auto calls = begun(cupti, callback_id{driver, 1}, of);
    REQUIRE(calls.try_enable(callback_set::all_of(resource) | callback_id{driver, 2}));
    CHECK(cupti.is_on(driver, 2));
    CHECK(cupti.is_on(resource, 9));
    REQUIRE(calls.try_disable(callback_set{callback_id{driver, 1}} | callback_id{resource, 9}));
    CHECK_FALSE(cupti.is_on(driver, 1));
    CHECK(cupti.is_on(driver, 2));
    CHECK_FALSE(cupti.is_on(resource, 9));
    CHECK(cupti.is_on(resource, 8));
    CHECK(calls.heard() == ((callback_set::all_of(resource) - callback_id{resource, 9}) | callback_id{driver, 2}));
    cupti.call(driver, 1, nothing);
    CHECK(of.heard == 0);
    cupti.call(driver, 2, nothing);
    CHECK(of.heard == 2);
}

TEST_CASE("subscription: a function that this CUPTI does not know is no error, a domain is") {
    callback_cupti cupti;
    cupti.unknown = 800;
    cupti.has_state = false;
    counter of;
    auto const calls = begun(cupti, callback_set{callback_id{driver, 800}} | callback_id{driver, 3}, of);
    CHECK(cupti.is_on(driver, 3));
    auto const state =
        subscription::try_begin(cupti.on, callback_set::all_of(abi::CUPTI_CB_DOMAIN_STATE), &counter::listen, &of, {});
    REQUIRE_FALSE(state);
    CHECK(state.error().code == errc::unavailable);
    CHECK(state.error().cause == "this CUPTI has no callbacks of that kind");
    cupti.call(driver, 3, nothing); // the first one goes on
    CHECK(of.heard == 2);
}

TEST_CASE("subscription: busy names the tool that holds CUPTI, where CUPTI tells it") {
    counter of;
    {
        callback_cupti cupti;
        cupti.holder = "CUPTI for other_tool";
        auto const busy = subscription::try_begin(cupti.on, callback_id{driver, 1}, &counter::listen, &of, {});
        REQUIRE_FALSE(busy);
        CHECK(busy.error().code == errc::busy);
        CHECK(busy.error().cause == "CUPTI serves one subscriber, and that is \"CUPTI for other_tool\"");
        cupti.holder_shares = true; // CUPTI 13.2 and later, if that tool agreed
        auto const beside = begun(cupti, callback_id{driver, 1}, of);
        cupti.call(driver, 1, nothing);
        CHECK(of.heard == 2);
    }
    callback_cupti older{false};
    older.holder = "CUPTI for other_tool";
    auto const busy = subscription::try_begin(older.on, callback_id{driver, 1}, &counter::listen, &of, {});
    REQUIRE_FALSE(busy);
    CHECK(busy.error().code == errc::busy);
    CHECK(busy.error().cause.find("another tool") != std::string::npos);
    older.holder.clear();
    older.failing = older.calls;
    older.failure = abi::CUPTI_ERROR_MAX_LIMIT_REACHED; // CUPTI before 11.0
    auto const oldest = subscription::try_begin(older.on, callback_id{driver, 1}, &counter::listen, &of, {});
    REQUIRE_FALSE(oldest);
    CHECK(oldest.error().code == errc::busy);
}

TEST_CASE("subscription: each call of CUPTI fails in turn, with each status, and leaves what was before") {
    for (auto const status : {abi::CUPTI_ERROR_UNKNOWN, abi::CUPTI_ERROR_HARDWARE, abi::CUPTI_ERROR_NOT_INITIALIZED,
                              abi::CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, abi::CUPTI_ERROR_OUT_OF_MEMORY,
                              abi::CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED}) {
        CAPTURE(status);
        for (bool const names : {false, true}) {
            callback_cupti cupti{names};
            cupti.failure = status;
            std::size_t failed = 0;
            for (std::size_t nth = 0; nth < 12; ++nth) {
                CAPTURE(nth);
                counter lasting, of;
                cupti.failing = ~std::size_t{0};
                std::optional<subscription> before;
                if (nth % 2 != 0) before.emplace(begun(cupti, callback_id{driver, 5}, lasting));
                cupti.calls = 0;
                cupti.failing = nth / 2;
                {
                    auto calls = subscription::try_begin(
                        cupti.on, callback_set::all_of(resource) | callback_id{driver, 5} | callback_id{driver, 6},
                        &counter::listen, &of, {});
                    if (!calls) {
                        ++failed;
                        CHECK(calls.error().status == status);
                        CHECK(calls.error().what.find("cupti") == 0);
                    } else if (auto const more = calls->try_enable(callback_set::all_of(runtime)); !more) {
                        ++failed;
                        CHECK_FALSE(calls->heard().any(runtime));
                    } else static_cast<void>(calls->try_disable(callback_set::all_of(resource)));
                }
                cupti.failing = ~std::size_t{0};
                if (before) {
                    cupti.call(driver, 5, nothing);
                    CHECK(lasting.heard == 2);
                }
                std::size_t const so_far = of.heard;
                cupti.call(driver, 6, nothing);
                CHECK(of.heard == so_far);
                before.reset();
                { auto const again = begun(cupti, callback_id{driver, 6}, of); }
                CHECK_FALSE(cupti.subscribed());
            }
            CHECK(failed >= 4);
        }
    }
}

TEST_CASE("subscription: words go from a call's entry to its exit, one for each listener") {
    callback_cupti cupti;
    struct remembering {
        std::uint64_t base;
        std::vector<std::uint64_t> at_exit;
        static void listen(void* self, callback_id id, void const* data) {
            auto& of = *static_cast<remembering*>(self);
            std::uint64_t* const word = hw::word_of_call();
            REQUIRE(word != nullptr);
            if (static_cast<abi::CUpti_CallbackData const*>(data)->callbackSite == abi::CUPTI_API_ENTER) {
                CHECK(*word == 0);
                *word = of.base + id.number;
            } else of.at_exit.push_back(*word);
        }
    };
    remembering first{1000, {}}, second{2000, {}};
    subscription::extras words;
    words.words = true;
    auto const all = callback_set::all_of(driver);
    auto const one = subscription::try_begin(cupti.on, all, &remembering::listen, &first, words);
    auto const other = subscription::try_begin(cupti.on, all, &remembering::listen, &second, words);
    REQUIRE(one);
    REQUIRE(other);
    cupti.call(driver, 1, [&] {
        cupti.call(driver, 2, [&] { cupti.call(driver, 3, nothing); });
        cupti.call(driver, 4, nothing);
    });
    CHECK(first.at_exit == std::vector<std::uint64_t>{1003, 1002, 1004, 1001});
    CHECK(second.at_exit == std::vector<std::uint64_t>{2003, 2002, 2004, 2001});
    CHECK(hw::word_of_call() == nullptr);
}

TEST_CASE("subscription: words of calls whose exit was not heard do not confuse the others") {
    callback_cupti cupti;
    counter plain;
    subscription::extras words;
    words.words = true;
    auto const lasting = begun(cupti, callback_id{driver, 2}, plain, words);
    struct checking {
        std::size_t exits = 0, unknown = 0;
        static void listen(void* self, callback_id, void const* data) {
            auto& of = *static_cast<checking*>(self);
            std::uint64_t* const word = hw::word_of_call();
            if (static_cast<abi::CUpti_CallbackData const*>(data)->callbackSite == abi::CUPTI_API_ENTER) *word = 7;
            else if (word == nullptr) ++of.unknown;
            else if (*word == 7) ++of.exits;
        }
    };
    checking of;
    for (int i = 0; i < 40; ++i) {
        std::optional<subscription> brief;
        cupti.call(driver, 1, [&] { // begins inside a call
            auto made = subscription::try_begin(cupti.on, callback_id{driver, 1}, &checking::listen, &of, words);
            REQUIRE(made);
            brief.emplace(*std::move(made));
        });
        cupti.call(driver, 1, nothing);
        cupti.call(driver, 1, [&] { brief.reset(); }); // ends inside one
    }
    CHECK(of.unknown == 40);
    CHECK(of.exits == 40);
}

TEST_CASE("subscription: eight listeners have words, a ninth is refused") {
    callback_cupti cupti;
    counter of;
    subscription::extras words;
    words.words = true;
    std::vector<subscription> eight;
    for (int i = 0; i < 8; ++i) eight.push_back(begun(cupti, callback_id{driver, 1}, of, words));
    auto const ninth = subscription::try_begin(cupti.on, callback_id{driver, 1}, &counter::listen, &of, words);
    REQUIRE_FALSE(ninth);
    CHECK(ninth.error().code == errc::busy);
    { auto const without = begun(cupti, callback_id{driver, 1}, of); }
    eight.pop_back();
    { auto const again = begun(cupti, callback_id{driver, 1}, of, words); }
    cupti.call(driver, 1, nothing);
    CHECK(of.heard == 14);
}

TEST_CASE("subscription: a listener ends its own subscription, and its data is released after its last call") {
    callback_cupti cupti;
    struct ending {
        std::optional<subscription> calls;
        int heard = 0;
        bool released = false, alive_after_end = false;
        static void listen(void* self, callback_id, void const*) {
            auto& of = *static_cast<ending*>(self);
            ++of.heard;
            of.calls.reset();
            of.alive_after_end = !of.released;
        }
        static void release(void* self) { static_cast<ending*>(self)->released = true; }
    };
    ending of;
    subscription::extras more;
    more.released = &ending::release;
    auto made = subscription::try_begin(cupti.on, callback_id{driver, 1}, &ending::listen, &of, more);
    REQUIRE(made);
    of.calls.emplace(*std::move(made));
    cupti.call(driver, 1, nothing);
    CHECK(of.heard == 1); // the entry, and no exit
    CHECK(of.alive_after_end);
    CHECK(of.released);
    CHECK_FALSE(cupti.subscribed());
}

TEST_CASE("subscription: two listeners that end each other on two threads do not wait for ever") {
    callback_cupti cupti;
    struct other_ending {
        std::optional<subscription>* other = nullptr;
        std::atomic<int>* inside = nullptr;
        static void listen(void* self, callback_id, void const*) {
            auto& of = *static_cast<other_ending*>(self);
            ++*of.inside;
            while (*of.inside < 2) std::this_thread::yield();
            of.other->reset();
        }
    };
    for (int i = 0; i < 20; ++i) {
        std::optional<subscription> first, second;
        std::atomic<int> inside{0};
        other_ending of_first{&second, &inside}, of_second{&first, &inside};
        auto made = subscription::try_begin(cupti.on, callback_id{driver, 1}, &other_ending::listen, &of_first, {});
        REQUIRE(made);
        first.emplace(*std::move(made));
        auto made_too =
            subscription::try_begin(cupti.on, callback_id{driver, 2}, &other_ending::listen, &of_second, {});
        REQUIRE(made_too);
        second.emplace(*std::move(made_too));
        abi::CUpti_CallbackData data;
        std::thread one{[&] { cupti.fire(driver, 1, &data); }};
        std::thread two{[&] { cupti.fire(driver, 2, &data); }};
        one.join();
        two.join();
        CHECK_FALSE(first.has_value());
        CHECK_FALSE(second.has_value());
    }
}

TEST_CASE("subscription: after its end a listener runs on no thread") {
    callback_cupti cupti;
    std::atomic<bool> stop{false};
    std::vector<std::thread> calling;
    for (int i = 0; i < 8; ++i)
        calling.emplace_back([&] {
            while (!stop) cupti.call(driver, 1, nothing);
        });
    struct watched {
        std::atomic<int> inside{0};
        bool over = false; // not atomic: the sanitizer sees a thread that is late
        std::size_t late = 0;
        static void listen(void* self, callback_id, void const*) {
            auto& of = *static_cast<watched*>(self);
            ++of.inside;
            if (of.over) ++of.late;
            --of.inside;
        }
    };
    counter lasting;
    auto const whole = begun(cupti, callback_id{driver, 1}, lasting);
    std::size_t late = 0;
    for (int i = 0; i < 300; ++i) {
        auto of = std::make_unique<watched>();
        {
            auto const brief =
                subscription::try_begin(cupti.on, callback_id{driver, 1}, &watched::listen, of.get(), {});
            REQUIRE(brief);
            if (i % 3 == 0) std::this_thread::yield();
        }
        of->over = true;
        late += static_cast<std::size_t>(of->inside.load()) + of->late;
    }
    stop = true;
    for (auto& thread : calling) thread.join();
    CHECK(late == 0);
    CHECK(lasting.heard > 0);
}

TEST_CASE("inside callback: the innermost callback of this thread, with its site") {
    callback_cupti cupti;
    struct seen {
        std::vector<hw::callback_place> places;
        callback_cupti* cupti = nullptr;
        static void listen(void* self, callback_id id, void const*) {
            auto& of = *static_cast<seen*>(self);
            of.places.push_back(hw::inside_callback());
            if (id.domain == driver && of.places.size() == 1) {
                abi::CUpti_ResourceData data;
                of.cupti->fire(resource, abi::CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING, &data);
                of.places.push_back(hw::inside_callback());
            }
        }
    };
    seen of{{}, &cupti};
    auto const calls = subscription::try_begin(cupti.on, callback_set::all_of(driver) | callback_set::all_of(resource),
                                               &seen::listen, &of, {});
    REQUIRE(calls);
    CHECK_FALSE(hw::inside_callback());
    cupti.call(driver, 307, nothing);
    CHECK_FALSE(hw::inside_callback());
    REQUIRE(of.places.size() == 4);
    CHECK(of.places[0].domain == driver);
    CHECK(of.places[0].number == 307);
    CHECK(of.places[0].site == abi::CUPTI_API_ENTER);
    CHECK_FALSE(of.places[0].after_call());
    CHECK(of.places[1].in_stream_destruction());
    CHECK_FALSE(of.places[1].after_call());
    CHECK(of.places[2].domain == driver);
    CHECK(of.places[3].after_call());
}

TEST_CASE("subscription: suspended listeners hear again after it is resumed") {
    callback_cupti cupti;
    counter of;
    auto calls = begun(cupti, callback_set::all_of(driver), of);
    cupti.on.cupti.Unsubscribe(nullptr); // as cuptiFinalize takes the subscriber with it
    subscription::suspend(cupti.on);
    REQUIRE(calls.try_enable(callback_id{runtime, 4}));
    cupti.call(driver, 1, nothing);
    CHECK(of.heard == 0);
    REQUIRE(subscription::try_resume(cupti.on));
    cupti.call(driver, 1, nothing);
    cupti.call(runtime, 4, nothing);
    CHECK(of.heard == 4);
}

#if !defined(_WIN32)
TEST_CASE("subscription: a forked child leaves the parent's subscription alone, and can begin none") {
    callback_cupti cupti;
    counter of;
    std::optional<subscription> calls{begun(cupti, callback_set::all_of(driver), of)};
    pid_t const child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        int wrong = 0;
        cupti.call(driver, 1, nothing);
        if (of.heard != 0) wrong |= 1;
        auto const another = subscription::try_begin(cupti.on, callback_id{driver, 2}, &counter::listen, &of, {});
        if (another || another.error().code != errc::unavailable) wrong |= 2;
        if (calls->try_enable(callback_id{driver, 3})) wrong |= 4;
        std::size_t const before = cupti.calls;
        calls.reset();
        if (cupti.calls != before || !cupti.subscribed()) wrong |= 8;
        _exit(wrong);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    cupti.call(driver, 1, nothing);
    CHECK(of.heard == 2);
}
#endif

} // namespace subscription_test
