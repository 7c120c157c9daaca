# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that misuse an instruction: the launch fails in every mode, with a report."""

import workplace

MAIN = """
#include <cstdio>
#include <cstdlib>
int main(int, char** arguments) {
  decltype(&misuse<0>) const kernels[] = {%s};
  float* out;
  cudaMalloc(&out, 4096);
  kernels[std::atoi(arguments[1])]<<<1, std::atoi(arguments[2])>>>(%s);
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
"""


class MisuseTest(workplace.WorkplaceTest):
    """Tests of a source that defines the kernels misuse<0> to misuse<kinds - 1>. They get `arguments`; `out` is the
    address of 4096 bytes.

    Each mode compiles all kernels once, as one program."""

    source = ""
    kinds = 0
    arguments = "out"
    options = ()
    modes = ((), ("--cohort-gangs=off",), ("-O0",))

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        context = workplace.workplace(cls.cohortcc)
        cls.built = context.__enter__()
        cls.addClassCleanup(context.__exit__, None, None, None)
        kernels = ", ".join(f"misuse<{kind}>" for kind in range(cls.kinds))
        cls.built.write("misuse.cu", cls.source + MAIN % (kernels, cls.arguments))
        for number, mode in enumerate(cls.modes):
            made = cls.built.compile(*cls.options, *mode, "misuse.cu", "-o", f"misuse{number}")
            if made.returncode != 0:
                raise AssertionError(made.stderr)

    def check(self, kind, threads, *texts, modes=modes):
        """Launches misuse<kind> in a block of `threads` threads, and expects each of the texts in the report."""
        for mode in modes:
            with self.subTest(mode=mode):
                result = self.built.run([f"./misuse{self.modes.index(mode)}", kind, threads])
                self.assertNotEqual(result.stdout, "")
                self.assertNotIn("no error", result.stdout)
                for text in texts:
                    self.assertIn(text, result.stderr)
