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
    def debug(self, text, *options, commands):
        with workplace.workplace(cohortcc) as place:
            built = place.compile(*options, place.write("scale.cu", text), "-o", "scale")
            self.assertEqual(built.returncode, 0, built.stderr)
            words = [word for command in commands for word in ("-ex", command)]
            result = place.run(["gdb", "-nx", "-batch", *words, "./scale"])
        return result.stdout + result.stderr

    def test_breakpoint(self):
        for options in (["-G"], ["-g", "-O0"]):
            with self.subTest(options):
                text = self.debug(SOURCE, *options, commands=("break scale.cu:6", "run", "print factor", "print mine % 5",
                                                              "backtrace 1", "info locals"))
                self.assertIn("out[threadIdx.x] = tile[7 - threadIdx.x];  // line 6", text)
                self.assertIn("$1 = 5", text)
                self.assertIn("$2 = 0", text)
                self.assertIn("scale (out=", text)

    # Optimized device code has line numbers. Host code is compiled without optimization, so its variables can be read.
    def test_breakpoint_in_optimized_device_code(self):
        loop = SOURCE.replace("  __syncthreads();\n", "\n").replace("tile[7 - threadIdx.x]", "mine + tile[threadIdx.x]")
        for source, option in ((SOURCE, "-lineinfo"), (loop, "-O1")):
            with self.subTest(option):
                text = self.debug(source, "-g", option, commands=("break scale.cu:6", "run", "backtrace 1"))
                self.assertIn("// line 6", text)
                self.assertIn("scale", text)
        text = self.debug(SOURCE, "-g", commands=("break cudaDeviceSynchronize", "run", "up", "print out[7]"))
        self.assertIn("$1 = 0", text)


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    if not shutil.which("gdb"):
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + rest)
