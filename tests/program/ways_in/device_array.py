# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of numpy in the memory of a GPU, by calls of libcuda alone: what Triton takes as arguments without PyTorch."""
import ctypes

import numpy

_cuda = ctypes.CDLL("libcuda.so.1")


def _must(status, call):
    if status != 0:
        text = ctypes.c_char_p()
        _cuda.cuGetErrorName(status, ctypes.byref(text))
        raise RuntimeError(f"{call}: {text.value.decode() if text.value else status}")


def _use_device():
    """Makes the primary context of device 0 current, as the CUDA runtime does."""
    device, context = ctypes.c_int(), ctypes.c_void_p()
    _must(_cuda.cuInit(0), "cuInit")
    _must(_cuda.cuDeviceGet(ctypes.byref(device), 0), "cuDeviceGet")
    _must(_cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "cuDevicePrimaryCtxRetain")
    _must(_cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent")


_use_device()


class Bfloat16:
    """Stands for the type by its name and size, as a tensor's does."""
    itemsize = 2

    def __str__(self):
        return "bfloat16"


class DeviceArray:
    """Has the members that Triton asks a tensor for. `dtype`: a type that numpy does not have, for the bytes of `values`."""

    def __init__(self, values, dtype=None):
        values = numpy.ascontiguousarray(values)
        self.shape, self.dtype, self._numpy_type = values.shape, dtype or values.dtype, values.dtype
        self._bytes, address = ctypes.c_size_t(values.nbytes), ctypes.c_uint64()
        _must(_cuda.cuMemAlloc_v2(ctypes.byref(address), self._bytes), "cuMemAlloc")
        self._address = address
        _must(_cuda.cuMemcpyHtoD_v2(address, ctypes.c_void_p(values.ctypes.data), self._bytes), "cuMemcpyHtoD")

    def data_ptr(self):
        return self._address.value

    def stride(self, axis=None):
        strides = tuple(int(numpy.prod(self.shape[i + 1:])) for i in range(len(self.shape)))
        return strides if axis is None else strides[axis]

    def numpy(self):
        values = numpy.empty(self.shape, self._numpy_type)
        _must(_cuda.cuMemcpyDtoH_v2(ctypes.c_void_p(values.ctypes.data), self._address, self._bytes), "cuMemcpyDtoH")
        return values

    def __del__(self):
        _cuda.cuMemFree_v2(self._address)
