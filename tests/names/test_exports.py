# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opens libcuda.so.1, libcudart.so.13 and libnvrtc.so.13 by name, as programs do that were built
for NVIDIA's libraries, and compares their functions with exports.txt. Calls some of them, and a
kernel of cohortcc in the same process.

test_exports.py COHORTCC RUNTIME LIBRARIES ROOT: the compiler, libcohort_runtime.so, the folder of
the three"""

import ctypes
import os
import pathlib
import re
import subprocess
import sys
import tempfile

KERNEL = """
__global__ void add(int* x, int n) { *x += n; }
extern "C" int run(int n) {
  int *x = nullptr, result = 0;
  if (cudaMalloc(&x, sizeof *x) != cudaSuccess || cudaMemset(x, 0, sizeof *x) != cudaSuccess) return -1;
  add<<<1, 1>>>(x, n);
  if (cudaMemcpy(&result, x, sizeof *x, cudaMemcpyDeviceToHost) != cudaSuccess) return -2;
  return cudaFree(x) == cudaSuccess ? result : -3;
}
"""


def exports(path):
    sections = re.split(r"\n\[(.*)\]\n", path.read_text())
    return {name: text.split() for name, text in zip(sections[1::2], sections[2::2])}


def look(library_of_kernel, root):
    """In a process whose LD_LIBRARY_PATH names the folder: prints what is wrong."""
    libraries = {name: ctypes.CDLL(name) for name in ("libcuda.so.1", "libcudart.so.13", "libnvrtc.so.13")}
    for library, names in exports(root / "tests/names/exports.txt").items():
        for name in names:
            if not hasattr(libraries[library], name):
                print(f"{library} has no {name}")
    driver, runtime, _ = libraries.values()
    context, address, pitch = ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_size_t()
    calls = [driver.cuInit(0), driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0),
             driver.cuCtxPushCurrent_v2(context), driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(64)),
             driver.cuMemsetD32_v2(address, 7, ctypes.c_size_t(16)), driver.cuMemFree_v2(address),
             driver.cuMemAllocPitch_v2(ctypes.byref(address), ctypes.byref(pitch), ctypes.c_size_t(5),
                                       ctypes.c_size_t(3), 4),
             driver.cuMemFree_v2(address), runtime.cudaDeviceSynchronize()]
    if any(calls) or not pitch.value:
        print(f"statuses {calls}, pitch {pitch.value}")
    refused = [driver.cuGetExportTable(None), runtime.cudaGetExportTable(None), runtime.cudaGetExportTable(None)]
    if refused != [801] * 3:
        print(f"functions without a body return {refused}")
    if (result := ctypes.CDLL(library_of_kernel).run(5)) != 5:
        print(f"the kernel's result is {result}")


def main(cohortcc, runtime, libraries, root):
    rows = set(re.findall(r"^COHORT_NO_BODY_\w+\((\w+)\)$",
                          (root / "src/runtime/driver/entry/functions_without_body.inc").read_text(), re.MULTILINE))
    symbols = subprocess.run(["nm", "-D", "--defined-only", runtime], capture_output=True, text=True, check=True).stdout
    bodies = {line.split()[-1].split("@")[0] for line in symbols.splitlines()}
    wrong = [f"functions_without_body.inc has {name}, which has a body" for name in sorted(rows & bodies)]
    with tempfile.TemporaryDirectory() as work:
        source = pathlib.Path(work, "kernel.cu")
        source.write_text(KERNEL)
        library = pathlib.Path(work, "libkernel.so")
        subprocess.run([cohortcc, "-shared", "-Xcompiler", "-fPIC", "-cudart", "shared", source, "-o", library], check=True)
        environment = dict(os.environ, LD_LIBRARY_PATH=libraries)
        run = subprocess.run([sys.executable, __file__, "--look", library, root], capture_output=True, text=True, check=False,
                             env=environment, timeout=100)
    wrong += run.stdout.splitlines()
    expected = ("cohort: cuGetExportTable() is not implemented and returns CUDA_ERROR_NOT_SUPPORTED\n"
                "cohort: cudaGetExportTable() is not implemented and returns cudaErrorNotSupported\n")
    if run.returncode != 0 or run.stderr != expected:
        wrong.append(f"status {run.returncode}, stderr: {run.stderr}")
    for sentence in wrong:
        print(sentence)
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1] == "--look":
        look(sys.argv[2], pathlib.Path(sys.argv[3]))
    else:
        sys.exit(main(*sys.argv[1:4], pathlib.Path(sys.argv[4])))
