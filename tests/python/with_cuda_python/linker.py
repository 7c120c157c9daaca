# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes an image through cuda.core's Linker, which opens nvJitLink by name. A link has one image."""

import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Linker, Program, ProgramOptions, launch

SOURCE = 'extern "C" __global__ void fill(int* x, int value) { x[threadIdx.x] = value + threadIdx.x; }'
THREADS = 67


def compile_source(device, code):
    return Program(code, code_type="c++", options=ProgramOptions(arch=f"sm_{device.arch}")).compile("cubin")


def main():
    device = Device()
    device.set_current()
    stream = device.create_stream()
    assert "nvjitlink" in str(Linker.which_backend()).lower(), Linker.which_backend()
    with open("/proc/self/maps") as maps:
        assert any("compat-lib/libnvJitLink.so.13" in line for line in maps), "another nvJitLink is loaded"
    linked = Linker(compile_source(device, SOURCE)).link("cubin")
    buffer, result = device.allocate(4 * THREADS, stream=stream), np.zeros(THREADS, np.int32)
    launch(stream, LaunchConfig(grid=1, block=THREADS), linked.get_kernel("fill"), buffer, np.int32(40))
    stream.sync()
    driver.cuMemcpyDtoH(result.ctypes.data, int(buffer.handle), result.nbytes)
    assert (result == 40 + np.arange(THREADS)).all(), result
    other = compile_source(device, SOURCE.replace("fill", "other"))
    try:
        Linker(compile_source(device, SOURCE), other).link("cubin")
    except Exception as error:
        assert "images are linked already" in str(error), error
    else:
        raise AssertionError("two images are linked")
    print("cuda.core: nvJitLink passes an image on")


main()
