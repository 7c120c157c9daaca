# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that several tests of gangs use: the widths in --cohort-report, and programs that run under several options.
"""

import os
import re

import workplace

EVERY_MODE = "EVERY_MODE" in os.environ  # set by tests with the label `long`


def widths(report):
    """Reads {kernel: number of threads that run at once} from a report; 0 where threads run one by one."""
    found = re.findall(r"remark: kernel '([\w:]+)' (?:runs (\d+) threads at once)?", report)
    return {name: int(width) if width else 0 for name, width in found}


def check_programs(test, cohortcc, programs, modes):
    """Compiles the programs with lists of options, and runs them with and without gangs: they print "passed". Each program
    has every second list, and neighbours in `programs` have the others; a single program, and with EVERY_MODE each
    program, has all lists."""
    for number, program in enumerate(programs):
        for mode in modes if EVERY_MODE or len(programs) == 1 else modes[number % 2::2]:
            with test.subTest(program=program, mode=mode), workplace.workplace(cohortcc) as place:
                source = workplace.HERE / "plugin" / program
                compiled = place.compile("-O3", *mode, source, "-o", "program")
                test.assertEqual((compiled.returncode, compiled.stderr), (0, ""))
                for setting in ("auto", "off"):
                    run = place.run(["./program"], COHORT_GANGS=setting)
                    test.assertEqual((run.returncode, run.stdout.splitlines()[-1:]), (0, ["passed"]), run.stdout)
