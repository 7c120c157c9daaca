#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tools/release.py: the checkout's version is the same everywhere; a release is prepared, published and checked."""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
FILES = ("tools/release.py", "tools/changes.py", "tools/printed_times.py", "tools/published.json", "action.yml",
         "docs/ci-without-a-gpu.md", "include/cohort/base/version.hpp")
OLD = "# Changes\n\n## 0.1.0\n\nThe first version.\n\n### Added\n\n- Groups.\n"


def run(root, *options):
    return subprocess.run([sys.executable, "-B", SOURCE / "tools/release.py", root, *options], capture_output=True, text=True)


class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in FILES:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / name, self.root / name)
        values = json.dumps({"owner": "OWNER", "version": "0.1.0", "sha256": "HASH"})
        self.write("tools/published.json", values)
        self.write("tools/printed_times.txt", "# times\nnap 1 true\n")
        self.write("CHANGES.md", OLD)
        self.write("changes/a.md", "# Added\n- A thing.\n# Fixed\n- A fault of the thing.\n")
        self.git("init", "-q")
        header = self.root / "include/cohort/base/version.hpp"
        header.write_text(re.sub(r"(?m)^(#define COHORT_VERSION) \d+$", r"\1 100", header.read_text()))
        self.assertEqual(run(self.root, "--publish").returncode, 0)
        self.commit()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def git(self, *words):
        subprocess.run(["git", "-C", self.root, "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True)

    def commit(self):
        self.git("add", ".")
        self.git("commit", "-qm", "a")

    def finds(self, options, *sentences):
        result = run(self.root, *options)
        self.assertEqual(result.stderr, "".join(f"release: {sentence}\n" for sentence in sentences))
        self.assertEqual(result.returncode, 1 if sentences else 0)
        return result.stdout

    def test_the_checkout(self):
        result = run(SOURCE, "--check-values")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_another_version_somewhere(self):
        text = (self.root / "docs/ci-without-a-gpu.md").read_text()
        self.write("docs/ci-without-a-gpu.md", text.replace("cohortcc_0.1.0_amd64", "cohortcc_0.1.1_amd64"))
        header = self.root / "include/cohort/base/version.hpp"
        header.write_text(header.read_text().replace("100", "101"))
        self.finds(["--check-values"],
                   "include/cohort/base/version.hpp has another version than tools/published.json, which has 0.1.0",
                   "docs/ci-without-a-gpu.md has the version 0.1.1, tools/published.json has 0.1.0")

    def test_a_first_version_without_a_tag(self):
        left_out = self.finds(["--prepare", "0.1.0"])
        self.assertEqual((self.root / "CHANGES.md").read_text(), OLD + "- A thing.\n")
        self.assertIn("A fault of the thing.", left_out)
        self.assertFalse((self.root / "changes/a.md").exists())

    def test_a_version_with_a_tag(self):
        self.git("tag", "v0.1.0")
        self.finds(["--prepare", "0.1.0"], "CHANGES.md has a version 0.1.0 already")
        self.finds(["--prepare", "0.2"], "'0.2' is no version of the form 1.2.3")
        self.finds(["--prepare", "0.2.0"])
        self.assertTrue((self.root / "CHANGES.md").read_text().startswith(
            "# Changes\n\n## 0.2.0\n\n### Added\n\n- A thing.\n\n### Fixed\n\n- A fault of the thing.\n\n## 0.1.0\n"))
        self.finds(["--check-values"])
        self.assertIn("default: '0.2.0'", (self.root / "action.yml").read_text())
        self.assertIn("#define COHORT_VERSION 200\n", (self.root / "include/cohort/base/version.hpp").read_text())

    def test_too_many_lines(self):
        self.write("changes/a.md", "# Added\n" + "".join(f"- Item {i}.\n" for i in range(80)))
        self.finds(["--prepare", "0.1.0"], "0.1.0 would have 86 lines, of at most 80; shorten changes/")
        self.assertEqual((self.root / "CHANGES.md").read_text(), OLD)

    def test_a_wheel(self):
        wheel = self.root / "cohortcc-0.1.0-py3-none-any.whl"
        wheel.write_bytes(b"wheel")
        digest = hashlib.sha256(b"wheel").hexdigest()
        self.finds(["--publish", "--owner", "a-b", "--wheel", wheel])
        self.assertIn(f"default: '{digest}'", (self.root / "action.yml").read_text())
        self.assertIn("uses: a-b/cohort@", (self.root / "docs/ci-without-a-gpu.md").read_text())
        self.finds(["--publish", "--owner", "a b"], "'a b' is no owner of a repository")
        self.finds(["--publish", "--wheel", self.root / "cohortcc-0.2.0-py3.whl"], "cohortcc-0.2.0-py3.whl is no wheel of version 0.1.0")
        wheel.unlink()
        self.finds(["--check"], "the tree has changes that are not committed", "changes/a.md is in no version; run --prepare")
        self.finds(["--prepare", "0.1.0"])
        self.commit()
        # `true` takes no time, and a minute is printed for it.
        self.finds(["--check"], "printed_times: true: 0.0 minutes (0.0 of processor time), printed are 1; "
                   "correct tools/printed_times.txt and README.md")
        self.write("tools/printed_times.txt", "# none\n")
        self.commit()
        self.assertEqual(self.finds(["--check"]), "git tag -a v0.1.0 -m 'Cohort 0.1.0'\n")
        self.git("tag", "v0.1.0")
        self.finds(["--check"], "the tag v0.1.0 exists")

    def test_what_a_release_lacks(self):
        self.write("x", "")
        self.finds(["--check"], "tools/published.json has no owner; set it with --publish --owner",
                   "tools/published.json has no hash of the wheel; run `make package`, then --publish --wheel",
                   "the tree has changes that are not committed", "changes/a.md is in no version; run --prepare")


if __name__ == "__main__":
    unittest.main()
