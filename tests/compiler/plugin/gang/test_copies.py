# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asynchronous copies in gangs: kernels with them run in gangs, with the results of single threads."""

import platform
import sys
import unittest

import workplace
from gang_runs import check_programs, widths

cohortcc = None
PROGRAM = "gang/copies.cu"
MODES = (["--cohort-gangs=all"], ["--cohort-gangs=force=128", "--cpu=x86-64-v3"], ["--cohort-gangs=force=32"])


class Copies(unittest.TestCase):
    def test_program(self):
        check_programs(self, cohortcc, [PROGRAM], MODES)

    def test_which_kernels(self):
        with workplace.workplace(cohortcc) as place:
            source = workplace.HERE / "plugin" / PROGRAM
            report = place.compile("-O3", "--cohort-report", "--cohort-gangs=force=32", "-c", source, "-o", "out.o")
            self.assertEqual(widths(report.stderr), {"stages": 32, "rotate": 32, "unawaited": 32, "tiles": 32},
                             report.stderr)
            for name in ("copy_later", "copy_commit", "wait_copies"):
                self.assertNotRegex(report.stderr, f"kernel '(stages|rotate|unawaited)'.*cohort_{name} is called")

    @unittest.skipUnless(platform.machine() == "x86_64", "--cpu names an x86-64 CPU")
    def test_rows_that_copy_alike_run_together(self):
        with workplace.workplace(cohortcc) as place:
            source = workplace.HERE / "plugin" / PROGRAM
            report = place.compile("-O3", "--cohort-report", "--cohort-gangs=all", "--cpu=x86-64-v4", "-c", source, "-o", "out.o").stderr
            tiles = sorted(line.split("'tiles' ")[1].split(";")[0] for line in report.splitlines() if "'tiles'" in line)
            self.assertEqual(tiles, ["runs 256 threads at once", "runs 32 threads at once"], report)


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)
