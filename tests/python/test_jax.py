# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An operation with a kernel, called from JAX on its CPU platform."""

import subprocess

from test_modules import HERE, make_environment, read_options, run


def main():
    options = read_options()
    python = make_environment(options.folder / "environment", ["jax==0.10.2"])
    headers = subprocess.run([python, "-c", "import jax; print(jax.ffi.include_dir())"], capture_output=True, text=True,
                             check=True).stdout.strip()
    library = options.folder / "libcumulative.so"
    run(options.cohortcc, "-shared", "-Xcompiler", "-fPIC", f"-I{headers}", HERE / "with_jax" / "cumulative.cu", "-o", library)
    run(python, HERE / "with_jax" / "test_cumulative.py", library)


main()
