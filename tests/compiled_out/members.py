#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what users can write with GPUPROF_ENABLED=1 and 0: every public name of each header for users, every public member
of their classes with its parameters, and every macro. A program that compiles in one build must compile in the other.

  members.py INCLUDE CLANGXX [--list] [--plant] [OPTION...]

--list prints what both builds have. The last lines say how many names each header has in both. --plant compares one header, with a report
that lacks report::at and has a member of its own where GPUPROF_ENABLED=0; it must fail. OPTION goes to the compiler (-fno-exceptions).

Read from clang's own tree, since a text cannot tell what is public: once for all headers. A header has the names that are declared in the
files which it brings. Not compared: return types, noexcept, & and && behind
a member function, destructors, and what a deleted function says. Exit: 0, or 1 with one line a difference.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HEADERS = ["gpuprof.hpp", "trace.hpp", "trace/consumer.hpp", "sampling.hpp", "frames.hpp", "bottleneck.hpp", "explain.hpp",
           "explain_lines.hpp", "legacy.hpp", "replay.hpp", "call_replay.hpp", "saved.hpp", "ranks.hpp", "rank_trace.hpp", "sim.hpp",
           "judge.hpp", "judge/traced_work.hpp", "judge/adaptor/plain.hpp", "judge/adaptor/benchmarks.hpp", "judge/rank_checks.hpp"]
# Headers whose definitions use classes of other headers for users, and so bring their names when they are enabled. That is no
# promise: a program that uses a tracer includes trace.hpp.
ALSO_BRINGS = {"sampling.hpp": ["trace.hpp"], "frames.hpp": ["trace.hpp", "sampling.hpp", "legacy.hpp"]}
# Namespaces whose names are no promise to users, and records, which come with trace.hpp.
INNER = {"detail", "hw", "abi", "platform", "activity", "recorded"}
# Names that one build may have alone, and why.
ALONE = {
    # The definition of try_metric uses it: a compiled-out build is always header-only.
    "describe",
    # Takes its name as it is, so that no scope_name is made.
    "scope::scope",
    # What trace_event_writer is made of.
    "io::arrow_end", "io::call_place", "io::kernel_name", "io::kernel_names", "io::open_range", "io::open_ranges", "io::recent",
    "io::short_name", "io::trace_links", "io::trace_track", "io::trace_tracks", "io::track_kind", "io::waiting_ends",
    # What activity_summary is made of.
    "io::marker_ranges",
}
# At least so many names are compared; a tree that was read wrongly has none.
LEAST = 3000

BODIES = {"CompoundStmt", "ImplicitCastExpr", "CXXConstructExpr", "CXXCtorInitializer", "InitListExpr"}


last_file = None


def slim(node):
    """Of what clang prints, what is looked at: 400 MB become 20."""
    if "kind" not in node:
        if "offset" in node: # a place; clang names the file where it is another one than that of the place before
            global last_file # pylint: disable=global-statement
            last_file = node.get("file", last_file)
            return last_file
        if "expansionLoc" in node:
            return node["expansionLoc"]
        return {key: node[key] for key in ("qualType",) if key in node}
    if node["kind"] in BODIES or node["kind"].endswith(("Expr", "Stmt", "Literal", "Comment", "Attr", "Operator")):
        return None
    kept = {key: node[key] for key in ("kind", "name", "loc", "isImplicit", "isInline", "access", "tagUsed", "type", "explicitlyDeleted",
                                       "previousDecl", "parentDeclContextId", "completeDefinition") if key in node}
    inner = [each for each in node.get("inner", []) if each]
    if inner:
        kept["inner"] = inner
    return kept


def including(headers):
    return "".join(f"#include <gpuprof/{header}>\n" for header in headers)


def tree(include, compiler, options, headers):
    source = including(headers)
    done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", f"-I{include}", *options, "-x", "c++", "-",
                           "-Xclang", "-ast-dump=json", "-Xclang", "-ast-dump-filter=gpuprof"],
                          input=source, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr[-3000:])
    decoder, text, at = json.JSONDecoder(object_hook=slim), done.stdout, 0
    while at < len(text):
        if text[at] != "{":
            at += 1
            continue
        node, at = decoder.raw_decode(text, at)
        if node and node["kind"] == "NamespaceDecl" and node.get("name") == "gpuprof":
            yield node


FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXConversionDecl", "FunctionTemplateDecl"}


def parameters(node):
    """The parameter list of a function's type: "(std::string_view)" of "result<x> (std::string_view) const"."""
    function = node
    if node["kind"] == "FunctionTemplateDecl":
        function = next(each for each in node["inner"] if each["kind"] in FUNCTIONS)
    text = function.get("type", {}).get("qualType", "")
    end = text.rfind(")")
    for found in re.finditer(r"noexcept\(", text):
        end = text.rfind(")", 0, found.start())
    depth = 0
    for at in range(end, -1, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            return re.sub(r"\bv0\w*::|gpuprof::|type-parameter-\d+-\d+", "", text[at:end + 1])
    return ""


CLASSES = {"CXXRecordDecl", "ClassTemplateDecl"}
OTHERS = {"FieldDecl", "VarDecl", "TypedefDecl", "TypeAliasDecl", "TypeAliasTemplateDecl", "VarTemplateDecl", "ConceptDecl",
          "EnumConstantDecl"}


def record(node):
    if node["kind"] == "ClassTemplateDecl":
        return next(each for each in node["inner"] if each["kind"] == "CXXRecordDecl")
    return node


def read(node, path, found):
    """Adds the names in a namespace or class to `found`, as "report::at(std::size_t)", with the files that declare them."""
    def add(name, of):
        found.setdefault(name, set()).add(of["loc"] or None)

    is_class = node["kind"] == "CXXRecordDecl"
    public = not is_class or node.get("tagUsed") != "class"
    for each in node.get("inner", []):
        kind, name = each["kind"], each.get("name", "")
        if kind == "AccessSpecDecl":
            public = each["access"] == "public"
        elif kind == "FriendDecl":
            for function in each.get("inner", []):
                if function["kind"] in FUNCTIONS:
                    add(f"{path}friend {function['name']}{parameters(function)}", function)
        elif each.get("isImplicit") or not public or name == "" or name.startswith("<deduction guide"):
            if kind == "EnumDecl" and public:  # without a name
                read(each, path, found)
        elif kind == "NamespaceDecl":
            if each.get("isInline"):
                read(each, path, found)
            elif name not in INNER:
                read(each, f"{path}{name}::", found)
        elif is_class or "parentDeclContextId" not in each:
            if kind in CLASSES and not each.get("parentDeclContextId"):
                inside = record(each)
                if not is_class or "inner" in inside:
                    add(path + name, each)
                    read(inside, f"{path}{name}::", found)
            elif kind == "EnumDecl":
                add(path + name, each)
                read(each, f"{path}{name}::", found)
            elif kind in FUNCTIONS:
                add(path + name + parameters(each), each)
            elif kind in OTHERS:
                add(path + name, each)


def preprocessed(include, compiler, options, header):
    """The macros for users that the header brings, and the files."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as files:
        text = subprocess.run([compiler, "-std=c++20", "-E", "-dM", "-MMD", "-MF", files.name, f"-I{include}", *options, "-x", "c++", "-"],
                              input=including([header]), capture_output=True, text=True, check=True).stdout
        brought = {os.path.realpath(each) for each in files.read().replace("\\\n", " ").split()[1:]}
    found = re.findall(r"^#define (GPUPROF_(?:CHECK|REQUIRE|EXPECT|INCONCLUSIVE|ENABLED|EXCEPTIONS)\b[^ ]*)", text, re.M)
    return {"#define " + each for each in found}, brought


def names(include, compiler, options, headers):
    """The names of each header."""
    declared = {}
    for namespace in tree(include, compiler, options, headers):
        read(namespace, "", declared)
    files = {each: os.path.realpath(each) for each in set().union(*declared.values())}
    declared = {name: {files[each] for each in of} for name, of in declared.items()}
    found = {}
    for header in headers:
        of_macros, brought = preprocessed(include, compiler, options, header)
        found[header] = of_macros | {name for name, places in declared.items() if places & brought}
    return found


def excused_by(each, name):
    return name == each or name.startswith((each + "::", each + "("))


def excused(name):
    return any(excused_by(each, name) for each in ALONE)


def plant(include, into):
    shutil.copytree(include, into)
    victim = Path(into, "gpuprof/measure/compiled_out.hpp")
    text = victim.read_text(encoding="utf-8")
    planted = re.sub(r"    \[\[nodiscard\]\] range_view at\(std::size_t\)[^\n]*\n", "    void planted() {}\n", text)
    if planted == text:
        sys.exit("there is nothing to plant in")
    victim.write_text(planted, encoding="utf-8")
    return into


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("include")
    parser.add_argument("compiler")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--plant", action="store_true")
    arguments, options = parser.parse_known_args()
    headers = ["bottleneck.hpp"] if arguments.plant else HEADERS
    with tempfile.TemporaryDirectory() as folder:
        include = plant(arguments.include, Path(folder, "include")) if arguments.plant else arguments.include
        enabled, disabled = [*options, "-DGPUPROF_HEADER_ONLY=0"], [*options, "-DGPUPROF_ENABLED=0"]
        on = names(arguments.include, arguments.compiler, enabled, headers)
        off = names(include, arguments.compiler, disabled, headers)
    all_on, all_off = set().union(*on.values()), set().union(*off.values())
    if arguments.list:
        print("\n".join(sorted(all_on & all_off)))
    found = {f"only GPUPROF_ENABLED=0 has {name}" for name in all_off - all_on if not excused(name)}
    for header in headers:
        elsewhere = set().union(*(off[each] for each in ALSO_BRINGS.get(header, [])))
        lacks = on[header] - off[header] - elsewhere
        found |= {f"GPUPROF_ENABLED=0 lacks {name}, of {header}" for name in lacks if not excused(name)}
    alone = {name for name in all_on ^ all_off if excused(name)}
    found |= {f"both builds have {each}: it needs no excuse" for each in ALONE if not any(excused_by(each, name) for name in alone)}
    print("".join(each + "\n" for each in sorted(found)), end="")
    for header in headers:
        print(f"{header}: {len(on[header])} names, {len(off[header])} with GPUPROF_ENABLED=0")
    print(f"{len(all_on & all_off)} names compared, {len(found)} differences")
    sys.exit(1 if found or len(all_on & all_off) < LEAST else 0)


if __name__ == "__main__":
    main()
