// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random PTX, in which the lanes of a warp have different operands, member masks and ways, gives on the embedded GPU what a
// plain interpreter gives that knows one thread at a time. After every instruction its result is written down, and at the
// end all that was written is compared.
//
// GPUPROF_RANDOM_PTX=<first>,<count> runs other seeds than the usual ones.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // the plain interpreter throws where the PTX is not as it expects

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "scalar_reference.hpp"
#include "support/kernel_fixture.hpp"
#include "support/sanitized.hpp"

namespace random_ptx_test {

using namespace gpuprof_test;

namespace {

using scalar::u32;
using scalar::u64;
using scalar::u8;

// Global memory, from the address that the kernel is given.
constexpr std::size_t lane_bytes =
    256; // each lane's first values: r1 to r15, rd2 to rd9, f0 to f7, fd0 to fd5, rs0 to rs7
constexpr std::size_t d_at = 64, f_at = 128, g_at = 160, h_at = 208;
constexpr std::size_t masks_at = 32 * lane_bytes, atoms_at = masks_at + 512, slots_at = atoms_at + 512;
constexpr std::size_t log_at = slots_at + 32 * 64;
constexpr std::size_t log_bytes = 32 * 8; // a result
// Kernels. Each runs on one host thread, where ThreadSanitizer has nothing to find.
constexpr unsigned usual_count = thread_sanitized ? 20 : address_sanitized ? 200 : 450;
constexpr std::size_t shared_atoms_at = 32 * 64, shared_bytes = shared_atoms_at + 512;

// Writes a kernel.
class writer {
public:
    explicit writer(unsigned seed) : random_{seed} {}

    std::string write() {
        line("mov.u32 %r0, %laneid");
        line("ld.param.u64 %rd0, [base]");
        line("mul.wide.u32 %rd1, %r0, 256"), line("add.u64 %rd1, %rd1, %rd0");
        for (unsigned k = 1; k < 16; ++k) line("ld.global.b32 %r" + num(k) + ", [%rd1+" + num(4 * k) + "]");
        for (unsigned k = 2; k < 10; ++k)
            line("ld.global.b64 %rd" + num(k) + ", [%rd1+" + num(d_at + 8 * (k - 2)) + "]");
        for (unsigned k = 0; k < 8; ++k) line("ld.global.f32 %f" + num(k) + ", [%rd1+" + num(f_at + 4 * k) + "]");
        for (unsigned k = 0; k < 6; ++k) line("ld.global.f64 %fd" + num(k) + ", [%rd1+" + num(g_at + 8 * k) + "]");
        for (unsigned k = 0; k < 8; ++k) line("ld.global.b16 %rs" + num(k) + ", [%rd1+" + num(h_at + 2 * k) + "]");
        for (unsigned k = 0; k < 8; ++k) line("setp.lt.s32 %p" + num(k) + ", %r" + num(k + 1) + ", %r" + num(k + 2));
        // %rd20: the log, %rd21 and %r30: the lane's own bytes in global and shared memory
        line("mul.wide.u32 %rd20, %r0, 8"), line("add.u64 %rd20, %rd20, %rd0");
        line("mul.wide.u32 %rd21, %r0, 64"), line("add.u64 %rd21, %rd21, %rd0"), line("shl.b32 %r30, %r0, 6");
        // %r20 to %r23: four ways to divide the warp into groups; %p12 to %p15: a side for each group
        line("mul.wide.u32 %rd22, %r0, 4"), line("add.u64 %rd22, %rd22, %rd0");
        for (unsigned k = 0; k < 4; ++k) {
            line("ld.global.b32 %r" + num(20 + k) + ", [%rd22+" + num(masks_at + 128 * k) + "]");
            line("bfind.u32 %r31, %r" + num(20 + k)), line("and.b32 %r31, %r31, 1");
            line("setp.ne.u32 %p" + num(12 + k) + ", %r31, 0");
        }
        for (unsigned k = 0; k < 10; ++k) {
            some(4);
            switch (pick(6)) {
                case 0: branch(); break;
                case 1: loop(); break;
                case 2: atomic(); break;
                case 3: groups_apart(); break;
                default: collective(static_cast<int>(pick(4)), ""); break;
            }
            if (k == 6 && pick(3) == 0) line("@%p" + num(pick(8)) + " exit");
        }
        line("ret");
        return body_;
    }

    // The type of each result in the log.
    [[nodiscard]] std::vector<char> const& log() const { return log_; }

private:
    unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
    template <std::size_t N>
    std::string one_of(char const* const (&names)[N]) {
        return names[pick(N)];
    }
    template <class Number>
    static std::string num(Number n) {
        return std::to_string(n);
    }
    void line(std::string const& text) { body_ += text + ";\n"; }
    void label(std::string const& name) { body_ += name + ":\n"; }

    std::string r() { return "%r" + num(1 + pick(15)); }
    std::string d() { return "%rd" + num(2 + pick(8)); }
    std::string h() { return "%rs" + num(pick(8)); }
    std::string f() { return "%f" + num(pick(8)); }
    std::string g() { return "%fd" + num(pick(6)); }
    std::string p() { return "%p" + num(pick(8)); }
    std::string reg(unsigned bits) { return bits == 16 ? h() : bits == 32 ? r() : d(); }
    // A register or, now and then, a constant.
    std::string source(unsigned bits) {
        static char const* const constants[] = {"0", "1", "-1", "2", "31", "32", "255", "-128", "32767", "4096"};
        return pick(5) == 0 ? one_of(constants) : reg(bits);
    }
    std::string sf() { return pick(6) == 0 ? "0f3FC00000" : f(); }
    std::string sg() { return pick(6) == 0 ? "0dBFF8000000000000" : g(); }
    std::string np() { return (pick(2) ? "!" : "") + p(); }
    std::string integer_type() {
        static char const* const types[] = {"u16", "s16", "u32", "s32", "u32", "s32", "u64", "s64"};
        return one_of(types);
    }
    std::string bit_type() {
        static char const* const types[] = {"b16", "b32", "b32", "b64"};
        return one_of(types);
    }
    std::string wide_type() {
        static char const* const types[] = {"u32", "s32", "u64", "s64"};
        return one_of(types);
    }
    static unsigned bits(std::string const& type) { return static_cast<unsigned>(std::stoul(type.substr(1))); }
    std::string guard() { return pick(5) == 0 ? "@" + np() + " " : ""; }

    // Writes the result of the last instruction down.
    void note(std::string const& name) {
        auto const at = "[%rd20+" + num(log_at + log_.size() * log_bytes) + "], ";
        char const file = name[1] == 'r'   ? (name[2] == 'd'   ? 'd'
                                              : name[2] == 's' ? 'h'
                                                               : 'r')
                          : name[1] == 'f' ? (name[2] == 'd' ? 'g' : 'f')
                                           : 'p';
        log_.push_back(file);
        if (file == 'p') line("selp.b32 %r31, 1, 0, " + name), line("st.global.b32 " + at + "%r31");
        else
            line(std::string{"st.global."} +
                 (file == 'd'   ? "b64 "
                  : file == 'h' ? "b16 "
                  : file == 'r' ? "b32 "
                  : file == 'f' ? "f32 "
                                : "f64 ") +
                 at + name);
    }
    // opcode d, sources
    void make(std::string const& opcode, std::string const& to, std::vector<std::string> const& from) {
        std::string text = guard() + opcode + " " + to;
        for (auto const& s : from) text += ", " + s;
        line(text);
        auto const bar = to.find('|');
        note(to.substr(0, bar));
        if (bar != to.npos) note(to.substr(bar + 1));
    }

    void some(unsigned most) {
        for (unsigned k = 1 + pick(most); k != 0; --k) one();
    }

    void one() {
        switch (pick(8)) {
            case 0:
            case 1:
            case 2: return integer();
            case 3: return bit();
            case 4: return compare();
            case 5: return convert();
            case 6: return floating();
            default: return memory();
        }
    }

    void integer() {
        static char const* const plain[] = {"add", "sub", "min", "max", "mul.lo", "mul.hi"};
        static char const* const triple[] = {"mad.lo", "mad.hi", "sad"};
        std::string t = integer_type();
        unsigned const n = bits(t);
        switch (pick(11)) {
            case 0:
            case 1:
            case 2: return make(one_of(plain) + "." + t, reg(n), {reg(n), source(n)});
            case 3: return make(one_of(triple) + "." + t, reg(n), {reg(n), source(n), reg(n)});
            case 4: {
                t = pick(2) ? (pick(2) ? "u16" : "s16") : pick(2) ? "u32" : "s32";
                unsigned const m = bits(t);
                if (pick(2)) return make("mul.wide." + t, reg(2 * m), {reg(m), source(m)});
                return make("mad.wide." + t, reg(2 * m), {reg(m), reg(m), reg(2 * m)});
            }
            case 5: {
                static char const* const forms[] = {"mul24.lo.u32", "mul24.lo.s32", "mul24.hi.u32", "mul24.hi.s32"};
                static char const* const sums[] = {"mad24.lo.u32", "mad24.lo.s32", "mad24.hi.u32", "mad24.hi.s32"};
                if (pick(2)) return make(one_of(forms), r(), {r(), r()});
                return make(one_of(sums), r(), {r(), r(), r()});
            }
            case 6: {
                static char const* const forms[] = {"add.sat.s32", "sub.sat.s32"};
                if (pick(3) == 0) return make("mad.hi.sat.s32", r(), {r(), r(), r()});
                return make(one_of(forms), r(), {r(), source(32)});
            }
            case 7: { // divided by something positive
                t = wide_type();
                unsigned const m = bits(t);
                std::string const by = m == 32 ? "%r31" : "%rd31";
                line("and.b" + num(m) + " " + by + ", " + reg(m) + ", " + (pick(2) ? "255" : "2147483647"));
                line("or.b" + num(m) + " " + by + ", " + by + ", 1");
                return make((pick(2) ? "div." : "rem.") + t, reg(m), {reg(m), by});
            }
            case 8: {
                t = pick(3) == 0 ? "s16" : pick(2) ? "s32" : "s64";
                return make((pick(2) ? "abs." : "neg.") + t, reg(bits(t)), {reg(bits(t))});
            }
            case 9: { // a carry goes from one to the next
                auto const way = [&](char const* up, char const* down) { return std::string{pick(2) ? up : down}; };
                std::string const u = pick(2) ? "u32" : "u64";
                unsigned const m = bits(u);
                std::string const x = reg(m), y = reg(m);
                line(way("add.cc.", "sub.cc.") + u + " " + x + ", " + reg(m) + ", " + source(m)), note(x);
                line(way("addc.cc.", "subc.cc.") + u + " " + y + ", " + reg(m) + ", " + reg(m)), note(y);
                std::string const z = reg(m);
                line(way("addc.", "subc.") + u + " " + z + ", " + reg(m) + ", " + source(m)), note(z);
                return;
            }
            default: {
                static char const* const dots[] = {"dp4a.u32.u32",   "dp4a.s32.s32",    "dp4a.u32.s32",
                                                   "dp4a.s32.u32",   "dp2a.lo.u32.u32", "dp2a.hi.s32.s32",
                                                   "dp2a.lo.s32.u32"};
                return make(one_of(dots), r(), {r(), r(), r()});
            }
        }
    }

    void bit() {
        std::string const t = bit_type();
        unsigned const n = bits(t);
        switch (pick(12)) {
            case 0: {
                static char const* const ops[] = {"and.", "or.", "xor."};
                if (pick(4) == 0) return make(one_of(ops) + "pred", p(), {p(), p()});
                return make(one_of(ops) + t, reg(n), {reg(n), source(n)});
            }
            case 1:
                if (pick(4) == 0) return make("not.pred", p(), {p()});
                return make((pick(2) ? "not." : "cnot.") + t, reg(n), {reg(n)});
            case 2: {
                std::string const by = pick(2) ? r() : num(pick(70));
                if (pick(2)) return make("shl." + t, reg(n), {reg(n), by});
                std::string const i = integer_type();
                return make("shr." + i, reg(bits(i)), {reg(bits(i)), by});
            }
            case 3: {
                static char const* const ops[] = {"shf.l.wrap.b32", "shf.r.wrap.b32", "shf.l.clamp.b32",
                                                  "shf.r.clamp.b32"};
                return make(one_of(ops), r(), {r(), r(), pick(2) ? r() : num(pick(40))});
            }
            case 4: {
                std::string const i = wide_type();
                return make("bfe." + i, reg(bits(i)),
                            {reg(bits(i)), pick(2) ? r() : num(pick(70)), pick(2) ? r() : num(pick(70))});
            }
            case 5: {
                std::string const b = pick(2) ? "b32" : "b64";
                return make("bfi." + b, reg(bits(b)),
                            {reg(bits(b)), reg(bits(b)), pick(2) ? r() : num(pick(70)), pick(2) ? r() : num(pick(70))});
            }
            case 6: {
                std::string const i = wide_type();
                return make((pick(2) ? "bfind." : "bfind.shiftamt.") + i, r(), {reg(bits(i))});
            }
            case 7: {
                std::string const b = pick(2) ? "b32" : "b64";
                if (pick(3) == 0) return make("brev." + b, reg(bits(b)), {reg(bits(b))});
                return make((pick(2) ? "clz." : "popc.") + b, r(), {reg(bits(b))});
            }
            case 8: {
                static char const* const ops[] = {"prmt.b32",     "prmt.b32",     "prmt.b32.f4e", "prmt.b32.b4e",
                                                  "prmt.b32.rc8", "prmt.b32.ecl", "prmt.b32.ecr", "prmt.b32.rc16"};
                return make(one_of(ops), r(), {r(), r(), pick(2) ? r() : num(pick(65536))});
            }
            case 9: return make("lop3.b32", r(), {r(), r(), r(), num(pick(256))});
            case 10: {
                static char const* const ops[] = {"bmsk.clamp.b32",  "bmsk.wrap.b32",  "szext.clamp.u32",
                                                  "szext.clamp.s32", "szext.wrap.u32", "szext.wrap.s32"};
                return make(one_of(ops), r(), {pick(2) ? r() : num(pick(40)), pick(2) ? r() : num(pick(40))});
            }
            default: {
                if (pick(2)) return make("mov.b64", d(), {"{" + r() + ", " + r() + "}"});
                std::string const x = r();
                std::string y = r();
                while (y == x) y = r();
                line("mov.b64 {" + x + ", " + y + "}, " + d()), note(x), note(y);
            }
        }
    }

    void compare() {
        static char const* const any[] = {"eq", "ne", "lt", "le", "gt", "ge"};
        static char const* const floats[] = {"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
        static char const* const unsigneds[] = {"lo", "ls", "hi", "hs"};
        static char const* const with[] = {"and", "or", "xor"};
        bool const real = pick(3) == 0;
        std::string const t = real ? (pick(2) ? "f32" : "f64") : integer_type();
        std::string how = real && pick(2)               ? one_of(floats)
                          : t[0] == 'u' && pick(3) == 0 ? one_of(unsigneds)
                                                        : one_of(any);
        std::vector<std::string> from = real ? (t == "f32" ? std::vector{f(), sf()} : std::vector{g(), sg()})
                                             : std::vector{reg(bits(t)), source(bits(t))};
        switch (pick(5)) {
            case 0: { // set
                if (pick(2)) how += "." + one_of(with), from.push_back(np());
                static char const* const results[] = {"u32", "s32", "f32"};
                std::string const result = one_of(results);
                return make("set." + how + "." + result + "." + t, result == "f32" ? f() : r(), from);
            }
            case 1: { // selp, slct
                std::string const s = pick(2) ? bit_type() : pick(2) ? "f32" : "f64";
                auto const value = [&] { return s == "f32" ? f() : s == "f64" ? g() : reg(bits(s)); };
                if (s[0] == 'b' && s != "b16" && pick(2))
                    return pick(2) ? make("slct." + s + ".s32", value(), {value(), value(), r()})
                                   : make("slct." + s + ".f32", value(), {value(), value(), f()});
                return make("selp." + s, value(), {value(), value(), p()});
            }
            case 2: {
                static char const* const kinds[] = {"finite",     "infinite", "number",
                                                    "notanumber", "normal",   "subnormal"};
                bool const single = pick(2) == 0;
                return make("testp." + one_of(kinds) + (single ? ".f32" : ".f64"), p(), {single ? f() : g()});
            }
            default: {
                if (pick(2)) how += "." + one_of(with), from.push_back(np());
                std::string to = p();
                if (pick(3) == 0) {
                    std::string other = p();
                    while (other == to) other = p();
                    to += "|" + other;
                }
                if (t == "f32" && pick(4) == 0) how += ".ftz";
                return make("setp." + how + "." + t, to, from);
            }
        }
    }

    void convert() {
        static char const* const narrow[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
        static char const* const to_integer[] = {"rni", "rzi", "rmi", "rpi"};
        static char const* const rounding[] = {"rn", "rz", "rm", "rp"};
        auto const holder = [&](std::string const& t) { return reg(bits(t) < 16 ? 16 : bits(t)); };
        std::string const i = one_of(narrow);
        switch (pick(6)) {
            case 0:
            case 1: {
                std::string const from = one_of(narrow);
                return make("cvt." + std::string{pick(3) == 0 ? "sat." : ""} + i + "." + from, holder(i),
                            {holder(from)});
            }
            case 2:
                return make("cvt." + one_of(to_integer) + (pick(4) == 0 ? ".ftz." : ".") + i + ".f32", holder(i),
                            {f()});
            case 3: return make("cvt." + one_of(to_integer) + "." + i + ".f64", holder(i), {g()});
            case 4:
                if (pick(2)) return make("cvt." + one_of(rounding) + ".f32." + i, f(), {holder(i)});
                return make("cvt." + one_of(rounding) + ".f64." + i, g(), {holder(i)});
            default:
                switch (pick(4)) {
                    case 0: return make("cvt.f64.f32", g(), {f()});
                    case 1:
                        return make("cvt." + one_of(rounding) + (pick(3) == 0 ? ".sat" : "") + ".f32.f64", f(), {g()});
                    case 2:
                        return make("cvt." + one_of(to_integer) + (pick(3) == 0 ? ".ftz" : "") + ".f32.f32", f(),
                                    {f()});
                    default: return make("cvt." + one_of(to_integer) + ".f64.f64", g(), {g()});
                }
        }
    }

    void floating() {
        static char const* const rounding[] = {".rn", ".rz", ".rm", ".rp"};
        static char const* const pairs[] = {"add", "sub", "mul", "div"};
        static char const* const ones[] = {"rcp", "sqrt"};
        static char const* const signs[] = {"abs", "neg"};
        static char const* const ends[] = {"min", "max"};
        bool const single = pick(2) == 0;
        std::string const t = single ? ".f32" : ".f64";
        std::string const ftz = single && pick(3) == 0 ? ".ftz" : "";
        auto const to = [&] { return single ? f() : g(); };
        auto const from = [&] { return single ? sf() : sg(); };
        switch (pick(6)) {
            case 0:
            case 1: {
                std::string const op = one_of(pairs);
                bool const sat = single && op != "div" && pick(5) == 0;
                return make(op + one_of(rounding) + ftz + (sat ? ".sat" : "") + t, to(), {to(), from()});
            }
            case 2:
                return make("fma" + one_of(rounding) + ftz + (single && pick(5) == 0 ? ".sat" : "") + t, to(),
                            {to(), to(), from()});
            case 3: return make(one_of(ones) + one_of(rounding) + ftz + t, to(), {to()});
            case 4: return make(one_of(ends) + ftz + t, to(), {to(), from()});
            default: return make(one_of(signs) + ftz + t, to(), {to()});
        }
    }

    // Loads and stores of the lane's own bytes, and loads of what another lane began with.
    void memory() {
        static char const* const types[] = {"u8", "s8", "u16", "s16", "u32", "s32", "b64", "f32", "f64"};
        std::string const t = one_of(types);
        unsigned const bytes = bits(t) / 8;
        auto const holder = [&] {
            return t == "f32" ? f() : t == "f64" ? g() : reg(bytes == 8 ? 64 : bytes == 4 || pick(2) ? 32 : 16);
        };
        bool const shared = pick(2) == 0;
        auto const place = [&](unsigned size) {
            unsigned const at = pick(64 / size) * size;
            return shared ? "[%r30+" + num(at) + "]" : "[%rd21+" + num(slots_at + at) + "]";
        };
        std::string const space = shared ? ".shared." : ".global.";
        switch (pick(5)) {
            case 0: // of a NaN PTX does not say which one it is, so no floats where other lanes' loads may see bits
                if (t[0] == 'f') break;
                return line(guard() + "st" + space + unsigned_type(t) + " " + place(bytes) + ", " + holder());
            case 1: {
                if (bytes != 4 || t[0] == 'f') break;
                std::string x = r(), y = r();
                while (y == x) y = r();
                line("ld" + space + "v2." + t + " {" + x + ", " + y + "}, " + place(8)), note(x), note(y);
                line("st" + space + "v2.b32 " + place(8) + ", {" + y + ", " + x + "}");
                return;
            }
            case 2: { // wherever a register points to
                line("and.b32 %r31, " + r() + ", 8128"), line("mul.wide.u32 %rd31, %r31, 1"),
                    line("add.u64 %rd31, %rd31, %rd0");
                return make("ld.global." + t, holder(), {"[%rd31+" + num(pick(8) * 8) + "]"});
            }
            default: break;
        }
        make("ld" + space + t, holder(), {place(bytes)});
    }
    static std::string unsigned_type(std::string t) { return t[0] == 's' ? "u" + t.substr(1) : t; }

    // At different and at equal addresses. Lanes come in their order, here and in the reference: it is one of the orders that
    // hardware may take, and the one that the embedded GPU takes.
    void atomic() {
        static char const* const types[] = {"u32", "s32", "u64", "s64"};
        static char const* const numbers[] = {"min", "max"};
        static char const* const logic[] = {"and", "or", "xor"};
        static char const* const words[] = {"inc", "dec"};
        bool const shared = pick(2) == 0, returns = pick(3) != 0;
        std::string op, t;
        switch (pick(5)) {
            case 0: op = "add", t = pick(2) ? "u32" : pick(2) ? "s32" : "u64"; break;
            case 1: op = one_of(numbers), t = one_of(types); break;
            case 2: op = one_of(logic), t = pick(2) ? "b32" : "b64"; break;
            case 3: op = one_of(words), t = "u32"; break;
            default:
                op = returns ? (pick(2) ? "exch" : "cas") : "add", t = returns ? (pick(2) ? "b32" : "b64") : "u32";
                break;
        }
        unsigned const n = bits(t), bytes = n / 8;
        // Up to 32 different words; with a narrow mask many lanes share one.
        line("and.b32 %r31, " + r() + ", " + num((pick(2) ? 31u : pick(4)) % (256 / bytes)));
        line("shl.b32 %r31, %r31, " + num(bytes == 8 ? 3 : 2));
        std::string place = "[%r31+" + num(shared_atoms_at + (bytes == 8 ? 256 : 0)) + "]";
        if (!shared) {
            line("mul.wide.u32 %rd31, %r31, 1"), line("add.u64 %rd31, %rd31, %rd0");
            place = "[%rd31+" + num(atoms_at + (bytes == 8 ? 256 : 0)) + "]";
        }
        line("bar.warp.sync 4294967295");
        std::string const name = (shared ? ".shared." : ".global.") + op + "." + t;
        std::string const to = reg(n), tail = ", " + reg(n) + (op == "cas" ? ", " + reg(n) : "");
        line(guard() + (returns ? "atom" + name + " " + to + ", " : "red" + name + " ") + place + tail);
        line("bar.warp.sync 4294967295");
        if (returns) note(to);
    }

    void branch() {
        std::string const id = num(++labels_);
        line("@" + np() + " bra ELSE" + id);
        some(4);
        if (pick(3) == 0) branch();
        line("bra END" + id);
        label("ELSE" + id);
        some(4);
        label("END" + id);
    }
    void loop() {
        std::string const id = num(++labels_), counter = "%r" + num(40 + labels_ % 20);
        line("and.b32 " + counter + ", " + r() + ", 7");
        label("LOOP" + id);
        some(4);
        line("sub.s32 " + counter + ", " + counter + ", 1"), line("setp.ge.s32 %p11, " + counter + ", 0");
        line("@%p11 bra LOOP" + id);
    }
    // Each group goes one of two ways, and does something together there.
    void groups_apart() {
        std::string const id = num(++labels_);
        int const way = 1 + static_cast<int>(pick(3));
        line("@%p" + num(12 + way) + " bra ELSE" + id);
        some(2), collective(way, "", true), some(2);
        line("bra END" + id);
        label("ELSE" + id);
        some(2), collective(way, "", true);
        label("END" + id);
        collective(way, "@%p" + num(12 + way) + " ", true);
    }

    // Something that the groups of a division do, each for itself.
    void collective(int way, std::string const& guard, bool apart = false) {
        static char const* const votes[] = {"all.pred", "any.pred", "uni.pred"};
        static char const* const sums[] = {"add.u32", "add.s32", "min.u32", "min.s32", "max.u32",
                                           "max.s32", "and.b32", "or.b32",  "xor.b32"};
        std::string const mask = ", %r" + num(20 + way);
        std::string to, text;
        switch (pick(7)) {
            case 0: text = "vote.sync." + one_of(votes) + " " + (to = p()) + ", " + np(); break;
            case 1: text = "vote.sync.ballot.b32 " + (to = r()) + ", " + np(); break;
            case 2: {
                std::string const t = pick(2) ? "b32" : "b64";
                // few values, so that some are equal
                line("and." + t + " " + (t == "b32" ? "%r31" : "%rd31") + ", " + reg(bits(t)) + ", 3");
                bool const all = pick(2) == 0;
                to = all ? r() + "|" + p() : r();
                text = "match." + std::string{all ? "all" : "any"} + ".sync." + t + " " + to + ", " +
                       (t == "b32" ? "%r31" : "%rd31");
                break;
            }
            case 3: text = "redux.sync." + one_of(sums) + " " + (to = r()) + ", " + r(); break;
            case 4: text = "elect.sync " + (to = r() + "|" + p()); break;
            default: { // whole warp: anything; tiles: within the tile
                static char const* const modes[] = {"up", "down", "bfly", "idx"};
                if (way > 1 && apart) return;
                if (way > 1) way = 0;
                std::string const mode = one_of(modes);
                std::string b = pick(2) ? r() : num(pick(32)), c = mode == "up" ? "0" : "31";
                if (way == 0 && pick(2)) c = pick(2) ? r() : num(pick(8192));
                if (way == 1) {
                    // %r32: size of the lane's tile less one; b within it, c its segment
                    line("popc.b32 %r32, %r21"), line("sub.u32 %r32, %r32, 1"), line("and.b32 %r31, " + r() + ", %r32"),
                        b = "%r31";
                    line("xor.b32 %r33, %r32, 31"), line("shl.b32 %r33, %r33, 8");
                    if (mode != "up") line("or.b32 %r33, %r33, %r32");
                    c = "%r33";
                }
                to = r() + "|" + p();
                line(guard + "shfl.sync." + mode + ".b32 " + to + ", " + r() + ", " + b + ", " + c + ", %r" +
                     num(20 + way));
                note(to.substr(0, to.find('|'))), note(to.substr(to.find('|') + 1));
                return;
            }
        }
        line(guard + text + mask);
        auto const bar = to.find('|');
        note(to.substr(0, bar));
        if (bar != to.npos) note(to.substr(bar + 1));
    }
    std::mt19937 random_;
    std::string body_;
    std::vector<char> log_;
    unsigned labels_ = 0;
};

// What the kernel finds in memory: numbers of all sizes with the edges of their types among them, and the masks.
std::vector<u8> first_memory(unsigned seed, std::size_t results) {
    std::mt19937_64 random{seed + 1000003ull};
    std::vector<u8> m(log_at + results * log_bytes + 256);
    auto const word = [&]() -> u64 {
        static u64 const edges[] = {
            0, 1, ~u64{0}, 0x7fffffff, 0x80000000, 0x7fffffffffffffff, 0x8000000000000000, 0xffff, 0x8000};
        switch (random() % 4) {
            case 0: return edges[random() % 9];
            case 1: return random() % 64;
            default: return random();
        }
    };
    auto const real = [&](u64 infinity, u64 low_bits) -> u64 {
        switch (random() % 8) {
            case 0: return infinity;
            case 1:
                return (random() & low_bits) |
                       (random() % 2 ? 0 : infinity + (infinity & (~infinity + 1))); // tiny, or NaN
            case 2: return 0;
            default: return 0;
        }
    };
    auto const put = [&](std::size_t at, u64 v, std::size_t bytes) { std::memcpy(m.data() + at, &v, bytes); };
    for (std::size_t lane = 0; lane < 32; ++lane) {
        for (std::size_t k = 0; k < 16; ++k) put(lane * lane_bytes + 4 * k, word(), 4);
        for (std::size_t k = 0; k < 8; ++k) put(lane * lane_bytes + d_at + 8 * k, word(), 8);
        for (std::size_t k = 0; k < 8; ++k) {
            float const v = static_cast<float>(static_cast<double>(random() % 2000001) / 1000.0 - 1000.0);
            u32 b;
            std::memcpy(&b, &v, 4);
            put(lane * lane_bytes + f_at + 4 * k,
                random() % 4                              ? b
                : real(0x7f800000, 0x7fffff) & 0xffc00000 ? 0x7f800000
                                                          : random() & 0x807fffff,
                4);
        }
        for (std::size_t k = 0; k < 6; ++k) {
            double const v = static_cast<double>(static_cast<std::int64_t>(random())) *
                             std::ldexp(1.0, -static_cast<int>(random() % 80));
            u64 b;
            std::memcpy(&b, &v, 8);
            put(lane * lane_bytes + g_at + 8 * k, random() % 6 ? b : real(0x7ff0000000000000, 0xfffff), 8);
        }
        for (std::size_t k = 0; k < 8; ++k) put(lane * lane_bytes + h_at + 2 * k, word(), 2);
    }
    unsigned const tile = 1u << random() % 6;
    for (std::size_t lane = 0; lane < 32; ++lane) {
        put(masks_at + 4 * lane, 0xffffffff, 4);
        put(masks_at + 128 + 4 * lane, (tile == 32 ? 0xffffffff : (1u << tile) - 1) << (lane / tile * tile), 4);
    }
    for (std::size_t way = 2; way < 4; ++way) { // any lanes together
        unsigned const groups = 1 + static_cast<unsigned>(random() % 8);
        std::array<unsigned, 32> group;
        for (auto& g : group) g = static_cast<unsigned>(random() % groups);
        for (std::size_t lane = 0; lane < 32; ++lane) {
            u32 mask = 0;
            for (unsigned k = 0; k < 32; ++k) mask |= u32{group[k] == group[lane]} << k;
            put(masks_at + 128 * way + 4 * lane, mask, 4);
        }
    }
    for (std::size_t k = 0; k < 512 / 8; ++k) put(atoms_at + 8 * k, word(), 8);
    return m;
}

// Floats are equal if both are NaN: PTX does not say which one.
bool same(char file, u8 const* a, u8 const* b) {
    if (file == 'f' || file == 'g') {
        double x = 0, y = 0;
        if (file == 'f') {
            float s, t;
            std::memcpy(&s, a, 4), std::memcpy(&t, b, 4);
            x = static_cast<double>(s), y = static_cast<double>(t);
        } else {
            std::memcpy(&x, a, 8), std::memcpy(&y, b, 8);
        }
        if (x != x && y != y) return true;
    }
    return std::memcmp(a, b, 8) == 0;
}

} // namespace

TEST_CASE("random PTX gives what a plain interpreter of one thread at a time gives") {
    unsigned first = 1, count = usual_count;
    if (char const* const asked = std::getenv("GPUPROF_RANDOM_PTX")) {
        std::istringstream in{asked};
        char comma = 0;
        in >> first >> comma >> count;
    }
    std::size_t comparisons = 0;
    std::map<std::string, std::size_t> forms;
    for (unsigned seed = first; seed < first + count; ++seed) {
        CAPTURE(seed);
        writer text{seed};
        std::string const body = text.write();
        if (count == 1) MESSAGE(body);
        machine m{
            ptx_text{".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 base) {\n"
                     ".reg .b32 %r<64>; .reg .b64 %rd<64>; .reg .b16 %rs<16>; .reg .f32 %f<16>; .reg .f64 %fd<16>; "
                     ".reg .pred %p<16>; .shared .align 8 .b8 bytes[" +
                     std::to_string(shared_bytes) + "];\n" + body + "}\n"}};
        auto expected = first_memory(seed, text.log().size());
        auto const memory = m.array(expected);
        m.run("k", {1}, {32}, arguments{memory});
        scalar::interpreter reference{body};
        std::vector<u8> shared(shared_bytes);
        reference.run(expected, memory.address(), shared);
        for (auto const& [name, times] : reference.executed) forms[name] += times;

        auto const found = memory.values();
        bool agree = true;
        for (std::size_t k = 0; agree && k < text.log().size(); ++k)
            for (std::size_t lane = 0; agree && lane < 32; ++lane, ++comparisons) {
                std::size_t const at = log_at + k * log_bytes + lane * 8;
                if (same(text.log()[k], &found[at], &expected[at])) continue;
                agree = false;
                auto const place = "[%rd20+" + std::to_string(log_at + k * log_bytes) + "]";
                auto const noted = body.find(place);
                auto const begin = body.rfind('\n', noted > 200 ? noted - 200 : 0);
                u64 got = 0, wanted = 0;
                std::memcpy(&got, &found[at], 8), std::memcpy(&wanted, &expected[at], 8);
                FAIL_CHECK("lane " << lane << " has " << std::hex << got << ", the reference " << wanted << " after"
                                   << body.substr(begin, noted - begin));
            }
        for (std::size_t at = atoms_at; at < log_at; at += 8, ++comparisons)
            CHECK(std::memcmp(&found[at], &expected[at], 8) == 0);
    }
    if (first == 1 && count == usual_count) { // so that the search cannot become empty unnoticed
        MESSAGE(comparisons << " comparisons, " << forms.size() << " forms of instructions");
        CHECK(comparisons >= usual_count * 2'000);
        CHECK(forms.size() >= (thread_sanitized ? 200 : address_sanitized ? 450 : 500));
    }
}

} // namespace random_ptx_test

#endif
