# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens libcufft.so.12 and libcudart.so.13 by name, as Python packages do, and transforms three numbers.

LD_LIBRARY_PATH names the folder compat-lib of the toolkit."""

import ctypes
import math
import sys


def expect(found, expected, what):
    if found != expected:
        sys.exit(f"{what}: {found}, expected {expected}")


def main():
    cudart, cufft = (ctypes.CDLL(name) for name in ("libcudart.so.13", "libcufft.so.12"))
    plan, x, y = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
    expect(cufft.cufftPlan1d(ctypes.byref(plan), 3, 0x6a, 1), 0, "cufftPlan1d")
    for pointer, size in ((x, 24), (y, 32)):
        expect(cudart.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(size)), 0, "cudaMalloc")
    numbers, result = (ctypes.c_double * 3)(1, 2, 6), (ctypes.c_double * 4)()
    expect(cudart.cudaMemcpy(x, numbers, ctypes.c_size_t(24), 1), 0, "cudaMemcpy")
    expect(cufft.cufftExecD2Z(plan, x, y), 0, "cufftExecD2Z")
    expect(cudart.cudaMemcpy(result, y, ctypes.c_size_t(32), 2), 0, "cudaMemcpy")
    for found, expected in zip(result, (9, 0, 1 - 4, 4 * math.sqrt(0.75)), strict=True):
        expect(abs(found - expected) < 1e-14, True, f"{found} for {expected}")
    expect(cufft.cufftDestroy(plan), 0, "cufftDestroy")


main()
