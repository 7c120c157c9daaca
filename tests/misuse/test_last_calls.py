# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A report names the line of a call that fails as the last one of its kernel or function.

usage: test_last_calls.py COHORTCC FOLDER
"""

import os
import subprocess
import sys

SOURCE = """#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
using token = cg::thread_block::arrival_token;

__global__ void wait(int*) {
  cg::this_thread_block().barrier_wait(token{});  // wait
}
__global__ void named(int*) {
  asm volatile("bar.sync 1, 48;");  // named
}
__global__ void arrive(int* out) {
  out[threadIdx.x] = 1;
  asm volatile("bar.arrive 2, 96;");  // arrive
}
__global__ void copy(int* out) {
  __shared__ alignas(16) int cells[64];
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 24, [%0];"
               ::"r"((unsigned)__cvta_generic_to_shared(cells)), "l"(out));  // copy
}
__device__ __noinline__ void deep(int* out) {
  out[threadIdx.x] = 1;
  cg::this_thread_block().barrier_wait(token{});  // function
}
__global__ void function(int* out) {
  deep(out);
}
__global__ void grid(int*) {
  cg::this_grid().barrier_wait(cg::grid_group::arrival_token{});  // grid
}

struct { const char* name; void (*kernel)(int*); } kernels[] = {
    {"wait", wait}, {"named", named}, {"arrive", arrive}, {"copy", copy}, {"function", function}, {"grid", grid}};

int main(int, char** words) {
  int* out;
  cudaMallocManaged(&out, 4096);
  for (auto& each : kernels) {
    if (std::string_view(words[1]) == each.name) each.kernel<<<1, 64>>>(out);
  }
  printf("%d\\n", cudaDeviceSynchronize() != cudaSuccess);
}
"""


def main():
    cohortcc, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    source, program = os.path.join(folder, "last_calls.cu"), os.path.join(folder, "last_calls")
    with open(source, "w", encoding="ascii") as file:
        file.write(SOURCE)
    lines = SOURCE.split("\n")
    faults = []
    for level in ("-O0", "-O1", "-O3"):
        subprocess.run([cohortcc, "-include", "string_view", level, source, "-o", program], check=True, timeout=300)
        for kernel in ("wait", "named", "arrive", "copy", "function", "grid"):
            line = next(n for n, text in enumerate(lines, 1) if text.endswith("// " + kernel))
            first = line - 1 if kernel == "copy" else line  # a statement of two lines
            result = subprocess.run([program, kernel], capture_output=True, text=True, timeout=120, check=False)
            is_named = any(f" at last_calls.cu:{n} " in result.stderr for n in range(first, line + 1))
            if result.stdout != "1\n" or not is_named:
                faults.append(f"{level} {kernel}: line {line}\n{result.stdout}{result.stderr}")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
