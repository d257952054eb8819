// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every function of CUPTI's event and metric reference, and every status it names, has a test case that shows it.
#include <cctype>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/hw/abi/cupti.hpp>

namespace event_reference_test {

namespace {

struct row {
    std::string function;
    std::string status;
    std::string reference;
    std::string test_case;
};

std::string const folder = GPUPROF_TEST_SOURCE_DIR "/sim/cupti/";

std::vector<row> reference_rows() {
    std::ifstream file{folder + "event_reference.txt"};
    std::vector<row> rows;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream words{line};
        row one;
        words >> one.function >> one.status >> one.reference >> std::ws;
        std::getline(words, one.test_case);
        rows.push_back(one);
    }
    return rows;
}

// The string that a text begins with, which may be written as several literals.
std::string literal(std::string const& text) {
    std::string joined;
    for (std::size_t at = text.find_first_not_of(" \n"); at != std::string::npos && text[at] == '"';) {
        std::size_t const end = text.find('"', at + 1);
        joined += text.substr(at + 1, end - at - 1);
        at = end == std::string::npos ? end : text.find_first_not_of(" \n", end + 1);
    }
    return joined;
}

// The source of each test case, by name.
std::map<std::string, std::string> test_cases() {
    std::map<std::string, std::string> cases;
    for (char const* const name : {"event_query", "event_group", "event_collect", "metric"}) {
        std::ifstream file{folder + name + ".test.cpp"};
        REQUIRE(file);
        std::string const text{std::istreambuf_iterator<char>{file}, {}};
        std::string const begin = "TEST_CASE(";
        for (std::size_t at = text.find(begin); at != std::string::npos;) {
            std::size_t const next = text.find(begin, at + 1);
            std::string const one = text.substr(at + begin.size(), next - at - begin.size());
            cases[literal(one)] = one;
            at = next;
        }
    }
    return cases;
}

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

bool has_word(std::string const& text, std::string const& word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        std::size_t const end = at + word.size();
        bool const begins = at == 0 || !is_word(text[at - 1]);
        if (begins && (end == text.size() || !is_word(text[end]))) return true;
    }
    return false;
}

// The word before `mark`, or nothing.
std::string word_before(std::string const& text, std::string const& mark) {
    std::size_t const at = text.find(mark);
    if (at == std::string::npos) return {};
    std::size_t begin = at;
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    return text.substr(begin, at - begin);
}

// Whether a statement compares the call with the status, directly or through a lambda or variable that the test case
// makes of the call.
bool shows(std::string const& source, std::string const& call, std::string const& status) {
    std::set<std::string> names{call};
    std::string lambda;
    std::istringstream statements{source};
    for (std::string one; std::getline(statements, one, ';');) {
        if (auto const name = word_before(one, " = ["); !name.empty()) lambda = name;
        bool calls = false;
        for (std::string const& name : names) calls = calls || has_word(one, name);
        if (!calls) continue;
        if (has_word(one, status)) return true;
        if (one.find("return ") != std::string::npos && !lambda.empty()) names.insert(lambda);
        else if (auto const name = word_before(one, " = "); !name.empty() && one.find(" = [") == std::string::npos)
            names.insert(name);
    }
    return false;
}

} // namespace

TEST_CASE("each row of the event and metric reference is shown by the test case it names") {
    auto const rows = reference_rows();
    auto const cases = test_cases();
    std::map<std::string, std::size_t> functions;
    std::size_t first_reference = 0;
    std::set<std::string> seen;
    for (row const& each : rows) {
        CAPTURE(each.function);
        CAPTURE(each.status);
        CHECK(seen.insert(each.function + each.status).second);
        REQUIRE(each.function.substr(0, 5) == "cupti");
        auto const found = cases.find(each.test_case);
        REQUIRE(found != cases.end());
        std::string const call = each.function.substr(5);
        if (each.status == "CUPTI_SUCCESS") CHECK(has_word(found->second, call));
        else CHECK(shows(found->second, call, each.status));
        if (each.reference == "5.0") ++first_reference, ++functions[each.function];
    }
    // As many as the CUPTI 5.0 user's guide has, Event API and Metric API.
    CHECK(functions.size() == 37);
    CHECK(first_reference == 164);
}

TEST_CASE("every event and metric call of the table is in the reference") {
    std::set<std::string> functions;
    for (row const& each : reference_rows()) functions.insert(each.function);
#define GPUPROF_TEST_LISTED(member, symbol, parameters) CHECK_MESSAGE(functions.count(#symbol) == 1, #symbol);
    GPUPROF_ABI_CUPTI_EVENT(GPUPROF_TEST_LISTED)
    GPUPROF_ABI_CUPTI_METRIC(GPUPROF_TEST_LISTED)
#undef GPUPROF_TEST_LISTED
}

TEST_CASE("a test case that shows something else does not pass for showing a status") {
    std::string const source = "x\") { auto const get = [&] { return cupti.One(1); }; CHECK(get() == A); "
                               "last = cupti.Two(2); CHECK(last == B); CHECK(cupti.Three(3) == C); }";
    CHECK(shows(source, "One", "A"));
    CHECK(shows(source, "Two", "B"));
    CHECK(shows(source, "Three", "C"));
    CHECK_FALSE(shows(source, "One", "B"));
    CHECK_FALSE(shows(source, "Two", "C"));
    CHECK_FALSE(shows(source, "Three", "A"));
}

} // namespace event_reference_test
