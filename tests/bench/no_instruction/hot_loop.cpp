// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One program, three times: with scopes, with nothing in their place (not even the header), with an unused variable in
// their place. Compiled out, a scope must give the assembly of nothing. The variable is for clang, which prepares for an
// exception to end the life of any variable in a try block, and never gets there.
#if defined(WITH_scope)
#include <gpuprof/scope.hpp>
extern gpuprof::scope_target& target;
#define SCOPE(variable, name)                                                                                          \
    gpuprof::scope variable { target, name }
#elif defined(WITH_variable)
#define SCOPE(variable, name) [[maybe_unused]] char variable = 0
#elif defined(WITH_nothing)
#define SCOPE(variable, name) static_cast<void>(0)
#endif

void work(int step);
bool done(int step);

// In one block, nested, in a loop.
void nested(int steps) {
    SCOPE(frame, "frame");
    for (int i = 0; i < steps; ++i) {
        SCOPE(step, "step");
        work(i);
    }
}

// Left early; names that are not literals.
int left_early(int steps, char const* name) {
    SCOPE(frame, name);
    for (int i = 0; i < steps; ++i) {
        SCOPE(step, name + 1);
        if (done(i)) return i;
        work(i);
    }
    return -1;
}

// Two scopes share a block with nothing to call: nothing may keep the loop from being optimised.
int leaf(int const* values, int count) {
    SCOPE(whole, "leaf");
    int sum = 0;
    for (int i = 0; i < count; ++i) {
        SCOPE(element, "element");
        sum += values[i];
    }
    return sum;
}

// Around code that throws and catches, where the compiler is to.
#if defined(__cpp_exceptions)
int caught(int step) {
    SCOPE(outer, "outer");
    try {
        SCOPE(inner, "inner");
        work(step);
        return 0;
    } catch (int problem) {
        return problem;
    }
}
#endif
