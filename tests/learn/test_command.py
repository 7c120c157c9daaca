# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command `cohort learn`, as a reader uses it:  test_command.py BUILD SOURCE"""

import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from variants import with_hole

BUILD, SOURCE = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
COHORT = BUILD / "bin" / "cohort"
MISTAKES = pathlib.Path(__file__).resolve().parent / "mistakes"


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def learn(self, *arguments, command=COHORT, folder=None, preexec_fn=None, **variables):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("COHORT_")}
        return subprocess.run([command, "learn", *arguments], cwd=folder or self.folder, env={**kept, **variables}, text=True,
                              capture_output=True, timeout=300, check=False, preexec_fn=preexec_fn)

    def succeed(self, *arguments, status=0, **variables):
        done = self.learn(*arguments, **variables)
        self.assertEqual((done.returncode, done.stderr), (status, ""), done.stdout)
        return done.stdout

    def refuse(self, text, *arguments, **options):
        done = self.learn(*arguments, **options)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn(text, " ".join(done.stderr.split()))
        self.assertNotIn("Traceback", done.stderr)

    def copy_of(self, name):
        return self.folder / "cohort-learn" / name

    def solve(self, name, code=None):
        """Puts the solution, or other code, in the hole of the reader's copy, which may not exist yet."""
        kernel = self.copy_of(name) / "kernel.cu"
        if not kernel.exists():
            self.copy_of(name).mkdir(parents=True)
            shutil.copy(SOURCE / "learn" / name / "kernel.cu", kernel)
        kernel.write_text((SOURCE / "learn" / name / "solution" / "kernel.cu").read_text() if code is None else
                          with_hole(kernel.read_text(), code))

    def test_from_the_list_to_a_solved_puzzle(self):
        self.assertRegex(self.succeed(), r"(?m)^  4  tiles .*\n(.*\n)*\n0 of 20 solved\. `cohort learn 1` begins")
        self.assertFalse(self.copy_of("").exists(), "the list writes nothing")
        first = self.succeed("4", status=1)
        self.assertIn("# 4. Tiles", first)
        self.assertIn("cohort-learn/04-tiles/kernel.cu: the hole has no answer yet", first)
        self.assertIn("    block 0, thread 0-11  ________ ____\n", first)
        self.assertIn("out[8]", first.replace("and ", "out[8] "))
        self.assertIn("  4  tiles                a block divided into tiles of 8                begun\n", self.succeed())

        self.solve("04-tiles", (MISTAKES / "04-tiles" / "block_rank.cu").read_text())
        wrong = self.succeed("4", status=1)
        self.assertNotIn("# 4. Tiles", wrong)
        self.assertIn("    block 0, thread 0-11  ........ XXXX\n", wrong)
        self.assertIn("out[8]: expected 100, found 108\n", wrong)
        self.assertIn("Ask the tile for the rank, not the block.", wrong)
        page = (self.copy_of("04-tiles") / "picture.html").read_text()
        self.assertEqual(len(re.findall(r"<title>out\[\d+\]: \d+</title>", page)), 8)
        self.assertEqual(len(re.findall(r"<title>out\[\d+\]: expected 10\d, found 1\d\d</title>", page)), 4)
        self.assertNotIn("<script", page)

        self.solve("04-tiles")
        self.assertIn("cohort-learn/04-tiles/kernel.cu: solved. The values of all 3 launches are right", solved := self.succeed("tiles"))
        self.assertIn("<title>out[44]: 504</title>", (self.copy_of("04-tiles") / "picture.html").read_text(), "the largest array")
        self.assertTrue(solved.endswith("\nNext: `cohort learn 5`, the difference to the thread before.\n"), solved)
        self.assertRegex(self.succeed(), r"tiles of 8 +solved\n(.*\n)*\n1 of 20 solved\.")
        with open(self.copy_of("04-tiles") / "kernel.cu", "a") as file:
            file.write("// one more line\n")
        self.assertRegex(self.succeed(), r"tiles of 8 +changed since it was solved\n(.*\n)*\n0 of 20 solved\.")

    def test_a_report_is_printed_drawn_and_explained(self):
        self.solve("05-shuffle", (MISTAKES / "05-shuffle" / "in_branch.cu").read_text())
        text = self.succeed("5", status=1)
        self.assertIn("  cohort: deadlock in kernel steps <<<(1,1,1), (16,1,1)>>>\n", text)
        self.assertRegex(text, r"warp 0  (ABBBBBBB BBBBBBBB|BAAAAAAA AAAAAAAA)\n")
        self.assertIn("A shuffle inside of a condition lacks the threads", text.replace("\n", " "))
        self.assertIn("The report as a page: cohort-learn/05-shuffle/report.html\n", text)
        page = (self.copy_of("05-shuffle") / "report.html").read_text()
        self.assertIn("if (tile.thread_rank()", page, "cohort-view shows the reader's source lines")
        self.solve("05-shuffle")
        self.succeed("5")
        self.assertFalse((self.copy_of("05-shuffle") / "report.html").exists(), "no page of an earlier attempt is left")

    def test_files_of_the_reader_are_kept(self):
        copy = self.copy_of("01-ranks")
        copy.mkdir(parents=True)
        (copy / "kernel.cu").write_text("not C++\n")
        (copy / "README.md").write_text("notes\n")
        text = self.succeed("1", status=1)
        self.assertIn("kernel.cu:1:1: error:", text)
        self.assertIn("cohort-learn/01-ranks/kernel.cu: not solved. It does not compile.", text)
        self.assertEqual([(copy / name).read_text() for name in ("kernel.cu", "README.md")], ["not C++\n", "notes\n"])
        self.assertTrue((copy / "check.cu").exists() and (copy / "puzzle.hpp").exists(), "missing files are copied")

    def test_a_kernel_without_its_hole(self):
        self.solve("01-ranks")
        self.assertIn("kernel.cu: solved.", self.succeed("1"))
        self.assertTrue((self.copy_of("01-ranks") / "picture.html").exists())
        (self.copy_of("01-ranks") / "kernel.cu").write_text("")
        self.assertIn("To begin again, move it away and call `cohort learn 1`.", " ".join(self.succeed("1", status=1).split()))
        self.assertFalse((self.copy_of("01-ranks") / "picture.html").exists(), "no page says that it is solved")

    def test_a_full_disk(self):
        self.refuse("cohort-learn/04-tiles/README.md cannot be written: File too large", "4",
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
        self.assertEqual(list(self.copy_of("04-tiles").iterdir()), [])

    def test_printf_and_an_end_before_the_check(self):
        self.solve("01-ranks", 'if (cg::this_grid().thread_rank() == 0) {\n  printf("\\33[1mh\u00e9re is %u\\33[0m\\n", blockIdx.x);\n'
                   '  for (int i = 0; i < 60; ++i) printf("line\\n");\n}\nmine[block.thread_rank()] = 1;\n')
        text = self.succeed("1", status=1, PYTHONIOENCODING="ascii")
        lines = "  line\n" * 39
        self.assertIn(f"The program has printed:\n  h\\xe9re is 0\n{lines}  and ", text)
        self.assertIn("out[0]: expected 0, found 1\n", text)
        check = self.copy_of("01-ranks") / "check.cu"
        check.write_text(check.read_text().replace("puzzle::check check(argc, argv);", "return 5;\n  puzzle::check check(argc, argv);"))
        self.assertIn("The program ended with status 5 before its check was complete.", self.succeed("1", status=1))
        self.solve("01-ranks")
        check.write_text("#include \"kernel.cu\"\n#include \"puzzle.hpp\"\n"
                         "int main(int argc, char** argv) { return puzzle::check(argc, argv).end(); }\n")
        text = " ".join(self.succeed("1", status=1).split())
        self.assertIn("The check has made no launch.", text)
        self.assertIn("01-ranks/check.cu differs from that of the installation. Move it away", text)

    def test_endless_loop(self):
        self.solve("02-grid_stride", "volatile int* flag = out;\nwhile (*flag != 7) {\n}\n")
        text = self.succeed("2", status=1, COHORT_TIMEOUT="1", COHORT_LAUNCH_LIMIT="1")
        self.assertIn("The kernel does not end.", text)

    def test_settings_of_the_reader(self):
        self.solve("04-tiles")
        self.assertIn("kernel.cu: solved.", self.succeed("4", COHORT_SCHEDULE="search:10", COHORT_NO_SUCH="1"))
        self.refuse("cohort learn: COHORT_WORKERS=abc is not valid: expected a whole number", "4", COHORT_WORKERS="abc")

    def test_texts(self):
        self.assertIn("(docs/collectives.md#groups)", self.succeed("4", "--text"))
        self.assertEqual(self.succeed("4", "--hint"), (SOURCE / "learn/04-tiles/hint.md").read_text())
        self.assertEqual(self.succeed("04-tiles", "--solution"), (SOURCE / "learn/04-tiles/solution/kernel.cu").read_text())
        self.assertIn("exit status is 0 for a solved puzzle", " ".join(self.succeed("--help").split()))
        self.assertEqual(list(self.folder.iterdir()), [], "texts write nothing")

    def test_refusals(self):
        self.refuse("there is no puzzle '21'; there are 1 to 20, and `cohort learn` lists them", "21")
        self.refuse("there is no puzzle 'tile'", "tile")
        self.refuse("unrecognized arguments: --hin", "4", "--hin")
        self.refuse("there is no puzzle '0'", "0")
        self.refuse("needs the number of a puzzle", "--hint")
        self.refuse("not allowed with argument", "4", "--hint", "--solution")
        (self.folder / "cohort-learn").write_text("a file\n")
        self.refuse("cohort-learn/04-tiles cannot be written: Not a directory. Change to a folder of your own", "4")
        self.assertEqual(list(self.folder.iterdir()), [self.folder / "cohort-learn"])
        self.refuse("cannot be written", "4", folder="/proc")

    def test_read_only_folder(self):
        if os.geteuid() == 0:
            self.skipTest("root can write to each folder")
        self.folder.chmod(0o500)
        self.addCleanup(self.folder.chmod, 0o700)
        self.refuse("cannot be written: Permission denied. Change to a folder of your own", "4")

    def test_no_compiler(self):
        self.refuse("the compiler does not work; `cohort-info --doctor` examines the installation: cohortcc: error: COHORT_CLANG "
                    "is '/nonexistent'", "4", COHORT_CLANG="/nonexistent")
        installed = self.folder / "installed"
        (installed / "bin").mkdir(parents=True)
        shutil.copy(COHORT, installed / "bin")
        shutil.copytree(BUILD / "lib" / "cohort" / "learn", installed / "lib" / "cohort" / "learn")
        shutil.copytree(BUILD / "lib" / "cohort" / "reports", installed / "lib" / "cohort" / "reports")
        self.refuse("has no puzzles: install Cohort completely", command=installed / "bin" / "cohort")
        (installed / "lib" / "cohort" / "puzzles").symlink_to(BUILD / "lib" / "cohort" / "puzzles")
        self.refuse("bin/cohortcc does not exist: the puzzles need the compiler", "4", command=installed / "bin" / "cohort")

    def test_through_a_link(self):
        """A Debian package has links to the commands in /usr/bin."""
        (self.folder / "cohort").symlink_to(COHORT)
        self.assertIn("0 of 20 solved", self.succeed(command=self.folder / "cohort"))


unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
