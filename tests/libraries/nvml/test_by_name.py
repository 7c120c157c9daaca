#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens libnvidia-ml.so.1 by name, as monitors do, queries two devices, and finds functions under older names. Where
the package nvidia-ml-py is installed, queries through it, too."""
import ctypes
import sys

NOT_SUPPORTED = 3


def ask_library(library):
    assert library.nvmlInit() == 0
    count = ctypes.c_uint()
    assert library.nvmlDeviceGetCount(ctypes.byref(count)) == 0
    assert count.value == 2, count.value
    devices = [ctypes.c_void_p() for _ in range(2)]
    for index, device in enumerate(devices):
        assert library.nvmlDeviceGetHandleByIndex(index, ctypes.byref(device)) == 0
    assert devices[0].value != devices[1].value
    level = ctypes.c_uint(7)
    assert library.nvmlDeviceGetTopologyCommonAncestor(devices[0], devices[1], ctypes.byref(level)) == 0
    assert level.value == 0
    status = ctypes.c_uint(7)
    assert library.nvmlDeviceGetP2PStatus(devices[0], devices[1], 0, ctypes.byref(status)) == 0
    assert status.value == 0
    power = ctypes.c_uint()
    assert library.nvmlDeviceGetPowerUsage(devices[1], ctypes.byref(power)) == NOT_SUPPORTED
    assert library.nvmlShutdown() == 0


def ask_package(pynvml):
    pynvml.nvmlInit()
    handles = [pynvml.nvmlDeviceGetHandleByIndex(index) for index in range(pynvml.nvmlDeviceGetCount())]
    assert len(handles) == 2
    memory = pynvml.nvmlDeviceGetMemoryInfo(handles[0])
    assert memory.free + memory.used == memory.total
    assert pynvml.nvmlDeviceGetUUID(handles[0]) != pynvml.nvmlDeviceGetUUID(handles[1])
    try:
        pynvml.nvmlDeviceGetTemperature(handles[0], pynvml.NVML_TEMPERATURE_GPU)
    except pynvml.NVMLError_NotSupported:
        pass
    else:
        raise AssertionError("a virtual device has no temperature")
    pynvml.nvmlShutdown()


def main():
    ask_library(ctypes.CDLL("libnvidia-ml.so.1"))
    try:
        import pynvml
    except ImportError:
        print("without nvidia-ml-py")
        return 0
    ask_package(pynvml)
    return 0


if __name__ == "__main__":
    sys.exit(main())
