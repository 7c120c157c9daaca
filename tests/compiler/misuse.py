# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that misuse an instruction: the launch fails in every mode, with a report."""

import workplace


class MisuseTest(workplace.WorkplaceTest):
    """`source` is a program that does what the macro KIND selects in a block of THREADS threads, and prints the error."""

    source = ""
    options = ()

    def check(self, kind, threads, *texts):
        self.place.write("misuse.cu", self.source)
        for mode in ([], ["--cohort-gangs=off"], ["-O0"]):
            made = self.place.compile(f"-DKIND={kind}", f"-DTHREADS={threads}", *self.options, *mode, "misuse.cu", "-o", "misuse")
            self.assertEqual(made.returncode, 0, made.stderr)
            result = self.place.run(["./misuse"])
            self.assertNotIn("no error", result.stdout)
            for text in texts:
                self.assertIn(text, result.stderr)
