# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges each variant of each puzzle as `cohort learn` does:  test_variants.py BUILD PROGRAMS

The first line of a mistake names what catches it: `// caught: CLASS: TEXT`. CLASS is the class of the leading report,
`values` where wrong values are all there is, or `rule` where the puzzle forbids a right way; TEXT stands in the
explanation."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD, PROGRAMS = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
LIBRARY = BUILD / "lib" / "cohort"
sys.path[:0] = [str(LIBRARY / "learn"), str(LIBRARY / "reports")]

import attempt
import draw
import puzzles
import verdict

CAUGHT = re.compile(r"^// caught: ([a-z-]+): (.+)$", re.M)
PUZZLES = puzzles.read_all(LIBRARY / "puzzles")
KINDS = ["hole", "solution"]


def variants(puzzle):
    folder = PROGRAMS / "checked" / "variants"
    return sorted(path.name.split(".", 1)[1] for path in folder.glob(puzzle.source.name + ".*"))


class VariantTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def judge(self, puzzle, variant):
        """The verdict about a variant, the leading report's class or None, and the text that a reader sees."""
        puzzle.copy_missing_files()
        puzzle.kernel.write_text((PROGRAMS / "checked" / "variants" / f"{puzzle.source.name}.{variant}" / "kernel.cu").read_text())
        made = attempt.Attempt()
        made.is_compiled = True
        attempt.run_check(puzzle, [str(PROGRAMS / "checked" / "all"), f"{puzzle.source.name}.{variant}"],
                          pathlib.Path("results.json").resolve(), made)
        pathlib.Path("results.json").unlink(missing_ok=True)
        found = verdict.judge(puzzle, made, BUILD / "bin", False)
        leading = verdict.leading_report(made.reports)[0] if made.reports else None
        return found, leading, " ".join(" ".join(found.lines).split())

    def test_there_are_twenty(self):
        self.assertEqual([puzzle.number for puzzle in PUZZLES], list(range(1, 21)))

    def test_each_hole_fails(self):
        for puzzle in PUZZLES:
            with self.subTest(puzzle.short_name):
                found, _, text = self.judge(puzzle, "hole")
                self.assertFalse(found.is_solved, text)
                self.assertIn("the hole has no answer yet", text)
                self.assertRegex(text, r"cohort: |X wrong")

    def test_each_solution_passes(self):
        for puzzle in PUZZLES:
            with self.subTest(puzzle.short_name):
                found, leading, text = self.judge(puzzle, "solution")
                self.assertTrue(found.is_solved, text)
                self.assertIsNone(leading)
                self.assertIn("solved. The values of all", text)

    def test_mistakes_are_explained(self):
        count = 0
        for puzzle in PUZZLES:
            for variant in variants(puzzle):
                if variant in KINDS:
                    continue
                with self.subTest(puzzle=puzzle.short_name, mistake=variant):
                    source = (HERE / "mistakes" / puzzle.source.name / f"{variant}.cu").read_text()
                    caught = CAUGHT.search(source)
                    found, leading, text = self.judge(puzzle, variant)
                    self.assertFalse(found.is_solved, text)
                    self.assertEqual(leading or ("values" if "X wrong" in text else "rule"), caught[1], text)
                    self.assertIn(caught[2], text)
                    self.assertIn("not solved", text)
                    count += 1
        self.assertGreaterEqual(count, 50)

    def test_each_class_with_a_sentence_exists(self):
        classes = {name for name, _ in verdict.CLASSES}
        self.assertEqual(set(verdict.GENERAL), classes)
        for puzzle in PUZZLES:
            self.assertLessEqual(set(puzzle.explain), classes, puzzle.short_name)

    def test_solutions_pass_in_each_way_to_run(self):
        """Gangs or loops, a stack for each thread, and two more orders of threads."""
        for variables in ({}, {"COHORT_GANGS": "off"}, {"COHORT_SCHEDULE": "seed:7"}, {"COHORT_SCHEDULE": "seed:20"}):
            for puzzle in PUZZLES:
                with self.subTest(puzzle.short_name, **variables):
                    done = subprocess.run([PROGRAMS / "plain" / "all", f"{puzzle.source.name}.solution"], capture_output=True,
                                          text=True, check=False, timeout=60, env={**os.environ, **variables})
                    self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
                    self.assertIn("is right", done.stdout)


class PictureTest(unittest.TestCase):
    def drawn(self, expected, found, **shape):
        array = {"name": "out", "unit": "thread", "per_block": 0, "tile": 0, "blocks_per_device": 0, "launch": "<<<1, 1>>>",
                 "expected": expected, "found": found, **shape}
        return draw.values(array, -77777)

    def test_labels_of_rows(self):
        self.assertEqual([label for label, _ in self.drawn([0] * 5, [0] * 5, unit="warp").rows], ["warp 0-4"])
        self.assertEqual([label for label, _ in self.drawn([0] * 33, [0] * 33).rows], ["thread 0-31", "thread 32"])
        shape = {"per_block": 7, "blocks_per_device": 2}
        self.assertEqual([label for label, _ in self.drawn([0] * 42, [0] * 42, **shape).rows][2:4],
                         ["device 1, block 0, thread 0-6", "device 1, block 1, thread 0-6"])

    def test_long_numbers(self):
        drawn = self.drawn([-2**31, 1], [-1234567890, 1])
        self.assertIn("out[0]: expected INT_MIN, found -1234567890", drawn.rows[0][1][0].tip)
        svg = drawn.as_svg()
        self.assertIn(">-1234567890</text>", svg)
        width, size = re.search(r'<rect [^>]*width="(\d+)".*?font-size="(\d+)"[^>]*>-1234567890<', svg).groups()
        self.assertGreaterEqual(int(width), 0.6 * int(size) * len("-1234567890"))
        self.assertGreaterEqual(int(size), 8)

    def test_letters_begin_with_a(self):
        states = [{"class": name, "threads": [[rank, rank]], "place": "", "sentence": name}
                  for rank, name in enumerate(["returned", "waiting", "running"])]
        block = next(draw.states({"blocks": [{"block": (0, 0, 0), "threads": 3, "states": states}]}))
        self.assertEqual("".join(cell.mark for cell in block.rows[0][1]), "-AB")

    def test_code_without_comments(self):
        text = 'a("//b"); /* c\n// c */ d; // e\nf'
        self.assertEqual(puzzles.code_of(text), ['a("//b");', "d;", "f"])
        self.assertEqual(puzzles.without_comments(text, keeps_strings=False).split(), ["a(", ");", "d;", "f"])


unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
