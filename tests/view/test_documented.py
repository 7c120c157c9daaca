# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The code of docs/debugging.md is that of compiled programs, and its reports are those that they print. So is the text of
docs/pictures/race.svg."""

import re
import xml.etree.ElementTree as ElementTree

import command
from command import run_program

PAGE = command.HERE.parent.parent / "docs" / "debugging.md"


def blocks(language):
    found = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    return [text for name, text in found if name == language]


def without_layout(text):
    """The words of a text: the page breaks the long lines of reports."""
    return " ".join(text.split())


class Documented(command.ViewTest):
    def test_code(self):
        sources = "\n".join(path.read_text() for path in sorted(command.HERE.glob("*.cu")))
        code = blocks("cpp")
        self.assertEqual(len(code), 6)
        for block in code:
            self.assertIn("\n" + block, sources)

    def test_reports(self):
        printed = "".join(run_program(name).decode() for name in ("deadlock", "race", "overrun"))
        printed = re.sub(r"\b0x[0-9a-f]{9,16}\b", "ADDRESS", printed)
        reports = [block for block in blocks("") if block.startswith("cohort: ")]
        self.assertEqual(len(reports), 3)
        for report in reports:
            self.assertIn(without_layout(report), without_layout(printed))

    def test_picture(self):
        picture = ElementTree.parse(command.HERE.parent.parent / "docs" / "pictures" / "race.svg")
        texts = [line.text for line in picture.iter("{http://www.w3.org/2000/svg}text")]
        shown = [text for text in texts if not text.startswith("$ ")]
        self.assertEqual(shown, [line.strip() for line in run_program("race").decode().splitlines()],
                         "the picture is old; tools/terminal_picture.py has the command that makes it")


command.main()
