# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs give the same results with and without gangs, at each width and for CPUs without AVX-512; reports name the
thread; --cohort-report prints which kernels run in gangs."""

import re
import sys
import unittest

import workplace
from gang_runs import check_programs, widths

cohortcc = None
PROGRAMS = ("gang/barriers.cu", "gang/lanes.cu", "gang/grids.cu", "gang/teams.cu", "gang/assertions.cu",
            "gang/collectives.cu", "loops/spinning.cu", "loops/thread_loop.cu")
MODES = (["--cohort-gangs=all"], ["--cohort-gangs=force=32"], ["--cohort-gangs=force=128"], ["--cohort-gangs=force=32", "--cpu=x86-64-v3"])


class Gangs(unittest.TestCase):
    def test_programs(self):
        check_programs(self, cohortcc, PROGRAMS, MODES)

    def test_assertions(self):
        source = workplace.HERE / "plugin" / "gang" / "assertions.cu"
        with workplace.workplace(cohortcc) as place:
            report = place.compile("-O3", "--cohort-report", "-c", source, "-o", "out.o")
            found = widths(report.stderr)
            self.assertTrue(all(found[name] for name in ("in_a_loop", "before_a_barrier", "in_rounds", "in_a_switch")),
                            report.stderr)
            source = place.write("refused.cu", """
#include <cassert>
__global__ void shuffles(int* p) {
  assert(*p);
  p[threadIdx.x] = __shfl_xor_sync(~0u, p[threadIdx.x], 1);
}
__global__ void some(int* p) {
  assert(*p);
  if (threadIdx.x < 7) __syncthreads();
  p[threadIdx.x] = 0;
}
""")
            report = place.compile("-O3", "--cohort-report", "-c", source, "-o", "out.o")
            self.assertIn("'shuffles' has a stack for each thread: it calls cohort_wait_warp", report.stderr)
            self.assertIn("it has assertions and collectives of a warp", report.stderr)
            self.assertRegex(report.stderr, r"'some' has a stack .*: some lanes may not reach a barrier")

    def test_barriers(self):
        source = workplace.HERE / "plugin" / "gang" / "barriers.cu"
        with workplace.workplace(cohortcc) as place:
            report = place.compile("-O3", "--cohort-report", "--cohort-gangs=force=64", "-c", source, "-o", "out.o")
            self.assertEqual(widths(report.stderr), {"tree": 64, "ring": 64, "returns": 64, "votes": 64, "diagonals": 64, "skips": 0})
            line = next(number for number, text in enumerate(source.read_text().splitlines(), 1) if text == "    __syncthreads();"
                        and "skips" in "".join(source.read_text().splitlines()[number - 6:number]))
            self.assertRegex(report.stderr, rf"'skips' has a stack for each thread: it calls cohort_wait_block .*: "
                                            rf"some lanes may not reach a barrier \(.*barriers.cu:{line}\)")
            report = place.compile("-O3", "--cohort-report", "-c", source, "-o", "out.o")
            found = widths(report.stderr)
            self.assertEqual({name for name, width in found.items() if width == 0}, {"skips"})
            # Gangs are narrower where a loop keeps more values of a lane than the vector registers hold.
            source = place.write("widths.cu", """
__global__ void one(float* p, int n) {
  float a = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) a += p[i];
  __syncthreads();
  p[threadIdx.x] = a;
}
__global__ void eight(float* p, int n) {
  float a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float x = p[i];
    a += x, b += a * x, c += b * x, d += c * x, e += d * x, f += e * x, g += f * x, h += g * x;
  }
  __syncthreads();
  p[threadIdx.x] = a + b + c + d + e + f + g + h;
}
""")
            for cpu, expected in (("x86-64-v4", {"one": 256, "eight": 32}), ("x86-64-v3", {"one": 64, "eight": 32})):
                report = place.compile("-O3", "--cohort-report", f"--cpu={cpu}", "-c", source, "-o", "out.o")
                self.assertEqual(widths(report.stderr), expected, report.stderr)

    def test_prefetch(self):
        """Loops with the stride of the grid prefetch the loads of some later turns. Loops with the stride of the block
        do not."""
        with workplace.workplace(cohortcc) as place:
            for first, step, prefetches in (("blockIdx.x * blockDim.x + threadIdx.x", "gridDim.x * blockDim.x", True),
                                            ("threadIdx.x", "blockDim.x", False)):
                source = place.write("walk.cu", f"""
__global__ void walk(const float* p, float* q, long n) {{
  float sum = 0;
  for (long i = {first}; i < n; i += {step}) sum += p[i];
  __syncthreads();
  q[threadIdx.x] = sum;
}}
""")
                compiled = place.compile("-O3", "--cpu=x86-64-v4", "-c", source, "-o", "walk.o")
                self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
                code = place.run(["objdump", "-d", "walk.o"]).stdout
                self.assertIn("vaddps", code)
                self.assertEqual("prefetch" in code, prefetches, step)

    def test_prefetch_of_blocks(self):
        """Code without loops prefetches what later blocks load and store, each line once."""
        counts = {}
        with workplace.workplace(cohortcc) as place:
            for index in ("blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x"):
                for loaded in ("p[i]", "p[i] + p[i - 1] * p[i + 1]"):
                    source = place.write("straight.cu", f"""
__global__ void straight(const float* __restrict__ p, float* __restrict__ q) {{
  const int i = {index};
  q[i] = expf({loaded});
}}
""")
                    compiled = place.compile("-O3", "--cpu=x86-64-v4", "--cohort-gangs=force=64", "-c", source, "-o",
                                             "straight.o")
                    self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
                    code = place.run(["objdump", "-d", "straight.o"]).stdout
                    counts[index, loaded] = code.count("prefetch")
        lines = 2 * 64 * 4 // 64  # lines of p and of q; the second version is for blocks of other shapes
        self.assertIn(list(counts.values()), ([lines, lines, 0, 0], [2 * lines, 2 * lines, 0, 0]))

    def test_grids(self):
        with workplace.workplace(cohortcc) as place:
            source = workplace.HERE / "plugin" / "gang" / "grids.cu"
            compiled = place.compile("-O3", "--cohort-report", "--cpu=x86-64-v4", "-c", source, "-o", "out.o")
            self.assertEqual(widths(compiled.stderr), {"steps": 256, "returns": 256, "branches": 256, "neighbours": 128,
                                                      "across": 256}, compiled.stderr)
            for mode in ([], ["--cohort-gangs=force=64"]):
                compiled = place.compile("-O3", *mode, source, "-o", "program")
                self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
                for workers, devices in ((1, 1), (3, 1), (2, 2), (3, 3)):
                    run = place.run(["./program"], COHORT_WORKERS=str(workers), COHORT_DEVICES=str(devices))
                    self.assertEqual((run.returncode, run.stdout.splitlines()[-1:]), (0, ["passed"]), run.stdout)

    def test_grid_reports(self):
        """A misuse of a grid's barrier, and a fault after it, have the reports of single threads."""
        with workplace.workplace(cohortcc) as place:
            source = place.write("grid.cu", """
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void returns(int* p, int n) {
  p[threadIdx.x] = n;
  if (blockIdx.x == n) return;
  cg::this_grid().sync();
  p[threadIdx.x] = 1;
}
__global__ void elsewhere(int* p, int n) {
  if (threadIdx.x / 32 == n) {
    __syncthreads();
  } else {
    cg::this_grid().sync();
  }
  p[threadIdx.x] = 1;
}
__global__ void once_more(int* p, int n) {
  const auto grid = cg::this_grid();
  if (blockIdx.x == n) __syncthreads();
  grid.sync();
  if (blockIdx.x != n) grid.sync();
  p[threadIdx.x] = 1;
}
__global__ void faults(int* p, int n) {
  cg::this_grid().sync();
  if (threadIdx.x == 37 && blockIdx.x == n) p = reinterpret_cast<int*>(8);
  *p = 3;
  cg::this_grid().sync();
}
int main(int, char** arguments) {
  int *p, n = 1;
  cudaMallocManaged(&p, 400);
  void (*kernels[])(int*, int) = {returns, elsewhere, once_more, faults};
  void* values[] = {&p, &n};
  const void* kernel = reinterpret_cast<void*>(kernels[arguments[1][0] - '0']);
  if (arguments[2][0] == 'c') {
    cudaLaunchCooperativeKernel(kernel, dim3(3), dim3(100), values, 0, 0);
  } else {
    cudaLaunchKernel(kernel, dim3(3), dim3(100), values, 0, 0);
  }
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
""")
            expected = (("LaunchFailure", "grid_group.sync: 2 of 3 blocks arrived; the others returned from the kernel"),
                        ("LaunchFailure", "wait at the block's barrier (thread_block.sync, __syncthreads)"),
                        ("LaunchFailure", "grid_group.sync: 2 of 3 blocks arrived; the others returned from the kernel"),
                        ("IllegalAddress", "thread (37,0,0)"))
            for mode in ([], ["--cohort-gangs=force=32"]):
                compiled = place.compile("-O3", *mode, source, "-o", "program")
                self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
                for kernel, (error, words) in enumerate(expected):
                    for launch in ("cooperative", "plain"):
                        runs = [place.run(["./program", kernel, launch], COHORT_GANGS=setting, COHORT_WORKERS=workers,
                                          COHORT_TIMEOUT="20") for setting in ("auto", "off") for workers in ("1", "3")]
                        if launch == "plain":
                            error, words = "LaunchFailure", "grid_group.sync() in a launch that is not cooperative"
                        for run in runs:
                            self.assertEqual((run.returncode, run.stdout), (0, f"cudaError{error}\n"))
                            self.assertIn(words, run.stderr)
                        texts = [run.stderr for run in runs]
                        # With 3 workers any block may fail first. In a plain launch, any thread of it may: gangs and
                        # single threads run in different orders after a barrier.
                        texts[1::2] = [re.sub(r"block \(\d,", "block (any,", text) for text in texts[1::2]]
                        if launch == "plain":
                            texts[1::2] = [re.sub(r"thread \(\d+,", "thread (any,", text) for text in texts[1::2]]
                        self.assertEqual(texts[:2], texts[2:], (kernel, launch, mode))

    def test_spin_reports(self):
        """A loop that polls for ever ends in a report about the polling lane and the lanes that wait for it."""
        with workplace.workplace(cohortcc) as place:
            source = place.write("spin.cu", """
#include <cstdio>
__global__ void polls(volatile int* flag, int* out, int n) {
  __shared__ int seen;
  if (threadIdx.x == n) {
    while (*flag == 0) {
    }
    seen = *flag;
  }
  __syncthreads();
  out[threadIdx.x] = seen;
}
int main() {
  int* p;
  cudaMallocManaged(&p, 400);
  *p = 0;
  polls<<<1, 64>>>(p, p + 1, 37);
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
""")
            compiled = place.compile("-O3", "--cohort-gangs=force=32", "--cohort-report", source, "-o", "program")
            self.assertEqual(widths(compiled.stderr), {"polls": 32}, compiled.stderr)
            for setting, beside in (("auto", "31 threads: wait for the threads of their gang that spin"),
                                    ("off", "63 threads: wait at the block's barrier")):
                run = place.run(["./program"], COHORT_GANGS=setting, COHORT_TIMEOUT="1")
                self.assertEqual(run.stdout, "cudaErrorLaunchTimeout\n", run.stderr)
                self.assertRegex(run.stderr, r"1 thread: spin at spin\.cu:\d+ \(polls\)")
                for words in ("\n      thread 37\n", beside):
                    self.assertIn(words, run.stderr)

    def test_teams(self):
        source = workplace.HERE / "plugin" / "gang" / "teams.cu"
        with workplace.workplace(cohortcc) as place:
            report = place.compile("-O3", "--cohort-report", "--cohort-gangs=all", "--cpu=x86-64-v4", "-c", source, "-o", "out.o").stderr
            found = widths(report)
            self.assertEqual(set(found), {"in_block", "in_tile", "returned"}, report)
            self.assertNotIn(0, found.values(), report)
            source = place.write("rules.cu", """
#include <cohort/cohort.hpp>
__global__ void values(int* p) {
  const auto block = cohort::this_thread_block();
  p[threadIdx.x] = cohort::reduce(block, p[threadIdx.x], [](int a, int b) { return 2 * a + b; });
}
__global__ void last(int* p, int n) {
  if (threadIdx.x < n) p[threadIdx.x] = cohort::reduce(cohort::this_thread_block(), p[threadIdx.x], cohort::plus<int>());
}
__global__ void skips(int* p, int n) {
  if (threadIdx.x < n) p[threadIdx.x] = cohort::reduce(cohort::this_thread_block(), p[threadIdx.x], cohort::plus<int>());
  p[threadIdx.x + n] = 1;
}
__global__ void threads(int* p) {
  const auto block = cohort::this_thread_block();
  p[threadIdx.x] = cohort::reduce(block, p[threadIdx.x], [](int a, int b) { return a + b + int(threadIdx.x); });
}
__global__ void waits(int* p) {
  const auto block = cohort::this_thread_block();
  p[threadIdx.x] = cohort::reduce(block, p[threadIdx.x], [](int a, int b) { __syncthreads(); return a + b; });
}
""")
            report = place.compile("-O3", "--cohort-report", "--cpu=x86-64-v4", "-c", source, "-o", "out.o").stderr
            self.assertEqual(widths(report), {"values": 256, "last": 256, "skips": 0, "threads": 0, "waits": 0}, report)
            for name, why in (("skips", "some lanes may not reach a barrier"),
                              ("threads", "the operator of a collective depends on its thread"),
                              ("waits", "the operator of a collective may wait")):
                self.assertRegex(report, rf"'{name}' has a stack for each thread: (.*: )?{why}")

    def test_team_reports(self):
        with workplace.workplace(cohortcc) as place:
            source = place.write("team.cu", """
#include <cohort/cohort.hpp>
#include <cstdio>
__global__ void others(int* p) {
  const auto block = cohort::this_thread_block();
  if (threadIdx.x / 32 == 1) {
    p[threadIdx.x] = cohort::inclusive_scan(block, 1, cohort::plus<int>());
  } else {
    p[threadIdx.x] = cohort::reduce(block, 1, cohort::plus<int>());
  }
  p[threadIdx.x] += 2;
}
__global__ void elsewhere(int* p) {
  const auto block = cohort::this_thread_block();
  if (threadIdx.x / 32 == 1) {
    block.sync();
  } else {
    p[threadIdx.x] = cohort::reduce(cohort::tiled_partition<64>(block), 1, cohort::plus<int>());
  }
  p[threadIdx.x] += 2;
}
int main(int, char** arguments) {
  int* p;
  cudaMallocManaged(&p, 400);
  arguments[1][0] == '0' ? others<<<1, 100>>>(p) : elsewhere<<<1, 100>>>(p);
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
""")
            compiled = place.compile("-O3", "--cohort-report", "--cohort-gangs=force=32", source, "-o", "program")
            self.assertEqual((compiled.returncode, widths(compiled.stderr)), (0, {"others": 32, "elsewhere": 32}))
            for kernel, words in enumerate((" of a thread_block while other threads of the group wait in ",
                                            "32 threads: wait in reduce of the thread_block_tile<64> of threads 0-63")):
                runs = [place.run(["./program", kernel], COHORT_GANGS=setting) for setting in ("auto", "off")]
                for run in runs:
                    self.assertEqual((run.returncode, run.stdout), (0, "cudaErrorLaunchFailure\n"))
                    self.assertIn(words, run.stderr)
                if kernel:  # the order of the threads decides which of two collectives comes too late
                    self.assertEqual(runs[0].stderr, runs[1].stderr)

    def test_order_shows_how_threads_run(self):
        """Gangs print statement by statement, single threads thread by thread."""
        with workplace.workplace(cohortcc) as place:
            source = place.write("order.cu", """
#include <cstdio>
__global__ void loops(int n) {
  printf("first %d\\n", threadIdx.x);
  for (int i = 0; i < n * static_cast<int>(threadIdx.x); ++i) n = n * 3 + i;
  printf("last %d\\n", threadIdx.x);
}
__global__ void waits(int n) {
  __syncthreads();
  printf("first %d\\n", threadIdx.x);
  printf("last %d\\n", threadIdx.x);
}
int main(int, char** arguments) {
  arguments[1][0] == 'l' ? loops<<<1, 32>>>(0) : waits<<<1, 32>>>(0);
  cudaDeviceSynchronize();
}
""")
            compiled = place.compile("-O3", "--cohort-gangs=force=32", source, "-o", "program")
            self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
            by_statement = [f"{word} {x}" for word in ("first", "last") for x in range(32)]
            by_thread = [f"{word} {x}" for x in range(32) for word in ("first", "last")]
            for kernel in ("loops", "waits"):
                for setting, expected in (("auto", by_statement), ("off", by_thread)):
                    run = place.run(["./program", kernel], COHORT_GANGS=setting)
                    self.assertEqual((run.returncode, run.stdout.splitlines()), (0, expected), (kernel, setting))

    def test_collectives(self):
        with workplace.workplace(cohortcc) as place:
            source = place.write("rules.cu", """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void returned(int* p, int n) { if (threadIdx.x >= n) return; p[threadIdx.x] = __shfl_sync(~0u, p[0], 1); }
__global__ void last(int* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = __shfl_sync(~0u, p[0], 1); p[64] = 1; }
__global__ void skips(int* p, int n) {
  if (threadIdx.x < n) p[threadIdx.x] = __shfl_sync(~0u, p[0], 1);
  __syncwarp();
}
__global__ void whole_warps(int* p) {
  if (threadIdx.x < 64) p[threadIdx.x] = __shfl_sync(~0u, p[0], 1);
  __syncthreads();
}
__global__ void named(int* p, unsigned mask) { p[threadIdx.x] = __shfl_sync(mask, p[threadIdx.x], 1); }
__global__ void differ(int* p, unsigned* masks) { p[threadIdx.x] = __shfl_sync(masks[threadIdx.x], p[0], 1); }
__global__ void made_here(int* p) {
  if (p[threadIdx.x] & 1) p[threadIdx.x] = cg::coalesced_threads().shfl(p[threadIdx.x], 0);
  __syncwarp();
}
__global__ void made_outside(int* p) {
  const auto group = cg::coalesced_threads();
  if (p[threadIdx.x] & 1) p[threadIdx.x] = group.shfl(p[threadIdx.x], 0);
  __syncwarp();
}
__global__ void left(int* p) { for (int i = 0; i < p[threadIdx.x]; ++i) p[64 + threadIdx.x] += __any_sync(~0u, i & 1); }
__global__ void left_early(int* p) {
  for (int i = 0; i < p[threadIdx.x]; ++i) p[64 + threadIdx.x] += __any_sync(~0u, i & 1);
  __syncwarp();
}
template <class Op> __device__ void combine(int* p, Op op) {
  p[threadIdx.x] = cg::reduce(cg::tiled_partition<8>(cg::this_thread_block()), p[threadIdx.x], op);
}
__global__ void operator_of_values(int* p) { combine(p, [](int a, int b) { return 2 * a + b; }); }
__global__ void operator_of_threads(int* p) { combine(p, [](int a, int b) { return a + b + int(threadIdx.x); }); }
__global__ void operator_waits(int* p) { combine(p, [](int a, int b) { __syncwarp(); return a + b; }); }
__global__ void locks(int* p) { while (atomicCAS(p, 0, 1)) {} __syncwarp(); atomicExch(p, 0); }
""")
            report = place.compile("-O3", "--cohort-report", "-c", source, "-o", "out.o").stderr
            stacks = ("skips", "differ", "made_outside", "left_early", "operator_of_threads", "operator_waits", "locks")
            self.assertEqual({name for name, width in widths(report).items() if width == 0}, set(stacks), report)
            self.assertEqual({width for name, width in widths(report).items() if width != 0}, {32}, report)
            unproven = "a collective of a warp may be reached by only some lanes of its mask"
            for name, line, why in (("skips", 8, unproven), ("differ", 16, unproven), ("made_outside", 23, unproven),
                                    ("left_early", 28, unproven),
                                    ("operator_of_threads", 35, "the operator of a collective depends on its thread"),
                                    ("operator_waits", 36, "the operator of a collective may wait"),
                                    ("locks", 37, "a loop may wait for other threads")):
                self.assertRegex(report, rf"'{name}' has a stack for each thread: (.*: )?{why} \(.*rules.cu:{line}\)")

    def test_refused_mask(self):
        with workplace.workplace(cohortcc) as place:
            source = place.write("mask.cu", """
#include <cstdio>
__global__ void named(int* p, unsigned mask) {
  p[threadIdx.x] = __shfl_sync(mask, p[threadIdx.x], 1);
}
int main() {
  int* p;
  cudaMallocManaged(&p, 400);
  named<<<1, 64>>>(p, 0xffffu);
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
""")
            compiled = place.compile("-O3", source, "-o", "program")
            self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
            runs = [place.run(["./program"], COHORT_GANGS=setting) for setting in ("auto", "off")]
            for run in runs:
                self.assertEqual((run.returncode, run.stdout), (0, "cudaErrorLaunchFailure\n"))
                self.assertIn("__shfl_sync: lane 16 called with mask 0x0000ffff, which does not name it", run.stderr)
                self.assertIn("thread (16,0,0)", run.stderr)
                self.assertIn("mask.cu:4", run.stderr)
            self.assertEqual(runs[0].stderr, runs[1].stderr)

    def test_reports(self):
        with workplace.workplace(cohortcc) as place:
            source = place.write("reports.cu", """
#include <cstdio>
#include <cstdlib>
__global__ void prints(int n) {
  for (int i = 0; i < static_cast<int>(threadIdx.x) % n; ++i)
    printf("thread %d turn %d\\n", threadIdx.x + 100 * threadIdx.y, i);
}
__global__ void faults(int* p, int n) {
  int* q = p;
  for (int i = 0; i < n; ++i)
    if (static_cast<int>(threadIdx.x + threadIdx.y * blockDim.x) == 37 + i) q = reinterpret_cast<int*>(8);
  *q = 3;
}
int main(int, char** arguments) {
  int* p;
  cudaMallocManaged(&p, 40);
  for (int i = 0; i < 10; ++i) p[i] = 45;
  if (arguments[1][0] == 'p') prints<<<1, dim3(40, 2)>>>(3);
  if (arguments[1][0] == 'f') faults<<<1, dim3(32, 2)>>>(p, 1);
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
""")
            compiled = place.compile("-O3", "--cohort-gangs=force=32", source, "-o", "program")
            self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
            lines = place.run(["./program", "p"]).stdout.splitlines()
            self.assertEqual(lines.pop(), "cudaSuccess")
            self.assertEqual(sorted(lines), sorted(f"thread {x + 100 * y} turn {i}" for y in range(2) for x in range(40)
                                                   for i in range(x % 3)))
            for x in range(40):  # the lines of a single thread keep their order
                own = [line for line in lines if line.startswith(f"thread {x} ")]
                self.assertEqual(own, [f"thread {x} turn {i}" for i in range(x % 3)])
            run = place.run(["./program", "f"])
            self.assertIn("cudaErrorIllegalAddress", run.stdout)
            self.assertIn("thread (5,1,0)", run.stderr)
            self.assertIn("reports.cu:12", run.stderr)


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)
