# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens libnvrtc.so.13 and libcuda.so.1 by name, as Python packages do: compiles a kernel, launches it, and compares its
results. Links programs with -lnvrtc and with CMake's CUDA::nvrtc. Moves the library away from its compiler.

test_by_name.py COHORTCC TOOLKIT ROOT"""

import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = b"""
template <class T> __global__ void axpy(T a, const T* x, T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
"""

PROGRAM = """
#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <string>
int main() {
  nvrtcProgram program = nullptr;
  nvrtcCreateProgram(&program, "extern \\"C\\" __global__ void k(int* p) { *p = 42; }", "k.cu", 0, nullptr, nullptr);
  if (nvrtcCompileProgram(program, 0, nullptr) != NVRTC_SUCCESS) return 1;
  size_t size = 0;
  nvrtcGetPTXSize(program, &size);
  std::string image(size, ' ');
  nvrtcGetPTX(program, image.data());
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  CUdeviceptr p = 0;
  cuInit(0);
  cuDevicePrimaryCtxRetain(&context, 0);
  cuCtxSetCurrent(context);
  if (cuModuleLoadData(&module, image.data()) != CUDA_SUCCESS) return 2;
  cuModuleGetFunction(&kernel, module, "k");
  cuMemAlloc(&p, 4);
  void* arguments[] = {&p};
  cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
  int value = 0;
  cuMemcpyDtoH(&value, p, 4);
  std::printf("%d\\n", value);
}
"""

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(program LANGUAGES CXX)
find_package(CUDAToolkit REQUIRED)
add_executable(program program.cpp)
target_link_libraries(program PRIVATE CUDA::nvrtc CUDA::cuda_driver)
"""


def text(get_size, get, program):
    size = ctypes.c_size_t()
    assert get_size(program, ctypes.byref(size)) == 0
    buffer = ctypes.create_string_buffer(size.value)
    assert get(program, buffer) == 0
    return buffer


def compile_axpy(nvrtc):
    """The status, the log, the image and the name of axpy<float>."""
    program, name = ctypes.c_void_p(), ctypes.c_char_p()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), SOURCE, b"axpy.cu", 0, None, None) == 0
    assert nvrtc.nvrtcAddNameExpression(program, b"&axpy<float>") == 0
    status = nvrtc.nvrtcCompileProgram(program, 1, (ctypes.c_char_p * 1)(b"--gpu-architecture=sm_90"))
    log = text(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program).value.decode()
    if status != 0:
        return status, log, None, None
    image = text(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, program)
    assert nvrtc.nvrtcGetLoweredName(program, b"&axpy<float>", ctypes.byref(name)) == 0
    symbol = bytes(name.value)
    assert nvrtc.nvrtcDestroyProgram(ctypes.byref(program)) == 0
    return status, log, image, symbol


def launch_axpy(driver, image, symbol):
    context, module, kernel = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    n = 1001
    x, y = (ctypes.c_float * n)(*range(n)), (ctypes.c_float * n)(*([0.5] * n))
    pointers = ctypes.c_uint64(), ctypes.c_uint64()
    calls = [driver.cuInit(0), driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0),
             driver.cuCtxPushCurrent_v2(context), driver.cuModuleLoadData(ctypes.byref(module), image),
             driver.cuModuleGetFunction(ctypes.byref(kernel), module, symbol)]
    for pointer, values in zip(pointers, (x, y)):
        calls.append(driver.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(4 * n)))
        calls.append(driver.cuMemcpyHtoD_v2(pointer, values, ctypes.c_size_t(4 * n)))
    values = ctypes.c_float(3), pointers[0], pointers[1], ctypes.c_int(n)
    arguments = (ctypes.c_void_p * 4)(*(ctypes.addressof(value) for value in values))
    calls += [driver.cuLaunchKernel(kernel, 8, 1, 1, 128, 1, 1, 0, None, arguments, None),
              driver.cuMemcpyDtoH_v2(y, pointers[1], ctypes.c_size_t(4 * n))]
    wrong = [i for i in range(n) if y[i] != 3 * i + 0.5]
    if any(calls) or wrong:
        print(f"statuses {calls}, wrong elements {wrong[:5]}")


def look(root):
    """In a process whose LD_LIBRARY_PATH names the folder: prints what is wrong."""
    ctypes.CDLL("libnvrtc-builtins.so.13.0")
    nvrtc, driver = ctypes.CDLL("libnvrtc.so.13"), ctypes.CDLL("libcuda.so.1")
    names = re.search(r"\n\[libnvrtc.so.13\]\n([^\[]*)", (root / "tests/names/exports.txt").read_text()).group(1).split()
    print(*(f"libnvrtc.so.13 has no {name}" for name in names if not hasattr(nvrtc, name)), sep="", end="")
    status, log, image, symbol = compile_axpy(nvrtc)
    if status != 0 or log:
        print(f"status {status}, log: {log}")
    else:
        launch_axpy(driver, image, symbol)


def without_compiler(library):
    status, log, _, _ = compile_axpy(ctypes.CDLL(library))
    if status != 11 or not re.fullmatch(r"nvrtc: error: Cohort's compiler is missing: /.*/bin/cohortcc is no program.*\n", log):
        print(f"without a compiler: status {status}, log: {log}")


def check_program(work, program):
    run = subprocess.run([program], capture_output=True, text=True, check=False, cwd=work, timeout=100)
    return "" if run.stdout == "42\n" else f"{program}: status {run.returncode}, {run.stdout}{run.stderr}\n"


def main(cohortcc, toolkit, root):
    def again(*arguments):
        return subprocess.run([sys.executable, "-B", __file__, *arguments], check=True, capture_output=True, text=True,
                              env=dict(os.environ, LD_LIBRARY_PATH=toolkit / "compat-lib"), timeout=100).stdout
    wrong = again("--look", root)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        moved = work / "moved/a/libnvrtc.so.13"
        moved.parent.mkdir(parents=True)
        shutil.copy(toolkit / "compat-lib/libnvrtc.so.13", moved)
        wrong += again("--without-compiler", moved)
        (work / "program.cpp").write_text(PROGRAM)
        (work / "CMakeLists.txt").write_text(PROJECT)
        subprocess.run([cohortcc, "program.cpp", "-lnvrtc", "-lcuda", "-o", "program"], cwd=work, check=True)
        wrong += check_program(work, work / "program")
        for step in (["-S", ".", "-B", "build", f"-DCUDAToolkit_ROOT={toolkit}"], ["--build", "build"]):
            subprocess.run(["cmake", *step], cwd=work, check=True, stdout=subprocess.DEVNULL)
        wrong += check_program(work, work / "build/program")
    print(wrong, end="")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1] == "--look":
        look(pathlib.Path(sys.argv[2]))
    elif sys.argv[1] == "--without-compiler":
        without_compiler(sys.argv[2])
    else:
        sys.exit(main(*(pathlib.Path(argument) for argument in sys.argv[1:])))
