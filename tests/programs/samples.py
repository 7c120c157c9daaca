#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs NVIDIA's cuda-samples of CUDA 13.0, unmodified, from the checkout that COHORT_SAMPLES names.

samples.py --cohortcc COHORTCC --work FOLDER [--time SECONDS] [NAME...]

Without names it takes all programs but those that need graphics, other libraries of NVIDIA or another machine. It prints
a line for each: passed, waived, or failed with the reason. It fails if a program fails whose name is not in FAILURES, or
if one of these passes. The exit status is 77 (skipped) without the checkout."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
WAIVED = 2  # what samples return when the device lacks something
# Libraries that cohortcc does not have; a program that mentions one is left out.
FOREIGN = re.compile(r"<GL/|glut\.h|<GLES|<EGL/|EGLStream|vulkan\.h|<d3d|<D3D|nvscibuf\.h|cudla\.h|FreeImage\.h|libnvvm|"
                     r"nvvm\.h|npp\.h|nvjpeg\.h|mpi\.h", re.IGNORECASE)
# CMake's imported targets, with the libraries that they link.
LIBRARIES = {"cusolver": ("cusolver", "cusparse", "cublas"), "cusparse": ("cusparse",), "cublas": ("cublas",),
             "cufft": ("cufft",), "curand": ("curand",), "nvrtc": ("nvrtc",), "cuda_driver": ("cuda",)}
ARGUMENTS = {"reduction": ["--n=1048576"], "UnifiedMemoryPerf": ["-kernel-iterations=1"]}
DEVICES = {"simpleP2P": 2, "streamOrderedAllocationP2P": 2, "conjugateGradientMultiDeviceCG": 2}
# Programs that fail, with their reasons.
FAILURES = {
    "dxtc": "a race between threads of a warp in its function colorSums",
    "matrixMulDynlinkJIT": "contains a text of PTX",
    "cuSolverRf": "needs cusolverRf.h",
    "cuSolverSp_LinearSolver": "needs cusolverSp.h",
    "cuSolverSp_LowlevelCholesky": "needs cusolverSp.h",
    "cuSolverSp_LowlevelQR": "needs cusolverSp.h",
    "simpleCUBLASXT": "needs cublasXt.h",
    "jitLto": "links device code by -dlto, which NVRTC refuses",
    "simpleCUFFT_callback": "cuFFT has no callbacks",
    "simpleCUFFT_MGPU": "cuFFT has no plans for several devices",
    "simpleCUFFT_2d_MGPU": "cuFFT has no plans for several devices",
}
# Programs that multiply matrices of 4096 x 4096 and more, a constant of their sources: they exceed the time limit.
TOO_LARGE = {"bf16TensorCoreGemm", "cudaTensorCoreGemm", "dmmaTensorCoreGemm", "immaTensorCoreGemm", "tf32TensorCoreGemm"}


class failure(Exception):
    pass


def programs(samples, names):
    for file in sorted(samples.rglob("CMakeLists.txt")):
        folder = file.parent
        sources = sorted(p for p in folder.iterdir() if p.suffix in (".cu", ".cpp", ".c"))
        wanted = folder.name in names if names else folder.name not in TOO_LARGE
        if not sources or not wanted or "7_libNVVM" in file.parts or "Tegra" in file.parts:
            continue
        text = "".join(p.read_text(errors="replace") for p in folder.rglob("*")
                       if p.suffix in (".cu", ".cpp", ".h", ".cuh", ".hpp"))
        if not FOREIGN.search(text):
            yield folder, sources, file.read_text()


def run(command, folder, seconds, environment=None):
    try:
        return subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace", timeout=seconds, check=False)
    except subprocess.TimeoutExpired as late:
        raise failure(f"did not end within {seconds} s") from late


def build(options, common, folder, sources, cmake, work):
    targets = set(re.findall(r"CUDA::(\w+)", cmake))
    libraries = [f"-l{name}" for target in LIBRARIES if target in targets for name in LIBRARIES[target]]
    flags = ["-std=c++17", "-O2", "-w", f"-I{common}", *(f"-I{p}" for p in folder.iterdir() if p.name in ("inc", "include"))]
    # The source from which the program's own build rules make an image.
    kernel = re.search(r"set\(CUDA_KERNEL_SOURCE\s[^)]*?(\w+\.cu)", cmake)
    image = re.search(r"set\(CUDA_(?:FATBIN|PTX)_FILE\s[^)]*?(\w+\.(fatbin|ptx))", cmake)
    if kernel and image:
        made = run([options.cohortcc, f"-{image[2]}", *flags, folder / kernel[1], "-o", work / image[1]], work, options.time)
        if made.returncode != 0:
            raise failure(made.stdout[-1500:])
    if "CUDA_SEPARABLE_COMPILATION ON" in cmake:
        flags += ["-rdc=true"]
    if "OpenMP" in cmake:
        flags += ["-Xcompiler", "-fopenmp"]
    program = work / folder.name
    by_nvrtc = "CUDA::nvrtc" in cmake
    own = [source for source in sources
           if not (kernel and source.name == kernel[1]) and not (by_nvrtc and source.suffix == ".cu")]
    own += [common / name for name in re.findall(r"/Common/(\w+\.cpp)", cmake)]
    if "NVJITLINK" in cmake:
        libraries.append("-lnvJitLink")
    made = run([options.cohortcc, *flags, *own, *libraries, "-o", program], work, options.time)
    if made.returncode != 0:
        raise failure(made.stdout[-1500:])
    return program


def try_program(options, common, folder, sources, cmake):
    work = options.work / folder.name
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(folder, work)  # programs read their data from the current folder
    program = build(options, common, folder, sources, cmake, work)
    toolkit = pathlib.Path(options.cohortcc).resolve().parent.parent / "cohort-toolkit"
    if "cooperative_groups.h" in cmake:  # the program's rules copy the header beside it
        shutil.copy(toolkit / "include/cooperative_groups.h", work)
        shutil.copytree(toolkit / "include/cooperative_groups", work / "cooperative_groups", dirs_exist_ok=True)
    environment = {**os.environ, "LD_LIBRARY_PATH": str(toolkit / "compat-lib"), "CUDA_PATH": str(toolkit)}
    if folder.name in DEVICES:
        environment["COHORT_DEVICES"] = str(DEVICES[folder.name])
    ran = run([program, *ARGUMENTS.get(folder.name, [])], work, options.time, environment)
    if ran.returncode == WAIVED:
        return "waived"
    if ran.returncode != 0:
        raise failure(f"ended with status {ran.returncode}: {ran.stdout[-1000:]}")
    return "passed"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cohortcc", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--time", type=int, default=300)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    checkout = os.environ.pop("COHORT_SAMPLES", "")  # the runtime warns about COHORT_* variables that it does not know
    if not checkout:
        print("skipped: COHORT_SAMPLES names no checkout of NVIDIA's cuda-samples")
        sys.exit(SKIPPED)
    common = pathlib.Path(checkout, "Common")
    counts, wrong = {}, []
    for folder, sources, cmake in programs(pathlib.Path(checkout, "Samples"), options.names):
        try:
            result, reason = try_program(options, common, folder, sources, cmake), ""
        except failure as found:
            result, reason = "failed", str(found)
        counts[result] = counts.get(result, 0) + 1
        print(f"{folder.name}: {result} {FAILURES.get(folder.name, reason)}", flush=True)
        if (result == "failed") != (folder.name in FAILURES):
            wrong.append(folder.name)
    print(counts, "unexpected:", wrong)
    sys.exit(1 if wrong or not counts else 0)


if __name__ == "__main__":
    main()
