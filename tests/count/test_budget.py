#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cohort budget` and `cohort compare`, and the example of the page:  test_budget.py COHORT PROGRAMS PAGE"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ACCESS = {"file": "k.cu", "line": 3, "column": 5, "operation": "load", "memory": "global", "requests": 10, "lanes": 160,
          "sectors": 30, "ideal_sectors": 20}


def report(*kernels):
    return {"report": "cohort-count", "version": 1,
            "kernels": [{"kernel": name, "accesses": accesses} for name, accesses in kernels]}


class Budget(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_command(self, word, *texts):
        names = []
        for i, text in enumerate(texts):
            self.folder.joinpath(f"{i}").write_text(text if isinstance(text, str) else json.dumps(text))
            names.append(f"{i}")
        run = subprocess.run([cohort, word, *names], cwd=self.folder, text=True, capture_output=True, check=False)
        return run.returncode, run.stdout, run.stderr

    def budget(self, limits, *kernels):
        return self.run_command("budget", report(*(kernels or [("k", [ACCESS])])), limits)

    def test_the_page(self):
        blocks = re.findall(r"```(\w+)\n(.*?)```", page.read_text(), re.S)
        source = (pathlib.Path(__file__).parent / "transpose.cu").read_text()
        text_of = dict(reversed(blocks))  # the first block of each language
        self.assertIn(text_of["cpp"], source)
        path = self.folder / "report.json"
        subprocess.run([programs / "transpose"], env={**os.environ, "COHORT_COUNT": str(path)}, check=True,
                       capture_output=True)
        status, output, _ = self.run_command("budget", path.read_text(), text_of["toml"].split("[kernel")[0])
        self.assertEqual(status, 1)
        # The page quotes its file from the include on, and reports name the file without a folder.
        here = source.split("\n").index("#include <cstdio>")
        lines = re.sub(r"  .*transpose.cu:(\d+)", lambda m: f"  transpose.cu:{int(m[1]) - here}", output)
        self.assertEqual([line.split("; the limit")[0] for line in text_of["text"].splitlines()],
                         [line.split("; the limit")[0] for line in lines.splitlines()])

    def test_limits(self):
        self.assertEqual(self.budget("[all]\nsectors = 1.5\n"), (0, "0 is within 1\n", ""))
        status, output, _ = self.budget("[all]\nsectors = 1.49\nlanes = 0.51\n")
        self.assertEqual((status, output), (1, (
            "k: 30 sectors are 1.500 x the ideal of 20; the limit is 1.49\n"
            "  k.cu:3: 30 sectors are 1.500 x the ideal of 20\n"
            "k: 160 active lanes are 0.500 of the lanes of 10 warp accesses; the limit is 0.51\n"
            "  k.cu:3: 160 active lanes are 0.500 of the lanes of 10 warp accesses\n")))
        self.assertEqual(self.budget("[all]\nwavefronts = 0\n")[0], 0)  # no access of shared memory

    def test_limits_of_one_kernel(self):
        kernels = ("slow<1>", [ACCESS]), ("other", [ACCESS])
        self.assertEqual(self.budget('[kernel."slow*"]\nsectors = 1\n', *kernels)[1].split(":")[0], "slow<1>")
        self.assertEqual(self.budget('[all]\nsectors = 1\n[kernel."slow<1>"]\nsectors = 2\n', *kernels)[1].split(":")[0],
                         "other")

    def test_refused_budgets(self):
        for text, words in (("", "has no limit"), ("[all]\nsector = 1\n", "sector in .all. is unknown"),
                            ("[al]\n", "is unknown"), ("[all]\nsectors = -1\n", "at least 0"),
                            ("[all]\nsectors = true\n", "at least 0"), ("[all]\nsectors = nan\n", "at least 0"),
                            ("kernel = 1\n", "no table"), ("[all\n", "no TOML"),
                            ('[kernel.gone]\nsectors = 1\n', "no kernel of the report fits")):
            status, _, error = self.budget(text)
            self.assertEqual(status, 2, text)
            self.assertRegex(error, f"^cohort: .*{words}")

    def test_refused_reports(self):
        good = report(("k", [ACCESS]))
        for text, words in (("", "is empty"), ("{", "no JSON"), ("[]", "no report"), ({**good, "version": 2}, "version 2"),
                            ({**good, "kernels": [{}]}, "damaged"),
                            (report(("k", [{**ACCESS, "sectors": "1"}])), "damaged")):
            status, _, error = self.run_command("budget", text, "[all]\nsectors = 1\n")
            self.assertEqual(status, 2, text)
            self.assertRegex(error, f"^cohort: .*{words}")

    def test_comparison(self):
        before, after = report(("k", [ACCESS]), ("old", [])), report(("k", [{**ACCESS, "sectors": 60}]), ("new", []))
        self.assertEqual(self.run_command("compare", before, after)[:2], (0, (
            "k: sectors 30 -> 60 (2.000 x)\n  k.cu:3: sectors 30 -> 60 (2.000 x)\n"
            "new: only in the second report\nold: only in the first report\n")))
        self.assertEqual(self.run_command("compare", before, before)[:2], (0, "the reports have equal numbers\n"))


if __name__ == "__main__":
    cohort, programs, page = (pathlib.Path(argument) for argument in sys.argv[1:4])
    del sys.argv[1:4]
    unittest.main()
