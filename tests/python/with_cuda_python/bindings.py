# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles, loads and launches a kernel with cuda.bindings, in streams ordered by events."""

import numpy as np
from cuda.bindings import driver, nvrtc

SOURCE = b"""
extern "C" __global__ void axpy(float a, const float* x, float* y, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
"""


def call(function, *arguments):
    status, *results = function(*arguments)
    assert int(status) == 0, (function, status)
    return results[0] if len(results) == 1 else results


def main():
    program = call(nvrtc.nvrtcCreateProgram, SOURCE, b"axpy.cu", 0, [], [])
    call(nvrtc.nvrtcCompileProgram, program, 2, [b"--fmad=false", b"--gpu-architecture=compute_90"])
    image = b" " * call(nvrtc.nvrtcGetPTXSize, program)
    call(nvrtc.nvrtcGetPTX, program, image)
    call(driver.cuInit, 0)
    call(driver.cuCtxSetCurrent, call(driver.cuDevicePrimaryCtxRetain, call(driver.cuDeviceGet, 0)))
    module = call(driver.cuModuleLoadData, np.frombuffer(image, np.uint8).ctypes.data)
    kernel = call(driver.cuModuleGetFunction, module, b"axpy")
    stream = call(driver.cuStreamCreate, 0)

    n = 1021
    x, y = np.arange(n, dtype=np.float32), np.full(n, 0.5, np.float32)
    result = np.zeros_like(y)
    places = [call(driver.cuMemAlloc, y.nbytes) for _ in range(2)]
    for place, values in zip(places, (x, y)):
        call(driver.cuMemcpyHtoDAsync, place, values.ctypes.data, values.nbytes, stream)
    values = [np.array([3], np.float32), *(np.array([int(place)], np.uint64) for place in places), np.array([n], np.uint64)]
    arguments = np.array([value.ctypes.data for value in values], np.uint64)
    call(driver.cuLaunchKernel, kernel, 11, 1, 1, 96, 1, 1, 0, stream, arguments.ctypes.data, 0)
    call(driver.cuMemcpyDtoHAsync, result.ctypes.data, places[1], result.nbytes, stream)
    call(driver.cuStreamSynchronize, stream)
    assert (result == 3 * x + y).all()

    wrong = call(nvrtc.nvrtcCreateProgram, b"__global__ void k() { wrong(); }", b"wrong.cu", 0, [], [])
    assert nvrtc.nvrtcCompileProgram(wrong, 0, [])[0] == nvrtc.nvrtcResult.NVRTC_ERROR_COMPILATION
    log = b" " * call(nvrtc.nvrtcGetProgramLogSize, wrong)
    call(nvrtc.nvrtcGetProgramLog, wrong, log)
    assert b"wrong.cu(1): error: " in log, log
    print("cuda.bindings: the kernel's results are those of NumPy")


main()
