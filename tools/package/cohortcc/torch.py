# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's load() and load_inline() for tensors of the CPU: `import cohortcc.torch`, before or after torch.

The import makes Cohort's toolkit the CUDA_HOME of this process and of its compilers, names CCCL, which PyTorch's headers
include, and loads the runtime. It gives the linker the two libraries that a PyTorch for CPUs lacks. A variable that the
user has set, such as TORCH_CUDA_ARCH_LIST, keeps its value; CUDA_HOME does not."""

import ctypes
import importlib.util
import os
import pathlib
import tempfile

import torch

import cohortcc

LACKING = ("libc10_cuda.so", "libtorch_cuda.so")
CCCL = "nvidia-cuda-cccl==13.0.85"


def _find_cccl():
    """The include folder of the package nvidia-cuda-cccl in this interpreter's path, or None."""
    found = importlib.util.find_spec("nvidia")
    for place in found.submodule_search_locations if found else ():
        folder = pathlib.Path(place, "cu13", "include", "cccl")
        if folder.is_dir():
            return folder
    return None


def _put_first(variable, value, separator):
    """Puts a value before those that an environment variable has."""
    old = os.environ.get(variable)
    os.environ[variable] = f"{value}{separator}{old}" if old else str(value)


def _make_lacking_libraries():
    """A folder with empty linker scripts in place of libraries: kernels for tensors of the CPU need nothing from them."""
    folder = tempfile.TemporaryDirectory(prefix="cohort-torch-")  # deleted at the end of the process
    for name in LACKING:
        pathlib.Path(folder.name, name).write_text("/* an empty linker script */\n")
    return folder


def _use_toolkit():
    os.environ["CUDA_HOME"] = str(cohortcc.toolkit)
    from torch.utils import cpp_extension  # this module reads CUDA_HOME when it is imported, perhaps earlier than here

    cpp_extension.CUDA_HOME = str(cohortcc.toolkit)
    os.environ.setdefault("TORCH_CUDA_ARCH_LIST", "8.6")  # known to each PyTorch from 1.8 on
    # Modules name no folder of the runtime, so this variable of the linker does. It has no effect beside -rpath.
    _put_first("LD_RUN_PATH", cohortcc.toolkit / "lib64", ":")
    cccl = _find_cccl()
    if cccl is None:
        raise ImportError(f"cohortcc.torch: PyTorch's headers include Thrust: pip install {CCCL}")
    _put_first("NVCC_PREPEND_FLAGS", f"--cccl={cccl}", " ")


if torch.version.cuda or torch.version.hip:
    raise ImportError("cohortcc.torch: this PyTorch is built for GPUs; a PyTorch for CPUs is needed: "
                      "pip install torch --index-url https://download.pytorch.org/whl/cpu")
_use_toolkit()
_libraries = _make_lacking_libraries()
_put_first("LIBRARY_PATH", _libraries.name, ":")
ctypes.CDLL(str(cohortcc.toolkit / "lib64" / "libcudart.so"), ctypes.RTLD_GLOBAL)
