# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cohort-info --doctor in installations that lack something.

Usage: test_doctor.py COHORT_INFO"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
ROOT = PROGRAM.parent.parent


class Doctor(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="cohort-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def installation(self, without=(), headers=None):
        """A copy of the programs, with links to all other parts but those in `without`."""
        root = self.folder / "root"
        for folder in ("bin", "lib/cohort", "include", "cohort-toolkit"):
            (root / folder).mkdir(parents=True)
            for path in (ROOT / folder).iterdir():
                name = f"{folder}/{path.name}"
                if folder == "bin" and path.name in ("cohort-info", "cohortcc"):
                    shutil.copy2(path, root / name)
                elif folder != "bin" and name not in without and name != "include/cohort":
                    (root / name).symlink_to(path)
        for path in (ROOT / "lib").glob("libcohort_*"):
            if f"lib/{path.name}" not in without:
                (root / "lib" / path.name).symlink_to(path)
        shutil.copytree(ROOT / "include" / "cohort", root / "include" / "cohort")
        if headers:
            version = root / "include" / "cohort" / "base" / "version.hpp"
            version.write_text(headers(version.read_text()))
        return root / "bin" / "cohort-info"

    def examine(self, program=PROGRAM, **variables):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("COHORT_")}
        result = subprocess.run([program, "--doctor"], capture_output=True, text=True, timeout=600, check=False,
                                env=dict(kept, **variables))
        last = result.stdout.splitlines()[-1]
        self.assertEqual(result.returncode, 0 if last.startswith("ready: ") else 1, result.stdout)
        self.assertEqual(result.stderr, "")
        return last, result.stdout

    def clang(self, *lines):
        """Writes a program that prints the version of clang 19, and runs the given lines of shell
        for all other commands."""
        path = self.folder / "clang++"
        path.write_text("\n".join(("#!/bin/sh", 'test "$*" = --version && echo "clang version 19.1.7" && exit', *lines)) + "\n")
        path.chmod(0o755)
        return str(path)

    def test_ready(self):
        temporary = self.folder / "tmp"
        temporary.mkdir()
        for program in (PROGRAM, self.installation()):
            last, text = self.examine(program, TMPDIR=str(temporary))
            self.assertEqual(last, "ready: cohortcc compiles kernels for this CPU, and they run", text)
            self.assertEqual(list(temporary.iterdir()), [])

    def test_the_library_alone(self):
        (self.folder / "bin").mkdir()
        shutil.copy2(PROGRAM, self.folder / "bin")
        self.assertIn("ready: the library alone", self.examine(self.folder / "bin" / "cohort-info")[0])

    def test_missing_parts(self):
        missing = ("lib/cohort/plugin.so", "lib/libcohort_cpu.a")
        last, _ = self.examine(self.installation(without=missing))
        self.assertRegex(last, r"^not ready: lib/libcohort_cpu.a, lib/cohort/plugin.so of .* is missing; "
                               r"build or install Cohort completely \(make product, make install\)$")

    def test_headers_of_another_version(self):
        last, _ = self.examine(self.installation(headers=lambda text: text.replace("#define COHORT_VERSION ", "#define COHORT_VERSION 9")))
        self.assertRegex(last, r"^not ready: the headers have version 9\d+, the programs \d+; install both from one build$")

    def test_clang(self):
        for path, reason in (("/nonexistent/clang++", "COHORT_CLANG is '/nonexistent/clang++', which is not a program"),
                             ("/bin/true", "COHORT_CLANG is '/bin/true', which is not clang; clang++ 19 is needed")):
            self.assertEqual(self.examine(COHORT_CLANG=path)[0], f"not ready: {reason}")

    def test_parts_of_gcc(self):
        real = shutil.which("clang++-19")
        if not real:
            self.skipTest("clang++-19 is not in PATH")
        last, _ = self.examine(COHORT_CLANG=self.clang(f'exec {real} -nostdinc++ "$@"'))
        self.assertRegex(last, "^not ready: the headers of the C\\+\\+ standard library were not found.* apt-get install g\\+\\+$")
        last, _ = self.examine(COHORT_CLANG=self.clang("echo 'clang: error: unable to load' >&2", "exit 1"))
        self.assertNotIn("ready: cohortcc", last)

    def test_sleef(self):
        last, text = self.examine(COHORT_SLEEF="/nonexistent/libsleef.so.3")
        self.assertRegex(text, r"compiler and linker +right\n")
        self.assertRegex(last, "^not ready: .*SLEEF.* apt-get install libsleef3")

    def test_temporary_files(self):
        last, _ = self.examine(TMPDIR="/nonexistent")
        self.assertEqual(last, "not ready: TMPDIR, or /tmp, takes no new folder; name one in TMPDIR")

    def test_optional_parts(self):
        folder = self.folder / "path"
        folder.mkdir()
        self.assertRegex(self.examine(PATH=str(folder))[0], "^not ready: the linker 'ld' was not found.* apt-get install g\\+\\+$")
        (folder / "ld").symlink_to(shutil.which("ld"))
        last, text = self.examine(PATH=str(folder), HOME=str(folder))
        self.assertIn("not found; only worlds of several processes (cohort::mpi) need one: libopenmpi-dev\n", text)
        self.assertIn("not found; only programs that include them need it: pip install nvidia-cuda-cccl==13.0.85\n", text)
        self.assertRegex(last, "^ready: cohortcc")


unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
