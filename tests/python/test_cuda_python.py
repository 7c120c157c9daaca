# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVIDIA's packages for Python, cuda.bindings and cuda.core, on the CPU: they open NVRTC, nvJitLink and the driver by
name. The packages are installed without NVIDIA's libraries, which they would prefer."""

import os

from test_modules import HERE, make_environment, read_options, run


def main():
    options = read_options()
    python = make_environment(options.folder / "environment", ["cuda-bindings==13.0.3", "cuda-core==1.2.2", "numpy==2.2.6"])
    libraries = options.cohortcc.resolve().parent.parent / "cohort-toolkit/compat-lib"
    for program in ("bindings.py", "core.py", "graphs.py", "linker.py"):
        run(python, "-B", HERE / "with_cuda_python" / program, env=dict(os.environ, LD_LIBRARY_PATH=str(libraries)))


main()
