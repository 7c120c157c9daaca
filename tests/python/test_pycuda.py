# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyCUDA, built from its sources with CUDA_ROOT. Its module for cuRAND's host API needs scrambled Sobol' tables, which only
NVIDIA has, so it is left out."""

import os
import shutil
import subprocess
import sys

from test_modules import HERE, SKIPPED, make_environment, read_options, run

VERSION = "2026.1"


def main():
    options = read_options()
    toolkit = options.cohortcc.resolve().parent.parent / "cohort-toolkit"
    python = make_environment(options.folder / "environment", ["numpy==2.2.6", "setuptools==80.9.0", "wheel==0.45.1"])
    pip = (python, "-m", "pip")
    loaded = subprocess.run([*pip, "download", "-q", "--disable-pip-version-check", "--no-deps", "--no-binary", "pycuda",
                             "--no-build-isolation", "-d", options.folder, f"pycuda=={VERSION}"], check=False)
    if loaded.returncode != 0:
        print("skipped: no sources of PyCUDA from PyPI")
        sys.exit(SKIPPED)
    shutil.unpack_archive(options.folder / f"pycuda-{VERSION}.tar.gz", options.folder)
    sources = options.folder / f"pycuda-{VERSION}"
    (sources / "siteconf.py").write_text(f"CUDA_ROOT = {str(toolkit)!r}\nCUDA_ENABLE_CURAND = False\n")
    run(*pip, "install", "-q", "--disable-pip-version-check", "--no-build-isolation", sources)
    environment = dict(os.environ, LD_LIBRARY_PATH=str(toolkit / "compat-lib"), XDG_CACHE_HOME=str(options.folder / "cache"),
                       PATH=f"{toolkit / 'bin'}:{os.environ['PATH']}")
    run(python, "-B", HERE / "with_pycuda" / "arrays.py", cwd=options.folder, env=environment)


main()
