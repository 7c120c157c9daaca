# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens libcusparse.so.12 and libcudart.so.13 by name, as Python packages do, and computes with them.

LD_LIBRARY_PATH names the folder compat-lib of the toolkit."""

import ctypes
import sys


def expect(found, expected, what):
    if found != expected:
        sys.exit(f"{what}: {found}, expected {expected}")


def main():
    cudart, cusparse = (ctypes.CDLL(name) for name in ("libcudart.so.13", "libcusparse.so.12"))
    handle, rows, offsets = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    expect(cusparse.cusparseCreate(ctypes.byref(handle)), 0, "cusparseCreate")
    given, found = (ctypes.c_int * 3)(0, 2, 2), (ctypes.c_int * 4)()
    for pointer, size in ((rows, 12), (offsets, 16)):
        expect(cudart.cudaMalloc(ctypes.byref(pointer), ctypes.c_size_t(size)), 0, "cudaMalloc")
    expect(cudart.cudaMemcpy(rows, given, ctypes.c_size_t(12), 1), 0, "cudaMemcpy")
    expect(cusparse.cusparseXcoo2csr(handle, rows, 3, 3, offsets, 0), 0, "cusparseXcoo2csr")
    expect(cudart.cudaMemcpy(found, offsets, ctypes.c_size_t(16), 2), 0, "cudaMemcpy")
    expect(list(found), [0, 1, 1, 3], "the offsets")
    version = ctypes.c_int()
    expect(cusparse.cusparseGetVersion(handle, ctypes.byref(version)), 0, "cusparseGetVersion")
    expect(version.value // 1000, 12, "the version")
    expect(cusparse.cusparseDestroy(handle), 0, "cusparseDestroy")


main()
