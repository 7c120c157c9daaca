# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cohortcc finds CCCL: tests with a false copy, and programs that use CUB and Thrust, where a copy is installed.

CCCL_ROOT in the environment, or the Python package nvidia-cuda-cccl, names the real copy."""

import glob
import os
import sys
import sysconfig
import unittest

import workplace

cohortcc = None
MARK = "#ifndef CCCL_DISABLE_NVTX\n#error \"without the macros for CCCL\"\n#endif\n"
SOURCE = "#include <cub/cub.cuh>\n__global__ void k() {}\nint main() { return CUB_MARK; }\n"


def real_cccl():
    if os.environ.get("CCCL_ROOT"):
        return os.environ["CCCL_ROOT"]
    found = sorted(glob.glob(sysconfig.get_paths()["purelib"] + "/nvidia/cu*/include/cccl"))
    return found[-1] if found else None


class FalseCopy(unittest.TestCase):
    def compile(self, *options, below="", source=SOURCE, **environment):
        with workplace.workplace(cohortcc) as place:
            copy = place.folder / "copy"
            header = copy / below / "cub" / "cub.cuh"
            header.parent.mkdir(parents=True)
            header.write_text(MARK + "#define CUB_MARK 0\n")
            words = [str(option).replace("COPY", str(copy)) for option in options]
            variables = {name: value.replace("COPY", str(copy)) for name, value in environment.items()}
            return place.compile("-c", *words, place.write("k.cu", source), "-o", "k.o", **variables)

    def test_a_named_folder(self):
        for options in (["--cccl=COPY"], ["--cccl", "COPY"], ["-I", "COPY"], ["-ICOPY"], ["-isystem", "COPY"]):
            result = self.compile(*options)
            self.assertEqual((result.returncode, result.stderr), (0, ""), options)

    def test_a_toolkit_and_a_checkout(self):
        for below in ("include/cccl", "cccl", "cub"):
            result = self.compile("--cccl=COPY", below=below)
            self.assertEqual((result.returncode, result.stderr), (0, ""), below)

    def test_an_installed_package(self):
        package = "lib/python3.11/site-packages/nvidia/cu13/include/cccl"
        result = self.compile("--verbose", below=package, VIRTUAL_ENV="COPY")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("note: CCCL is taken from ", result.stderr)
        self.assertIn("/copy/" + package, result.stderr)

    def test_an_installed_package_is_not_used_without_cub(self):
        package = "lib/python3.11/site-packages/nvidia/cu13/include/cccl"
        result = self.compile("--verbose", below=package, source="__global__ void k() {}\n", VIRTUAL_ENV="COPY")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("CCCL", result.stderr)

    def test_an_installed_package_for_a_header_of_libcu_that_cohort_lacks(self):
        with workplace.workplace(cohortcc) as place:
            package = place.folder / "lib/python3.11/site-packages/nvidia/cu13/include/cccl"
            for name, contents in {"cub/cub.cuh": "", "cuda/std/span": MARK, "nv/target": MARK}.items():
                (package / name).parent.mkdir(parents=True, exist_ok=True)
                (package / name).write_text(contents)
            for header, taken in (("cuda/std/span", True), ("nv/target", True), ("cuda/std/cstdint", False),
                                  ("cuda/atomic", False)):
                source = place.write("k.cu", f"#include <{header}>\nint main() {{}}\n")
                result = place.compile("--verbose", "-c", source, "-o", "k.o", VIRTUAL_ENV=str(place.folder))
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual("note: CCCL is taken from " in result.stderr, taken, header)

    def test_an_installed_package_for_headers_of_the_project(self):
        with workplace.workplace(cohortcc) as place:
            package = place.folder / "lib/python3.11/site-packages/nvidia/cu13/include/cccl/cub"
            package.mkdir(parents=True)
            (package / "cub.cuh").write_text(MARK + "#define CUB_MARK 0\n")
            for folder in ("inner", "named"):
                (place.folder / folder).mkdir()
            place.write("inner/first.h", '#pragma once\n#include "first.h"\n#include <second.h>\n')
            place.write("named/second.h", "#  include <cub/cub.cuh>\n")
            source = SOURCE.replace("<cub/cub.cuh>", '"inner/first.h"')
            words = ["-c", "-Inamed", place.write("k.cu", source), "-o", "k.o"]
            result = place.compile(*words, VIRTUAL_ENV=str(place.folder))
            self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_copy_that_declares_types_of_cohorts_headers(self):
        declared = ("#pragma once\nnamespace cuda { template <__SIZE_TYPE__ A> struct aligned_size_t {\n"
                    "  static constexpr __SIZE_TYPE__ align = A; __SIZE_TYPE__ value;\n"
                    "  __host__ __device__ explicit constexpr aligned_size_t(__SIZE_TYPE__ n) : value(n) {}\n"
                    "  __host__ __device__ constexpr operator __SIZE_TYPE__() const { return value; } };\n"
                    "enum async_contract_fulfillment { none, async }; }\n")
        with workplace.workplace(cohortcc) as place:
            for name, contents in {"cub/cub.cuh": MARK, "cuda/__barrier/aligned_size.h": declared,
                                   "cuda/barrier": "#include <cuda/__barrier/aligned_size.h>\n"}.items():
                (place.folder / "copy" / name).parent.mkdir(parents=True, exist_ok=True)
                (place.folder / "copy" / name).write_text(contents)
            source = place.write("k.cu", "#include <cooperative_groups/memcpy_async.h>\n#include <cuda/barrier>\n"
                                 "#include <cuda_pipeline.h>\n#include <cuda_awbarrier_primitives.h>\n"
                                 "__global__ void k(int* to, const int* from) {\n"
                                 "  cooperative_groups::memcpy_async(cooperative_groups::this_thread_block(), to, from,\n"
                                 "                                   cuda::aligned_size_t<4>(4));\n"
                                 "  cuda::async_contract_fulfillment made = cuda::async_contract_fulfillment::none;\n"
                                 "  (void)made;\n}\nint main() {}\n")
            result = place.compile("-c", "--cccl=copy", source, "-o", "k.o")
            self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_folder_without_cccl(self):
        result = self.compile("--cccl=COPY/cub")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "error: --cccl takes a folder of CCCL, with cub/cub.cuh in it; '.*' has none")


@unittest.skipUnless(real_cccl(), "no CCCL: pip install nvidia-cuda-cccl==13.0.85, or CCCL_ROOT")
class Programs(unittest.TestCase):
    def check(self, name, level, *options):
        with workplace.workplace(cohortcc) as place:
            source = workplace.HERE / "cccl" / name
            built = place.compile("-O" + level, "--cccl=" + real_cccl(), *options, source, "-o", "program")
            self.assertEqual(built.returncode, 0, built.stderr)
            ran = place.run([place.folder / "program"])
            self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, "passed\n", ""))

    def test_cub_block(self):
        self.check("cub_block.cu", "3")

    def test_cub_block_unoptimized(self):
        self.check("cub_block.cu", "0")

    def test_cub_device(self):
        self.check("cub_device.cu", "1", "-DNDEBUG")  # as CMake's release builds do

    def test_async_copies(self):
        self.check("async_copies.cu", "1")

    def test_mbarriers(self):
        self.check("mbarriers.cu", "3", "-std=c++17", "-w")  # 20054 is a warning

    def test_mbarriers_unoptimized(self):
        self.check("mbarriers.cu", "0", "-std=c++17", "-w")  # 20054 is a warning

    def test_thrust(self):
        self.check("thrust.cu", "1")

    def test_thrust_in_host_code(self):
        self.check("thrust.cu", "1", "-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP")

    def test_thrust_in_host_code_by_openmp(self):
        self.check("thrust.cu", "1", "-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP", "-Xcompiler", "-fopenmp")


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)
