# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyCUDA's SourceModule, arrays, element-wise kernels, reductions and scans, compared with NumPy."""

import numpy as np
import pycuda.autoinit  # noqa: F401  makes a context
import pycuda.driver as driver
from pycuda import gpuarray
from pycuda.compiler import SourceModule
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel
from pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel

SOURCE = """
__constant__ float factor;
__global__ void transpose(const float* from, float* to, int rows, int columns) {
  __shared__ float tile[8][9];
  const int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 8 + threadIdx.x;
  if (row < rows && column < columns) tile[threadIdx.y][threadIdx.x] = factor * from[row * columns + column];
  __syncthreads();
  const int to_row = blockIdx.x * 8 + threadIdx.y, to_column = blockIdx.y * 8 + threadIdx.x;
  if (to_row < columns && to_column < rows) to[to_row * rows + to_column] = tile[threadIdx.x][threadIdx.y];
}
"""


def check_module():
    rows, columns = 37, 21
    module = SourceModule(SOURCE)
    address, size = module.get_global("factor")
    assert size == 4
    driver.memcpy_htod(address, np.array([3], np.float32))
    matrix = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
    result = np.empty((columns, rows), np.float32)
    stream, start, end = driver.Stream(), driver.Event(), driver.Event()
    start.record(stream)
    module.get_function("transpose")(driver.In(matrix), driver.Out(result), np.int32(rows), np.int32(columns),
                                     block=(8, 8, 1), grid=(3, 5), stream=stream)
    end.record(stream)
    end.synchronize()
    assert start.time_till(end) >= 0
    assert (result == 3 * matrix.T).all()
    try:
        SourceModule("__global__ void k() { wrong(); }")
    except driver.CompileError as error:
        assert "wrong" in error.stderr, error.stderr
    else:
        raise AssertionError("a wrong source compiles")


def check_arrays():
    n = 1021
    a, b = np.arange(n, dtype=np.float32), np.arange(n, dtype=np.float32)[::-1].copy()
    x, y = gpuarray.to_gpu(a), gpuarray.to_gpu(b)
    assert ((2 * x + y).get() == 2 * a + b).all()
    assert (x[3:900:7].get() == a[3:900:7]).all()
    assert gpuarray.max(x).get() == n - 1 and gpuarray.sum(x).get() == a.sum()
    lerp = ElementwiseKernel("float t, float *x, float *y, float *z", "z[i] = x[i] + t * (y[i] - x[i])", "lerp")
    z = gpuarray.empty_like(x)
    lerp(0.5, x, y, z)
    assert (z.get() == a + np.float32(0.5) * (b - a)).all()
    product = ReductionKernel(np.float64, neutral="0", reduce_expr="a + b", map_expr="(double)x[i] * y[i]",
                              arguments="float *x, float *y")
    assert product(x, y).get() == (a.astype(np.float64) * b).sum()


def check_scans():
    for n in (1, 33, 70001):
        numbers = (np.arange(n) * 7919 % 13).astype(np.int32)
        sums = np.cumsum(numbers)
        array = gpuarray.to_gpu(numbers)
        InclusiveScanKernel(np.int32, "a + b")(array)
        assert (array.get() == sums).all(), n
        array = gpuarray.to_gpu(numbers)
        ExclusiveScanKernel(np.int32, "a + b", neutral=0)(array)
        assert (array.get() == sums - numbers).all(), n


check_module()
check_arrays()
check_scans()
print("PyCUDA: the results are those of NumPy")
