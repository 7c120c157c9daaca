# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles templates with cuda.core and launches their instances."""

import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

SOURCE = """
template <class T> __global__ void axpy(T a, const T* x, T* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * x[i];
}
"""


def main():
    device = Device()
    device.set_current()
    stream = device.create_stream()
    program = Program(SOURCE, code_type="c++", options=ProgramOptions(std="c++17", arch=f"sm_{device.arch}"))
    module = program.compile("cubin", name_expressions=("axpy<float>", "axpy<double>"))
    for kind in (np.float32, np.float64):
        n = 1021
        x, y = np.arange(n, dtype=kind), np.full(n, 0.25, kind)
        result = np.zeros_like(y)
        buffers = [device.allocate(y.nbytes, stream=stream) for _ in range(2)]
        stream.sync()
        for buffer, values in zip(buffers, (x, y)):
            driver.cuMemcpyHtoD(int(buffer.handle), values.ctypes.data, values.nbytes)
        kernel = module.get_kernel("axpy<float>" if kind is np.float32 else "axpy<double>")
        launch(stream, LaunchConfig(grid=3, block=96), kernel, kind(3), *buffers, np.int32(n))
        stream.sync()
        driver.cuMemcpyDtoH(result.ctypes.data, int(buffers[1].handle), result.nbytes)
        assert (result == 3 * x + y).all(), kind
    print("cuda.core: the kernels' results are those of NumPy")


main()
