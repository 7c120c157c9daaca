# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens libcusolver.so.12 and libcudart.so.13 by name, as Python packages do, and solves a system.

LD_LIBRARY_PATH names the folder compat-lib of the toolkit. Exits with 77 where OpenBLAS is missing."""

import ctypes
import sys


def expect(found, expected, what):
    if found != expected:
        sys.exit(f"{what}: {found}, expected {expected}")


def main():
    cudart, solver = (ctypes.CDLL(name) for name in ("libcudart.so.13", "libcusolver.so.12"))
    handle, version = ctypes.c_void_p(), ctypes.c_int()
    if solver.cusolverDnCreate(ctypes.byref(handle)) == 1:
        print("skipped: OpenBLAS is not installed")
        sys.exit(77)
    expect(solver.cusolverGetVersion(ctypes.byref(version)), 0, "cusolverGetVersion")
    expect(version.value // 1000, 12, "the version")

    def device(*values):
        pointer, array = ctypes.c_void_p(), (ctypes.c_double * len(values))(*values)
        expect(cudart.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(ctypes.sizeof(array))), 0, "cudaMalloc")
        expect(cudart.cudaMemcpy(pointer, array, ctypes.c_size_t(ctypes.sizeof(array)), 1), 0, "cudaMemcpy")
        return pointer

    matrix, side, info, length = device(2, 0, 1, 4), device(4, 8), device(-1), ctypes.c_int()
    expect(solver.cusolverDnDgetrf_bufferSize(handle, 2, 2, matrix, 2, ctypes.byref(length)), 0, "cusolverDnDgetrf_bufferSize")
    work, pivots = device(*[0] * length.value), device(0, 0)
    expect(solver.cusolverDnDgetrf(handle, 2, 2, matrix, 2, work, pivots, info), 0, "cusolverDnDgetrf")
    expect(solver.cusolverDnDgetrs(handle, 0, 2, 1, matrix, 2, pivots, side, 2, info), 0, "cusolverDnDgetrs")
    result = (ctypes.c_double * 2)()
    expect(cudart.cudaMemcpy(result, side, ctypes.c_size_t(16), 2), 0, "cudaMemcpy")
    expect(list(result), [1, 2], "the solution")
    expect(solver.cusolverDnDestroy(handle), 0, "cusolverDnDestroy")


main()
