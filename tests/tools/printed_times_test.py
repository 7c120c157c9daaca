#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The times that the README and the scripts print are those of tools/printed_times.txt, and a measurement that differs
from them by a factor of two is named."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
TOOL = SOURCE / "tools/printed_times.py"


def run(root, *options):
    return subprocess.run([sys.executable, "-B", TOOL, root, *options], capture_output=True, text=True)


class PrintedTimes(unittest.TestCase):
    def test_the_readme(self):
        text = (SOURCE / "README.md").read_text()
        for name, pattern in [("demo", r"make demo +#.*: about (\d+) minutes"), ("test", r"make test +#.*: about (\d+) minutes")]:
            (minutes,) = re.findall(pattern, text)
            self.assertEqual(run(SOURCE, name).stdout, f"{minutes}\n")

    def test_scripts_print_no_minutes_of_their_own(self):
        for name in ("demo.sh", "test.sh"):
            self.assertNotRegex((SOURCE / "tools" / name).read_text(), r"\d+ minutes")

    def project(self, minutes):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        (root / "tools").mkdir()
        (root / "tools/printed_times.txt").write_text(f"# times\nnap {minutes} sh nap.sh\nwrong 1 false\n")
        (root / "nap.sh").write_text('test -z "$LD_LIBRARY_PATH$LANG" && test "$CCACHE_DISABLE" = 1 && sleep 0.1\n')
        for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
            subprocess.run(["git", "-C", root, *words], check=True)
        return root

    def test_a_time_that_is_far_off(self):
        root = self.project(1)
        result = run(root, "nap", "--measure")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^printed_times: sh nap\.sh: 0\.0 minutes \(0\.0 of processor time\), printed are 1;")
        result = run(root, "nap", "--measure", "--warn")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"\n::warning file=tools/printed_times.txt::sh nap\.sh: 0\.0 minutes")

    def test_a_true_time(self):
        self.assertEqual(run(self.project(0), "nap", "--measure").returncode, 1)  # 0 minutes are refused as a time
        self.assertNotEqual(run(self.project(1), "wrong", "--measure").returncode, 0)

    def test_an_unknown_name(self):
        result = run(SOURCE, "nothing")
        self.assertEqual(result.returncode, 2)
        self.assertIn("there is no row 'nothing' in tools/printed_times.txt; there are: demo, test", result.stderr)


if __name__ == "__main__":
    unittest.main()
