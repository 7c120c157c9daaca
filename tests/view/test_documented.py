# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The code in docs/debugging.md is that of compiled programs, and the reports there are those that these programs
print. docs/pictures/race.svg has the text of such a report, and docs/pictures/timeline.png shows a trace of
timeline.cu."""

import collections
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import command
from command import run_program

ROOT = command.HERE.parent.parent
PAGE = ROOT / "docs" / "debugging.md"


def blocks(language):
    found = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    return [text for name, text in found if name == language]


def without_layout(text):
    """The words of a text without line breaks: the page breaks the long lines of reports."""
    return " ".join(text.split())


def operations_of(trace):
    """The names of the operations of each row of a stream, in their order."""
    events = json.loads(trace)
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    rows = collections.defaultdict(list)
    for event in sorted((e for e in events if e.get("cat") in ("launch", "copy")), key=lambda e: e["ts"]):
        rows[names[event["pid"], event["tid"]]].append(event["name"])
    return rows


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
        picture = ElementTree.parse(ROOT / "docs" / "pictures" / "race.svg")
        texts = [line.text for line in picture.iter("{http://www.w3.org/2000/svg}text")]
        shown = [text for text in texts if not text.startswith("$ ")]
        self.assertEqual(shown, [line.strip() for line in run_program("race").decode().splitlines()],
                         "the picture is old; tools/terminal_picture.py has the command that makes it")

    def test_picture_of_a_timeline(self):
        self.assertEqual(run_program("timeline", COHORT_TRACE=str(self.folder / "trace.json")), b"")
        shown = operations_of((ROOT / "docs" / "pictures" / "timeline.json").read_text())
        self.assertEqual(shown, operations_of((self.folder / "trace.json").read_text()))
        self.assertEqual(shown, {f"device 0, stream {i}": ["copy", "blur", "sharpen", "copy"] * 2 for i in (3, 4, 5)})
        checked = subprocess.run([sys.executable, "-B", ROOT / "tools/page_picture.py", ROOT, "--check"], capture_output=True,
                                 text=True, check=False)
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))


command.main()
