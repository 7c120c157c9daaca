# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the constructs of the tables in this folder, and compares the warnings of cohortcc, and of nvcc where it is
installed, with those that the tables name."""

import collections
import pathlib
import re
import shutil
import subprocess
import sys

import workplace

HERE = pathlib.Path(__file__).resolve().parent
PARAMETERS = "(int a, unsigned u, float f, int* p)"
# The functions that hold the constructs. A template is instantiated after its definition.
CONTEXTS = {"host": ("void {}_f" + PARAMETERS, ""),
            "kernel": ("__global__ void {}_f" + PARAMETERS, ""),
            "both": ("__host__ __device__ void {}_f" + PARAMETERS, ""),
            "template": ("template <class T> __host__ __device__ void {}_f(T a, unsigned u, float f, int* p)",
                         " template __host__ __device__ void {}_f<int>" + PARAMETERS + ";")}
COHORTCC_LINE = re.compile(r"^(\S+):(\d+):(\d+): (warning|error): (.*?)(?: \[#(\d+)-D\])?(?: \[[^\]]*\])?$")
NVCC_LINE = re.compile(r"^(\S+?)[(:](\d+)[):]+(?:(\d+):)? *(warning|error):? ?(?:#(\d+)-D: )?(.*)$")


class Expected:
    """The warnings of a row: numbers of nvcc's warnings, `g++` for a warning of g++, `-` for none. Only nvcc shows
    those in parentheses."""

    def __init__(self, words):
        names = [] if words == "-" else words.split(",")
        self.cohortcc = {name for name in names if not name.startswith("(")}
        self.nvcc = {name.strip("()") for name in names}


def table(name):
    """Reads the rows of a table, whose columns bars separate."""
    lines = (HERE / name).read_text().splitlines()
    return [[cell.strip() for cell in line.split("|", 2)] for line in lines if line and not line.startswith("#")]


def expectations(cell, context):
    words = cell.split()
    special = dict(word.split("=") for word in words[1:])
    return Expected(special.get(context, words[0]))


class Warnings(workplace.WorkplaceTest):
    maxDiff = None

    def setUp(self):
        super().setUp()
        shutil.copy(HERE / "declarations.hpp", self.place.folder)

    def warnings_of_cohortcc(self, name, *options):
        """The warnings of a source, as {line: [number or "g++"]}."""
        result = self.place.compile("-c", "-rdc=true", "-O0", *options, name, "-o", "out.o")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = collections.defaultdict(list)
        seen = set()
        for text in result.stderr.splitlines():
            match = COHORTCC_LINE.match(text)
            if match and match[1] == name:
                self.assertNotIn(text, seen)
                seen.add(text)
                found[int(match[2])].append(match[6] or "g++")
        return found

    def warnings_of_nvcc(self, name, *options):
        """The warnings of the installed nvcc, in the form of warnings_of_cohortcc(); None where nvcc is missing."""
        if not shutil.which("nvcc"):
            print("skipped: there is no nvcc to compare with", file=sys.stderr)
            return None
        result = subprocess.run(["nvcc", "-c", "-rdc=true", *options, name, "-o", "nvcc.o"], cwd=self.place.folder,
                                capture_output=True, text=True, timeout=workplace.TIMEOUT, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        found = collections.defaultdict(list)
        for text in (result.stdout + result.stderr).splitlines():
            match = NVCC_LINE.match(text)
            if match and match[1] == name:
                found[int(match[2])].append(match[5] or "g++")
        return found

    def compare(self, name, expected):
        """Compares with `expected`, {line: Expected}. A warning that both nvcc and g++ have counts once."""
        found = self.warnings_of_cohortcc(name)
        lines = (self.place.folder / name).read_text().splitlines()
        for line, row in expected.items():
            with self.subTest(compiler="cohortcc", file=name, code=lines[line - 1]):
                self.assertEqual(set(found[line]), row.cohortcc)
        self.assertEqual([(line, found[line]) for line in found if found[line] and line not in expected], [])
        reference = self.warnings_of_nvcc(name)
        for line, row in expected.items() if reference is not None else ():
            with self.subTest(compiler="nvcc", file=name, code=lines[line - 1]):
                numbers = set(reference[line]) - {"g++"}
                if numbers or not reference[line]:
                    self.assertEqual(numbers, row.nvcc - {"g++"})
                else:
                    self.assertTrue(row.nvcc)

    def test_constructs(self):
        rows = table("constructs.txt")
        self.assertGreater(len(rows), 300)
        for context, (head, tail) in CONTEXTS.items():
            source = ['#include "declarations.hpp"']
            source += [f"{head.format(name)} {{ {code} }}{tail.format(name)}" for name, _, code in rows]
            self.place.write(context + ".cu", "\n".join(source) + "\n")
            self.compare(context + ".cu", {number: expectations(cell, context) for number, (_, cell, _) in enumerate(rows, 2)})

    def test_declarations(self):
        rows = table("declarations.txt")
        self.place.write("scope.cu", "\n".join(['#include "declarations.hpp"', *(code for _, code in rows)]) + "\n")
        self.compare("scope.cu", {number: Expected(cell) for number, (cell, _) in enumerate(rows, 2)})

    def test_system_headers(self):
        (self.place.folder / "system").mkdir()
        rows = table("constructs.txt")
        head, tail = CONTEXTS["both"]
        functions = [f"{head.format(name)} {{ {code} }}{tail}" for name, _, code in rows]
        self.place.write("system/all.hpp", "\n".join(functions) + "\n")
        self.place.write("user.cu", '#include "declarations.hpp"\n#include <all.hpp>\nint used() { return 1; }\n')
        result = self.place.compile("-c", "-rdc=true", "-O0", "-isystem", "system", "user.cu")
        self.assertEqual((result.returncode, result.stderr), (0, ""))


if __name__ == "__main__":
    workplace.main()
