// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of the video instructions, each with a kernel in PTX, and operands for them: random numbers and those at the ends of
// ranges. What a form gives is known from a GPU (hardware/last_video.txt). Test support of the embedded GPU's tests and of
// hardware/video.cu; C++17, and nothing of gpuprof.
#ifndef GPUPROF_TESTS_SUPPORT_VIDEO_FORMS_HPP
#define GPUPROF_TESTS_SUPPORT_VIDEO_FORMS_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace video_forms {

constexpr std::size_t threads = 512; // of a form, each with operands of its own

class random_choices {
public:
    std::uint32_t bits() {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::uint32_t>(state_ >> 32);
    }
    template <std::size_t N>
    char const* of(char const* const (&names)[N]) {
        return names[bits() % N];
    }
    // That many digits less than `end`.
    std::string digits(std::size_t count, std::uint32_t end) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i) text += std::to_string(bits() % end);
        return text;
    }

private:
    std::uint64_t state_ = 1;
};

constexpr char const* signs[] = {"u32", "s32"};
constexpr char const* parts[] = {"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
constexpr char const* written[] = {".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
constexpr char const* halves[] = {"", ".h0", ".h1", ".h10"};
constexpr char const* bytes[] = {"", ".b0", ".b3", ".b10", ".b31", ".b210", ".b320", ".b3210"};
constexpr char const* comparisons[] = {"eq", "ne", "lt", "le", "gt", "ge"};

// d, a, b and c are registers.
inline std::vector<std::string> every_form() {
    std::vector<std::string> forms;
    random_choices random;
    auto const operands = [&] { return std::string{", a"} + random.of(parts) + ", b" + random.of(parts); };
    // With what may be done with the result: nothing, a part of c replaced, a second operation.
    auto const scalar = [&](std::string const& text) {
        forms.push_back(text + " d" + operands() + ";");
        for (unsigned i = 0; i < 2; ++i) forms.push_back(text + " d" + random.of(written) + operands() + ", c;");
        for (char const* const second : {"add", "min", "max"})
            forms.push_back(text + "." + second + " d" + operands() + ", c;");
    };
    auto const packed = [&](std::string const& text, std::size_t count) {
        bool const two = count == 2;
        auto const selected = [&](char const* name, std::uint32_t end) {
            return std::string{", "} + name +
                   (random.bits() % 3 == 0 ? "" : (two ? ".h" : ".b") + random.digits(count, end));
        };
        auto const mask = [&]() -> std::string {
            if (two) return random.of(halves);
            return random.of(bytes);
        };
        std::uint32_t const end = two ? 4 : 8;
        for (unsigned i = 0; i < 2; ++i)
            forms.push_back(text + " d" + mask() + selected("a", end) + selected("b", end) + ", c;");
        if (text.find(".sat") == std::string::npos) // they exclude each other
            forms.push_back(text + ".add d" + mask() + selected("a", end) + selected("b", end) + ", c;");
    };
    for (char const* const a : signs)
        for (char const* const b : signs) {
            std::string const types = std::string{"."} + a + "." + b;
            for (char const* const name : comparisons) {
                scalar("vset" + types + "." + name);
                packed("vset2" + types + "." + name, 2);
                packed("vset4" + types + "." + name, 4);
            }
            for (char const* const d : signs)
                for (char const* const sat : {"", ".sat"}) {
                    std::string const all = std::string{"."} + d + types + sat;
                    for (char const* const name : {"vadd", "vsub", "vabsdiff", "vmin", "vmax"}) {
                        scalar(name + all);
                        packed(std::string{name} + "2" + all, 2);
                        packed(std::string{name} + "4" + all, 4);
                    }
                    packed("vavrg2" + all, 2);
                    packed("vavrg4" + all, 4);
                    if (b == signs[0])
                        for (char const* const name : {"vshl", "vshr"})
                            for (char const* const mode : {".clamp", ".wrap"}) scalar(name + all + mode);
                    if (std::string{a} != b) continue; // vmad has one sign for both
                    for (char const* const scale : {"", ".shr7", ".shr15"}) {
                        forms.push_back("vmad" + all + scale + " d" + operands() + ", c;");
                        forms.push_back("vmad" + std::string{"."} + d + types + ".po" + sat + scale + " d" +
                                        operands() + ", c;");
                        forms.push_back("vmad" + all + scale + " d, -a" + random.of(parts) + ", b" + random.of(parts) +
                                        ", c;");
                        forms.push_back("vmad" + all + scale + " d" + operands() + ", -c;");
                    }
                }
        }
    return forms;
}

// a, b and c of each thread.
inline std::vector<std::uint32_t> operands() {
    constexpr std::uint32_t ends[] = {0,          1,          0xffffffff, 0x7fffffff, 0x80000000,
                                      0x80008000, 0x7fff7fff, 0x80808080, 0x7f7f7f7f, 0x00ff00ff,
                                      0xff00ff00, 0x0000ffff, 0xffff0000, 31};
    std::vector<std::uint32_t> values;
    random_choices random;
    for (std::size_t i = 0; i < 3 * threads; ++i)
        values.push_back(random.bits() % 4 == 0   ? ends[random.bits() % (sizeof ends / sizeof ends[0])]
                         : random.bits() % 4 == 0 ? random.bits() % 40
                                                  : random.bits());
    return values;
}

// A module with a kernel of each form, named f0, f1 and so on. Parameters: operands, results.
inline std::string module(std::vector<std::string> const& forms, std::size_t begin, std::size_t end) {
    std::string text = ".version 7.8\n.target sm_90\n.address_size 64\n";
    for (std::size_t i = begin; i < end && i < forms.size(); ++i)
        text += ".visible .entry f" + std::to_string(i) +
                "(.param .u64 operands, .param .u64 results) {\n.reg .b32 t, a, b, c, d; .reg .b64 rd<4>;\n"
                "mov.u32 t, %tid.x; ld.param.u64 rd0, [operands]; mul.wide.u32 rd1, t, 12; add.u64 rd0, rd0, rd1;\n"
                "ld.param.u64 rd2, [results]; mul.wide.u32 rd3, t, 4; add.u64 rd2, rd2, rd3;\n"
                "ld.global.u32 a, [rd0]; ld.global.u32 b, [rd0+4]; ld.global.u32 c, [rd0+8];\n" +
                forms[i] + "\nst.global.u32 [rd2], d;\nret;\n}\n";
    return text;
}

// Of the results of all threads.
inline std::uint64_t digest(std::vector<std::uint32_t> const& results) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (std::uint32_t const value : results) hash = (hash ^ value) * 0x100000001b3u;
    return hash;
}

} // namespace video_forms

#endif // GPUPROF_TESTS_SUPPORT_VIDEO_FORMS_HPP
