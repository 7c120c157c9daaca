# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module whose .cu file is compiled by $CUDA_HOME/bin/nvcc, as projects with setuptools do."""

import os
import subprocess

import pybind11
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

home = os.environ["CUDA_HOME"]


class BuildWithNvcc(build_ext):
    def build_extension(self, extension):
        os.makedirs(self.build_temp, exist_ok=True)
        result = os.path.join(self.build_temp, "add_kernel.o")
        subprocess.check_call([os.path.join(home, "bin", "nvcc"), "-O2", "-Xcompiler", "-fPIC", "-c", "add_kernel.cu", "-o", result])
        extension.extra_objects = [result]
        super().build_extension(extension)


setup(
    name="add",
    version="1.0",
    ext_modules=[
        Extension("add", ["add.cpp"], language="c++", libraries=["cudart"], library_dirs=[os.path.join(home, "lib64")],
                  runtime_library_dirs=[os.path.join(home, "lib64")],
                  include_dirs=[os.path.join(home, "include"), pybind11.get_include()]),
    ],
    cmdclass={"build_ext": BuildWithNvcc},
)
