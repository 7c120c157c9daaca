# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the one-file header from a string with NVRTC, without any include path:

  single_header.py HEADER CG_HEADER KERNELS KERNEL...

HEADER is compiled alone for each target; CG_HEADER with the text of KERNELS, without its includes, for two targets. Each
KERNEL must be in the PTX for sm_90. COHORT_NVRTC names the library; without one the exit status is 77 (skipped)."""

import ctypes
import os
import re
import sys

LIBRARIES = ["libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so"]
TARGETS = [(75, 17), (80, 20), (86, 17), (90, 20), (100, 17), (120, 17)]
KERNEL_TARGETS = [75, 90]


def library():
    for name in [os.environ["COHORT_NVRTC"]] if "COHORT_NVRTC" in os.environ else LIBRARIES:
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    return None


def supported(nvrtc):
    count = ctypes.c_int()
    nvrtc.nvrtcGetNumSupportedArchs(ctypes.byref(count))
    targets = (ctypes.c_int * count.value)()
    nvrtc.nvrtcGetSupportedArchs(targets)
    return list(targets)


def text_of(nvrtc, program, size_of, get):
    size = ctypes.c_size_t()
    getattr(nvrtc, size_of)(program, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value + 1)
    getattr(nvrtc, get)(program, buffer)
    return buffer.value.decode()


def compiled(nvrtc, source, target, standard):
    """Returns (PTX or None, the messages of the compiler)."""
    program = ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"kernels.cu", 0, None, None)
    options = [f"--std=c++{standard}".encode(), f"--gpu-architecture=compute_{target}".encode()]
    status = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    said = text_of(nvrtc, program, "nvrtcGetProgramLogSize", "nvrtcGetProgramLog")
    ptx = text_of(nvrtc, program, "nvrtcGetPTXSize", "nvrtcGetPTX") if status == 0 else None
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return ptx, said


def main():
    nvrtc = library()
    if nvrtc is None:
        print("skipped: there is no libnvrtc here; COHORT_NVRTC may name one")
        return 77
    texts = []
    for path in sys.argv[1:4]:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    header, cg_header, kernels = texts
    kernels = re.sub(r"(?m)^#(include|pragma once).*$", "", kernels)
    findings = []
    targets = [pair for pair in TARGETS if pair[0] in supported(nvrtc)]
    for target, standard in targets:
        sources = [("the header alone", header), ("all kernels", cg_header + kernels)]
        for name, source in sources if target in KERNEL_TARGETS else sources[:1]:
            ptx, said = compiled(nvrtc, source, target, standard)
            what = f"{name}, compute_{target}, C++{standard}"
            if ptx is None or "warning" in said:
                findings.append(f"{what}: {said}")
            elif name == "all kernels" and target >= 90:
                findings += [f"{what}: no {kernel}" for kernel in sys.argv[4:] if kernel not in ptx]
    wrong = compiled(nvrtc, header + "__global__ void k(int* p) { *p = no_such_name; }", 90, 17)
    if wrong[0] is not None or "no_such_name" not in wrong[1]:
        findings.append("an error after the header is not told")
    print("\n".join(findings))
    print(f"{len(targets)} targets, {len(findings)} findings")
    return 1 if findings else 0


sys.exit(main())
