# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules by pybind11 and nanobind with scikit-build-core, one by setuptools with CUDA_HOME, and a library for ctypes, in
one process."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
BUILDERS = ("scikit-build-core==1.1.2", "pybind11==3.0.1", "nanobind==3.1.0", "setuptools==80.9.0",
            "wheel==0.45.1")
SKIPPED = 77


def run(*command, **options):
    subprocess.run([str(word) for word in command], check=True, **options)


def read_options():
    """--cohortcc and --folder of the command line. The folder is made anew."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cohortcc", required=True, type=pathlib.Path)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    return options


def make_environment(folder, packages):
    """The interpreter of a new virtual environment with packages of PyPI. The process ends with a reason where there is none."""
    if subprocess.run([sys.executable, "-m", "venv", folder], capture_output=True, check=False).returncode != 0:
        print("skipped: Python makes no virtual environment (python3-venv)")
        sys.exit(SKIPPED)
    python = folder / "bin" / "python"
    result = subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *packages],
                            capture_output=True, text=True, check=False)
    if result.returncode != 0:
        print(f"skipped: no packages from PyPI: {result.stderr.strip().splitlines()[-1]}")
        sys.exit(SKIPPED)
    return python


def main():
    options = read_options()
    cohortcc = options.cohortcc.resolve()
    toolkit = cohortcc.parent.parent / "cohort-toolkit"
    python = make_environment(options.folder / "environment", BUILDERS)

    environment = dict(os.environ, CUDACXX=str(cohortcc), CUDA_HOME=str(toolkit), CUDAToolkit_ROOT=str(toolkit),
                       CMAKE_GENERATOR="Ninja")
    install = (python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-build-isolation", "--no-deps")
    for name, source in (("scale", HERE.parent.parent / "examples" / "ci" / "pip"), ("add", HERE / "with_setuptools"),
                         ("square", HERE / "with_nanobind")):
        shutil.copytree(source, options.folder / name)
        run(*install, options.folder / name, env=environment)
    library = options.folder / "libsum.so"
    run(cohortcc, "-shared", "-Xcompiler", "-fPIC", HERE / "with_ctypes" / "sum.cu", "-o", library)

    run(python, options.folder / "scale" / "test_scale.py", cwd=options.folder)
    run(python, HERE / "one_process.py", library, cwd=options.folder)


if __name__ == "__main__":
    main()
