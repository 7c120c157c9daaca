# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens libcublas.so.13, libcublasLt.so.13 and libcudart.so.13 by name, as Python packages do, and computes with them.

LD_LIBRARY_PATH names the folder compat-lib of the toolkit. Exits with 77 where OpenBLAS is missing."""

import ctypes
import sys


def expect(found, expected, what):
    if found != expected:
        sys.exit(f"{what}: {found}, expected {expected}")


def main():
    cudart, cublas, lt = (ctypes.CDLL(name) for name in ("libcudart.so.13", "libcublas.so.13", "libcublasLt.so.13"))
    handle, x, y = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    if cublas.cublasCreate_v2(ctypes.byref(handle)) == 1:
        print("skipped: OpenBLAS is not installed")
        sys.exit(77)
    floats = ctypes.c_float * 3
    for pointer in (x, y):
        expect(cudart.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(12)), 0, "cudaMalloc")
        expect(cudart.cudaMemcpy(pointer, floats(1, 2, 3), ctypes.c_size_t(12), 1), 0, "cudaMemcpy")
    alpha, result = ctypes.c_float(2), floats()
    expect(cublas.cublasSaxpy_v2(handle, 3, ctypes.byref(alpha), x, 1, y, 1), 0, "cublasSaxpy")
    expect(cudart.cudaMemcpy(result, y, ctypes.c_size_t(12), 2), 0, "cudaMemcpy")
    expect(list(result), [3, 6, 9], "the sum")
    expect(cublas.cublasDestroy_v2(handle), 0, "cublasDestroy")
    expect(lt.cublasLtCreate(ctypes.byref(handle)), 0, "cublasLtCreate")
    expect(lt.cublasLtDestroy(handle), 0, "cublasLtDestroy")
    lt.cublasLtGetVersion.restype = ctypes.c_size_t
    expect(lt.cublasLtGetVersion() // 10000, 13, "the version of cublasLt")


main()
