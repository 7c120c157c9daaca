# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""COHORT_LAUNCH_LIMIT names the line of an endless loop whose turns were merged or inlined.

usage: test_limit_lines.py COHORTCC FOLDER
"""

import os
import re
import subprocess
import sys

SOURCE = """#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
namespace cg = cooperative_groups;

// The loops of the kernels begin and end at lines that a comment marks.
__device__ void rounds(volatile int* go_on) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  while (*go_on) {  // inlined
    if (warp.any(*go_on == 7)) break;
    warp.sync();
  }  // inlined
}

__global__ void inlined(volatile int* go_on) { rounds(go_on); }

__global__ void coalesced(volatile int* go_on) {
  for (;;) {  // coalesced
    auto active = cg::coalesced_threads();
    if (active.size() == 77) break;
    active.sync();
  }  // coalesced
}

int main(int, char** words) {
  int* go_on;
  cudaMallocManaged(&go_on, sizeof *go_on);
  *go_on = 1;
  if (words[1][0] == 'i') {
    inlined<<<2, 70>>>(go_on);
  } else {
    coalesced<<<2, 64>>>(go_on);
  }
  printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
  fflush(stdout);
  _Exit(0);
}
"""


def main():
    cohortcc, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    source, program = os.path.join(folder, "limit_lines.cu"), os.path.join(folder, "limit_lines")
    with open(source, "w", encoding="ascii") as file:
        file.write(SOURCE)
    faults = []
    for level in ("-O1", "-O3"):
        subprocess.run([cohortcc, level, source, "-o", program], check=True, timeout=300)
        for kernel in ("inlined", "coalesced"):
            marked = [n for n, line in enumerate(SOURCE.split("\n"), 1) if line.endswith("// " + kernel)]
            for gangs in ("auto", "off"):
                environment = dict(os.environ, COHORT_LAUNCH_LIMIT="0.2", COHORT_GANGS=gangs)
                result = subprocess.run([program, kernel], env=environment, capture_output=True, text=True, timeout=120,
                                        check=False)
                lines = re.findall(r" at limit_lines\.cu:(\S+)", result.stderr)
                is_named = bool(lines) and all(n.isdigit() and marked[0] <= int(n) <= marked[1] for n in lines)
                if result.stdout != "cudaErrorLaunchTimeout\n" or not is_named or "end of the kernel" in result.stderr:
                    faults.append(f"{level} {kernel} COHORT_GANGS={gangs}: {lines}\n{result.stdout}{result.stderr}")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
