#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tools/changes.py: the checkout's own changes are in order, wrong ones are named, and a release assembles them."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
OLD = "# Changes\n\n## 0.1.0\n\nThe first version.\n\n### Added\n\n- Groups and\n  collectives.\n"


def run(root, *options):
    return subprocess.run(
        [sys.executable, "-B", SOURCE / "tools/changes.py", root, *options], capture_output=True, text=True
    )


class Changes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "changes").mkdir()
        (self.root / "CHANGES.md").write_text(OLD)

    def fragment(self, name, text):
        (self.root / "changes" / f"{name}.md").write_text(text)

    def finds(self, *sentences):
        result = run(self.root, "--check")
        self.assertEqual(result.stderr, "".join(f"changes: {sentence}\n" for sentence in sentences))
        self.assertEqual(result.returncode, 1 if sentences else 0)

    def test_the_checkout(self):
        result = run(SOURCE, "--check")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_wrong_fragments(self):
        self.fragment("a", "- outside\n# Added\n- one\n\n  broken\n# New\n# Fixed\n")
        self.finds(
            "changes/a.md:1: the line stands in no section",
            "changes/a.md:5: the line continues no item of a list",
            "changes/a.md:6: 'New' is no section; there are: Added, Changed, Fixed",
            "changes/a.md: the section 'New' is empty",
            "changes/a.md: the section 'Fixed' is empty",
        )

    def test_an_empty_fragment(self):
        self.fragment("a", "")
        self.finds("changes/a.md: the file has no section")

    def test_a_paragraph_in_two_versions(self):
        words = "a process that holds the other library too prints"
        self.fragment("a", f"# Fixed\n- {words} a sentence.\n")
        self.fragment("b", f"# Fixed\n- Then {words} nothing.\n")
        self.finds(
            "changes/b.md: 'a process that holds the other library too' stands in changes/a.md too",
        )

    def test_a_broken_list_of_a_version(self):
        (self.root / "CHANGES.md").write_text(OLD + "\n  more\n")
        self.finds("CHANGES.md:12: the line continues no item of a list")

    def test_a_long_version(self):
        (self.root / "CHANGES.md").write_text(OLD + "".join(f"- Item {i}.\n" for i in range(80)))
        self.finds("CHANGES.md:3: 0.1.0 has 87 lines, of at most 80")

    def test_a_long_next_version(self):
        self.fragment("a", "# Added\n" + "".join(f"- Item {i}.\n" for i in range(75)))
        self.fragment("b", "# Fixed\n- A fault.\n")
        self.finds("the next version would have 83 lines, of at most 80; shorten changes/")
        (self.root / "changes" / "b.md").unlink()
        self.finds()

    def test_a_release(self):
        self.fragment("a", "# Fixed\n- A fault.\n# Added\n- A thing\n  in two lines.\n")
        self.fragment("b", "# Fixed\n- Another.\n")
        section = "### Added\n\n- A thing\n  in two lines.\n\n### Fixed\n\n- A fault.\n- Another.\n"
        self.assertEqual(run(self.root).stdout, section)
        self.assertEqual(run(self.root, "--release", "0.1.0").stderr, "changes: CHANGES.md has a version 0.1.0 already\n")
        self.assertEqual(run(self.root, "--release", "0.2.0").returncode, 0)
        text = (self.root / "CHANGES.md").read_text()
        self.assertEqual(text, OLD.replace("## 0.1.0", f"## 0.2.0\n\n{section}\n## 0.1.0"))
        self.assertEqual(list((self.root / "changes").iterdir()), [])
        self.assertEqual(run(self.root, "--release", "0.3.0").stderr, "changes: changes/ has no change to release\n")
        self.finds()


if __name__ == "__main__":
    unittest.main()
