// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plain interpreter of PTX text, one thread at a time, for comparison with the embedded GPU. Test support.
//
// It shares nothing with the library: it cuts the text into words itself and follows the PTX ISA's text about each
// instruction. It knows what random_ptx.test.cpp writes: one instruction a line; registers %r (32 bits), %rd (64), %rs (16),
// %f and %fd (floats), %p; one memory for global and one for shared addresses; instructions of a warp by their definition,
// once all threads that the mask names have come to them.
#ifndef GPUPROF_TESTS_SIM_EXECUTE_SCALAR_REFERENCE_HPP
#define GPUPROF_TESTS_SIM_EXECUTE_SCALAR_REFERENCE_HPP

#include <algorithm>
#include <array>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/fused.hpp"

namespace scalar {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;
__extension__ using u128 = unsigned __int128;
__extension__ using s128 = __int128;

// An operand as written: a register, a number, an address or several registers in braces.
struct operand {
    enum { reg, number, address, list } kind = number;
    char file = 'r'; // r, d (64 bits), h (16), f, g (double), p
    unsigned index = 0;
    bool negated = false;
    u64 bits = 0;
    std::vector<operand> parts; // of a list, or of d|p
};

struct instruction {
    std::string opcode, text, target;
    std::vector<std::string> modifiers;
    std::vector<operand> operands;
    int guard = -1;
    bool guard_negated = false;
    bool waits = false; // for other threads of the warp
};

struct thread {
    u64 r[64]{}, d[64]{}, h[64]{}, f[64]{}, g[64]{}, p[64]{};
    bool carry = false, done = false;
    std::size_t pc = 0;
    unsigned lane = 0;
};

class interpreter {
public:
    // The lines between the braces of the kernel, without declarations.
    explicit interpreter(std::string const& body) {
        std::istringstream in{body};
        for (std::string line; std::getline(in, line);) add(line);
    }

    // All 32 threads to their end. `global` lies at address `base`, which ld.param gives.
    void run(std::vector<u8>& global, u64 base, std::vector<u8>& shared) {
        global_ = &global, base_ = base, shared_ = &shared;
        threads_.assign(32, {});
        for (unsigned i = 0; i < 32; ++i) threads_[i].lane = i;
        for (bool progress = true; progress;) {
            progress = false;
            for (auto& t : threads_)
                while (!t.done && !at_meeting(t)) progress = true, step(t);
            for (auto& t : threads_)
                if (!t.done && at_meeting(t) && meet(t)) progress = true;
        }
        for (auto const& t : threads_)
            if (!t.done) throw std::runtime_error{"a thread waits for ever at " + code_[t.pc].text};
    }

    std::map<std::string, unsigned> executed; // threads, by opcode with its modifiers

private:
    // ---- text

    static operand word(std::string w) {
        operand o;
        if (!w.empty() && w[0] == '!') o.negated = true, w.erase(0, 1);
        if (auto const bar = w.find('|'); bar != w.npos) {
            o = word(w.substr(0, bar));
            o.parts = {word(w.substr(bar + 1))};
            return o;
        }
        if (w[0] == '{') {
            o.kind = operand::list;
            std::istringstream in{w.substr(1, w.size() - 2)};
            for (std::string part; std::getline(in, part, ',');) o.parts.push_back(word(part));
            return o;
        }
        if (w[0] == '[') {
            auto const plus = w.find('+');
            o = word(w.substr(1, (plus == w.npos ? w.size() - 1 : plus) - 1));
            o.kind = operand::address;
            o.bits = plus == w.npos ? 0 : std::stoull(w.substr(plus + 1));
            return o;
        }
        if (w[0] == '%') {
            o.kind = operand::reg;
            static std::pair<char const*, char> const files[] = {{"%rd", 'd'}, {"%rs", 'h'}, {"%r", 'r'},
                                                                 {"%fd", 'g'}, {"%f", 'f'},  {"%p", 'p'}};
            for (auto const& [prefix, file] : files)
                if (w.rfind(prefix, 0) == 0) {
                    o.file = file;
                    o.index = static_cast<unsigned>(std::stoul(w.substr(std::strlen(prefix))));
                    return o;
                }
        }
        if (w.rfind("0f", 0) == 0 || w.rfind("0d", 0) == 0) o.bits = std::stoull(w.substr(2), nullptr, 16);
        else if (w[0] == '-') o.bits = static_cast<u64>(std::stoll(w));
        else if (w[0] >= '0' && w[0] <= '9') o.bits = std::stoull(w, nullptr, 0);
        return o;
    }

    void add(std::string line) {
        while (!line.empty() && (line.back() == ' ' || line.back() == ';')) line.pop_back();
        if (line.empty()) return;
        if (line.back() == ':') {
            labels_[line.substr(0, line.size() - 1)] = code_.size();
            return;
        }
        instruction i;
        i.text = line;
        if (line[0] == '@') {
            i.guard_negated = line[1] == '!';
            auto const space = line.find(' ');
            i.guard =
                static_cast<int>(word(line.substr(i.guard_negated ? 2 : 1, space - (i.guard_negated ? 2 : 1))).index);
            line.erase(0, space + 1);
        }
        auto const space = std::min(line.find(' '), line.size());
        std::istringstream name{line.substr(0, space)};
        std::getline(name, i.opcode, '.');
        for (std::string m; std::getline(name, m, '.');) i.modifiers.push_back(m);
        std::string w;
        int depth = 0;
        for (char const c : line.substr(space)) {
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            if (c == ',' && depth == 0) i.operands.push_back(word(w)), w.clear();
            else if (c != ' ') w += c;
        }
        if (i.opcode == "bra") i.target = w;
        else if (!w.empty()) i.operands.push_back(word(w));
        static std::set<std::string> const meetings{"vote", "match", "redux", "shfl", "elect", "bar"};
        i.waits = meetings.count(i.opcode) != 0;
        code_.push_back(std::move(i));
    }

    static bool has(instruction const& i, char const* modifier) {
        return std::find(i.modifiers.begin(), i.modifiers.end(), modifier) != i.modifiers.end();
    }

    // ---- registers and memory

    static u64& file_of(thread& t, operand const& o) {
        switch (o.file) {
            case 'd': return t.d[o.index];
            case 'h': return t.h[o.index];
            case 'f': return t.f[o.index];
            case 'g': return t.g[o.index];
            case 'p': return t.p[o.index];
            default: return t.r[o.index];
        }
    }
    static u64 low(u64 v, unsigned bits) { return bits >= 64 ? v : v & ((u64{1} << bits) - 1); }
    static s64 extend(u64 v, unsigned bits) {
        if (bits >= 64) return static_cast<s64>(v);
        u64 const sign = u64{1} << (bits - 1);
        return static_cast<s64>((low(v, bits) ^ sign) - sign);
    }
    static u64 raw(thread& t, operand const& o) { return o.kind == operand::reg ? file_of(t, o) : o.bits; }
    static bool predicate(thread& t, operand const& o) { return (raw(t, o) != 0) != o.negated; }
    static void put(thread& t, operand const& o, u64 v) {
        static unsigned const width[] = {32, 64, 16, 32, 64, 1};
        file_of(t, o) = low(v, width[std::string{"rdhfgp"}.find(o.file)]);
    }
    u8* memory(instruction const& i, thread& t, operand const& o, std::size_t bytes) {
        auto const at = file_of(t, o) + o.bits;
        auto& m = has(i, "shared") ? *shared_ : *global_;
        u64 const offset = has(i, "shared") ? at : at - base_;
        if (offset + bytes > m.size() || at % bytes != 0) throw std::runtime_error{"a bad address in " + i.text};
        return m.data() + offset;
    }

    // ---- types

    static unsigned bits_of(std::string const& type) {
        return type == "pred" ? 1 : static_cast<unsigned>(std::stoul(type.substr(1)));
    }
    static bool is_signed(std::string const& type) { return type[0] == 's'; }
    static bool is_float(std::string const& type) { return type[0] == 'f'; }
    static double as_double(u64 bits) {
        double v;
        std::memcpy(&v, &bits, 8);
        return v;
    }
    static float as_float(u64 bits) {
        auto const b = static_cast<u32>(bits);
        float v;
        std::memcpy(&v, &b, 4);
        return v;
    }
    static u64 bits_from(double v) {
        u64 b;
        std::memcpy(&b, &v, 8);
        return b;
    }
    static u64 bits_from(float v) {
        u32 b;
        std::memcpy(&b, &v, 4);
        return b;
    }
    static float flush(float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }

    struct rounding_mode {
        explicit rounding_mode(instruction const& i) {
            for (auto const& m : i.modifiers) {
                if (m == "rz" || m == "rzi") std::fesetround(FE_TOWARDZERO);
                if (m == "rm" || m == "rmi") std::fesetround(FE_DOWNWARD);
                if (m == "rp" || m == "rpi") std::fesetround(FE_UPWARD);
            }
        }
        ~rounding_mode() { std::fesetround(FE_TONEAREST); }
    };

    // ---- instructions of one thread

    template <class F>
    F read_float(instruction const& i, thread& t, std::size_t n) {
        F v;
        if constexpr (sizeof(F) == 4) v = as_float(raw(t, i.operands[n]));
        else v = as_double(raw(t, i.operands[n]));
        if (sizeof(F) == 4 && has(i, "ftz")) v = static_cast<F>(flush(static_cast<float>(v)));
        return v;
    }

    // The smaller, or the larger: a number goes before NaN, and -0 is less than +0.
    template <class F>
    static F least(F a, F b) {
        if (std::isnan(a)) return b;
        if (std::isnan(b)) return a;
        if (a == b) return std::signbit(a) ? a : b;
        return a < b ? a : b;
    }

    template <class F>
    void floating(instruction const& i, thread& t) {
        std::string const& op = i.opcode;
        F volatile a = read_float<F>(i, t, 1), b = 0, c = 0, d = 0;
        if (i.operands.size() > 2) b = read_float<F>(i, t, 2);
        if (i.operands.size() > 3) c = read_float<F>(i, t, 3);
        {
            rounding_mode const set{i};
            if (op == "add") d = a + b;
            else if (op == "sub") d = a - b;
            else if (op == "mul") d = a * b;
            else if (op == "div") d = a / b;
            else if (op == "fma") d = fused(F{a}, F{b}, F{c});
            else if (op == "rcp") d = F{1} / a;
            else if (op == "sqrt") d = std::sqrt(F{a});
            else if (op == "abs") d = std::fabs(F{a});
            else if (op == "neg") d = -a;
            else if (op == "min") d = least<F>(a, b);
            else if (op == "max") d = -least<F>(-a, -b);
            else throw std::runtime_error{"unknown to the reference: " + i.text};
        }
        F result = d;
        if (sizeof(F) == 4 && has(i, "ftz")) result = static_cast<F>(flush(static_cast<float>(result)));
        if (has(i, "sat")) result = std::isnan(result) || result <= 0 ? F{0} : result >= 1 ? F{1} : result;
        put(t, i.operands[0], bits_from(result));
    }

    static bool compares(std::string const& how, std::string const& type, u64 x, u64 y) {
        if (is_float(type)) {
            double const a = type == "f32" ? static_cast<double>(as_float(x)) : as_double(x);
            double const b = type == "f32" ? static_cast<double>(as_float(y)) : as_double(y);
            bool const nan = std::isnan(a) || std::isnan(b);
            if (how == "num") return !nan;
            if (how == "nan") return nan;
            if (nan) return how.size() == 3; // equ, neu, …: true where one is no number
            std::string const base = how.substr(0, 2);
            return base == "eq"   ? a == b
                   : base == "ne" ? a != b
                   : base == "lt" ? a < b
                   : base == "le" ? a <= b
                   : base == "gt" ? a > b
                                  : a >= b;
        }
        unsigned const bits = bits_of(type);
        s128 const a = is_signed(type) ? s128{extend(x, bits)} : static_cast<s128>(low(x, bits));
        s128 const b = is_signed(type) ? s128{extend(y, bits)} : static_cast<s128>(low(y, bits));
        if (how == "eq") return a == b;
        if (how == "ne") return a != b;
        if (how == "lt" || how == "lo") return a < b;
        if (how == "le" || how == "ls") return a <= b;
        if (how == "gt" || how == "hi") return a > b;
        return a >= b;
    }

    // setp and set: the comparison, and what a third source makes of it.
    bool comparison(instruction const& i, thread& t, bool value) {
        if (i.operands.size() < 4) return value;
        bool const c = predicate(t, i.operands[3]);
        if (has(i, "and")) return value && c;
        if (has(i, "or")) return value || c;
        return value != c;
    }
    bool compare(instruction const& i, thread& t, std::string const& type) {
        u64 a = raw(t, i.operands[1]), b = raw(t, i.operands[2]);
        if (has(i, "ftz")) a = bits_from(flush(as_float(a))), b = bits_from(flush(as_float(b)));
        return compares(i.modifiers[0], type, a, b);
    }

    static u64 clamped(long double v, unsigned bits, bool sign) {
        long double const top = std::ldexp(1.0L, static_cast<int>(bits - (sign ? 1 : 0)));
        long double const bottom = sign ? -top : 0;
        if (v < bottom) return sign ? low(u64{1} << (bits - 1), bits) : 0;
        if (v >= top) return sign ? (u64{1} << (bits - 1)) - 1 : low(~u64{0}, bits);
        return v < 0 ? static_cast<u64>(static_cast<s64>(v)) : static_cast<u64>(v);
    }

    void convert(instruction const& i, thread& t) {
        std::string const to = i.modifiers[i.modifiers.size() - 2], from = i.modifiers.back();
        u64 const x = raw(t, i.operands[1]);
        bool const sat = has(i, "sat"), ftz = has(i, "ftz");
        if (!is_float(to) && !is_float(from)) {
            s128 v = is_signed(from) ? s128{extend(x, bits_of(from))} : static_cast<s128>(low(x, bits_of(from)));
            if (sat) {
                s128 const top = (s128{1} << (bits_of(to) - (is_signed(to) ? 1 : 0))) - 1;
                s128 const bottom = is_signed(to) ? -top - 1 : 0;
                v = std::min(std::max(v, bottom), top);
            }
            u64 const cut = low(static_cast<u64>(v), bits_of(to)); // a wider register is filled according to the type
            put(t, i.operands[0], is_signed(to) ? static_cast<u64>(extend(cut, bits_of(to))) : cut);
            return;
        }
        if (!is_float(to)) {
            double v = from == "f32" ? static_cast<double>(ftz ? flush(as_float(x)) : as_float(x)) : as_double(x);
            rounding_mode const set{i};
            double const volatile whole = std::nearbyint(v);
            bool const zero = from != "f64" && bits_of(to) != 64; // what NaN becomes
            u64 const cut = std::isnan(v) ? (zero ? 0 : u64{1} << (bits_of(to) - 1))
                                          : clamped(static_cast<long double>(whole), bits_of(to), is_signed(to));
            put(t, i.operands[0], is_signed(to) ? static_cast<u64>(extend(cut, bits_of(to))) : cut);
            return;
        }
        rounding_mode const set{i};
        long double volatile v = 0;
        bool integral = false;
        if (!is_float(from))
            v = is_signed(from) ? static_cast<long double>(extend(x, bits_of(from)))
                                : static_cast<long double>(low(x, bits_of(from)));
        else {
            double wide = from == "f32" ? static_cast<double>(ftz ? flush(as_float(x)) : as_float(x)) : as_double(x);
            for (char const* const m : {"rni", "rzi", "rmi", "rpi"}) integral |= has(i, m);
            if (integral) wide = std::nearbyint(wide);
            v = static_cast<long double>(wide);
        }
        double const volatile exact = static_cast<double>(v);
        double d = exact;
        float f = static_cast<float>(v);
        if (sat) {
            d = std::isnan(d) || d <= 0 ? 0 : d >= 1 ? 1 : d;
            f = std::isnan(f) || f <= 0 ? 0 : f >= 1 ? 1 : f;
        }
        put(t, i.operands[0], to == "f32" ? bits_from(ftz ? flush(f) : f) : bits_from(d));
    }

    void integer(instruction const& i, thread& t) {
        std::string const& op = i.opcode;
        std::string const type = op == "prmt" ? "b32" : i.modifiers.back(); // whose mode stands last
        unsigned const n = bits_of(type);
        bool const sign = is_signed(type);
        auto const u = [&](std::size_t k) { return low(raw(t, i.operands[k]), n); };
        auto const s = [&](std::size_t k) {
            return sign ? s128{extend(raw(t, i.operands[k]), n)} : static_cast<s128>(u(k));
        };
        auto const give = [&](u64 v) { put(t, i.operands[0], low(v, n)); };
        auto const saturated = [&](s128 v) {
            s128 const top = (s128{1} << (n - 1)) - 1;
            return has(i, "sat") ? std::min(std::max(v, -top - 1), top) : v;
        };
        if (op == "add" || op == "addc" || op == "sub" || op == "subc") {
            if (has(i, "cc") || op == "addc" || op == "subc") { // after a subtraction the carry says "no borrow"
                bool const subtracts = op[0] == 's', takes = op.size() == 4;
                u128 const borrow = takes && !t.carry ? 1 : 0, carry = takes && t.carry ? 1 : 0;
                u128 const wide = subtracts ? u128{u(1)} - u(2) - borrow : u128{u(1)} + u(2) + carry;
                if (has(i, "cc")) t.carry = ((wide >> n & 1) != 0) != subtracts;
                return give(static_cast<u64>(wide));
            }
            return give(static_cast<u64>(saturated(op == "add" ? s(1) + s(2) : s(1) - s(2))));
        }
        if (op == "mul" || op == "mad") {
            s128 const product = sign ? s(1) * s(2) : static_cast<s128>(u128{u(1)} * u(2));
            s128 const addend = op == "mad"
                                    ? (has(i, "wide") ? (sign ? s128{extend(raw(t, i.operands[3]), 2 * n)}
                                                              : static_cast<s128>(low(raw(t, i.operands[3]), 2 * n)))
                                                      : s(3))
                                    : 0;
            if (has(i, "wide")) return put(t, i.operands[0], low(static_cast<u64>(product + addend), 2 * n));
            if (has(i, "hi")) {
                s128 const high = sign ? product >> n : static_cast<s128>(static_cast<u128>(product) >> n);
                return give(static_cast<u64>(saturated(high + addend)));
            }
            return give(static_cast<u64>(product) + static_cast<u64>(addend));
        }
        if (op == "mul24" || op == "mad24") {
            auto const part = [&](std::size_t k) {
                return sign ? s128{extend(raw(t, i.operands[k]), 24)}
                            : static_cast<s128>(low(raw(t, i.operands[k]), 24));
            };
            s128 const product = part(1) * part(2);
            u64 const v = static_cast<u64>(has(i, "hi") ? product >> 16 : product);
            return give(v + (op == "mad24" ? u(3) : 0));
        }
        if (op == "sad") return give(static_cast<u64>(s(3) + (s(1) > s(2) ? s(1) - s(2) : s(2) - s(1))));
        if (op == "div") return give(static_cast<u64>(s(1) / s(2)));
        if (op == "rem") return give(static_cast<u64>(s(1) % s(2)));
        if (op == "abs") return give(static_cast<u64>(s(1) < 0 ? -s(1) : s(1)));
        if (op == "neg") return give(static_cast<u64>(-s(1)));
        if (op == "min") return give(static_cast<u64>(std::min(s(1), s(2))));
        if (op == "max") return give(static_cast<u64>(std::max(s(1), s(2))));
        if (op == "and") return give(u(1) & u(2));
        if (op == "or") return give(u(1) | u(2));
        if (op == "xor") return give(u(1) ^ u(2));
        if (op == "not") return give(n == 1 ? u(1) ^ 1 : ~u(1));
        if (op == "cnot") return give(u(1) == 0);
        if (op == "shl" || op == "shr") {
            u64 const by = low(raw(t, i.operands[2]), 32);
            if (op == "shl") return give(by >= n ? 0 : u(1) << by);
            return give(static_cast<u64>(by >= n ? (sign && s(1) < 0 ? s128{-1} : s128{0}) : s(1) >> by));
        }
        if (op == "shf") { // c:b shifted, its upper or lower word
            u64 const both = low(raw(t, i.operands[2]), 32) << 32 | low(raw(t, i.operands[1]), 32);
            u64 by = low(raw(t, i.operands[3]), 32);
            by = has(i, "wrap") ? by & 31 : std::min<u64>(by, 32);
            return give(has(i, "l") ? (both << by) >> 32 : both >> by);
        }
        if (op == "bfe") {
            u64 const at = raw(t, i.operands[2]) & 255, count = raw(t, i.operands[3]) & 255;
            u64 out = 0;
            u64 const last = std::min<u64>(at + count - 1, n - 1);
            bool const fill = sign && count != 0 && (u(1) >> last & 1) != 0;
            for (u64 k = 0; k < n; ++k) out |= u64{k < count && at + k < n ? (u(1) >> (at + k) & 1) != 0 : fill} << k;
            return give(out);
        }
        if (op == "bfi") {
            u64 const at = raw(t, i.operands[3]) & 255, count = raw(t, i.operands[4]) & 255;
            u64 out = u(2);
            for (u64 k = 0; k < count && at + k < n; ++k)
                out = (out & ~(u64{1} << (at + k))) | ((u(1) >> k & 1) << (at + k));
            return give(out);
        }
        if (op == "bfind") {
            u64 v = u(1);
            if (sign && s(1) < 0) v = low(~v, n);
            u64 found = 0xffffffff;
            for (unsigned k = 0; k < n; ++k)
                if (v >> k & 1) found = k;
            if (has(i, "shiftamt") && found != 0xffffffff) found = n - 1 - found;
            return put(t, i.operands[0], found);
        }
        if (op == "brev") {
            u64 out = 0;
            for (unsigned k = 0; k < n; ++k) out |= (u(1) >> k & 1) << (n - 1 - k);
            return give(out);
        }
        if (op == "clz" || op == "popc") {
            unsigned zeros = 0, ones = 0;
            for (unsigned k = 0; k < n; ++k) ones += (u(1) >> k & 1) != 0;
            while (zeros < n && !(u(1) >> (n - 1 - zeros) & 1)) ++zeros;
            return put(t, i.operands[0], op == "clz" ? zeros : ones);
        }
        if (op == "bmsk") {
            u64 at = raw(t, i.operands[1]), count = raw(t, i.operands[2]);
            if (has(i, "wrap")) at &= 31, count &= 31;
            else at = std::min<u64>(low(at, 32), 32), count = std::min<u64>(low(count, 32), 32);
            u64 out = 0;
            for (u64 k = at; k < at + count && k < 32; ++k) out |= u64{1} << k;
            return give(out);
        }
        if (op == "szext") {
            u64 count = low(raw(t, i.operands[2]), 32);
            if (has(i, "wrap")) count &= 31;
            if (count >= 32) return give(u(1));
            if (count == 0) return give(0);
            return give(sign ? static_cast<u64>(extend(u(1), static_cast<unsigned>(count)))
                             : low(u(1), static_cast<unsigned>(count)));
        }
        if (op == "prmt") return give(permuted(i, u(1), u(2), u(3)));
        if (op == "lop3") {
            u64 out = 0;
            for (unsigned k = 0; k < 32; ++k) {
                u64 const row = (u(1) >> k & 1) << 2 | (u(2) >> k & 1) << 1 | (u(3) >> k & 1);
                out |= (i.operands[4].bits >> row & 1) << k;
            }
            return give(out);
        }
        if (op == "dp4a" || op == "dp2a") {
            bool const sa = i.modifiers[i.modifiers.size() - 2][0] == 's', sb = sign;
            u64 const a = low(raw(t, i.operands[1]), 32), b = low(raw(t, i.operands[2]), 32);
            s64 sum = static_cast<s64>(low(raw(t, i.operands[3]), 32));
            unsigned const wide = op == "dp4a" ? 8 : 16, first = has(i, "hi") ? 2 : 0;
            for (unsigned k = 0; k < 32 / wide; ++k) {
                u64 const x = low(a >> k * wide, wide), y = low(b >> (first + k) * 8, 8);
                sum += (sa ? extend(x, wide) : static_cast<s64>(x)) * (sb ? extend(y, 8) : static_cast<s64>(y));
            }
            return put(t, i.operands[0], static_cast<u64>(sum));
        }
        throw std::runtime_error{"unknown to the reference: " + i.text};
    }

    static u64 permuted(instruction const& i, u64 a, u64 b, u64 c) {
        u8 bytes[8];
        for (unsigned k = 0; k < 4; ++k)
            bytes[k] = static_cast<u8>(a >> 8 * k), bytes[4 + k] = static_cast<u8>(b >> 8 * k);
        u64 out = 0;
        for (unsigned k = 0; k < 4; ++k) {
            u64 const sel = c & 3;
            u64 which = 0;
            u8 v = 0;
            if (has(i, "f4e")) which = sel + k;
            else if (has(i, "b4e")) which = (sel + 8 - k) & 7;
            else if (has(i, "rc8")) which = sel;
            else if (has(i, "ecl")) which = std::max<u64>(k, sel);
            else if (has(i, "ecr")) which = std::min<u64>(k, sel);
            else if (has(i, "rc16")) which = (sel & 1) * 2 + (k & 1);
            else which = c >> 4 * k & 15;
            v = bytes[which & 7];
            if (which & 8) v = v & 0x80 ? 0xff : 0;
            out |= u64{v} << 8 * k;
        }
        return out;
    }

    u64 atomic(instruction const& i, u64 old, u64 b, u64 c, std::string const& type) {
        unsigned const n = bits_of(type);
        if (has(i, "exch")) return b;
        if (has(i, "cas")) return old == b ? c : old;
        if (has(i, "inc")) return old >= b ? 0 : old + 1;
        if (has(i, "dec")) return old == 0 || old > b ? b : old - 1;
        if (has(i, "and")) return old & b;
        if (has(i, "or")) return old | b;
        if (has(i, "xor")) return old ^ b;
        if (has(i, "add")) return low(old + b, n);
        bool const less = is_signed(type) ? extend(b, n) < extend(old, n) : b < old;
        return has(i, "min") == less ? b : old;
    }

    void step(thread& t) {
        instruction const& i = code_[t.pc++];
        if (i.guard >= 0 && (t.p[i.guard] != 0) == i.guard_negated) return;
        std::string name = i.opcode;
        for (auto const& m : i.modifiers) name += "." + m;
        ++executed[name];
        std::string const& op = i.opcode;
        std::string const type = i.modifiers.empty() ? "" : i.modifiers.back();
        auto const& o = i.operands;
        if (op == "exit" || op == "ret") {
            t.done = true;
        } else if (op == "bra") {
            t.pc = labels_.at(i.target);
        } else if (op == "ld" && has(i, "param")) {
            put(t, o[0], base_);
        } else if (op == "mov" && i.text.find("%laneid") != i.text.npos) {
            put(t, o[0], t.lane);
        } else if (op == "mov" && o[0].kind == operand::list) {
            unsigned const n = bits_of(type) / static_cast<unsigned>(o[0].parts.size());
            for (std::size_t k = 0; k < o[0].parts.size(); ++k) put(t, o[0].parts[k], raw(t, o[1]) >> k * n);
        } else if (op == "mov" && o[1].kind == operand::list) {
            unsigned const n = bits_of(type) / static_cast<unsigned>(o[1].parts.size());
            u64 v = 0;
            for (std::size_t k = 0; k < o[1].parts.size(); ++k) v |= low(raw(t, o[1].parts[k]), n) << k * n;
            put(t, o[0], v);
        } else if (op == "mov") {
            put(t, o[0], raw(t, o[1]));
        } else if (op == "ld" || op == "st") {
            auto const& value = op == "ld" ? o[0] : o[1];
            auto const& place = op == "ld" ? o[1] : o[0];
            auto const values = value.kind == operand::list ? value.parts : std::vector<operand>{value};
            std::size_t const bytes = bits_of(type) / 8;
            static_cast<void>(memory(i, t, place, bytes * values.size()));
            for (std::size_t k = 0; k < values.size(); ++k) {
                operand at = place;
                at.bits += k * bytes;
                u8* const m = memory(i, t, at, bytes);
                u64 v = 0;
                if (op == "ld") std::memcpy(&v, m, bytes);
                else v = raw(t, values[k]);
                if (op == "ld") put(t, values[k], is_signed(type) ? static_cast<u64>(extend(v, bits_of(type))) : v);
                else std::memcpy(m, &v, bytes);
            }
        } else if (op == "atom" || op == "red") {
            std::size_t const first = op == "atom" ? 1 : 0, bytes = bits_of(type) / 8;
            u8* const m = memory(i, t, o[first], bytes);
            u64 old = 0;
            std::memcpy(&old, m, bytes);
            u64 const next = atomic(i, old, low(raw(t, o[first + 1]), bits_of(type)),
                                    o.size() > first + 2 ? low(raw(t, o[first + 2]), bits_of(type)) : 0, type);
            std::memcpy(m, &next, bytes);
            if (op == "atom") put(t, o[0], old);
        } else if (op == "cvt") {
            convert(i, t);
        } else if (op == "selp") {
            put(t, o[0], predicate(t, o[3]) ? raw(t, o[1]) : raw(t, o[2]));
        } else if (op == "slct") {
            bool const first =
                type == "f32" ? as_float(has(i, "ftz") ? bits_from(flush(as_float(raw(t, o[3])))) : raw(t, o[3])) >= 0
                              : extend(raw(t, o[3]), 32) >= 0;
            put(t, o[0], first ? raw(t, o[1]) : raw(t, o[2]));
        } else if (op == "setp") {
            bool const value = compare(i, t, type);
            bool const first = comparison(i, t, value), second = comparison(i, t, !value);
            put(t, o[0], first);
            if (!o[0].parts.empty()) put(t, o[0].parts[0], second);
        } else if (op == "set") {
            bool const value = comparison(i, t, compare(i, t, type));
            bool const real = i.modifiers[i.modifiers.size() - 2] == "f32";
            put(t, o[0], !value ? 0 : real ? bits_from(1.0f) : 0xffffffff);
        } else if (op == "testp") {
            double const v = type == "f32" ? static_cast<double>(as_float(raw(t, o[1]))) : as_double(raw(t, o[1]));
            int const kind = type == "f32" ? std::fpclassify(as_float(raw(t, o[1]))) : std::fpclassify(v);
            bool const subnormal = kind == FP_SUBNORMAL, finite = std::isfinite(v);
            put(t, o[0],
                has(i, "finite")       ? finite
                : has(i, "infinite")   ? std::isinf(v)
                : has(i, "number")     ? !std::isnan(v)
                : has(i, "notanumber") ? std::isnan(v)
                : has(i, "subnormal")  ? subnormal
                                       : finite && !subnormal && v != 0);
        } else if (type == "f32") {
            floating<float>(i, t);
        } else if (type == "f64") {
            floating<double>(i, t);
        } else {
            integer(i, t);
        }
    }

    // ---- instructions of a warp

    bool at_meeting(thread& t) {
        instruction const& i = code_[t.pc];
        return i.waits && (i.guard < 0 || (t.p[i.guard] != 0) != i.guard_negated);
    }
    u32 mask_of(thread& t) { return static_cast<u32>(raw(t, code_[t.pc].operands.back())); }

    // The threads that `t` names have all come here, or exited: they do it together.
    bool meet(thread& t) {
        instruction const& i = code_[t.pc];
        u32 const named = mask_of(t);
        std::vector<thread*> group;
        u32 members = 0;
        for (unsigned k = 0; k < 32; ++k) {
            if (!(named >> k & 1) || threads_[k].done) continue;
            if (threads_[k].pc != t.pc || !at_meeting(threads_[k]) || mask_of(threads_[k]) != named) return false;
            group.push_back(&threads_[k]);
            members |= 1u << k;
        }
        std::string const& op = i.opcode;
        std::string const type = i.modifiers.back();
        auto const& o = i.operands;
        std::vector<u64> result(32), second(32);
        for (auto* const m : group) {
            u64& d = result[m->lane];
            u64& p = second[m->lane];
            auto const count = [&](auto yes) {
                return static_cast<std::size_t>(std::count_if(group.begin(), group.end(), yes));
            };
            auto const says = [&](thread* x) { return predicate(*x, o[1]); };
            if (op == "vote" && has(i, "all")) d = count(says) == group.size();
            else if (op == "vote" && has(i, "any")) d = count(says) != 0;
            else if (op == "vote" && has(i, "uni")) d = count(says) == 0 || count(says) == group.size();
            else if (op == "vote") {
                for (auto* const x : group) d |= u64{says(x)} << x->lane;
            } else if (op == "match") {
                for (auto* const x : group) d |= u64{raw(*x, o[1]) == raw(*m, o[1])} << x->lane;
                if (has(i, "all")) p = d == members, d = p ? members : 0;
            } else if (op == "redux") {
                d = low(raw(*group[0], o[1]), 32);
                for (std::size_t k = 1; k < group.size(); ++k) d = atomic(i, d, low(raw(*group[k], o[1]), 32), 0, type);
            } else if (op == "elect") {
                d = group[0]->lane, p = m == group[0];
            } else if (op == "shfl") { // the ISA's own words
                int const lane = static_cast<int>(m->lane), b = static_cast<int>(raw(*m, o[2]) & 31);
                int const c = static_cast<int>(raw(*m, o[3]) & 31), segment = static_cast<int>(raw(*m, o[3]) >> 8 & 31);
                int const most = (lane & segment) | (c & ~segment), least = lane & segment;
                int j = 0;
                bool in_range = false;
                if (has(i, "up")) j = lane - b, in_range = j >= most;
                else if (has(i, "down")) j = lane + b, in_range = j <= most;
                else if (has(i, "bfly")) j = lane ^ b, in_range = j <= most;
                else j = least | (b & ~segment), in_range = j <= most;
                if (!in_range) j = lane;
                d = raw(threads_[static_cast<std::size_t>(j)], o[1]), p = in_range;
            }
        }
        std::string name = i.opcode;
        for (auto const& m : i.modifiers) name += "." + m;
        executed[name] += static_cast<unsigned>(group.size());
        for (auto* const m : group) {
            ++m->pc;
            if (op == "bar") continue;
            put(*m, o[0], result[m->lane]);
            if (!o[0].parts.empty()) put(*m, o[0].parts[0], second[m->lane]);
        }
        return true;
    }

    std::vector<instruction> code_;
    std::map<std::string, std::size_t> labels_;
    std::vector<thread> threads_;
    std::vector<u8>* global_ = nullptr;
    std::vector<u8>* shared_ = nullptr;
    u64 base_ = 0;
};

} // namespace scalar

#endif // GPUPROF_TESTS_SIM_EXECUTE_SCALAR_REFERENCE_HPP
