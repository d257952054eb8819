# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles older.cu to PTX with NVRTC, for GPUs that nvcc no longer knows: older.py LIBRARY INCLUDE_DIRECTORY SM."""
import ctypes
import pathlib
import sys

library, headers, sm = sys.argv[1:4]
nvrtc = ctypes.CDLL(library)
here = pathlib.Path(__file__).parent


def text(size_function, text_function):
    size = ctypes.c_size_t()
    getattr(nvrtc, size_function)(program, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    getattr(nvrtc, text_function)(program, buffer)
    return buffer.value.decode()


program = ctypes.c_void_p()
source = (here / "older.cu").read_bytes()
if nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"older.cu", 0, None, None) != 0:
    sys.exit("nvrtcCreateProgram failed")
options = [f"--gpu-architecture=compute_{sm}", "--std=c++14", "-I" + headers]
status = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*map(str.encode, options)))
if status != 0:
    sys.exit(text("nvrtcGetProgramLogSize", "nvrtcGetProgramLog"))
(here / f"older.sm_{sm}.ptx").write_text(text("nvrtcGetPTXSize", "nvrtcGetPTX"))
