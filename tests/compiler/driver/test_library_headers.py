# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of the headers that a source gets only where it needs them."""

import workplace


# A library with a name that exists only in the device pass.
LIBRARY = """\
#pragma once
#if defined(__CUDA_ARCH__)
__device__ int device_pass_only();
#endif
__device__ inline int on_device(int x) { return device_pass_only() + x; }
template <class T> __device__ T twice_on_device(T x) { return device_pass_only() * x; }
struct holder {
  __device__ int get() const { return device_pass_only(); }
  __host__ __device__ int both() const { return 4; }
};
template <class T> __global__ void store(T* p, T x) { *p = twice_on_device(x) + on_device(1) + holder().get(); }
#if defined(__CUDA_ARCH__)
__device__ inline int device_pass_only() { return 10; }
#endif
"""

PROGRAM = """\
#include <library.cuh>
#include <cstdio>
int main() {
  int* p;
  cudaMallocManaged(&p, sizeof *p);
  store<<<1, 1>>>(p, 3);
  cudaDeviceSynchronize();
  std::printf("%d %d\\n", *p, holder().both());
}
"""

SPECIAL = """\
#include <{}>
#include <cstdio>
int main() {{ std::printf("%.3f\\n", std::beta(1.0, 2.0)); }}
"""

# T, N and n in MACROS are defined on the command line, Op and Size in the source.
# Each function that cohortcc calls for inline PTX has the type of its row.
PTX_TYPES = """
#include <type_traits>
#if defined(__CUDA_ARCH__) && !defined(HIDDEN)
#define COHORT_PTX_CALL(result, name, parameters) \\
  static_assert(std::is_same_v<decltype(&name<void>), std::add_pointer_t<result parameters>>, #name);
#include <cudart_detail/device/ptx/functions.inc>
#endif
__global__ void k(int* p) { asm volatile("bar.warp.sync 1;"); *p = 1; }
"""
MACROS = """\
#define Op plus
#define Size 32
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void sum(T* p) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  *p = cg::reduce(tile, T(N), cg::Op<T>()) + n;
}
int main() {
  T* p;
  cudaMallocManaged(&p, sizeof *p);
  sum<<<1, Size>>>(p);
  cudaDeviceSynchronize();
  std::printf("%.2f\\n", *p);
}
"""


class LibraryHeaders(workplace.WorkplaceTest):
    def build(self, *arguments):
        result = self.place.compile(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        return result.stdout

    def test_the_host_pass_skips_device_functions_of_system_headers(self):
        folder = self.place.folder / "library"
        folder.mkdir()
        (folder / "library.cuh").write_text(LIBRARY)
        self.place.write("program.cu", PROGRAM)
        self.build("-Xcompiler", "-Wall,-Wextra", "-isystem", "library", "program.cu", "-o", "program")
        self.assertEqual(self.place.run(["./program"]).stdout, "51 4\n")
        # The user's own files are parsed in both passes.
        result = self.place.compile("-I", "library", "-c", "program.cu")
        self.assertIn("use of undeclared identifier 'device_pass_only'", result.stderr)

    def test_macros_of_users_do_not_reach_the_headers(self):
        self.place.write("macros.cu", MACROS)
        self.build("-DT=float", "-DN=3", "-Dn=0.25f", "macros.cu", "-o", "macros")
        self.assertEqual(self.place.run(["./macros"]).stdout, "96.25\n")

    def test_functions_for_inline_ptx_are_emitted_for_inline_ptx(self):
        # Without LLVM's passes the IR is what clang emits.
        kernels = {"plain": "__global__ void k(int* p) { *p = 1; }\n",
                   "ptx": "__global__ void k(int* p) { asm volatile(\"bar.warp.sync 1;\"); *p = 1; }\n",
                   "template": "template <class T> __device__ void wait() { asm volatile(\"bar.warp.sync 1;\"); }\n"
                               "__global__ void k() { wait<int>(); }\n"}
        for name, text in kernels.items():
            with self.subTest(name):
                self.place.write(f"{name}.cu", text)
                result = self.place.compile("-dryrun", "-c", f"{name}.cu", "-o", f"{name}.o")
                device = [line for line in result.stderr.splitlines() if "-fcuda-is-device" in line][0].removeprefix("#$ ")
                self.place.run(["sh", "-c", f"{device} -Xclang -disable-llvm-passes -S -emit-llvm -o {name}.ll"])
                self.assertEqual("@cohort_ptx_sync_lanes(" in (self.place.folder / f"{name}.ll").read_text(), name != "plain")

    def test_headers_have_each_function_for_inline_ptx(self):
        self.place.write("ptx.cu", PTX_TYPES)
        self.build("-c", "ptx.cu", "-o", "ptx.o")
        # The macro hides a function of the headers behind another name.
        result = self.place.compile("-Dcohort_ptx_is_shared=hidden", "-DHIDDEN", "-c", "ptx.cu", "-o", "ptx.o")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("the headers of cohortcc lack the function 'cohort_ptx_is_shared', which inline PTX needs", result.stderr)

    def test_special_functions_come_with_their_headers(self):
        for header in ("cmath", "math.h", "random", "complex"):
            with self.subTest(header):
                self.place.write("special.cu", SPECIAL.format(header))
                self.build("special.cu", "-o", "special")
                self.assertEqual(self.place.run(["./special"]).stdout, "0.500\n")
        self.place.write("empty.cu", "")
        self.assertFalse("riemann_zeta" in self.build("-E", "empty.cu"))
        self.place.write("mathematics.cu", "double f(double x) { return std::sqrt(x) + sqrtf(2.0f); }\n")
        self.build("-c", "mathematics.cu")


if __name__ == "__main__":
    workplace.main()
