# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of cuda.core, NVIDIA's package for Python: CUDA C++ becomes PTX by NVRTC, is linked, and runs.

    cuda_core_programs.py [NAME...]
"""
import sys

import numpy
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Linker, LinkerOptions, Program, ProgramOptions, __version__, launch

import cases
from cases import case, close

DEVICE = Device()
DEVICE.set_current()
ARCHITECTURE = "sm_%d%d" % tuple(DEVICE.compute_capability)


def compiled(source, **options):
    return Program(source, "c++", ProgramOptions(arch=ARCHITECTURE, **options)).compile("ptx")


def run(kernel, values, *arguments):
    """Launches a kernel with a pointer to a copy of the values, the arguments and the number of values; gives the copy."""
    stream, result = DEVICE.create_stream(), numpy.empty_like(values)
    memory = DEVICE.allocate(values.nbytes, stream=stream)
    driver.cuMemcpyHtoD(int(memory.handle), values.ctypes.data, values.nbytes)
    config = LaunchConfig(grid=(values.size + 255) // 256, block=256)
    launch(stream, config, kernel, memory, *arguments, numpy.int32(values.size))
    stream.sync()
    driver.cuMemcpyDtoH(result.ctypes.data, int(memory.handle), values.nbytes)
    return result


@case
def program():
    code = compiled('''template <class T> __global__ void scale(T* x, T by, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) x[i] *= by;
    }
    template __global__ void scale(float*, float, int);''')
    name = "_Z5scaleIfEvPT_S0_i"
    x = numpy.arange(1000, dtype=numpy.float32)
    return close(run(code.get_kernel(name), x, numpy.float32(3)), 3 * x, 0)


@case
def linked_programs():
    caller = compiled('''extern __device__ int square(int);
    extern "C" __global__ void squares(int* x, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) x[i] = square(x[i]);
    }''', relocatable_device_code=True)
    callee = compiled("__device__ int square(int x) { return x * x; }", relocatable_device_code=True)
    code = Linker(caller, callee, options=LinkerOptions(arch=ARCHITECTURE)).link("cubin")
    x = numpy.arange(1000, dtype=numpy.int32)
    return close(run(code.get_kernel("squares"), x), x * x, 0)


if __name__ == "__main__":
    sys.exit(cases.main(f"cuda.core {__version__}"))
