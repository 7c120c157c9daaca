# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with versions for several CPUs: all give the same results, and each has the instructions of its CPU."""

import pathlib
import platform
import re
import sys
import unittest

import workplace
from gang_runs import EVERY_MODE

cohortcc = None
PROGRAMS = ("gang/barriers.cu", "gang/lanes.cu", "gang/collectives.cu", "loops/thread_loop.cu")
KERNEL = """
__global__ void collatz(int* p) {
  int steps = 0;
  for (unsigned x = p[threadIdx.x]; x != 1; ++steps) x = x % 2 ? 3 * x + 1 : x / 2;
  p[threadIdx.x] = steps;
}
"""
SUMS = """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void sums(float* p) {
  p[threadIdx.x] = cg::reduce(cg::this_thread_block(), p[threadIdx.x], cg::plus<float>());
}
"""


@unittest.skipUnless(platform.machine() == "x86_64", "is about AVX-512")
class Cpus(unittest.TestCase):
    def test_results(self):
        cpus = ["x86-64-v3", "x86-64-v4"] if "avx512f" in pathlib.Path("/proc/cpuinfo").read_text() else ["x86-64-v3"]
        for program in PROGRAMS if EVERY_MODE else PROGRAMS[:1]:
            with self.subTest(program=program), workplace.workplace(cohortcc) as place:
                source = workplace.HERE / "plugin" / program
                compiled = place.compile("-O3", "--cohort-gangs=all", "--cpu=x86-64-v2,x86-64-v3,x86-64-v4", source, "-o", "program")
                self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
                for cpu in ("x86-64-v2", *cpus):
                    run = place.run(["./program"], COHORT_CPU=cpu)
                    self.assertEqual((run.returncode, run.stdout.splitlines()[-1:]), (0, ["passed"]), run.stdout)

    def test_instructions(self):
        both = "thread, gangs of 32; on x86-64-v4: thread, gangs of 64"
        with workplace.workplace(cohortcc) as place:
            source = place.write("kernel.cu", KERNEL)
            for cpus, line, wide in (("x86-64-v3", "thread, gangs of 32", False), ("x86-64-v4", "thread, gangs of 64", True),
                                     ("x86-64-v3,x86-64-v4", both, True)):
                compiled = place.compile("-O3", f"--cpu={cpus}", "-c", source, "-o", "kernel.o")
                self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
                listed = place.run([pathlib.Path(cohortcc).resolve().with_name("cohort-info"), "--kernels", "kernel.o"])
                self.assertEqual(listed.stdout, f"collatz(int*): {line}\n")
                code = place.run(["objdump", "-d", "kernel.o"]).stdout
                self.assertEqual("%zmm" in code, wide)

    # Blocks of other shapes than rows of full gangs are rare, but their code is as large as the code for rows, so it is
    # shared.
    def test_code_for_other_shapes_is_shared(self):
        with workplace.workplace(cohortcc) as place:
            for text in (KERNEL, SUMS):
                functions = {}
                for cpus in ("x86-64-v3", "x86-64-v4", "x86-64-v3,x86-64-v4"):
                    source = place.write("kernel.cu", text)
                    compiled = place.compile("-O3", f"--cpu={cpus}", "-c", source, "-o", "kernel.o")
                    self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
                    symbols = place.run(["nm", "kernel.o"]).stdout
                    functions[cpus] = len(re.findall(r" t cohort\.(?:gang|lanes|block)\.", symbols))
                self.assertEqual(functions["x86-64-v3,x86-64-v4"], functions["x86-64-v3"] + functions["x86-64-v4"] - 1)

    @unittest.skipUnless("avx512f" in pathlib.Path("/proc/cpuinfo").read_text(), "the default names one CPU here anyway")
    def test_levels_that_compile_for_one_cpu(self):
        with workplace.workplace(cohortcc) as place:
            source = place.write("kernel.cu", KERNEL)
            for level, wide in (("-O1", True), ("-Os", False), ("-O2", True), ("-O3", True)):
                self.assertEqual(place.compile(level, "-c", source, "-o", "kernel.o").returncode, 0)
                self.assertEqual("%zmm" in place.run(["objdump", "-d", "kernel.o"]).stdout, wide, level)

    # The function that reduces the values of all threads is compiled for each CPU, like the kernel.
    def test_resolve_functions(self):
        with workplace.workplace(cohortcc) as place:
            source = place.write("sums.cu", SUMS)
            compiled = place.compile("-O3", "--cpu=x86-64-v3,x86-64-v4", "-c", source, "-o", "sums.o")
            self.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
            functions = re.split(r"^\w+ <(\S*)>:$", place.run(["objdump", "-d", "sums.o"]).stdout, flags=re.M)
            wide = {name: "%zmm" in code for name, code in zip(functions[1::2], functions[2::2]) if "resolve_team" in name}
            self.assertEqual(sorted(wide.values()), [False, True], wide)
            self.assertTrue(all(name.endswith(".x86-64-v4") == is_wide for name, is_wide in wide.items()), wide)

    def test_code_without_optimization_has_one_version(self):
        with workplace.workplace(cohortcc) as place:
            source = place.write("kernel.cu", KERNEL)
            for option in ("-O0", "-G", "--check"):
                compiled = place.compile("-v", option, "--cpu=x86-64-v3,x86-64-v4", "-c", source, "-o", "kernel.o")
                self.assertEqual(compiled.returncode, 0, compiled.stderr)
                self.assertIn("-march=x86-64-v3", compiled.stderr)
                self.assertNotIn("x86-64-v4", compiled.stderr)


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)
