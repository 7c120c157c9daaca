# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Examples of CUTLASS, unmodified but for the sizes that are constants in their sources. The test takes CUTLASS and CCCL
from PyPI. Each example compares its result with a reference of its own."""

import argparse
import collections
import os
import pathlib
import subprocess
import sys
import zipfile

SKIPPED = 77
PACKAGES = ("nvidia-cutlass==4.2.0.0", "nvidia-cuda-cccl==13.0.85")
SIZES = {"length_m = 5120": "length_m = 264", "length_n = 4096": "length_n = 144", "length_k = 4096": "length_k = 192"}
Program = collections.namedtuple("Program", "source architecture gpu arguments expected")
PROGRAMS = (
    Program("00_basic_gemm/basic_gemm.cu", "sm_80", "", ["37", "41", "53", "2", "1"], "Passed"),
    Program("05_batched_gemm/batched_gemm.cu", "sm_80", "", [], "Passed"),
    Program("07_volta_tensorop_gemm/volta_tensorop_gemm.cu", "sm_80", "t4", [], "Passed"),
    Program("08_turing_tensorop_gemm/turing_tensorop_gemm.cu", "sm_80", "", [], "Passed"),
    Program("12_gemm_bias_relu/gemm_bias_relu.cu", "sm_80", "", [], "Passed"),
    Program("14_ampere_tf32_tensorop_gemm/ampere_tf32_tensorop_gemm.cu", "sm_80", "",
            ["--m=136", "--n=120", "--k=72", "--iterations=1"], "Passed"),
    Program("18_ampere_fp64_tensorop_affine2_gemm/ampere_fp64_tensorop_affine2_gemm.cu", "sm_80", "", [], "Passed"),
    Program("48_hopper_warp_specialized_gemm/48_hopper_warp_specialized_gemm.cu", "sm_90a", "h100",
            ["--m=392", "--n=264", "--k=200", "--iterations=0"], "Disposition: Passed"),
)


def fetch(folder):
    """Returns the folders of CUTLASS and of CCCL's headers."""
    for package in PACKAGES:
        words = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder), package]
        if subprocess.run(words, capture_output=True, check=False).returncode != 0:
            print(f"skipped: PyPI gives no {package}")
            sys.exit(SKIPPED)
    for wheel in folder.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(folder)
    return folder / "cutlass_library/source", next(folder.glob("nvidia/cu*/include/cccl"))


def run(options, cutlass, cccl, program):
    """Compiles and runs one example. Returns the reason of a failure, or None."""
    source = cutlass / "examples" / program.source
    text = source.read_text(encoding="utf-8")
    for before, after in SIZES.items():
        text = text.replace(before, after)
    source.write_text(text, encoding="utf-8")
    folders = [f"-I{cutlass / name}" for name in ("include", "tools/util/include", "examples/common")]
    binary = options.work / source.stem
    built = subprocess.run([options.cohortcc, "-std=c++17", f"-arch={program.architecture}", "--expt-relaxed-constexpr",
                            "-w", f"--cccl={cccl}", *folders, str(source), "-o", str(binary)],
                           capture_output=True, text=True, check=False)
    if built.returncode != 0:
        return built.stderr[-2000:]
    environment = {**os.environ, **({"COHORT_GPU": program.gpu} if program.gpu else {})}
    ran = subprocess.run([str(binary), *program.arguments], env=environment, capture_output=True, text=True, check=False)
    if ran.returncode != 0 or program.expected not in ran.stdout:
        return f"status {ran.returncode}: {ran.stdout[-1000:]}{ran.stderr[-1000:]}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cohortcc", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="", help="a part of the names of the examples to run")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    cutlass, cccl = fetch(options.work)
    failed = 0
    for program in PROGRAMS:
        if options.only not in program.source:
            continue
        reason = run(options, cutlass, cccl, program)
        print(f"{program.source}: {'passed' if reason is None else 'FAILED: ' + reason}", flush=True)
        failed += reason is not None
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
