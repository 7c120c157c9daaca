# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs cohort-view and the programs whose reports it draws. The tests take two arguments: COHORT_VIEW and a folder with
the programs."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

VIEW, PROGRAMS = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
HERE = pathlib.Path(__file__).resolve().parent

# A text that would end scripts and attributes if a page took it as markup.
HOSTILE = "</script></pre><img src=x onerror=document.title='broken'>\"'`&amp;${style}"


def run_program(name, *arguments, **variables):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("COHORT_")}
    run = subprocess.run([PROGRAMS / name, *arguments], capture_output=True, timeout=600, check=False,
                         env={**kept, "COHORT_WORKERS": "1", **variables})
    return run.stderr


def trace_of_blocks(count):
    """A trace of `count` blocks of a kernel on two threads, in the order of their begins."""
    line = '{"ph":"X","pid":5107,"tid":%d,"ts":%d.123,"dur":%d,"cat":"block","name":"k","args":{"block":[%d,0,0]}},\n'
    return "[\n" + "".join(line % (i % 2, i * 10, i % 9 + 1, i % 97) for i in range(count))


class ViewTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.page = self.folder / "page.html"

    def view(self, data, *options, command=(VIEW,)):
        """Runs cohort-view on an input and returns the result."""
        return subprocess.run([*command, "-", "-o", self.page, *options], input=data if isinstance(data, bytes) else data.encode(),
                              capture_output=True, timeout=600, check=False, cwd=self.folder)

    def content(self, data, *options, command=(VIEW,)):
        """The data in the page, which its scripts draw."""
        run = self.view(data, *options, command=command)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        page = self.page.read_text()
        found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
        return json.loads(found[1])


def main():
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], module="__main__")
