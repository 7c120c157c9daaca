# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the sources in errors/, which cohortcc must refuse. Their EXPECT lines hold texts that it must print once."""

import sys
import unittest

import workplace

cohortcc = None


class Errors(unittest.TestCase):
    def test_each(self):
        sources = sorted((workplace.HERE / "errors").glob("*.cu"))
        self.assertTrue(sources)
        for source in sources:
            lines = source.read_text().splitlines()
            expected = [line.split("EXPECT: ", 1)[1] for line in lines if line.startswith("// EXPECT: ")]
            options = [word for line in lines if line.startswith("// OPTIONS: ") for word in line[12:].split()]
            with self.subTest(source.name), workplace.workplace(cohortcc) as place:
                result = place.compile("-c", *options, source, "-o", "out.o")
                self.assertNotEqual(result.returncode, 0, "it was accepted")
                self.assertTrue(expected)
                for text in expected:
                    self.assertEqual(result.stderr.count(text), 1, f"{text!r} in:\n{result.stderr}")
                self.assertEqual(result.stderr.count("error: "), 1, result.stderr)
                self.assertFalse((place.folder / "out.o").exists())
                self.assertEqual(place.left_over(), [])


if __name__ == "__main__":
    arguments, rest = workplace.parser().parse_known_args()
    cohortcc = arguments.cohortcc
    unittest.main(argv=sys.argv[:1] + rest)
