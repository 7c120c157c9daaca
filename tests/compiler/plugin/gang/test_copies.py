# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asynchronous copies in gangs: kernels with them run in gangs, with the results of single threads."""

import sys
import unittest

import workplace
from gang_runs import check_programs, widths

cohortcc = None
PROGRAM = "gang/copies.cu"
MODES = ([], ["--cohort-gangs=force=32"], ["--cohort-gangs=force=128", "--cpu=x86-64-v3"])


class Copies(unittest.TestCase):
    def test_program(self):
        check_programs(self, cohortcc, [PROGRAM], MODES)

    def test_which_kernels(self):
        with workplace.workplace(cohortcc) as place:
            source = workplace.HERE / "plugin" / PROGRAM
            report = place.compile("-O3", "--cohort-report", "--cohort-gangs=force=32", "-c", source, "-o", "out.o")
            self.assertEqual(widths(report.stderr), {"stages": 32, "rotate": 32, "unawaited": 32}, report.stderr)
            self.assertIn("cohort_copy_later is called for each thread", report.stderr)


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)
