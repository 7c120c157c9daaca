# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The source line in a report is found by addr2line, whatever the names, the variables and the process are like:

  test_source_places.py PROGRAM SOURCE [unittest argument]...

PROGRAM is built from SOURCE, failing_program.cpp."""

import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
LINE = next(number for number, text in enumerate(SOURCE.read_text().splitlines(), 1) if text.startswith("void write_t"))
PLACE = f"at {SOURCE.name}:{LINE} ("
LIMIT = 300  # seconds; far beyond the limit for addr2line


class SourcePlaces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.folder.chmod(0o777)

    def script(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    def run_program(self, *arguments, program=PROGRAM, status=0, **variables):
        """Returns the report and stderr of a run in self.folder. PATH and COHORT_* are the given
        ones only."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("COHORT_")}
        report = self.folder / "report"
        done = subprocess.run([program, report, *arguments], cwd=self.folder, env={**kept, **variables}, timeout=LIMIT,
                              capture_output=True, text=True, errors="replace")
        self.assertEqual(done.returncode, status, done.stderr)
        return (report.read_text(errors="replace") if report.exists() else ""), done.stderr

    def test_report_names_the_line(self):
        report, errors = self.run_program()
        self.assertIn("illegal address 0x18", report)
        self.assertIn("thread (3,0,0) of block (0,0,0), " + PLACE, report)
        self.assertIn(PLACE, errors)

    def test_any_path_of_the_program(self):
        for name in ["a b", "it's", 'say "a"', "a; touch pwned", "$(touch pwned)", "`touch pwned`", "a\nb", "-e", "\\"]:
            with self.subTest(name=name):
                odd = self.folder / name / "program"
                odd.parent.mkdir()
                shutil.copy(PROGRAM, odd)
                self.assertIn(PLACE, self.run_program(program=odd)[0])
        self.assertFalse((self.folder / "pwned").exists())

    def test_relative_folders_of_path_are_skipped(self):
        self.script("addr2line", ": >ran\n")
        self.script("bin/addr2line", ": >ran\n")
        real = os.path.dirname(shutil.which("addr2line"))
        self.assertIn(PLACE, self.run_program(PATH=f":.:bin::./bin:{real}")[0])
        self.assertNotIn(PLACE, self.run_program(PATH=".")[0])
        self.assertFalse((self.folder / "ran").exists())

    def test_absolute_folders_of_path_are_searched_in_order(self):
        fake = self.script("bin/addr2line", 'shift 6\necho "$1"\necho fake_function\necho fake.cpp:17\n')
        report, _ = self.run_program(PATH=f"/nonexistent:{fake.parent}:/usr/bin")
        self.assertIn("fake.cpp:17 (fake_function)", report)

    def test_without_addr2line_the_address_or_the_function_is_named(self):
        report, _ = self.run_program(PATH=str(self.folder))
        self.assertIn("illegal address 0x18", report)
        self.assertRegex(report, r"thread \(3,0,0\) of block \(0,0,0\), at (address 0x|write_through|failing_kernel)")

    def test_the_variable_names_a_program(self):
        fake = self.script("of my own", 'shift 6\necho "$1"\necho named_function\necho named.cpp:18\n')
        self.assertIn("named.cpp:18 (named_function)", self.run_program(COHORT_ADDR2LINE=str(fake))[0])
        for name in ["llvm-addr2line-19", "llvm-addr2line"]:
            if found := shutil.which(name):
                self.assertIn(PLACE, self.run_program(COHORT_ADDR2LINE=found)[0])

    def test_a_wrong_variable_is_refused_at_the_start(self):
        self.script("addr2line", ": >ran\n")
        (self.folder / "text").write_text("")
        for value in ["addr2line", "./addr2line", "/nonexistent", str(self.folder), str(self.folder / "text")]:
            with self.subTest(value=value):
                _, errors = self.run_program(status=2, COHORT_ADDR2LINE=value)
                self.assertIn(f"COHORT_ADDR2LINE={value} is not valid: expected the absolute path of a program", errors)
        self.assertFalse((self.folder / "ran").exists())

    def test_an_endless_addr2line_is_killed(self):
        fake = self.script("endless", "echo $$ >pid\ntrap '' TERM INT HUP\nwhile :; do sleep 1; done\n")
        report, _ = self.run_program(COHORT_ADDR2LINE=str(fake))
        self.assertIn("illegal address 0x18", report)
        self.assertNotIn(PLACE, report)
        pid = int((self.folder / "pid").read_text())
        status = pathlib.Path(f"/proc/{pid}/cmdline")
        self.assertFalse(status.exists() and b"endless" in status.read_bytes())

    def test_garbage_from_addr2line_does_no_harm(self):
        for text in ["head -c 100000 /dev/urandom\n", "yes 0x1\n", "yes\n", "echo\n", "kill -9 $$\n", "echo 0x1\necho f\n"]:
            with self.subTest(text=text):
                fake = self.script("garbage", text)
                self.assertIn("illegal address 0x18", self.run_program(COHORT_ADDR2LINE=str(fake))[0])

    def test_odd_processes(self):
        for state in [["close-streams"], ["ignore-children"], ["close-streams", "ignore-children"]]:
            with self.subTest(state=state):
                self.assertIn(PLACE, self.run_program(*state)[0])

    def test_variables_of_a_caller_with_fewer_rights_are_ignored(self):
        """In a set-user-ID program the caller's variables choose no program and no setting."""
        if os.geteuid() != 0:
            self.skipTest("making a set-user-ID program of another user needs root")
        if os.statvfs(self.folder).f_flag & os.ST_NOSUID:
            self.skipTest(f"{self.folder} is mounted nosuid")
        privileged = self.folder / "privileged"
        shutil.copy(PROGRAM, privileged)
        stranger = 65534
        os.chown(privileged, stranger, stranger)
        privileged.chmod(0o755 | stat.S_ISUID)
        fake = self.script("bin/addr2line", ": >ran\n")
        report, errors = self.run_program(program=privileged, PATH=str(fake.parent), COHORT_ADDR2LINE=str(fake),
                                          COHORT_WORKERS="no number", COHORT_WORKRES="1")
        if "AT_SECURE=0" in report:
            self.skipTest("the system ignores set-user-ID (no_new_privs)")
        self.assertIn(PLACE, report)
        self.assertNotIn("COHORT", errors)
        self.assertFalse((self.folder / "ran").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
