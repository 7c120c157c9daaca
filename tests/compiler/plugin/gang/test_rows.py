# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several rows of a block run in one gang with the results and reports of single threads; small blocks run without
gangs."""

import pathlib
import sys
import unittest

import workplace
from gang_runs import check_programs, widths

cohortcc = None
MODES = ([], ["--cpu=x86-64-v3"], ["--cohort-gangs=force=64"])
KERNELS = """
__global__ void product(const float* a, const float* b, float* c, int turns) {
  __shared__ float of_a[32][32], of_b[32][32];
  float sum = 0;
  for (int turn = 0; turn < turns; ++turn) {
    of_a[threadIdx.y][threadIdx.x] = a[(turn * 32 + threadIdx.y) * 32 + threadIdx.x];
    of_b[threadIdx.y][threadIdx.x] = b[(turn * 32 + threadIdx.y) * 32 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) sum += of_a[threadIdx.y][k] * of_b[k][threadIdx.x];
    __syncthreads();
  }
  c[threadIdx.y * 32 + threadIdx.x] = sum;
}
__global__ void once(const int* in, int* out) {
  __shared__ int values[32][33];
  values[threadIdx.y][threadIdx.x] = in[threadIdx.y * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < values[0][0]; ++k) out[threadIdx.y * blockDim.x + threadIdx.x] += values[threadIdx.x][threadIdx.y];
}
__global__ void rows_return(const int* in, int* out, int n) {
  if (threadIdx.y >= n) return;
  out[threadIdx.y * blockDim.x + threadIdx.x] = in[threadIdx.y];
  __syncthreads();
  for (int k = 0; k < n; ++k) out[threadIdx.y * blockDim.x + threadIdx.x] += in[k + threadIdx.x];
}
"""


class Rows(unittest.TestCase):
    def test_programs(self):
        check_programs(self, cohortcc, ("gang/rows.cu", "gang/shared_stores.cu"), MODES)

    def test_versions(self):
        """cohort-info lists the rows of a gang and their lanes. Rows that return before a barrier form gangs of one
        row."""
        cohort_info = pathlib.Path(cohortcc).resolve().with_name("cohort-info")
        with workplace.workplace(cohortcc) as place:
            source = place.write("rows.cu", KERNELS + "int main() {}\n")
            for cpu, width, rows in (
                    ("x86-64-v4", 256, "gangs of 8 rows of 32, gangs of 4 rows of 32, gangs of 16 rows of 16, "
                                       "gangs of 8 rows of 16, "),
                    ("x86-64-v3", 64, "gangs of 2 rows of 32, gangs of 4 rows of 16, ")):
                compiled = place.compile("-O3", "--cohort-report", f"--cpu={cpu}", source, "-o", "rows")
                self.assertEqual(compiled.returncode, 0, compiled.stderr)
                self.assertEqual(widths(compiled.stderr), {"product": width, "once": width, "rows_return": 32},
                                 compiled.stderr)
                listed = place.run([cohort_info, "--kernels", "rows"])
                found = {line.split("(")[0]: line.split(": ")[1] for line in listed.stdout.splitlines()}
                self.assertEqual(found, {"product": f"thread, {rows}gangs of 32", "once": f"thread, {rows}gangs of 32",
                                         "rows_return": "thread, gangs of 32"}, listed.stdout)

    def test_adjacent_gathers(self):
        """Rows that read adjacent words load those of four rows at once."""
        gathers = []
        with workplace.workplace(cohortcc) as place:
            for index in ("y + j", "(y + j) * 2"):
                source = place.write("transpose.cu", f"""
__global__ void transpose(const float* in, float* out) {{
  __shared__ float tile[32][65];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[y + j][x] = in[(y + j) * 32 + x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8) out[(y + j) * 32 + x] = tile[x][{index}];
}}
""")
                compiled = place.compile("-O3", "--cpu=x86-64-v4", "-c", source, "-o", "transpose.o")
                self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
                gathers.append(place.run(["objdump", "-d", "transpose.o"]).stdout.count("gather"))
        # 4 gathers of 32 lanes for each of 8 and of 4 rows, and as many of 16 lanes for each of 16 and of 8 rows
        self.assertEqual(gathers[1] - gathers[0], 4 * 8 * 2 + 4 * 4 * 2 + 4 * 16 + 4 * 8)

    def test_prefetch_of_tiles(self):
        """Prefetches of tiles of later blocks follow the distance that a row moves from one block to the next."""
        found = {}
        with workplace.workplace(cohortcc) as place:
            for name, index in (("along", "(blockIdx.y * 8 + y) * n + blockIdx.x * 32 + x"),
                                ("across", "(blockIdx.x * 8 + y) * n + blockIdx.y * 32 + x"),
                                ("same", "(blockIdx.y * 8 + y) * n + x")):
                source = place.write("tile.cu", f"""
__global__ void tile(const float* __restrict__ in, float* __restrict__ out, size_t n) {{
  __shared__ float tile[8][33];
  const size_t x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[{index}];
  __syncthreads();
  out[y * 32 + x] = tile[7 - y][x];
}}
""")
                compiled = place.compile("-O3", "--cpu=x86-64-v4", "-c", source, "-o", "tile.o")
                self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
                code = place.run(["objdump", "-d", "tile.o"]).stdout
                found[name] = [code.count("prefetch" + to) for to in ("t0", "t1", "w")]
        # Cache lines: rows of 32 in gangs of 8, of 4 and of 1, rows of 16 in gangs of 16 and of 8
        of_32, of_16 = (8 + 4 + 1) * 2, 16 + 8
        self.assertEqual(found, {"along": [of_16, of_32, 0], "across": [of_32 + of_16, 0, 0], "same": [0, 0, 0]})

    def test_faults(self):
        """A fault in one lane of a later row names its thread and line."""
        with workplace.workplace(cohortcc) as place:
            source = place.write("fault.cu", """
#include <cstdio>
__global__ void faults(int** rows, int turns) {
  __shared__ int values[16][16];
  for (int turn = 0; turn < turns; ++turn) {
    values[threadIdx.y][threadIdx.x] = turn;
    __syncthreads();
    if (threadIdx.x == 9) *rows[threadIdx.y] += values[turn][threadIdx.x];
    __syncthreads();
  }
}
int main() {
  int** rows;
  int* cells;
  cudaMallocManaged(&rows, 16 * sizeof(int*));
  cudaMallocManaged(&cells, 16 * sizeof(int));
  for (int i = 0; i < 16; ++i) rows[i] = i == 13 ? nullptr : cells + i;
  faults<<<1, dim3(16, 16)>>>(rows, 3);
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
""")
            compiled = place.compile("-O2", "-g", source, "-o", "program")
            self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
            for setting in ("auto", "off"):
                run = place.run(["./program"], COHORT_GANGS=setting)
                self.assertEqual((run.returncode, run.stdout), (0, "cudaErrorIllegalAddress\n"), run.stderr)
                self.assertIn("thread (9,13,0)", run.stderr)
                self.assertIn("fault.cu:8", run.stderr)

    # A gang computes all its lanes, so a block of few threads runs thread by thread. The order of the printed lines
    # shows which: CUDA leaves it open, and a gang executes a printf for all its lanes at once.
    def test_blocks_of_few_threads(self):
        with workplace.workplace(cohortcc) as place:
            source = place.write("few.cu", """
#include <cstdio>
__global__ void lengths() {
  unsigned steps = 0;
  for (unsigned n = threadIdx.x + 7; n != 1; ++steps) n = n % 2 ? 3 * n + 1 : n / 2;
  printf("%u ", threadIdx.x);
  printf("%u ", 1000 * threadIdx.x + steps);
}
int main() {
  for (int threads : {7, 8}) {
    lengths<<<1, threads>>>();
    cudaDeviceSynchronize();
    printf("\\n");
  }
}
""")
            report = place.compile("-O3", "--cohort-report", source, "-o", "few").stderr
            self.assertGreater(widths(report)["lengths"], 1, report)
            few, enough = ([int(word) for word in line.split()] for line in place.run(["./few"]).stdout.splitlines())
            self.assertEqual(few[::2], [0, 1, 2, 3, 4, 5, 6], few)
            self.assertEqual(enough[:8], [0, 1, 2, 3, 4, 5, 6, 7], enough)


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)
