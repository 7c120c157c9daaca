# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An operation with a kernel, called from JAX on its CPU platform."""

import argparse
import pathlib
import shutil
import subprocess

from test_modules import HERE, make_environment, run


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cohortcc", required=True, type=pathlib.Path)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    python = make_environment(options.folder / "environment", ["jax==0.10.2"])
    headers = subprocess.run([python, "-c", "import jax; print(jax.ffi.include_dir())"], capture_output=True, text=True,
                             check=True).stdout.strip()
    library = options.folder / "libcumulative.so"
    run(options.cohortcc, "-shared", "-Xcompiler", "-fPIC", f"-I{headers}", HERE / "with_jax" / "cumulative.cu", "-o", library)
    run(python, HERE / "with_jax" / "test_cumulative.py", library)


main()
