# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gdb stops on a line of a kernel and shows its variables, those of the thread and those of the block."""

import shutil
import sys
import unittest

import workplace

cohortcc = None

SOURCE = """\
__global__ void scale(int* out, int factor) {
  __shared__ int tile[8];
  int mine = threadIdx.x * factor;
  tile[threadIdx.x] = mine;
  __syncthreads();
  out[threadIdx.x] = tile[7 - threadIdx.x];  // line 6
}
int main() {
  int* out;
  cudaMallocManaged(&out, 8 * sizeof(int));
  scale<<<1, 8>>>(out, 5);
  return cudaDeviceSynchronize();
}
"""


class Debugger(unittest.TestCase):
    def test_breakpoint(self):
        with workplace.workplace(cohortcc) as place:
            source = place.write("scale.cu", SOURCE)
            built = place.compile("-g", source, "-o", "scale")
            self.assertEqual(built.returncode, 0, built.stderr)
            result = place.run(["gdb", "-nx", "-batch", "-ex", "break scale.cu:6", "-ex", "run", "-ex", "print factor", "-ex",
                                "print mine % 5", "-ex", "backtrace 1", "-ex", "info locals", "./scale"])
        self.assertIn("out[threadIdx.x] = tile[7 - threadIdx.x];  // line 6", result.stdout, result.stderr)
        self.assertIn("$1 = 5", result.stdout)
        self.assertIn("$2 = 0", result.stdout)
        self.assertIn("scale (out=", result.stdout)

    def test_breakpoint_in_a_loop_over_threads(self):
        text = SOURCE.replace("  __syncthreads();\n", "\n").replace("tile[7 - threadIdx.x]", "mine + tile[threadIdx.x]")
        with workplace.workplace(cohortcc) as place:
            source = place.write("scale.cu", text)
            built = place.compile("-g", "-O1", source, "-o", "scale")
            self.assertEqual(built.returncode, 0, built.stderr)
            result = place.run(["gdb", "-nx", "-batch", "-ex", "break scale.cu:6", "-ex", "run", "-ex", "backtrace 1", "./scale"])
        self.assertIn("// line 6", result.stdout, result.stderr)
        self.assertIn("scale", result.stdout)


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    if not shutil.which("gdb"):
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + rest)
