# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cohort-info --kernels: an object file, a program, a stripped program and a shared library, none of which runs.

Usage: test_kernels.py COHORT_INFO COHORTCC
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

INFO, COHORTCC = sys.argv[1:3]

SOURCE = """
#include <cstdlib>
__global__ void adds(int* p, int n) { p[threadIdx.x] += n; }
template <class T> __global__ void waits(T* p) { __syncthreads(); p[0] = 1; }
struct runs { runs() { std::abort(); } } at_load;  // ends a process that loads this
int main() { adds<<<1, 1>>>(nullptr, 1); waits<float><<<1, 1>>>(nullptr); }
"""
SECOND = "__global__ void second(int* p) { p[0] = 2; }\n"


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)


class Kernels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        (cls.path / "main.cu").write_text(SOURCE)
        (cls.path / "second.cu").write_text(SECOND)
        for name in ("main", "second"):
            cls.compile("-c", cls.path / f"{name}.cu", "-o", cls.path / f"{name}.o")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def compile(cls, *options):
        result = run(COHORTCC, "-O2", "-fPIC", "--cohort-gangs=off", *options)
        assert result.returncode == 0, result.stderr

    def listed(self, file):
        result = run(INFO, "--kernels", file)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout.splitlines()

    def test_object_file(self):
        self.assertEqual(self.listed(self.path / "main.o"),
                         ["adds(int*, int): thread, loop", "void waits<float>(float*): thread"])

    def test_program_and_stripped_program(self):
        self.compile(self.path / "main.o", self.path / "second.o", "-o", self.path / "program")
        expected = ["adds(int*, int): thread, loop", "second(int*): thread, loop", "void waits<float>(float*): thread"]
        self.assertEqual(self.listed(self.path / "program"), expected)
        self.assertEqual(run("strip", self.path / "program").returncode, 0)
        self.assertEqual(self.listed(self.path / "program"), expected)

    def test_shared_library(self):
        self.compile("-shared", "-cudart", "none", self.path / "second.o", "-o", self.path / "libsecond.so")
        self.assertEqual(self.listed(self.path / "libsecond.so"), ["second(int*): thread, loop"])

    def test_gangs(self):
        result = run(COHORTCC, "-O2", "-c", "--cohort-gangs=force=64", self.path / "main.cu", "-o", self.path / "gangs.o")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.listed(self.path / "gangs.o"),
                         ["adds(int*, int): thread, gangs of 64", "void waits<float>(float*): thread, gangs of 64"])

    def test_files_without_kernels(self):
        (self.path / "short").write_bytes(b"\x7fELF")
        for file, words in ((INFO, "has no kernels"), (self.path / "none", "cannot read"),
                            (self.path / "main.cu", "is no program"), (self.path / "short", "is no program")):
            result = run(INFO, "--kernels", file)
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn(words, result.stderr)

    def test_no_file_is_an_error(self):
        result = run(INFO, "--kernels")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--kernels needs one file", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
