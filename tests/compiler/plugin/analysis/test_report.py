# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--cohort-report prints how each kernel runs; the marks in thread_loop.cu hold the expected lines."""

import re
import sys
import unittest

import workplace

cohortcc = None


def report(place, source, *options):
    result = place.compile("--cohort-report", *options, "-c", source, "-o", "out.o")
    found = re.findall(r"remark: kernel '([\w:]+)' (runs as a loop|has a stack for each thread)(.*)", result.stderr)
    return result, {name: (how == "runs as a loop", why) for name, how, why in found}


class Report(unittest.TestCase):
    def test_thread_loop(self):
        source = workplace.HERE / "plugin" / "loops" / "thread_loop.cu"
        marks = dict(reversed(mark) for mark in re.findall(r"^// (LOOP|STACKS) (\w+)", source.read_text(), re.M))
        with workplace.workplace(cohortcc) as place:
            result, found = report(place, source, "--cohort-gangs=off")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual({name: loop for name, (loop, _) in found.items()}, {n: m == "LOOP" for n, m in marks.items()})
        self.assertIn("cohort_wait_block (", found["waits"][1])
        self.assertIn("thread_loop.cu:", found["waits"][1])
        self.assertIn("a loop may wait for other threads (", found["spins"][1])

    def test_reasons(self):
        with workplace.workplace(cohortcc) as place:
            source = place.write("reasons.cu", """
typedef int (*op)(int);
__global__ void pointer(op f, int* p) { *p = f(*p); }
__device__ __noinline__ int deep(int n) { return n ? n + deep(n - 1) * deep(n / 2) : 1; }
__global__ void recursive(int* p) { *p = deep(*p); }
extern __device__ int other(int);
__global__ void unseen(int* p) { *p = other(*p); }
__global__ void prints(int* p) { if (*p) printf("%d", *p); }
""")
            _, found = report(place, source, "-rdc=true")
            self.assertIn("through a pointer (reasons.cu:3)", found["pointer"][1].replace(str(place.folder) + "/", ""))
            self.assertIn("deep(int) is recursive", found["recursive"][1])
            self.assertIn("other(int), which is not seen here", found["unseen"][1])
            self.assertTrue(found["prints"][0])
            _, found = report(place, source, "-rdc=true", "-O0")
            self.assertIn("without optimization", found["prints"][1])


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)
