# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The environment variables of cohortcc: folders for temporary files, and a caller with fewer rights."""

import os
import pathlib
import shutil
import stat

import workplace


SOURCE = "#if defined(SET_BY_THE_CALLER)\n#error\n#endif\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n"
NAMES = ["TMPDIR", "TMP", "TEMP", "TEMPDIR"]


class Environment(workplace.WorkplaceTest):
    def setUp(self):
        super().setUp()
        self.place.write("program.cu", SOURCE)
        for name in NAMES:
            self.place.environment.pop(name, None)

    def compile(self, **variables):
        return self.place.compile("-c", "program.cu", **variables)

    def refused(self, sentence, **variables):
        result = self.compile(**variables)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, f"cohortcc: error: {sentence}\n")

    def test_a_folder_for_temporary_files_is_named(self):
        file = self.place.write("file", "")
        for name in NAMES:
            with self.subTest(name):
                hint = f"; name a folder for temporary files in {name}"
                self.refused(f"{name} is '/nonexistent/a', which does not exist{hint}", **{name: "/nonexistent/a"})
                self.refused(f"{name} is '{file}', which is not a folder{hint}", **{name: file})
                self.refused(f"{name} is '{file}/a', which cannot be used: Not a directory{hint}", **{name: file + "/a"})
                # No folder can be made in /proc. For root only the attempt shows it.
                reason = "is not writable" if os.geteuid() else "takes no new folder: No such file or directory"
                self.refused(f"{name} is '/proc', which {reason}{hint}", **{name: "/proc"})

    def test_the_first_folder_counts(self):
        folder = str(self.place.temporary)
        for preferred, other in zip(NAMES, NAMES[1:]):
            self.assertEqual(self.compile(**{preferred: folder, other: "/nonexistent"}).returncode, 0)
            self.assertIn(f"{preferred} is", self.compile(**{preferred: "/nonexistent", other: folder}).stderr)

    def test_an_empty_variable_is_not_set(self):
        self.assertEqual(self.compile(**dict.fromkeys(NAMES, "")).returncode, 0)
        self.assertEqual(self.compile(TMPDIR=".").returncode, 0)
        self.assertEqual([path.name for path in self.place.folder.glob("cohortcc-*")], [])

    def test_a_missing_linker_is_named(self):
        clang = shutil.which("clang++-19")
        if not clang:
            self.skipTest("clang++-19 is not in PATH")
        self.assertEqual(self.compile().returncode, 0)
        result = self.place.compile("program.o", "-o", "program", PATH="/nonexistent", COHORT_CLANG=clang)
        self.assertEqual(result.returncode, 1)
        self.assertIn("cohortcc: error: the linker 'ld' was not found. cohortcc takes the C++ standard library, the C library and "
                      "the linker from g++. On Debian and Ubuntu: apt-get install g++\n", result.stderr)

    def test_variables_of_a_caller_with_fewer_rights_are_ignored(self):
        """In a set-user-ID copy of cohortcc, with the layout of links, the caller's variables choose no program and no
        folder."""
        if os.geteuid() != 0:
            self.skipTest("making a set-user-ID program of another user needs root")
        if os.statvfs(self.place.folder).f_flag & os.ST_NOSUID:
            self.skipTest(f"{self.place.folder} is mounted nosuid")
        if "NoNewPrivs:\t0" not in pathlib.Path("/proc/self/status").read_text():
            self.skipTest("set-user-ID has no effect here (no_new_privs)")
        if any(not folder.stat().st_mode & stat.S_IXOTH for folder in pathlib.Path(self.place.cohortcc).parents):
            self.skipTest("another user cannot read the build folder")
        root = self.place.folder / "root"
        (root / "bin").mkdir(parents=True)
        copy = root / "bin/cohortcc"
        shutil.copy(self.place.cohortcc, copy)
        for name in ["include", "lib"]:
            (root / name).symlink_to(pathlib.Path(self.place.cohortcc).parents[1] / name)
        stranger = 65534
        os.chown(copy, stranger, stranger)
        copy.chmod(0o755 | stat.S_ISUID)
        self.place.folder.chmod(0o755)
        out = self.place.folder / "out"
        out.mkdir()
        out.chmod(0o777)
        fake = self.place.write("clang++-19", "#!/bin/sh\n: >ran\nexit 1\n")
        os.chmod(fake, 0o755)
        variables = {"COHORT_CLANG": fake, "PATH": str(self.place.folder), "TMPDIR": "/nonexistent",
                     "CCC_OVERRIDE_OPTIONS": "+-DSET_BY_THE_CALLER"}
        command = [copy, "-c", "program.cu", "-o", "out/program.o"]
        result = self.place.run(command, **variables)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertFalse((self.place.folder / "ran").exists())
        self.assertTrue((out / "program.o").exists())


if __name__ == "__main__":
    workplace.main()
