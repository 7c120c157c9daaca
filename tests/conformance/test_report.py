# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests tools/conformance.py:  test_report.py ROOT"""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "tools"))

import conformance

GOOD = "C.2.1 | tested | one\nC.2.2 | extended | two\nC.2.3 | platform | three | needs another machine\n"


def run(*cases):
    """A program's results: (test, numbers, result) each."""
    shape = {"pass": {}, "fail": {"failures": [{}]}, "skipped": {"result": "SKIPPED"}}
    return {"program": {"testsuites": [{"name": "Suite", "testsuite": [
        {"name": name, "status": "RUN", "result": "COMPLETED", "conforms": numbers, **shape[result]}
        for name, numbers, result in cases]}]}}


def results(*cases, text=GOOD):
    statements, problems = conformance.read_statements(text)
    assert not problems, problems
    machines = {"CPU": conformance.read_results(run(*cases))}
    joined, problems = conformance.join(statements, machines)
    page = conformance.document(statements, joined, machines)
    return {number: machine["CPU"] for number, (_, machine) in joined.items()}, problems, page


class Statements(unittest.TestCase):
    def problems(self, text):
        return " ".join(conformance.read_statements(text)[1])

    def test_good_ones(self):
        self.assertEqual(self.problems(GOOD), "")

    def test_no_class(self):
        self.assertIn("'untested' is no class", self.problems("C.2.1 | untested | one\n"))
        self.assertIn("needs a number, a class and a text", self.problems("C.2.1 | one\n"))

    def test_reasons(self):
        self.assertIn("a reason belongs", self.problems("C.2.1 | platform | one\n"))
        self.assertIn("a reason belongs", self.problems("C.2.1 | tested | one | because\n"))

    def test_twice(self):
        self.assertIn("is there twice", self.problems("C.2.1 | tested | one\nC.2.1 | tested | one\n"))

    def test_unknown_section(self):
        self.assertIn("belongs to no section", self.problems("Z.1 | tested | one\n"))

    def test_too_many_others(self):
        lines = [f"C.2.{i} | history | old | since long ago\n" for i in range(21)]
        self.assertEqual(self.problems("".join(lines[:20])), "")
        self.assertIn("at most 20", self.problems("".join(lines)))

    def test_the_projects_own(self):
        statements, problems = conformance.read_statements((ROOT / "tests/conformance/statements.txt").read_text())
        self.assertEqual(problems, [])
        self.assertGreater(len(statements), 190)


class Results(unittest.TestCase):
    def test_all_pass(self):
        found, problems, page = results(("a", "C.2.1", "pass"), ("b", "C.2.1 C.2.2", "pass"))
        self.assertEqual((found["C.2.1"], found["C.2.2"], problems), ("pass", "pass", []))
        self.assertIn("| C.2.1 | one | tested | `program: Suite.a`<br>`program: Suite.b` | CPU | pass |", page)
        self.assertIn("| C.2.3 | three | platform | | | needs another machine |", page)
        self.assertIn("| CPU | 3 | 2 | 0 | 0 | 1 |", page)

    def test_a_skip_counts_as_not_tested(self):
        found, _, page = results(("a", "C.2.1", "skipped"), ("b", "C.2.1 C.2.2", "pass"))
        self.assertEqual((found["C.2.1"], found["C.2.2"]), ("not tested", "pass"))
        self.assertIn("| CPU | 3 | 1 | 0 | 1 | 1 |", page)

    def test_one_failure_is_a_failure(self):
        found, _, _ = results(("a", "C.2.1", "pass"), ("b", "C.2.1 C.2.2", "fail"))
        self.assertEqual((found["C.2.1"], found["C.2.2"]), ("fail", "fail"))

    def test_a_statement_without_a_test(self):
        found, problems, _ = results(("a", "C.2.1", "pass"))
        self.assertEqual(found["C.2.2"], "not tested")
        self.assertIn("C.2.2 is extended, but no test carries the number", " ".join(problems))

    def test_numbers_that_are_no_statements(self):
        _, problems, _ = results(("a", "C.2.1 C.2.2 C.9.9", "pass"))
        self.assertIn("names C.9.9, which is no statement", " ".join(problems))
        _, problems, _ = results(("a", "C.2.1 C.2.2 C.2.3", "pass"))
        self.assertIn("whose class is platform", " ".join(problems))


class SeveralBuilds(unittest.TestCase):
    def test_the_worst_counts(self):
        one = conformance.read_results(run(("a", "C.2.1", "pass"), ("b", "C.2.2", "skipped"), ("c", "C.2.1", "fail")))
        two = conformance.read_results(run(("a", "C.2.1", "fail"), ("b", "C.2.2", "pass"), ("d", "C.2.1", "pass")))
        found = {test[-1]: result for test, _, result in conformance.worst([one, two])}
        self.assertEqual(found, {"a": "fail", "b": "pass", "c": "fail", "d": "pass"})


class Kept(unittest.TestCase):
    SKIP = {"result": "SKIPPED", "skipped": [{"message": "test.cu:7\nthis machine\ncannot\n"}]}

    def kept(self):
        cases = [{"name": name, "status": "RUN", "result": "COMPLETED", **more}
                 for name, more in (("a", {}), ("b", {"failures": [{}]}), ("c", self.SKIP), ("gone", {}))]
        tests = conformance.read_results({"program": {"testsuites": [{"name": "Suite", "testsuite": cases}]}})
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "tests/conformance").mkdir(parents=True)
            path = conformance.keep(pathlib.Path(folder), "NVIDIA X1 (-O3)", tests)
            self.assertEqual(path.name, "nvidia-x1-o3.json")
            return path.read_text()

    def test_a_second_machine(self):
        statements, _ = conformance.read_statements("C.2.1 | tested | one\nC.2.2 | tested | two\nC.2.3 | tested | three\n")
        here = conformance.read_results(run(("a", "C.2.1", "pass"), ("b", "C.2.2", "pass"), ("c", "C.2.3", "pass")))
        machine, other, tests = conformance.read_kept(self.kept(), here)
        self.assertFalse(other)
        machines = {"CPU": here, machine: tests}
        joined, problems = conformance.join(statements, machines)
        self.assertEqual(problems, [])
        page = conformance.document(statements, joined, machines)
        self.assertIn("| C.2.1 | one | tested | `program: Suite.a` | CPU<br>NVIDIA X1 (-O3) | pass<br>pass |", page)
        self.assertIn("| C.2.2 | two | tested | `program: Suite.b` | CPU<br>NVIDIA X1 (-O3) | pass<br>fail |", page)
        self.assertIn("| NVIDIA X1 (-O3) | 3 | 1 | 1 | 1 | 0 |", page)
        self.assertIn("| NVIDIA X1 (-O3) | this machine cannot | `program: Suite.c` |", page)
        self.assertNotIn("gone", page)

    def test_another_implementation(self):
        statements, _ = conformance.read_statements("C.2.1 | tested | one\nC.2.2 | tested | two\n")
        here = conformance.read_results(run(("a", "C.2.1", "pass"), ("b", "C.2.2", "pass")))
        joined, _ = conformance.join(statements, {"CPU": here})
        _, _, tests = conformance.read_kept(self.kept(), here)
        page = conformance.document(statements, joined, {"CPU": here}, {"Another": tests})
        self.assertIn("| C.2.2 | two | tested | `program: Suite.b` | CPU | pass |", page)
        self.assertIn("## Another", page)
        self.assertIn("1 statements pass, 1 fail", page)
        self.assertIn("| C.2.2 | two | tested | `program: Suite.b` |", page)


unittest.main()
