#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the types of gpuprof's CUDA runtime (src/libcudart, src/libcuda/node_parameters.hpp) with one release's headers: sizes,
places of members, numbers of errors; and looks whether every function that the headers declare is a known entry point.

    runtime.py --compiler CXX --source SRC --include INCLUDE --wheels FOLDER --release 12.9|installed --work FOLDER

Exit: 0, 1 with a line for each difference, 77 if the release is not there.
"""
import argparse
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from compare import SKIPPED, header_folders  # noqa: E402

# Ours, theirs, members that have the same names, members by pairs.
STRUCTURES = [
    ("extent", "cudaExtent", "width height depth", {}),
    ("position", "cudaPos", "x y z", {}),
    ("pitched_pointer", "cudaPitchedPtr", "ptr pitch xsize ysize", {}),
    ("memcpy_3d_parameters", "cudaMemcpy3DParms", "srcArray srcPos srcPtr dstArray dstPos dstPtr extent kind", {}),
    ("launch_config", "cudaLaunchConfig_t", "gridDim blockDim dynamicSmemBytes stream attrs numAttrs", {}),
    ("dim3", "::dim3", "x y z", {}),
    ("channel_format", "cudaChannelFormatDesc", "x y z w", {"kind": "f"}),
    ("memory_location", "cudaMemLocation", "type id", {}),
    ("memory_access", "cudaMemAccessDesc", "location flags", {}),
    ("driver_library::copy_node_parameters", "CUDA_MEMCPY3D", "", {
        "src_x": "srcXInBytes", "src_y": "srcY", "src_z": "srcZ", "src_type": "srcMemoryType", "src_host": "srcHost",
        "src_device": "srcDevice", "src_array": "srcArray", "src_pitch": "srcPitch", "src_height": "srcHeight",
        "dst_x": "dstXInBytes", "dst_type": "dstMemoryType", "dst_host": "dstHost", "dst_device": "dstDevice",
        "dst_array": "dstArray", "dst_pitch": "dstPitch", "dst_height": "dstHeight", "width": "WidthInBytes",
        "height": "Height", "depth": "Depth"}),
    ("driver_library::fill_node_parameters", "CUDA_MEMSET_NODE_PARAMS", "pitch value width height",
     {"to": "dst", "element": "elementSize"}),
    ("driver_library::host_node_parameters", "CUDA_HOST_NODE_PARAMS", "", {"function": "fn", "data": "userData"}),
    ("driver_library::array_descriptor", "CUDA_ARRAY_DESCRIPTOR", "",
     {"width": "Width", "height": "Height", "format": "Format", "channels": "NumChannels"}),
    ("driver_library::array_descriptor_3d", "CUDA_ARRAY3D_DESCRIPTOR", "",
     {"width": "Width", "height": "Height", "depth": "Depth", "format": "Format", "channels": "NumChannels",
      "flags": "Flags"}),
    ("driver_library::resource_description", "CUDA_RESOURCE_DESC", "flags", {
        "type": "resType", "array": "res.array.hArray", "linear.address": "res.linear.devPtr",
        "linear.format": "res.linear.format", "linear.channels": "res.linear.numChannels",
        "linear.bytes": "res.linear.sizeInBytes", "pitched.width": "res.pitch2D.width",
        "pitched.height": "res.pitch2D.height", "pitched.pitch": "res.pitch2D.pitchInBytes"}),
    ("driver_library::texture_description", "CUDA_TEXTURE_DESC", "flags", {
        "modes": "addressMode", "filter": "filterMode", "anisotropy": "maxAnisotropy",
        "mipmap_filter": "mipmapFilterMode", "mipmap_bias": "mipmapLevelBias", "mipmap_least": "minMipmapLevelClamp",
        "mipmap_most": "maxMipmapLevelClamp", "border": "borderColor"}),
    ("driver_library::pool_properties", "CUmemPoolProps", "",
     {"type": "allocType", "handle_types": "handleTypes", "location": "location.id", "security": "win32SecurityAttributes"}),
    ("driver_library::allocation_node_parameters", "CUDA_MEM_ALLOC_NODE_PARAMS", "",
     {"pool": "poolProps", "access": "accessDescs", "access_count": "accessDescCount", "bytes": "bytesize",
      "address": "dptr"}),
    ("driver_library::conditional_node_parameters", "CUDA_CONDITIONAL_NODE_PARAMS", "handle type size",
     {"bodies": "phGraph_out", "context": "ctx"}),
]
# Which of them older releases do not have.
SINCE = {"CUDA_CONDITIONAL_NODE_PARAMS": 12030}
# Structures that begin as theirs: only the places of members are compared, and whether ours is large enough.
BEGINNINGS = [
    ("driver_library::kernel_node_parameters", "CUDA_KERNEL_NODE_PARAMS", "",
     {"function": "func", "grid_x": "gridDimX", "block_z": "blockDimZ", "shared": "sharedMemBytes",
      "parameters": "kernelParams", "extra": "extra"}),
    ("resource_descriptor", "cudaResourceDesc", "", {
        "type": "resType", "array": "res.array.array", "linear.pointer": "res.linear.devPtr",
        "linear.format": "res.linear.desc", "linear.bytes": "res.linear.sizeInBytes",
        "pitched.format": "res.pitch2D.desc", "pitched.width": "res.pitch2D.width",
        "pitched.pitch": "res.pitch2D.pitchInBytes"}),
    ("texture_descriptor", "cudaTextureDesc", "", {
        "modes": "addressMode", "filter": "filterMode", "read_mode": "readMode", "is_srgb": "sRGB", "border": "borderColor",
        "is_normalized": "normalizedCoords", "anisotropy": "maxAnisotropy", "mipmap_filter": "mipmapFilterMode",
        "mipmap_most": "maxMipmapLevelClamp", "disables_trilinear": "disableTrilinearOptimization"}),
]
PROGRAM = """
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cstddef>
#include <cstdio>
#include "libcudart/properties.hpp"
#include "libcudart/types.hpp"
#include "libcuda/node_parameters.hpp"
#include "libcuda/texture_types.hpp"
namespace own = gpuprof::runtime;
namespace gpuprof::runtime {{ namespace driver_library = gpuprof::driver_library; }}
static int compared = 0, different = 0;
static void same(char const* what, long long ours, long long theirs) {{
    ++compared;
    if (ours != theirs) std::printf("DIFFERENT %s: gpuprof %lld, header %lld\\n", what, ours, theirs), ++different;
}}
int main() {{
{checks}
    std::printf("%d compared, %d different\\n", compared, different);
    return different != 0;
}}
"""
# crt/host_defines.h is in the wheel of nvcc: what the runtime's headers need of it, where there is no toolkit.
STAND_IN = """#pragma once
#define __host__
#define __device__
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ inline
#define __CUDA_ARCH_HAS_FEATURE__(x) 0
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDAAPI
"""


def struct_checks(ours, theirs, names, pairs, whole):
    lines = []
    if whole:
        lines.append(f'same("size of {theirs}", sizeof(own::{ours}), sizeof({theirs}));')
    for mine, other in [*((n, n) for n in names.split()), *pairs.items()]:
        lines.append(f'same("place of {theirs}::{other}", offsetof(own::{ours}, {mine}), offsetof({theirs}, {other}));')
    return lines


def property_checks(source, toolkit):
    ours = "device_properties_13" if toolkit >= 13 else "device_properties_12"
    lines = []
    rows = re.findall(r"^(BOTH|OLD|NEW)\(\w+, (\w+), \w+\)", (source / "libcudart/properties.inc").read_text(), re.M)
    skip = "OLD" if toolkit >= 13 else "NEW"
    for which, name in rows:
        if which == skip:
            continue
        theirs = {"generation": "major", "revision": "minor"}.get(name, name)
        lines.append(f'same("place of cudaDeviceProp::{theirs}", offsetof(own::{ours}, {name}), offsetof(cudaDeviceProp, {theirs}));')
        if toolkit == 11 and name == "reservedSharedMemPerBlock":
            break
    size = "own::device_properties_11_bytes" if toolkit == 11 else f"sizeof(own::{ours})"
    lines.append(f'same("size of cudaDeviceProp", {size}, sizeof(cudaDeviceProp));')
    return lines


def attribute_checks(toolkit):
    names = "type device devicePointer hostPointer"
    lines = struct_checks("pointer_attributes", "cudaPointerAttributes", names, {}, toolkit >= 13)
    if toolkit < 13:
        lines.append('same("size of cudaPointerAttributes", offsetof(own::pointer_attributes, reserved), sizeof(cudaPointerAttributes));')
    names = ("sharedSizeBytes constSizeBytes localSizeBytes maxThreadsPerBlock numRegs ptxVersion binaryVersion cacheModeCA "
             "maxDynamicSharedSizeBytes preferredShmemCarveout")
    if toolkit >= 12:
        names += " clusterDimMustBeSet requiredClusterWidth clusterSchedulingPolicyPreference nonPortableClusterSizeAllowed"
    lines += struct_checks("function_attributes", "cudaFuncAttributes", names, {}, toolkit >= 12)
    if toolkit < 12:
        lines.append('same("size of cudaFuncAttributes", (offsetof(own::function_attributes, clusterDimMustBeSet) + 7) / 8 * 8, '
                     'sizeof(cudaFuncAttributes));')
    return lines


def error_checks(source, headers):
    known = {n for h in headers for n in re.findall(r"\b(cudaError\w+|cudaSuccess)\s*=", h)}
    rows = re.findall(r"^X\((\w+), (\d+),", (source / "libcudart/errors.inc").read_text(), re.M)
    missing = [n for n in known if n not in dict(rows) and not n.startswith("cudaErrorDeprecated")]
    lines = [f'same("{n}", {v}, static_cast<int>({n}));' for n, v in rows if n in known]
    return lines, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("compiler", "source", "include", "wheels", "release", "work"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    source = pathlib.Path(options.source)
    folders = header_folders(options.release, options.wheels)
    if not folders or not any(pathlib.Path(f, "cuda_runtime_api.h").exists() for f in folders):
        print(f"skipped: the headers of CUDA's runtime {options.release} are not there")
        sys.exit(SKIPPED)
    texts = [pathlib.Path(f, h).read_text(errors="replace") for f in folders
             for h in ("driver_types.h", "cuda_runtime_api.h") if pathlib.Path(f, h).exists()]
    toolkit = int(re.search(r"#define CUDART_VERSION\s+(\d+)", "".join(texts)).group(1)) // 1000

    checks = property_checks(source, toolkit) + attribute_checks(toolkit)
    for row in STRUCTURES:
        checks += [f"#if CUDA_VERSION >= {SINCE.get(row[1], 0)}", *struct_checks(*row, True), "#endif"]
    for row in BEGINNINGS:
        checks += struct_checks(*row, False)
    errors, missing = error_checks(source, texts)
    checks += errors
    listed = set(re.findall(r"^X\((\w+)\)", (source / "libcudart/entry_points.inc").read_text(), re.M))
    declared = set(re.findall(r"CUDARTAPI(?:_CDECL)?\s+(cuda\w+)\s*\(", "".join(texts)))
    missing += sorted(declared - listed)

    work = pathlib.Path(options.work, f"runtime_{options.release}")
    (work / "crt").mkdir(parents=True, exist_ok=True)
    (work / "crt/host_defines.h").write_text(STAND_IN)
    program, code = work / "compare", work / "compare.cpp"
    code.write_text(PROGRAM.format(checks="\n".join("    " + c for c in checks)))
    system = [part for folder in folders for part in ("-isystem", folder)]
    subprocess.run([options.compiler, "-std=c++20", "-w", "-Wno-invalid-offsetof", "-I", options.include, "-I", str(source),
                    *system, "-idirafter", str(work), str(code), "-o", str(program)], check=True)
    status = subprocess.run([str(program)]).returncode
    for name in missing:
        print(f"MISSING {name}")
    sys.exit(1 if status != 0 or missing else 0)


if __name__ == "__main__":
    main()
