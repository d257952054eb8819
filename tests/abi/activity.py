#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the layouts of gpuprof's activity records with one release's headers, and decodes records built from them.

What to compare is read from hw/activity/*.hpp, so no row can be forgotten: for each record type its forms (the
structures that releases fill) and its rows (member, offset, size, what it fills, which releases have it). A generated
program, compiled with both sets of headers, checks
  - the size of every form that this release's headers declare, and offset and size of every row that the form has;
  - that the form for this release is the newest structure that its cupti_activity.h declares, and that each of that
    structure's members is in a row, but for padding;
  - that a record of this release, written member by member through CUPTI's own structure, is decoded to what was written,
    that members which the release lacks are absent, and that a record one byte short is unknown.
Every structure of cupti_activity.h that is a record must belong to a type. How much was compared is printed, and demanded.
"""
import argparse
import pathlib
import re
import subprocess
import sys

from compare import SKIPPED, header_folders, without_comments

# Structures that begin with a kind and are no record by themselves.
NO_RECORD = {"CUpti_ActivityOpenAcc"}  # the beginning of the three others
# Members that need no row. localMemoryTotal was superseded by localMemoryTotal_v2, the parts of unions have rows.
NO_ROW = re.compile(r"kind|pad\w*|reserved\w*|localMemoryTotal|scope")
# What must be compared, by CUDA version: layouts (sizes and offsets), members decoded, members absent. A row more changes them.
DEMANDED = {
    11080: (1470, 701, 85), 12000: (1557, 705, 81), 12010: (1557, 705, 81), 12020: (1630, 707, 79),
    12030: (1662, 710, 76), 12040: (1713, 715, 71), 12050: (1730, 717, 69), 12060: (1771, 719, 67),
    12080: (1901, 748, 60), 12090: (1914, 756, 60), 13000: (2111, 762, 54), 13010: (2266, 792, 51),
    13020: (2400, 805, 52), 13030: (2493, 807, 50), 13040: (2691, 817, 40), 13050: (2714, 821, 36)
}

PROGRAM = r"""
#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_version.h>
#include <gpuprof/hw/activity/record.hpp>
#include <cstdio>
#include <type_traits>
namespace own = gpuprof::activity;
static int layouts = 0, decoded = 0, absent = 0, different = 0;
static void same(char const* what, unsigned long long ours, unsigned long long theirs, int& count) {
    ++count;
    if (ours != theirs) std::printf("DIFFERENT %%s: gpuprof %%llu, header %%llu\n", what, ours, theirs), ++different;
}
#define SIZE(name, size) same("sizeof " #name, size, sizeof(::name), layouts);
#define ROW(name, member, offset, size) \
    same("offset of " #name "::" #member, offset, offsetof(::name, member), layouts); \
    same("size of " #name "::" #member, size, sizeof(::name{}.member), layouts);

// A member as a number. Members wider than a number are filled with one byte, and are that byte.
static unsigned long long number(own::timestamp t) { return t.ticks; }
static unsigned long long number(std::string_view t) { return reinterpret_cast<unsigned long long>(t.data()); }
static unsigned long long number(own::tagged_value v) { return v.bits; }
static unsigned long long number(own::cache_preference v) { return v.both; }
static unsigned long long number(void const* v) { return reinterpret_cast<unsigned long long>(v); }
template <gpuprof::unit Unit>
static unsigned long long number(gpuprof::quantity<Unit> q) { return q.count(); }
template <class T>
static unsigned long long number(T const& value) {
    if constexpr (std::is_same_v<T, bool>) return value ? 1 : 0;
    else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) return static_cast<unsigned long long>(value);
    else if constexpr (std::is_same_v<T, own::port_list>) return value.port(0).value_or(0);
    else {
        unsigned char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        for (unsigned char one : bytes)
            if (one != bytes[0]) return 0;
        return bytes[0];
    }
}
template <class T>
static unsigned long long number(std::optional<T> const& value) { return value ? number(*value) : ~0ull; }

static char const texts[256] = {};
static unsigned const ports[256] = {%(ports)s};

// Writes a number from 2 to 250 into a member; texts and ports get an address of their own. Returns what must come out.
static unsigned long long put(void* member, std::size_t size, unsigned long long value, char kind) {
    if (kind == 't') value = reinterpret_cast<unsigned long long>(texts + value);
    if (kind == 'p' && size == sizeof(void*)) {
        unsigned const* const at = ports + value;
        std::memcpy(member, &at, sizeof at);
    } else if (kind == 'p' || kind == 'a' || size > sizeof value) {
        std::memset(member, static_cast<int>(value), size);
    } else {
        std::memcpy(member, &value, size);
    }
    return kind == 'b' ? 1 : value;
}
#define PUT(member, value, field) put(&raw.member, sizeof raw.member, value, kind_of(field))
template <class T>
static constexpr char kind_of(T const&) { return 'n'; }
static constexpr char kind_of(std::string_view) { return 't'; }
static constexpr char kind_of(bool) { return 'b'; }
static constexpr char kind_of(own::port_list const&) { return 'p'; }
static constexpr char kind_of(own::peer_list const&) { return 'a'; }
template <class T>
static constexpr char kind_of(std::optional<T> const&) { return kind_of(T{}); }

%(functions)s
int main() {
    auto const release = own::release_of_cupti(CUPTI_API_VERSION, CUDA_VERSION / 1000);
    if (release > own::release(CUDA_VERSION / 1000, CUDA_VERSION %% 1000 / 10, 1)) std::printf("DIFFERENT release\n"), ++different;
%(checks)s
    std::printf("compared %%d layouts, %%d members decoded, %%d absent, different %%d\n", layouts, decoded, absent, different);
    return different != 0;
}
"""


class Record:
    def __init__(self, name, text):
        self.name = name
        self.kinds = re.findall(r"abi::(CUPTI_ACTIVITY_KIND_\w+)", re.search(r"kinds\[\] = \{(.*?)\}", text).group(1))
        self.forms = [(int(a) * 1000 + int(b) * 10 + int(u or 0), s, int(z)) for a, b, u, s, z in
                      re.findall(r'\{release\((\d+), (\d+)(?:, (\d))?\), "(\w+)", (\d+)\}', text)]
        self.rows = []
        for condition, call in re.findall(r"(?:\bif \((\w+ == [\w:]+)\) )?\brow\((.*?)\);", text):
            match = re.fullmatch(r'"([\w.]+)", (\d+), (\d+), ([\w.]+)(?:, (.+))?', call)
            if not match:
                sys.exit(f"cannot read the row in {name}: {call}")
            member, offset, size, field, rest = match.groups()
            first, end = 0, 1 << 30
            for verb, a, b, u in re.findall(r"\b(since|before|release)\((\d+), (\d+)(?:, (\d))?\)", rest or ""):
                number = int(a) * 1000 + int(b) * 10 + int(u or 0)
                if verb == "before" or (verb == "release" and first):
                    end = number
                else:
                    first = number
            self.rows.append((member, int(offset), int(size), field, first, end, condition))
        if not self.kinds or not self.forms or not self.rows:
            sys.exit(f"cannot read {name}")

    def form(self, release):
        return max((form for form in self.forms if form[0] <= release), default=None)


def own_records(include):
    folder = pathlib.Path(include, "gpuprof/hw/activity")
    listed = re.findall(r"\bX\((\w+)\)", (folder / "kinds.hpp").read_text().split("GPUPROF_ACTIVITY_RECORDS(X)")[1])
    records = {}
    for file in sorted(folder.glob("*.hpp")):
        text = re.sub(r"\s+", " ", without_comments(file.read_text()))
        for name, body in re.findall(r"\bstruct (\w+) \{((?:(?!\bstruct ).)*?\bforms\[\].*?)\} \};?", text):
            records[name] = Record(name, body + "}")
    if sorted(listed) != sorted(records):
        sys.exit(f"kinds.hpp and the files differ: {sorted(set(listed) ^ set(records))}")
    return [records[name] for name in listed]


def their_records(text):
    """{structure: [members]} of the structures in a preprocessed header that begin with a kind."""
    found = {}
    for match in re.finditer(r"\} ?(CUpti_Activity\w+) ?;", text):
        depth, at = 1, match.start()
        while depth:
            at -= 1
            depth += {"}": 1, "{": -1}.get(text[at], 0)
        body = text[at + 1:match.start()]
        if not re.search(r"typedef struct ?\w* ?$", text[max(0, at - 80):at]) or not body.strip().startswith("CUpti_ActivityKind kind"):
            continue
        while re.search(r"\{[^{}]*\}", body):
            body = re.sub(r"\{[^{}]*\}", "", body)
        found[match.group(1)] = [re.search(r"(\w+)(?:\[[^]]*\])?$", part.strip()).group(1) for part in body.split(";") if part.strip()]
    return found


def stem(structure):
    return re.sub(r"\d+$", "", structure)


def main():
    arguments = argparse.ArgumentParser()
    for name in ("compiler", "include", "wheels", "release", "work"):
        arguments.add_argument("--" + name, required=True)
    options = arguments.parse_args()
    folders = header_folders(options.release, options.wheels)
    if not folders:
        print(f"skipped: no headers of CUDA {options.release}; setup/fetch_cupti_wheels.sh fetches those of releases")
        return SKIPPED
    system = [flag for folder in folders for flag in ("-isystem", folder)]
    work = pathlib.Path(options.work)
    work.mkdir(parents=True, exist_ok=True)

    def preprocessed(name, source):
        file = work / f"activity_{name}_{options.release}.cpp"
        file.write_text(source)
        text = subprocess.run([options.compiler, "-E", "-P", "-std=c++20", *system, str(file)], check=True,
                              capture_output=True, text=True).stdout
        return re.sub(r"\s+", " ", re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text))

    text = preprocessed("all", "#include <cuda.h>\n#include <cupti_activity.h>\n#include <cupti_version.h>\n"
                               "int gpuprof_cuda = CUDA_VERSION; int gpuprof_cupti = CUPTI_API_VERSION;\n")
    cuda, cupti = (int(re.search(rf"gpuprof_{name} = (\d+)", text).group(1)) for name in ("cuda", "cupti"))
    all_theirs = their_records(text)
    # The header itself, without the one of superseded structures that it includes from 12.2 on.
    header = next(pathlib.Path(f, "cupti_activity.h") for f in folders if pathlib.Path(f, "cupti_activity.h").exists())
    present = set(re.findall(r"\}\s*(CUpti_Activity\w+)\s*;", without_comments(header.read_text())))
    records = own_records(options.include)

    problems, checks, functions, sizes = [], [], [], 0
    # CUPTI 18 is told by 11.8 and by 12.0, which the library's name tells apart.
    release = cuda // 10 * 10 + (130200 < cupti < 130300)  # release_of_cupti() tells the updates of 13.2 alone
    claimed = {NO for NO in NO_RECORD}
    for record in records:
        claimed |= {form[1] for form in record.forms}
        for first, structure, size in record.forms:
            members = all_theirs.get(structure)
            if members is None:
                continue
            checks.append(f"SIZE({structure}, {size})" if first <= release else "")
            for member, offset, width, _, begin, end, _ in record.rows:
                if begin <= first < end and first <= release:
                    checks.append(f"ROW({structure}, {member}, {offset}, {width})")
        form = record.form(release)
        newest = [name for name in present & set(all_theirs) if any(stem(name) == stem(f[1]) for f in record.forms)]
        if record.name == "memory":
            newest = ["CUpti_ActivityMemory"]
        elif record.name == "memory_operation":
            newest = [name for name in newest if name != "CUpti_ActivityMemory"]
        newest = max(newest, key=lambda name: int(re.search(r"\d*$", name).group() or 1), default=None)
        if (form and form[1]) != newest:
            problems.append(f"{record.name}: gpuprof expects {form and form[1]}, the newest structure is {newest}")
        if not form or newest not in all_theirs:
            continue
        rows = [row for row in record.rows if row[4] <= release < row[5]]
        told = {row[0].split(".")[0] for row in rows}
        for member in all_theirs[newest]:
            if member not in told and not NO_ROW.fullmatch(member):
                problems.append(f"{record.name}: no row for {newest}::{member}")
        # Members of a union are there on a condition, "field == value". One record for each condition.
        variants = [(condition, [row for row in rows if row[0] != "kind" and row[6] in ("", condition)])
                    for condition in sorted({row[6] for row in rows if row[6]}) or [""]]
        for kind in record.kinds:
            if not re.search(rf"\b{kind}\b", text):
                continue
            for condition, variant in variants:
                lines = [f"::{newest} raw{{}}; std::memset(&raw, 0, sizeof raw); raw.kind = ::{kind};",
                         f"using type = own::{record.name}; type blank{{}}; unsigned long long want[{len(variant) + 1}]{{}};"]
                for index, (member, _, _, field, _, _, _) in enumerate(variant):
                    value = index + 3
                    if condition.split(" == ")[0] == field:
                        value = f"static_cast<unsigned>(own::{condition.split(' == ')[1]})"
                    lines.append(f"want[{index}] = PUT({member}, {value}, blank.{field});")
                lines += ["auto const any = own::decode(release, reinterpret_cast<gpuprof::abi::CUpti_Activity const*>(&raw), sizeof raw);",
                          f'auto const* const got = std::get_if<type>(&any); same("type {record.name}", got != nullptr, 1, decoded);',
                          "if (got == nullptr) return;"]
                for index, (_, _, _, field, _, _, _) in enumerate(variant):
                    lines.append(f'same("{record.name}.{field}", number(got->{field}), want[{index}], decoded);')
                if any(row[0] == "kind" for row in record.rows):
                    lines.append(f'same("{record.name}.kind", got->kind, ::{kind}, decoded);')
                filled = {row[3] for row in variant} | {"kind"}
                for field in sorted({row[3] for row in record.rows} - filled):
                    lines.append(f'same("{record.name}.{field} absent", got->{field}.has_value(), 0, absent);')
                lines += ["auto const cut = own::decode(release, reinterpret_cast<gpuprof::abi::CUpti_Activity const*>(&raw), sizeof raw - 1);",
                          'auto const* const rest = std::get_if<own::unknown>(&cut);',
                          'same("cut", rest != nullptr && rest->reason == own::unknown_reason::truncated && rest->size == sizeof raw - 1, 1, decoded);']
                functions.append(f"static void decode_{len(functions)}(own::cuda_release release) {{\n    " + "\n    ".join(lines) + "\n}")
    for structure in sorted(present & set(all_theirs)):
        if stem(structure) not in {stem(name) for name in claimed}:
            problems.append(f"no record type has {structure}")
    checks += [f"decode_{index}(release);" for index in range(len(functions))]

    source = work / f"activity_{options.release}.cpp"
    program = source.with_suffix("")
    source.write_text(PROGRAM % {
        "ports": ", ".join(map(str, range(256))), "functions": "\n".join(functions),
        "checks": "\n".join("    " + check for check in checks if check)})
    subprocess.run([options.compiler, "-std=c++20", "-Wno-invalid-offsetof", "-Wno-address-of-packed-member",
                    "-Wno-deprecated-declarations", "-I", options.include, *system, str(source), "-o", str(program)], check=True)
    result = subprocess.run([str(program)], capture_output=True, text=True)
    print(result.stdout, end="")
    for problem in problems:
        print("PROBLEM", problem)
    print(f"CUDA {cuda}: {len(records)} record types, {sum(len(r.rows) for r in records)} rows, "
          f"{sum(r.form(release) is not None for r in records)} types in this release")
    counted = re.search(r"compared (\d+) layouts, (\d+) members decoded, (\d+) absent", result.stdout)
    counted = tuple(map(int, counted.groups())) if counted else (0, 0, 0)
    if counted != DEMANDED.get(cuda, counted) and cupti != 130200:
        problems.append("count")
        print(f"PROBLEM {DEMANDED[cuda]} should have been compared")
    return 1 if result.returncode or problems else 0


if __name__ == "__main__":
    sys.exit(main())
