// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes chosen calls of a filled table fail, and keeps a record of the calls made through it.
#ifndef GPUPROF_TESTS_SUPPORT_FAULT_INJECTION_HPP
#define GPUPROF_TESTS_SUPPORT_FAULT_INJECTION_HPP

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/hw/abi/cupti.hpp>
#include <gpuprof/hw/abi/driver.hpp>

namespace test {

namespace detail {

// What both tables' faults share: rules and the record, by exported name.
class fault_state {
public:
    // The status to fail with, or nothing to let the call pass.
    std::optional<int> enter(std::string_view symbol) {
        std::lock_guard const lock{mutex_};
        record_.emplace_back(symbol);
        std::size_t const n = ++calls_[std::string{symbol}];
        if (any_ && record_.size() == any_->nth) return any_->status;
        auto const [first, last] = rules_.equal_range(std::string{symbol});
        for (auto rule = first; rule != last; ++rule)
            if (rule->second.nth == 0 || rule->second.nth == n) return rule->second.status;
        return std::nullopt;
    }

    void add(std::string_view symbol, std::size_t nth, int status) {
        std::lock_guard const lock{mutex_};
        rules_.emplace(symbol, rule{nth, status});
    }
    void fail_any(std::size_t nth, int status) {
        std::lock_guard const lock{mutex_};
        any_ = rule{nth, status};
    }
    void clear() {
        std::lock_guard const lock{mutex_};
        rules_.clear();
        any_.reset();
        calls_.clear();
        record_.clear();
    }
    [[nodiscard]] std::size_t calls(std::string_view symbol) const {
        std::lock_guard const lock{mutex_};
        auto const found = calls_.find(std::string{symbol});
        return found == calls_.end() ? 0 : found->second;
    }
    [[nodiscard]] std::vector<std::string> record() const {
        std::lock_guard const lock{mutex_};
        return record_;
    }

private:
    struct rule {
        std::size_t nth; // 0: every call
        int status;
    };

    mutable std::mutex mutex_;
    std::multimap<std::string, rule> rules_;
    std::optional<rule> any_;
    std::map<std::string, std::size_t> calls_;
    std::vector<std::string> record_;
};

template <class Table>
fault_state& faults_of() {
    static fault_state state;
    return state;
}

// The function that stands in for one call of a table.
template <auto Member>
struct stand_in;

template <class Table, class Status, class... Parameters, Status (*Table::*Member)(Parameters...)>
struct stand_in<Member> {
    static inline Status (*original)(Parameters...) = nullptr;
    static inline char const* symbol = nullptr;

    static Status call(Parameters... parameters) {
        if (auto const status = faults_of<Table>().enter(symbol)) return static_cast<Status>(*status);
        return original(parameters...);
    }
    static void install(Table& table, char const* name) {
        if (table.*Member == nullptr) return;
        symbol = name;
        original = table.*Member;
        table.*Member = call;
    }
    static void remove(Table& table) {
        if (table.*Member == call) table.*Member = original;
    }
};

} // namespace detail

// Stands between a table and its users while it lives; then the table is as it was. One per kind of table at a time.
// The call that fails does nothing but return the status.
//
//     test::fault_injection faults{machine.cupti};
//     faults.fail("cuptiRangeProfilerStart", 2, abi::CUPTI_ERROR_HARDWARE_BUSY);  // its second call from now on
template <class Table>
class fault_injection {
public:
    explicit fault_injection(Table& table) : table_{table} {
        state().clear();
        if constexpr (is_driver) {
#define GPUPROF_TEST_INSTALL(member, symbol, parameters) detail::stand_in<&Table::member>::install(table_, #symbol);
            GPUPROF_ABI_DRIVER(GPUPROF_TEST_INSTALL)
        } else {
            GPUPROF_ABI_CUPTI(GPUPROF_TEST_INSTALL)
#undef GPUPROF_TEST_INSTALL
        }
    }
    ~fault_injection() {
        if constexpr (is_driver) {
#define GPUPROF_TEST_REMOVE(member, symbol, parameters) detail::stand_in<&Table::member>::remove(table_);
            GPUPROF_ABI_DRIVER(GPUPROF_TEST_REMOVE)
        } else {
            GPUPROF_ABI_CUPTI(GPUPROF_TEST_REMOVE)
#undef GPUPROF_TEST_REMOVE
        }
    }
    fault_injection(fault_injection const&) = delete;
    fault_injection& operator=(fault_injection const&) = delete;

    // The nth call of that exported name since the last clear(), counted from 1, returns `status`.
    template <class Status>
    void fail(std::string_view symbol, std::size_t nth, Status status) {
        state().add(symbol, nth, static_cast<int>(status));
    }
    // Every call of that name does.
    template <class Status>
    void fail_always(std::string_view symbol, Status status) {
        state().add(symbol, 0, static_cast<int>(status));
    }
    // The nth call through the table does, whichever it is: loop over n up to calls() to fail every call in turn.
    template <class Status>
    void fail_any(std::size_t nth, Status status) {
        state().fail_any(nth, static_cast<int>(status));
    }

    [[nodiscard]] std::size_t calls(std::string_view symbol) const { return state().calls(symbol); }
    [[nodiscard]] std::size_t calls() const { return state().record().size(); }
    [[nodiscard]] std::vector<std::string> record() const { return state().record(); } // names in the order called
    void clear() { state().clear(); }                                                  // faults, counts and record

private:
    static constexpr bool is_driver = requires(Table & table) { table.DriverGetVersion; };
    static detail::fault_state& state() { return detail::faults_of<Table>(); }

    Table& table_;
};

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_FAULT_INJECTION_HPP
