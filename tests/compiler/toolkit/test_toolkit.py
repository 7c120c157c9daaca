# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cohort's toolkit folder in the role of a CUDA toolkit: CMake's CUDA language, makefiles, several shared libraries."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import workplace

HERE = workplace.HERE / "toolkit"

MAKEFILE = """\
NVCC = $(CUDA_HOME)/bin/nvcc
OBJECTS = main.o device_code.o host_code.o
all: program shared linked_by_nvcc
program: $(OBJECTS)
\t$(CXX) -o $@ $^ -L$(CUDA_HOME)/lib64 -L$(CUDA_HOME)/lib64/stubs -lcudart_static -lcuda -lrt -ldl -lpthread
shared: $(OBJECTS)
\t$(CXX) -o $@ $^ -L$(CUDA_HOME)/lib64 -Wl,-rpath,$(CUDA_HOME)/lib64 -lcudart
linked_by_nvcc: $(OBJECTS)
\t$(NVCC) -rdc=true -cudart shared -o $@ $^ -lcudart
%.o: %.cu
\t$(NVCC) -ccbin $(CXX) -gencode arch=compute_80,code=sm_80 -rdc=true -O3 -c $< -o $@
%.o: %.cpp
\t$(CXX) -I$(CUDA_HOME)/include -c $< -o $@
"""

TWO_LIBRARIES = """\
import ctypes, sys
memory, work = (ctypes.CDLL(name, mode=ctypes.RTLD_LOCAL) for name in ("./libmemory.so", "./libwork.so"))
memory.allocate.restype = memory.make_stream.restype = ctypes.c_void_p
work.work.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
assert work.work(memory.allocate(32), 32, memory.make_stream()) == 0
work.fail()
assert memory.last_error() == 101
runtimes = {line.split()[-1] for line in open("/proc/self/maps") if "libcohort_runtime" in line}
assert len(runtimes) == 1, runtimes
"""

# A library under NVIDIA's names whose functions return 35 (cudaErrorInsufficientDriver). NVIDIA's runtime has symbol
# versions, its driver has none.
OTHER_RUNTIME = "int cudaMalloc(void** p, unsigned long n) { return 35; }\nint cudaLaunchKernel() { return 35; }\n"
OTHER_DRIVER = "int cuInit(unsigned n) { return 35; }\n"

BESIDE_ANOTHER = """\
import ctypes, os, sys
other = ctypes.CDLL(sys.argv[1], mode=getattr(os, sys.argv[2]))
memory, work = (ctypes.CDLL(name) for name in ("./libmemory.so", "./libwork.so"))
memory.allocate.restype = memory.make_stream.restype = ctypes.c_void_p
work.work.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p)
print(work.work(memory.allocate(32), 32, memory.make_stream()))
"""

# Two libraries define device code with equal names: these are different functions and variables.
SEPARABLE = """\
import ctypes
first, second = (ctypes.CDLL(f"./libseparable{i}.so", mode=ctypes.RTLD_GLOBAL) for i in (1, 2))
values = first.value(), second.value(), second.value(), first.value()
assert values == (1010, 1040, 2040, 2010), values
"""

SMALL_FLOATS = """\
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
int main() {
  const __half half = __float2half(2049.0f), sum = __hadd(half, __half(3.0f));
  const __half2 pair = __hmul2(__floats2half2_rn(0.5f, -3.0f), __float2half2_rn(2.0f));
  const __nv_bfloat16 wide = __float2bfloat16(257.0f) + __nv_bfloat16(2.0f);
  const __nv_fp8_e4m3 eight(300.0f);
  const float2 four = static_cast<float2>(__nv_fp4x2_e2m1(float2{2.4f, -9}));
  if (four.x != 2 || four.y != -6 || float(__nv_fp6_e2m3(3.1f)) != 3 || float(__nv_fp6_e3m2(99)) != 28) return 1;
  const bool right = __half2float(half) == 2048 && __half2float(sum) == 2052 && __low2float(pair) == 1 &&
                     __high2float(pair) == -6 && __bfloat162float(wide) == 258 && float(eight) == 288 &&
                     __half_as_ushort(sum) == 0x6802 && __heq(sum, __half(2052)) &&
                     __half2int_rz(__int2half_ru(2049)) == 2050 && __half2uchar_rz(__float2half_rd(-0.5f)) == 0 &&
                     __bfloat162int_rz(__int2bfloat16_rn(259)) == 260 && float(__float2bfloat16_rz(2.999f)) == 2.984375f;
  return right ? 0 : 1;
}
"""


def toolkit_of(compiler):
    text = subprocess.run([compiler, "--dryrun", "nothing.cu"], capture_output=True, text=True, check=False).stderr
    return pathlib.Path(re.search(r"^#\$ TOP=(.*)$", text, re.M).group(1))


class Toolkit(workplace.WorkplaceTest):
    def setUp(self):
        super().setUp()
        self.toolkit = toolkit_of(self.cohortcc)

    def run_all(self, *commands, **environment):
        for command in commands:
            result = self.place.run(command, **environment)
            self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout[-6000:]}\n{result.stderr[-6000:]}")
        return result

    def build_project(self, cmake, generator, *options):
        if not shutil.which("ninja" if generator == "Ninja" else "make"):
            self.skipTest(f"the build tool of {generator} is not installed")
        shutil.copytree(HERE / "project", self.place.folder / "project")
        # A folder that every compiler searches may contain the libraries of a real toolkit, hence CUDAToolkit_ROOT.
        self.run_all([cmake, "-G", generator, "-S", "project", "-B", "out", f"-DCMAKE_CUDA_COMPILER={self.place.cohortcc}",
                      f"-DCUDAToolkit_ROOT={self.toolkit}", *options],
                     [cmake, "--build", "out", "-j", "2"],
                     ["env", "-u", "LD_LIBRARY_PATH", "ctest", "--test-dir", "out", "--output-on-failure", "--no-tests=error"])
        cache = (self.place.folder / "out" / "CMakeCache.txt").read_text()
        for library in ("cudart", "cudart_static", "cuda_driver"):
            self.assertRegex(cache, rf"CUDA_{library}_LIBRARY:FILEPATH={re.escape(str(self.toolkit))}/lib64/")

    def test_cmake_with_ninja(self):
        self.build_project("cmake", "Ninja")

    def test_cmake_with_makefiles(self):
        self.build_project("cmake", "Unix Makefiles", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CUDA_ARCHITECTURES=75;80-real;90-virtual")

    def test_cmake_with_the_old_module(self):
        self.place.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.10...3.20)\nproject(old CXX)\nfind_package(CUDA REQUIRED)\n"
                         "cuda_add_executable(old main.cu device_code.cu host_code.cpp)\n")
        for name in ("main.cu", "device_code.cu", "host_code.cpp"):
            shutil.copy(HERE / "project" / name, self.place.folder)
        self.run_all(["cmake", "-S", ".", "-B", "out", f"-DCUDA_TOOLKIT_ROOT_DIR={self.toolkit}", "-DCUDA_SEPARABLE_COMPILATION=ON"],
                     ["cmake", "--build", "out"], ["out/old"])

    def test_makefile(self):
        self.place.write("Makefile", MAKEFILE)
        for name in ("main.cu", "device_code.cu", "host_code.cpp"):
            shutil.copy(HERE / "project" / name, self.place.folder)
        self.run_all(["make"], CUDA_HOME=str(self.toolkit))
        for program in ("program", "shared", "linked_by_nvcc"):
            self.assertEqual(self.run_all(["env", "-i", "./" + program]).stdout, "32 values are right\n")
            needed = self.run_all(["readelf", "-d", program]).stdout
            self.assertEqual("[libcohort_runtime.so.0]" in needed, program != "program")

    # Programs that open the library by its path, as Python packages do, use the one runtime of the process.
    def test_the_library_under_its_name(self):
        self.build_libraries()
        library = self.toolkit / "lib64" / "libcudart.so"
        with open(library, "rb") as file:
            self.assertEqual(file.read(4), b"\x7fELF")
        result = self.run_all(["env", "-i", sys.executable, "-c", BESIDE_ANOTHER, library, "RTLD_GLOBAL"])
        self.assertEqual((result.stdout, result.stderr), ("0\n", ""))
        for name in ("cudaMalloc", "cudaLaunchKernel", "cuInit", "cuLaunchKernel"):
            self.run_all([sys.executable, "-c", f"import ctypes; ctypes.CDLL('{library}').{name}"])

    def test_small_floats_in_a_cpp_file(self):
        self.place.write("floats.cpp", SMALL_FLOATS)
        flags = ["-std=c++17", "-Wall", "-Werror", f"-I{self.toolkit}/include", "floats.cpp", "-o"]
        compilers = [name for name in ("g++", "clang++-19") if shutil.which(name)]
        self.assertTrue(compilers)
        for compiler in compilers:
            self.run_all([compiler, *flags, compiler + "-floats"], ["./" + compiler + "-floats"])
        self.run_all([self.place.cohortcc, "floats.cpp", "-o", "floats"], ["./floats"])

    def build_libraries(self):
        for name in ("memory", "work"):
            self.run_all([self.cohortcc, "-shared", "-Xcompiler", "-fPIC", HERE / "libraries" / f"{name}.cu", "-o", f"lib{name}.so"])

    def test_libraries_share_one_runtime(self):
        self.build_libraries()
        self.run_all([sys.executable, "-c", TWO_LIBRARIES])

    def test_another_cuda_library_in_the_process(self):
        self.build_libraries()
        for name, text, versions in (("libcudart.so.13", OTHER_RUNTIME, "libcudart.so.13 { *; };"), ("libcuda.so.1", OTHER_DRIVER, "")):
            self.place.write("other.c", text)
            self.place.write("other.map", versions)
            script = ["-Wl,--version-script=other.map"] if versions else []
            self.run_all(["gcc", "-shared", "-fPIC", "other.c", f"-Wl,-soname,{name}", *script, "-o", name])
            for mode in ("RTLD_LOCAL", "RTLD_GLOBAL"):
                with self.subTest((name, mode)):
                    result = self.run_all([sys.executable, "-c", BESIDE_ANOTHER, "./" + name, mode])
                    held = f"cohort: the process also holds ./{name}, another CUDA library: each of the two has its own memory, " \
                           "streams and kernels\n"
                    taken = f"cohort: calls of the CUDA API reach ./{name}, so that kernels of cohortcc cannot run: open it " \
                            "without RTLD_GLOBAL, or behind the libraries of cohortcc\n"
                    # Without symbol versions, all calls go to the library that was opened first.
                    mixed = not versions and mode == "RTLD_GLOBAL"
                    said = result.stderr.split("cohort: kernel ")[0]  # without the refused module's launch report
                    self.assertEqual(said, held + (taken if mixed else ""))
                    self.assertEqual(result.stdout == "0\n", not mixed)

    # Programs that open the runtime by a fixed name find Cohort's through a link.
    def test_this_runtime_under_the_name_of_another(self):
        self.build_libraries()
        runtime = pathlib.Path(self.toolkit) / "lib64" / "libcohort_runtime.so.0"
        (self.place.folder / "libcudart.so.13").symlink_to(runtime.resolve())
        result = self.run_all([sys.executable, "-c", BESIDE_ANOTHER, "./libcudart.so.13", "RTLD_GLOBAL"])
        self.assertEqual((result.stdout, result.stderr), ("0\n", ""))

    def test_each_library_has_its_own_device_code(self):
        sources = [HERE / "libraries" / name for name in ("separable.cu", "separable_parts.cu")]
        for number in (1, 2):
            self.run_all([self.cohortcc, "-rdc=true", f"-DNUMBER={number}", "-shared", "-Xcompiler", "-fPIC", *sources,
                          "-o", f"libseparable{number}.so"])
        self.run_all([sys.executable, "-c", SEPARABLE])

    def test_names_lie_in_the_toolkit_only(self):
        root = self.toolkit.parent
        for path in root.glob("lib/*"):
            self.assertNotRegex(path.name, r"^libcuda")
        self.assertFalse((root / "bin" / "nvcc").exists())
        version = self.run_all([self.toolkit / "bin" / "nvcc", "--version"]).stdout
        self.assertIn("release " + re.search(r'"version": "(\d+\.\d+)', (self.toolkit / "version.json").read_text()).group(1), version)
        self.assertTrue(os.path.exists(self.toolkit / "include" / "cooperative_groups.h"))


if __name__ == "__main__":
    workplace.main()
