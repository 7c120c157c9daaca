# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Messages of COHORT_SCHEDULE about programs and values:  test_messages.py PROGRAMS"""

import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv[1]


def run(name, schedule, stdin="", **variables):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("COHORT_")}
    environment.update(variables)
    if schedule:
        environment["COHORT_SCHEDULE"] = schedule
    return subprocess.run([PROGRAM, name], input=stdin, capture_output=True, text=True, timeout=120, check=False,
                          env=environment)


class Messages(unittest.TestCase):
    def check(self, result, status, out, *parts):
        self.assertEqual((result.returncode, result.stdout), (status, out), result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)
        if not parts:
            self.assertEqual(result.stderr, "")

    def test_a_seed_keeps_output_and_status(self):
        self.check(run("sum", "seed:3"), 7, "13680\n")

    def test_a_search_without_a_difference_ends_as_the_program(self):
        self.check(run("sum", "search:20"), 7, "13680\n", "cohort: search: 10 of 20 seeds, none differs\n",
                   "cohort: search: no difference in 20 seeds\n")

    def test_each_run_reads_the_whole_input(self):
        self.check(run("input", "search:3", stdin="1 2\n30"), 0, "33 13680\n", "no difference in 3 seeds")

    def test_clocks_are_those_of_the_seed(self):
        first, second = run("clock", "seed:11"), run("clock", "seed:11")
        self.check(first, 0, second.stdout)
        self.assertNotEqual(first.stdout, "0\n")

    def test_output_of_other_sources_is_refused(self):
        self.check(run("pid", "search:20"), 2, "", "two runs in one order differ", "  stdout, line 1: \"")

    def test_a_failing_program_is_refused(self):
        self.check(run("fails", "search:20"), 1, "", "the program fails in the engine's own order:", "in kernel ")

    def test_no_effect(self):
        self.check(run("one", "search:20"), 0, "5\n", "cohort: search: COHORT_SCHEDULE has no effect: no launch had two")
        self.check(run("one", "seed:4"), 0, "5\n", "cohort: warning: COHORT_SCHEDULE=seed:4 had no effect: no launch")
        self.check(run("sum", "seed:4,depth:2"), 7, "13680\n", "COHORT_SCHEDULE=seed:4,depth:2 had no preemption: ")
        self.check(run("sum", "search:2,depth:2"), 7, "13680\n", "cohort: search: no preemption: ")
        for other, value in (("COHORT_WORKERS", "2"), ("COHORT_GANGS", "auto")):
            self.check(run("sum", "seed:4", **{other: value}), 7, "13680\n",
                       f"cohort: warning: {other} has no effect beside COHORT_SCHEDULE")
        self.check(run("sum", "search:2", OMPI_COMM_WORLD_SIZE="2"), 7, "13680\n",
                   "has no effect in a program of several processes")

    def test_a_seed_that_does_not_differ_is_not_shrunk(self):
        self.check(run("sum", "shrink:3"), 7, "13680\n", "cohort: search: seed 3 does not differ from the engine's own order\n")

    def test_files_that_are_no_order_are_refused(self):
        switch = '{"launch": 1, "at_block": 0, "at_thread": 0, "at_point": 1, "block": 1, "thread": 0'
        for text, problem in (("", "line 1: expected '{'"), ("{}", 'no members "version" and "switches"'),
                              ('{"version": 2, "switches": []}', "line 1: version 2 is not 1"),
                              ('{"version": 1,\n"switches": [' + switch + "]}", "line 2: expected '}'"),
                              ('{"version": 1, "switches": [{"launch": 1, "thread": 1024}]}', "larger than 1023"),
                              ('{"version": 1, "switches": [{"block": 1}]}', "a switch has no launch"),
                              ('{"version": 1, "switches": [{"launch": 1, "at_point": 1}]}', "one of at_block and at_point"),
                              ('{"version": 1, "switches": []} x', "text after the object"),
                              ('{"version": 1, "x": ' + "[" * 99 + "}", "nested too deep")):
            with self.subTest(text), tempfile.NamedTemporaryFile("w") as file:
                file.write(text)
                file.flush()
                self.check(run("sum", f"file:{file.name}"), 2, "", f"cohort: COHORT_SCHEDULE: {file.name} is no order", problem)
        self.check(run("sum", "file:/nowhere"), 2, "", "/nowhere is no order of threads: No such file or directory")

    def test_switches_of_another_program_are_reported(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write('{"version": 1, "switches": [{"launch": 1, "block": 1, "thread": 0}, '
                       '{"launch": 9, "block": 1, "thread": 0}]}')
            file.flush()
            self.check(run("sum", f"file:{file.name}"), 7, "13680\n", "did not apply 1 of 2 switches: the file is of another")

    def test_other_values_are_refused(self):
        for value in ("banana", "seed:", "seed:-1", "seed:1x", "search:0", "seed:1,depth:0", "seed:1,depth:17", "seed:1,",
                      "search", "seed:99999999999999999999999", "file:", "shrink:0", "search:1,file:", "seed:1,file:x"):
            self.check(run("sum", value), 2, "", f"cohort: COHORT_SCHEDULE={value} is not valid: expected seed:N or search:N")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
