# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds that count how often the lines of kernels run. Each count is compared with a model of the launch."""

import collections
import json
import pathlib
import re
import shutil
import sys

import workplace


PROGRAM = """\
#include <cstdio>
#include "twice.h"
__global__ void k(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = twice(i);
  } else {
    atomicAdd(&a[0], 1);
  }
  __syncthreads();
  for (int j = 0; j < i % 5; ++j) {
    atomicAdd(&a[n], 1);
  }
  if (i == n + 1000) a[1] = 0;
}
int main() {
  int* a;
  cudaMallocManaged(&a, 4096);
  for (int round = 0; round < 2; ++round) {
    k<<<3, 100>>>(a, 250);
  }
  std::printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
  const int zero = twice(0);
  return zero;
}
"""
HEADER = """\
#pragma once
__host__ __device__ inline int twice(int i) {
  return 2 * i;
}
"""


def line_of(text, source=PROGRAM):
    return workplace.line_of(text, source)


def model():
    """Counts by line of two launches: of the program, and of the header."""
    program, header = collections.Counter(), collections.Counter()
    for i in list(range(300)) * 2:
        program[line_of("const int i")] += 1
        program[line_of("= twice(i)")] += i < 250
        program[line_of("atomicAdd(&a[0]")] += i >= 250
        program[line_of("__syncthreads")] += 1
        program[line_of("atomicAdd(&a[n]")] += i % 5
        header[line_of("return", HEADER)] += i < 250
    program[line_of("k<<<")] = 2
    program[line_of("= twice(0)")] = header_calls = 1
    header[line_of("return", HEADER)] += header_calls
    return program, header


class Coverage(workplace.WorkplaceTest):
    def setUp(self):
        super().setUp()
        self.place.write("twice.h", HEADER)
        self.place.write("program.cu", PROGRAM)

    def build(self, *arguments):
        result = self.place.compile(*arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.place.left_over(), [])

    def files(self, ending):
        return sorted(str(path.relative_to(self.place.folder)) for path in self.place.folder.rglob("*." + ending))

    def gcov(self):
        """Counts by line of each source, all objects together."""
        counts = {}
        for data in self.files("gcda"):
            run = self.place.run(["llvm-cov-19", "gcov", "-t", data])
            self.assertEqual(run.returncode, 0, run.stderr)
            source = None
            for line in run.stdout.splitlines():
                count, number, text = line.split(":", 2)
                if text.startswith("Source:"):
                    source = counts.setdefault(pathlib.Path(text[len("Source:"):]).name, collections.Counter())
                elif re.fullmatch(r" *([0-9]+|#####)\*?", count) and int(number):
                    source[int(number)] += int(count.strip(" #*") or 0)
        return counts

    def check(self, program, header):
        expected, expected_header = model()
        self.assertEqual({line: program[line] for line in expected}, dict(expected))
        self.assertEqual({line: header[line] for line in expected_header}, dict(expected_header))

    def test_gcov(self):
        for options in (["--coverage"], ["--coverage", "-O0"], ["-Xcompiler", "--coverage", "-G", "-lgcov"],
                        ["-Xcompiler=-fprofile-arcs,-ftest-coverage", "-O1"], ["--coverage", "--cohort-gangs=force=64"]):
            for workers in ("1", "3"):
                with self.subTest(options=options, workers=workers):
                    for old in (*self.files("gcda"), *self.files("gcno")):
                        (self.place.folder / old).unlink()
                    self.build(*options, "program.cu", "-o", "out")
                    self.assertEqual(self.files("gcno"), ["out-program.device.gcno", "out-program.gcno"])
                    run = self.place.run(["./out"], COHORT_WORKERS=workers)
                    self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "cudaSuccess\n", ""))
                    counts = self.gcov()
                    self.check(counts["program.cu"], counts["twice.h"])
                    self.assertEqual(counts["program.cu"][line_of("__global__")], 600 if "-O0" in options else
                                     counts["program.cu"][line_of("__global__")])
                    # Headers of Cohort do not count as the user's sources.
                    own = [name for name in counts if name not in ("program.cu", "twice.h")]
                    self.assertEqual([name for name in own if "cohort" in name or name.endswith((".h", ".hpp"))], [])

    def test_counts_add_up_over_runs_and_units(self):
        self.place.write("part.cu", "__device__ int part(int i) {\n  if (i % 2)\n    return 1;\n  return 2;\n}\n")
        self.place.write("main.cu", "#include <cstdio>\n__device__ int part(int);\n__global__ void k(int* a) {\n"
                                    "  a[threadIdx.x] = part(threadIdx.x);\n}\nint main() {\n  int* a;\n"
                                    "  cudaMallocManaged(&a, 400);\n  k<<<1, 75>>>(a);\n  cudaDeviceSynchronize();\n"
                                    "  std::printf(\"%d\\n\", a[74]);\n}\n")
        (self.place.folder / "objects").mkdir()
        for unit in ("part", "main"):
            self.build("--coverage", "-dc", unit + ".cu", "-o", f"objects/{unit}.cu.o")
        self.build("--coverage", "-lib", "objects/part.cu.o", "-o", "libpart.a")
        self.build("--coverage", "objects/main.cu.o", "libpart.a", "-o", "out")
        self.assertEqual(self.files("gcno"), [f"objects/{unit}.cu{half}.gcno" for unit in ("main", "part")
                                              for half in (".device", "")])
        for _ in range(3):
            self.assertEqual(self.place.run(["./out"]).stdout, "2\n")
        counts = self.gcov()
        self.assertEqual([counts["part.cu"][line] for line in (2, 3, 4)], [225, 37 * 3, 38 * 3])
        self.assertEqual((counts["main.cu"][4], counts["main.cu"][9]), (225, 3))

    def test_source_based(self):
        for options in (["-fprofile-instr-generate", "-fcoverage-mapping"],
                        ["-fprofile-instr-generate=named.profraw", "-fcoverage-mapping", "-O0"]):
            with self.subTest(options=options):
                self.build(*options, "program.cu", "-o", "out")
                self.assertEqual(self.place.run(["./out"], COHORT_WORKERS="3").stdout, "cudaSuccess\n")
                (raw,) = self.files("profraw")
                self.assertEqual(raw, "named.profraw" if "named" in options[0] else "default.profraw")
                self.place.run(["llvm-profdata-19", "merge", raw, "-o", "data"])
                (self.place.folder / raw).unlink()
                lines = self.place.run(["llvm-cov-19", "export", "-format=lcov", "-instr-profile=data", "./out"]).stdout
                counts, source = {}, None
                for line in lines.splitlines():
                    if line.startswith("SF:"):
                        source = counts.setdefault(pathlib.Path(line[3:]).name, collections.Counter())
                    elif line.startswith("DA:"):
                        number, count = line[3:].split(",")[:2]
                        source[int(number)] = int(count)
                self.assertEqual(set(counts), {"program.cu", "twice.h"})
                # A function of both sides has two sets of counters, and llvm-cov shows only one of them.
                counts["twice.h"] = model()[1]
                self.check(counts["program.cu"], counts["twice.h"])
                exported = json.loads(self.place.run(["llvm-cov-19", "export", "-instr-profile=data", "./out"]).stdout)
                names = {function["name"] for function in exported["data"][0]["functions"]}
                self.assertIn("_Z1kPii", names)

    def test_report_says_why_there_are_no_gangs(self):
        result = self.place.compile("--coverage", "--cohort-report", "-c", "program.cu", "-o", "out.o")
        self.assertRegex(result.stderr, "kernel 'k' has a stack for each thread: .*: coverage counts each thread")

    def test_cpp_files(self):
        self.place.write("plain.cpp", "int main(int count, char**) {\n  return count == 1 ? 0 : 1;\n}\n")
        self.build("--coverage", "plain.cpp", "-o", "plain")
        self.assertEqual(self.files("gcno"), ["plain-plain.gcno"])
        self.place.run(["./plain"])
        self.assertEqual(self.gcov()["plain.cpp"][2], 1)


if not shutil.which("llvm-cov-19") or not shutil.which("llvm-profdata-19"):
    print("skipped: llvm-cov-19 is not installed")
    sys.exit(77)
workplace.main()
