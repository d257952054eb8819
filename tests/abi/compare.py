#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares gpuprof's own declarations of the driver API and CUPTI with one release's headers.

The list of what to compare is read from gpuprof's own headers, so a declaration cannot be forgotten: every structure
(size, offset and size of every member, structSize), every enumerator, the shape of every call in the two tables, and the id
and parameters of every driver call as CUPTI's callbacks have them. A generated program, compiled with both sets of headers, makes the comparison. What a release does not have yet is counted
and printed, and is an error in a release that is known to have it.
"""
import argparse
import functools
import os
import pathlib
import re
import subprocess
import sys

OWN = ["attributes", "cupti", "cupti_activity", "cupti_activity_enums", "cupti_array_parameters", "cupti_callback", "cupti_checkpoint", "cupti_driver_calls",
       "cupti_driver_parameters", "cupti_event", "cupti_host", "cupti_metric", "cupti_pc_sampling", "cupti_pc_sampling_util", "cupti_pm_sampling", "cupti_profiler", "cupti_range", "cupti_sass_metrics", "cupti_target", "nvperf_host",
       "cupti_runtime_parameters", "driver", "driver_types", "function_rows", "function_tables", "nvtx_parameters", "openmp_tool", "results", "types"]
# Not cupti.h itself: it declares again what cuda.h has for the exports that newer ones have superseded.
THEIRS = ["cupti_version.h", "cupti_result.h", "cupti_callbacks.h", "cupti_driver_cbid.h", "generated_cuda_meta.h",
          "cupti_events.h", "cupti_metrics.h", "cupti_activity.h", "cupti_target.h", 
          "cupti_profiler_target.h", "nvperf_common.h", "nvperf_host.h", "nvperf_cuda_host.h", "nvperf_target.h", "cupti_profiler_host.h", "cupti_range_profiler.h", "cupti_pmsampling.h", "cupti_pcsampling.h", "cupti_pcsampling_util.h", "cupti_sass_metrics.h", "cupti_checkpoint.h",
          "Openacc/cupti_openacc.h", "Openmp/cupti_openmp.h",
          "generated_cuda_runtime_api_meta.h", "generated_nvtx_meta.h", "cudaProfiler.h"]
# CUDA 12.0 gave these names to other attributes than before.
REUSED = {"CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS", "CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR"}
# Declared by CUPTI 12.0 and earlier only.
WITHDRAWN = {"call cuptiDeviceGetTimestamp"}
# Exported by CUPTI and described in its guide (12.0, 2.4.4), but in none of its headers.
UNDECLARED = {"call cuptiNvtxInitialize", "call cuptiNvtxInitialize2"}
# What CUPTI got after 12.6, with the version that it tells of itself in the first release that has it.
LATER = {"member CUpti_SubscriberParams::allowMultipleSubscribers": 130200, "member CUpti_SubscriberParams::padding": 130200,
         **{f"call cupti{name}_v2": 130200 for name in ("ActivityEnable", "ActivityDisable", "ActivityEnableAndDump",
            "ActivityRegisterCallbacks", "ActivityGetAttribute", "ActivitySetAttribute")},
         **{f"call cupti{name}_v2": 130300 for name in ("ActivityGetNextRecord", "ActivityGetNumDroppedRecords",
            "ActivityPushExternalCorrelationId", "ActivityPopExternalCorrelationId", "GetTimestamp")},
         "call cuptiSubscribe_v2": 130000, "struct CUpti_SubscriberParams": 130000,
         "call cuptiActivityEnableHWTrace": 26, "call cuptiActivityEnableAllSyncRecords": 26,
         "call cuptiActivityEnableCudaEventDeviceTimestamps": 130000,
         "member CUpti_PmSampling_SetConfig_Params::hwBufferAppendMode": 28}
SKIPPED = 77

PROGRAM = r"""
%(includes)s
#include <gpuprof/hw/abi/cupti.hpp>
#include <gpuprof/hw/abi/cupti_activity_enums.hpp>
#include <gpuprof/hw/abi/cupti_array_parameters.hpp>
#include <gpuprof/hw/abi/cupti_checkpoint.hpp>
#include <gpuprof/hw/abi/cupti_driver_calls.hpp>
#include <gpuprof/hw/abi/cupti_pc_sampling_util.hpp>
#include <gpuprof/hw/abi/cupti_runtime_parameters.hpp>
#include <gpuprof/hw/abi/cupti_target.hpp>
#include <gpuprof/hw/abi/driver.hpp>
#include <gpuprof/hw/abi/nvtx_parameters.hpp>
#include <gpuprof/hw/abi/nvperf_host.hpp>
#include <cstdio>
#include <type_traits>
namespace own = gpuprof::abi;
using namespace NV::Cupti::Checkpoint; // of cupti_checkpoint.h
namespace CUPTI { namespace PcSamplingUtil {} } // where the header is missing
using namespace CUPTI::PcSamplingUtil; // of cupti_pcsampling_util.h
static int compared = 0, different = 0;
static void same(char const* what, long long ours, long long theirs) {
    ++compared;
    if (ours != theirs) std::printf("DIFFERENT %%s: gpuprof %%lld, header %%lld\n", what, ours, theirs), ++different;
}
template <class A, class B>
constexpr bool same_slot = sizeof(A) == sizeof(B) && std::is_pointer_v<A> == std::is_pointer_v<B> &&
                           std::is_floating_point_v<A> == std::is_floating_point_v<B>;
template <class F, class G>
constexpr bool same_shape = false;
template <class R, class... A, class S, class... B>
    requires(sizeof...(A) == sizeof...(B))
constexpr bool same_shape<R (*)(A...), S (*)(B...)> = same_slot<R, S> && (same_slot<A, B> && ...);
#define SIZE(name) same("sizeof " #name, sizeof(own::name), sizeof(::name));
#define MEMBER(name, member) \
    same("offset of " #name "::" #member, offsetof(own::name, member), offsetof(::name, member)); \
    same("size of " #name "::" #member, sizeof(own::name{}.member), sizeof(::name{}.member));
#define STRUCT_SIZE(name, last) \
    same("structSize of " #name, own::name{}.structSize, offsetof(::name, last) + sizeof(::name{}.last));
#define STRUCT_SIZE_MACRO(name) same("structSize of " #name, own::name{}.structSize, name##_STRUCT_SIZE);
#define ENUMERATOR(name) same(#name, own::name, ::name);
#define HANDLE(name) same("one type " #name, 1, std::is_same_v<own::name, ::name>);
#define CALL(table, member, symbol) same("shape of " #symbol, 1, same_shape<decltype(own::table::member), decltype(&::symbol)>);
int main() {
%(checks)s
    std::printf("compared %%d, different %%d\n", compared, different);
    return different != 0;
}
"""


def without_comments(text):
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S))


def own_declarations(include):
    """What gpuprof declares: {structure: [(type, member)]}, [enumerator], [(table, member, symbol)], [handle]."""
    folder = pathlib.Path(include) / "gpuprof" / "hw" / "abi"
    unknown = {file.stem for file in folder.glob("*.hpp")} ^ set(OWN)
    if unknown:
        sys.exit(f"headers of {folder} that this test does not know, or that are gone: {sorted(unknown)}")
    text = without_comments("".join((folder / f"{stem}.hpp").read_text() for stem in OWN))
    text = re.sub(r"\s+", " ", text.replace("\\\n", " "))
    structures = {}
    for name, body in re.findall(r"\b(?:struct|union) (\w+) \{(.*?)\};", text.replace("= {}", "")):
        members = [re.fullmatch(r"(.+?[ *])(\w+)(?:\[[^]]*\])?(?: = .+)?", part.strip()) for part in body.split(";")[:-1]]
        if name.endswith("_table"):
            continue
        if not members or None in members:
            sys.exit(f"cannot read the members of {name}")
        structures[name] = [match.groups() for match in members]
    enumerators = re.findall(r"\bX\((C\w+), -?\d+\)", text)
    for body in re.findall(r"\benum \w+ : [\w ]+ \{([^}]*)\}", text):
        items = [re.fullmatch(r"(\w+) = -?\d+", item.strip()) for item in body.split(",") if "GPUPROF_" not in item]
        if None in items:
            sys.exit(f"cannot read the enumerators in: {body}")
        enumerators += [match.group(1) for match in items]
    calls = []
    for member, symbol in re.findall(r"\bX\((\w+), ((?:cu(?:pti)?[A-Z]|CuptiUtil|NVPW_)\w+), \(", text):
        table = "pc_sampling_util_table" if symbol.startswith("CuptiUtil") else "nvperf_table" if symbol.startswith("NVPW_") else "checkpoint_table" if symbol.startswith("cuptiCheckpoint") else \
            "cupti_table" if symbol.startswith("cupti") else "driver_table"
        calls.append((table, member, symbol))
    handles = re.findall(r"\busing (CU\w+) = ", text)
    check_driver_parameters(text, structures)
    return structures, enumerators, calls, handles


def check_driver_parameters(text, structures):
    """Each call of the driver has, member for argument, a structure."""
    for symbol, parameters in re.findall(r"\bX\(\w+, (cu[A-Z]\w+), \(([^()]*)\)\)", text):
        arguments = parameters.count(",") + 1 if parameters.strip() else 0
        members = len(structures.get(symbol + "_params", []))
        if arguments != members or (not members and f"using {symbol}_params = void;" not in text):
            sys.exit(f"{symbol} takes {arguments} arguments, {symbol}_params has {members} members")


@functools.lru_cache(maxsize=1)
def named_types(text):
    """The first typedef of each name, and where the first body ends that each name is given: the text is long."""
    aliases, ends = {}, {}
    for match in re.finditer(r"\btypedef (?:struct |union )?(\w+) (\w+)\s*;", text):
        aliases.setdefault(match.group(2), match.group(1))
    for match in re.finditer(r"\}\s*(\w+)\s*;", text):
        ends.setdefault(match.group(1), match.start())
    return aliases, ends


def body_of(text, name):
    """The members of a structure in a preprocessed header, following typedefs; None if it is not there."""
    aliases, ends = named_types(text)
    alias = aliases.get(name, name)
    if alias != name:
        found = body_of(text, alias)
        if found is not None:
            return found
    if name not in ends:
        return None
    depth, at = 1, ends[name]
    while depth:
        at -= 1
        depth += {"}": 1, "{": -1}.get(text[at], 0)
    return text[at + 1:ends[name]]


def own_members(body):
    """How many members a body declares at its own level."""
    while re.search(r"\{[^{}]*\}", body):
        body = re.sub(r"\{[^{}]*\}", "", body)
    return body.count(";")


def header_folders(release, wheels):
    if release == "installed":
        for root in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda", "/usr"):
            if not root:
                continue
            folders = [pathlib.Path(root, "include"), pathlib.Path(root, "extras/CUPTI/include")]
            if (folders[0] / "cuda.h").exists() and any((f / "cupti.h").exists() for f in folders):
                return [str(f) for f in folders if f.exists()]
        return []
    folders = [str(f) for f in sorted(pathlib.Path(wheels, release).glob("nvidia/*/include"))]
    return folders if any(pathlib.Path(f, "cuda.h").exists() for f in folders) else []


def main():
    arguments = argparse.ArgumentParser()
    for name in ("compiler", "include", "wheels", "release", "work"):
        arguments.add_argument("--" + name, required=True)
    options = arguments.parse_args()
    folders = header_folders(options.release, options.wheels)
    if not folders:
        print(f"skipped: no headers of CUDA {options.release}; setup/fetch_cupti_wheels.sh fetches those of releases")
        return SKIPPED
    present = [h for h in THEIRS if any(pathlib.Path(f, h).exists() for f in folders)]
    if not any(pathlib.Path(f, "nvtx3/nvToolsExt.h").exists() for f in folders):  # in a wheel of its own
        present.remove("generated_nvtx_meta.h")
    # The macro makes cuda.h declare superseded exports too.
    includes = "\n".join(["#define __CUDA_API_VERSION_INTERNAL 1", "#include <cuda.h>", "#undef __CUDA_API_VERSION_INTERNAL",
                          *(f"#include <{h}>" for h in present)])
    system = [flag for folder in folders for flag in ("-isystem", folder)]
    pathlib.Path(options.work).mkdir(parents=True, exist_ok=True)

    expanded = pathlib.Path(options.work, f"headers_{options.release}.cpp")
    expanded.write_text(f"{includes}\n"
                        "int gpuprof_cuda_version = CUDA_VERSION;\nint gpuprof_cupti_version = CUPTI_API_VERSION;\n")
    text = subprocess.run([options.compiler, "-E", "-P", "-std=c++20", *system, str(expanded)], check=True,
                          capture_output=True, text=True).stdout
    text = re.sub(r"\s+", " ", re.sub(r"__attribute__\s*\(\(.*?\)\)", "", text))
    cuda = int(re.search(r"gpuprof_cuda_version = (\d+)", text).group(1))
    cupti = int(re.search(r"gpuprof_cupti_version = (\d+)", text).group(1))
    declared = set(re.findall(r"\b((?:cu|CuptiUtil|NVPW_)\w+) ?\(", text))
    enumerated = set(re.findall(r"\bC[UD]\w+", " ".join(re.findall(r"\benum\b[^{;]*\{([^}]*)\}", text)))) | \
        set(re.findall(r"\b(?:CUPTI_|NVPA_|cuda[A-Z])\w+", " ".join(re.findall(r"\benum\b[^{;]*\{([^}]*)\}", text))))

    structures, enumerators, calls, handles = own_declarations(options.include)
    ids = [(member, symbol) for table, member, symbol in calls if table == "driver_table"]
    checks, absent, grown = [], [], []
    inner = {name for name in structures if name[0].islower() and not re.search("_params$|^cuda|^nvtx[A-Z]|^ompt_", name)}  # parts of unions that have no name in cuda.h
    for name, members in structures.items():
        if name in inner:
            continue
        body = body_of(text, name)
        if body is None:
            absent.append(f"struct {name}")
            continue
        here = [(kind, member) for kind, member in members if re.search(r"\b" + member + r"\b", body)]
        absent += [f"member {name}::{member}" for kind, member in members if (kind, member) not in here]
        for kind, member in here:
            checks.append(f"MEMBER({name}, {member})")
            for _, part in structures[kind.strip()] if kind.strip() in inner else []:
                unnamed = re.search(r"\}\s*" + member + r"\b", body)  # a union in the structure: its parts are in sight
                if not unnamed or re.search(r"\b" + part + r"\b", body):
                    checks.append(f"MEMBER({name}, {member}.{part})")
                else:
                    absent.append(f"member {name}::{member}.{part}")
        if len(here) == len(members) and (own_members(body) == len(members) or "pad" in dict((m, k) for k, m in members)):
            checks.append(f"SIZE({name})")
            if members[0][1] == "structSize":
                checks.append(f"#ifdef {name}_STRUCT_SIZE\n    STRUCT_SIZE_MACRO({name})\n"  # not always up to the last member
                              f"#else\n    STRUCT_SIZE({name}, {members[-1][1]})\n#endif")
        elif len(here) == len(members):
            grown.append(name)
            if members[0][1] == "structSize":
                checks.append(f"STRUCT_SIZE({name}, {members[-1][1]})")
        if members[0][1] == "size" and name.endswith("Params"):  # of PC sampling
            checks.append(f'same("size of {name}", own::{name}{{}}.size, {name}Size);')
        elif members[0][1] == "size" and name not in grown and len(here) == len(members):
            checks.append(f'same("size of {name}", own::{name}{{}}.size, sizeof(::{name}));')
    for name in enumerators:
        if name not in enumerated or (name in REUSED and cuda < 12000):
            absent.append(f"enumerator {name}")
        else:
            checks.append(f"ENUMERATOR({name})")
    for table, member, symbol in calls:
        if symbol in declared:
            checks.append(f"CALL({table}, {member}, {symbol})")
        else:
            absent.append(f"call {symbol}")
    for member, symbol in ids:
        if f"CUPTI_DRIVER_TRACE_CBID_{symbol}" in enumerated:
            checks.append(f'same("id of {symbol}", own::driver_row<&own::driver_table::{member}>::id, CUPTI_DRIVER_TRACE_CBID_{symbol});')
        else:
            absent.append(f"id of {symbol}")
    for name in handles:
        if re.search(r"\btypedef [^;{]*\b" + name + r" ?(\)[^;]*)?;", text) or re.search(r"\b" + name + r" ?\)", text):
            checks.append(f"HANDLE({name})")
        else:
            absent.append(f"handle {name}")

    source = pathlib.Path(options.work, f"compare_{options.release}.cpp")
    program = source.with_suffix("")
    source.write_text(PROGRAM % {"includes": includes, "checks": "\n".join("    " + c for c in checks)})
    subprocess.run([options.compiler, "-std=c++20", "-Wno-invalid-offsetof", "-Wno-deprecated-declarations",
                    "-I", options.include, *system, str(source), "-o", str(program)], check=True)
    result = subprocess.run([str(program)], capture_output=True, text=True)
    print(result.stdout, end="")
    print(f"CUDA {cuda}, CUPTI {cupti}: {len(structures) - len(inner)} structures, {len(enumerators)} enumerators, "
          f"{len(calls)} calls, {len(handles)} handles, {len(ids)} callbacks of driver calls declared; {len(grown)} structures longer in this release "
          f"({', '.join(grown) or 'none'}); {len(absent)} declarations not in it")
    for what in absent:
        print("  absent:", what)
    # 12.6 brought the last of CUPTI's structures and calls declared here, 13.0 those of driver calls, 13.5 everything.
    if "cudaProfiler.h" not in present:
        absent = [what for what in absent if "cuProfiler" not in what]  # a header of its own, in a wheel of its own
    if "generated_nvtx_meta.h" not in present:
        absent = [what for what in absent if not re.match(r"(struct|member) nvtx[A-Z]", what)]
    if "cupti_range_profiler.h" not in present and cuda == 12060:
        absent = [what for what in absent if "RangeProfiler" not in what]  # came with Update 2, whose CUPTI tells the same version
    late = [what for what in absent if what not in WITHDRAWN | UNDECLARED and
            (cuda >= 13050 or (cuda >= 13000 and re.search("^id of|_params$", what)) or
             (cupti >= LATER.get(what, 24) and re.search("cupti[A-Z]|CUpti_", what)))]
    if late:
        print("UNEXPECTED: this release is known to have these:", *late, sep="\n  ")
    return 1 if result.returncode or late else 0


if __name__ == "__main__":
    sys.exit(main())
