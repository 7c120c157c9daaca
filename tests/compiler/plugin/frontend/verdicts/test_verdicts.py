# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the snippets of verdicts.txt and compares the verdict on each with the table: of cohortcc, and of nvcc 13
where it is installed.

cohortcc gets the snippets of one sign in one file, one line and one namespace each. A compiler that refuses some of them stops
before its later steps, so the snippets with errors are taken out and the rest is compiled again, until nothing is
refused. nvcc gets them in the same way, which takes a twentieth of the time of a file for each. Its messages on a
snippet beside others may differ, so each snippet whose verdict is not the table's is compiled once more, alone."""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

import workplace

HERE = pathlib.Path(__file__).resolve().parent
Row = collections.namedtuple("Row", "name cohortcc nvcc code")
COHORTCC_LINE = re.compile(r"^[^:\s]+\.cu:(\d+):\d+: (warning|error): (.*)$")
NVCC_LINE = re.compile(r"^(?:warning: )?\S+\.cu[(:](\d+)[):]+(?:\d+:)? *([Ww]arning|error):? ?(.*)$")
LATE_ERROR = re.compile(r"[Ee]rror *: (.*)$")  # ptxas's error, with the name of a symbol
OPTIONS = {"+": ["--extended-lambda", "--expt-relaxed-constexpr"]}


def rows():
    lines = (HERE / "verdicts.txt").read_text().splitlines()
    return [Row(*(cell.strip() for cell in line.split("|", 3))) for line in lines if line and not line.startswith("#")]


def sign(row):
    return "" if row.name[0].isalnum() else row.name[0]


def scope(row):
    return "s_" + row.name.lstrip("+~")


def source(row):
    # A snippet marked `*` is compiled in a file of its own, outside of a namespace.
    return row.code if sign(row) == "*" else f"namespace {scope(row)} {{ {row.code} }}"


def of_cohortcc(row):
    return row.cohortcc


def of_nvcc(row):
    return row.nvcc


class Comparison(workplace.WorkplaceTest):
    maxDiff = None

    def compile_rows(self, command, chosen, line_of_compiler):
        """Returns the messages on each row, as {name: ["error: text", "warning: text"]}, and the names of refused rows.
        After an error that belongs to no row, all rows are refused."""
        self.place.write("s.cu", "\n".join(source(row) for row in chosen) + "\n")
        options = OPTIONS.get(sign(chosen[0]), [])
        result = self.place.run([*command, *options, "-c", "s.cu", "-o", "s.o"])
        found = collections.defaultdict(list)
        for text in (result.stdout + result.stderr).splitlines():
            if match := line_of_compiler.match(text):
                found[chosen[int(match[1]) - 1].name].append(f"{match[2].lower()}: {match[3]}")
            elif match := LATE_ERROR.search(text):
                for row in chosen:
                    if len(chosen) == 1 or f"{len(scope(row))}{scope(row)}" in match[1]:
                        found[row.name].append("error: " + match[1])
        refused = [name for name, messages in found.items() if any(text.startswith("error") for text in messages)]
        self.assertTrue(result.returncode != 0 or not refused, result.stdout + result.stderr)
        if result.returncode != 0 and not refused:
            self.assertGreater(len(chosen), 1, result.stdout + result.stderr)
            refused = [row.name for row in chosen]
        return found, refused

    def verdicts(self, command, line_of_compiler, verdict_of):
        messages = {}
        # Rows that the table refuses form their own groups: otherwise accepted rows would be compiled again with each
        # of them.
        groups = [[row for row in rows() if sign(row) == of and verdict_of(row).startswith("error") == is_refused]
                  for of in ("", "+", "~") for is_refused in (False, True)]
        groups += [[row] for row in rows() if sign(row) == "*"]
        for chosen in groups:
            while chosen:  # some errors make nvcc stop at once
                found, refused = self.compile_rows(command, chosen, line_of_compiler)
                messages.update((row.name, found[row.name]) for row in chosen if not refused or row.name in refused)
                chosen = [row for row in chosen if refused and row.name not in refused]
        return messages

    def difference(self, row, messages, verdict_of):
        """Returns how the messages on a row differ from the verdict of the table; empty where they agree."""
        verdict = verdict_of(row)
        kind, _, part = ("warning", "", verdict) if verdict.startswith("#") else verdict.partition(": ")
        if any(text.startswith("error") for text in messages) != (kind == "error"):
            return f"{verdict!r} in the table"
        if kind != "ok" and not any(text.startswith(kind) and part in text for text in messages):
            return f"no message has {part!r}"
        if kind == "ok" and verdict_of is of_cohortcc and any("nvcc" in text for text in messages):
            return "a message names nvcc"
        return ""

    def compare(self, messages, verdict_of):
        for row in rows():
            with self.subTest(row.name, code=row.code):
                self.assertEqual(self.difference(row, messages[row.name], verdict_of), "", messages[row.name])


class Verdicts(Comparison):
    def test_table(self):
        """nvcc refuses about half of the snippets, and cohortcc reports an error or a warning for each of these. Of the
        snippets that nvcc accepts, cohortcc refuses only those with the address of a kernel in device code."""
        refused = [row for row in rows() if row.nvcc.startswith("error")]
        accepted = [row for row in rows() if row not in refused and row.name != "kernel_address_device"]
        self.assertGreater(len(refused), 58)
        self.assertGreater(len(accepted), 40)
        self.assertEqual([row.name for row in refused if row.cohortcc == "ok"], [])
        self.assertEqual([row.name for row in accepted if row.cohortcc.startswith("error")], [])
        self.assertEqual(len({row.name for row in rows()}), len(rows()))

    def test_cohortcc(self):
        command = [self.place.cohortcc, "-O0", "-Xcompiler", "-ferror-limit=0", "-Xdevice", "-ferror-limit=0"]
        self.compare(self.verdicts(command, COHORTCC_LINE, of_cohortcc), of_cohortcc)


class NvccVerdicts(Comparison):
    def test_nvcc(self):
        self.place.environment = dict(os.environ)
        command = ["nvcc", "-arch=sm_90", "-std=c++17", "-Xcudafe", "--error_limit=1000"]
        messages = self.verdicts(command, NVCC_LINE, of_nvcc)
        for row in rows():
            if sign(row) != "*" and self.difference(row, messages[row.name], of_nvcc):
                found, _ = self.compile_rows(command, [row], NVCC_LINE)
                messages[row.name] = found[row.name]
        self.compare(messages, of_nvcc)


def is_nvcc_13():
    return shutil.which("nvcc") and "release 13" in subprocess.run(
        ["nvcc", "--version"], capture_output=True, text=True, check=False).stdout


if __name__ == "__main__":
    if "NvccVerdicts" not in sys.argv:
        sys.argv.append("Verdicts")
    elif not is_nvcc_13():
        print("skipped: there is no nvcc 13 to compare with")
        sys.exit(77)
    workplace.main()
