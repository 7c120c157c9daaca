# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests check_output.py: a wrong status, a wrong text, a signal and a different output are failures."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parent / "check_output.py"


def passes(script, *expectations):
    """Whether the runner accepts `sh -c script`."""
    command = [sys.executable, "-B", str(CHECK), *expectations, "--", "sh", "-c", script]
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


class CheckOutput(unittest.TestCase):
    def test_status(self):
        self.assertTrue(passes("echo text", "--match", "text"))
        self.assertFalse(passes("echo text; exit 1", "--match", "text"))
        self.assertTrue(passes("echo text; exit 3", "--status", "3", "--match", "text"))
        self.assertFalse(passes("echo text", "--status", "3", "--match", "text"))

    def test_any_failure(self):
        self.assertTrue(passes("echo text; exit 2", "--status", "failure", "--match", "text"))
        self.assertFalse(passes("echo text", "--status", "failure", "--match", "text"))
        self.assertFalse(passes("echo text; kill -SEGV $$", "--status", "failure", "--match", "text"))

    def test_match(self):
        self.assertFalse(passes("echo other", "--match", "text"))
        self.assertFalse(passes("echo one", "--match", "one", "--match", "two"))
        self.assertTrue(passes("echo one; echo two >&2", "--match", "one.*two"))

    def test_equal(self):
        with tempfile.TemporaryDirectory() as folder:
            expected = pathlib.Path(folder) / "expected"
            expected.write_text("a\nb\n", encoding="utf-8")
            self.assertTrue(passes("echo a; echo b; echo c >&2", "--equal", str(expected)))
            self.assertFalse(passes("echo a", "--equal", str(expected)))
            self.assertFalse(passes("echo a; echo b; exit 1", "--equal", str(expected)))

    def test_expectation_is_required(self):
        self.assertFalse(passes("true"))


unittest.main()
